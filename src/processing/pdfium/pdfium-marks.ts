import type { PdfiumExports } from "./pdfium-exports.ts";

/*
 * A page may mark a part of its content with a replacement text (`ActualText`), which pdfium then reads instead of the
 * letters that are drawn there.
 */

/** From fpdfview.h. */
const formObject = 5;
/** The nesting of forms within forms. */
const maxDepth = 16;

/** Removes the marks with a replacement text from the objects of an open page. Returns whether there were any. */
export function removeActualTexts(pdfium: PdfiumExports, page: number): boolean {
  const key = pdfium.malloc(16);
  new Uint8Array(pdfium.memory.buffer, key >>> 0, 16).set(Buffer.from("ActualText\0"));
  let isRemoved = false;
  const removeFrom = (object: number, depth: number): void => {
    for (let index = pdfium.FPDFPageObj_CountMarks(object) - 1; index >= 0; index--) {
      const mark = pdfium.FPDFPageObj_GetMark(object, index);
      if (mark === 0 || pdfium.FPDFPageObjMark_GetParamValueType(mark, key) === 0) continue;
      pdfium.FPDFPageObj_RemoveMark(object, mark);
      isRemoved = true;
    }
    if (pdfium.FPDFPageObj_GetType(object) !== formObject || depth > maxDepth) return;
    const parts = pdfium.FPDFFormObj_CountObjects(object);
    for (let index = 0; index < parts; index++) {
      removeFrom(pdfium.FPDFFormObj_GetObject(object, index), depth + 1);
    }
  };
  const count = pdfium.FPDFPage_CountObjects(page);
  for (let index = 0; index < count; index++) removeFrom(pdfium.FPDFPage_GetObject(page, index), 0);
  pdfium.free(key);
  return isRemoved;
}

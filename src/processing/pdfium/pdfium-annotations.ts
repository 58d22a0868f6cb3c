import type { PdfiumExports } from "./pdfium-exports.ts";

/** From fpdf_annot.h, fpdf_flatten.h and fpdfview.h. */
const link = 2;
const popup = 16;
const widget = 20;
const invisibleFlag = 1;
const hiddenFlag = 2;
const noViewFlag = 32;
const forDisplay = 0;
const textObject = 1;
const formObject = 5;

/** The nesting of forms within forms. */
const maxDepth = 16;

export interface AnnotationKinds {
  /** Any annotation that draws something and is not a link. */
  hasDrawn: boolean;
  hasFields: boolean;
}

/**
 * Whether the layer of the annotation with this index is switched off. It is called only for annotations on a layer.
 */
export type IsLayerOff = (index: number) => boolean;

/**
 * Hides the annotations of a page that a screen does not show: those for print only, on a layer that is switched off,
 * or of no size. It sets the flag "hidden", the only one that all functions of pdfium respect. Returns the kinds that
 * are left.
 */
export function hideUnseen(pdfium: PdfiumExports, page: number, isLayerOff: IsLayerOff): AnnotationKinds {
  const count = pdfium.FPDFPage_GetAnnotCount(page);
  const kinds: AnnotationKinds = { hasDrawn: false, hasFields: false };
  if (count <= 0) return kinds;
  const rectangle = pdfium.malloc(16);
  const layerKey = pdfium.malloc(4);
  new Uint8Array(pdfium.memory.buffer, layerKey >>> 0, 3).set(Buffer.from("OC\0"));
  for (let index = 0; index < count; index++) {
    const annotation = pdfium.FPDFPage_GetAnnot(page, index);
    if (annotation === 0) continue;
    const subtype = pdfium.FPDFAnnot_GetSubtype(annotation);
    const flags = pdfium.FPDFAnnot_GetFlags(annotation);
    const isSeen =
      (flags & (hiddenFlag | noViewFlag)) === 0 &&
      // The flag means nothing for standard annotation types, but pdfium hides fields that have it.
      !(subtype === widget && (flags & invisibleFlag) !== 0) &&
      hasSize(pdfium, annotation, rectangle) &&
      !(pdfium.FPDFAnnot_HasKey(annotation, layerKey) !== 0 && isLayerOff(index));
    const marked = isSeen ? flags & ~invisibleFlag : flags | hiddenFlag;
    if (marked !== flags) pdfium.FPDFAnnot_SetFlags(annotation, marked);
    pdfium.FPDFPage_CloseAnnot(annotation);
    if (!isSeen || subtype === popup) continue;
    if (subtype === widget) kinds.hasFields = true;
    if (subtype !== link) kinds.hasDrawn = true;
  }
  pdfium.free(rectangle);
  pdfium.free(layerKey);
  return kinds;
}

function hasSize(pdfium: PdfiumExports, annotation: number, rectangle: number): boolean {
  if (pdfium.FPDFAnnot_GetRect(annotation, rectangle) === 0) return true;
  const [left = 0, top = 0, right = 0, bottom = 0] = new Float32Array(
    pdfium.memory.buffer,
    rectangle >>> 0,
    4,
  );
  return left !== right && top !== bottom;
}

/** Makes the annotations of a page, including filled-in fields, part of its content. Load the page again to read it. */
export function flattenAnnotations(pdfium: PdfiumExports, page: number, forms: number): void {
  if (forms !== 0) pdfium.FORM_OnAfterLoadPage(page, forms);
  pdfium.FPDFPage_Flatten(page, forDisplay);
  if (forms !== 0) pdfium.FORM_OnBeforeClosePage(page, forms);
}

/** The text objects of a flattened page that come from its annotations, each with the number of its annotation. */
export function textOfAnnotations(
  pdfium: PdfiumExports,
  page: number,
  ownObjects: number,
): Map<number, number> {
  const found = new Map<number, number>();
  const gather = (object: number, annotation: number, depth: number): void => {
    const type = pdfium.FPDFPageObj_GetType(object);
    if (type === textObject) found.set(object, annotation);
    if (type !== formObject || depth > maxDepth) return;
    const parts = pdfium.FPDFFormObj_CountObjects(object);
    for (let index = 0; index < parts; index++) {
      gather(pdfium.FPDFFormObj_GetObject(object, index), annotation, depth + 1);
    }
  };
  // Flattening adds one form after all other objects, which contains a form for each annotation.
  let annotation = 0;
  for (let object = ownObjects; object < pdfium.FPDFPage_CountObjects(page); object++) {
    const flattened = pdfium.FPDFPage_GetObject(page, object);
    if (pdfium.FPDFPageObj_GetType(flattened) !== formObject) continue;
    const parts = pdfium.FPDFFormObj_CountObjects(flattened);
    for (let index = 0; index < parts; index++) {
      gather(pdfium.FPDFFormObj_GetObject(flattened, index), annotation++, 0);
    }
  }
  return found;
}

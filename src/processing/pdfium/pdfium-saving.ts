import type { AddFunction, PdfiumExports } from "./pdfium-exports.ts";

/** From fpdf_save.h: whole, not as changes to what was there. */
const notIncremental = 2;
const withoutSecurity = 3;

/** Hands on a document as a file of its own, in pieces that are good until the next one comes; whether it was whole. */
export function saveDocument(
  pdfium: PdfiumExports,
  addFunction: AddFunction,
  document: number,
  write: (bytes: Uint8Array) => void,
  { isDecrypted = false } = {},
): boolean {
  const writeBlock = (_writer: number, data: number, length: number): number => {
    write(new Uint8Array(pdfium.memory.buffer, data >>> 0, length >>> 0));
    return 1;
  };
  // FPDF_FILEWRITE: a version, and the function that writes.
  const writer = pdfium.malloc(8);
  new Uint32Array(pdfium.memory.buffer, writer >>> 0, 2).set([1, addFunction(writeBlock, "iiii")]);
  return pdfium.FPDF_SaveAsCopy(document, writer, isDecrypted ? withoutSecurity : notIncremental) !== 0;
}

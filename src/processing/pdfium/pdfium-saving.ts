import type { AddFunction, PdfiumExports } from "./pdfium-exports.ts";

/** From fpdf_save.h: writes the whole file, not an incremental update. */
const notIncremental = 2;
const withoutSecurity = 3;

/**
 * Writes a document as a new file, piece by piece. A piece is valid only during the call of `write`. Returns success.
 */
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
  // The struct FPDF_FILEWRITE: a version, and the function that writes.
  const writer = pdfium.malloc(8);
  new Uint32Array(pdfium.memory.buffer, writer >>> 0, 2).set([1, addFunction(writeBlock, "iiii")]);
  return pdfium.FPDF_SaveAsCopy(document, writer, isDecrypted ? withoutSecurity : notIncremental) !== 0;
}

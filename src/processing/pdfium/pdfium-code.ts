import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";

declare const WebAssembly: { compile(bytes: Uint8Array): Promise<PdfiumCode> };

/** The compiled code of pdfium, not yet instantiated. It may be passed to other threads. */
export type PdfiumCode = object;

/** Takes about 20 ms. */
export async function compilePdfium(): Promise<PdfiumCode> {
  const file = createRequire(import.meta.url).resolve("@embedpdf/pdfium/pdfium.wasm");
  return WebAssembly.compile(await readFile(file));
}

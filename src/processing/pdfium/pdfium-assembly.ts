import { flattenAnnotations, prepareAnnotations } from "./pdfium-annotations.ts";
import type { AddFunction, PdfiumExports } from "./pdfium-exports.ts";
import { HiddenLayers } from "./pdfium-layers.ts";
import { saveDocument } from "./pdfium-saving.ts";

/** A document that is assembled from pages of others. Any function may throw if pdfium aborts. */
export class PdfiumAssembly {
  readonly #pdfium: PdfiumExports;
  readonly #addFunction: AddFunction;
  readonly #load: (descriptor: number, size: number) => number;
  readonly #document: number;

  constructor(
    pdfium: PdfiumExports,
    addFunction: AddFunction,
    load: (descriptor: number, size: number) => number,
  ) {
    this.#pdfium = pdfium;
    this.#addFunction = addFunction;
    this.#load = load;
    this.#document = pdfium.FPDF_CreateNewDocument();
  }

  /** Opens a source for {@link import}. Returns 0 if it cannot be opened. */
  open(descriptor: number, size: number): number {
    return this.#load(descriptor, size);
  }

  /**
   * Makes filled-in forms part of their pages. A form's fields are connected across pages, so one page would otherwise
   * bring along the fields of the others. Hidden fields stay hidden.
   */
  drawForms(source: number, pages: ReadonlySet<number>): void {
    const pdfium = this.#pdfium;
    let forms: number | null = null;
    const layers = new HiddenLayers(pdfium, this.#addFunction, source);
    for (const index of pages) {
      const page = pdfium.FPDF_LoadPage(source, index);
      if (page === 0) continue;
      if (prepareAnnotations(pdfium, page, (annotation) => layers.hides(index, annotation)).hasFields) {
        forms ??= pdfium.PDFiumExt_InitFormFillEnvironment(source, pdfium.PDFiumExt_OpenFormFillInfo());
        flattenAnnotations(pdfium, page, forms);
      }
      pdfium.FPDF_ClosePage(page);
    }
  }

  /** Inserts pages of another document before the page of this number. Returns false if that fails. */
  import(source: number, pages: readonly number[], before: number): boolean {
    const pdfium = this.#pdfium;
    const indexes = pdfium.malloc(4 * pages.length);
    new Int32Array(pdfium.memory.buffer, indexes >>> 0, pages.length).set(pages);
    const isDone = pdfium.FPDF_ImportPagesByIndex(this.#document, source, indexes, pages.length, before);
    pdfium.free(indexes);
    return isDone !== 0;
  }

  /** Turns a page clockwise, in addition to its present rotation. */
  turn(index: number, quarterTurns: number): void {
    const pdfium = this.#pdfium;
    const page = pdfium.FPDF_LoadPage(this.#document, index);
    if (page === 0) return;
    pdfium.FPDFPage_SetRotation(page, (pdfium.FPDFPage_GetRotation(page) + quarterTurns) & 3);
    pdfium.FPDF_ClosePage(page);
  }

  /**
   * Writes the whole file, or that of a source in its present state, piece by piece. A piece is valid only during the
   * call of `write`. Neither file is encrypted.
   */
  save(write: (bytes: Uint8Array) => void, document = this.#document): boolean {
    return saveDocument(this.#pdfium, this.#addFunction, document, write, { isDecrypted: true });
  }
}

import type { AddFunction } from "./pdfium.ts";
import type { PdfiumExports } from "./pdfium-exports.ts";

/** From fpdf_annot.h, fpdf_flatten.h and fpdf_save.h. */
const widget = 20;
const forDisplay = 0;
const withoutSecurity = 3;

/** A document that is put together from pages of others. Any function may throw, where pdfium gives up. */
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

  /** What {@link import} takes pages from; 0 where it cannot be opened. */
  open(descriptor: number, size: number): number {
    return this.#load(descriptor, size);
  }

  /**
   * Makes forms part of their pages, as they are filled in: a form's fields hang together across pages, and one page
   * would take the others' with it.
   */
  drawForms(source: number, pages: ReadonlySet<number>): void {
    const pdfium = this.#pdfium;
    let forms: number | null = null;
    for (const index of pages) {
      const page = pdfium.FPDF_LoadPage(source, index);
      if (page === 0) continue;
      if (this.#hasForm(page)) {
        forms ??= pdfium.PDFiumExt_InitFormFillEnvironment(source, pdfium.PDFiumExt_OpenFormFillInfo());
        if (forms !== 0) pdfium.FORM_OnAfterLoadPage(page, forms);
        pdfium.FPDFPage_Flatten(page, forDisplay);
        if (forms !== 0) pdfium.FORM_OnBeforeClosePage(page, forms);
      }
      pdfium.FPDF_ClosePage(page);
    }
  }

  /** Puts pages of another document before the page of this number; false where that cannot be. */
  import(source: number, pages: readonly number[], before: number): boolean {
    const pdfium = this.#pdfium;
    const indexes = pdfium.malloc(4 * pages.length);
    new Int32Array(pdfium.memory.buffer, indexes >>> 0, pages.length).set(pages);
    const isDone = pdfium.FPDF_ImportPagesByIndex(this.#document, source, indexes, pages.length, before);
    pdfium.free(indexes);
    return isDone !== 0;
  }

  /** Clockwise, from how the page is turned already. */
  turn(index: number, quarterTurns: number): void {
    const pdfium = this.#pdfium;
    const page = pdfium.FPDF_LoadPage(this.#document, index);
    if (page === 0) return;
    pdfium.FPDFPage_SetRotation(page, (pdfium.FPDFPage_GetRotation(page) + quarterTurns) & 3);
    pdfium.FPDF_ClosePage(page);
  }

  /**
   * Hands on the whole file, or that of a source as it is by now, in pieces that are good until the next one comes.
   * Neither is encrypted.
   */
  save(write: (bytes: Uint8Array) => void, document = this.#document): boolean {
    const pdfium = this.#pdfium;
    const writeBlock = (_writer: number, data: number, length: number): number => {
      write(new Uint8Array(pdfium.memory.buffer, data >>> 0, length >>> 0));
      return 1;
    };
    // FPDF_FILEWRITE: a version, and the function that writes.
    const writer = pdfium.malloc(8);
    new Uint32Array(pdfium.memory.buffer, writer >>> 0, 2).set([1, this.#addFunction(writeBlock, "iiii")]);
    return pdfium.FPDF_SaveAsCopy(document, writer, withoutSecurity) !== 0;
  }

  #hasForm(page: number): boolean {
    const pdfium = this.#pdfium;
    for (let index = pdfium.FPDFPage_GetAnnotCount(page) - 1; index >= 0; index--) {
      const annotation = pdfium.FPDFPage_GetAnnot(page, index);
      if (annotation === 0) continue;
      const subtype = pdfium.FPDFAnnot_GetSubtype(annotation);
      pdfium.FPDFPage_CloseAnnot(annotation);
      if (subtype === widget) return true;
    }
    return false;
  }
}

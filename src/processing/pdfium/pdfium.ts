import { PdfiumAssembly } from "./pdfium-assembly.ts";
import {
  type AnnotationKinds,
  flattenAnnotations,
  mayShowLetters,
  prepareAnnotations,
  textOfAnnotations,
} from "./pdfium-annotations.ts";
import type { AddFunction, PdfiumExports } from "./pdfium-exports.ts";
import type { PdfiumInstance } from "./pdfium-instance.ts";
import { HiddenLayers } from "./pdfium-layers.ts";
import { type OutlineEntry, readOutline } from "./pdfium-outline.ts";
import { PdfiumPage, type ReadPageParts } from "./pdfium-page.ts";
import { saveDocument } from "./pdfium-saving.ts";

/*
 * pdfium, compiled to WebAssembly. pdfium reads a file from the disk block by block, so a file of 500 MB needs hardly
 * more memory than a small one. This requires a build of pdfium, like this one, whose function table accepts another
 * function.
 *
 * The contents of form fields and stamps do not belong to a page's text until they are flattened into the page. Pages
 * are read from a second view of the same file, which is flattened, and drawn from the unchanged first view.
 *
 * Nothing has to be freed, because the instance is restored or dropped after the file.
 */

export const pdfiumErrors = { password: 4, security: 5 };

/** pdfium for one file. Any function may throw if pdfium aborts. */
export class Pdfium {
  readonly #instance: PdfiumInstance;
  readonly #pdfium: PdfiumExports;
  readonly #addFunction: AddFunction;
  /** The address of a buffer for up to four numbers of 4 bytes that pdfium returns. */
  readonly #answer: number;
  #document = 0;
  #forms: number | null = null;
  #layers: HiddenLayers | null = null;
  #descriptor = 0;
  #size = 0;
  #password = "";
  #hasPinnedFiles = false;
  /** The second view; 0 if it cannot be opened. */
  #readDocument: number | null = null;
  #readForms: number | null = null;
  /** For each flattened page of the second view, the number of objects it had before. */
  readonly #ownObjects = new Map<number, number>();

  /** The instance must be new or restored. */
  constructor(instance: PdfiumInstance) {
    this.#instance = instance;
    this.#pdfium = instance.exports;
    this.#addFunction = instance.addFunction;
    this.#answer = this.#pdfium.malloc(16);
  }

  /** Opens the document in an open file of `size` bytes. If it returns false, {@link lastError} has the reason. */
  open(descriptor: number, size: number, password = ""): boolean {
    [this.#descriptor, this.#size, this.#password] = [descriptor, size, password];
    this.#document = this.#load(descriptor, size, password);
    this.#layers = new HiddenLayers(this.#pdfium, this.#addFunction, this.#document);
    return this.#document !== 0;
  }

  /** Of the open file, in bytes. */
  get fileSize(): number {
    return this.#size;
  }

  /** Writes the document without encryption, piece by piece. A piece is valid only during the call of `write`. */
  saveDecrypted(write: (bytes: Uint8Array) => void): boolean {
    return saveDocument(this.#pdfium, this.#addFunction, this.#document, write, { isDecrypted: true });
  }

  /** A new document that pages of others can be imported into. */
  assembly(): PdfiumAssembly {
    return new PdfiumAssembly(this.#pdfium, this.#addFunction, (descriptor, size) =>
      this.#load(descriptor, size),
    );
  }

  #load(descriptor: number, size: number, password = ""): number {
    // The struct FPDF_FILEACCESS: the length, the function that reads, and the context that this function gets.
    const fileAccess = this.#pdfium.malloc(12);
    const struct = new Uint32Array(this.#pdfium.memory.buffer, fileAccess, 3);
    struct.set([size, this.#instance.readBlock, descriptor]);
    return this.#pdfium.FPDF_LoadCustomDocument(fileAccess, this.#textFor(password));
  }

  /** A pointer to a zero-terminated copy of the string; 0 for an empty one. */
  #textFor(text: string): number {
    if (text === "") return 0;
    const bytes = Buffer.from(`${text}\0`);
    const pointer = this.#pdfium.malloc(bytes.length);
    new Uint8Array(this.#pdfium.memory.buffer, pointer >>> 0, bytes.length).set(bytes);
    return pointer;
  }

  /** A code other than {@link pdfiumErrors} means that the file is broken. */
  get lastError(): number {
    return this.#pdfium.FPDF_GetLastError();
  }

  get pageCount(): number {
    return this.#pdfium.FPDF_GetPageCount(this.#document);
  }

  /** Also if it opens without a password. */
  get isEncrypted(): boolean {
    return this.#pdfium.FPDF_GetSecurityHandlerRevision(this.#document) !== -1;
  }

  /** The document's own table of contents. */
  outline(): OutlineEntry[] {
    return readOutline(this.#pdfium, this.#document, this.pageCount);
  }

  /** Whether files are attached to the document or, as far as its pages have been read, pinned to them. */
  get hasAttachments(): boolean {
    return this.#hasPinnedFiles || this.#pdfium.FPDFDoc_GetAttachmentCount(this.#document) > 0;
  }

  /** In points, as the page is shown: rotated and cut to its crop box. Null if the page cannot be read. */
  pageSize(index: number): { width: number; height: number } | null {
    const isKnown = this.#pdfium.FPDF_GetPageSizeByIndexF(this.#document, index, this.#answer);
    if (isKnown === 0) return null;
    const [width = 0, height = 0] = new Float32Array(this.#pdfium.memory.buffer, this.#answer, 2);
    return { width, height };
  }

  /** Calls `use` with a page to draw, which is open only during the call. Returns null if the page cannot be read. */
  withPage<Result>(index: number, use: (page: PdfiumPage) => Result): Result | null {
    const handle = this.#pdfium.FPDF_LoadPage(this.#document, index);
    if (handle === 0) return null;
    this.#prepareAnnotations(handle, index);
    const page = new PdfiumPage(this.#pdfium, handle, this.#answer, () => this.#openForms());
    const result = use(page);
    page.close();
    return result;
  }

  /** Calls `use` with a page to read, whose text includes fields and stamps. Null if the page cannot be read. */
  withReadPage<Result>(index: number, use: (page: PdfiumPage) => Result): Result | null {
    const pdfium = this.#pdfium;
    const plain = pdfium.FPDF_LoadPage(this.#document, index);
    if (plain === 0) return null;
    const { hasDrawn, undrawn } = this.#prepareAnnotations(plain, index);
    const flattened = hasDrawn ? this.#flattened(index) : null;
    const handle = flattened?.page ?? plain;
    const parts = { ...flattened?.parts, undrawn };
    const page = new PdfiumPage(pdfium, handle, this.#answer, withoutForms, parts);
    const result = use(page);
    page.close();
    if (handle !== plain) pdfium.FPDF_ClosePage(plain);
    return result;
  }

  /** A page whose annotations are flattened into it. Null if that fails. */
  #flattened(index: number): { page: number; parts: ReadPageParts } | null {
    const pdfium = this.#pdfium;
    this.#readDocument ??= this.#load(this.#descriptor, this.#size, this.#password);
    if (this.#readDocument === 0) return null;
    let ownObjects = this.#ownObjects.get(index);
    if (ownObjects === undefined) {
      const plain = pdfium.FPDF_LoadPage(this.#readDocument, index);
      if (plain === 0) return null;
      ownObjects = pdfium.FPDFPage_CountObjects(plain);
      this.#prepareAnnotations(plain, index);
      this.#readForms ??= this.#newForms(this.#readDocument);
      flattenAnnotations(pdfium, plain, this.#readForms);
      pdfium.FPDF_ClosePage(plain);
      this.#ownObjects.set(index, ownObjects);
    }
    const page = pdfium.FPDF_LoadPage(this.#readDocument, index);
    if (page === 0) return null;
    const text = textOfAnnotations(pdfium, page, ownObjects);
    return {
      page,
      parts: { textOfAnnotations: text, mayShowLetters: mayShowLetters(pdfium, page, ownObjects) },
    };
  }

  #prepareAnnotations(page: number, index: number): AnnotationKinds {
    const kinds = prepareAnnotations(
      this.#pdfium,
      page,
      (annotation) => this.#layers?.hides(index, annotation) === true,
    );
    this.#hasPinnedFiles ||= kinds.hasFiles;
    return kinds;
  }

  /** The form environment that draws fields, which pdfium does not draw with the annotations. 0 if there is none. */
  #openForms(): number {
    this.#forms ??= this.#newForms(this.#document);
    return this.#forms;
  }

  #newForms(document: number): number {
    const pdfium = this.#pdfium;
    return pdfium.PDFiumExt_InitFormFillEnvironment(document, pdfium.PDFiumExt_OpenFormFillInfo());
  }
}

/** For pages that are read, and therefore not drawn. */
const withoutForms = (): number => 0;

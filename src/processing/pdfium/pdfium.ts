import { readSync } from "node:fs";
import { init } from "@embedpdf/pdfium";
import type { PdfiumCode } from "./pdfium-code.ts";
import { PdfiumAssembly } from "./pdfium-assembly.ts";
import {
  type AnnotationKinds,
  flattenAnnotations,
  hideUnseen,
  textOfAnnotations,
} from "./pdfium-annotations.ts";
import type { AddFunction, PdfiumExports } from "./pdfium-exports.ts";
import { HiddenLayers } from "./pdfium-layers.ts";
import { PdfiumPage, type ReadPageParts } from "./pdfium-page.ts";
import { saveDocument } from "./pdfium-saving.ts";

/*
 * pdfium, compiled to WebAssembly. A file is read in place, block by block as pdfium asks for it: a file of 500 MB
 * then needs hardly more memory than a small one. That is why it is this build of pdfium and not another: its function
 * table can take in one more function. Memory has a ceiling, which WebAssembly itself cannot be told: every growth
 * passes one imported function, and that is where it is refused.
 *
 * What is typed into forms and stamped on pages is no part of a page's text until it is made part of the page. That is
 * done to a second view of the same file, for pages that are read, so that pages are drawn from the file as it is.
 *
 * An instance is for one file. Starting one takes a few milliseconds, and then nothing that a hostile file does to
 * pdfium's memory can reach the next file, and nothing has to be freed.
 */

interface WebAssemblyImports {
  env: { emscripten_resize_heap: (bytes: number) => boolean };
}

/** As much of the WebAssembly interface as is used here: Node's types leave it out. */
declare const WebAssembly: {
  Instance: new (code: PdfiumCode, imports: WebAssemblyImports) => { exports: PdfiumExports };
};

export const pdfiumErrors = { password: 4, security: 5 };

/** pdfium for one file. Any function may throw, where pdfium gives up. */
export class Pdfium {
  readonly #pdfium: PdfiumExports;
  readonly #addFunction: AddFunction;
  readonly #ceiling: MemoryCeiling;
  /** Room for what pdfium answers with numbers: up to four of them, 4 bytes each. */
  readonly #answer: number;
  #readBlock: number | null = null;
  #document = 0;
  #forms: number | null = null;
  #layers: HiddenLayers | null = null;
  #descriptor = 0;
  #size = 0;
  #password = "";
  /** The second view; 0 where it cannot be had. */
  #readDocument: number | null = null;
  #readForms: number | null = null;
  /** Of the pages of that view whose annotations are part of them by now: how many objects are their own. */
  readonly #ownObjects = new Map<number, number>();

  private constructor(pdfium: PdfiumExports, addFunction: AddFunction, ceiling: MemoryCeiling) {
    this.#pdfium = pdfium;
    this.#addFunction = addFunction;
    this.#ceiling = ceiling;
    this.#answer = pdfium.malloc(16);
  }

  static async start(code: PdfiumCode, memoryLimitMb: number): Promise<Pdfium> {
    const ceiling = new MemoryCeiling(memoryLimitMb);
    const started = Promise.withResolvers<PdfiumExports>();
    const { pdfium } = await init({
      print: silent,
      printErr: silent,
      instantiateWasm(imports: WebAssemblyImports, receive: (instance: object) => void) {
        const instance = new WebAssembly.Instance(code, ceiling.over(imports));
        started.resolve(instance.exports);
        receive(instance);
        return instance.exports;
      },
    });
    const exports = await started.promise;
    exports.FPDF_InitLibrary();
    return new Pdfium(exports, pdfium.addFunction, ceiling);
  }

  /** Whether some memory was refused: then whatever went wrong went wrong for want of it. */
  get wasRefusedMemory(): boolean {
    return this.#ceiling.wasReached;
  }

  get memoryMb(): number {
    return this.#pdfium.memory.buffer.byteLength / 1024 / 1024;
  }

  /** Opens the document in an open file of `size` bytes. If false, {@link lastError} knows why. */
  open(descriptor: number, size: number, password = ""): boolean {
    [this.#descriptor, this.#size, this.#password] = [descriptor, size, password];
    this.#document = this.#load(descriptor, size, password);
    this.#layers = new HiddenLayers(this.#pdfium, this.#addFunction, this.#document);
    return this.#document !== 0;
  }

  /** Hands on the document without its encryption, in pieces that are good until the next one comes. */
  saveDecrypted(write: (bytes: Uint8Array) => void): boolean {
    return saveDocument(this.#pdfium, this.#addFunction, this.#document, write, { isDecrypted: true });
  }

  /** A new document, for pages of others. */
  assembly(): PdfiumAssembly {
    return new PdfiumAssembly(this.#pdfium, this.#addFunction, (descriptor, size) =>
      this.#load(descriptor, size),
    );
  }

  #load(descriptor: number, size: number, password = ""): number {
    const { memory } = this.#pdfium;
    const readBlock = (from: number, position: number, target: number, length: number): number => {
      const block = new Uint8Array(memory.buffer, target >>> 0, length >>> 0);
      return readSync(from, block, 0, block.length, position >>> 0) === block.length ? 1 : 0;
    };
    this.#readBlock ??= this.#addFunction(readBlock, "iiiii");
    // FPDF_FILEACCESS: the length, the function that reads, and what that function gets as its context.
    const fileAccess = this.#pdfium.malloc(12);
    new Uint32Array(memory.buffer, fileAccess, 3).set([size, this.#readBlock, descriptor]);
    return this.#pdfium.FPDF_LoadCustomDocument(fileAccess, this.#textFor(password));
  }

  /** A string as pdfium takes it; 0 for an empty one. */
  #textFor(text: string): number {
    if (text === "") return 0;
    const bytes = Buffer.from(`${text}\0`);
    const place = this.#pdfium.malloc(bytes.length);
    new Uint8Array(this.#pdfium.memory.buffer, place >>> 0, bytes.length).set(bytes);
    return place;
  }

  /** Anything that is none of {@link pdfiumErrors} says that the file is broken. */
  get lastError(): number {
    return this.#pdfium.FPDF_GetLastError();
  }

  get pageCount(): number {
    return this.#pdfium.FPDF_GetPageCount(this.#document);
  }

  /** In points, as the page is shown: turned by its rotation, cut to its crop box. Null: it cannot be read. */
  pageSize(index: number): { width: number; height: number } | null {
    const isKnown = this.#pdfium.FPDF_GetPageSizeByIndexF(this.#document, index, this.#answer);
    if (isKnown === 0) return null;
    const [width = 0, height = 0] = new Float32Array(this.#pdfium.memory.buffer, this.#answer, 2);
    return { width, height };
  }

  /** What `use` makes of a page that it draws while it is open. Null: the page cannot be read. */
  withPage<Result>(index: number, use: (page: PdfiumPage) => Result): Result | null {
    const handle = this.#pdfium.FPDF_LoadPage(this.#document, index);
    if (handle === 0) return null;
    this.#hideUnseen(handle, index);
    const page = new PdfiumPage(this.#pdfium, handle, this.#answer, () => this.#openForms());
    const result = use(page);
    page.close();
    return result;
  }

  /** What `use` makes of a page that it reads: it has what is typed into its fields and stamped on it. */
  withReadPage<Result>(index: number, use: (page: PdfiumPage) => Result): Result | null {
    const pdfium = this.#pdfium;
    const plain = pdfium.FPDF_LoadPage(this.#document, index);
    if (plain === 0) return null;
    const { hasDrawn } = this.#hideUnseen(plain, index);
    const flattened = hasDrawn ? this.#flattened(index) : null;
    const handle = flattened?.page ?? plain;
    const page = new PdfiumPage(pdfium, handle, this.#answer, withoutForms, flattened?.parts);
    const result = use(page);
    page.close();
    if (handle !== plain) pdfium.FPDF_ClosePage(plain);
    return result;
  }

  /** A page with its annotations made part of it. Null where that cannot be. */
  #flattened(index: number): { page: number; parts: ReadPageParts } | null {
    const pdfium = this.#pdfium;
    this.#readDocument ??= this.#load(this.#descriptor, this.#size, this.#password);
    if (this.#readDocument === 0) return null;
    let ownObjects = this.#ownObjects.get(index);
    if (ownObjects === undefined) {
      const plain = pdfium.FPDF_LoadPage(this.#readDocument, index);
      if (plain === 0) return null;
      ownObjects = pdfium.FPDFPage_CountObjects(plain);
      this.#hideUnseen(plain, index);
      this.#readForms ??= this.#newForms(this.#readDocument);
      flattenAnnotations(pdfium, plain, this.#readForms);
      pdfium.FPDF_ClosePage(plain);
      this.#ownObjects.set(index, ownObjects);
    }
    const page = pdfium.FPDF_LoadPage(this.#readDocument, index);
    if (page === 0) return null;
    const text = textOfAnnotations(pdfium, page, ownObjects);
    return { page, parts: { textOfAnnotations: text, hasOwnObjects: ownObjects > 0 } };
  }

  #hideUnseen(page: number, index: number): AnnotationKinds {
    return hideUnseen(this.#pdfium, page, (annotation) => this.#layers?.hides(index, annotation) === true);
  }

  /** What draws form fields: pdfium does not count them among the annotations. 0 if there is none. */
  #openForms(): number {
    this.#forms ??= this.#newForms(this.#document);
    return this.#forms;
  }

  #newForms(document: number): number {
    const pdfium = this.#pdfium;
    return pdfium.PDFiumExt_InitFormFillEnvironment(document, pdfium.PDFiumExt_OpenFormFillInfo());
  }
}

/** Pages that are read are not drawn. */
const withoutForms = (): number => 0;

class MemoryCeiling {
  readonly #bytes: number;
  wasReached = false;

  constructor(megabytes: number) {
    // What grows the memory adds up to a fifth to what is asked for.
    this.#bytes = (megabytes * 1024 * 1024) / 1.2;
  }

  over(imports: WebAssemblyImports): WebAssemblyImports {
    const grow = imports.env.emscripten_resize_heap;
    const growBelowCeiling = (bytes: number): boolean => {
      if (bytes >>> 0 <= this.#bytes) return grow(bytes);
      this.wasReached = true;
      return false;
    };
    return { ...imports, env: { ...imports.env, emscripten_resize_heap: growBelowCeiling } };
  }
}

function silent(): void {
  // What pdfium prints of a broken file is of no use to anybody.
}

import { type PageCharacters, type PageFrame, boxOnPage } from "./page-words.ts";
import type { Pixels } from "./palette.ts";
import type { AnnotationAt } from "./reading-order.ts";
import type { PdfiumExports } from "./pdfium-exports.ts";

/** From fpdfview.h. */
const formatBgrx = 3;
const drawAnnotations = 1;
const white = 0xffffffff;
/** From fpdf_edit.h: text that is invisible, or only what something else is cut to. */
const unpaintedModes = new Set([3, 7]);

export interface UnpaintedCharacter extends NonNullable<ReturnType<typeof boxOnPage>> {
  /** A code point, or half of a surrogate pair. */
  code: number;
}

/** Of a page whose annotations were made part of it. */
export interface ReadPageParts {
  /** The text objects that it has of them, each with the number of its annotation. */
  textOfAnnotations?: ReadonlyMap<number, number>;
  /** Whether anything is drawn on it besides them. */
  hasOwnObjects?: boolean;
}

/** One page while it is open in pdfium. Any function may throw, where pdfium gives up. */
export class PdfiumPage {
  readonly #pdfium: PdfiumExports;
  readonly #page: number;
  /** Where pdfium writes a rectangle. */
  readonly #rectangle: number;

  #rectangleView = new Float32Array();
  readonly #openForms: () => number;
  readonly #textOfAnnotations: ReadonlyMap<number, number>;
  readonly hasOwnObjects: boolean;

  constructor(
    pdfium: PdfiumExports,
    page: number,
    rectangle: number,
    openForms: () => number,
    { textOfAnnotations = new Map(), hasOwnObjects = true }: ReadPageParts = {},
  ) {
    this.#pdfium = pdfium;
    this.#page = page;
    this.#rectangle = rectangle;
    this.#openForms = openForms;
    this.#textOfAnnotations = textOfAnnotations;
    this.hasOwnObjects = hasOwnObjects;
  }

  /** What of the page is shown, and how it is turned. */
  get frame(): PageFrame {
    this.#pdfium.FPDF_GetPageBoundingBox(this.#page, this.#rectangle);
    const [left = 0, top = 0, right = 0, bottom = 0] = this.#floats();
    return { left, top, right, bottom, quarterTurns: this.#pdfium.FPDFPage_GetRotation(this.#page) & 3 };
  }

  /**
   * What `use` makes of the page's characters, which are there only meanwhile; and of which of them are annotations',
   * null where none is. Null: its text cannot be read.
   */
  withCharacters<Result>(
    use: (characters: PageCharacters, annotationAt: AnnotationAt | null) => Result,
  ): Result | null {
    const pdfium = this.#pdfium;
    const text = pdfium.FPDFText_LoadPage(this.#page);
    if (text === 0) return null;
    const rectangle = this.#rectangle;
    const characters: PageCharacters = {
      count: Math.max(0, pdfium.FPDFText_CountChars(text)),
      codeAt: (index) => pdfium.FPDFText_GetUnicode(text, index) >>> 0,
      boxAt: (index) =>
        pdfium.FPDFText_GetLooseCharBox(text, index, rectangle) === 0 ? null : this.#floats(),
      angleAt: (index) => pdfium.FPDFText_GetCharAngle(text, index),
      isHyphenAt: (index) => pdfium.FPDFText_IsHyphen(text, index) === 1,
      isUnmappedAt: (index) => pdfium.FPDFText_HasUnicodeMapError(text, index) === 1,
    };
    const hasAnnotations = this.#textOfAnnotations.size > 0;
    const result = use(characters, hasAnnotations ? this.#annotationAt(text, characters.count) : null);
    pdfium.FPDFText_ClosePage(text);
    return result;
  }

  /** The characters that are not painted, and where they stand, as parts of the page as it is shown. */
  unpaintedCharacters(): UnpaintedCharacter[] {
    const pdfium = this.#pdfium;
    const { frame } = this;
    const text = pdfium.FPDFText_LoadPage(this.#page);
    if (text === 0) return [];
    const found: UnpaintedCharacter[] = [];
    const count = pdfium.FPDFText_CountChars(text);
    for (let index = 0; index < count; index++) {
      const object = pdfium.FPDFText_GetTextObject(text, index);
      if (object === 0 || !unpaintedModes.has(pdfium.FPDFTextObj_GetTextRenderMode(object))) continue;
      if (pdfium.FPDFText_GetLooseCharBox(text, index, this.#rectangle) === 0) continue;
      const box = boxOnPage(this.#floats(), frame);
      if (box !== null) found.push({ ...box, code: pdfium.FPDFText_GetUnicode(text, index) >>> 0 });
    }
    pdfium.FPDFText_ClosePage(text);
    return found;
  }

  /**
   * What `use` makes of the page drawn on white, with its annotations and filled-in forms, and turned clockwise. The
   * pixels are there only meanwhile. Null: there is no memory for so many.
   */
  withPixels<Result>(
    width: number,
    height: number,
    use: (pixels: Pixels) => Result,
    quarterTurns = 0,
  ): Result | null {
    const pdfium = this.#pdfium;
    const bitmap = pdfium.FPDFBitmap_CreateEx(width, height, formatBgrx, 0, 0);
    if (bitmap === 0) return null;
    pdfium.FPDFBitmap_FillRect(bitmap, 0, 0, width, height, white);
    pdfium.FPDF_RenderPageBitmap(bitmap, this.#page, 0, 0, width, height, quarterTurns, drawAnnotations);
    const forms = this.#openForms();
    if (forms !== 0) {
      pdfium.FORM_OnAfterLoadPage(this.#page, forms);
      pdfium.FPDF_FFLDraw(forms, bitmap, this.#page, 0, 0, width, height, quarterTurns, drawAnnotations);
      pdfium.FORM_OnBeforeClosePage(this.#page, forms);
    }
    const start = pdfium.FPDFBitmap_GetBuffer(bitmap) >>> 0;
    // Rows of whole 32 bit pixels need no padding, so one follows the other.
    const bytes = new Uint8Array(pdfium.memory.buffer, start, width * height * 4);
    const result = use({ width, height, bytes });
    pdfium.FPDFBitmap_Destroy(bitmap);
    return result;
  }

  /** Spaces that stand for gaps belong to what is before them. */
  #annotationAt(text: number, count: number): AnnotationAt {
    const pdfium = this.#pdfium;
    let owner: number | null = null;
    const owners = Array.from({ length: count }, (_, index) => {
      if (pdfium.FPDFText_IsGenerated(text, index) !== 1) {
        owner = this.#textOfAnnotations.get(pdfium.FPDFText_GetTextObject(text, index)) ?? null;
      }
      return owner;
    });
    return (index) => owners[index] ?? null;
  }

  close(): void {
    this.#pdfium.FPDF_ClosePage(this.#page);
  }

  /** What pdfium wrote last. A view of its memory lasts until that grows, and then is empty. */
  #floats(): Float32Array {
    if (this.#rectangleView.length === 0) {
      this.#rectangleView = new Float32Array(this.#pdfium.memory.buffer, this.#rectangle, 4);
    }
    return this.#rectangleView;
  }
}

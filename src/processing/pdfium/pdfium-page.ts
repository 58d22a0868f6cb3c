import { type PageCharacters, type PageFrame, boxOnPage } from "./page-words.ts";
import type { Pixels } from "./palette.ts";
import type { AnnotationAt } from "./reading-order.ts";
import type { PdfiumExports } from "./pdfium-exports.ts";
import { removeActualTexts } from "./pdfium-marks.ts";
import { isStampedScan } from "./stamped-scan.ts";
import { type UndrawnText, withUndrawn } from "./undrawn-text.ts";

/** From fpdfview.h. */
const formatBgrx = 3;
const drawAnnotations = 1;
const white = 0xffffffff;
/** From fpdf_edit.h: the types of objects. */
const [textType, imageType] = [1, 3];
/** A page of a scanner has an image and its words, hardly more objects than that. */
const maxObjectsOfScan = 20_000;
/** From fpdf_edit.h: the render modes of text that is invisible or only a clipping path. */
const unpaintedModes = new Set([3, 7]);

export interface UnpaintedCharacter extends NonNullable<ReturnType<typeof boxOnPage>> {
  /** A code point, or half of a surrogate pair. */
  code: number;
}

/** The parts of a flattened page. */
export interface ReadPageParts {
  /** The text objects that come from annotations, each with the number of its annotation. */
  textOfAnnotations?: ReadonlyMap<number, number>;
  /** Whether the page may show letters that are no text, besides its annotations. */
  mayShowLetters?: boolean;
  /** Texts on the page of which nothing is drawn. */
  undrawn?: readonly UndrawnText[];
}

/** One page while it is open in pdfium. Any function may throw if pdfium aborts. */
export class PdfiumPage {
  readonly #pdfium: PdfiumExports;
  readonly #page: number;
  /** The address at which pdfium writes a rectangle. */
  readonly #rectangle: number;

  #rectangleView = new Float32Array();
  readonly #openForms: () => number;
  readonly #textOfAnnotations: ReadonlyMap<number, number>;
  readonly #undrawn: readonly UndrawnText[];
  readonly mayShowLetters: boolean;

  constructor(
    pdfium: PdfiumExports,
    page: number,
    rectangle: number,
    openForms: () => number,
    { textOfAnnotations = new Map(), mayShowLetters = true, undrawn = [] }: ReadPageParts = {},
  ) {
    this.#pdfium = pdfium;
    this.#page = page;
    this.#rectangle = rectangle;
    this.#openForms = openForms;
    this.#textOfAnnotations = textOfAnnotations;
    this.mayShowLetters = mayShowLetters;
    this.#undrawn = undrawn;
  }

  /** The visible part of the page, and its rotation. */
  get frame(): PageFrame {
    this.#pdfium.FPDF_GetPageBoundingBox(this.#page, this.#rectangle);
    const [left = 0, top = 0, right = 0, bottom = 0] = this.#floats();
    return { left, top, right, bottom, quarterTurns: this.#pdfium.FPDFPage_GetRotation(this.#page) & 3 };
  }

  /**
   * Calls `use` with the page's characters, which are valid only during the call, and with a function that tells which
   * of them belong to annotations, or null if none do. Returns null if the text cannot be read.
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
    const annotationAt = hasAnnotations ? this.#annotationAt(text, characters.count) : null;
    const all =
      this.#undrawn.length === 0
        ? { characters, annotationAt }
        : withUndrawn(characters, annotationAt, this.#undrawn);
    const result = use(all.characters, all.annotationAt);
    pdfium.FPDFText_ClosePage(text);
    return result;
  }

  /** Whether the page is a picture, on which its text was printed. */
  get isStampedScan(): boolean {
    return isStampedScan(this.#pdfium, this.#page, this.frame, this.#rectangle);
  }

  /**
   * Removes the replacement texts (`ActualText`) from the open page, but not from its file, and returns whether there
   * were any. The page's characters are those that it draws from then on.
   */
  removeActualTexts(): boolean {
    return removeActualTexts(this.#pdfium, this.#page);
  }

  /** The characters that are not painted, with their boxes in fractions of the page as it is shown. */
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
   * The largest image of a page that paints images alone, in pixels, as a scanner makes it; its text may be invisible.
   * Null for any other page.
   */
  scanSize(): { width: number; height: number } | null {
    const pdfium = this.#pdfium;
    const count = pdfium.FPDFPage_CountObjects(this.#page);
    let largest: { width: number; height: number } | null = null;
    if (count > maxObjectsOfScan || pdfium.FPDFPage_GetAnnotCount(this.#page) > 0) return null;
    for (let index = 0; index < count; index++) {
      const object = pdfium.FPDFPage_GetObject(this.#page, index);
      const type = pdfium.FPDFPageObj_GetType(object);
      if (type === textType && unpaintedModes.has(pdfium.FPDFTextObj_GetTextRenderMode(object))) continue;
      if (type !== imageType) return null;
      const at = this.#rectangle;
      if (pdfium.FPDFImageObj_GetImagePixelSize(object, at, at + 4) === 0) return null;
      const [width = 0, height = 0] = new Uint32Array(pdfium.memory.buffer, at, 2);
      if (largest === null || width * height > largest.width * largest.height) largest = { width, height };
    }
    return largest;
  }

  /**
   * Calls `use` with the page drawn on white, with its annotations and filled-in forms, and turned clockwise. The
   * pixels are valid only during the call. Returns null if there is not enough memory for them.
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
    // Rows of 32-bit pixels need no padding.
    const bytes = new Uint8Array(pdfium.memory.buffer, start, width * height * 4);
    const result = use({ width, height, bytes });
    pdfium.FPDFBitmap_Destroy(bitmap);
    return result;
  }

  /** A space that stands for a gap belongs to the character before it. */
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

  /** The rectangle that pdfium wrote last. Each call makes a new view, because views become empty when memory grows. */
  #floats(): Float32Array {
    if (this.#rectangleView.length === 0) {
      this.#rectangleView = new Float32Array(this.#pdfium.memory.buffer, this.#rectangle, 4);
    }
    return this.#rectangleView;
  }
}

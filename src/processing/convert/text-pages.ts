import { PdfFile } from "../pdf-file.ts";
import { type DejavuName, dejavuFont } from "../fonts/dejavu.ts";
import { PdfFont } from "../fonts/pdf-font.ts";
import { UnreadableFileError } from "../unreadable-file.ts";
import { visualOrder } from "../fonts/visual-order.ts";

/** In points: A4. */
const page = { width: 595.28, height: 841.89, margin: 48 };
const lineWidth = page.width - 2 * page.margin;
const maxPages = 10_000;
/** A limit in characters is needed because some characters have no width. */
const maxLineLength = 1000;
const tabColumns = 8;
const replacement = 0xfffd;

interface Typeface {
  fonts: readonly DejavuName[];
  size: number;
}

/** Prose uses a proportional font, tables and code a monospaced one. The first font that has a character draws it. */
const typefaces = {
  prose: { fonts: ["DejaVuSans"], size: 10 },
  columns: { fonts: ["DejaVuSansMono", "DejaVuSans"], size: 8.5 },
} as const satisfies Record<string, Typeface>;

/** Writes a text as a PDF: wraps it, sets it in pages, and writes page by page. */
export class TextPages {
  readonly #pdf: PdfFile;
  readonly #fonts: readonly PdfFont[];
  readonly #size: number;
  readonly #leading: number;
  readonly #linesOnPage: number;
  #lines: string[] = [];
  readonly #missing = new Set<number>();
  readonly #widths = new Map<number, number>();

  constructor(path: string, typeface: keyof typeof typefaces) {
    const { fonts, size } = typefaces[typeface];
    this.#pdf = new PdfFile(path);
    this.#fonts = fonts.map((name) => new PdfFont(dejavuFont(name), this.#pdf));
    this.#size = size;
    this.#leading = size * 1.25;
    this.#linesOnPage = Math.floor((page.height - 2 * page.margin) / this.#leading);
  }

  /** Adds a paragraph. Line breaks within it are kept. */
  add(text: string): void {
    for (const line of text.normalize("NFC").split(/\r\n|[\n\r\v\f\u0085\u2028\u2029]/)) this.#wrap(line);
  }

  /** @returns how many pages there are, and how many different characters have no glyph. */
  end(): { pages: number; missing: number } {
    if (this.#lines.length > 0 || this.#pdf.pageCount === 0) this.#endPage();
    for (const font of this.#fonts) font.end();
    this.#pdf.end();
    return { pages: this.#pdf.pageCount, missing: this.#missing.size };
  }

  /** Breaks after a space or an ideograph, or anywhere if there is none. */
  #wrap(line: string): void {
    const maxWidth = (lineWidth * 1000) / this.#size;
    let written = "";
    let width = 0;
    let column = 0;
    let breakAt = 0;
    for (let at = 0; at < line.length;) {
      const codePoint = line.codePointAt(at) ?? 0;
      const next = at + (codePoint > 0xffff ? 2 : 1);
      const piece = this.#piece(codePoint, column);
      at = next;
      if (piece === "") continue;
      const wide =
        piece.length > 2 ? piece.length * this.#widthOf(32) : this.#widthOf(piece.codePointAt(0) ?? 32);
      if ((width + wide > maxWidth || written.length > maxLineLength) && written !== "") {
        const cut = breakAt > 0 ? breakAt : written.length;
        this.#addLine(written.slice(0, cut));
        written = written.slice(cut);
        width = this.#widthOfText(written);
        column = written.length;
        breakAt = 0;
      }
      written += piece;
      width += wide;
      column += piece.length;
      if (piece.startsWith(" ") || piece === "-" || isIdeograph(codePoint)) breakAt = written.length;
    }
    this.#addLine(written);
  }

  /** The text that is drawn for a character; empty for a control character. */
  #piece(codePoint: number, column: number): string {
    if (codePoint === 9) return " ".repeat(tabColumns - (column % tabColumns));
    if (codePoint < 32 || (codePoint >= 0x7f && codePoint < 0xa0) || codePoint === 0xfeff) return "";
    const isSurrogate = codePoint >= 0xd800 && codePoint < 0xe000;
    return String.fromCodePoint(isSurrogate ? replacement : codePoint);
  }

  #widthOfText(text: string): number {
    let width = 0;
    for (const character of text) width += this.#widthOf(character.codePointAt(0) ?? 32);
    return width;
  }

  #widthOf(codePoint: number): number {
    let width = this.#widths.get(codePoint);
    if (width === undefined) {
      width = this.#fontFor(codePoint).widthOf(codePoint);
      this.#widths.set(codePoint, width);
    }
    return width;
  }

  #fontFor(codePoint: number): PdfFont {
    const found = this.#fonts.find((font) => font.has(codePoint));
    if (found === undefined) this.#missing.add(codePoint);
    return found ?? this.#fonts[0]!;
  }

  #addLine(line: string): void {
    this.#lines.push(this.#operatorsFor(visualOrder(line.trimEnd())));
    if (this.#lines.length === this.#linesOnPage) this.#endPage();
  }

  #operatorsFor(line: string): string {
    let operators = "";
    let current: PdfFont | null = null;
    for (const character of line) {
      const codePoint = character.codePointAt(0) ?? 32;
      const font = this.#fontFor(codePoint);
      if (font !== current) {
        const number = this.#fonts.indexOf(font);
        operators += `${current === null ? "" : "> Tj "}/F${number} ${this.#size} Tf <`;
        current = font;
      }
      operators += font.codeOf(codePoint);
    }
    return current === null ? "T*" : `${operators}> Tj T*`;
  }

  #endPage(): void {
    if (this.#pdf.pageCount === maxPages) {
      throw new UnreadableFileError("too-large", `too long: it would be more than ${maxPages} pages`);
    }
    const top = page.height - page.margin - this.#size;
    const content = `BT ${this.#leading} TL 1 0 0 1 ${page.margin} ${top.toFixed(2)} Tm\n${this.#lines.join("\n")}\nET`;
    const fonts = this.#fonts.map((font, index) => `/F${index} ${font.number} 0 R`).join(" ");
    this.#lines = [];
    const number = this.#pdf.addDeflated(Buffer.from(content, "latin1"));
    this.#pdf.addPage(page.width, page.height, number, `/Font << ${fonts} >>`);
  }
}

const isIdeograph = (codePoint: number): boolean =>
  (codePoint >= 0x2e80 && codePoint < 0xa000) || (codePoint >= 0x20000 && codePoint < 0x40000);

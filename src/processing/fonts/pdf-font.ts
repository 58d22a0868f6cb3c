import type { PdfFile } from "../pdf-file.ts";
import type { TrueTypeFont } from "./true-type.ts";

/** What writes the font's objects: a new PDF, or an update of one. */
type ObjectWriter = Pick<PdfFile, "reserve" | "add" | "addDeflated">;

const maxCodes = 0xfffe;
const replacement = 0xfffd;

/**
 * A font as a PDF uses it. Each character has a separate code, even if the font has no glyph for it and a box is shown.
 * So the text that is extracted from the page is correct in any script. With a code for each glyph, as is usual, all
 * characters without a glyph would become the same character.
 */
export class PdfFont {
  readonly number: number;
  readonly #font: TrueTypeFont;
  readonly #file: ObjectWriter;
  readonly #codes = new Map<number, number>();

  constructor(font: TrueTypeFont, file: ObjectWriter) {
    this.#font = font;
    this.#file = file;
    this.number = file.reserve();
  }

  has(codePoint: number): boolean {
    return this.#font.glyphOf(codePoint) !== 0;
  }

  /** In thousandths of the font's size. */
  widthOf(codePoint: number): number {
    return (this.#font.widthOf(this.#font.glyphOf(codePoint)) * 1000) / this.#font.unitsPerEm;
  }

  /** The code as the operators that show text take it: four hexadecimal digits. */
  codeOf(codePoint: number): string {
    let code = this.#codes.get(codePoint);
    if (code === undefined) {
      if (this.#codes.size >= maxCodes && codePoint !== replacement) return this.codeOf(replacement);
      code = this.#codes.size + 1;
      this.#codes.set(codePoint, code);
    }
    return hex(code);
  }

  end(): void {
    const codePoints = [...this.#codes.keys()];
    const glyphs = codePoints.map((codePoint) => this.#font.glyphOf(codePoint));
    const scaled = (length: number): number => Math.round((length * 1000) / this.#font.unitsPerEm);
    const [ascent, descent] = [scaled(this.#font.ascent), scaled(this.#font.descent)];
    const subset = this.#font.subset(glyphs);
    const outlines = this.#file.addDeflated(subset, `/Length1 ${subset.length}`);
    const descriptor = this.#file.add(
      `<< /Type /FontDescriptor /FontName /QUIREA+DejaVu /Flags 4 /FontBBox [-1000 ${descent} 2000 ${ascent}] ` +
        `/ItalicAngle 0 /Ascent ${ascent} /Descent ${descent} /CapHeight 730 /StemV 80 /FontFile2 ${outlines} 0 R >>`,
    );
    const map = Buffer.alloc((glyphs.length + 1) * 2);
    for (const [index, glyph] of glyphs.entries()) map.writeUInt16BE(glyph, (index + 1) * 2);
    const widths = codePoints.map((codePoint) => this.widthOf(codePoint).toFixed(0)).join(" ");
    const descendant = this.#file.add(
      "<< /Type /Font /Subtype /CIDFontType2 /BaseFont /QUIREA+DejaVu " +
        "/CIDSystemInfo << /Registry (Adobe) /Ordering (Identity) /Supplement 0 >> " +
        `/FontDescriptor ${descriptor} 0 R /CIDToGIDMap ${this.#file.addDeflated(map)} 0 R /W [1 [${widths}]] >>`,
    );
    const unicode = this.#file.addDeflated(Buffer.from(unicodeMap(codePoints)));
    this.#file.add(
      "<< /Type /Font /Subtype /Type0 /BaseFont /QUIREA+DejaVu /Encoding /Identity-H " +
        `/DescendantFonts [${descendant} 0 R] /ToUnicode ${unicode} 0 R >>`,
      this.number,
    );
  }
}

function unicodeMap(codePoints: readonly number[]): string {
  const lines = codePoints.map((codePoint, index) => {
    const text = Buffer.from(String.fromCodePoint(codePoint), "utf16le").swap16().toString("hex");
    return `<${hex(index + 1)}> <${text}>`;
  });
  const blocks: string[] = [];
  // The format allows at most a hundred lines in a block.
  for (let at = 0; at < lines.length; at += 100) {
    const block = lines.slice(at, at + 100);
    blocks.push(`${block.length} beginbfchar\n${block.join("\n")}\nendbfchar`);
  }
  return [
    "/CIDInit /ProcSet findresource begin 12 dict begin begincmap",
    "/CIDSystemInfo << /Registry (Adobe) /Ordering (UCS) /Supplement 0 >> def",
    "/CMapName /Adobe-Identity-UCS def /CMapType 2 def",
    "1 begincodespacerange <0000> <FFFF> endcodespacerange",
    ...blocks,
    "endcmap CMapName currentdict /CMap defineresource pop end end",
  ].join("\n");
}

const hex = (code: number): string => code.toString(16).padStart(4, "0");

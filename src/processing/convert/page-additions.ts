import type { PageFrame } from "../pdfium/page-words.ts";
import type { TreePage } from "../prune/page-tree.ts";
import type { PdfObjects } from "../prune/pdf-objects.ts";
import type { PdfUpdate } from "../prune/pdf-update.ts";
import { type PdfDictionary, type PdfValue, writtenValue } from "../prune/pdf-values.ts";

/* What it takes to add text to the pages of a PDF: their streams, their resources with a font, and where they are. */

/** The streams of a page, in order. */
export function contentsOf(source: PdfObjects, { members }: TreePage): PdfValue[] {
  const given = members.get("Contents");
  const resolved = source.resolve(given);
  if (Array.isArray(resolved)) return resolved;
  return given === undefined || resolved === undefined ? [] : [given];
}

/** The resources of pages, with a font in addition. Those that pages share are written once. */
export class ResourcesWithFont {
  readonly #source: PdfObjects;
  readonly #update: PdfUpdate;
  readonly #font: number;
  readonly #shared = new Map<number, { name: string; value: PdfValue }>();

  constructor(source: PdfObjects, update: PdfUpdate, font: number) {
    this.#source = source;
    this.#update = update;
    this.#font = font;
  }

  /** The resources for a page, and the font's name in them. */
  of({ members }: TreePage): { name: string; value: PdfValue } {
    const given = members.get("Resources");
    const shared = given instanceof Map || given === undefined ? null : sharedNumber(given);
    const known = shared === null ? undefined : this.#shared.get(shared);
    if (known !== undefined) return known;
    const own: PdfDictionary = new Map(this.#source.dictionary(given));
    const fonts: PdfDictionary = new Map(this.#source.dictionary(own.get("Font")));
    let name = "QuireText";
    while (fonts.has(name)) name += "X";
    fonts.set(name, { object: this.#font });
    own.set("Font", fonts);
    if (shared === null) return { name, value: own };
    const added = { name, value: { object: this.#update.add(writtenValue(own)) } };
    this.#shared.set(shared, added);
    return added;
  }
}

const sharedNumber = (value: PdfValue): number | null =>
  typeof value === "object" && "object" in value ? value.object : null;

/** US Letter, which a page has that does not say otherwise. */
const usualBox = { left: 0, bottom: 0, right: 612, top: 792 };

/** The visible part of a page, as pdfium shows it. */
export function frameOf(source: PdfObjects, { members }: TreePage): PageFrame {
  const media = boxIn(source, members.get("MediaBox")) ?? usualBox;
  const crop = boxIn(source, members.get("CropBox"));
  const turns = Number(source.resolve(members.get("Rotate")) ?? 0) / 90;
  const quarterTurns = Number.isInteger(turns) ? turns & 3 : 0;
  if (crop === null) return { ...media, quarterTurns };
  const both = {
    left: Math.max(media.left, crop.left),
    bottom: Math.max(media.bottom, crop.bottom),
    right: Math.min(media.right, crop.right),
    top: Math.min(media.top, crop.top),
  };
  return { ...(both.left < both.right && both.bottom < both.top ? both : media), quarterTurns };
}

function boxIn(source: PdfObjects, value: PdfValue | undefined): Omit<PageFrame, "quarterTurns"> | null {
  const given = source.resolve(value);
  const [a = NaN, b = NaN, c = NaN, d = NaN] = Array.isArray(given)
    ? given.map((side) => Number(source.resolve(side)))
    : [];
  const box = { left: Math.min(a, c), bottom: Math.min(b, d), right: Math.max(a, c), top: Math.max(b, d) };
  return box.left < box.right && box.bottom < box.top ? box : null;
}

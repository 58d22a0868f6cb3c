import { type PageSize, storedPageSpec } from "../processing/page-spec.ts";
import type { Locale } from "../texts/formats.ts";
import type { Catalogue } from "../texts/pages.ts";
import { pageTexts } from "../texts/pages.ts";

/** Width and height in portrait orientation, in points. */
const sheets = [
  { name: "A3", width: 841.89, height: 1190.55 },
  { name: "A4", width: 595.28, height: 841.89 },
  { name: "A5", width: 419.53, height: 595.28 },
  { name: "Letter", width: 612, height: 792 },
  { name: "Legal", width: 612, height: 1008 },
  { name: "Tabloid", width: 792, height: 1224 },
];

/**
 * The sizes of a document's pages, most common first: "Letter, 216 × 279 mm". Sizes with the same text are merged. If
 * there are several sizes, each has its number of pages. If there are more than four, the last item counts the
 * remaining sizes. Empty for an empty or invalid spec.
 */
export function pageSizesInWords(pageSpec: string, locale: Locale): string[] {
  const texts = pageTexts(locale).document;
  const pages = new Map<string, number>();
  for (const { size, runs } of storedPageSpec(pageSpec)) {
    const words = sizeInWords(size, texts);
    const count = runs.reduce((sum, { first, last }) => sum + last - first + 1, 0);
    pages.set(words, (pages.get(words) ?? 0) + count);
  }
  const sizes = [...pages].toSorted(([, left], [, right]) => right - left);
  if (sizes.length === 1) return sizes.map(([words]) => words);
  const shown = sizes.slice(0, 4).map(([words, count]) => texts.sizeOfPages(words, count));
  return sizes.length > 4 ? [...shown, texts.otherSizes(sizes.length - 4)] : shown;
}

function sizeInWords(size: PageSize, texts: Catalogue["document"]): string {
  const named = (name: string): string => texts.paper[name] ?? name;
  const width = Number(size.width);
  const height = Number(size.height);
  const millimetres = `${inMillimetres(width)} × ${inMillimetres(height)} mm`;
  const portrait = sheets.find((sheet) => isNear(sheet.width, width) && isNear(sheet.height, height));
  if (portrait !== undefined) return `${named(portrait.name)}, ${millimetres}`;
  const landscape = sheets.find((sheet) => isNear(sheet.height, width) && isNear(sheet.width, height));
  return landscape === undefined ? millimetres : `${texts.landscape(named(landscape.name))}, ${millimetres}`;
}

/** Programs round paper sizes differently. Two points are less than a millimetre. */
const isNear = (left: number, right: number): boolean => Math.abs(left - right) <= 2;

const inMillimetres = (points: number): number => Math.round((points / 72) * 25.4);

import type { PageWord } from "../pdfium/page-words.ts";

/** Marks for the direction of text, which programs detect by themselves. */
const directionMarks = /[\u200E\u200F\u202A-\u202E\u2066-\u2069]/gu;
/** Spaces that tesseract writes within Chinese and Japanese, which have none. */
const spuriousBlanks =
  /(?<=[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\u3000-\u303Fー\uFF01-\uFF0F\uFF1A-\uFF65]) +(?=[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\u3001-\u303Fー\uFF01-\uFF0F\uFF1A-\uFF65])/gu;

/** Cleans tesseract's text, in logical order, for storage. */
export function plainOcrText(text: string): string {
  return text.trimEnd().replaceAll(directionMarks, "").replaceAll(spuriousBlanks, "");
}

/** The words in tesseract's table for an image of this size, in the table's order. */
export function wordsOfTable(tsv: string, size: { width: number; height: number }): PageWord[] {
  return tsv.split("\n").flatMap((row) => wordOfRow(row, size));
}

const wordLevel = 5;

function wordOfRow(row: string, page: { width: number; height: number }): PageWord[] {
  const columns = row.split("\t");
  const text = columns[11]?.replaceAll(directionMarks, "").trim() ?? "";
  const number = (column: number): number => Number(columns[column]);
  if (number(0) !== wordLevel || text === "") return [];
  const [left, top, width, height] = [number(6), number(7), number(8), number(9)];
  return [
    {
      text,
      x1: share(left, page.width),
      x2: share(left + width, page.width),
      y1: share(top, page.height),
      y2: share(top + height, page.height),
      upright: true,
      direction: 1,
    },
  ];
}

const share = (length: number, whole: number): number => Math.min(1, Math.max(0, length / whole));

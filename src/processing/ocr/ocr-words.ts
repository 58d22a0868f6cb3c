import type { PageWord } from "../pdf/page-words.ts";

/** The words in tesseract's table, in its order, of an image of this size. */
export function wordsOfTable(tsv: string, size: { width: number; height: number }): PageWord[] {
  return tsv.split("\n").flatMap((row) => wordOfRow(row, size));
}

const wordLevel = 5;

function wordOfRow(row: string, page: { width: number; height: number }): PageWord[] {
  const columns = row.split("\t");
  const text = columns[11]?.trim() ?? "";
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

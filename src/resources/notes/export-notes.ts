import type { LocatedNote } from "../../contract/note.ts";
import { byteOrderMark, csvLine, withoutFormula } from "../../http/text/csv.ts";
import type { User } from "../../contract/person.ts";

/** The formats in which a list of notes can be exported. */
export const exportFormats = {
  csv: { type: "text/csv; charset=utf-8", write: csvOf },
  json: { type: "application/json", write: jsonOf },
} as const;

export type ExportFormat = keyof typeof exportFormats;

type Pages = AsyncIterable<readonly LocatedNote[]>;

/** One JSON array, a note on each line. */
async function* jsonOf(pages: Pages): AsyncGenerator<string> {
  let before = "[";
  for await (const notes of pages) {
    let text = "";
    for (const note of notes) {
      text += `${before}\n${JSON.stringify(note)}`;
      before = ",";
    }
    if (text !== "") yield text;
  }
  yield before === "[" ? "[]\n" : "\n]\n";
}

type Cell = string | number | null;

const columns: Readonly<Record<string, (note: LocatedNote) => Cell>> = {
  id: cell("id"),
  document: cell("document"),
  document_title: cell("document_title"),
  // For people, pages count from 1.
  page: ({ page_number }) => page_number + 1,
  title: cell("title"),
  content: cell("content"),
  access: cell("access"),
  user: ({ user }) => (user as User).id,
  user_name: ({ user }) => (user as User).name,
  created_at: cell("created_at"),
  updated_at: cell("updated_at"),
  x1: cell("x1"),
  x2: cell("x2"),
  y1: cell("y1"),
  y2: cell("y2"),
  canonical_url: cell("canonical_url"),
};

function cell(name: keyof LocatedNote): (note: LocatedNote) => Cell {
  return (note) => note[name] as Cell;
}

/** Users must be expanded. */
async function* csvOf(pages: Pages): AsyncGenerator<string> {
  yield byteOrderMark + csvLine(Object.keys(columns));
  for await (const notes of pages) {
    if (notes.length === 0) continue;
    yield notes.map((note) => csvLine(Object.values(columns).map((read) => textOf(read(note))))).join("");
  }
}

function textOf(value: Cell): string {
  if (value === null) return "";
  return typeof value === "number" ? String(value) : withoutFormula(value);
}

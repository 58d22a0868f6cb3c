import type { LocatedNote } from "../../contract/note.ts";
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

/** RFC 4180, with a byte order mark, without which spreadsheets do not read it as UTF-8. Users must be expanded. */
async function* csvOf(pages: Pages): AsyncGenerator<string> {
  yield `\uFEFF${Object.keys(columns).join(",")}\r\n`;
  for await (const notes of pages) {
    if (notes.length === 0) continue;
    yield notes
      .map(
        (note) =>
          `${Object.values(columns)
            .map((read) => quoted(read(note)))
            .join(",")}\r\n`,
      )
      .join("");
  }
}

/** A spreadsheet runs a text that begins like a formula; an apostrophe before it prevents that. */
function quoted(value: Cell): string {
  if (value === null) return "";
  if (typeof value === "number") return String(value);
  const text = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

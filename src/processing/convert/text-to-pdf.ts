import { readFileSync } from "node:fs";
import type { Converted } from "./conversion.ts";
import { decodeText } from "../text-encoding.ts";
import { TextPages } from "./text-pages.ts";

/** Writes the text unchanged in a monospaced font. */
export function textToPdf(from: string, to: string): Converted {
  const pages = new TextPages(to, "columns");
  pages.add(decodeText(readFileSync(from)).replace(/\r?\n$/, ""));
  return endText("text", pages);
}

export function endText(engine: Converted["engine"], text: TextPages): Converted {
  const { pages, missing } = text.end();
  const characters = missing === 1 ? "One character" : `${missing} different characters`;
  const note = `${characters} of its text cannot be drawn with the fonts that are here, and can be searched all the same`;
  return { engine, pages, notes: missing === 0 ? [] : [note] };
}

import type { Converted } from "./conversion.ts";
import { isTable, readOfficeText } from "../office/office-text.ts";
import { TextPages } from "./text-pages.ts";
import { endText } from "./text-to-pdf.ts";

/** Writes the text of an office file without its layout. */
export async function officeToPdf(from: string, extension: string, to: string): Promise<Converted> {
  const pages = new TextPages(to, isTable(extension) ? "columns" : "prose");
  await readOfficeText(from, extension, (text) => pages.add(text));
  return endText("office-text", pages);
}

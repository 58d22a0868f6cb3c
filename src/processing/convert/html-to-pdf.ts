import { readFileSync } from "node:fs";
import type { Converted } from "./conversion.ts";
import { decodeText } from "../text-encoding.ts";
import { textOfHtml } from "../office/html-text.ts";
import { TextPages } from "./text-pages.ts";
import { endText } from "./text-to-pdf.ts";

/** Writes the text of an HTML page, for servers without LibreOffice. */
export function htmlToPdf(from: string, to: string): Converted {
  const pages = new TextPages(to, "prose");
  pages.add(textOfHtml(decodeText(readFileSync(from))));
  return endText("text", pages);
}

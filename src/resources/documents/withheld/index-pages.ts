import type { Withheld } from "../../../contract/withheld.ts";
import { TextPages } from "../../../processing/convert/text-pages.ts";
import type { Language } from "../../../texts/languages.ts";
import { pageTexts } from "../../../texts/pages.ts";

/**
 * Writes a PDF that lists what was withheld, by page and reason, in the language of the document if Quire has it.
 * Returns how many pages it has.
 */
export function writeIndexPages(
  to: string,
  withheld: readonly Withheld[],
  { language, at }: { language: string; at: string },
): number {
  const { reasons, formats } = pageTexts({ language: languages.get(language) ?? "en" });
  const pages = new TextPages(to, "prose");
  pages.add(reasons.withheld);
  pages.add(reasons.madeOn(formats.day(at)));
  pages.add("");
  for (const { page_number, reason, label, boxes } of withheld)
    pages.add(reasons.onPage(page_number + 1, boxes.length, reasons.reason(reason, label)));
  return pages.end().pages;
}

const languages = new Map<string, Language>([
  ["deu", "de"],
  ["fra", "fr"],
  ["spa", "es"],
]);

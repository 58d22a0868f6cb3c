import reasonWords from "#words/reasons.json" with { type: "json" };
import redacting from "#words/redacting.json" with { type: "json" };
import type { FieldWords } from "../../texts/fields.ts";
import { reasonTexts } from "../../texts/reasons.ts";
import { byName, textsOf } from "../../texts/texts-of.ts";
import { formats } from "./formats.ts";

const values = {
  pageCount: (count: number) => ({ count }),
  marks: (number: number, pages: number) => ({ number, pages }),
  namedPages: (count: number, pages: readonly string[]) => ({ count, pages }),
  andMore: (more: number) => ({ more }),
  redact: {
    showMark: (mark: string) => ({ mark }),
    removeMark: (mark: string) => ({ mark }),
    ask: (number: number, pages: number) => ({ number, pages }),
    consequences: (pages: number) => ({ pages }),
    target: {
      originalGoes: (extension: string) => ({ extension: extension.toUpperCase() }),
      attachedGo: (count: number) => ({ count }),
      partsStay: (count: number) => ({ count }),
    },
    marked: (number: number, pages: number) => ({ number, pages }),
    tooMany: (number: number, max: number) => ({ number, max }),
    reasonOf: (what: string) => ({ what }),
    found: (words: string, number: number, pages: number) => ({ words, number, pages }),
    quoted: (words: string) => ({ words }),
    dropWords: (words: string) => ({ words }),
    recognised: (done: number, pages: number) => ({ done, pages }),
    noneLeft: (words: string) => ({ words }),
    someLeft: (words: string, number: number, pages: number) => ({ words, number, pages }),
    stillIn: (words: string, parts: readonly string[]) => ({ words, parts }),
    inAddress: (words: string) => ({ words }),
    aText: ({ label, object }: FieldWords) => ({ label, object }),
    aNote: (page: number) => ({ page }),
    aSection: (page: number) => ({ page }),
  },
  patterns: { found: (name: string, number: number) => ({ name, number }) },
  mentions: {
    ticked: (number: number, pages: number, ticked: number) => ({ number, pages, ticked }),
    page: (page: number) => ({ page }),
    showMention: (number: number, page: number) => ({ number, page }),
    unplacedOn: (words: string, pages: string, count: number, times: number) => ({
      words,
      pages,
      count,
      times,
    }),
    pagesWithoutText: (pages: string, count: number) => ({ pages, count }),
  },
  outcome: {
    whatWasChecked: (checks: number) => ({ checks }),
    done: (words: number, pages: string) => ({ words, pages }),
    seen: (pages: string) => ({ pages }),
    unseen: (pages: string) => ({ pages }),
    unread: (pages: string, reason: string) => ({ pages, reason }),
    attached: (count: number) => ({ count }),
    inParts: (count: number) => ({ count }),
    redactParts: (count: number) => ({ count }),
    /** Each name in `checked` of the receipt, and what the server has found out. */
    checks: byName,
  },
};

const texts = textsOf(redacting, values, formats);

/** "page 3", "pages 1, 2 and 4 more": the names of pages, and the number of those that are not named. */
function pagesNamed(names: readonly string[], more: number): string {
  return texts.namedPages(names.length, more === 0 ? names : [...names, texts.andMore(more)]);
}

/** At the beginning of a sentence. */
const capital = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1);

/** The texts of redactions. */
export const redactingTexts = {
  ...texts,
  reasons: reasonTexts(reasonWords, formats),
  pages: pagesNamed,
  mentions: {
    ...texts.mentions,
    unplaced: (found: string, names: readonly string[], more: number, times: number) =>
      texts.mentions.unplacedOn(found, pagesNamed(names, more), names.length, times),
    withoutText: (names: readonly string[], more: number) =>
      texts.mentions.pagesWithoutText(capital(pagesNamed(names, more)), names.length),
  },
};

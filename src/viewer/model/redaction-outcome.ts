import { pagesInWords } from "./mention-search.ts";
import type { Receipt } from "./rewriting-api.ts";

/** The result of a redaction, in words. */
export interface Outcome {
  isDone: boolean;
  headline: string;
  /** What went wrong or needs a person's attention, the most important first. */
  problems: { text: string; advice: string }[];
  /** The checks that passed. */
  checks: string[];
}

/** Each name in `checked` of the receipt, and what the server has found out. */
const checkSentences: Readonly<Record<string, string>> = {
  pdf: "The redacted pages of the new file have no text layer, and none of its texts, names, comments and attachments has a hidden word.",
  pixels: "Every pixel under a box is black.",
  text: "The text that was recognised on the new pages has no hidden word under a box.",
  positions: "No word has its position under a box.",
  index: "The search no longer finds a hidden word by those pages.",
  files: "The former file, its page images and the file that it was converted from are removed.",
};

/** Describes a receipt `redacted`. Null stands for a redaction that left none: it was stopped. */
export function outcomeOf(receipt: Receipt | null): Outcome {
  if (receipt === null || receipt.outcome === "failed") {
    const message = typeof receipt?.["message"] === "string" ? receipt["message"] : "The work was stopped";
    return {
      isDone: false,
      headline: "The redaction failed. The document still has everything that you wanted to hide.",
      problems: [
        { text: sentence(message), advice: adviceFor(message) },
        {
          text: "The document is private now, so that nobody else sees it by accident.",
          advice: "Redact it again. Then set who may see it.",
        },
      ],
      checks: [],
    };
  }
  const standing = listIn<{ page: number; seen: number; unseen: number }>(receipt["standing"]);
  const seen = standing.filter((entry) => entry.seen > 0).map(({ page }) => page);
  const unseen = standing.filter((entry) => entry.unseen > 0).map(({ page }) => page);
  const unread = listIn<{ page: number; reason: string }>(receipt["unread"]);
  const words = Number(receipt["words"] ?? 0);
  const pages = listIn<number>(receipt["pages"]);
  return {
    isDone: true,
    headline:
      pages.length === 0
        ? "There was nothing to redact."
        : `Redacted: ${words === 0 ? "no word" : words === 1 ? "1 word" : `${words.toLocaleString("en")} words`} under the boxes on ${pagesInWords(pages)}.`,
    problems: [
      ...(seen.length > 0
        ? [
            {
              text: `Redacted words can still be seen on ${pagesInWords(seen)}.`,
              advice: "Look at these places, and redact them too if nobody should see them.",
            },
          ]
        : []),
      ...(unseen.length > 0
        ? [
            {
              text: `Redacted words are still in text that cannot be seen, on ${pagesInWords(unseen)}.`,
              advice: "Redact these pages too.",
            },
          ]
        : []),
      ...(unread.length > 0
        ? [
            {
              text: `The rest of the text of ${pagesInWords(unread.map(({ page }) => page))} could not be recognised: ${unread[0]?.reason ?? ""}.`,
              advice: "Nothing hidden is left there, but the search does not find the other words.",
            },
          ]
        : []),
    ],
    checks: listIn<string>(receipt["checked"]).flatMap((name) => checkSentences[name] ?? []),
  };
}

/** What a person can do about a failure. */
function adviceFor(message: string): string {
  if (/cannot be seen, on/.test(message)) return "Redact the pages that the message names, too.";
  if (/can still be found/.test(message)) return "Draw a larger box around it, and try again.";
  if (/another action/i.test(message))
    return "Somebody else changed the document. Look at it, and try again.";
  return "Try again. If it fails again, tell the operator of this site.";
}

const listIn = <T>(value: unknown): T[] => (Array.isArray(value) ? (value as T[]) : []);

const sentence = (text: string): string => (/[.!?]$/.test(text) ? text : `${text}.`);

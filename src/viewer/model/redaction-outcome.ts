import { describingNames } from "../../contract/describing-fields.ts";
import type { DocumentRecord } from "./api.ts";
import { pagesInWords } from "./mention-search.ts";
import type { Receipt } from "../../contract/work.ts";
import { editingTexts as texts } from "../texts/editing-texts.ts";

/** The result of a redaction, in words. */
export interface Outcome {
  isDone: boolean;
  headline: string;
  /** What went wrong or needs a person's attention, the most important first. */
  problems: { text: string; advice: string }[];
  /** The checks that passed. */
  checks: string[];
  /** The documents in this one that still have words which were hidden: how many, and the ids of the first. */
  parts: { count: number; ids: number[] };
}

/** Describes a receipt `redacted`, of a copy or not. Null stands for a redaction that left none: it was stopped. */
export function outcomeOf(receipt: Receipt | null, isCopy = false): Outcome {
  if (receipt === null || receipt.outcome === "failed") {
    const message = typeof receipt?.["message"] === "string" ? receipt["message"] : texts.outcome.stopped;
    return {
      isDone: false,
      headline: isCopy ? texts.outcome.copyFailed : texts.outcome.failed,
      problems: [
        { text: sentence(message), advice: adviceFor(message) },
        isCopy
          ? { text: texts.outcome.noPages, advice: texts.outcome.deleteCopy }
          : receipt?.["withheld"] === true
            ? { text: texts.outcome.isPrivate, advice: texts.outcome.redactAgain }
            : { text: texts.outcome.asBefore, advice: texts.outcome.orMakePrivate },
      ],
      checks: [],
      parts: { count: 0, ids: [] },
    };
  }
  const standing = listIn<{ page: number; seen: number; unseen: number }>(receipt["standing"]);
  const seen = standing.filter((entry) => entry.seen > 0).map(({ page }) => page);
  const unseen = standing.filter((entry) => entry.unseen > 0).map(({ page }) => page);
  const unread = listIn<{ page: number; reason: string }>(receipt["unread"]);
  const words = Number(receipt["words"] ?? 0);
  const attached = Number(receipt["attached_files"] ?? 0);
  const pages = listIn<number>(receipt["pages"]);
  return {
    isDone: true,
    headline: pages.length === 0 ? texts.outcome.nothing : texts.outcome.done(words, pagesInWords(pages)),
    problems: [
      ...(seen.length > 0
        ? [{ text: texts.outcome.seen(pagesInWords(seen)), advice: texts.outcome.seenAdvice }]
        : []),
      ...(unseen.length > 0
        ? [{ text: texts.outcome.unseen(pagesInWords(unseen)), advice: texts.outcome.unseenAdvice }]
        : []),
      ...(unread.length > 0
        ? [
            {
              text: texts.outcome.unread(
                pagesInWords(unread.map(({ page }) => page)),
                unread[0]?.reason ?? "",
              ),
              advice: texts.outcome.unreadAdvice,
            },
          ]
        : []),
    ],
    checks: [
      ...listIn<string>(receipt["checked"]).flatMap((name) => texts.outcome.checks[name] ?? []),
      ...(attached > 0 ? [texts.outcome.attached(attached)] : []),
    ],
    parts: {
      count: Number(receipt["parts_count"] ?? 0),
      ids: listIn<{ id: number }>(receipt["parts"]).map(({ id }) => id),
    },
  };
}

/** What a person can do about a failure. */
function adviceFor(message: string): string {
  if (/cannot be seen, on/.test(message)) return texts.outcome.advice.namedPages;
  if (/can still be found/.test(message)) return texts.outcome.advice.largerBox;
  if (/another action/i.test(message)) return texts.outcome.advice.changedMeanwhile;
  return texts.outcome.advice.again;
}

const listIn = <T>(value: unknown): T[] => (Array.isArray(value) ? (value as T[]) : []);

const sentence = (text: string): string => (/[.!?]$/.test(text) ? text : `${text}.`);

/** What a redaction has not changed although it has the words, in sentences. */
export function leftoversOf(record: DocumentRecord, words: string): string[] {
  const parts = partsWith(record, words);
  return [
    ...(parts.length > 0 ? [texts.redact.stillIn(words, parts)] : []),
    ...(hasWords(record.slug, words) ? [texts.redact.inAddress(words)] : []),
  ];
}

/** The parts of a record, other than its pages, that have the words. */
function partsWith(record: DocumentRecord, words: string): string[] {
  const has = (value: unknown): boolean => hasWords(value, words);
  return [
    ...(has(record.title) ? [texts.redact.parts.title] : []),
    ...describingNames
      .filter((name) => has(record[name]))
      .map((name) => texts.redact.aText(texts.describing[name])),
    ...(has(record.data) ? [texts.redact.parts.data] : []),
    ...record.notes
      .filter(({ title, content_html }) => has(title) || has(content_html))
      .map(({ page_number }) => texts.redact.aNote(page_number + 1)),
    ...record.sections
      .filter(({ title }) => has(title))
      .map(({ page_number }) => texts.redact.aSection(page_number + 1)),
  ];
}

function hasWords(value: unknown, words: string): boolean {
  return ` ${plain(JSON.stringify(value ?? ""))}`.includes(` ${plain(words.replaceAll("*", ""))}`);
}

/** A text without case, accents and punctuation. */
function plain(text: string): string {
  return text
    .normalize("NFKD")
    .replaceAll(/\p{M}/gu, "")
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, " ")
    .trim();
}

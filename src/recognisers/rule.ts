import type { PatternKind } from "../contract/work.ts";

/** A part of a text, by the index of its first character and the one after its last. */
export interface Span {
  start: number;
  end: number;
}

/** A rule that finds one form of a pattern: the social security numbers of one country, for example. */
export interface Rule {
  /** Unique among all rules. */
  name: string;
  kind: PatternKind;
  /** Where the form is laid down. */
  source: string;
  readonly find: (text: string) => Iterable<Span>;
}

/** How many characters before and after a candidate a rule may look at. */
const contextLength = 60;

/** The text around a candidate. */
export interface Surroundings {
  before: string;
  after: string;
}

/**
 * Finds what matches a pattern (with the flag `g`) and what `accepts` takes: it gets the match, or its group `value` if
 * the pattern has one, and the text around that. Only the group is the span then.
 */
export function matching(
  pattern: RegExp,
  accepts: (value: string, around: Surroundings) => boolean = () => true,
): Rule["find"] {
  return function* find(text) {
    for (const match of text.matchAll(pattern)) {
      const value = match.groups?.["value"] ?? match[0];
      const start = match.index + match[0].lastIndexOf(value);
      const end = start + value.length;
      const before = text.slice(Math.max(0, start - contextLength), start);
      const after = text.slice(end, end + contextLength);
      if (accepts(value, { before, after })) yield { start, end };
    }
  };
}

/** Whether one of these words stands near: before the candidate, or right after it. */
export const isNear =
  (words: RegExp) =>
  (_value: string, { before, after }: Surroundings): boolean =>
    words.test(before) || words.test(after.slice(0, 24));

export const digitsOf = (text: string): string => text.replaceAll(/\D/g, "");

/** The letters and digits of a number, in capitals. */
export const signsOf = (text: string): string => text.replaceAll(/[^\p{L}\p{N}]/gu, "").toUpperCase();

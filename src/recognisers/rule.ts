import type { RecognisedKind } from "../contract/search.ts";

/** A part of a text, by the index of its first character and the one after its last. */
export interface Span {
  start: number;
  end: number;
}

/** A rule that finds one form of a pattern: the social security numbers of one country, for example. */
export interface Rule {
  /** Unique among all rules. */
  name: string;
  kind: RecognisedKind;
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
 * A sign that every match has, and how far a match reaches at most before its first sign, between two signs, and after
 * its last one. It is quick to find, and the pattern is tried only around it.
 */
export interface Anchor {
  /** With the flag `g`. */
  sign: RegExp;
  before: number;
  after: number;
}

/** A digit at most this far from the match's beginning, with all others of the match close to it. */
export const nearDigits = (before: number, after = 32): Anchor => ({ sign: /\d+/g, before, after });

/** How far a pattern may look behind the beginning of a match. */
const lookedBehind = 2;

/** The segments of a text around its signs. They do not overlap. */
function* segmentsNear(text: string, { sign, before, after }: Anchor): Generator<Span> {
  let segment: Span | null = null;
  for (const { index, 0: found } of text.matchAll(sign)) {
    const start = Math.max(0, index - before - lookedBehind);
    const end = Math.min(text.length, index + found.length + after);
    if (segment !== null && start <= segment.end) {
      segment.end = Math.max(segment.end, end);
      continue;
    }
    if (segment !== null) yield segment;
    segment = { start, end };
  }
  if (segment !== null) yield segment;
}

/**
 * Finds what matches a pattern (with the flag `g`) and what `accepts` takes: it gets the match, or its group `value` if
 * the pattern has one, and the text around that. Only the group is the span then.
 */
export function matching(
  pattern: RegExp,
  accepts: (value: string, around: Surroundings) => boolean = () => true,
  anchor?: Anchor,
): Rule["find"] {
  if (anchor === undefined)
    return (text) => matchesIn(text, { start: 0, end: text.length }, pattern, accepts);
  return function* find(text) {
    for (const segment of segmentsNear(text, anchor)) yield* matchesIn(text, segment, pattern, accepts);
  };
}

function* matchesIn(
  text: string,
  segment: Span,
  pattern: RegExp,
  accepts: (value: string, around: Surroundings) => boolean,
): Generator<Span> {
  for (const match of text.slice(segment.start, segment.end).matchAll(pattern)) {
    const value = match.groups?.["value"] ?? match[0];
    const start = segment.start + match.index + match[0].lastIndexOf(value);
    const end = start + value.length;
    const before = text.slice(Math.max(0, start - contextLength), start);
    const after = text.slice(end, end + contextLength);
    if (accepts(value, { before, after })) yield { start, end };
  }
}

/** Whether one of these words stands near: before the candidate, or right after it. */
export const isNear =
  (words: RegExp) =>
  (_value: string, { before, after }: Surroundings): boolean =>
    words.test(before) || words.test(after.slice(0, 24));

export const digitsOf = (text: string): string => text.replaceAll(/\D/g, "");

/** The letters and digits of a number, in capitals. */
export const signsOf = (text: string): string => text.replaceAll(/[^\p{L}\p{N}]/gu, "").toUpperCase();

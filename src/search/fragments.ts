import { type WordsPlan, singleWord } from "./plan.ts";
import type { WordCondition } from "./matches.ts";
import { type FormStem, beginLikeStems, stemsOf } from "./stems.ts";
import { patternTest } from "./word-patterns.ts";
import { type Word, wordsOf } from "./words.ts";

/**
 * In characters. A fragment ends with a word, so it is somewhat shorter: about the average length of DocumentCloud's.
 */
const fragmentLength = 250;
/** How far from the cut the end of a word may be. */
const maxRestLength = 60;

/** Indexes of the first and the last word. */
interface Match {
  from: number;
  to: number;
}

/**
 * Fragments of a text that contain the words, with `<em>` around them; the text is otherwise unchanged, line breaks
 * included.
 */
export function fragmentsOf(text: string, words: readonly WordsPlan[], maxCount: number): string[] {
  const all = wordsOf(text);
  const marked = new Set<number>();
  for (const condition of words) {
    for (const { from, to } of matchesIn(all, condition))
      for (let index = from; index <= to; index++) marked.add(index);
  }
  const found = [...marked].toSorted((left, right) => left - right).map((index) => all[index] as Word);
  const fragments: string[] = [];
  let shownTo = 0;
  for (let next = 0; next < found.length && fragments.length < maxCount;) {
    const first = found[next] as Word;
    const start = beginningOf(text, first, shownTo);
    const end = start + fragmentLength;
    const here = [first];
    for (next += 1; next < found.length && isWithin(found[next] as Word, here.at(-1) as Word, end); next++) {
      here.push(found[next] as Word);
    }
    shownTo = Math.max((here.at(-1) as Word).end, endBefore(text, end));
    fragments.push(marking(text, start, shownTo, here));
  }
  return fragments;
}

/** The ranges of a text that match the words, in order. Matches that overlap are one range. */
export function rangesOfMatches(text: string, words: readonly WordsPlan[]): { start: number; end: number }[] {
  const all = wordsOf(text);
  const matches = words
    .flatMap((condition) => matchesIn(all, condition))
    .map(({ from, to }) => ({ start: all[from]?.start ?? 0, end: all[to]?.end ?? 0 }))
    .toSorted((one, other) => one.start - other.start || other.end - one.end);
  const ranges: { start: number; end: number }[] = [];
  for (const match of matches) {
    const last = ranges.at(-1);
    if (last !== undefined && match.start < last.end) last.end = Math.max(last.end, match.end);
    else ranges.push(match);
  }
  return ranges;
}

/** A pair of letters that overlaps the previous one belongs to the same match, which is not cut if it ends soon. */
function isWithin(word: Word, previous: Word, end: number): boolean {
  return word.end <= (word.start < previous.end ? end + maxRestLength : end);
}

/**
 * Shows as much before the first word as after it, and more at the end of the text; never repeats text that was
 * already shown.
 */
function beginningOf(text: string, { start, end }: Word, shownTo: number): number {
  const before = Math.max(0, Math.floor((fragmentLength - (end - start)) / 2));
  const position = Math.min(start - before, text.length - fragmentLength);
  if (position <= 0 && shownTo === 0) return 0;
  const earliest = Math.max(position, Math.min(shownTo, start));
  return beginningAfter(text, earliest, start);
}

function matchesIn(words: readonly Word[], { wanted, stems }: WordsPlan): Match[] {
  const single = singleWord(wanted);
  return single === null || stems.length === 0
    ? exactMatchesIn(words, wanted)
    : formsIn(words, single, stems);
}

/** Where a word or another form of it stands. */
function formsIn(words: readonly Word[], exact: string, stems: readonly FormStem[]): Match[] {
  const tests = [...Map.groupBy(stems, ({ language }) => language)].map(([language, ofLanguage]) => {
    const all = new Set(ofLanguage.map(({ stem }) => stem));
    // Most words begin with another letter, which is found faster than their stems.
    const starts = beginLikeStems(language) ? new Set(Array.from(all, ([first]) => first)) : null;
    return (word: string): boolean =>
      starts?.has(word[Symbol.iterator]().next().value) !== false &&
      stemsOf(language, word).some((stem) => all.has(stem));
  });
  return words.flatMap(({ word }, index) =>
    word === exact || tests.some((isForm) => isForm(word)) ? [{ from: index, to: index }] : [],
  );
}

function exactMatchesIn(words: readonly Word[], wanted: WordCondition): Match[] {
  if ("pattern" in wanted) {
    const matches = patternTest(wanted.pattern);
    return words.flatMap(({ word }, index) => (matches(word) ? [{ from: index, to: index }] : []));
  }
  if ("phrase" in wanted) {
    const tests = wanted.phrase.map(patternTest);
    if (tests.length === 0) return [];
    return words.flatMap((_, index) =>
      tests.every((matches, offset) => matches(words[index + offset]?.word ?? ""))
        ? [{ from: index, to: index + tests.length - 1 }]
        : [],
    );
  }
  const tests = wanted.near.map(patternTest);
  const matches = (word: string): boolean => tests.some((test) => test(word));
  return words.flatMap(({ word }, index) => {
    if (!matches(word)) return [];
    const reach = wanted.slop + 1;
    const others = words.slice(Math.max(0, index - reach), index + reach + 1);
    const hasNeighbour = others.some((other) => other.word !== word && matches(other.word));
    return hasNeighbour ? [{ from: index, to: index }] : [];
  });
}

/** Marks overlapping pairs of letters together. */
function marking(text: string, start: number, end: number, words: readonly Word[]): string {
  let fragment = "";
  let at = start;
  for (let index = 0; index < words.length; index++) {
    const first = words[index] as Word;
    let last = first.end;
    while (index + 1 < words.length && (words[index + 1] as Word).start < last) {
      index += 1;
      last = Math.max(last, (words[index] as Word).end);
    }
    fragment += `${text.slice(at, first.start)}<em>${text.slice(first.start, last)}</em>`;
    at = last;
  }
  return (fragment + text.slice(at, end)).trim().toWellFormed();
}

/** Moves the start out of the middle of a word if the word ends soon, and before the match. */
function beginningAfter(text: string, position: number, found: number): number {
  const gap = text.slice(position, Math.min(position + maxRestLength, found)).search(/\s/);
  return gap < 0 ? position : position + gap;
}

function endBefore(text: string, position: number): number {
  if (position >= text.length) return text.length;
  const gap = text.slice(position - maxRestLength, position + 1).search(/\s\S*$/);
  return gap < 0 ? position : position - maxRestLength + gap;
}

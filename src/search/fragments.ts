import type { WordsPlan } from "./plan.ts";
import type { WordCondition } from "./matches.ts";
import { patternTest } from "./word-patterns.ts";
import { type Word, wordsOf } from "./words.ts";

/** In characters; ends of words make it somewhat less: about as long as DocumentCloud's pieces are on average. */
const pieceLength = 250;
/** How far the end of a word may be from where a piece would be cut. */
const maxRestLength = 60;

/** From the first word to the last. */
interface Match {
  from: number;
  to: number;
}

/** Pieces of a text that hold the words, with `<em>` around them; the text stays as it is, with its line breaks. */
export function fragmentsOf(text: string, words: readonly WordsPlan[], most: number): string[] {
  const all = wordsOf(text);
  const marked = new Set<number>();
  for (const { wanted } of words) {
    for (const { from, to } of matchesIn(all, wanted))
      for (let index = from; index <= to; index++) marked.add(index);
  }
  const found = [...marked].toSorted((one, other) => one - other).map((index) => all[index] as Word);
  const fragments: string[] = [];
  let shownTo = 0;
  for (let next = 0; next < found.length && fragments.length < most;) {
    const first = found[next] as Word;
    const start = beginningOf(text, first, shownTo);
    const end = start + pieceLength;
    const here = [first];
    for (next += 1; next < found.length && (found[next] as Word).end <= end; next++) {
      here.push(found[next] as Word);
    }
    shownTo = Math.max((here.at(-1) as Word).end, endBefore(text, end));
    fragments.push(marking(text, start, shownTo, here));
  }
  return fragments;
}

/** As much before the first word as after it, and more where the text ends; nothing twice that was shown before. */
function beginningOf(text: string, { start, end }: Word, shownTo: number): number {
  const before = Math.max(0, Math.floor((pieceLength - (end - start)) / 2));
  const position = Math.min(start - before, text.length - pieceLength);
  if (position <= 0 && shownTo === 0) return 0;
  const earliest = Math.max(position, Math.min(shownTo, start));
  return beginningAfter(text, earliest, start);
}

function matchesIn(words: readonly Word[], wanted: WordCondition): Match[] {
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

/** Overlapping pairs of letters are marked as one. */
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

/** Not in the middle of a word, if one ends soon, and before what was found. */
function beginningAfter(text: string, position: number, found: number): number {
  const gap = text.slice(position, Math.min(position + maxRestLength, found)).search(/\s/);
  return gap < 0 ? position : position + gap;
}

function endBefore(text: string, position: number): number {
  if (position >= text.length) return text.length;
  const gap = text.slice(position - maxRestLength, position + 1).search(/\s\S*$/);
  return gap < 0 ? position : position - maxRestLength + gap;
}

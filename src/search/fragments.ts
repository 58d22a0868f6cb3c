import type { WordsPlan } from "./plan.ts";
import type { WordCondition, WordStart } from "./matches.ts";
import { type Word, wordsOf } from "./words.ts";

/** In characters: how much of the text around what was found is shown. */
const around = 60;

/** From the first word to the last. */
interface Match {
  from: number;
  to: number;
}

/** Pieces of a text that hold what was looked for, with `<em>` around it; the text itself stays as it is. */
export function fragmentsOf(text: string, words: readonly WordsPlan[], most: number): string[] {
  const all = wordsOf(text);
  const marked = new Set<number>();
  for (const { wanted } of words) {
    for (const { from, to } of matchesIn(all, wanted))
      for (let index = from; index <= to; index++) marked.add(index);
  }
  const found = [...marked].toSorted((one, other) => one - other).map((index) => all[index] as Word);
  const fragments: string[] = [];
  for (let next = 0; next < found.length && fragments.length < most;) {
    const start = beginningBefore(text, (found[next] as Word).start - around);
    let end = (found[next] as Word).end + around;
    const first = next;
    while (next < found.length && (found[next] as Word).start < end) {
      end = Math.min((found[next] as Word).end + around, start + 5 * around);
      next += 1;
    }
    fragments.push(marking(text, start, endAfter(text, end), found.slice(first, next)));
  }
  return fragments;
}

function matchesIn(words: readonly Word[], wanted: WordCondition): Match[] {
  if ("anyOf" in wanted) {
    const matches = testOf(wanted.anyOf);
    return words.flatMap(({ word }, index) => (matches(word) ? [{ from: index, to: index }] : []));
  }
  if ("phrase" in wanted) {
    const tests = wanted.phrase.map((one) => testOf([one]));
    if (tests.length === 0) return [];
    return words.flatMap((_, index) =>
      tests.every((matches, offset) => matches(words[index + offset]?.word ?? ""))
        ? [{ from: index, to: index + tests.length - 1 }]
        : [],
    );
  }
  const matches = testOf(wanted.near);
  return words.flatMap(({ word }, index) => {
    if (!matches(word)) return [];
    const reach = wanted.slop + 1;
    const others = words.slice(Math.max(0, index - reach), index + reach + 1);
    const hasNeighbour = others.some((other) => other.word !== word && matches(other.word));
    return hasNeighbour ? [{ from: index, to: index }] : [];
  });
}

function testOf(wanted: readonly WordStart[]): (word: string) => boolean {
  const whole = new Set(wanted.filter(({ isStart }) => !isStart).map(({ word }) => word));
  const starts = wanted.filter(({ isStart }) => isStart).map(({ word }) => word);
  return (word) => whole.has(word) || starts.some((start) => word.startsWith(start));
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
  return (fragment + text.slice(at, Math.max(at, end))).replaceAll(/\s+/g, " ").trim().toWellFormed();
}

/** Not in the middle of a word, if one ends soon. */
function beginningBefore(text: string, position: number): number {
  if (position <= 0) return 0;
  const gap = text.slice(position, position + around).search(/\s/);
  return gap < 0 ? position : position + gap;
}

function endAfter(text: string, position: number): number {
  if (position >= text.length) return text.length;
  const gap = text.slice(Math.max(0, position - around), position).search(/\s\S*$/);
  return gap < 0 ? position : Math.max(0, position - around) + gap;
}

import type { ComparedLine, ComparedPart } from "../../../contract/comparing.ts";

/*
 * Compares two texts word by word. What both begin and end with is equal. Between, words that each text has once, in
 * the same order, divide the texts into smaller ones ("patience diff"), and of short ones the longest common sequence
 * of words is computed. White space does not count.
 */

/** A letter of a script without spaces is a word by itself. */
const scripts = ["Han", "Hiragana", "Katakana", "Thai", "Lao", "Khmer", "Myanmar"];
const unspaced = `[${scripts.map((script) => String.raw`\p{Script=${script}}`).join("")}]`;
const token = new RegExp(String.raw`${unspaced}\s*|(?:(?!${unspaced})\S)+\s*|^\s+`, "gu");

/** The words of a text, each with the white space after it. Together they are the text. */
export function tokensOf(text: string): string[] {
  return text.match(token) ?? [];
}

/** A sequence of words that both texts have, or that stands in one where the other has something else. */
interface Run {
  isEqual: boolean;
  left: readonly [from: number, to: number];
  right: readonly [from: number, to: number];
}

/** The product of the lengths of two texts whose longest common sequence is computed. */
const maxTable = 1_000_000;

/** Both texts, line by line, beside each other. */
export function compareTokens(left: readonly string[], right: readonly string[]): ComparedLine[] {
  const lines: ComparedLine[] = [];
  let [onLeft, onRight]: [ComparedPart[], ComparedPart[]] = [[], []];
  const endLine = (): void => {
    if (onLeft.length > 0 || onRight.length > 0) lines.push({ left: onLeft, right: onRight });
    [onLeft, onRight] = [[], []];
  };
  for (const run of runsOf(left, right)) {
    const [a, b] = [left.slice(...run.left), right.slice(...run.right)];
    if (!run.isEqual) {
      add(onLeft, a.join(""), true);
      add(onRight, b.join(""), true);
      continue;
    }
    for (const [index, word] of a.entries()) {
      const other = b[index] ?? "";
      add(onLeft, word, false);
      add(onRight, other, false);
      if (word.includes("\n") || other.includes("\n")) endLine();
    }
  }
  endLine();
  return lines;
}

function add(parts: ComparedPart[], text: string, differs: boolean): void {
  const last = parts.at(-1);
  if (text === "") return;
  if (last?.differs === differs) last.text += text;
  else parts.push({ text, differs });
}

function runsOf(left: readonly string[], right: readonly string[]): Run[] {
  const numbers = new Map<string, number>();
  const numbered = (words: readonly string[]): Uint32Array =>
    Uint32Array.from(words, (word) => {
      const known = numbers.get(word.trim());
      if (known !== undefined) return known;
      numbers.set(word.trim(), numbers.size);
      return numbers.size - 1;
    });
  const [a, b] = [numbered(left), numbered(right)];
  const runs: Run[] = [];
  const note = (isEqual: boolean, from: [number, number], to: [number, number]): void => {
    if (from[0] === to[0] && from[1] === to[1]) return;
    const last = runs.at(-1);
    const [l, r] = [[from[0], to[0]] as const, [from[1], to[1]] as const];
    if (last?.isEqual === isEqual)
      Object.assign(last, { left: [last.left[0], l[1]], right: [last.right[0], r[1]] });
    else runs.push({ isEqual, left: l, right: r });
  };
  // Pieces that are still to be compared, the next one last.
  const waiting: Piece[] = [{ a: [0, a.length], b: [0, b.length] }];
  for (let piece = waiting.pop(); piece !== undefined; piece = waiting.pop()) {
    let [[a0, a1], [b0, b1]] = [piece.a, piece.b];
    const [startA, startB] = [a0, b0];
    while (a0 < a1 && b0 < b1 && a[a0] === b[b0]) [a0, b0] = [a0 + 1, b0 + 1];
    note(true, [startA, startB], [a0, b0]);
    let same = 0;
    while (a0 < a1 - same && b0 < b1 - same && a[a1 - same - 1] === b[b1 - same - 1]) same += 1;
    [a1, b1] = [a1 - same, b1 - same];
    const end: Piece = { a: [a1, a1 + same], b: [b1, b1 + same] };
    const inside: Piece = { a: [a0, a1], b: [b0, b1] };
    if (a0 === a1 || b0 === b1) note(false, [a0, b0], [a1, b1]);
    else if ((a1 - a0) * (b1 - b0) <= maxTable) {
      for (const run of commonSequence(a, b, inside)) note(run.isEqual, ...cornersOf(run));
    } else {
      const parts = dividedAtAnchors(a, b, inside);
      if (parts !== null) {
        if (same > 0) waiting.push(end);
        waiting.push(...parts.toReversed());
        continue;
      }
      note(false, [a0, b0], [a1, b1]);
    }
    note(true, [a1, b1], [a1 + same, b1 + same]);
  }
  return runs;
}

interface Piece {
  a: readonly [from: number, to: number];
  b: readonly [from: number, to: number];
}

const cornersOf = ({ left, right }: Run): [[number, number], [number, number]] => [
  [left[0], right[0]],
  [left[1], right[1]],
];

/** Pieces that each begin with a word that both texts have once; null if there is no such word. */
function dividedAtAnchors(
  a: Uint32Array,
  b: Uint32Array,
  { a: [a0, a1], b: [b0, b1] }: Piece,
): Piece[] | null {
  const [onceInA, onceInB] = [positionsOfUnique(a, a0, a1), positionsOfUnique(b, b0, b1)];
  const pairs: [number, number][] = [];
  for (const [word, at] of onceInA) {
    const other = onceInB.get(word);
    if (other !== undefined) pairs.push([at, other]);
  }
  const anchors = ascendingSequence(pairs);
  if (anchors.length === 0) return null;
  const starts = [[a0, b0], ...anchors, [a1, b1]] as [number, number][];
  return starts.slice(1).map(([toA, toB], index): Piece => {
    const [fromA, fromB] = starts[index]!;
    return { a: [fromA, toA], b: [fromB, toB] };
  });
}

function positionsOfUnique(words: Uint32Array, from: number, to: number): Map<number, number> {
  const found = new Map<number, number>();
  const repeated = new Set<number>();
  for (let at = from; at < to; at++) {
    const word = words[at]!;
    if (found.has(word)) repeated.add(word);
    else found.set(word, at);
  }
  for (const word of repeated) found.delete(word);
  return found;
}

/** The longest sequence of pairs, given in the order of their first numbers, whose second numbers ascend. */
function ascendingSequence(pairs: readonly [number, number][]): [number, number][] {
  const ends: number[] = [];
  const before = new Int32Array(pairs.length).fill(-1);
  for (const [index, [, value]] of pairs.entries()) {
    let [low, high] = [0, ends.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (pairs[ends[middle]!]![1] < value) low = middle + 1;
      else high = middle;
    }
    if (low > 0) before[index] = ends[low - 1]!;
    ends[low] = index;
  }
  const sequence: [number, number][] = [];
  for (let index = ends.at(-1) ?? -1; index >= 0; index = before[index]!) sequence.push(pairs[index]!);
  return sequence.toReversed();
}

function commonSequence(a: Uint32Array, b: Uint32Array, { a: [a0, a1], b: [b0, b1] }: Piece): Run[] {
  const width = b1 - b0 + 1;
  const lengths = new Uint32Array((a1 - a0 + 1) * width);
  for (let i = a1 - 1; i >= a0; i--) {
    for (let j = b1 - 1; j >= b0; j--) {
      const at = (i - a0) * width + (j - b0);
      lengths[at] =
        a[i] === b[j] ? lengths[at + width + 1]! + 1 : Math.max(lengths[at + width]!, lengths[at + 1]!);
    }
  }
  const runs: Run[] = [];
  for (let [i, j] = [a0, b0]; i < a1 || j < b1;) {
    const at = (i - a0) * width + (j - b0);
    if (i < a1 && j < b1 && a[i] === b[j]) {
      runs.push({ isEqual: true, left: [i, i + 1], right: [j, j + 1] });
      [i, j] = [i + 1, j + 1];
    } else if (j >= b1 || (i < a1 && lengths[at + width]! >= lengths[at + 1]!)) {
      runs.push({ isEqual: false, left: [i, i + 1], right: [j, j] });
      i += 1;
    } else {
      runs.push({ isEqual: false, left: [i, i], right: [j, j + 1] });
      j += 1;
    }
  }
  return runs;
}

import type { PatternKind } from "../../../contract/work.ts";
import type { PageWord } from "../../../processing/pdfium/page-words.ts";
import { recognise } from "../../../recognisers/recognise.ts";
import { type Mention, type WordPart, isOnSameLine, mentionOf } from "./mentions.ts";

/** The number of patterns of this kind in a text. */
export const countPatterns = (text: string, kind: PatternKind): number =>
  recognise(text, new Set([kind])).length;

/** The patterns of this kind on a page, in reading order, with the boxes of their words. */
export function findPatterns(words: readonly PageWord[], kind: PatternKind): Mention[] {
  const starts: number[] = [];
  let text = "";
  for (const [index, word] of words.entries()) {
    const before = words[index - 1];
    if (before !== undefined) text += isOnSameLine(before, word) ? " " : "\n";
    starts.push(text.length);
    text += word.text;
  }
  let next = 0;
  return recognise(text, new Set([kind])).map(({ start, end }) => {
    const parts: WordPart[] = [];
    while ((starts[next + 1] ?? Infinity) <= start) next += 1;
    for (let index = next; (starts[index] ?? Infinity) < end; index++) {
      const at = starts[index] ?? 0;
      const { length } = words[index]?.text ?? "";
      parts.push({ index, from: Math.max(0, start - at) / length, to: Math.min(length, end - at) / length });
    }
    return mentionOf(words, parts);
  });
}

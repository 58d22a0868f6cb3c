import { sql } from "kysely";
import type { Writer } from "../database/database.ts";
import { dialectOf } from "../database/dialects.ts";
import { blockOf, pagesOfBlock, partOfPage } from "./parts.ts";
import type { BlockName, CountedBlock, PartName, WordedPart } from "./word-index.ts";
import { plainWordsOf } from "./words.ts";

/*
 * How often a word occurs in a block, roughly (parts.ts defines blocks). Each block has one entry in an inverted index,
 * and its terms are the words with their counts: `harbour3` for a word that occurs three times. So one index look-up
 * for each count finds all blocks that contain a word, with their counts, and a common word has one entry for each
 * block instead of one for each page.
 */

/** Units are whole numbers, so that their sums do not depend on the order in which they are added. */
export const unitsPerOccurrence = 10;

/**
 * The counts that terms distinguish, each with the last character of its terms and what it weighs; other counts are
 * rounded down. Each count costs an index look-up for each word, and a score hardly depends on large counts, so they
 * weigh about the middle of their range.
 */
const counts: readonly (readonly [count: number, mark: string, units: number])[] = [
  [1, "1", 10],
  [2, "2", 20],
  [3, "3", 30],
  [4, "4", 45],
  [6, "6", 70],
  [9, "9", 110],
  [15, "f", 200],
  [30, "u", 450],
  [80, "z", 1200],
];

/** What an occurrence of another form counts, beside one of the word that was asked for. */
const formWeight = 0.7;

/** The marks of the counts, with the units that each stands for: of the word itself, and of another form of it. */
export const countMarks: readonly { mark: string; units: number; unitsOfForm: number }[] = counts.map(
  ([, mark, units]) => ({ mark, units, unitsOfForm: Math.round(units * formWeight) }),
);

/** The terms of a word, with the units that each stands for. */
export function termsOf(word: string): { term: string; units: number }[] {
  return countMarks.map(({ mark, units }) => ({ term: word + mark, units }));
}

/**
 * Counts the words of the blocks that some parts are in. The other pages of these blocks are read from
 * `document_pages`, so any changed page must be there or among the parts.
 */
export async function countBlocks(
  writer: Writer,
  parts: readonly WordedPart[],
  areNew: boolean,
): Promise<CountedBlock[]> {
  const counted: CountedBlock[] = [];
  for (const ofDocument of Map.groupBy(parts, ({ documentId }) => documentId).values()) {
    for (const [block, inBlock] of Map.groupBy(ofDocument, ({ part }) => blockOf(part))) {
      const documentId = (inBlock[0] as WordedPart).documentId;
      const others = await otherPagesOf(writer, { documentId, block }, inBlock);
      const texts = [...inBlock.map(({ words }) => words), ...others];
      counted.push({ documentId, block, ...countedTerms(texts), isNew: areNew && others.length === 0 });
    }
  }
  return counted;
}

/** The words of all pages of a block, as they are in `document_pages`. Empty if the block does not consist of pages. */
export async function wordsOfBlock(writer: Writer, block: BlockName): Promise<ReadonlySet<string>> {
  return new Set((await otherPagesOf(writer, block, [])).flat());
}

async function otherPagesOf(
  writer: Writer,
  { documentId, block }: BlockName,
  parts: readonly PartName[],
): Promise<string[][]> {
  const pages = pagesOfBlock(block);
  if (pages === null || parts.length === pages.to - pages.from) return [];
  const dialect = dialectOf(writer);
  const list = sql`${dialect.list(parts.map(({ part }) => part - partOfPage(0)))}`;
  const { rows } = await sql<{ text: string }>`select text from document_pages
    where document_id = ${documentId} and page >= ${pages.from} and page < ${pages.to}
      and not ${dialect.isAmong(sql`page`, list)}`.execute(writer);
  return rows.map(({ text }) => plainWordsOf(text));
}

/** Looks up each word once: with up to 6,400 words in a block, the look-ups are most of the cost of counting. */
function countedTerms(
  texts: readonly (readonly string[])[],
): Pick<CountedBlock, "terms" | "words" | "length"> {
  const numbers = new Map<string, number>();
  const words: string[] = [];
  const occurrences: number[] = [];
  let length = 0;
  for (const text of texts) {
    length += text.length;
    for (const word of text) {
      const number = numbers.get(word);
      if (number === undefined) {
        numbers.set(word, words.length);
        words.push(word);
        occurrences.push(1);
      } else occurrences[number] = (occurrences[number] as number) + 1;
    }
  }
  const terms = words.map((word, number) => word + markOf(occurrences[number] as number));
  return { terms, words, length };
}

const [highest, highestMark] = counts.at(-1) as readonly [number, string, number];

const marks = Array.from(
  { length: highest },
  (_, count) => counts.findLast(([min]) => min <= count)?.[1] ?? "",
);

function markOf(count: number): string {
  return count < highest ? (marks[count] as string) : highestMark;
}

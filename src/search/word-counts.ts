import { sql } from "kysely";
import type { Writer } from "../database/database.ts";
import { dialectOf } from "../database/dialect.ts";
import { blockOf, pagesOfBlock, pagesPerBlock, partOfPage } from "./parts.ts";
import type { BlockName, CountedBlock, PartName, WordedPart } from "./word-index.ts";
import { plainWordsOf } from "./words.ts";

/*
 * How many pages of a block contain a word, roughly (parts.ts defines blocks). Each block has one entry in an inverted
 * index, and its terms are the words with their counts: `harbour3` for a word on three pages. So one index look-up for
 * each count finds all blocks that contain a word, with their counts, and a common word has one entry for each block
 * instead of one for each page.
 */

/**
 * The counts that terms distinguish, each with the last character of its terms; other counts are rounded down. Each
 * count costs an index look-up for each word, and a score hardly depends on large counts.
 */
const counts: readonly (readonly [count: number, mark: string])[] = [
  ...([1, 2, 3, 4, 5, 6, 7, 8] as const).map((count) => [count, String(count)] as const),
  [12, "c"],
  [16, "g"],
  [24, "o"],
  [32, "w"],
];

/** The terms of a word, with the number of pages that each stands for. */
export function termsOf(word: string): { term: string; pages: number }[] {
  return counts.map(([pages, mark]) => ({ term: word + mark, pages }));
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
      const terms = countedTerms([...inBlock.map(({ words }) => words), ...others]);
      counted.push({ documentId, block, terms, isNew: areNew && others.length === 0 });
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
function countedTerms(texts: readonly (readonly string[])[]): string[] {
  const numbers = new Map<string, number>();
  const distinct: string[] = [];
  const pages: number[] = [];
  const lastText: number[] = [];
  for (const [text, words] of texts.entries()) {
    for (const word of words) {
      const number = numbers.get(word);
      if (number === undefined) {
        numbers.set(word, distinct.length);
        distinct.push(word);
        pages.push(1);
        lastText.push(text);
      } else if (lastText[number] !== text) {
        lastText[number] = text;
        pages[number] = (pages[number] as number) + 1;
      }
    }
  }
  return distinct.map((word, number) => word + (marks[pages[number] as number] ?? ""));
}

/** The mark of each count, up to a whole block. */
const marks = Array.from(
  { length: pagesPerBlock + 1 },
  (_, count) => counts.findLast(([min]) => min <= count)?.[1],
);

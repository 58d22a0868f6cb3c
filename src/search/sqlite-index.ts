import { type RawBuilder, sql } from "kysely";
import { BulkInsert } from "../database/bulk-insert.ts";
import type { Writer } from "../database/database.ts";
import { sqliteDialect as dialect } from "../database/dialect.ts";
import { type PlainCondition, isWordOf, pairsOf, textOf } from "./matches.ts";
import { partOfPage, partsPerDocument } from "./parts.ts";
import type { PlainPattern } from "./query-tree.ts";
import type { PartName, WordIndex } from "./word-index.ts";

const size = sql.lit(partsPerDocument);
const columns = sql`document_words.rowid / ${size} as document_id, document_words.rowid % ${size} as part`;

/** An FTS5 table, whose rowid is made of the document and the part. */
export const sqliteIndex: WordIndex = {
  partsWithWords(condition, documentIds) {
    const expression = expressionOf(condition);
    const match = sql`document_words match ${expression === "" ? '""' : expression}`;
    if (documentIds === null) return sql`select ${columns} from document_words where ${match}`;
    return sql`select ${columns}
      from json_each(${dialect.list(documentIds)}) as asked cross join document_words
      where ${match} and ${isPartOf(sql`asked.value`)}`;
  },

  partsWithPattern(pattern, documentIds) {
    const isOfThese =
      documentIds === null
        ? sql``
        : sql`and ${dialect.isAmong(sql`document_words.rowid / ${size}`, sql`${dialect.list(documentIds)}`)}`;
    return sql`select distinct ${columns} from search_vocabulary cross join document_words
      where ${isWordOf(sql`search_vocabulary.term`, pattern)}
        and document_words match '"' || search_vocabulary.term || '"'
        ${isOfThese}`;
  },

  partsOf: (documentId) =>
    sql`select rowid % ${size} as part from document_words where ${isPartOf(sql`${documentId}`)}`,

  entryWithWord: (part, word) =>
    sql`select 1 from document_words where rowid = ${rowidOf(part)} and document_words match ${`"${word}"`}`,

  async add(writer, parts) {
    const rows = parts.map((part) => ({ rowid: rowidOf(part), words: part.words.join(" ") }));
    // A virtual table takes no conflict clause.
    const plainly = { insert: sql`insert into`, otherwise: sql`` };
    const insert = new BulkInsert<(typeof rows)[number]>("document_words", ["rowid", "words"], plainly);
    await insert.run(writer, rows);
  },

  async remove(writer, parts) {
    const rowids = `[${parts.map(rowidOf).join(",")}]`;
    await sql`delete from document_words where ${dialect.isAmong(sql.ref("rowid"), sql`${rowids}`)}`.execute(
      writer,
    );
  },

  async removePages(writer, documentId) {
    await sql`delete from document_words where rowid in (
      select ${size} * document_id + ${sql.lit(partOfPage(0))} + page
      from document_pages where document_id = ${documentId})`.execute(writer);
  },

  // SQLite has one writer anyway.
  lockVocabulary: () => Promise.resolve(),

  // The vocabulary is a view of the index.
  forgetUnusedWords: () => Promise.resolve(),

  async purgeStep(writer, step) {
    const before = await changesOf(writer);
    const pages = step === "first" ? -pagesAtOnce : pagesAtOnce;
    await sql`insert into document_words (document_words, rank) values ('merge', ${sql.lit(pages)})`.execute(
      writer,
    );
    // The command itself counts as one.
    return (await changesOf(writer)) - before >= 2;
  },
};

const pagesAtOnce = 500;

async function changesOf(writer: Writer): Promise<number> {
  const { rows } = await sql<{ changes: number }>`select total_changes() as changes`.execute(writer);
  return rows[0]?.changes ?? 0;
}

function isPartOf(documentId: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`document_words.rowid
    between ${documentId} * ${size} and ${documentId} * ${size} + ${sql.lit(partsPerDocument - 1)}`;
}

/** Beyond what a number holds exactly. */
function rowidOf({ documentId, part }: PartName): bigint {
  return BigInt(documentId) * BigInt(partsPerDocument) + BigInt(part);
}

function expressionOf(condition: PlainCondition): string {
  if ("phrase" in condition) {
    const words = condition.phrase.map(textOf).join(" ");
    const last = condition.phrase.at(-1);
    return words === "" ? "" : `"${words}"${last !== undefined && "start" in last ? " *" : ""}`;
  }
  return pairsOf(condition.near)
    .map(([word, other]) => `NEAR(${quoted(word)} ${quoted(other)}, ${condition.slop})`)
    .join(" AND ");
}

function quoted(pattern: PlainPattern): string {
  return `"${textOf(pattern)}"${"start" in pattern ? " *" : ""}`;
}

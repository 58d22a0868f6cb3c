import { CompiledQuery, type RawBuilder, sql } from "kysely";
import type { Writer } from "../database/database.ts";
import { sqliteDialect as dialect } from "../database/sqlite/dialect.ts";
import { type PlainCondition, beginsLike, isWordOf, pairsOf, textOf } from "./matches.ts";
import { firstNotePart, pagesPerBlock, partOfPage, partsPerDocument } from "./parts.ts";
import type { PlainPattern } from "./query-tree.ts";
import { isInLanguages, otherForms, unusedForms } from "./sqlite-forms.ts";
import { countMarks, termsOf } from "./word-counts.ts";
import type { BlockName, PartName, WordForm, WordIndex } from "./word-index.ts";

const size = sql.lit(partsPerDocument);
const lastPart = sql.lit(partsPerDocument - 1);
const columns = sql`document_words.rowid / ${size} as document_id, document_words.rowid % ${size} as part`;

/** The rowid of counts has the document in its lower bits, so most terms have rowids that are close together. */
const blockSize = sql.lit(2 ** 40);

/** The memory that FTS5 fills before it writes to the index, in bytes. */
const usualBuffer = 1024 * 1024;
const largeBuffer = 16 * usualBuffer;

/** FTS5 tables. The rowids of `document_words` combine the document and the part. */
export const sqliteIndex: WordIndex = {
  partsWithWords(condition, documentIds) {
    const expression = expressionOf(condition);
    const match = sql`document_words match ${expression === "" ? '""' : expression}`;
    if (documentIds === null) return sql`select ${columns} from document_words where ${match}`;
    // FTS5 checks each row's range again. If the range were not materialized, that would take most of the time.
    return sql`with asked as materialized (
        select value as document_id, value * ${size} as first, value * ${size} + ${lastPart} as last
        from json_each(${dialect.list(documentIds)})
      )
      select asked.document_id, document_words.rowid - asked.first as part
      from asked cross join document_words
      where ${match} and document_words.rowid between asked.first and asked.last`;
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

  partsWithForms(word, stems, documentIds) {
    const forms = sql`forms as materialized (select ${word} as word, null as languages
      union all ${otherForms(word, stems)})`;
    const isForm = isInLanguages(sql.ref("forms.languages"), sql`document_words.rowid / ${size}`);
    const match = sql`document_words match '"' || forms.word || '"' and ${isForm}`;
    if (documentIds === null) {
      return sql`with ${forms} select ${columns} from forms cross join document_words where ${match}`;
    }
    return sql`with ${forms}, asked as materialized (
        select value as document_id, value * ${size} as first, value * ${size} + ${lastPart} as last
        from json_each(${dialect.list(documentIds)})
      )
      select asked.document_id, document_words.rowid - asked.first as part
      from asked cross join forms cross join document_words
      where ${match} and document_words.rowid between asked.first and asked.last`;
  },

  // Numbers are bound as reals, and FTS5 compares the rowids of the whole index with a range between reals.
  partsOf: (documentIds) => sql`select asked.value as document_id, indexed.id % ${size} as part
    from json_each(${dialect.list(documentIds)}) as asked cross join document_words_docsize as indexed
    where indexed.id between asked.value * ${size} and asked.value * ${size} + ${lastPart}`,

  documentsOf: (documentIds) => sql`select asked.value as document_id
    from json_each(${dialect.list(documentIds)}) as asked
    where exists (select 1 from document_words_docsize
      where id between asked.value * ${size} and asked.value * ${size} + ${lastPart})`,

  entryWithWord: (part, word) =>
    sql`select 1 from document_words where rowid = ${rowidOf(part)} and document_words match ${`"${word}"`}`,

  async add(writer, parts) {
    const rows = parts
      .toSorted((one, other) => one.documentId - other.documentId || one.part - other.part)
      .map((part) => ({ rowid: rowidOf(part), words: part.words.join(" ") }));
    await insert(writer, "document_words", rows);
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
    await sql`delete from word_counts where rowid in (
      select distinct ${blockSize} * (${sql.lit(partOfPage(0))} + page / ${sql.lit(pagesPerBlock)}) + document_id
      from document_pages where document_id = ${documentId})`.execute(writer);
  },

  countsOf(word, stems) {
    const own = Object.fromEntries(termsOf(word).map(({ term, units }) => [quotedTerm(term), units]));
    const exact = sql`select key as term, value as units, null as languages from json_each(${JSON.stringify(own)})`;
    if (stems.length === 0) return countsOfTerms(exact);
    const marks = Object.fromEntries(countMarks.map(({ mark, unitsOfForm }) => [mark, unitsOfForm]));
    const terms = sql`${exact} union all
      select '"' || forms.word || marks.key || '"' as term, marks.value as units, forms.languages as languages
      from (${otherForms(word, stems)}) as forms cross join json_each(${JSON.stringify(marks)}) as marks`;
    const document = sql`word_counts.rowid % ${blockSize}`;
    return sql`${countsOfTerms(terms)} and ${isInLanguages(sql.ref("terms.languages"), document)}`;
  },

  shownVocabulary(pattern, isShown, max) {
    const term = sql.ref("counted_terms.term");
    const word = sql`substr(${term}, 1, length(${term}) - 1)`;
    const shown = sql`select 1 from word_counts
        cross join documents on documents.id = word_counts.rowid % ${blockSize}
      where word_counts match '"' || ${term} || '"'
        and word_counts.rowid < ${sql.lit(firstNotePart)} * ${blockSize} and ${isShown}
      limit ${sql.lit(max)}`;
    // The second condition on the word excludes words that only begin alike. If the terms were not materialized, SQLite
    // would count the blocks of each one twice.
    return sql`with terms as materialized (
        select ${word} as word, (select count(*) from (${shown})) as blocks from counted_terms
        where ${beginsLike(term, pattern)} and ${isWordOf(word, pattern)}
      )
      select word, min(sum(blocks), ${sql.lit(max)}) as blocks from terms where blocks > 0 group by word`;
  },

  async putCounts(writer, blocks) {
    const replaced = blocks.filter(({ isNew }) => !isNew);
    if (replaced.length > 0) {
      const rowids = `[${replaced.map(countsRowid).join(",")}]`;
      await sql`delete from word_counts where ${dialect.isAmong(sql.ref("rowid"), sql`${rowids}`)}`.execute(
        writer,
      );
    }
    const rows = blocks
      .filter(({ terms }) => terms.length > 0)
      .toSorted(inOrderOfRowids)
      .map((block) => ({ rowid: countsRowid(block), words: block.terms.join(" ") }));
    await insert(writer, "word_counts", rows);
  },

  // One row in each statement, as in `insert`.
  async putLengths(writer, blocks) {
    for (const { documentId, block, length } of blocks) {
      await writer.executeQuery(CompiledQuery.raw(putLength, [documentId, block, length]));
    }
    for (const id of new Set(blocks.map(({ documentId }) => documentId))) {
      await writer.executeQuery(CompiledQuery.raw(putTotal, [id, id]));
    }
  },

  async addForms(writer, forms) {
    const added: WordForm[] = [];
    for (const form of forms) {
      const values = [form.language, form.stem, form.word];
      const { numAffectedRows } = await writer.executeQuery(CompiledQuery.raw(addForm, values));
      if (numAffectedRows === 1n) added.push(form);
    }
    return added;
  },

  countsWithTerm: (block, terms) => sql`select 1 from word_counts
    where rowid = ${countsRowid(block)} and word_counts match ${terms.map(quotedTerm).join(" OR ") || '""'}`,

  // FTS5 stores the number of terms of each row as a variable-length integer.
  async countedWords(reader, blocks) {
    const rowids = `[${blocks.map(countsRowid).join(",")}]`;
    const { rows } = await sql<BlockName & { sz: Uint8Array }>`
      select id % ${blockSize} as "documentId", id / ${blockSize} as block, sz from word_counts_docsize
      where ${dialect.isAmong(sql.ref("id"), sql`${rowids}`)}`.execute(reader);
    return rows.map(({ documentId, block, sz }) => {
      const words = sz.reduce((sum, byte) => sum * 128 + (byte & 127), 0);
      return { documentId, block, words };
    });
  },

  // SQLite has only one writer anyway.
  lockVocabulary: () => Promise.resolve(),

  // The vocabulary is a view of the index, so only the forms are removed.
  async forgetUnusedWords(writer, words) {
    const { numAffectedRows = 0n } = await sql`delete from word_forms
      where word in (${unusedForms(words)})`.execute(writer);
    if (numAffectedRows > 0n)
      await sql`update word_form_removals set removals = removals + 1`.execute(writer);
  },

  async unusedForms(writer, words) {
    const { rows } = await sql<{ word: string }>`select distinct word from word_forms
      where word in (${unusedForms(words)})`.execute(writer);
    return rows.map(({ word }) => word);
  },

  async addMany(writer, work) {
    await setBuffer(writer, largeBuffer);
    await work();
    await setBuffer(writer, usualBuffer);
  },

  async purgeStep(writer, step) {
    const pages = step === "first" ? -pagesAtOnce : pagesAtOnce;
    let isLeft = false;
    for (const table of ["document_words", "word_counts"]) {
      const before = await changesOf(writer);
      await sql`insert into ${sql.table(table)} (${sql.ref(table)}, rank) values ('merge', ${sql.lit(pages)})`.execute(
        writer,
      );
      // The command itself counts as one change.
      if ((await changesOf(writer)) - before >= 2) isLeft = true;
    }
    return isLeft;
  },
};

const putLength = `insert into block_lengths (document_id, block, words) values (?, ?, ?)
  on conflict (document_id, block) do update set words = excluded.words`;
const putTotal = `insert into document_lengths (document_id, words)
  values (?, (select sum(words) from block_lengths where document_id = ?))
  on conflict (document_id) do update set words = excluded.words`;
const addForm = "insert into word_forms (language, stem, word) values (?, ?, ?) on conflict do nothing";

/** The counts of some terms, which are rows of `term`, `units` and `languages`. */
function countsOfTerms(terms: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`select word_counts.rowid % ${blockSize} as document_id, word_counts.rowid / ${blockSize} as part,
      terms.units as units
    from (${terms}) as terms cross join word_counts where word_counts match terms.term`;
}

const pagesAtOnce = 500;

/**
 * One row in each statement: before a statement with several rows, FTS5 writes its buffer to the index, so that it can
 * undo that statement alone.
 */
async function insert(
  writer: Writer,
  table: "document_words" | "word_counts",
  rows: readonly { rowid: bigint; words: string }[],
): Promise<void> {
  const statement = `insert into ${table} (rowid, words) values (?, ?)`;
  for (const { rowid, words } of rows)
    await writer.executeQuery(CompiledQuery.raw(statement, [rowid, words]));
}

async function setBuffer(writer: Writer, bytes: number): Promise<void> {
  for (const table of ["document_words", "word_counts"]) {
    await sql`insert into ${sql.table(table)} (${sql.ref(table)}, rank) values ('hashsize', ${sql.lit(bytes)})`.execute(
      writer,
    );
  }
}

async function changesOf(writer: Writer): Promise<number> {
  const { rows } = await sql<{ changes: number }>`select total_changes() as changes`.execute(writer);
  return rows[0]?.changes ?? 0;
}

/** A bigint, because it exceeds what a number represents exactly. */
function rowidOf({ documentId, part }: PartName): bigint {
  return BigInt(documentId) * BigInt(partsPerDocument) + BigInt(part);
}

/** FTS5 flushes its buffer to the index whenever a rowid is not larger than the previous one. */
function inOrderOfRowids(one: BlockName, other: BlockName): number {
  return one.block - other.block || one.documentId - other.documentId;
}

function countsRowid({ documentId, block }: BlockName): bigint {
  return BigInt(block) * 2n ** 40n + BigInt(documentId);
}

function quotedTerm(term: string): string {
  return `"${term}"`;
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

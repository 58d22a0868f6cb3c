import { sql } from "kysely";
import type { Database, Reader, Writer } from "../../../database/database.ts";
import type { Dialect } from "../../../database/dialect.ts";
import { type TextPart, blockOf, partOfPage } from "../../../search/parts.ts";
import { countedWords, indexedParts } from "../../../search/text-index.ts";
import type { BlockName, PartName } from "../../../search/word-index.ts";
import { plainWordsOf } from "../../../search/words.ts";
import { describingParts } from "../indexed-fields.ts";
import { noteTextsOf } from "../pages/note-texts.ts";
import { lockDocument } from "../store.ts";

/** What the database says about a document that is being examined. */
export interface ExaminedDocument {
  id: number;
  slug: string;
  /** Of a document in the trash: the status that it had. */
  status: string;
  isInTrash: boolean;
  original_extension: string;
  page_count: number;
  /** The SHA-1 of its PDF, or empty. */
  file_hash: string;
  /** Its files are on another server. */
  isElsewhere: boolean;
  /** The extension of the file that arrived for it, if one ever did. */
  receivedAs: string | null;
  /** A job for the document is queued or running. */
  hasJob: boolean;
  /** The number of pages that have been read. */
  pagesRead: number;
}

const documentsAtOnce = 200;

/** The documents of a range of ids, in order and in batches. */
export async function* documentsToExamine(
  { reader }: Database,
  range: { after: number; to: number },
): AsyncGenerator<ExaminedDocument[]> {
  for (let { after } = range; ;) {
    const { rows } = await sql<
      Omit<ExaminedDocument, "isElsewhere" | "hasJob" | "isInTrash"> & {
        elsewhere: string | null;
        hasJob: boolean | number;
        inTrash: boolean | number;
      }
    >`
      select id, slug, original_extension, page_count, file_hash,
        coalesce((select deleted_documents.status from deleted_documents where document_id = documents.id), status)
          as status,
        exists (select 1 from deleted_documents where document_id = documents.id) as "inTrash",
        asset_url as elsewhere,
        (select extension from received_files where document_id = documents.id) as "receivedAs",
        (select count(*) from document_pages where document_id = documents.id) as "pagesRead",
        id in (select subject from jobs where kind like '%document') as "hasJob"
      from documents where id > ${after} and id <= ${range.to} order by id limit ${sql.lit(documentsAtOnce)}`.execute(
      reader,
    );
    const last = rows.at(-1);
    if (last === undefined) return;
    yield rows.map(({ elsewhere, hasJob, inTrash, ...row }) =>
      Object.assign(row, {
        isElsewhere: elsewhere !== null,
        hasJob: Boolean(hasJob),
        isInTrash: Boolean(inTrash),
      }),
    );
    if (rows.length < documentsAtOnce) return;
    after = last.id;
  }
}

/** Whether the document's PDF has been read, and still has this SHA-1. */
export async function isReadAs({ reader }: Database, id: number, hash: string): Promise<boolean> {
  const rows = await reader
    .selectFrom("documents")
    .select("id")
    .where("id", "=", id)
    .where("status", "=", "success")
    .where("file_hash", "=", hash)
    .execute();
  return rows.length > 0;
}

/** How the search index differs from a document's texts. */
export interface IndexFault {
  /** Parts that the index lacks. */
  missing: TextPart[];
  /** Parts that the index should not have. */
  surplus: number[];
  /** One part of each block whose word count differs from its texts. */
  miscounted: TextPart[];
}

type ExaminedText = TextPart & { words: readonly string[] };

const nameOf = ({ documentId, block }: BlockName): string => `${documentId} ${block}`;
const documentOf = ({ documentId }: { documentId: number }): number => documentId;

/**
 * Finds the faults of these documents. All their texts are in memory at once. A document that is still to be indexed
 * has no fault.
 *
 * Reads the index before the texts. Pages that are added in between are indexed in the same commit, so they may seem to
 * be missing from the index, but never surplus.
 */
export async function findIndexFaults(
  reader: Reader,
  documentIds: readonly number[],
): Promise<Map<number, IndexFault>> {
  const unindexed = await findUnindexed(reader, documentIds);
  const ids = documentIds.filter((id) => !unindexed.has(id));
  if (ids.length === 0) return new Map();
  const indexed = Map.groupBy(await indexedParts(reader, ids), documentOf);
  const texts = Map.groupBy(await findTexts(reader, ids), documentOf);
  const compared = ids.map((id) => compareParts(id, texts.get(id) ?? [], indexed.get(id) ?? []));
  const miscounted = await findMiscounted(
    reader,
    compared.flatMap(({ parts }) => parts),
  );
  const faults = compared.map(({ id, missing, surplus }) => {
    const fault: IndexFault = { missing, surplus, miscounted: miscounted.get(id) ?? [] };
    return [id, fault] as const;
  });
  return new Map(faults.filter(([, fault]) => Object.values(fault).some((found) => found.length > 0)));
}

/** Like {@link findIndexFaults}, of one document, which it locks against changes until the transaction ends. */
export async function lockIndexFault(
  writer: Writer,
  dialect: Dialect,
  id: number,
): Promise<IndexFault | null> {
  await lockDocument(writer, dialect, id);
  return (await findIndexFaults(writer, [id])).get(id) ?? null;
}

async function findUnindexed(reader: Reader, ids: readonly number[]): Promise<ReadonlySet<number>> {
  const rows = await reader
    .selectFrom("unindexed_documents")
    .select("document_id")
    .where("document_id", "in", ids)
    .execute();
  return new Set(rows.map(({ document_id }) => document_id));
}

/** Compares the texts of a document with the parts of it that the index has. `parts` are all of both. */
function compareParts(id: number, texts: readonly ExaminedText[], indexed: readonly PartName[]) {
  const inIndex = new Set(indexed.map(({ part }) => part));
  const expected = texts.filter(({ words }) => words.length > 0);
  const parts = new Set(expected.map(({ part }) => part));
  const surplus = [...inIndex].filter((part) => !parts.has(part));
  const unread = surplus.map((part) => ({ documentId: id, part, text: "", words: [] }));
  return {
    id,
    missing: expected.filter(({ part }) => !inIndex.has(part)),
    surplus,
    parts: [...texts, ...unread],
  };
}

/** Finds one part of each block whose number of words differs from its texts, by document. */
async function findMiscounted(
  reader: Reader,
  texts: readonly ExaminedText[],
): Promise<ReadonlyMap<number, ExaminedText[]>> {
  const progress = await reader.selectFrom("word_count_progress").select("counted_to").executeTakeFirst();
  // A job has not counted the others yet.
  const countedTo = progress?.counted_to ?? Infinity;
  const named = texts
    .filter(({ documentId }) => documentId <= countedTo)
    .map((text) => ({ text, block: { documentId: text.documentId, block: blockOf(text.part) } }));
  const blocks = Map.groupBy(named, ({ block }) => nameOf(block));
  const names = [...blocks.values()].flatMap(([first]) => (first === undefined ? [] : [first.block]));
  const counted = new Map<string, number>();
  for (const block of await countedWords(reader, names)) counted.set(nameOf(block), block.words);
  const differing = [...blocks].flatMap(([name, inBlock]) => {
    const words = new Set(inBlock.flatMap(({ text }) => text.words));
    return words.size === (counted.get(name) ?? 0) ? [] : inBlock.slice(0, 1).map(({ text }) => text);
  });
  return Map.groupBy(differing, documentOf);
}

async function findTexts(reader: Reader, ids: readonly number[]): Promise<ExaminedText[]> {
  const texts = [
    ...(await describing(reader, ids)),
    ...(await pageParts(reader, ids)),
    ...(await noteTextsOf(reader, ids)),
  ];
  return texts.map(({ documentId, part, text }) => ({ documentId, part, text, words: plainWordsOf(text) }));
}

async function describing(reader: Reader, ids: readonly number[]): Promise<TextPart[]> {
  const rows = await reader
    .selectFrom("documents")
    .select(["id", "title", "source", "description"])
    .where("id", "in", ids)
    .execute();
  return rows.flatMap(({ id, ...texts }) => describingParts(id, texts));
}

async function pageParts(reader: Reader, ids: readonly number[]): Promise<TextPart[]> {
  const pages = await reader
    .selectFrom("document_pages")
    .select(["document_id", "page", "text"])
    .where("document_id", "in", ids)
    .execute();
  return pages.map(({ document_id, page, text }) => ({
    documentId: document_id,
    part: partOfPage(page),
    text,
  }));
}

/** Jobs for documents that do not exist. */
export async function findIdleJobs({ reader }: Database): Promise<{ kind: string; subject: number }[]> {
  const { rows } = await sql<{ kind: string; subject: number }>`
    select kind, subject from jobs where kind like '%document'
      and not exists (select 1 from documents where id = jobs.subject)`.execute(reader);
  return rows;
}

/** Documents with a progress entry, but without a job. */
export async function findIdleProgress({ reader }: Database): Promise<number[]> {
  const { rows } = await sql<{ document_id: number }>`
    select document_id from document_progress
      where not exists (select 1 from jobs where subject = document_progress.document_id)`.execute(reader);
  return rows.map(({ document_id }) => document_id);
}

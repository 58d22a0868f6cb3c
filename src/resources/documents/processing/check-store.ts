import { sql } from "kysely";
import type { Database, Reader, Writer } from "../../../database/database.ts";
import type { Dialect } from "../../../database/dialect.ts";
import { type TextPart, blockOf, partOfPage } from "../../../search/parts.ts";
import { countedWords, indexedParts } from "../../../search/text-index.ts";
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

export function isWhole({ missing, surplus, miscounted }: IndexFault): boolean {
  return missing.length + surplus.length + miscounted.length === 0;
}

/**
 * There is no fault in a document that is still to be indexed.
 *
 * Reads the index before the texts. Pages that are added in between are indexed in the same commit, so they may seem to
 * be missing from the index, but never surplus.
 */
export async function findIndexFault(reader: Reader, id: number): Promise<IndexFault> {
  if (await isUnindexed(reader, id)) return { missing: [], surplus: [], miscounted: [] };
  const indexed = new Set(await indexedParts(reader, id));
  const texts = [
    ...(await describing(reader, id)),
    ...(await pageParts(reader, id)),
    ...(await noteTextsOf(reader, id)),
  ];
  const expected = texts.filter(({ text }) => plainWordsOf(text).length > 0);
  const parts = new Set(expected.map(({ part }) => part));
  return {
    missing: expected.filter(({ part }) => !indexed.has(part)),
    surplus: [...indexed].filter((part) => !parts.has(part)),
    miscounted: await miscountedParts(reader, id, [
      ...texts,
      ...[...indexed].flatMap((part) => (parts.has(part) ? [] : [{ documentId: id, part, text: "" }])),
    ]),
  };
}

async function isUnindexed(reader: Reader, id: number): Promise<boolean> {
  const rows = await reader
    .selectFrom("unindexed_documents")
    .select("document_id")
    .where("document_id", "=", id)
    .execute();
  return rows.length > 0;
}

/** Compares the number of words of each block with its texts. Returns one part of each block that differs. */
async function miscountedParts(reader: Reader, id: number, texts: readonly TextPart[]): Promise<TextPart[]> {
  const progress = await reader.selectFrom("word_count_progress").select("counted_to").executeTakeFirst();
  // A job has not counted them yet.
  if (progress !== undefined && id > progress.counted_to) return [];
  const blocks = Map.groupBy(texts, ({ part }) => blockOf(part));
  const counted = await countedWords(reader, id, [...blocks.keys()]);
  return [...blocks].flatMap(([block, inBlock]) => {
    const words = new Set(inBlock.flatMap(({ text }) => plainWordsOf(text)));
    return words.size === (counted.get(block) ?? 0) ? [] : inBlock.slice(0, 1);
  });
}

/** Like {@link findIndexFault}, and locks the document against changes until the transaction ends. */
export async function lockIndexFault(writer: Writer, dialect: Dialect, id: number): Promise<IndexFault> {
  await lockDocument(writer, dialect, id);
  return findIndexFault(writer, id);
}

async function describing(reader: Reader, id: number): Promise<TextPart[]> {
  const rows = await reader
    .selectFrom("documents")
    .select(["title", "source", "description"])
    .where("id", "=", id)
    .execute();
  return rows.flatMap((row) => describingParts(id, row));
}

async function pageParts(reader: Reader, documentId: number): Promise<TextPart[]> {
  const pages = await reader
    .selectFrom("document_pages")
    .select(["page", "text"])
    .where("document_id", "=", documentId)
    .execute();
  return pages.map(({ page, text }) => ({ documentId, part: partOfPage(page), text }));
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

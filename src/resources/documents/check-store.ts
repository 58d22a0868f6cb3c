import { type RawBuilder, sql } from "kysely";
import type { Database } from "../../database/database.ts";
import { type TextPart, partOfPage, partsPerDocument } from "../../search/parts.ts";
import { busyStatuses } from "./processing-store.ts";

/** A document as it is examined: what the database says of it. */
export interface ExaminedDocument {
  id: number;
  slug: string;
  status: string;
  original_extension: string;
  title: string;
  source: string;
  description: string;
  page_count: number;
  /** Its files are elsewhere. */
  isElsewhere: boolean;
  /** A job that will read its file is queued or under way. */
  hasJob: boolean;
  /** As many pages have a text. */
  pagesRead: number;
}

const documentsAtOnce = 200;

/** All documents in order of their ids, some at a time. */
export async function* documentsToExamine({ reader }: Database): AsyncGenerator<ExaminedDocument[]> {
  for (let after = 0; ;) {
    const { rows } = await sql<
      Omit<ExaminedDocument, "isElsewhere" | "hasJob"> & { elsewhere: string | null; jobs: number }
    >`
      select id, slug, status, original_extension, title, source, description, page_count,
        asset_url as elsewhere,
        (select count(*) from document_pages where document_id = documents.id) as "pagesRead",
        (select count(*) from jobs where subject = documents.id and kind like '%document') as jobs
      from documents where id > ${after} order by id limit ${sql.lit(documentsAtOnce)}`.execute(reader);
    const last = rows.at(-1);
    if (last === undefined) return;
    yield rows.map(({ elsewhere, jobs, ...row }) =>
      Object.assign(row, { isElsewhere: elsewhere !== null, hasJob: jobs > 0 }),
    );
    after = last.id;
  }
}

/** Which parts of a document the index of words has. */
export async function findIndexedParts({ dialect, reader }: Database, documentId: number): Promise<number[]> {
  const parts: RawBuilder<{ part: number }> =
    dialect.engine === "sqlite"
      ? sql`select rowid % ${sql.lit(partsPerDocument)} as part from document_words
          where rowid between ${sql.lit(partsPerDocument)} * ${documentId}
            and ${sql.lit(partsPerDocument)} * ${documentId} + ${sql.lit(partsPerDocument - 1)}`
      : sql`select distinct part from document_words where document_id = ${documentId}`;
  return (await parts.execute(reader)).rows.map(({ part }) => part);
}

/** The texts of pages by their parts. */
export async function findPageParts({ reader }: Database, documentId: number): Promise<TextPart[]> {
  const pages = await reader
    .selectFrom("document_pages")
    .select(["page", "text"])
    .where("document_id", "=", documentId)
    .execute();
  return pages.map(({ page, text }) => ({ documentId, part: partOfPage(page), text }));
}

/** Jobs about documents that are not there, or that nothing is to be done for. */
export async function findIdleJobs({ reader }: Database): Promise<{ kind: string; subject: number }[]> {
  const { rows } = await sql<{ kind: string; subject: number }>`
    select kind, subject from jobs where kind like '%document'
      and not exists (select 1 from documents where id = jobs.subject)`.execute(reader);
  return rows;
}

/** Notes of progress that nobody is making. */
export async function findIdleProgress({ reader }: Database): Promise<number[]> {
  const { rows } = await sql<{ document_id: number }>`
    select document_id from document_progress
      where not exists (select 1 from jobs where subject = document_progress.document_id)`.execute(reader);
  return rows.map(({ document_id }) => document_id);
}

export function isBusy(status: string): boolean {
  return busyStatuses.includes(status);
}

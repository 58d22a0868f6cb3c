import { sql } from "kysely";
import type { Database, Writer } from "../../../database/database.ts";
import { dialectOf } from "../../../database/dialect.ts";
import type { Job } from "../../../jobs/running-job.ts";
import { partOfPage } from "../../../search/parts.ts";
import { indexTexts } from "../../../search/text-index.ts";
import { describingParts } from "../indexed-fields.ts";
import { noteTextsOf } from "../pages/note-texts.ts";

/** The job that adds the documents that are older than the text index to it. */
export const indexJob = "index documents";

const documentsAtOnce = 100;

/** Indexes all documents in order of ids, in batches. Running it again does no harm. */
export async function indexDocuments(
  database: Database,
  job: Pick<Job, "complete">,
  signal: AbortSignal,
): Promise<void> {
  for (let after: number | null = 0; after !== null;) {
    signal.throwIfAborted();
    const from: number = after;
    after = await database.write((writer) => indexDocumentsAfter(writer, from));
  }
  await database.write((writer) => job.complete(writer));
}

/** Indexes the next batch. Returns the id of its last document, or null if there are no more documents. */
export async function indexDocumentsAfter(
  writer: Writer,
  after: number,
  options: { areNew?: boolean } = {},
): Promise<number | null> {
  const { rows } = await sql<{ id: number; title: string; source: string; description: string }>`
    select id, title, source, description from documents where id > ${after}
    order by id limit ${sql.lit(documentsAtOnce)} ${dialectOf(writer).forUpdate}`.execute(writer);
  await indexTexts(
    writer,
    rows.flatMap((row) => describingParts(row.id, row)),
    options,
  );
  for (const { id: documentId } of rows) {
    const pages = await writer
      .selectFrom("document_pages")
      .select(["page", "text"])
      .where("document_id", "=", documentId)
      .execute();
    const parts = pages.map(({ page, text }) => ({ documentId, part: partOfPage(page), text }));
    await indexTexts(writer, [...parts, ...(await noteTextsOf(writer, documentId))], options);
  }
  return rows.at(-1)?.id ?? null;
}

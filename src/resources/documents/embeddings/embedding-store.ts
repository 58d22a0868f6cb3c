import { sql } from "kysely";
import { BulkInsert } from "../../../database/bulk-insert.ts";
import type { Database, Reader, Writer } from "../../../database/database.ts";
import { dialectOf } from "../../../database/dialects.ts";
import type { PageEmbeddingsTable } from "../../../database/tables.ts";
import { enqueue } from "../../../jobs/queue.ts";
import { textsOf } from "../pages/page-texts.ts";

/** The job that embeds the pages of documents that have no vectors of the model yet. */
export const embedJob = "embed documents";

/** The text of a page, counting from 0. */
export interface PageText {
  page: number;
  text: string;
}

/** Whether any document has no vectors at all. */
export async function areVectorsMissing({ reader }: Pick<Database, "reader">): Promise<boolean> {
  const next = await reader
    .selectFrom("documents")
    .leftJoin("embedded_documents", "embedded_documents.document_id", "documents.id")
    .select("documents.id")
    .where("embedded_documents.document_id", "is", null)
    .limit(1)
    .executeTakeFirst();
  return next !== undefined;
}

export async function embedLater(writer: Writer): Promise<void> {
  await enqueue(writer, { kind: embedJob, subject: 0 });
}

/** The next document in order of ids whose pages have no vectors of this model. Null after the last one. */
export async function findUnembedded(
  { reader }: Pick<Database, "reader">,
  model: string,
  after: number,
): Promise<number | null> {
  const next = await reader
    .selectFrom("documents")
    .leftJoin("embedded_documents", "embedded_documents.document_id", "documents.id")
    .select("documents.id")
    .where("documents.id", ">", after)
    .where((has) =>
      has.or([has("embedded_documents.model", "is", null), has("embedded_documents.model", "<>", model)]),
    )
    .orderBy("documents.id")
    .limit(1)
    .executeTakeFirst();
  return next?.id ?? null;
}

const insertion = new BulkInsert<PageEmbeddingsTable>("page_embeddings", [
  "document_id",
  "page",
  "model",
  "vectors",
]);

/**
 * Stores the vectors of a document that were made from these texts, the first of its pages. Does nothing if its texts
 * have changed since.
 */
export async function putEmbeddings(
  writer: Writer,
  documentId: number,
  model: string,
  made: { texts: readonly PageText[]; isWhole: boolean; rows: readonly PageEmbeddingsTable[] },
): Promise<void> {
  // Those who write the texts of a document have locked it.
  const { rows: locked } = await sql`select 1 from documents where id = ${documentId}
    ${dialectOf(writer).forUpdate}`.execute(writer);
  if (locked.length === 0 || !(await areTextsOf(writer, documentId, made))) return;
  await writer.deleteFrom("page_embeddings").where("document_id", "=", documentId).execute();
  if (made.rows.length > 0) await insertion.run(writer, made.rows);
  await writer
    .insertInto("embedded_documents")
    .values({ document_id: documentId, model })
    .onConflict((conflict) => conflict.column("document_id").doUpdateSet({ model }))
    .execute();
}

async function areTextsOf(
  reader: Reader | Writer,
  documentId: number,
  { texts, isWhole }: { texts: readonly PageText[]; isWhole: boolean },
): Promise<boolean> {
  let at = 0;
  for await (const pages of textsOf(reader, documentId)) {
    for (const { page, text } of pages) {
      const expected = texts[at++];
      if (expected === undefined) return !isWhole;
      if (expected.page !== page || expected.text !== text) return false;
    }
  }
  return at === texts.length;
}

/** The vectors of the pages of some documents. */
export async function findEmbeddings(
  { reader, dialect }: Database,
  documentIds: readonly number[],
  model: string,
): Promise<Pick<PageEmbeddingsTable, "document_id" | "page" | "vectors">[]> {
  const { rows } = await sql<Pick<PageEmbeddingsTable, "document_id" | "page" | "vectors">>`
    select document_id, page, vectors from page_embeddings
    where ${dialect.isAmong(sql.ref("document_id"), sql`${dialect.list(documentIds)}`)} and model = ${model}`.execute(
    reader,
  );
  return rows;
}

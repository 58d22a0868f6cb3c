import { type RawBuilder, sql } from "kysely";
import type { Database, Reader, Writer } from "../../database/database.ts";
import { timestampNow } from "../../http/text/timestamp.ts";

export interface Figures {
  documents: number;
  pages: number;
  bytes: number;
}

export interface MeasuredDocument {
  id: number;
  user_id: number;
  organization_id: number;
  page_count: number;
}

const documentsAtOnce = 1000;

/** The documents after this id, in order of their ids. */
export async function documentsAfter(
  { reader }: Pick<Database, "reader">,
  after: number,
): Promise<MeasuredDocument[]> {
  return reader
    .selectFrom("documents")
    .select(["id", "user_id", "organization_id", "page_count"])
    .where("id", ">", after)
    .where("status", "<>", "deleted")
    .orderBy("id")
    .limit(documentsAtOnce)
    .execute();
}

/** The receipts of the files of the documents with ids in this range: their details as JSON text, oldest first. */
export async function fileReceipts(
  { reader }: Pick<Database, "reader">,
  { from, to }: { from: number; to: number },
): Promise<{ document_id: number; details: string }[]> {
  const { rows } = await sql<{ document_id: number; details: string }>`
    select document_id, details from document_receipts
    where document_id >= ${from} and document_id <= ${to} and step in ('received', 'fetched') and outcome = 'done'
    order by document_id, id`.execute(reader);
  return rows;
}

export async function membershipsIn(
  { reader }: Pick<Database, "reader">,
  { from, to }: { from: number; to: number },
): Promise<{ document_id: number; project_id: number }[]> {
  return reader
    .selectFrom("project_memberships")
    .select(["document_id", "project_id"])
    .where("document_id", ">=", from)
    .where("document_id", "<=", to)
    .execute();
}

export interface StoredFigures extends Figures {
  kind: "all" | "user" | "organization" | "project";
  subject: number;
}

/** The id of the newest receipt; 0 if there are no receipts. */
export async function findLastReceipt({ reader }: Pick<Database, "reader">): Promise<number> {
  const row = await reader
    .selectFrom("document_receipts")
    .select(({ fn }) => fn.max("id").as("id"))
    .executeTakeFirst();
  return row?.id ?? 0;
}

/** Replaces all figures. `last_receipt` is the newest receipt of before they were added up. */
export async function storeFigures(
  writer: Writer,
  figures: readonly StoredFigures[],
  last_receipt: number,
): Promise<void> {
  const measured_at = timestampNow();
  await writer.deleteFrom("storage_figures").execute();
  for (let from = 0; from < figures.length; from += 100) {
    await writer
      .insertInto("storage_figures")
      .values(figures.slice(from, from + 100).map((row) => Object.assign({ measured_at, last_receipt }, row)))
      .execute();
  }
}

export interface NamedFigures extends Figures {
  id: number;
  name: string;
}

const maxNamed = 200;

/** The users, the organizations or the projects whose documents take the most space. */
export async function largest(
  { reader }: Pick<Database, "reader">,
  kind: "user" | "organization" | "project",
): Promise<NamedFigures[]> {
  const [table, name] = {
    user: [sql`users`, sql`named.username`],
    organization: [sql`organizations`, sql`named.name`],
    project: [sql`projects`, sql`named.title`],
  }[kind] as [RawBuilder<unknown>, RawBuilder<unknown>];
  const { rows } = await sql<NamedFigures>`
    select named.id, ${name} as name, documents, pages, bytes from storage_figures
    join ${table} as named on named.id = storage_figures.subject
    where kind = ${kind} order by bytes desc, named.id limit ${sql.lit(maxNamed)}`.execute(reader);
  return rows;
}

/** The figures of all documents; null if they have not been measured yet. */
export async function findTotal(
  reader: Pick<Reader, "selectFrom">,
): Promise<(Figures & { measured_at: string }) | null> {
  const row = await reader
    .selectFrom("storage_figures")
    .select(["documents", "pages", "bytes", "measured_at"])
    .where("kind", "=", "all")
    .executeTakeFirst();
  return row ?? null;
}

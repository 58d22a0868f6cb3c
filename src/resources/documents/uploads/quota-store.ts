import { sql } from "kysely";
import type { Database } from "../../../database/database.ts";

/** A person or an organization, to whom documents belong. */
export interface Holder {
  kind: "user" | "organization";
  id: number;
}

const columnOf = ({ kind }: Holder) => (kind === "user" ? sql`user_id` : sql`organization_id`);

/** The person and the organization that a document belongs to; none if there is no such document. */
export async function holdersOf({ reader }: Pick<Database, "reader">, documentId: number): Promise<Holder[]> {
  const row = await reader
    .selectFrom("documents")
    .select(["user_id", "organization_id"])
    .where("id", "=", documentId)
    .executeTakeFirst();
  if (row === undefined) return [];
  return [
    { kind: "user", id: row.user_id },
    { kind: "organization", id: row.organization_id },
  ];
}

/**
 * The size of the files of a holder's documents, in bytes: as it was measured last, and what has arrived since. Null if
 * it has not been measured yet.
 */
export async function findStoredBytes(
  { reader }: Pick<Database, "reader">,
  holder: Holder,
): Promise<number | null> {
  const figures = reader.selectFrom("storage_figures");
  const total = await figures.select("last_receipt").where("kind", "=", "all").executeTakeFirst();
  if (total === undefined) return null;
  const measured = await figures
    .select("bytes")
    .where("kind", "=", holder.kind)
    .where("subject", "=", holder.id)
    .executeTakeFirst();
  const { rows: arrived } = await sql<{ details: string }>`select details from document_receipts
      join documents on documents.id = document_receipts.document_id
      where document_receipts.id > ${total.last_receipt} and step in ('received', 'fetched')
        and outcome = 'done' and documents.${columnOf(holder)} = ${holder.id}`.execute(reader);
  const sizes = arrived.map(({ details }) => (JSON.parse(details) as { bytes?: unknown }).bytes);
  return sizes.reduce<number>(
    (sum, size) => sum + (typeof size === "number" ? size : 0),
    measured?.bytes ?? 0,
  );
}

/** How many pages the documents have that a holder has added since then, as far as their files have been read. */
export async function countPagesSince(
  { reader }: Pick<Database, "reader">,
  holder: Holder,
  since: string,
): Promise<number> {
  const { rows } = await sql<{ pages: unknown }>`select coalesce(sum(page_count), 0) as pages from documents
      where ${columnOf(holder)} = ${holder.id} and created_at > ${since} and status <> 'deleted'`.execute(
    reader,
  );
  return Number(rows[0]?.pages ?? 0);
}

import { sql } from "kysely";
import type { Database } from "../../database/database.ts";

/** A document in a container. */
export interface Containment {
  child_id: number;
  parent_id: number;
  position: number;
}

interface RedactedCopy {
  copy_id: number;
  original_id: number;
  made_at: string | null;
}

type Reading = Pick<Database, "reader" | "dialect">;

/** Everything that is part of these documents, at any depth. */
export async function findPartsOf(
  { reader, dialect }: Reading,
  ids: readonly number[],
): Promise<Containment[]> {
  const { rows } = await sql<Containment>`
    with recursive parts (child_id, parent_id, position) as (
      select child_id, parent_id, position from document_children
      where ${dialect.isAmong(sql.ref("parent_id"), sql`${dialect.list(ids)}`)}
      union
      select c.child_id, c.parent_id, c.position from document_children c join parts on c.parent_id = parts.child_id
    ) select child_id, parent_id, position from parts`.execute(reader);
  return rows;
}

/** Which of these documents are part of another. */
export async function findContainments(
  { reader, dialect }: Reading,
  ids: readonly number[],
): Promise<Containment[]> {
  const { rows } = await sql<Containment>`select child_id, parent_id, position from document_children
    where ${dialect.isAmong(sql.ref("child_id"), sql`${dialect.list(ids)}`)}`.execute(reader);
  return rows;
}

/** The redacted copies of these documents, the newest last; `made_at` is null for one that is still to be made. */
export async function findCopies(
  { reader, dialect }: Reading,
  ids: readonly number[],
): Promise<RedactedCopy[]> {
  const { rows } = await sql<RedactedCopy>`
    select copy_id, original_id, made_at from redacted_copies
    where ${dialect.isAmong(sql.ref("original_id"), sql`${dialect.list(ids)}`)} order by copy_id`.execute(
    reader,
  );
  return rows;
}

/** Those of these documents of whose files a redaction has hidden something. */
export async function findRedacted({ reader, dialect }: Reading, ids: readonly number[]): Promise<number[]> {
  const isAmong = dialect.isAmong(sql.ref("document_id"), sql`${dialect.list(ids)}`);
  const { rows } = await sql<{ id: number }>`
    select document_id as id from redacted_boxes where ${isAmong}
    union select document_id as id from document_receipts
      where ${isAmong} and step = 'redacted' and outcome = 'done'`.execute(reader);
  return rows.map(({ id }) => id);
}

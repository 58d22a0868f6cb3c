import { sql } from "kysely";
import type { Writer } from "../../../database/database.ts";
import type { Dialect } from "../../../database/dialect.ts";
import { findHeld } from "../holds/held-documents.ts";
import { deleteDocument } from "../record/change-store.ts";

/** Deletes a document that has no file; false if it has one, is under a hold, or does not exist. */
export async function deleteUnfilled(writer: Writer, dialect: Dialect, id: number): Promise<boolean> {
  const { rows } = await sql`select id from documents
    where id = ${id} and status = 'nofile' ${dialect.forUpdate}`.execute(writer);
  if (rows.length === 0 || (await findHeld(writer, [id])).length > 0) return false;
  await deleteDocument(writer, id);
  return true;
}

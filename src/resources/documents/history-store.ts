import { Conditions } from "../../database/conditions.ts";
import { sql } from "kysely";
import type { Database, Reader, Writer } from "../../database/database.ts";
import type { Page } from "../../database/keyset.ts";
import { timestampNow } from "../../http/text/timestamp.ts";
import type { Cursor } from "../../http/request/cursor.ts";

/** The old and new value of each changed field. */
export type Changes = Readonly<Record<string, readonly [from: unknown, to: unknown]>>;

export type HistoryAction =
  | "created"
  | "changed"
  | "published"
  | "shared"
  | "unshared"
  | "redacted"
  | "modified"
  | "replaced"
  | "deleted"
  | "restored"
  | "removed"
  | "opened"
  | "held"
  | "released"
  | "disposed";

export interface HistoryEntry {
  documentId: number;
  /** Null if Quire itself acted, or a guest who has not signed in. */
  userId: number | null;
  action: HistoryAction;
  changes: Changes;
}

export interface HistoryRow {
  id: number;
  at: string;
  user_id: number | null;
  action: HistoryAction;
  changes: string;
}

/** Must run in the transaction of the change itself, so that neither exists without the other. */
export async function addHistory(writer: Writer, entries: readonly HistoryEntry[]): Promise<void> {
  if (entries.length === 0) return;
  const at = timestampNow();
  const rows = entries.map(({ documentId, userId, action, changes }) => ({
    document_id: documentId,
    at,
    user_id: userId,
    action,
    changes: JSON.stringify(changes),
  }));
  await writer.insertInto("document_history").values(rows).execute();
}

/** One page of a document's history, newest first. */
export async function listHistory(
  database: Database,
  documentId: number,
  cursor: Cursor,
  limit: number,
): Promise<Page<HistoryRow>> {
  return new Conditions(database.dialect, "document_history")
    .equals("document_id", documentId)
    .page(database, sql`id, at, user_id, action, changes`, cursor, limit, { descending: true });
}

/** Whether the history has a choice of the document's access, made when it was created or later. */
export async function hasAccessInHistory(
  reader: Pick<Reader, "selectFrom">,
  documentId: number,
): Promise<boolean> {
  const entries = await reader
    .selectFrom("document_history")
    .select("changes")
    .where("document_id", "=", documentId)
    .execute();
  return entries.some(({ changes }) => Object.hasOwn(JSON.parse(changes) as object, "access"));
}

/** Whether the history has any entry for a document with this id, which may have been deleted. */
export async function hasHistory({ reader }: Database, documentId: number): Promise<boolean> {
  const found = await reader
    .selectFrom("document_history")
    .select("id")
    .where("document_id", "=", documentId)
    .limit(1)
    .execute();
  return found.length > 0;
}

import { type Selectable, sql } from "kysely";
import type { Reader, Writer } from "../../database/database.ts";
import type { NotificationsTable } from "../../database/tables.ts";
import { timestampIn, timestampNow } from "../../http/text/timestamp.ts";

/*
 * The notices that people see within Quire. The transaction that makes a change also writes its notices. Rights are
 * checked when a notice is shown.
 */

export type NotificationRow = Selectable<NotificationsTable>;

export interface NewNotification {
  /** The person who is told. */
  userId: number;
  kind: NotificationRow["kind"];
  /** The id of the project, the note, the document or the webhook; 0 for what is counted together. */
  subject: number;
  /** How often it has happened; once if it is not given. */
  times?: number;
  documentId?: number | null;
  /** The person who did it; null if nobody did. */
  actorId?: number | null;
}

const keptDays = 90;
/** How many of a person are listed. */
const maxListed = 100;

/**
 * Adds to what a person is told of within Quire. Call it last in its transaction, because others that tell the same
 * person of the same subject wait for it.
 */
export async function notify(
  writer: Writer,
  { userId, kind, subject, times = 1, documentId = null, actorId = null }: NewNotification,
): Promise<void> {
  const now = timestampNow();
  await sql`insert into notifications (user_id, kind, subject, document_id, actor_id, count, created_at)
    select users.id, cast(${kind} as text), cast(${subject} as bigint), cast(${documentId} as bigint),
      cast(${actorId} as bigint), cast(${times} as bigint), cast(${now} as text)
    from users where users.id = ${userId} and users.password_hash is not null
    on conflict (user_id, kind, subject) where seen_at is null do update
    set count = notifications.count + excluded.count, document_id = excluded.document_id, actor_id = excluded.actor_id,
      created_at = excluded.created_at`.execute(writer);
  await writer
    .deleteFrom("notifications")
    .where("user_id", "=", userId)
    .where("created_at", "<", timestampIn(-keptDays * 86_400))
    .execute();
}

/** The latest notifications of a person, the newest first. */
export async function listNotifications(
  reader: Pick<Reader, "selectFrom">,
  userId: number,
): Promise<NotificationRow[]> {
  return reader
    .selectFrom("notifications")
    .selectAll()
    .where("user_id", "=", userId)
    .orderBy("created_at", "desc")
    .orderBy("id", "desc")
    .limit(maxListed)
    .execute();
}

/** How much of what a person was told of they have not marked as read. */
export async function countUnread(reader: Pick<Reader, "selectFrom">, userId: number): Promise<number> {
  const { unread } = await reader
    .selectFrom("notifications")
    .select((all) => all.fn.countAll<number>().as("unread"))
    .where("user_id", "=", userId)
    .where("seen_at", "is", null)
    .executeTakeFirstOrThrow();
  return unread;
}

/** Those of the subjects of a kind that a person was told of and has not marked as read. */
export async function findUnread(
  reader: Pick<Reader, "selectFrom">,
  userId: number,
  kind: NotificationRow["kind"],
  subjects: readonly number[],
): Promise<Set<number>> {
  if (subjects.length === 0) return new Set();
  const rows = await reader
    .selectFrom("notifications")
    .select("subject")
    .where("user_id", "=", userId)
    .where("kind", "=", kind)
    .where("subject", "in", subjects)
    .where("seen_at", "is", null)
    .execute();
  return new Set(rows.map(({ subject }) => subject));
}

/** Marks as read what a person was told of up to this moment. */
export async function markRead(writer: Writer, userId: number, until: string): Promise<void> {
  await writer
    .updateTable("notifications")
    .set({ seen_at: timestampNow() })
    .where("user_id", "=", userId)
    .where("seen_at", "is", null)
    .where("created_at", "<=", until)
    .execute();
}

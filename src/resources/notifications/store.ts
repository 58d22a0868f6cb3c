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
  /** The id of the project or the note; 0 for what is counted together. */
  subject: number;
  documentId?: number | null;
  /** The person who did it; null if nobody did. */
  actorId?: number | null;
}

const keptDays = 90;
/** How many of a person are listed. */
const maxListed = 100;

/**
 * Tells a person of something, unless they did it themselves. Call it last in its transaction, because others that tell
 * the same person of the same subject wait for it.
 */
export async function notify(
  writer: Writer,
  { userId, kind, subject, documentId = null, actorId = null }: NewNotification,
): Promise<void> {
  if (actorId === userId) return;
  const now = timestampNow();
  await sql`insert into notifications (user_id, kind, subject, document_id, actor_id, count, created_at)
    select users.id, cast(${kind} as text), cast(${subject} as bigint), cast(${documentId} as bigint),
      cast(${actorId} as bigint), 1, cast(${now} as text)
    from users where users.id = ${userId} and users.password_hash is not null
    on conflict (user_id, kind, subject) where seen_at is null do update
    set count = notifications.count + 1, document_id = excluded.document_id, actor_id = excluded.actor_id,
      created_at = excluded.created_at`.execute(writer);
  await writer
    .deleteFrom("notifications")
    .where("user_id", "=", userId)
    .where("created_at", "<", timestampIn(-keptDays * 86_400))
    .execute();
}

/** Tells the owner of a document that the work on its file has ended. A part of another document is not told of. */
export async function notifyOwner(
  writer: Writer,
  documentId: number,
  kind: "processed" | "failed",
): Promise<void> {
  const document = await writer
    .selectFrom("documents")
    .select("user_id")
    .where("id", "=", documentId)
    .where((row) =>
      row.not(
        row.exists(row.selectFrom("document_children").select("child_id").where("child_id", "=", documentId)),
      ),
    )
    .executeTakeFirst();
  if (document !== undefined)
    await notify(writer, { userId: document.user_id, kind, subject: 0, documentId });
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

import { sql } from "kysely";
import type { Selectable } from "kysely";
import { Conditions } from "../../database/conditions.ts";
import type { Database, Reader, Writer } from "../../database/database.ts";
import type { Page } from "../../database/keyset.ts";
import { addRow, removeRows, rowOf, rowsOf, setRows, valueOf } from "../../database/rows.ts";
import type { MailArrivalsTable, MailKeysTable } from "../../database/tables.ts";
import type { Cursor } from "../../http/request/cursor.ts";
import { timestampIn, timestampNow } from "../../http/text/timestamp.ts";

export type MailKeyRow = Selectable<MailKeysTable>;
/** The key of a person, or theirs for a project. */
export type KeyName = Pick<MailKeyRow, "user_id" | "project_id">;

type SomeReader = Pick<Reader, "selectFrom">;

/** Makes a key, which replaces the one of the same name: mails to its address are refused from now on. */
export async function replaceMailKey(
  writer: Writer,
  { dialect }: Pick<Database, "dialect">,
  { user_id, project_id }: KeyName,
  key: Pick<MailKeyRow, "digest" | "access">,
): Promise<void> {
  // Of two that are made at once, the second replaces the first.
  await sql`select id from users where id = ${user_id} ${dialect.forUpdate}`.execute(writer);
  await removeRows(writer, "mail_keys", { user_id, project_id });
  await addRow(writer, "mail_keys", {
    user_id,
    project_id,
    ...key,
    created_at: timestampNow(),
    used_at: null,
  });
}

/** Whether there was one. */
export async function removeMailKey(writer: Writer, { user_id, project_id }: KeyName): Promise<boolean> {
  return (await removeRows(writer, "mail_keys", { user_id, project_id })) > 0;
}

export async function findMailKeys(reader: SomeReader, userId: number): Promise<MailKeyRow[]> {
  return rowsOf(reader, "mail_keys", { user_id: userId }, "id");
}

export async function findMailKey(reader: SomeReader, digest: string): Promise<MailKeyRow | null> {
  return rowOf(reader, "mail_keys", { digest });
}

export type Arrival = Pick<Selectable<MailArrivalsTable>, "user_id" | "digest" | "way" | "sender">;

/** The document that the mail became; null if it has not arrived before. */
export async function findArrived(reader: SomeReader, digest: string): Promise<number | null> {
  return valueOf(reader, "mail_arrivals", "document_id", { digest });
}

/** Whether the document still waits for its file. */
export async function isUnfilled(reader: SomeReader, documentId: number): Promise<boolean> {
  return (await valueOf(reader, "documents", "status", { id: documentId })) === "nofile";
}

const keptSeconds = 30 * 86_400;
/** Of the refused ones, the oldest are removed beyond this number. */
const maxRefused = 10_000;

/** @throws the engine's error if the same mail has arrived meanwhile. */
export async function addArrival(
  writer: Writer,
  arrival: Arrival,
  { keyId, documentId }: { keyId: number; documentId: number },
): Promise<void> {
  const now = timestampNow();
  await writer.deleteFrom("mail_arrivals").where("arrived_at", "<", timestampIn(-keptSeconds)).execute();
  const row = { ...arrival, document_id: documentId, reason: null, times: 1, arrived_at: now };
  await addRow(writer, "mail_arrivals", row);
  await setRows(writer, "mail_keys", { id: keyId }, { used_at: now });
}

/** Lists a refusal once: the same one again only counts. */
export async function addRefusal(writer: Writer, refusal: Arrival & { reason: string }): Promise<void> {
  const arrived_at = timestampNow();
  const { id } = await writer
    .insertInto("mail_arrivals")
    .values({ ...refusal, document_id: null, times: 1, arrived_at })
    .onConflict((conflict) =>
      conflict.column("digest").doUpdateSet({ times: sql`mail_arrivals.times + 1`, arrived_at }),
    )
    .returning("id")
    .executeTakeFirstOrThrow();
  await writer
    .deleteFrom("mail_arrivals")
    .where("reason", "is not", null)
    .where("id", "<=", id - maxRefused)
    .execute();
}

export type RefusedRow = Pick<
  Selectable<MailArrivalsTable>,
  "id" | "way" | "sender" | "times" | "arrived_at"
> & { reason: string; username: string | null };

/** One page of the mails that were refused within 30 days, the latest first. */
export async function listRefused(
  database: Database,
  cursor: Cursor,
  limit: number,
): Promise<Page<RefusedRow>> {
  const columns = sql`mail_arrivals.id, way, sender, reason, times, arrived_at,
    (select username from users where users.id = mail_arrivals.user_id) as username`;
  return new Conditions(database.dialect, "mail_arrivals")
    .always("refused", sql`reason is not null`)
    .page(database, columns, cursor, limit, { descending: true });
}

/** The highest UID up to which the mails of a mailbox have been taken in. */
export async function findLastUid(
  reader: SomeReader,
  mailbox: { name: string; uid_validity: string },
): Promise<number> {
  return (await valueOf(reader, "mailboxes", "last_uid", mailbox)) ?? 0;
}

export async function setLastUid(
  writer: Writer,
  { name, uid_validity, last_uid }: { name: string; uid_validity: string; last_uid: number },
): Promise<void> {
  await writer
    .insertInto("mailboxes")
    .values({ name, uid_validity, last_uid })
    .onConflict((conflict) => conflict.column("name").doUpdateSet({ uid_validity, last_uid }))
    .execute();
}

import type { Context } from "../../context.ts";
import type { Reader, Writer } from "../../database/database.ts";
import type { MailsTable } from "../../database/tables.ts";
import { actionRefused, notFound } from "../../errors.ts";
import { timestampIn, timestampNow } from "../../http/text/timestamp.ts";
import { enqueue, remove } from "../../jobs/queue.ts";
import { setRows } from "../../database/rows.ts";

/** The job that sends one mail. Its subject is the mail's id. */
export const mailJob = "send mail";

export interface NewMail {
  /**
   * `invitation` and `reset` contain a link to set a password. The others are notices, which people can switch off:
   * `shared project` says what was shared, `failed documents` what could not be processed, `stopped
   * webhooks` what is not told any more; see notice-store.ts. `search alert` says what a saved search has
   * found. `message` has what the person's own program, such as an add-on, tells them.
   */
  kind: MailsTable["kind"];
  /** Null for a reset of an account that does not exist: nothing is sent. */
  userId: number | null;
  details?: Readonly<Record<string, unknown>>;
  /** The delay before it is sent; by default none. */
  afterSeconds?: number;
}

const keptDays = 30;
/** The oldest ones are removed beyond this number. */
const maxMails = 10_000;

/** Whether mails can be sent. */
export function hasMail({ mailUrl }: Context["config"]): boolean {
  return mailUrl !== null;
}

/** Queues a mail, in the transaction that causes it. After the commit, call `context.jobs.notify()`. Returns its id. */
export async function queueMail(
  writer: Writer,
  { kind, userId, details = {}, afterSeconds = 0 }: NewMail,
): Promise<number> {
  const { id } = await writer
    .insertInto("mails")
    .values({
      kind,
      user_id: userId,
      details: JSON.stringify(details),
      created_at: timestampNow(),
      sent_at: null,
      problem: null,
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  await enqueue(writer, { kind: mailJob, subject: id, afterSeconds });
  await writer
    .deleteFrom("mails")
    .where((mail) =>
      mail.or([mail("id", "<=", id - maxMails), mail("created_at", "<", timestampIn(-keptDays * 86_400))]),
    )
    .execute();
  return id;
}

export interface Mail {
  id: number;
  kind: MailsTable["kind"];
  user_id: number | null;
  details: string;
  sent_at: string | null;
}

export async function findMail(reader: Pick<Reader, "selectFrom">, id: number): Promise<Mail | null> {
  const mail = await reader
    .selectFrom("mails")
    .select(["id", "kind", "user_id", "details", "sent_at"])
    .where("id", "=", id)
    .executeTakeFirst();
  return mail ?? null;
}

/** A person to whom a mail is sent. */
export interface Recipient {
  id: number;
  username: string;
  name: string;
  email: string;
  /** Empty if they have chosen none. */
  language: string;
  /** Whether they get mails that only inform. */
  mail_notices: boolean | number;
}

/** The user, if they have an enabled account and an email address. */
export async function findRecipient(
  reader: Pick<Reader, "selectFrom">,
  userId: number,
): Promise<Recipient | null> {
  const user = await reader
    .selectFrom("users")
    .select(["id", "username", "name", "email", "language", "mail_notices"])
    .where("id", "=", userId)
    .where("password_hash", "is not", null)
    .where("is_active", "=", true)
    .where("email", "<>", "")
    .executeTakeFirst();
  return user ?? null;
}

export async function markSent(writer: Writer, id: number): Promise<void> {
  await setRows(writer, "mails", { id }, { sent_at: timestampNow(), problem: null });
}

/** Records why a mail was not sent. */
export async function markFailed(writer: Writer, id: number, problem: string): Promise<void> {
  await setRows(writer, "mails", { id }, { problem });
}

/** Removes a mail; it is not sent any more. Returns whether there was one. */
export async function removeMail(writer: Writer, id: number): Promise<boolean> {
  await remove(writer, { kind: mailJob, subject: id });
  const removed = await writer.deleteFrom("mails").where("id", "=", id).executeTakeFirst();
  return removed.numDeletedRows > 0n;
}

/** Sends a mail again that was given up. @throws {ApiError} 404, or 400 if the mail was sent. */
export async function resendMail(
  { database, jobs }: Pick<Context, "database" | "jobs">,
  id: number,
): Promise<void> {
  await database.write(async (writer) => {
    const mail = await findMail(writer, id);
    if (mail === null) throw notFound();
    if (mail.sent_at !== null) throw actionRefused("The mail was sent");
    await writer.updateTable("mails").set({ problem: null }).where("id", "=", id).execute();
    await enqueue(writer, { kind: mailJob, subject: id });
  });
  jobs.notify();
}

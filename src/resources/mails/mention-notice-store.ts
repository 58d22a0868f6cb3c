import type { Context } from "../../context.ts";
import type { Reader, Writer } from "../../database/database.ts";
import { hasMail } from "./mail-store.ts";
import { addToNotice } from "./notice-store.ts";

/** Tells a person, by mail, that a note mentions them, if a mail server is set up and they get notices. */
export async function noticeMention(
  { config, database }: Pick<Context, "config" | "database">,
  writer: Writer,
  { userId, note }: { userId: number; note: number },
): Promise<void> {
  if (hasMail(config)) await addToNotice(database, writer, { kind: "mentions", userId, subject: note });
}

/** How many of these notes the person has not read of within Quire. */
export async function countUnreadMentions(
  reader: Reader,
  userId: number,
  notes: readonly number[],
): Promise<number> {
  if (notes.length === 0) return 0;
  const { count } = await reader
    .selectFrom("notifications")
    .select((all) => all.fn.countAll<number>().as("count"))
    .where("user_id", "=", userId)
    .where("kind", "=", "mentioned")
    .where("subject", "in", notes)
    .where("seen_at", "is", null)
    .executeTakeFirstOrThrow();
  return count;
}

import type { Context } from "../../context.ts";
import type { Reader, Writer } from "../../database/database.ts";
import { hasMail } from "./mail-store.ts";
import { addToNotice } from "./notice-store.ts";

/**
 * Tells the owner of a webhook, by mail, that it was switched off. Does nothing without a mail server, or if the owner
 * gets no notices.
 */
export async function noticeStoppedWebhook(
  { config, database }: Pick<Context, "config" | "database">,
  writer: Writer,
  { userId, webhookId }: { userId: number; webhookId: number },
): Promise<void> {
  if (!hasMail(config)) return;
  await addToNotice(database, writer, { kind: "stopped webhooks", userId, subject: webhookId });
}

/** A webhook that was switched off, as a notice names it. */
export interface StoppedWebhook {
  id: number;
  name: string;
  url: string;
}

/** Those of the webhooks that are still off. */
export async function findStopped(
  reader: Reader,
  userId: number,
  ids: readonly number[],
): Promise<StoppedWebhook[]> {
  if (ids.length === 0) return [];
  return reader
    .selectFrom("webhooks")
    .select(["id", "name", "url"])
    .where("id", "in", ids)
    .where("user_id", "=", userId)
    .where("is_enabled", "=", false)
    .orderBy("id")
    .execute();
}

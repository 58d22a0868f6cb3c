import type { Reader } from "../../database/database.ts";

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

import type { Writer } from "../../database/database.ts";
import { addAccountHistory } from "./account-history-store.ts";

/**
 * Ends a person's connections: one of them, those of a client, or all. Its tokens end with it. Returns their number.
 *
 * @param by the person who did it; null if nobody did.
 */
export async function endConnections(
  writer: Writer,
  userId: number,
  which: { id?: number; clientId?: number },
  by: number | null,
): Promise<number> {
  let removal = writer.deleteFrom("assistant_connections").where("user_id", "=", userId);
  if (which.id !== undefined) removal = removal.where("id", "=", which.id);
  if (which.clientId !== undefined) removal = removal.where("client_id", "=", which.clientId);
  const ended = await removal.returning("name").execute();
  // Nothing that is still to be connected survives the end of all.
  if (which.id === undefined && which.clientId === undefined)
    await writer.deleteFrom("assistant_codes").where("user_id", "=", userId).execute();
  for (const { name } of ended) await addAccountHistory(writer, userId, "assistant_disconnected", by, name);
  return ended.length;
}

import type { Database } from "../../../database/database.ts";
import { timestampIn, timestampNow } from "../../../http/text/timestamp.ts";

/** A network stays known for ninety days after the last sign-in from it. */
const keptSeconds = 90 * 24 * 3600;

/** Whether there was a successful sign-in to this account from this network. */
export async function isKnownNetwork(database: Database, user: number, network: string): Promise<boolean> {
  const found = await database.reader
    .selectFrom("known_networks")
    .select("user_id")
    .where("user_id", "=", user)
    .where("network", "=", network)
    .where("seen_at", ">", timestampIn(-keptSeconds))
    .executeTakeFirst();
  return found !== undefined;
}

/** Records a successful sign-in. */
export async function noteKnownNetwork(database: Database, user: number, network: string): Promise<void> {
  const seen_at = timestampNow();
  await database.write(async (writer) => {
    await writer
      .insertInto("known_networks")
      .values({ user_id: user, network, seen_at })
      .onConflict((conflict) => conflict.columns(["user_id", "network"]).doUpdateSet({ seen_at }))
      .execute();
    await writer
      .deleteFrom("known_networks")
      .where("user_id", "=", user)
      .where("seen_at", "<=", timestampIn(-keptSeconds))
      .execute();
  });
}

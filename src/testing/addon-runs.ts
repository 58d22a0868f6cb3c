import type { Database } from "../database/database.ts";
import { newRun } from "./request-things.ts";

/** Adds a public add-on, an event that starts it, and ended runs of a person, each of which has made a file `a.csv`. */
export async function addRunsWithFiles(
  database: Database,
  user_id: number,
  uuids: readonly string[],
): Promise<void> {
  const times = { created_at: "2025-01-31T12:00:00.000000Z", updated_at: "2025-01-31T12:00:00.000000Z" };
  const flags = { is_default: false, is_featured: false, is_removed: false };
  const about = { name: "Counter", repository: "press/counter", description: "", categories: "" };
  const own = { addon_id: 1, user_id, parameters: "{}", ...times };
  const kept = { file_name: "a.csv", file_expires_at: "2999-01-01T00:00:00.000000Z" };
  await database.write(async (writer) => {
    const addon = { id: 1, access: "public", parameters: "{}" } as const;
    await writer
      .insertInto("addons")
      .values({ ...addon, ...about, ...flags, ...times })
      .execute();
    await writer
      .insertInto("addon_events")
      .values({ ...own, id: 1, event: 2, scratch: "{}" })
      .execute();
    for (const [index, uuid] of uuids.entries()) {
      const run = { id: index + 1, uuid, event_id: 1, status: "success" } as const;
      await writer
        .insertInto("addon_runs")
        .values({ ...own, ...newRun, ...kept, ...run })
        .execute();
    }
  });
}

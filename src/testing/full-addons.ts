import { randomUUID } from "node:crypto";
import type { Draws, TableRows } from "./full-credentials.ts";

/** Each person has an add-on, an event that starts it, and a run of it. */
export function addonRows(users: readonly number[], draws: Draws): TableRows {
  const { texts, moment, flag, number, maybe, some } = draws;
  const times = () => ({ created_at: moment(), updated_at: moment() });
  return [
    [
      "addons",
      users.map((id) => ({
        id,
        user_id: maybe(id),
        access: some(["public", "organization", "private"]),
        name: texts(),
        repository: `addon-${id}`,
        description: texts(),
        categories: some(["", ",ai,"]),
        parameters: "{}",
        is_default: flag(),
        is_featured: flag(),
        is_removed: flag(),
        is_enabled: flag(),
        config: maybe(texts()),
        ...times(),
      })),
    ],
    [
      "addon_events",
      users.map((id) => ({
        id,
        addon_id: id,
        user_id: id,
        parameters: JSON.stringify({ site: texts() }),
        site: maybe(texts()),
        event: some([0, 1, 2, 3, 4]),
        scratch: "{}",
        due_at: maybe(moment()),
        transaction_id: null,
        feed_id: null,
        ...times(),
      })),
    ],
    [
      "addon_runs",
      users.map((id) => ({
        id,
        uuid: randomUUID(),
        addon_id: id,
        event_id: maybe(id),
        user_id: id,
        status: some(["queued", "in_progress", "success", "failure", "cancelled"]),
        progress: some([0, 100]),
        message: texts(),
        file_name: texts(),
        file_expires_at: maybe(moment()),
        dismissed: flag(),
        rating: some([-1, 0, 1]),
        comment: texts(),
        credits_spent: number(),
        data: "{}",
        parameters: "{}",
        documents: maybe("[1]"),
        query: maybe(texts()),
        scope: maybe("[1]"),
        refresh_digest: maybe(`refresh ${id}`),
        ...times(),
      })),
    ],
  ];
}

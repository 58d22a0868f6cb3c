import type { Draws, TableRows } from "./full-credentials.ts";

/** Rows of webhooks that are off, and of what they were told. */
export function webhookRows(users: readonly number[], draws: Draws): TableRows {
  const { texts, moment, number, maybe, some } = draws;
  return [
    [
      "webhooks",
      users.map((user_id) => ({
        id: user_id,
        user_id,
        name: texts(),
        url: texts(),
        types: some(["[]", '["note.created"]']),
        secret: texts(),
        former_secret: maybe(texts()),
        rotated_at: maybe(moment()),
        is_enabled: false,
        problem: maybe(texts()),
        failing_since: maybe(moment()),
        transaction_id: maybe(number()),
        event_id: maybe(number()),
        created_at: moment(),
        updated_at: moment(),
      })),
    ],
    [
      "webhook_deliveries",
      users.map((webhook_id) => ({
        webhook_id,
        event_id: number(),
        happened_at: moment(),
        type: "note.created",
        document_id: maybe(number()),
        project_id: maybe(number()),
        object_id: maybe(number()),
        seen_by: maybe(texts()),
        subject: texts(),
        state: some(["waiting", "delivered", "failed", "withdrawn"]),
        attempts: number(),
        due_at: moment(),
        created_at: moment(),
        at: maybe(moment()),
        status: maybe(number()),
        milliseconds: maybe(number()),
        problem: maybe(texts()),
      })),
    ],
  ];
}

import type { HistoryRow } from "./history-store.ts";

/** An entry of a document's history, as the API shows it. */
export function presentHistory({ id, at, user_id, action, changes }: HistoryRow): Record<string, unknown> {
  const members = Object.entries(JSON.parse(changes) as Record<string, [unknown, unknown]>);
  const shown = members.map(([name, [from, to]]) => [name, { from, to }] as const);
  return { id, at, user: user_id, action, changes: Object.fromEntries(shown) };
}

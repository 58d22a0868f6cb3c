import type { Timestamp } from "../../database/tables.ts";
import { readTimestamp } from "../../http/text/timestamp.ts";
import type { Candidate, RuleRow } from "./retention-store.ts";

/**
 * When the period of a document runs out by a rule; null if nothing says when it begins, so that it never does.
 * `published` is when it was first public: a document that is not public now has no such date.
 */
export function dueDate(
  rule: RuleRow,
  document: Candidate,
  published: Timestamp | undefined,
): Timestamp | null {
  const start = startOf(rule, document, published);
  return start === null ? null : later(start, rule);
}

function startOf(
  { starts, data_key: key }: RuleRow,
  { created_at, access, data }: Candidate,
  published: Timestamp | undefined,
): Timestamp | null {
  if (starts === "created_at") return created_at;
  if (starts === "published") return access === "public" ? (published ?? null) : null;
  const [value] = (JSON.parse(data) as Record<string, string[]>)[key ?? ""] ?? [];
  return value === undefined ? null : readTimestamp(value);
}

/** A month ends where the next one has no such day: a month after 31 January is the end of February. */
export function later(
  start: Timestamp,
  { period, unit }: Pick<RuleRow, "period" | "unit">,
): Timestamp | null {
  const date = new Date(start);
  const day = date.getUTCDate();
  if (unit === "days") date.setUTCDate(day + period);
  else {
    date.setUTCDate(1);
    date.setUTCMonth(date.getUTCMonth() + period * (unit === "years" ? 12 : 1));
    const lastDay = new Date(Date.UTC(2000, 0, 1));
    lastDay.setUTCFullYear(date.getUTCFullYear(), date.getUTCMonth() + 1, 0);
    date.setUTCDate(Math.min(day, lastDay.getUTCDate()));
  }
  // Beyond this, timestamps are not in the order of their texts.
  return date.getUTCFullYear() > 9999 ? null : `${date.toISOString().slice(0, 19)}${start.slice(19)}`;
}

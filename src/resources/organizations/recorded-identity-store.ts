import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import type { Writer } from "../../database/database.ts";
import type { Dialect } from "../../database/dialect.ts";
import { timestampNow } from "../../http/text/timestamp.ts";

/** A user or organization in a record, without its names. Null marks a value that the record does not have. */
export interface RecordedIdentity {
  id: number;
  /** Whether the record contains it as an object, not only as an id. */
  isExpanded: boolean;
  uuid: string | null;
  avatar_url: string | null;
  created_at: string | null;
  updated_at: string | null;
}

export interface NewIdentity {
  id: number;
  uuid: string;
  avatar_url: string;
  created_at: string;
  updated_at: string;
}

/** The items as columns, in the same order. A uuid that is taken or occurs twice is replaced with a new one. */
export async function freeIdentities(
  writer: Writer,
  dialect: Dialect,
  table: "organizations" | "users",
  items: readonly RecordedIdentity[],
): Promise<NewIdentity[]> {
  const taken = await takenUuids(writer, dialect, table, items);
  const now = timestampNow();
  return items.map((item) => {
    const uuid = item.uuid === null || taken.has(item.uuid) ? randomUUID() : item.uuid;
    taken.add(uuid);
    const created_at = item.created_at ?? now;
    const updated_at = item.updated_at ?? created_at;
    return { id: item.id, uuid, avatar_url: item.avatar_url ?? "", created_at, updated_at };
  });
}

async function takenUuids(
  writer: Writer,
  dialect: Dialect,
  table: "organizations" | "users",
  items: readonly RecordedIdentity[],
): Promise<Set<string>> {
  const uuids = items.flatMap(({ uuid }) => (uuid === null ? [] : [uuid]));
  if (uuids.length === 0) return new Set();
  const idMatches = dialect.isAmongTexts(sql.ref("uuid"), sql`${dialect.list(uuids)}`);
  const { rows } = await sql<{ uuid: string }>`
    select uuid from ${sql.table(table)} where ${idMatches}`.execute(writer);
  return new Set(rows.map(({ uuid }) => uuid));
}

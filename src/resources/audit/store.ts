import { type Insertable, type RawBuilder, sql } from "kysely";
import type { AuditEntry } from "../../contract/keeping.ts";
import type { Database, Writer } from "../../database/database.ts";
import { type Page, type Range, readPage } from "../../database/keyset.ts";
import { parameter } from "../../database/prepared-queries.ts";
import { addRow } from "../../database/rows.ts";
import type { AuditExportsTable, Timestamp } from "../../database/tables.ts";
import { type Cursor, listStart } from "../../http/request/cursor.ts";
import { type AuditSource, auditTables } from "./sources.ts";

/** Which part of the audit log is meant. Null is no limit. */
export interface AuditRange {
  since: Timestamp | null;
  until: Timestamp | null;
  /** Who acted, or whose account it was. */
  person: number | null;
  source: AuditEntry["source"] | null;
}

/** An entry as its sort key: the time, and the id with the position of its source. */
export interface AuditKey {
  value: Timestamp;
  id: number;
}

/** More than there are sources. A factor of the ids of keys. */
const maxSources = 32;

/** One page of the log by time, as keys: the newest first, or the oldest. */
export async function listAudit(
  database: Database,
  range: AuditRange,
  { key, reverse, offset }: Cursor,
  limit: number,
  isDescending: boolean,
): Promise<Page<AuditKey>> {
  const { since, until, person, source } = range;
  const limits = [since !== null && "since", until !== null && "until", person !== null && "person"];
  return readPage<AuditKey>(database, {
    segments: [
      {
        shape: `audit ${isDescending} ${limits.join(" ")} ${source ?? ""}`,
        descending: isDescending,
        sql: () => ({
          select: sql`entries.id`,
          ranges: rangesOf(range),
          value: sql.ref("entries.at"),
          id: sql.ref("entries.id"),
        }),
      },
    ],
    position: key === null ? null : { segment: 0, key },
    reverse,
    offset,
    limit,
    values: { since, until, person },
  });
}

/** Each source as a table `entries` with the keys. */
function rangesOf({ since, until, person, source }: AuditRange): Range[] {
  return auditTables.flatMap(({ name, table, at, user, isOfAccount }, position) => {
    if (source !== null && name !== source) return [];
    const where: RawBuilder<unknown>[] = [sql`${sql.ref(at)} is not null`];
    if (since !== null) where.push(sql`${sql.ref(at)} >= ${parameter("since")}`);
    if (until !== null) where.push(sql`${sql.ref(at)} < ${parameter("until")}`);
    if (person !== null) {
      const columns = [sql.raw(user), ...(isOfAccount ? [sql.ref("user_id")] : [])];
      const isTheirs = columns.map((column) => sql`${column} = ${parameter("person")}`);
      where.push(sql`(${sql.join(isTheirs, sql` or `)})`);
    }
    const from = sql`(select ${sql.ref(at)} as at, id * ${sql.lit(maxSources)} + ${sql.lit(position)} as id
      from ${sql.table(table)} where ${sql.join(where, sql` and `)}) as entries`;
    return [{ from, where: [sql`1 = 1`] }];
  });
}

interface AuditRow {
  [column: string]: unknown;
  id: number;
  at_of_entry: Timestamp;
  action: string;
  actor: number | null;
  document_id: number | null;
}

/** The entries with these keys, in their order, without those that are gone. */
export async function findEntries(
  { dialect, reader }: Pick<Database, "dialect" | "reader">,
  keys: readonly Pick<AuditKey, "id">[],
): Promise<AuditEntry[]> {
  const found = new Map<number, { source: AuditSource; row: AuditRow }>();
  for (const [position, ids] of Map.groupBy(keys, ({ id }) => id % maxSources)) {
    const source = auditTables[position];
    if (source === undefined) continue;
    const list = ids.map(({ id }) => Math.floor(id / maxSources));
    const { rows } = await sql<AuditRow>`select id, ${columnsOf(source)} from ${sql.table(source.table)}
      where ${dialect.isAmong(sql.ref("id"), sql`${dialect.list(list)}`)}`.execute(reader);
    for (const row of rows) found.set(row.id * maxSources + position, { source, row });
  }
  const users = new Set(Array.from(found.values(), ({ row }) => row.actor));
  const named = dialect.list([...users].filter((id) => id !== null));
  const { rows } = await sql<{ id: number; username: string }>`select id, username from users
    where ${dialect.isAmong(sql.ref("id"), sql`${named}`)}`.execute(reader);
  const names = new Map(rows.map(({ id, username }) => [id, username]));
  return keys.flatMap(({ id }) => {
    const entry = found.get(id);
    return entry === undefined ? [] : [entryOf(entry.source, entry.row, names)];
  });
}

function columnsOf({ at, user, action, document, isOfAccount, details }: AuditSource): RawBuilder<unknown> {
  return sql.join([
    sql`${sql.ref(at)} as at_of_entry`,
    sql`${sql.raw(action)} as action`,
    sql`${sql.raw(user)} as actor`,
    sql`${document === undefined ? sql`null` : sql.ref(document)} as document_id`,
    ...(isOfAccount ? [sql`user_id as account`] : []),
    ...details.map((name) => sql.ref(name)),
  ]);
}

function entryOf(
  { name: source, isOfAccount, details }: AuditSource,
  row: AuditRow,
  names: ReadonlyMap<number, string>,
): AuditEntry {
  const { id, at_of_entry: at, action, actor: user, document_id: document } = row;
  const shown = [...(isOfAccount ? ["account"] : []), ...details];
  const said =
    source === "document"
      ? (JSON.parse(String(row["changes"])) as Record<string, unknown>)
      : Object.fromEntries(shown.map((name) => [name, row[name]]));
  return {
    at,
    source,
    id,
    action,
    user,
    username: user === null ? null : (names.get(user) ?? null),
    document,
    details: said,
  };
}

const entriesAtOnce = 500;

/** The log in batches, the oldest entries first. One batch is in memory at a time. */
export async function* auditEntries(database: Database, range: AuditRange): AsyncGenerator<AuditEntry[]> {
  for (let cursor = listStart; ;) {
    const { rows, after } = await listAudit(database, range, cursor, entriesAtOnce, false);
    yield await findEntries(database, rows);
    const last = rows.at(-1);
    if (!after || last === undefined) return;
    cursor = { ...listStart, key: last };
  }
}

export async function addAuditExport(writer: Writer, row: Insertable<AuditExportsTable>): Promise<void> {
  await addRow(writer, "audit_exports", row);
}

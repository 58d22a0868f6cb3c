import { type Insertable, type RawBuilder, sql } from "kysely";
import type { Database, Reader, Writer } from "../../database/database.ts";
import { addRow } from "../../database/rows.ts";
import type { AuditExportsTable, Timestamp } from "../../database/tables.ts";

/** Which part of the audit log is meant. Null is no limit. */
export interface AuditRange {
  since: Timestamp | null;
  until: Timestamp | null;
  /** Who acted, or whose account it was. */
  person: number | null;
}

/** Something that somebody did. */
export interface AuditEntry {
  at: Timestamp;
  source: string;
  /** Among those of the source. */
  id: number;
  action: string;
  /** Null: Quire itself, a guest, the command line, or somebody unknown. */
  user: number | null;
  username: string | null;
  document: number | null;
  details: Record<string, unknown>;
}

type Executing = Pick<Reader, "selectFrom" | "getExecutor">;

interface AuditRow {
  [column: string]: unknown;
  id: number;
  at: Timestamp;
  action: string;
  user_id: number | null;
  document_id: number | null;
}

interface Source {
  name: string;
  table: string;
  /** Expressions on the table. */
  at: string;
  user: string;
  action: string;
  document?: string;
  /** Other columns of which a person may be the subject. */
  alsoOf?: string;
  details: readonly string[];
}

/** Where the database says who did what. Each is read in the order of its ids. */
const sources: readonly Source[] = [
  {
    name: "document",
    table: "document_history",
    at: "at",
    user: "user_id",
    action: "action",
    document: "document_id",
    details: ["changes"],
  },
  {
    name: "sign_in",
    table: "sign_in_events",
    at: "at",
    user: "user_id",
    action: "kind",
    details: ["network", "is_known", "times", "began_at"],
  },
  {
    name: "account",
    table: "account_history",
    at: "at",
    user: "by_id",
    action: "action",
    alsoOf: "user_id",
    details: ["account"],
  },
  ...(["set", "released"] as const).map((action) => ({
    name: "hold",
    table: "holds",
    at: action === "set" ? "created_at" : "released_at",
    user: action === "set" ? "user_id" : "released_by",
    action: `'${action}'`,
    details: ["name", "reason", "project_id", "query", "organization_id"],
  })),
  ...(["made", "ended"] as const).map((action) => ({
    name: "retention_rule",
    table: "retention_rules",
    at: action === "made" ? "created_at" : "ended_at",
    user: action === "made" ? "user_id" : "ended_by",
    action: `'${action}'`,
    details: ["name", "project_id", "query", "period", "unit", "starts", "data_key"],
  })),
  {
    name: "disposition",
    table: "dispositions",
    at: "decided_at",
    user: "decided_by",
    action: "state",
    document: "document_id",
    details: ["rule_id", "due_at"],
  },
  ...(["made", "revoked"] as const).map((action) => ({
    name: "guest_link",
    table: "guest_links",
    at: action === "made" ? "created_at" : "revoked_at",
    // Before others could revoke a link, nobody noted who did.
    user: action === "made" ? "user_id" : "coalesce(revoked_by, user_id)",
    action: `'${action}'`,
    document: "document_id",
    details: ["uuid", "name", "project_id", "search_id", "may_download", "expires_at"],
  })),
  {
    name: "audit_export",
    table: "audit_exports",
    at: "at",
    user: "user_id",
    action: "'exported'",
    details: ["since", "until", "person", "format"],
  },
];

const rowsAtOnce = 500;

/** Batches of entries, source by source. One batch is in memory at a time. */
export async function* auditEntries(
  { dialect, reader }: Pick<Database, "dialect" | "reader">,
  range: AuditRange,
): AsyncGenerator<AuditEntry[]> {
  for (const source of sources) {
    for (let after = 0; ;) {
      const rows = await read(reader, source, range, after);
      const last = rows.at(-1);
      if (last === undefined) break;
      after = last.id;
      const users = [...new Set(rows.map(({ user_id }) => user_id).filter((id) => id !== null))];
      const { rows: named } = await sql<{ id: number; username: string }>`select id, username from users
        where ${dialect.isAmong(sql.ref("id"), sql`${dialect.list(users)}`)}`.execute(reader);
      const names = new Map(named.map(({ id, username }) => [id, username]));
      yield rows.map((row) => entryOf(source, row, names));
    }
  }
}

async function read(
  reader: Executing,
  { table, at, user, action, document, alsoOf, details }: Source,
  { since, until, person }: AuditRange,
  after: number,
): Promise<AuditRow[]> {
  const where: RawBuilder<unknown>[] = [sql`id > ${after}`, sql`${sql.ref(at)} is not null`];
  if (since !== null) where.push(sql`${sql.ref(at)} >= ${since}`);
  if (until !== null) where.push(sql`${sql.ref(at)} < ${until}`);
  const people = [user, ...(alsoOf === undefined ? [] : [alsoOf])].map(
    (column) => sql`${sql.raw(column)} = ${person}`,
  );
  if (person !== null) where.push(sql`(${sql.join(people, sql` or `)})`);
  const columns = details.map((name) => (name === "account" ? sql`user_id as account` : sql.ref(name)));
  const { rows } = await sql<AuditRow>`select id, ${sql.ref(at)} as at, ${sql.raw(action)} as action,
    ${sql.raw(user)} as user_id, ${document === undefined ? sql`null` : sql.ref(document)} as document_id,
    ${sql.join(columns)} from ${sql.table(table)}
    where ${sql.join(where, sql` and `)} order by id limit ${sql.lit(rowsAtOnce)}`.execute(reader);
  return rows;
}

function entryOf(
  { name: source, details }: Source,
  row: AuditRow,
  names: ReadonlyMap<number, string>,
): AuditEntry {
  const { id, at, action, user_id: user, document_id: document } = row;
  const said =
    source === "document"
      ? (JSON.parse(String(row["changes"])) as Record<string, unknown>)
      : Object.fromEntries(details.map((name) => [name, row[name]]));
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

export async function addAuditExport(writer: Writer, row: Insertable<AuditExportsTable>): Promise<void> {
  await addRow(writer, "audit_exports", row);
}

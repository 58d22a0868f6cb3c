import { type Selectable, sql } from "kysely";
import type { Database, Reader, Writer } from "../../../database/database.ts";
import type { Dialect } from "../../../database/dialect.ts";
import { removeRows, rowsOf, setRows } from "../../../database/rows.ts";
import type { HoldsTable } from "../../../database/tables.ts";
import { timestampNow } from "../../../http/text/timestamp.ts";
import type { SearchPlan } from "../../../search/plan.ts";
import { matchingOfAll } from "../search/matching-store.ts";

export type HoldRow = Selectable<HoldsTable>;

type Executing = Pick<Reader, "selectFrom" | "getExecutor">;
interface Id {
  id: number;
}

/** The holds that are in force: one range of an index, which is empty without a hold. */
export async function findHoldsInForce(reader: Pick<Reader, "selectFrom">): Promise<HoldRow[]> {
  return rowsOf(reader, "holds", { released_at: null }, "id");
}

/** The members of the families of these documents, and the root of each of them: itself, if it is in no family. */
export async function findFamilies(
  writer: Executing,
  dialect: Dialect,
  ids: readonly number[],
): Promise<Map<number, number>> {
  const list = sql`${dialect.list(ids)}`;
  const { rows } = await sql<{ child_id: number; root_id: number }>`
    select child_id, root_id from document_children
    where ${dialect.isAmong(sql.ref("root_id"), list)} or root_id in (
      select root_id from document_children where ${dialect.isAmong(sql.ref("child_id"), list)})`.execute(
    writer,
  );
  const roots = new Map(rows.map(({ child_id, root_id }) => [child_id, root_id]));
  for (const id of [...ids, ...roots.values()]) if (!roots.has(id)) roots.set(id, id);
  return roots;
}

/** Those of these documents that a hold has found before. */
export async function findKept(
  writer: Executing,
  dialect: Dialect,
  ids: readonly number[],
): Promise<number[]> {
  const { rows } = await sql<Id>`select distinct document_id as id from held_documents
    where ${dialect.isAmong(sql.ref("document_id"), sql`${dialect.list(ids)}`)}`.execute(writer);
  return rows.map(({ id }) => id);
}

/** Those of these documents that belong to the organization of a hold, and to its project. */
export async function findInScope(
  writer: Executing,
  dialect: Dialect,
  { organization_id: organization, project_id: project }: HoldRow,
  ids: readonly number[],
): Promise<number[]> {
  const { rows } = await sql<Id>`select id from documents
    where ${dialect.isAmong(sql.ref("documents.id"), sql`${dialect.list(ids)}`)}
      and ${isInScope(organization, project)}`.execute(writer);
  return rows.map(({ id }) => id);
}

function isInScope(organization: number | null, project: number | null) {
  const isOwned = organization === null ? sql`1 = 1` : sql`documents.organization_id = ${organization}`;
  if (project === null) return isOwned;
  return sql`${isOwned} and exists (select 1 from project_memberships
    where project_memberships.document_id = documents.id and project_memberships.project_id = ${project})`;
}

/** The next documents that may be in a hold, in order of ids. */
export async function findNextInScope(
  reader: Executing,
  { organization_id: organization, project_id: project }: HoldRow,
  after: number,
  limit: number,
): Promise<number[]> {
  const { rows } = await sql<Id>`select id from documents
    where id > ${after} and ${isInScope(organization, project)} order by id limit ${sql.lit(limit)}`.execute(
    reader,
  );
  return rows.map(({ id }) => id);
}

/**
 * The documents among these that match, without an access check. A document whose words are still to be indexed
 * matches a search for words.
 */
export async function findMatchingAmong(
  writer: Executing,
  dialect: Dialect,
  plan: SearchPlan,
  ids: readonly number[],
): Promise<number[]> {
  const { rows } = await matchingOfAll(dialect, plan, ids).execute(writer);
  if (plan.words.length === 0) return rows.map(({ id }) => id);
  const { rows: unindexed } = await sql<Id>`select document_id as id from unindexed_documents
    where ${dialect.isAmong(sql.ref("document_id"), sql`${dialect.list(ids)}`)}`.execute(writer);
  return [...new Set([...rows, ...unindexed].map(({ id }) => id))];
}

/** Locks the hold until the transaction ends; false if it was released. */
export async function lockHold(writer: Writer, { forUpdate }: Dialect, id: number): Promise<boolean> {
  const { rows } =
    await sql`select id from holds where id = ${id} and released_at is null ${forUpdate}`.execute(writer);
  return rows.length > 0;
}

/**
 * Keeps these documents under a hold, and says so in their histories. Waits for those who are deleting one of them.
 * Nothing proposes their deletion any more.
 */
export async function addHeld(
  writer: Writer,
  dialect: Dialect,
  hold: Pick<HoldRow, "id">,
  userId: number | null,
  ids: readonly number[],
): Promise<void> {
  const list = sql`${dialect.list(ids)}`;
  await sql`select id from documents where ${dialect.isAmong(sql.ref("id"), list)}
    order by id ${dialect.forUpdate}`.execute(writer);
  await sql`delete from dispositions where ${dialect.isAmong(sql.ref("document_id"), list)}`.execute(writer);
  const changes = JSON.stringify({ hold: [null, hold.id] });
  const isNew = sql`${dialect.isAmong(sql.ref("documents.id"), list)} and not exists (
    select 1 from held_documents where document_id = documents.id and hold_id = ${hold.id})`;
  await sql`insert into document_history (document_id, at, user_id, action, changes)
    select id, ${timestampNow()}, ${userId}, 'held', ${changes} from documents
    where ${isNew} order by id`.execute(writer);
  await sql`insert into held_documents (document_id, hold_id) select id, ${hold.id} from documents
    where ${isNew} order by id`.execute(writer);
}

/** Releases a hold that is locked, and says so in the histories of its documents. */
export async function releaseHold(writer: Writer, id: number, userId: number): Promise<void> {
  const now = timestampNow();
  const changes = JSON.stringify({ hold: [id, null] });
  await sql`insert into document_history (document_id, at, user_id, action, changes)
    select document_id, ${now}, ${userId}, 'released', ${changes} from held_documents
    where hold_id = ${id} order by document_id`.execute(writer);
  await removeRows(writer, "held_documents", { hold_id: id });
  await setRows(writer, "holds", { id }, { released_at: now, released_by: userId });
}

/** Finds those of these documents that match, without delaying others. @throws {TooSlowError} */
export async function searchAmong(
  database: Pick<Database, "dialect" | "queryWithTimeout">,
  plan: SearchPlan,
  ids: readonly number[],
  timeLimitSeconds: number,
): Promise<number[]> {
  const query = matchingOfAll(database.dialect, plan, ids);
  return (await database.queryWithTimeout(query, timeLimitSeconds)).map(({ id }) => id);
}

import { type Selectable, sql } from "kysely";
import { Conditions } from "../../database/conditions.ts";
import type { Database, Reader, Writer } from "../../database/database.ts";
import type { Dialect } from "../../database/dialect.ts";
import type { Page } from "../../database/keyset.ts";
import { allRows, lockRow, removeRows, rowsOf, setRows } from "../../database/rows.ts";
import type { DispositionsTable, RetentionRulesTable, Timestamp } from "../../database/tables.ts";
import type { Cursor } from "../../http/request/cursor.ts";
import { timestampNow } from "../../http/text/timestamp.ts";

export type RuleRow = Selectable<RetentionRulesTable>;
type DispositionState = DispositionsTable["state"];
type Executing = Pick<Reader, "selectFrom" | "getExecutor">;

/** The rules, also those that have ended. */
export const allRules = allRows("retention_rules");

export async function findRulesInForce(reader: Pick<Reader, "selectFrom">): Promise<RuleRow[]> {
  return rowsOf(reader, "retention_rules", { ended_at: null }, "id");
}

/** Ends a rule that is in force, with everything that it has proposed. Returns whether it was in force. */
export async function endRule(writer: Writer, id: number, userId: number): Promise<boolean> {
  const ended = { ended_at: timestampNow(), ended_by: userId };
  if ((await setRows(writer, "retention_rules", { id, ended_at: null }, ended)) === 0) return false;
  await removeRows(writer, "dispositions", { rule_id: id });
  return true;
}

/** How many documents each of these rules has in each state. */
export async function countStates(
  { dialect, reader }: Pick<Database, "dialect" | "reader">,
  rules: readonly number[],
): Promise<ReadonlyMap<number, Partial<Record<DispositionState, number>>>> {
  const { rows } = await sql<{ rule_id: number; state: DispositionState; count: number }>`
    select rule_id, state, count(*) as count from dispositions
    where ${dialect.isAmong(sql.ref("rule_id"), sql`${dialect.list(rules)}`)}
    group by rule_id, state`.execute(reader);
  const counts = new Map<number, Partial<Record<DispositionState, number>>>();
  for (const { rule_id, state, count } of rows)
    counts.set(rule_id, { ...counts.get(rule_id), [state]: count });
  return counts;
}

/** What decides when the period of a document begins. */
export interface Candidate {
  id: number;
  created_at: Timestamp;
  access: string;
  data: string;
}

/**
 * The documents that a rule may be about: of its project, complete, part of no other document, with all words in the
 * index.
 */
const isCandidate = ({ project_id: project }: RuleRow) => sql`documents.status not in ('deleted', 'nofile')
  and not exists (select 1 from document_children where child_id = documents.id)
  and not exists (select 1 from unindexed_documents where unindexed_documents.document_id = documents.id)
  and ${
    project === null
      ? sql`1 = 1`
      : sql`exists (select 1 from project_memberships
          where project_memberships.document_id = documents.id and project_memberships.project_id = ${project})`
  }`;

/** The next candidates about which the rule says nothing yet, in order of ids. */
export async function findNextCandidates(
  reader: Executing,
  rule: RuleRow,
  after: number,
  limit: number,
): Promise<Candidate[]> {
  const { rows } = await sql<Candidate>`select id, created_at, access, data from documents
    where id > ${after} and ${isCandidate(rule)} and not exists (
      select 1 from dispositions where document_id = documents.id and rule_id = ${rule.id})
    order by id limit ${sql.lit(limit)}`.execute(reader);
  return rows;
}

/** The document, if it is still a candidate. */
export async function findCandidate(reader: Executing, rule: RuleRow, id: number): Promise<Candidate | null> {
  const { rows } = await sql<Candidate>`select id, created_at, access, data from documents
    where id = ${id} and ${isCandidate(rule)}`.execute(reader);
  return rows[0] ?? null;
}

/** When each of these documents was first public, as far as the histories know. */
export async function findPublished(
  reader: Executing,
  dialect: Dialect,
  ids: readonly number[],
): Promise<ReadonlyMap<number, Timestamp>> {
  // The values of a text have escaped quotation marks, and do not look like a member.
  const becamePublic = [null, "private", "organization", "invisible"].map(
    (from) => sql`changes like ${`%"access":${JSON.stringify([from, "public"])}%`}`,
  );
  const { rows } = await sql<{ document_id: number; at: Timestamp }>`
    select document_id, min(at) as at from document_history
    where ${dialect.isAmong(sql.ref("document_id"), sql`${dialect.list(ids)}`)}
      and (${sql.join(becamePublic, sql` or `)})
    group by document_id`.execute(reader);
  return new Map(rows.map(({ document_id, at }) => [document_id, at]));
}

/** Proposes documents, unless the rule already says something about them. */
export async function addProposals(
  writer: Writer,
  rule: RuleRow,
  documents: readonly { id: number; due_at: Timestamp }[],
): Promise<void> {
  if (documents.length === 0) return;
  const proposed_at = timestampNow();
  await writer
    .insertInto("dispositions")
    .values(
      documents.map(({ id, due_at }) => ({
        document_id: id,
        rule_id: rule.id,
        due_at,
        state: "proposed" as const,
        proposed_at,
      })),
    )
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

export interface DispositionRow extends Selectable<DispositionsTable> {
  page_count: number;
  owner: number;
  organization_id: number;
}

const ofDocument = (column: string) =>
  sql`(select ${sql.ref(column)} from documents where documents.id = dispositions.document_id)`;

/** One page of what has run out, in the order in which it was proposed. */
export async function listDispositions(
  database: Database,
  { rule, state }: { rule: number | undefined; state: string | undefined },
  cursor: Cursor,
  limit: number,
): Promise<Page<DispositionRow>> {
  return new Conditions(database.dialect, "dispositions")
    .equals("rule_id", rule)
    .equals("state", state)
    .page(
      database,
      sql`dispositions.*, ${ofDocument("page_count")} as page_count, ${ofDocument("user_id")} as owner,
        ${ofDocument("organization_id")} as organization_id`,
      cursor,
      limit,
    );
}

/**
 * Decides about these, of which each waits for a decision or has this one already; false, without a change, if one does
 * not.
 */
export async function decide(
  writer: Writer,
  dialect: Dialect,
  ids: readonly number[],
  { state, userId }: { state: "approved" | "kept"; userId: number },
): Promise<boolean> {
  const among = dialect.isAmong(sql.ref("id"), sql`${dialect.list(ids)}`);
  const { rows } = await sql`select id from dispositions
    where ${among} and state in ('proposed', ${state}) order by id ${dialect.forUpdate}`.execute(writer);
  if (rows.length < ids.length) return false;
  await sql`update dispositions set state = ${state}, decided_at = ${timestampNow()}, decided_by = ${userId}
    where ${among} and state = 'proposed'`.execute(writer);
  return true;
}

/** The approved deletion that follows the one with this id; null at the end. */
export async function findNextApproved(
  reader: Pick<Reader, "selectFrom">,
  after: number,
): Promise<Selectable<DispositionsTable> | null> {
  const found = await reader
    .selectFrom("dispositions")
    .selectAll()
    .where("state", "=", "approved")
    .where("id", ">", after)
    .orderBy("id")
    .limit(1)
    .executeTakeFirst();
  return found ?? null;
}

/** Locks the rule until the transaction ends; null if it has ended. */
export async function lockRule(writer: Writer, id: number): Promise<RuleRow | null> {
  return lockRow(writer, "retention_rules", { id, ended_at: null });
}

/** Takes back what was proposed or approved. */
export async function withdraw(writer: Writer, id: number): Promise<void> {
  await removeRows(writer, "dispositions", { id });
}

/** What a certificate says of a document. */
export interface DisposedFacts {
  id: number;
  title: string;
  file_hash: string;
  page_count: number;
}

/** A document and all that is part of it. */
export async function findFamilyFacts(writer: Writer, rootId: number): Promise<DisposedFacts[]> {
  const { rows } = await sql<DisposedFacts>`select id, title, file_hash, page_count from documents
    where id = ${rootId} or id in (select child_id from document_children where root_id = ${rootId})
    order by id`.execute(writer);
  return rows;
}

/** A certificate as the history has it: what the document had, and what decided about it. */
export type CertificateChanges = {
  [Name in "title" | "file_hash"]: readonly [string, null];
} & {
  page_count: readonly [number, null];
  approved_by: readonly [null, number];
} & { [Name in "rule" | "due_at" | "approved_at"]: readonly [null, string] };

export interface CertificateRow {
  id: number;
  at: Timestamp;
  document_id: number;
  changes: string;
}

/** One page of the certificates, the newest first. */
export async function listCertificates(
  database: Database,
  cursor: Cursor,
  limit: number,
): Promise<Page<CertificateRow>> {
  return new Conditions(database.dialect, "document_history")
    .always("disposed", sql`document_history.action = 'disposed'`)
    .page(database, sql`id, at, document_id, changes`, cursor, limit, {
      descending: true,
      name: "certificates",
    });
}

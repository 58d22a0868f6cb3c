import { type Insertable, type Selectable, sql } from "kysely";
import { BulkInsert } from "../../database/bulk-insert.ts";
import { Conditions } from "../../database/conditions.ts";
import type { Database, Reader, Writer } from "../../database/database.ts";
import type { Page } from "../../database/keyset.ts";
import { addRow, lockRow, ownRows, pageOf, rowOf, rowsOf, setRows } from "../../database/rows.ts";
import type { ProductionDocumentsTable, ProductionsTable, Timestamp } from "../../database/tables.ts";
import type { Cursor } from "../../http/request/cursor.ts";

export type ProductionRow = Selectable<ProductionsTable>;
export type ProducedRow = Selectable<ProductionDocumentsTable>;

type Executing = Pick<Reader, "selectFrom" | "getExecutor">;

/** The production, without an access check. */
export async function findProduction(
  reader: Pick<Reader, "selectFrom">,
  id: number,
): Promise<ProductionRow | null> {
  return rowOf(reader, "productions", { id });
}

/** The productions of the viewer. */
export const ownProductions = ownRows("productions");

/** Like {@link findProduction}, and locks the production until the transaction ends. */
export const lockProduction = (writer: Writer, id: number) => lockRow(writer, "productions", { id });

export async function setProduction(
  writer: Writer,
  id: number,
  to: Partial<Pick<ProductionRow, "state" | "reason" | "ended_at" | "expires_at">>,
): Promise<void> {
  await setRows(writer, "productions", { id }, to);
}

/**
 * The next number of a prefix, which no other transaction gives before this one ends. Call {@link setNextNumber} in the
 * same transaction.
 */
export async function lockNextNumber(
  writer: Writer,
  { dialect }: Pick<Database, "dialect">,
  prefix: string,
): Promise<number> {
  const key = prefix.toLowerCase();
  await writer
    .insertInto("bates_prefixes")
    .values({ prefix: key, next_number: 1 })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  const { rows } = await sql<{ next_number: number }>`
    select next_number from bates_prefixes where prefix = ${key} ${dialect.forUpdate}`.execute(writer);
  return rows[0]?.next_number ?? 1;
}

export async function setNextNumber(writer: Writer, prefix: string, next_number: number): Promise<void> {
  await setRows(writer, "bates_prefixes", { prefix: prefix.toLowerCase() }, { next_number });
}

type NewDocument = Omit<ProducedRow, "id" | "reason">;

const documentInsertion = new BulkInsert<NewDocument>(
  "production_documents",
  [
    ...(["production_id", "document_id", "parent_id", "root_id", "first_number", "pages"] as const),
    ...(["file_hash", "state", "fields", "files"] as const),
  ],
  { insert: sql`insert into`, otherwise: null },
);

export async function insertProduction(
  writer: Writer,
  row: Insertable<ProductionsTable>,
  documents: readonly Omit<NewDocument, "production_id">[],
): Promise<ProductionRow> {
  const production = await addRow(writer, "productions", row);
  const rows = documents.map((document) => ({ ...document, production_id: production.id }));
  await documentInsertion.run(writer, rows);
  return production;
}

/** The first document that is still to be made. */
export async function findWaiting(
  reader: Pick<Reader, "selectFrom">,
  productionId: number,
): Promise<ProducedRow | null> {
  const row = await reader
    .selectFrom("production_documents")
    .selectAll()
    .where("production_id", "=", productionId)
    .where("state", "=", "waiting")
    .orderBy("first_number")
    .limit(1)
    .executeTakeFirst();
  return row ?? null;
}

export async function setProduced(
  writer: Writer,
  id: number,
  to: Pick<ProducedRow, "state" | "reason" | "fields" | "files">,
): Promise<void> {
  await setRows(writer, "production_documents", { id }, to);
}

/** The documents of a production in the order of their numbers, so many at once. */
export async function* producedRows(
  reader: Pick<Reader, "selectFrom">,
  productionId: number,
  rowsAtOnce = 500,
): AsyncGenerator<ProducedRow[]> {
  for (let after = 0; ;) {
    const rows = await reader
      .selectFrom("production_documents")
      .selectAll()
      .where("production_id", "=", productionId)
      .where("first_number", ">", after)
      .orderBy("first_number")
      .limit(rowsAtOnce)
      .execute();
    const last = rows.at(-1);
    if (last === undefined) return;
    yield rows;
    after = last.first_number;
  }
}

/** One page of the documents of a production, in the order of their numbers. */
export const listProduced = (database: Database, production_id: number, cursor: Cursor, limit: number) =>
  pageOf(database, "production_documents", { production_id }, cursor, limit);

export type NumbersRow = ProducedRow & Pick<ProductionRow, "prefix" | "digits" | "created_at">;

/** A column of the production of a document. */
const ofProduction = (
  column: "prefix" | "digits" | "created_at",
) => sql`(select ${sql.ref(column)} from productions
  where productions.id = production_documents.production_id) as ${sql.ref(column)}`;

/** One page of the numbers of a document, the first that it got first. */
export async function listNumbers(
  database: Database,
  documentId: number,
  cursor: Cursor,
  limit: number,
): Promise<Page<NumbersRow>> {
  return new Conditions(database.dialect, "production_documents")
    .equals("document_id", documentId)
    .page(
      database,
      sql`production_documents.*, ${ofProduction("prefix")}, ${ofProduction("digits")}, ${ofProduction("created_at")}`,
      cursor,
      limit,
      { name: "numbers" },
    );
}

export interface ProducedCounts {
  waiting: number;
  made: number;
  slip: number;
  withheld: number;
}

/** How many documents of each production are in each state. */
export async function countProduced(
  reader: Executing,
  { dialect }: Pick<Database, "dialect">,
  ids: readonly number[],
): Promise<Map<number, ProducedCounts>> {
  const { rows } = await sql<{ id: number; state: keyof ProducedCounts; documents: number }>`
    select production_id as id, state, count(*) as documents from production_documents
    where ${dialect.isAmong(sql.ref("production_id"), sql`${dialect.list(ids)}`)}
    group by production_id, state`.execute(reader);
  const counts = new Map(ids.map((id) => [id, { waiting: 0, made: 0, slip: 0, withheld: 0 }]));
  for (const { id, state, documents } of rows) {
    const own = counts.get(id);
    if (own !== undefined) own[state] = documents;
  }
  return counts;
}

/** The first and the last number of each family of more than one document, by its first document. */
export async function findFamilyRanges(
  reader: Executing,
  productionId: number,
): Promise<Map<number, { first: number; last: number }>> {
  const { rows } = await sql<{ root_id: number; first: number; last: number }>`
    select root_id, min(first_number) as first,
      max(case when state = 'made' then first_number + pages - 1 else first_number end) as last
    from production_documents where production_id = ${productionId}
    group by root_id having count(*) > 1`.execute(reader);
  return new Map(rows.map(({ root_id, first, last }) => [root_id, { first, last }]));
}

/** The numbers of these documents in a production. */
export async function findFirstNumbers(
  reader: Pick<Reader, "selectFrom">,
  productionId: number,
  documentIds: readonly number[],
): Promise<Map<number, number>> {
  if (documentIds.length === 0) return new Map();
  const rows = await reader
    .selectFrom("production_documents")
    .select(["document_id", "first_number"])
    .where("production_id", "=", productionId)
    .where("document_id", "in", documentIds)
    .execute();
  return new Map(rows.map((row) => [row.document_id, row.first_number]));
}

/** The productions whose files are to be removed: their time has come, or a document of theirs is another one now. */
export async function findEndedProductions(
  reader: Executing,
  now: Timestamp,
): Promise<Pick<ProductionRow, "id" | "state">[]> {
  const { rows } = await sql<Pick<ProductionRow, "id" | "state">>`
    select id, case when state <> 'done' then state when expires_at <= ${now} then 'expired' else 'withdrawn' end
      as state from productions
    where expires_at is not null and (expires_at <= ${now} or state = 'done' and exists (
      select 1 from production_documents produced where produced.production_id = productions.id
        and produced.state in ('made', 'slip') and not exists (
          select 1 from documents where documents.id = produced.document_id and documents.status <> 'deleted'
            and documents.access <> 'invisible' and documents.file_hash = produced.file_hash)))`.execute(
    reader,
  );
  return rows;
}

/** The productions that can be downloaded, or could be. */
export async function findFilled(reader: Pick<Reader, "selectFrom">): Promise<ProductionRow[]> {
  return rowsOf(reader, "productions", { state: "done" }, "id");
}

/** Notes that a production has no files any more. What its load file said goes, too; numbers stay. */
export async function forgetFiles(writer: Writer, id: number, state: ProductionRow["state"]): Promise<void> {
  await setProduction(writer, id, { state, expires_at: null });
  await setRows(writer, "production_documents", { production_id: id }, { fields: "{}", files: "[]" });
}

/** Has documents made again whose files are not there. */
export async function makeAgain(writer: Writer, ids: readonly number[]): Promise<void> {
  for (const id of ids) await setRows(writer, "production_documents", { id }, { state: "waiting" });
}

import { Conditions } from "../../database/conditions.ts";
import { sql } from "kysely";
import type { Database, Writer } from "../../database/database.ts";
import type { Page } from "../../database/keyset.ts";
import type { Cursor } from "../../http/request/cursor.ts";
import { timestampNow } from "../../http/text/timestamp.ts";
import { emptyFile } from "../../processing/unpack/unpacking.ts";

/** One step in the processing of a file, and its outcome. */
export interface Receipt {
  documentId: number;
  step:
    | "received"
    | "fetched"
    | "stored"
    | "converted"
    | "read"
    | "recognised"
    | "indexed"
    | "rendered"
    | "unpacked"
    | "postponed"
    | "cancelled"
    | "redacted"
    | "modified"
    | "replaced";
  outcome: "done" | "failed";
  /** Duration of the step. */
  milliseconds: number;
  /** Sizes, counts and, if the step failed, a `message`. */
  details: Readonly<Record<string, unknown>>;
}

/** A receipt without its document. */
export type ReceiptOfOne = Omit<Receipt, "documentId">;

export interface ReceiptRow {
  id: number;
  step: string;
  outcome: "done" | "failed";
  at: string;
  milliseconds: number;
  details: string;
}

export async function addReceipt(writer: Writer, receipt: Receipt): Promise<void> {
  await writer.insertInto("document_receipts").values(rowOf(receipt)).execute();
}

/** The outcome of the latest such step of each of these documents that had one. */
export async function findLastOutcomes(
  reader: Pick<Writer, "selectFrom">,
  step: Receipt["step"],
  documentIds: readonly number[],
): Promise<Map<number, Receipt["outcome"]>> {
  if (documentIds.length === 0) return new Map();
  const rows = await reader
    .selectFrom("document_receipts")
    .select(["document_id", "outcome"])
    .where("step", "=", step)
    .where("document_id", "in", documentIds)
    .orderBy("id")
    .execute();
  return new Map(rows.map(({ document_id, outcome }) => [document_id, outcome]));
}

export async function removeReceipts(
  writer: Writer,
  documentId: number,
  step: Receipt["step"],
): Promise<void> {
  await writer
    .deleteFrom("document_receipts")
    .where("document_id", "=", documentId)
    .where("step", "=", step)
    .execute();
}

/** Adds a receipt of a step that may repeat, unless the document already has the same one or has been deleted. */
export async function addReceiptOnce(writer: Writer, receipt: Receipt): Promise<void> {
  const { document_id, step, outcome, at, milliseconds, details } = rowOf(receipt);
  await sql`insert into document_receipts (document_id, step, outcome, at, milliseconds, details)
    select id, cast(${step} as text), cast(${outcome} as text), cast(${at} as text),
      cast(${milliseconds} as bigint), cast(${details} as text)
    from documents where id = ${document_id} and not exists (
      select 1 from document_receipts
      where document_id = ${document_id} and step = ${step} and details = ${details})`.execute(writer);
}

function rowOf({ documentId, step, outcome, milliseconds, details }: Receipt) {
  return {
    document_id: documentId,
    step,
    outcome,
    at: timestampNow(),
    milliseconds: Math.round(milliseconds),
    details: JSON.stringify(details),
  };
}

/** Later attempts are numbered: a reader may want to know what went wrong at the first. */
export const attemptOf = ({ attempt }: { attempt: number }): { attempt?: number } =>
  attempt > 1 ? { attempt } : {};

/** A file that a container could not give out is a failure, though the others became documents. */
const isFailure = sql`(outcome = 'failed' or step = 'unpacked'
  and replace(details, ${sql.lit(`"reason":"${emptyFile}"`)}, '') like '%"reason":%')`;

/**
 * The receipts that are listed: all, the failures, or the failures that every reader may know. Why a redaction failed
 * tells where there is something to hide.
 */
const receiptConditions = {
  all: [],
  failed: [isFailure],
  "failed for readers": [isFailure, sql`step <> 'redacted'`],
} as const;

export type ListedReceipts = keyof typeof receiptConditions;

/** One page of a document's receipts, oldest first. */
export async function listReceipts(
  database: Database,
  documentId: number,
  which: ListedReceipts,
  cursor: Cursor,
  limit: number,
): Promise<Page<ReceiptRow>> {
  const receipts = new Conditions(database.dialect, "document_receipts").equals("document_id", documentId);
  for (const condition of receiptConditions[which]) receipts.always(which, condition);
  return receipts.page(database, sql`id, step, outcome, at, milliseconds, details`, cursor, limit);
}

import { sql } from "kysely";
import type { Database, Writer } from "../../database/database.ts";
import { type Page, readPage } from "../../database/keyset.ts";
import { parameter } from "../../database/prepared-queries.ts";
import type { Cursor } from "../../http/request/cursor.ts";
import { timestampNow } from "../../http/text/timestamp.ts";

/** One step of what happens to a file: it came, it was read, or it could not be. */
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
    | "postponed"
    | "cancelled"
    | "redacted"
    | "modified";
  outcome: "done" | "failed";
  /** How long it took. */
  milliseconds: number;
  /** What there is to say of it: sizes, counts, a `message` where it failed. */
  details: Readonly<Record<string, unknown>>;
}

/** One that nobody has said yet of which document it is. */
export type ReceiptOfOne = Omit<Receipt, "documentId">;

export interface ReceiptRow {
  id: number;
  step: string;
  outcome: string;
  at: string;
  milliseconds: number;
  details: string;
}

export async function addReceipt(writer: Writer, receipt: Receipt): Promise<void> {
  await writer.insertInto("document_receipts").values(rowOf(receipt)).execute();
}

/** Says what may happen over and over, unless the same was said before; of a document that is gone, nothing. */
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

/** A page of a document's receipts, in the order in which they came; of those that failed only, where that is asked. */
export async function listReceipts(
  database: Database,
  documentId: number,
  which: "all" | "failed",
  { key, reverse, offset }: Cursor,
  limit: number,
): Promise<Page<ReceiptRow>> {
  const failed = which === "failed" ? [sql`outcome = 'failed'`] : [];
  const where = [sql`document_id = ${parameter("document")}`, ...failed];
  return readPage<ReceiptRow>(database, {
    stretches: [
      {
        shape: `${which} receipts`,
        descending: false,
        sql: () => ({
          select: sql`id, step, outcome, at, milliseconds, details`,
          ranges: [{ from: sql`document_receipts`, where }],
          value: null,
          id: sql.ref("id"),
        }),
      },
    ],
    place: key === null ? null : { stretch: 0, key },
    reverse,
    offset,
    limit,
    values: { document: documentId },
  });
}

import { sql } from "kysely";
import type { Database, Writer } from "../../database/database.ts";
import { type Page, readPage } from "../../database/keyset.ts";
import { parameter } from "../../database/prepared-queries.ts";
import type { Cursor } from "../../http/cursor.ts";
import { timestampNow } from "../../http/timestamp.ts";

/** One step of what happens to a file: it came, it was read, or it could not be. */
export interface Receipt {
  documentId: number;
  step: "received" | "fetched" | "converted" | "read" | "recognised" | "cancelled" | "redacted" | "modified";
  outcome: "done" | "failed";
  /** How long it took. */
  milliseconds: number;
  /** What there is to say of it: sizes, counts, a `message` where it failed. */
  details: Readonly<Record<string, unknown>>;
}

export interface ReceiptRow {
  id: number;
  step: string;
  outcome: string;
  at: string;
  milliseconds: number;
  details: string;
}

export async function addReceipt(writer: Writer, receipt: Receipt): Promise<void> {
  const { documentId, step, outcome, milliseconds, details } = receipt;
  await writer
    .insertInto("document_receipts")
    .values({
      document_id: documentId,
      step,
      outcome,
      at: timestampNow(),
      milliseconds: Math.round(milliseconds),
      details: JSON.stringify(details),
    })
    .execute();
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

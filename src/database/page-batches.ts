import { setImmediate } from "node:timers/promises";
import { type RawBuilder, sql } from "kysely";
import { parameter } from "./prepared-queries.ts";

/** A row that belongs to a page of a document. */
interface RowOfPage {
  id: number;
  page_number: number;
}

/** The position after a row, and the size of a batch, as values of a query. */
export interface AfterRow {
  afterPage: number;
  afterId: number;
  batch: number;
}

const rowsInBatch = 1000;

/**
 * The condition for the next batch of a query's rows, their order and the limit. The table has `page_number` and `id`.
 */
export function nextBatch(table: string): { condition: RawBuilder<unknown>; end: RawBuilder<unknown> } {
  const [page, id] = [sql.ref(`${table}.page_number`), sql.ref(`${table}.id`)];
  return {
    condition: sql`(${page}, ${id}) > (${parameter("afterPage")}, ${parameter("afterId")})`,
    end: sql`order by ${page}, ${id} limit ${parameter("batch")}`,
  };
}

/** Reads all rows in the order of their pages, a batch at a time. Other requests are served in between. */
export async function readInBatches<Row extends RowOfPage>(
  read: (after: AfterRow) => readonly Row[] | Promise<readonly Row[]>,
): Promise<Row[]> {
  const rows: Row[] = [];
  let [afterPage, afterId] = [-1, 0];
  for (;;) {
    const some = await read({ afterPage, afterId, batch: rowsInBatch });
    for (const row of some) rows.push(row);
    const last = some.at(-1);
    if (last === undefined || some.length < rowsInBatch) return rows;
    [afterPage, afterId] = [last.page_number, last.id];
    await setImmediate();
  }
}

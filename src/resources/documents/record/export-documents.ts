import type { Database } from "../../../database/database.ts";
import { listAllDocuments } from "./export-store.ts";
import { type Bases, recordText } from "./present.ts";

const documentsPerPage = 500;

/**
 * The records of all documents as their operator sees them, private projects included: one on each line, in ascending
 * order of ids. Read page by page, as fast as they are taken and no faster. A document that was there throughout
 * comes once.
 */
export async function* exportedRecords(
  database: Database,
  bases: Bases,
): AsyncGenerator<{ text: string; count: number }> {
  let lastId = 0;
  for (;;) {
    const rows = await listAllDocuments(database, lastId, documentsPerPage);
    const last = rows.at(-1);
    if (last === undefined) return;
    lastId = last.id;
    yield { text: rows.map((row) => `${recordText(row, bases, false)}\n`).join(""), count: rows.length };
  }
}

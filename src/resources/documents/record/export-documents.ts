import type { Database } from "../../../database/database.ts";
import { listAllDocuments } from "./export-store.ts";
import { type BaseUrls, recordText } from "../present.ts";

const documentsPerPage = 500;

/**
 * The records of all documents as the operator sees them, private projects included: one on each line, in ascending
 * order of ids. They are read page by page, no faster than the caller consumes them. A document that exists throughout
 * appears exactly once.
 */
export async function* exportedRecords(
  database: Database,
  baseUrls: BaseUrls,
): AsyncGenerator<{ text: string; count: number }> {
  let lastId = 0;
  for (;;) {
    const rows = await listAllDocuments(database, lastId, documentsPerPage);
    const last = rows.at(-1);
    if (last === undefined) return;
    lastId = last.id;
    yield { text: rows.map((row) => `${recordText(row, baseUrls, false)}\n`).join(""), count: rows.length };
  }
}

import type { DatabaseSettings } from "../src/database/database.ts";
import { openDatabase } from "../src/database/open-database.ts";
import { storeRecords } from "../src/resources/documents/record-store.ts";

/** Stores the records of documents that the application has not written itself, as its job does. */
export async function storeAllRecords(settings: DatabaseSettings): Promise<void> {
  const database = await openDatabase(settings);
  try {
    await storeRecords(database, new AbortController().signal);
  } finally {
    await database.close();
  }
}

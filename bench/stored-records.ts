import { type DatabaseSettings, openDatabase } from "../src/database/database.ts";
import { storeRecords } from "../src/resources/documents/record-store.ts";

/** Does what the job does for documents that no transaction of the application has written. */
export async function storeAllRecords(settings: DatabaseSettings): Promise<void> {
  const database = await openDatabase(settings);
  try {
    await storeRecords(database, new AbortController().signal);
  } finally {
    await database.close();
  }
}

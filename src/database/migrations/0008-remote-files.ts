import { type Kysely, sql } from "kysely";
import type { Dialect } from "../dialect.ts";

/**
 * Where the file of a document is to be fetched from, until that has ended. Such an address may be as good as a key to
 * what is there: so it goes with the work, and stands in no history and no receipt.
 */
export async function remoteFiles(db: Kysely<unknown>, { text, boolean }: Dialect): Promise<void> {
  await sql`create table remote_files (
    document_id bigint primary key references documents (id) on delete cascade,
    address ${text} not null,
    extension_is_known ${boolean} not null,
    process_options ${text} not null
  )`.execute(db);
}

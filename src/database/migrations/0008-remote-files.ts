import { type Kysely, sql } from "kysely";
import type { Dialect } from "../dialect.ts";

/**
 * The address from which a document's file is to be fetched, until the fetch has ended. Such an address may grant
 * access to the file: so the row is deleted with the work, and the address appears in no history and no receipt.
 */
export async function remoteFiles(db: Kysely<unknown>, { text, boolean }: Dialect): Promise<void> {
  await sql`create table remote_files (
    document_id bigint primary key references documents (id) on delete cascade,
    address ${text} not null,
    extension_is_known ${boolean} not null,
    process_options ${text} not null
  )`.execute(db);
}

import { type Kysely, sql } from "kysely";

/** Finds the pages whose words have positions of their own, which few pages of most documents have. */
export async function wordsOfPages(db: Kysely<unknown>): Promise<void> {
  await sql`create index document_pages_with_words on document_pages (document_id, page)
    where words is not null`.execute(db);
}

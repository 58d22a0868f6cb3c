import { type Kysely, sql } from "kysely";
import type { Dialect } from "../dialect.ts";

/**
 * Pages whose text was recognised and not read: by what, how surely, where its words are, and the text that the file had
 * for the page, if that was of no use. Of other pages the positions of words are in the file.
 */
export async function pageTexts(db: Kysely<unknown>, { text }: Dialect): Promise<void> {
  await sql`alter table document_pages add column ocr ${text}`.execute(db);
  await sql`alter table document_pages add column confidence double precision`.execute(db);
  await sql`alter table document_pages add column layer ${text}`.execute(db);
  await sql`alter table document_pages add column words ${text}`.execute(db);
}

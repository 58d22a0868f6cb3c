import { type Kysely, sql } from "kysely";
import type { Dialect } from "../dialect.ts";

/**
 * Results of OCR: the engine, the confidence, the positions of the words, and the text in the file if it was
 * unusable. For other pages the positions of words are in the file.
 */
export async function pageTexts(db: Kysely<unknown>, { text }: Dialect): Promise<void> {
  await sql`alter table document_pages add column ocr ${text}`.execute(db);
  await sql`alter table document_pages add column confidence double precision`.execute(db);
  await sql`alter table document_pages add column layer ${text}`.execute(db);
  await sql`alter table document_pages add column words ${text}`.execute(db);
}

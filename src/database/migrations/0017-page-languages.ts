import { type Kysely, sql } from "kysely";
import type { Dialect } from "../dialect.ts";

/** The OCR language of a page, if it is not its document's. */
export async function pageLanguages(db: Kysely<unknown>, { text }: Dialect): Promise<void> {
  await sql`alter table document_pages add column ocr_language ${text}`.execute(db);
}

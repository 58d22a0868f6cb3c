import { sql } from "kysely";
import { BulkInsert } from "../../database/bulk-insert.ts";
import type { Database, Writer } from "../../database/database.ts";
import { type Buildable, compilable, parameter } from "../../database/prepared-queries.ts";

export interface PageTextRow {
  /** Counts from 0. */
  page: number;
  text: string;
}

/** The texts of a document's pages, in place of those that it had. */
export async function replacePages(
  writer: Writer,
  documentId: number,
  texts: readonly string[],
): Promise<void> {
  await writer.deleteFrom("document_pages").where("document_id", "=", documentId).execute();
  const rows = texts.map((text, page) => ({ document_id: documentId, page, text }));
  await new BulkInsert<(typeof rows)[number]>("document_pages", ["document_id", "page", "text"]).run(
    writer,
    rows,
  );
}

/** The texts of all pages that have been read, in one statement and so of one reading. */
export async function findPages({ prepared, reader }: Database, documentId: number): Promise<PageTextRow[]> {
  const build = (): Buildable<PageTextRow> =>
    compilable(
      reader,
      sql`select page, text from document_pages where document_id = ${parameter("id")} order by page`,
    );
  return prepared.rows<PageTextRow>("pages", build, { id: documentId });
}

export async function findPageText(
  { prepared, reader }: Database,
  documentId: number,
  page: number,
): Promise<string | null> {
  const build = (): Buildable<PageTextRow> =>
    compilable(
      reader,
      sql`select page, text from document_pages
        where document_id = ${parameter("id")} and page = ${parameter("page")}`,
    );
  const [row] = await prepared.rows<PageTextRow>("page", build, { id: documentId, page });
  return row?.text ?? null;
}

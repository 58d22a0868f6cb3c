import { sql } from "kysely";
import { BulkInsert } from "../../database/bulk-insert.ts";
import type { Database, Writer } from "../../database/database.ts";
import type { PageWord } from "../../processing/page-words.ts";
import { partOfPage } from "../../search/parts.ts";
import { forgetPages, indexTexts } from "../../search/text-index.ts";
import { type Buildable, compilable, parameter } from "../../database/prepared-queries.ts";

export interface PageTextRow {
  /** Counts from 0. */
  page: number;
  text: string;
  /** By what it was recognised; null: the file has it. */
  ocr: string | null;
}

/** A page as it was read. */
export interface ReadPage {
  text: string;
  /** Of a page whose text was recognised. */
  recognised?: {
    engine: string;
    confidence: number;
    /** The text that the file has for the page. */
    layer: string;
    words: readonly PageWord[];
  };
}

/** The texts of a document's pages, in place of those that it had; in the index as well. */
export async function replacePages(
  writer: Writer,
  documentId: number,
  pages: readonly ReadPage[],
): Promise<void> {
  await forgetPages(writer, documentId);
  await writer.deleteFrom("document_pages").where("document_id", "=", documentId).execute();
  const rows = pages.map(({ text, recognised }, page) => ({
    document_id: documentId,
    page,
    text,
    ocr: recognised?.engine ?? null,
    confidence: recognised?.confidence ?? null,
    layer: recognised?.layer ?? null,
    words: recognised === undefined ? null : JSON.stringify(recognised.words),
  }));
  const columns = ["document_id", "page", "text", "ocr", "confidence", "layer", "words"] as const;
  await new BulkInsert<(typeof rows)[number]>("document_pages", columns).run(writer, rows);
  const parts = pages.map(({ text }, page) => ({ documentId, part: partOfPage(page), text }));
  await indexTexts(writer, parts, { areNew: true });
}

/** The texts of all pages that have been read, in one statement and so of one reading. */
export async function findPages({ prepared, reader }: Database, documentId: number): Promise<PageTextRow[]> {
  const build = (): Buildable<PageTextRow> =>
    compilable(
      reader,
      sql`select page, text, ocr from document_pages where document_id = ${parameter("id")} order by page`,
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

import { sql } from "kysely";
import { BulkInsert } from "../../../database/bulk-insert.ts";
import type { Database, Reader, Writer } from "../../../database/database.ts";
import type { PageWord } from "../../../processing/pdfium/page-words.ts";
import type { PageChange } from "./page-fields.ts";
import { partOfPage } from "../../../search/parts.ts";
import { forgetPages, indexTexts } from "../../../search/text-index.ts";
import { type Buildable, compilable, parameter } from "../../../database/prepared-queries.ts";

export interface PageTextRow {
  /** Counts from 0. */
  page: number;
  text: string;
  /** By what it was recognised; null: the file has it. */
  ocr: string | null;
}

export interface RecognisedPageRow extends PageTextRow {
  /** JSON text: where the words are that were recognised; null: the file says it. */
  words: string | null;
}

/** A page as it was read. */
export interface ReadPage {
  text: string;
  /** Of a page whose text was recognised, or given by somebody who knew more of it. */
  recognised?: {
    /** Null: nobody said. */
    engine: string | null;
    confidence: number | null;
    /** The language that it was recognised in, if that is not the document's. */
    language?: string;
    /** The text that the file has for the page. */
    layer: string;
    /** Null: the file says where they are. */
    words: readonly PageWord[] | null;
  };
  /** Why it, or its image, could not be read. */
  fault?: string;
}

/** The texts of a document's pages, in place of those that it had; in the index as well. */
export async function replacePages(
  writer: Writer,
  documentId: number,
  pages: readonly ReadPage[],
): Promise<void> {
  await forgetPages(writer, documentId);
  await writer.deleteFrom("document_pages").where("document_id", "=", documentId).execute();
  await addPages(writer, documentId, 0, pages);
}

export async function countPages(reader: Pick<Reader, "selectFrom">, documentId: number): Promise<number> {
  const { pages } = await reader
    .selectFrom("document_pages")
    .select((one) => one.fn.countAll<number>().as("pages"))
    .where("document_id", "=", documentId)
    .executeTakeFirstOrThrow();
  return pages;
}

/** The texts of pages from this one on, which it has none of yet. */
export async function addPages(
  writer: Writer,
  documentId: number,
  first: number,
  pages: readonly ReadPage[],
): Promise<void> {
  const rows = pages.map(({ text, recognised, fault }, index) => ({
    document_id: documentId,
    page: first + index,
    text,
    ocr: recognised?.engine ?? null,
    confidence: recognised?.confidence ?? null,
    ocr_language: recognised?.language ?? null,
    layer: recognised?.layer ?? null,
    words: recognised?.words ? JSON.stringify(recognised.words) : null,
    fault: fault ?? null,
  }));
  const columns = [
    ...(["document_id", "page", "text", "ocr", "confidence", "ocr_language"] as const),
    ...(["layer", "words", "fault"] as const),
  ];
  await new BulkInsert<(typeof rows)[number]>("document_pages", columns).run(writer, rows);
  const parts = pages.map(({ text }, index) => ({ documentId, part: partOfPage(first + index), text }));
  await indexTexts(writer, parts, { areNew: true });
}

/** The texts of some pages, in place of what they were; of two for one page the later one counts. */
export async function putPages(
  writer: Writer,
  documentId: number,
  changes: readonly PageChange[],
): Promise<void> {
  for (const { page, text, ocr, words: places } of changes) {
    const words = places === null ? null : JSON.stringify(places);
    await writer
      .insertInto("document_pages")
      .values({ document_id: documentId, page, text, ocr, words })
      .onConflict((conflict) =>
        conflict
          .columns(["document_id", "page"])
          .doUpdateSet({ text, ocr, words, confidence: null, ocr_language: null, layer: null, fault: null }),
      )
      .execute();
    await indexTexts(writer, [{ documentId, part: partOfPage(page), text }]);
  }
}

/** What the texts of a document are, without reading them. */
export interface TextExtent {
  /** Of the pages that have been read. */
  pages: number;
  /** The last one of them; null where there is none. */
  last: number | null;
  /** In UTF-8. */
  bytes: number;
  /** When the document changed last. */
  updated_at: string;
}

/** Null where there is no such document. */
export async function findTextExtent(
  { prepared, reader }: Database,
  documentId: number,
): Promise<TextExtent | null> {
  const build = (): Buildable<TextExtent> =>
    compilable(
      reader,
      // Both engines know how long a text is that they keep aside, and do not read it for that.
      sql`select documents.updated_at, extent.pages, extent.last, extent.bytes from documents, (
          select count(*) as pages, max(page) as last,
            cast(coalesce(sum(octet_length(text)), 0) as bigint) as bytes
          from document_pages where document_id = ${parameter("id")}
        ) as extent where documents.id = ${parameter("id")}`,
    );
  const [row] = await prepared.rows<TextExtent>("text extent", build, { id: documentId });
  return row ?? null;
}

const pagesAtOnce = 32;

/**
 * The texts of some pages that have been read, from this one on; empty after the last one. Each statement says when the
 * document had changed, so that whoever asks again knows whether the pages belong together.
 */
export async function findSomePages(
  { prepared, reader }: Database,
  documentId: number,
  first: number,
): Promise<(PageTextRow & { updated_at: string })[]> {
  const build = (): Buildable<PageTextRow & { updated_at: string }> =>
    compilable(
      reader,
      sql`select page, text, ocr, documents.updated_at
        from document_pages join documents on documents.id = document_pages.document_id
        where document_id = ${parameter("id")} and page >= ${parameter("first")}
        order by page limit ${sql.lit(pagesAtOnce)}`,
    );
  return prepared.rows("some pages", build, { id: documentId, first });
}

export async function findPage(
  { prepared, reader }: Database,
  documentId: number,
  page: number,
): Promise<RecognisedPageRow | null> {
  const build = (): Buildable<RecognisedPageRow> =>
    compilable(
      reader,
      sql`select page, text, ocr, words from document_pages
        where document_id = ${parameter("id")} and page = ${parameter("page")}`,
    );
  const [row] = await prepared.rows<RecognisedPageRow>("page", build, { id: documentId, page });
  return row ?? null;
}

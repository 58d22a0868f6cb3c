import { sql } from "kysely";
import { BulkInsert } from "../../../database/bulk-insert.ts";
import type { Database, Reader, Writer } from "../../../database/database.ts";
import type { PageWord } from "../../../processing/pdfium/page-words.ts";
import { fingerprintLater } from "./fingerprint-store.ts";
import { recogniseLater } from "./language-store.ts";
import { findMentionsLater, forgetOldCorrections, forgetUnread, withMentions } from "./mention-store.ts";
import type { PageChange } from "./page-fields.ts";
import { partOfPage } from "../../../search/parts.ts";
import { forgetPages, indexTexts } from "../../../search/text-index.ts";
import { parameter } from "../../../database/prepared-queries.ts";

export interface PageTextRow {
  /** Counts from 0. */
  page: number;
  text: string;
  /** The name of the OCR engine. Null if the text comes from the file. */
  ocr: string | null;
}

export interface RecognisedPageRow extends PageTextRow {
  /** The positions of recognised words, as JSON. Null if the file has the positions. */
  words: string | null;
}

/** The result of reading a page. */
export interface ReadPage {
  text: string;
  /** Set if the text was recognised, or sent by a client. */
  recognised?: {
    /** Null if unknown. */
    engine: string | null;
    confidence: number | null;
    /** The language that the page was recognised in, if it is not the document's. */
    language?: string;
    /** The text of the page in the file. */
    layer: string;
    /** Null if the file has the positions. */
    words: readonly PageWord[] | null;
  };
  /** Why the page or its image could not be read. */
  fault?: string;
}

/** Replaces the texts of a document's pages, in the table and in the text index. */
export async function replacePages(
  writer: Writer,
  documentId: number,
  pages: readonly ReadPage[],
): Promise<void> {
  await deletePages(writer, documentId);
  await addPages(writer, documentId, 0, pages);
  await forgetOldCorrections(
    writer,
    documentId,
    pages.map(({ text }, page) => ({ page, text })),
  );
}

/** Deletes the texts of a document's pages from the table and from the text index. */
export async function deletePages(writer: Writer, documentId: number): Promise<void> {
  await forgetPages(writer, documentId);
  await writer.deleteFrom("document_pages").where("document_id", "=", documentId).execute();
  await forgetUnread(writer, documentId);
  await fingerprintLater(writer, [documentId]);
}

export async function countPages(reader: Pick<Reader, "selectFrom">, documentId: number): Promise<number> {
  const { pages } = await reader
    .selectFrom("document_pages")
    .select((table) => table.fn.countAll<number>().as("pages"))
    .where("document_id", "=", documentId)
    .executeTakeFirstOrThrow();
  return pages;
}

/**
 * Adds consecutive pages that the document does not have yet, the first of which has the number `first`, with their
 * mentions.
 */
export async function addPages(
  writer: Writer,
  documentId: number,
  first: number,
  pages: readonly ReadPage[],
): Promise<void> {
  const texts = pages.map(({ text }, index) => ({ page: first + index, text }));
  await withMentions(writer, documentId, texts, () => insertPages(writer, documentId, first, pages));
}

async function insertPages(
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

/** The same for pages that were read elsewhere: jobs find their mentions and language, and make the fingerprint. */
export async function addUnrecognisedPages(...pages: Parameters<typeof addPages>): Promise<void> {
  await insertPages(...pages);
  const [writer, documentId] = pages;
  await recogniseLater(writer, [documentId]);
  await fingerprintLater(writer, [documentId]);
  await findMentionsLater(writer);
}

/** Indexes pages that were added to `document_pages`. Jobs find the rest, as for {@link addUnrecognisedPages}. */
export async function indexPages(
  writer: Writer,
  rows: readonly { document_id: number; page: number; text: string }[],
): Promise<void> {
  const parts = rows.map(({ document_id: documentId, page, text }) => ({
    documentId,
    part: partOfPage(page),
    text,
  }));
  await indexTexts(writer, parts, { areNew: true });
  const documents = parts.map(({ documentId }) => documentId);
  await recogniseLater(writer, documents);
  await fingerprintLater(writer, documents);
  await findMentionsLater(writer);
}

/** Replaces the texts of some pages. If a page occurs twice, its last text wins. */
export async function putPages(
  writer: Writer,
  documentId: number,
  changes: readonly PageChange[],
): Promise<void> {
  for (const { page, text, ocr, words: positions } of changes) {
    const words = positions === null ? null : JSON.stringify(positions);
    await writer
      .insertInto("document_pages")
      .values({ document_id: documentId, page, text, ocr, words })
      .onConflict((conflict) =>
        conflict
          .columns(["document_id", "page"])
          .doUpdateSet({ text, ocr, words, confidence: null, ocr_language: null, layer: null, fault: null }),
      )
      .execute();
  }
  const texts = new Map(changes.map(({ page, text }) => [page, text]));
  const parts = Array.from(texts, ([page, text]) => ({ documentId, part: partOfPage(page), text }));
  await indexTexts(writer, parts);
  await recogniseLater(writer, [documentId]);
  await fingerprintLater(writer, [documentId]);
  await findMentionsLater(writer);
}

/** The extent of a document's texts, found without reading them. */
export interface TextExtent {
  /** The number of pages that have been read. */
  pages: number;
  /** The number of the last page. Null if there are no pages. */
  last: number | null;
  /** The size of all texts in UTF-8. */
  bytes: number;
  /** When the document was last changed. */
  updated_at: string;
}

/** Returns null if the document does not exist. */
export async function findTextExtent({ prepared }: Database, documentId: number): Promise<TextExtent | null> {
  // Both engines know the length of a text that is stored out of line without reading it.
  const [row] = await prepared.rows<TextExtent>(
    "text extent",
    () => sql`select documents.updated_at, extent.pages, extent.last, extent.bytes from documents, (
          select count(*) as pages, max(page) as last,
            cast(coalesce(sum(octet_length(text)), 0) as bigint) as bytes
          from document_pages where document_id = ${parameter("id")}
        ) as extent where documents.id = ${parameter("id")}`,
    { id: documentId },
  );
  return row ?? null;
}

const pagesAtOnce = 32;

/**
 * The texts of a few pages, starting with `first`. Empty after the last page. Each row says when the document was last
 * changed, so that the caller can tell whether pages from several queries belong together.
 */
export async function findSomePages(
  { prepared }: Database,
  documentId: number,
  first: number,
): Promise<(PageTextRow & { updated_at: string })[]> {
  return prepared.rows(
    "some pages",
    () => sql`select page, text, ocr, documents.updated_at
        from document_pages join documents on documents.id = document_pages.document_id
        where document_id = ${parameter("id")} and page >= ${parameter("first")}
        order by page limit ${sql.lit(pagesAtOnce)}`,
    { id: documentId, first },
  );
}

export async function findPage(
  { prepared }: Database,
  documentId: number,
  page: number,
): Promise<RecognisedPageRow | null> {
  const [row] = await prepared.rows<RecognisedPageRow>(
    "page",
    () => sql`select page, text, ocr, words from document_pages
        where document_id = ${parameter("id")} and page = ${parameter("page")}`,
    { id: documentId, page },
  );
  return row ?? null;
}

import type { Database, Reader } from "../../../database/database.ts";
import type { PageWord } from "../../../processing/pdfium/page-words.ts";
import type { ReadPage } from "./page-store.ts";

/** Everything stored about the reading of a document's pages, by page number, counting from 0. */
export async function findReadPages(
  reader: Pick<Reader, "selectFrom">,
  documentId: number,
): Promise<Map<number, ReadPage>> {
  const rows = await reader
    .selectFrom("document_pages")
    .select(["page", "text", "ocr", "confidence", "ocr_language", "layer", "words", "fault"])
    .where("document_id", "=", documentId)
    .orderBy("page")
    .execute();
  return new Map(
    rows.map(({ page, text, ocr, confidence, ocr_language, layer, words, fault }) => {
      const read = { text, ...(fault !== null && { fault }) };
      // A client that changed the text may have sent positions of its words too.
      if (ocr === null && words === null) return [page, read] as const;
      const recognised = {
        engine: ocr,
        confidence,
        ...(ocr_language !== null && { language: ocr_language }),
        layer: layer ?? "",
        words: words === null ? null : (JSON.parse(words) as PageWord[]),
      };
      return [page, { ...read, recognised }] as const;
    }),
  );
}

/** A page with the positions of its words that were recognised, or sent by a client. */
export interface PageWithWords {
  page: number;
  text: string;
  /** As JSON: see {@link PageWord}. */
  words: string;
  /** The text of the page in the file; null if unknown. */
  layer: string | null;
}

const pagesAtOnce = 32;

/** A few of the pages whose words have positions of their own, starting with `first`. Empty after the last one. */
export async function findWordsFrom(
  { reader }: Database,
  documentId: number,
  first: number,
): Promise<PageWithWords[]> {
  return reader
    .selectFrom("document_pages")
    .select(["page", "text", "layer"])
    .select((row) => row.ref("words").$notNull().as("words"))
    .where("document_id", "=", documentId)
    .where("page", ">=", first)
    .where("words", "is not", null)
    .orderBy("page")
    .limit(pagesAtOnce)
    .execute();
}

/** Whether words of the document have positions of their own. */
export async function hasWords({ reader }: Database, documentId: number): Promise<boolean> {
  const found = await reader
    .selectFrom("document_pages")
    .select("page")
    .where("document_id", "=", documentId)
    .where("words", "is not", null)
    .limit(1)
    .executeTakeFirst();
  return found !== undefined;
}

/** Facts about the reading of a document's pages, without their texts. */
export interface PagesAccount {
  /** Pages that could not be read or recognised, with the reason. */
  unread: { page: number; reason: string }[];
  /** Pages whose text was recognised. Confidence is 0 to 100; `language` is set if it is not the document's. */
  recognised: { page: number; confidence: number | null; language?: string }[];
}

/** Page numbers count from 1 here, because people read them. */
export async function findPagesAccount(
  reader: Pick<Reader, "selectFrom">,
  documentId: number,
): Promise<PagesAccount> {
  const rows = await reader
    .selectFrom("document_pages")
    .select(["page", "ocr", "confidence", "ocr_language", "fault"])
    .where("document_id", "=", documentId)
    .where((is) => is.or([is("ocr", "is not", null), is("fault", "is not", null)]))
    .orderBy("page")
    .execute();
  return {
    unread: rows.flatMap(({ page, fault }) => (fault === null ? [] : [{ page: page + 1, reason: fault }])),
    recognised: rows.flatMap(({ page, ocr, confidence, ocr_language: language, fault }) => {
      if (ocr === null || fault !== null) return [];
      const rounded = confidence === null ? null : Math.round(confidence);
      return [{ page: page + 1, confidence: rounded, ...(language !== null && { language }) }];
    }),
  };
}

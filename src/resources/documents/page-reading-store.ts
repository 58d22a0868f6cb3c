import type { Reader } from "../../database/database.ts";
import type { PageWord } from "../../processing/page-words.ts";
import type { ReadPage } from "./page-store.ts";

/** The pages of a document as they were read, with all that is known of them, by their numbers; pages count from 0. */
export async function findReadPages(
  reader: Pick<Reader, "selectFrom">,
  documentId: number,
): Promise<Map<number, ReadPage>> {
  const rows = await reader
    .selectFrom("document_pages")
    .select(["page", "text", "ocr", "confidence", "layer", "words"])
    .where("document_id", "=", documentId)
    .orderBy("page")
    .execute();
  return new Map(
    rows.map(({ page, text, ocr, confidence, layer, words }) => {
      // Where words are may also have been said by whoever gave the text.
      if (ocr === null && words === null) return [page, { text }] as const;
      const recognised = {
        engine: ocr,
        confidence,
        layer: layer ?? "",
        words: words === null ? null : (JSON.parse(words) as PageWord[]),
      };
      return [page, { text, recognised }] as const;
    }),
  );
}

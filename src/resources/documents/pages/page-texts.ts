import type { Reader, Writer } from "../../../database/database.ts";

/** The text of a page, counting from 0, and the one that its file has for it. */
export interface PageTexts {
  page: number;
  text: string;
  /** Null if unknown. */
  layer: string | null;
}

const pagesAtOnce = 64;

/** The texts of a few pages, starting with `first`. Empty after the last page. */
export function findTextsFrom(
  reader: Pick<Reader | Writer, "selectFrom">,
  documentId: number,
  first: number,
): Promise<PageTexts[]> {
  return reader
    .selectFrom("document_pages")
    .select(["page", "text", "layer"])
    .where("document_id", "=", documentId)
    .where("page", ">=", first)
    .orderBy("page")
    .limit(pagesAtOnce)
    .execute();
}

/** The texts of all pages in order, a few at a time. */
export async function* textsOf(
  reader: Pick<Reader | Writer, "selectFrom">,
  documentId: number,
): AsyncGenerator<PageTexts[]> {
  for (let first = 0; ;) {
    const pages = await findTextsFrom(reader, documentId, first);
    const last = pages.at(-1);
    if (last === undefined) return;
    yield pages;
    first = last.page + 1;
  }
}

import type { Reader, Writer } from "../../../database/database.ts";
import type { ReadPage } from "./page-store.ts";
import { removeRows } from "../../../database/rows.ts";

/*
 * A document that is read again keeps its old pages until all new ones exist. The reading of a long document yields to
 * other jobs and may continue in another process, so its new pages are stored here until then.
 */

/** Stores consecutive pages, the first of which has the number `first`, counting from 0. */
export async function addRereadPages(
  writer: Writer,
  documentId: number,
  first: number,
  pages: readonly ReadPage[],
): Promise<void> {
  for (const [index, page] of pages.entries()) {
    await writer
      .insertInto("reread_pages")
      .values({ document_id: documentId, page: first + index, content: JSON.stringify(page) })
      .execute();
  }
}

export async function findRereadPages(
  reader: Pick<Reader, "selectFrom">,
  documentId: number,
): Promise<ReadPage[]> {
  const rows = await reader
    .selectFrom("reread_pages")
    .select("content")
    .where("document_id", "=", documentId)
    .orderBy("page")
    .execute();
  return rows.map(({ content }) => JSON.parse(content) as ReadPage);
}

export async function endRereading(writer: Writer, documentId: number): Promise<void> {
  await removeRows(writer, "reread_pages", { document_id: documentId });
}

import { Readable } from "node:stream";
import type { Insertable } from "kysely";
import type { Context } from "../context.ts";
import type { DocumentsTable } from "../database/tables.ts";
import { documentFileKey } from "../files/keys.ts";
import { type ReadPage, addPages, replacePages } from "../resources/documents/pages/page-store.ts";
import { addDocuments, documentRow } from "./factories.ts";

/** The text of a page, or everything that was read from it. */
export type PageText = string | ReadPage;

/** A processed document: its texts, its file, and the columns that the test overrides. */
export interface ReadDocument extends Partial<Insertable<DocumentsTable>> {
  /** The document has as many pages, unless the columns say otherwise. Without texts, no page was read. */
  pages?: readonly PageText[];
  /** The bytes of its file. Without them, it has no file. */
  pdf?: Uint8Array | string;
}

/**
 * Adds owners 1 and 2 and documents as if they had been processed, with their texts in the text index too. Returns the
 * documents' ids, in the same order.
 */
export async function addReadDocuments(
  context: Pick<Context, "database" | "files">,
  documents: readonly ReadDocument[],
): Promise<number[]> {
  const rows = documents.map(rowOf);
  const ids = await addDocuments(context, rows);
  for (const [index, { pages = [], pdf }] of documents.entries()) {
    const id = ids[index] ?? 0;
    if (pages.length > 0) await addTexts(context, id, pages);
    if (pdf === undefined) continue;
    const key = documentFileKey(id, documentRow(rows[index]).slug, "pdf");
    await context.files.put(key, Readable.from([Buffer.from(pdf)]));
  }
  return ids;
}

/** Adds one such document. Returns its id. */
export async function addReadDocument(
  context: Pick<Context, "database" | "files">,
  document: ReadDocument,
): Promise<number> {
  const [id = 0] = await addReadDocuments(context, [document]);
  return id;
}

/** Adds the texts of pages that a document does not have yet. The first one gets the number `first`. */
export function addTexts(
  { database }: Pick<Context, "database">,
  id: number,
  pages: readonly PageText[],
  first = 0,
): Promise<void> {
  return database.write((writer) => addPages(writer, id, first, pages.map(asRead)));
}

/** Gives a document these texts and no others. */
export function replaceTexts(
  { database }: Pick<Context, "database">,
  id: number,
  pages: readonly PageText[],
): Promise<void> {
  return database.write((writer) => replacePages(writer, id, pages.map(asRead)));
}

const asRead = (page: PageText): ReadPage => (typeof page === "string" ? { text: page } : page);

function rowOf({ pages, ...document }: ReadDocument): Partial<Insertable<DocumentsTable>> {
  const { pdf: _pdf, ...columns } = document;
  if (pages === undefined) return columns;
  const last = pages.length - 1;
  const page_spec = last < 0 ? "" : `612.00x792.00:0${last === 0 ? "" : `-${last}`}`;
  return { page_count: pages.length, page_spec, ...columns };
}

import { hash } from "node:crypto";
import { Readable } from "node:stream";
import type { Database } from "../../../database/database.ts";
import { oneByOne } from "../../../http/text/slices.ts";
import { tooBusy } from "../../../errors.ts";
import { type PageTextRow, type TextExtent, findSomePages, findTextExtent } from "../pages/page-store.ts";
import type { DocumentRow } from "../store.ts";

/*
 * The text of all pages, as plain text and as JSON. It may have hundreds of megabytes, and every viewer of the document
 * may request it, so it is never held in memory as a whole. It is read a few pages at a time, as fast as the client
 * takes it. Its tag is known before any text is read: it is computed from the time of the last change and the amount of
 * text. If the text changes while it is being sent, the response is aborted: its length has been announced, and its
 * parts would not match.
 */

/** An asset that is made while it is sent. */
export interface StreamedAsset {
  contentType: string;
  etag: string;
  /** In bytes; null if it is known only at the end. */
  length: number | null;
  read: () => Readable;
}

interface Form {
  contentType: string;
  lengthOf: (extent: TextExtent) => number | null;
  begin: string;
  between: string;
  end: string;
  write: (page: PageTextRow) => string;
}

const betweenPages = "\n\n";

const plain: Form = {
  contentType: "text/plain; charset=utf-8",
  lengthOf: ({ bytes, pages }) => bytes + betweenPages.length * (pages - 1),
  begin: "",
  between: betweenPages,
  end: "",
  write: ({ text }) => text,
};

function jsonOf({ language: lang, updated_at }: DocumentRow): Form {
  const updated = Date.parse(updated_at);
  return {
    contentType: "application/json",
    lengthOf: () => null,
    begin: `{"updated":${JSON.stringify(updated)},"pages":[`,
    between: ",",
    end: "]}",
    write: ({ page, text, ocr }) => JSON.stringify({ page, contents: text, ocr, lang, updated }),
  };
}

/** Null if no page has been read. */
export async function findWholeText(
  database: Database,
  document: DocumentRow,
  kind: "txt" | "txt.json",
): Promise<StreamedAsset | null> {
  const form = kind === "txt" ? plain : jsonOf(document);
  const extent = await findTextExtent(database, document.id);
  if (extent === null || extent.last === null) return null;
  const { last } = extent;
  const { language, file_hash, updated_at } = document;
  const state = [kind, document.id, updated_at, language, file_hash, ...Object.values(extent)];
  return {
    contentType: form.contentType,
    etag: `"${hash("sha1", JSON.stringify(state), "base64url")}"`,
    length: form.lengthOf(extent),
    read: () =>
      Readable.from(oneByOne(parts(database, document.id, { ...extent, last }, form)), { objectMode: false }),
  };
}

async function* parts(
  database: Database,
  documentId: number,
  { last, updated_at }: { last: number; updated_at: string },
  { begin, between, end, write }: Form,
): AsyncGenerator<Buffer> {
  let lead = begin;
  let next = 0;
  while (next <= last) {
    const some = await findSomePages(database, documentId, next);
    // Pages that have been read since then are left out. Any other change aborts the response.
    const pages = some.filter(({ page }) => page <= last);
    if (pages.length === 0 || pages[0]?.updated_at !== updated_at) throw tooBusy(1);
    next = (pages.at(-1)?.page ?? last) + 1;
    yield Buffer.from(lead + pages.map(write).join(between));
    lead = between;
  }
  yield Buffer.from(end);
}

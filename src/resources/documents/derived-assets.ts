import type { Context } from "../../context.ts";
import { documentFileKey, documentFolder } from "../../files/keys.ts";
import { PageError } from "../../processing/pdf-pages.ts";
import { UnreadableFileError } from "../../processing/unreadable-file.ts";
import type { OpenPdfs } from "./open-pdfs.ts";
import { findPageText, findPages } from "./page-store.ts";
import type { DocumentRow } from "./row-store.ts";

/** What a document's file was made into. */
export interface DerivedAsset {
  contentType: string;
  body: Buffer;
}

/** In pixels, as clients of that API name them. */
const imageWidths: Readonly<Record<string, number>> = {
  xlarge: 2000,
  large: 1000,
  normal: 700,
  small: 180,
  thumbnail: 60,
};

/**
 * Texts come from the database, page images and word positions from the file when they are first asked for: most pages
 * are never looked at, and making all of them ahead would take longer than everything else that is done with a file.
 * Images are kept beside the file. `name` is what follows the document's folder in an address. Null where there is none.
 */
export async function findDerivedAsset(
  context: Pick<Context, "database" | "files">,
  pdfs: OpenPdfs,
  document: DocumentRow,
  name: string,
): Promise<DerivedAsset | null> {
  const { id, slug } = document;
  if (name === `${slug}.txt`) return wholeText(context, id);
  if (name === `${slug}.txt.json`) return textJson(context, document);
  if (!name.startsWith(`pages/${slug}-p`)) return null;
  const rest = name.slice(`pages/${slug}-p`.length);
  const [, digits = "", kind = ""] = /^([1-9]\d{0,8})(\.txt|\.position\.json|-[a-z]+\.gif)$/.exec(rest) ?? [];
  const page = Number(digits) - 1;
  if (digits === "" || page >= document.page_count) return null;
  if (kind === ".txt") return pageText(context, id, page);
  if (kind === ".position.json") return positions(context, pdfs, document, page);
  return pageImage(context, pdfs, document, page, kind.slice(1, -".gif".length));
}

async function wholeText({ database }: Pick<Context, "database">, id: number): Promise<DerivedAsset | null> {
  const pages = await findPages(database, id);
  return pages.length === 0 ? null : plainText(pages.map(({ text }) => text).join("\n\n"));
}

async function pageText(
  { database }: Pick<Context, "database">,
  id: number,
  page: number,
): Promise<DerivedAsset | null> {
  const text = await findPageText(database, id, page);
  return text === null ? null : plainText(text);
}

function plainText(text: string): DerivedAsset {
  return { contentType: "text/plain; charset=utf-8", body: Buffer.from(text) };
}

async function textJson(
  { database }: Pick<Context, "database">,
  { id, language, updated_at }: DocumentRow,
): Promise<DerivedAsset | null> {
  const rows = await findPages(database, id);
  if (rows.length === 0) return null;
  const updated = Date.parse(updated_at);
  const pages = rows.map(({ page, text }) => ({ page, contents: text, ocr: null, lang: language, updated }));
  return json({ updated, pages });
}

function json(value: unknown): DerivedAsset {
  return { contentType: "application/json", body: Buffer.from(JSON.stringify(value)) };
}

async function positions(
  { files }: Pick<Context, "files">,
  pdfs: OpenPdfs,
  document: DocumentRow,
  page: number,
): Promise<DerivedAsset | null> {
  const place = await placeOf(files, document);
  if (place === null) return null;
  const words = await unlessUnreadable(pdfs.read(place, (pdf) => pdf.text(page)));
  return words === null ? null : json(words.words);
}

async function pageImage(
  { files }: Pick<Context, "files">,
  pdfs: OpenPdfs,
  document: DocumentRow,
  page: number,
  size: string,
): Promise<DerivedAsset | null> {
  const width = Object.hasOwn(imageWidths, size) ? imageWidths[size] : undefined;
  if (width === undefined) return null;
  const key = `${documentFolder(document.id)}/pages/${document.slug}-p${page + 1}-${size}.gif`;
  const kept = await files.read(key);
  if (kept !== null) return gif(await bytesOf(kept));
  const place = await placeOf(files, document);
  if (place === null) return null;
  const image = await unlessUnreadable(pdfs.read(place, (pdf) => pdf.image(page, width)));
  if (image === null) return null;
  await files.put(key, oneChunk(image));
  return gif(Buffer.from(image));
}

function gif(body: Buffer): DerivedAsset {
  return { contentType: "image/gif", body };
}

/** Of a document whose file is a PDF in our own store. */
async function placeOf(files: Context["files"], document: DocumentRow): Promise<string | null> {
  const { id, slug, asset_url: elsewhere, original_extension: extension } = document;
  if (elsewhere !== null || extension !== "pdf" || !/^[\w-]+$/.test(slug)) return null;
  return files.placeOf(documentFileKey(id, slug, extension));
}

async function unlessUnreadable<T>(read: Promise<T>): Promise<T | null> {
  try {
    return await read;
  } catch (error) {
    if (error instanceof PageError || error instanceof UnreadableFileError) return null;
    throw error;
  }
}

async function bytesOf(chunks: AsyncIterable<unknown>): Promise<Buffer> {
  const all: Buffer[] = [];
  for await (const chunk of chunks) all.push(chunk as Buffer);
  return Buffer.concat(all);
}

async function* oneChunk(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

import type { Context } from "../../../context.ts";
import { isOutOfRoom } from "../../../errors.ts";
import type { BorrowedFile } from "../../../files/file-store.ts";
import { documentFileKey } from "../../../files/keys.ts";
import { type ImageFormat, type OutlineEntry, PageError } from "../../../processing/pdf/pdf-pages.ts";
import { UnreadableFileError } from "../../../processing/unreadable-file.ts";
import type { PdfReadings } from "./pdf-reading-queue.ts";
import { type PageImage, imageKey, imageWidth, keepImage } from "./page-images.ts";
import { findPage } from "../pages/page-store.ts";
import type { DocumentRow } from "../store.ts";
import { type StreamedAsset, findWholeText } from "./whole-text.ts";

/** An asset derived from a document's file. */
export interface DerivedAsset {
  contentType: string;
  body: Buffer;
}

/**
 * Texts come from the database. Page images and word positions are made from the file on first request: most pages are
 * never viewed, and making all of them ahead would take longer than the rest of processing. The images that lists show
 * are made during processing (page-images.ts). Images are stored beside the file. `name` is the part of the address
 * after the document's folder. Null if there is no such asset.
 */
export async function findDerivedAsset(
  context: Pick<Context, "database" | "files" | "images" | "log">,
  pdfs: PdfReadings,
  document: DocumentRow,
  name: string,
): Promise<DerivedAsset | StreamedAsset | null> {
  const { id, slug } = document;
  if (name === `${slug}.txt`) return findWholeText(context.database, document, "txt");
  if (name === `${slug}.txt.json`) return findWholeText(context.database, document, "txt.json");
  const part = pagePart(document, name);
  if (part === null) return null;
  if ("size" in part) return pageImage(context, pdfs, document, part);
  const { page, kind } = part;
  return kind === ".txt" ? pageText(context, id, page) : findPositions(context, pdfs, document, page);
}

/** The key and format of a stored page image. Null if `name` does not name one, or if the image has not been made. */
export async function findKeptImage(
  files: Context["files"],
  document: DocumentRow,
  name: string,
): Promise<{ key: string; format: ImageFormat } | null> {
  const image = pagePart(document, name);
  if (image === null || !("size" in image) || imageWidth(image.size) === null) return null;
  const key = imageKey(document.id, document.file_hash, image);
  return (await files.stat(key)) === null ? null : { key, format: image.format };
}

/** Pages count from 1 in asset names, and from 0 in the result. */
function pagePart(
  { slug, page_count }: DocumentRow,
  name: string,
): PageImage | { page: number; kind: string } | null {
  if (!name.startsWith(`pages/${slug}-p`)) return null;
  const rest = name.slice(`pages/${slug}-p`.length);
  const [, digits = "", size = "", format = "", kind = ""] =
    /^([1-9]\d{0,8})(?:-([a-z]+)\.(gif|webp)|(\.txt|\.position\.json))$/.exec(rest) ?? [];
  const page = Number(digits) - 1;
  if (digits === "" || page >= page_count) return null;
  return format === "gif" || format === "webp" ? { page, size, format } : { page, kind };
}

async function pageText(
  { database }: Pick<Context, "database">,
  id: number,
  page: number,
): Promise<DerivedAsset | null> {
  const found = await findPage(database, id, page);
  return found === null ? null : plainText(found.text);
}

function plainText(text: string): DerivedAsset {
  return { contentType: "text/plain; charset=utf-8", body: Buffer.from(text) };
}

function json(value: unknown): DerivedAsset {
  return { contentType: "application/json", body: Buffer.from(JSON.stringify(value)) };
}

/** The words of a page with their positions, as JSON. Null if they are neither stored nor in the file. */
export async function findPositions(
  { database, files }: Pick<Context, "database" | "files">,
  pdfs: PdfReadings,
  document: DocumentRow,
  page: number,
): Promise<DerivedAsset | null> {
  const stored = await findPage(database, document.id, page);
  if (stored !== null && stored.words !== null) {
    return { contentType: "application/json", body: Buffer.from(stored.words) };
  }
  const words = await unlessUnreadable(
    pdfs.read({
      document,
      page,
      image: null,
      borrow: () => borrowPdf(files, document),
      read: (pdf) => pdf.text(page),
    }),
  );
  return words === null ? null : json(words.words);
}

/** The table of contents of a document's PDF; empty if it has none, or if it cannot be read here. */
export async function findOutline(
  { files }: Pick<Context, "files">,
  pdfs: PdfReadings,
  document: DocumentRow,
): Promise<OutlineEntry[]> {
  const outline = await unlessUnreadable(
    pdfs.read({
      document,
      page: "outline",
      image: null,
      borrow: () => borrowPdf(files, document),
      read: (pdf) => pdf.outline(),
    }),
  );
  return outline ?? [];
}

async function pageImage(
  { files, images, log }: Pick<Context, "files" | "images" | "log">,
  pdfs: PdfReadings,
  document: DocumentRow,
  wanted: PageImage,
): Promise<DerivedAsset | null> {
  const { page, size, format } = wanted;
  const contentType = `image/${format}`;
  const width = imageWidth(size);
  if (width === null) return null;
  const key = imageKey(document.id, document.file_hash, wanted);
  const stored = await files.read(key);
  if (stored !== null) return { contentType, body: await bytesOf(stored) };
  const image = await unlessUnreadable(
    pdfs.read({
      document,
      page,
      image: { width, format },
      borrow: () => borrowPdf(files, document),
      read: (pdf) => pdf.image(page, width, format),
      store,
    }),
  );
  return image && { contentType, body: Buffer.from(image) };

  /** An image that cannot be stored is made again for the next reader. */
  async function store(drawn: Uint8Array): Promise<void> {
    try {
      await keepImage({ files, images }, key, drawn);
    } catch (error) {
      if (!isOutOfRoom(error)) log.error({ err: error, key }, "A page image could not be stored");
    }
  }
}

/** Borrows a document's PDF; null if it is not in Quire's own store. */
async function borrowPdf(files: Context["files"], document: DocumentRow): Promise<BorrowedFile | null> {
  const { id, slug, asset_url: elsewhere } = document;
  if (elsewhere !== null || !/^[\w-]+$/.test(slug)) return null;
  return files.borrow(documentFileKey(id, slug, "pdf"));
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

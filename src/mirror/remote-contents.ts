import { createReadStream, createWriteStream } from "node:fs";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { pipeline } from "node:stream/promises";
import { hashed } from "../files/hashed-bytes.ts";
import { ArrayElements } from "../import/array-elements.ts";
import { OtherServerError } from "../import/polite-fetch.ts";
import { type PoliteFileOptions, fetchFile } from "../import/polite-file.ts";
import { isFields } from "../import/record-fields.ts";
import { type PageWord, maxWordsOfPage } from "../processing/pdfium/page-words.ts";
import type { ReadPage } from "../resources/documents/pages/page-store.ts";
import { makeWorkFolder } from "../work-folders.ts";

/** The location of a document's files at the other server. */
export interface RemoteDocument {
  /** The address of their folder, with a slash at the end. */
  folder: string;
  slug: string;
  /** The extension of the original. */
  extension: string;
  /** The SHA-1 of the PDF; empty if it is unknown. */
  fileHash: string;
  /** The texts may have no more pages. */
  pageCount: number;
  /** Part of the files' addresses, so that another version has other addresses. */
  version: string;
}

export interface FetchedFile {
  path: string;
  bytes: number;
  sha1: string;
  sha256: string;
  /** The duration of the download. */
  milliseconds: number;
}

/** The file and the texts of a document in a temporary folder, which is removed on disposal. */
export interface RemoteContents extends AsyncDisposable {
  /** Null if only the texts were requested. */
  pdf: FetchedFile | null;
  /** Null if the original is the PDF, or the other server no longer has it. */
  original: FetchedFile | null;
  /** The kinds of content that the other server does not have. */
  leftOut: readonly string[];
  /** The pages in order, a few at a time; null if the other server has no texts. */
  texts: (() => AsyncIterable<ReadPage[]>) | null;
}

/** The maximum size of one page's text. */
const maxPageBytes = 32 * 1024 * 1024;
const pagesAtOnce = 200;

/**
 * Fetches the contents of a document. Texts and positions are read from the disk page by page, so their number does not
 * matter.
 *
 * @throws {OtherServerError}
 */
export async function fetchContents(
  document: RemoteDocument,
  { withFile }: { withFile: boolean },
  options: PoliteFileOptions,
): Promise<RemoteContents> {
  const { folder: address, slug, extension, fileHash, pageCount, version } = document;
  await using held = new AsyncDisposableStack();
  const work = held.use(await makeWorkFolder("mirror"));
  const get = (name: string, as: string, limits: Partial<PoliteFileOptions> = {}) =>
    fetchFile(`${address}${name}?t=${encodeURIComponent(version)}`, { ...options, ...limits }, (bytes) =>
      keep(bytes, work.file(as)),
    );
  const leftOut: string[] = [];
  const pdf = withFile ? await get(`${slug}.pdf`, "document.pdf") : null;
  if (withFile && pdf === null) throw new OtherServerError("does not have the document's PDF", 404);
  if (pdf !== null && fileHash !== "" && pdf.sha1 !== fileHash) {
    throw new OtherServerError(`has a PDF with the hash ${pdf.sha1}, and its record says ${fileHash}`);
  }
  const hasOriginal = withFile && extension !== "pdf";
  const original = hasOriginal ? await get(`original/${slug}.${extension}`, "original") : null;
  if (hasOriginal && original === null) leftOut.push("original files");
  const texts = await get(`${slug}.txt.json`, "texts.json");
  if (texts === null) leftOut.push("texts");
  else {
    for await (const pages of textsIn(texts.path, pageCount)) {
      for (const { page, ocr } of pages) {
        if (ocr === null) continue;
        const name = `pages/${slug}-p${page + 1}.position.json`;
        const positions = await get(name, `${page}.json`, { limitBytes: maxPageBytes });
        if (positions === null) leftOut.push("positions of pages");
      }
    }
  }
  const read = async function* read(file: string): AsyncGenerator<ReadPage[]> {
    for await (const pages of textsIn(file, pageCount)) {
      const batch: ReadPage[] = [];
      for (const page of pages) batch.push(await readPage(work.path, page));
      yield batch;
    }
  };
  const kept = held.move();
  return {
    pdf,
    original,
    leftOut,
    texts: texts === null ? null : () => read(texts.path),
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}

async function keep(bytes: AsyncIterable<Uint8Array>, file: string): Promise<FetchedFile> {
  const started = performance.now();
  const read = hashed(bytes, "sha1", "sha256");
  await pipeline(read, createWriteStream(file));
  return {
    path: file,
    bytes: read.size,
    sha1: read.hash("sha1"),
    sha256: read.hash("sha256"),
    milliseconds: performance.now() - started,
  };
}

interface TextOfPage {
  page: number;
  contents: string;
  ocr: string | null;
}

/** The pages of a file of texts, `{"updated": …, "pages": […]}`. Only a few pages are in memory at a time. */
async function* textsIn(file: string, pageCount: number): AsyncGenerator<TextOfPage[]> {
  const elements = new ArrayElements(maxPageBytes);
  let hasBegun = false;
  let expected = 0;
  let batch: TextOfPage[] = [];
  for await (const read of createReadStream(file)) {
    let chunk = read as Buffer;
    if (!hasBegun) {
      const start = chunk.indexOf("[");
      if (start === -1) continue;
      hasBegun = true;
      chunk = chunk.subarray(start);
    }
    for (const element of elements.feed(chunk)) {
      const page = element === null ? null : textIn(element);
      if (page?.page !== expected) throw new OtherServerError("has texts whose pages are not in order");
      expected += 1;
      if (expected > pageCount) throw new OtherServerError("has texts of more pages than its record says");
      batch.push(page);
      if (batch.length < pagesAtOnce) continue;
      yield batch;
      batch = [];
    }
    if (elements.isComplete) break;
  }
  if (!elements.isComplete) throw new OtherServerError("has texts that do not end");
  if (batch.length > 0) yield batch;
}

function textIn(element: Buffer): TextOfPage | null {
  let value: unknown;
  try {
    value = JSON.parse(element.toString());
  } catch {
    return null;
  }
  if (!isFields(value) || typeof value["contents"] !== "string") return null;
  const { page, contents, ocr } = value;
  return {
    page: Number(page),
    contents: contents.replaceAll("\0", "\u{FFFD}").toWellFormed(),
    ocr: typeof ocr === "string" ? ocr.slice(0, 20) : null,
  };
}

async function readPage(folder: string, { page, contents, ocr }: TextOfPage): Promise<ReadPage> {
  if (ocr === null) return { text: contents };
  const words = await positionsIn(path.join(folder, `${page}.json`));
  return { text: contents, recognised: { engine: ocr, confidence: null, layer: "", words } };
}

/** Null if there are no positions, or if they do not have the API's format. */
async function positionsIn(file: string): Promise<PageWord[] | null> {
  try {
    const words: unknown = JSON.parse(await readFile(file, "utf8"));
    return Array.isArray(words) && words.length <= maxWordsOfPage && words.every(isWord) ? words : null;
  } catch (error) {
    if (error instanceof SyntaxError || (error instanceof Error && "code" in error)) return null;
    throw error;
  }
}

function isWord(value: unknown): value is PageWord {
  if (!isFields(value) || typeof value["text"] !== "string" || value["text"].includes("\0")) return false;
  return ["x1", "x2", "y1", "y2"].every((name) => Number.isFinite(value[name]));
}

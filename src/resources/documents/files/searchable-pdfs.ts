import { createReadStream } from "node:fs";
import { appendFile, stat } from "node:fs/promises";
import type { Readable } from "node:stream";
import type { Context } from "../../../context.ts";
import { actionRefused, notFound, tooBusy } from "../../../errors.ts";
import { documentFileKey } from "../../../files/keys.ts";
import type { WordsOfPage } from "../../../processing/convert/searchable-pdf.ts";
import type { PageWord } from "../../../processing/pdfium/page-words.ts";
import { UnreadableFileError } from "../../../processing/unreadable-file.ts";
import { type Permits, TooBusyError } from "../../../semaphore.ts";
import { type WorkFolder, makeWorkFolder } from "../../../work-folders.ts";
import { findWordsFrom } from "../pages/page-reading-store.ts";
import type { DocumentRow } from "../store.ts";

/** Each copy is written by a process. */
const maxCopies = 2;
const maxWaiting = 32;
/** The maximum number of copies per user, or per address for anonymous clients. */
const maxCopiesOfClient = 4;
/** How often to begin again when the document is changed meanwhile. */
const maxAttempts = 3;

/** Exists until it has been read to its end, or destroyed. */
export interface SearchablePdf {
  size: number;
  bytes: Readable;
}

/**
 * Copies of PDFs in which recognised words can be searched and copied. They are made when they are requested, by a
 * sandboxed process, and never stored: the words may change, and few copies are requested twice.
 */
export class SearchablePdfs {
  readonly #context: Pick<Context, "database" | "files" | "converter">;
  readonly #copies: Permits;

  constructor(context: Pick<Context, "database" | "files" | "converter" | "semaphores">) {
    this.#context = context;
    this.#copies = context.semaphores.open("searchable PDFs", maxCopies, maxWaiting);
  }

  /**
   * @param find the document, if the viewer may see it. It is called before and after the words are read, so that the
   *   words belong to the file, and the viewer's rights hold for both.
   * @throws {ApiError} if there is no such document, if its file cannot be read, or if too many copies are made already
   */
  async make(
    find: () => Promise<DocumentRow | null>,
    client: string,
    signal: AbortSignal,
  ): Promise<SearchablePdf> {
    const share = { name: client, maxHeld: 1, maxRequests: maxCopiesOfClient };
    const release = await this.#copies.acquire([share], { signal }).catch((error: unknown): never => {
      throw error instanceof TooBusyError || signal.aborted ? tooBusy(2) : error;
    });
    const folder = await makeWorkFolder("conversion");
    try {
      const path = folder.file("searchable.pdf");
      await this.#write(find, folder, path, signal);
      const { size } = await stat(path);
      const bytes = createReadStream(path);
      bytes.once("close", () => void folder[Symbol.asyncDispose]());
      return { size, bytes };
    } catch (error) {
      await folder[Symbol.asyncDispose]();
      if (signal.aborted) throw tooBusy(2);
      throw error instanceof UnreadableFileError ? actionRefused(error.message) : error;
    } finally {
      release();
    }
  }

  async #write(
    find: () => Promise<DocumentRow | null>,
    folder: WorkFolder,
    to: string,
    signal: AbortSignal,
  ): Promise<void> {
    for (let attempt = 1; attempt <= maxAttempts; attempt++) {
      const document = await find();
      if (document === null || document.asset_url !== null) throw notFound();
      const wordsPath = folder.file(`words-${attempt}`);
      await this.#writeWords(document.id, wordsPath);
      await using file = await this.#context.files.borrow(documentFileKey(document.id, document.slug, "pdf"));
      if (file === null) throw notFound();
      const now = await find();
      if (now === null) throw notFound();
      if (now.updated_at !== document.updated_at || now.file_hash !== document.file_hash) continue;
      return this.#context.converter.searchable({ from: file.path, to, wordsPath, signal });
    }
    throw tooBusy(2);
  }

  async #writeWords(documentId: number, to: string): Promise<void> {
    await appendFile(to, "");
    for (let first = 0; ;) {
      const pages = await findWordsFrom(this.#context.database, documentId, first);
      const last = pages.at(-1);
      if (last === undefined) return;
      await appendFile(to, pages.map((page) => `${JSON.stringify(wordsOf(page))}\n`).join(""));
      first = last.page + 1;
    }
  }
}

function wordsOf({
  page,
  text,
  words,
  layer,
}: Awaited<ReturnType<typeof findWordsFrom>>[number]): WordsOfPage {
  return {
    page,
    text,
    words: JSON.parse(words) as PageWord[],
    hasText: layer === null || layer.trim() !== "",
  };
}

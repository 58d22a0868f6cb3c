import type { Logger } from "pino";
import type { BorrowedFile } from "../../../files/file-store.ts";
import type { PdfPages, PdfReader } from "../../../processing/pdf/pdf-pages.ts";

/**
 * Each open PDF has its own thread and memory limit. pdf-reading-queue.ts reads no more than this at a time, and one
 * more that was quick before.
 */
export const maxOpenPdfs = 3;
/** As long as one reads a page. */
const idleMilliseconds = 60_000;

interface Opened {
  file: BorrowedFile;
  pdf: Promise<PdfPages>;
  users: number;
  idle: NodeJS.Timeout | null;
}

/**
 * PDFs that readers are viewing. A reader requests one page of a document after the other, so the document stays open
 * for a while.
 */
export class OpenPdfs {
  readonly #reader: Pick<PdfReader, "openPages">;
  readonly #log: Pick<Logger, "error">;
  readonly #opened = new Map<string, Opened>();
  readonly #maxIdle: number;

  /** @param processes share the number of PDFs that stay open while nobody reads them */
  constructor(reader: Pick<PdfReader, "openPages">, log: Pick<Logger, "error">, processes = 1) {
    this.#reader = reader;
    this.#log = log;
    this.#maxIdle = Math.max(1, Math.floor(maxOpenPdfs / processes));
  }

  /**
   * The result of `read`; null if there is no file to borrow. The file is borrowed for each reading, so a replaced file
   * is opened again.
   */
  async read<T>(
    borrow: () => Promise<BorrowedFile | null>,
    read: (pdf: PdfPages) => Promise<T>,
  ): Promise<T | null> {
    const file = await borrow();
    return file && (await this.#read(file, read));
  }

  async close(): Promise<void> {
    const all = [...this.#opened.values()];
    this.#opened.clear();
    await Promise.all(all.map((opened) => this.#close(opened)));
  }

  async #read<T>(file: BorrowedFile, read: (pdf: PdfPages) => Promise<T>): Promise<T> {
    const name = `${file.version} ${file.path}`;
    const opened = this.#open(name, file);
    opened.users += 1;
    try {
      if (opened.file !== file) await this.#giveBack(file);
      return await read(await opened.pdf);
    } catch (error) {
      // The next reading tries to open the file again.
      if (opened.users === 1 && this.#opened.get(name) === opened) this.#opened.delete(name);
      throw error;
    } finally {
      opened.users -= 1;
      if (opened.users === 0) this.#closeLater(name, opened);
    }
  }

  #open(name: string, file: BorrowedFile): Opened {
    const known = this.#opened.get(name);
    if (known !== undefined) {
      if (known.idle !== null) clearTimeout(known.idle);
      return known;
    }
    for (const [other, opened] of this.#opened) {
      if (this.#opened.size < this.#maxIdle) break;
      if (opened.users > 0) continue;
      this.#opened.delete(other);
      void this.#close(opened);
    }
    const opened: Opened = { file, pdf: this.#reader.openPages(file.path), users: 0, idle: null };
    this.#opened.set(name, opened);
    return opened;
  }

  #closeLater(name: string, opened: Opened): void {
    if (this.#opened.get(name) !== opened) return void this.#close(opened);
    opened.idle = setTimeout(() => {
      this.#opened.delete(name);
      void this.#close(opened);
    }, idleMilliseconds).unref();
  }

  /** Never rejects, because nobody awaits it. */
  async #close({ file, pdf, idle }: Opened): Promise<void> {
    if (idle !== null) clearTimeout(idle);
    try {
      await (await pdf).close();
    } catch {
      // Opening failed, and the reader has got that error.
    }
    await this.#giveBack(file);
  }

  /** A failure is only logged: it does not affect what was read. */
  async #giveBack(file: BorrowedFile): Promise<void> {
    try {
      await file[Symbol.asyncDispose]();
    } catch (error) {
      this.#log.error({ err: error }, "A borrowed file could not be returned");
    }
  }
}

import { PdfThread, type ReadingLimits } from "./pdf-thread.ts";
import { compilePdfium, type PdfiumCode } from "../pdfium/pdfium-code.ts";

/** pdfium starts with 18 MB. A thread with more than this is ended at once, which frees its memory. */
const memoryWorthKeepingMb = 64;
/** A redaction reads with three threads: the old file, the new one, and its bytes. */
const maxIdle = 3;
const idleMilliseconds = 20_000;

/**
 * A pool of threads, each of which reads one file after another. A new thread takes a tenth of a second to start, and
 * reads its first pages at a third of its later speed. An idle thread ends after a while, because it holds 30 MB. Close
 * the pool after use.
 */
export class PdfThreads {
  readonly #limits: ReadingLimits;
  readonly #all = new Set<PdfThread>();
  #idle: { thread: PdfThread; timer: NodeJS.Timeout }[] = [];
  #code: Promise<PdfiumCode> | null = null;
  #isClosed = false;

  constructor(limits: ReadingLimits) {
    this.#limits = limits;
  }

  /** A thread that has no file open. */
  async take(): Promise<PdfThread> {
    this.#code ??= compilePdfium();
    const code = await this.#code;
    if (this.#isClosed) throw new Error("The threads that read PDFs are closed");
    for (let idle = this.#idle.pop(); idle !== undefined; idle = this.#idle.pop()) {
      clearTimeout(idle.timer);
      if (!idle.thread.hasEnded) return idle.thread;
      this.#all.delete(idle.thread);
    }
    return this.#start(code);
  }

  #start(code: PdfiumCode): PdfThread {
    const thread = new PdfThread(code, this.#limits);
    this.#all.add(thread);
    return thread;
  }

  /** Makes sure that a thread waits, so that the next reader need not start one. Never rejects. */
  async warm(): Promise<void> {
    try {
      this.#code ??= compilePdfium();
      const code = await this.#code;
      if (!this.#isClosed && this.#all.size === 0) this.#keep(this.#start(code));
    } catch {
      // The next reader gets the error.
    }
  }

  /** Returns a thread to the pool, or ends it if it is not worth keeping. Closes a file that is still open in it. */
  async giveBack(thread: PdfThread): Promise<void> {
    const isWorthKeeping =
      !this.#isClosed &&
      !thread.hasEnded &&
      thread.memoryMb <= memoryWorthKeepingMb &&
      this.#idle.length < maxIdle;
    if (isWorthKeeping && (await hasClosedFile(thread))) this.#keep(thread);
    else await this.end(thread);
  }

  #keep(thread: PdfThread): void {
    const timer = setTimeout(() => {
      this.#idle = this.#idle.filter((idle) => idle.thread !== thread);
      void this.end(thread);
    }, idleMilliseconds).unref();
    this.#idle.push({ thread, timer });
  }

  async end(thread: PdfThread): Promise<void> {
    this.#all.delete(thread);
    await thread.end();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    for (const { timer } of this.#idle) clearTimeout(timer);
    await Promise.all([...this.#all].map((thread) => this.end(thread)));
  }
}

async function hasClosedFile(thread: PdfThread): Promise<boolean> {
  try {
    return "answer" in (await thread.ask({ ask: "close" }));
  } catch {
    return false;
  }
}

import { on } from "node:events";
import { stat } from "node:fs/promises";
import { Worker } from "node:worker_threads";
import type { PdfFacts } from "./pdf-facts.ts";
import type { PdfFinding, PdfWorkerData, PdfWorkerMessage } from "./pdf-worker.ts";
import { compilePdfium, type PdfiumCode } from "./pdfium-code.ts";
import { UnreadableFileError, unreachableFile } from "./unreadable-file.ts";

/*
 * What a PDF file holds, asked of pdfium. Files come from strangers, so each is read in a thread that can be ended: when
 * the time is up or the thread fails, the file has its reason and the next file gets a new thread. It is a thread and
 * not a process because WebAssembly already keeps pdfium away from everything but its own memory, and because the
 * threads share the compiled code.
 */

export interface PdfLimits extends ReadingLimits {
  /** 501 if not given; at most 2047, as pdfium counts bytes in 32 bits. */
  fileLimitMb?: number;
}

interface ReadingLimits {
  timeLimitSeconds: number;
  /** For pdfium itself; the thread around it takes some 30 MB more. */
  memoryLimitMb: number;
}

export interface PdfInspector {
  /**
   * What is in the file. Calls made at the same time wait for one another; waiting does not count as time.
   *
   * @throws {UnreadableFileError} with the reason, for a person.
   */
  inspect(path: string): Promise<PdfFacts>;
  /** Ends the thread. Inspections under way or waiting are rejected. */
  close(): Promise<void>;
}

/** An inspector keeps its thread, for many files; it has to be closed. */
export function openPdfInspector({ fileLimitMb = 501, ...limits }: PdfLimits): PdfInspector {
  let code: Promise<PdfiumCode> | null = null;
  let reader: PdfReader | null = null;
  let lastTurn: Promise<unknown> = Promise.resolve();
  let isClosed = false;

  async function inspect(path: string): Promise<PdfFacts> {
    await checkSize(path, fileLimitMb);
    code ??= compilePdfium();
    const compiled = await code;
    if (isClosed) throw new Error("The PDF inspector is closed");
    if (reader === null || reader.hasEnded) reader = new PdfReader(compiled, limits);
    const finding = await reader.read(path);
    if ("facts" in finding) return finding.facts;
    throw new UnreadableFileError(finding.kind, finding.reason);
  }

  return {
    inspect(path) {
      const turn = lastTurn.then(() => inspect(path));
      lastTurn = turn.catch(() => undefined);
      return turn;
    },
    async close() {
      isClosed = true;
      await reader?.end();
    },
  };
}

/** For one file; for many, {@link openPdfInspector} is faster. */
export async function inspectPdf(path: string, limits: PdfLimits): Promise<PdfFacts> {
  const inspector = openPdfInspector(limits);
  try {
    return await inspector.inspect(path);
  } finally {
    await inspector.close();
  }
}

/** Before anything opens the file: opening a pipe or a device may never end. */
async function checkSize(path: string, fileLimitMb: number): Promise<void> {
  const found = await stat(path).catch((error: NodeJS.ErrnoException) => {
    throw unreachableFile(error);
  });
  if (!found.isFile()) throw new UnreadableFileError("unreachable", "not a file");
  if (found.size === 0) throw new UnreadableFileError("empty", "empty: it has no bytes");
  if (found.size > fileLimitMb * 1024 * 1024) {
    throw new UnreadableFileError("too-large", `larger than ${fileLimitMb} MB`);
  }
}

/** pdfium begins with 18 MB. What it took beyond this goes back at once, with the thread. */
const memoryWorthKeepingMb = 64;

/** One thread, seen from outside: reads files, one at a time, until it has ended. */
class PdfReader {
  readonly #worker: Worker;
  readonly #messages: AsyncIterator<PdfWorkerMessage[]>;
  readonly #limits: ReadingLimits;
  hasEnded = false;

  constructor(code: PdfiumCode, limits: ReadingLimits) {
    const workerData: PdfWorkerData = { code, memoryLimitMb: limits.memoryLimitMb };
    this.#limits = limits;
    this.#worker = new Worker(new URL("./pdf-worker.ts", import.meta.url), {
      workerData,
      env: {},
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: 128, maxYoungGenerationSizeMb: 8 },
    });
    this.#messages = on(this.#worker, "message", { close: ["exit"] });
    this.#worker.once("exit", () => {
      this.hasEnded = true;
    });
  }

  async read(path: string): Promise<PdfFinding> {
    const { timeLimitSeconds, memoryLimitMb } = this.#limits;
    await this.#receive();
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
    this.#worker.postMessage(path);
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      void this.end();
    }, timeLimitSeconds * 1000);
    try {
      const answer = await this.#receive();
      if (answer === "ready") throw new Error("the thread that reads PDFs is out of step");
      if (answer.memoryMb > memoryWorthKeepingMb) await this.end();
      return answer.finding;
    } catch (error) {
      if (isLate) return { kind: "too-slow", reason: `took longer than ${timeLimitSeconds} s` };
      if (!isOutOfMemory(error)) throw error;
      return { kind: "too-much-memory", reason: `needs more memory than ${memoryLimitMb} MB` };
    } finally {
      clearTimeout(timer);
    }
  }

  async end(): Promise<void> {
    this.hasEnded = true;
    await this.#worker.terminate();
  }

  async #receive(): Promise<PdfWorkerMessage> {
    const { value } = await this.#messages.next();
    const [message]: PdfWorkerMessage[] = value ?? [];
    if (message === undefined) throw new Error("the thread that reads PDFs has ended");
    return message;
  }
}

const isOutOfMemory = (error: unknown): boolean =>
  error instanceof Error && "code" in error && error.code === "ERR_WORKER_OUT_OF_MEMORY";

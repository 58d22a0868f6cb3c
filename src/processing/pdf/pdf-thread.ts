import { on } from "node:events";
import { Worker } from "node:worker_threads";
import { threadEnvironment } from "../../compile-cache.ts";
import type { PdfAnswers, PdfFinding, PdfQuestion, PdfWorkerData, PdfWorkerMessage } from "./pdf-messages.ts";
import type { PdfiumCode } from "../pdfium/pdfium-code.ts";
import { type TimeLimit, limitTime, secondsOfThread, unhurried } from "../processor-time.ts";

/*
 * Files are untrusted, so each is read in a thread that can be terminated. When the time is up or the thread fails, the
 * question is answered with the reason, and the next question gets a new thread. It is a thread and not a process
 * because WebAssembly already confines pdfium to its own memory, and because the threads share the compiled code.
 */

export interface ReadingLimits {
  /** For one answer, of processor time: see processor-time.ts. */
  timeLimitSeconds: number;
  /** For pdfium itself. The thread around it takes some 30 MB more. */
  memoryLimitMb: number;
}

/** The main thread's side of one worker thread. It answers one question at a time until it has ended. */
export class PdfThread {
  readonly #worker: Worker;
  readonly #messages: AsyncIterator<PdfWorkerMessage[]>;
  readonly #limits: ReadingLimits;
  hasEnded = false;
  /** The memory of pdfium at its last answer. */
  memoryMb = 0;
  /** Whether files are attached to the PDF or pinned to its pages, as far as it was known at the last answer. */
  hasAttachments = false;
  /** The processor time of the last answer, or of the wait for it. */
  answerSeconds = 0;

  constructor(code: PdfiumCode, limits: ReadingLimits) {
    const workerData: PdfWorkerData = { code, memoryLimitMb: limits.memoryLimitMb };
    this.#limits = limits;
    this.#worker = new Worker(new URL("./pdf-worker.ts", import.meta.url), {
      workerData,
      env: threadEnvironment(),
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: 128, maxYoungGenerationSizeMb: 8 },
    });
    this.#messages = on(this.#worker, "message", { close: ["exit"] });
    this.#worker.once("exit", () => {
      this.hasEnded = true;
    });
  }

  async ask<Question extends PdfQuestion>(
    question: Question,
    timeLimit: TimeLimit = unhurried(this.#limits.timeLimitSeconds),
  ): Promise<PdfFinding<PdfAnswers[Question["ask"]]>> {
    const { memoryLimitMb } = this.#limits;
    const ready = await this.#receive();
    if (!ready.isReady) throw new Error("the thread that reads PDFs is out of step");
    const { threadId } = ready;
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
    this.#worker.postMessage(question);
    const limit = limitTime(
      timeLimit,
      () => secondsOfThread(threadId),
      () => void this.end(),
    );
    let usedSeconds: number | null = null;
    try {
      const message = await this.#receive();
      if (message.isReady) throw new Error("the thread that reads PDFs is out of step");
      this.memoryMb = message.memoryMb;
      this.hasAttachments = message.hasAttachments;
      usedSeconds = message.processorSeconds;
      return message.finding as PdfFinding<PdfAnswers[Question["ask"]]>;
    } catch (error) {
      if (limit.isLate()) return tooSlow(this.#limits);
      if (!isOutOfMemory(error)) throw error;
      return { kind: "too-much-memory", reason: `needs more memory than ${memoryLimitMb} MB` };
    } finally {
      limit.lift();
      this.answerSeconds = usedSeconds ?? limit.usedSeconds();
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

export const tooSlow = ({ timeLimitSeconds }: ReadingLimits): { kind: "too-slow"; reason: string } => ({
  kind: "too-slow",
  reason: `took longer than ${timeLimitSeconds} s`,
});

const isOutOfMemory = (error: unknown): boolean =>
  error instanceof Error && "code" in error && error.code === "ERR_WORKER_OUT_OF_MEMORY";

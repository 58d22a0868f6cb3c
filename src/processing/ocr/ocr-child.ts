import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { limitTime, secondsOfProcess, unhurried } from "../processor-time.ts";
import type { OcrAnswer, OcrQuestion } from "./ocr-process.ts";

export interface OcrLimits {
  /** The limit for each page, of processor time: see processor-time.ts. */
  timeLimitSeconds: number;
  /** The limit for JavaScript, and the same again for tesseract. */
  memoryLimitMb: number;
}

/** A process that recognises text in one language. It writes no files, starts no programs and has no environment. */
export class OcrChild {
  readonly language: string;
  /** tesseract's memory grows from page to page, so a page that fails in a used process may succeed in a new one. */
  hasRead = false;
  readonly #process: ChildProcess;
  readonly #limits: OcrLimits;

  constructor(language: string, limits: OcrLimits) {
    const { memoryLimitMb } = limits;
    this.language = language;
    this.#limits = limits;
    this.#process = fork(new URL("./ocr-process.ts", import.meta.url), {
      env: {},
      execArgv: [
        "--permission",
        "--allow-fs-read=*",
        "--allow-worker",
        `--max-old-space-size=${memoryLimitMb}`,
        // A WebAssembly page has 64 KB.
        `--wasm-max-mem-pages=${memoryLimitMb * 16}`,
      ],
      serialization: "advanced",
      stdio: ["ignore", "ignore", "ignore", "ipc"],
    });
    // If sending or starting fails, the process ends, and that is noticed.
    this.#process.on("error", () => undefined);
  }

  get hasEnded(): boolean {
    const { pid, exitCode, signalCode } = this.#process;
    return pid === undefined || exitCode !== null || signalCode !== null;
  }

  /** After a failure, or an abort by the signal, the caller must end the process. */
  async ask(question: OcrQuestion, signal: AbortSignal): Promise<OcrAnswer> {
    signal.throwIfAborted();
    const { timeLimitSeconds, memoryLimitMb } = this.#limits;
    const { promise, resolve, reject } = Promise.withResolvers<OcrAnswer>();
    const ended = (): void => {
      const reason = `failed: the process ended, maybe because it may not have more than ${memoryLimitMb} MB of memory`;
      resolve({ kind: "no-ocr", reason });
    };
    const late = (): void => {
      resolve({ kind: "too-slow", reason: `took longer than ${timeLimitSeconds} s` });
    };
    const aborted = (): void => {
      reject(signal.reason as Error);
    };
    const { pid } = this.#process;
    const limit = limitTime(unhurried(timeLimitSeconds), () => secondsOfProcess(pid), late);
    this.#process.once("message", resolve).once("exit", ended);
    signal.addEventListener("abort", aborted);
    try {
      if (this.hasEnded) ended();
      else this.#process.send(question, (error) => void (error !== null && ended()));
      return await promise;
    } finally {
      this.hasRead = true;
      limit.lift();
      this.#process.off("message", resolve).off("exit", ended);
      signal.removeEventListener("abort", aborted);
    }
  }

  onEnd(tell: () => void): void {
    if (this.hasEnded) tell();
    else this.#process.once("exit", tell);
  }

  async end(): Promise<void> {
    if (this.hasEnded) return;
    const ended = once(this.#process, "exit");
    this.#process.kill("SIGKILL");
    await ended;
  }
}

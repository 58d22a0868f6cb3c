import { Semaphore, type Share } from "../../semaphore.ts";
import { OcrChild, type OcrLimits } from "./ocr-child.ts";
import { type OcrData, detectionData, findOcrData, ocrLanguagesThere } from "./ocr-data.ts";
import type { OcrAnswer, OcrFailure } from "./ocr-process.ts";
import { plainOcrText, wordsOfTable } from "./ocr-words.ts";
import { knownScript } from "./page-script.ts";
import type { PageWord } from "../pdfium/page-words.ts";
import type { PageRaster } from "../pdf/pdf-page-reading.ts";
import { UnreadableFileError } from "../unreadable-file.ts";

/*
 * Recognises the text of images. tesseract reads each page in a process that can be killed. If the time is up or the
 * process takes too much memory, the page fails with the reason, and the next page gets a new process. Starting one
 * takes half a second, so a process is kept for later pages in its language, and ends after it has been idle for a
 * while. No process starts before the first image, and nothing is ever downloaded.
 *
 * tesseract.js could run tesseract in a thread instead. But a thread that runs out of memory in JavaScript takes the
 * server down with it, and the memory limit of WebAssembly applies to the whole process.
 */

export interface OcrOptions extends OcrLimits {
  /** The number of pages at a time, and of processes. */
  atOnce: number;
  /** Folders of `*.traineddata` files. Other languages are in npm packages. */
  dataFolders: readonly string[];
}

export interface OcrPage {
  /** Lines end in `\n`; the last one does not. */
  text: string;
  words: PageWord[];
  /** From 0 to 100. */
  confidence: number;
  engine: "tess4";
}

/** The script and orientation of a page, detected before it is read. */
export interface DetectedScript {
  script: string;
  /** The clockwise rotation of the text in quarter turns. */
  quarterTurns: number;
  /** How sure the rotation is: 4 and more for lines of text, less than 1 for noise and drawings. */
  certainty: number;
}

/** Languages have the API's codes. Close a reader after use. */
export interface OcrReader {
  /** Fails unless there is data for the language. @throws {UnreadableFileError} */
  check(language: string): Promise<void>;
  languagesThere(): Promise<string[]>;
  /** Null if the page has too little text, or if there is no data for detecting scripts. */
  detect(image: PageRaster, signal: AbortSignal, shares?: readonly Share[]): Promise<DetectedScript | null>;
  /**
   * `shares` names the page's user and document. Waiting pages are served fairly, first by user and then by document.
   *
   * @throws {UnreadableFileError} with the reason, for a person.
   */
  read(image: PageRaster, language: string, signal: AbortSignal, shares?: readonly Share[]): Promise<OcrPage>;
  /** Pending calls are rejected. */
  close(): Promise<void>;
}

export function openOcr(options: OcrOptions): OcrReader {
  return new TesseractReader(options);
}

const idleMilliseconds = 20_000;

interface Kept {
  child: OcrChild;
  timer: NodeJS.Timeout;
}

class TesseractReader implements OcrReader {
  readonly #options: OcrOptions;
  readonly #semaphore: Semaphore;
  readonly #children = new Set<OcrChild>();
  /** The process that has been idle the longest comes first. */
  #idle: Kept[] = [];
  #isClosed = false;

  constructor(options: OcrOptions) {
    this.#options = options;
    this.#semaphore = new Semaphore(options.atOnce);
  }

  async check(language: string): Promise<void> {
    await findOcrData(language, this.#options.dataFolders);
  }

  languagesThere(): Promise<string[]> {
    return ocrLanguagesThere(this.#options.dataFolders);
  }

  async read(
    image: PageRaster,
    language: string,
    signal: AbortSignal,
    shares: readonly Share[] = [],
  ): Promise<OcrPage> {
    const data = await findOcrData(language, this.#options.dataFolders);
    const answer = await this.#answer(data, image, signal, shares);
    if (!("tsv" in answer)) throw failure(answer);
    const { text, tsv, confidence } = answer;
    return { text: plainOcrText(text), words: wordsOfTable(tsv, image), confidence, engine: "tess4" };
  }

  async detect(
    image: PageRaster,
    signal: AbortSignal,
    shares: readonly Share[] = [],
  ): Promise<DetectedScript | null> {
    const data = await findOcrData(detectionData, this.#options.dataFolders).catch(() => null);
    if (data === null) return null;
    const answer = await this.#answer(data, image, signal, shares);
    if (!("quarterTurns" in answer)) return null;
    const script = answer.script === null ? null : knownScript(answer.script);
    const { quarterTurns, certainty } = answer;
    return script === null ? null : { script, quarterTurns, certainty };
  }

  async #answer(
    data: OcrData,
    image: PageRaster,
    signal: AbortSignal,
    shares: readonly Share[],
  ): Promise<OcrAnswer> {
    const release = await this.#semaphore.acquire(shares, { signal });
    try {
      let answer = await this.#ask(await this.#take(data.language), data, image, signal);
      if ("isWorthAnother" in answer) {
        answer = await this.#ask(this.#start(data.language), data, image, signal);
      }
      return answer;
    } finally {
      release();
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    for (const { timer } of this.#idle.splice(0)) clearTimeout(timer);
    await Promise.all(Array.from(this.#children, (child) => child.end()));
  }

  async #ask(
    child: OcrChild,
    data: OcrData,
    { bytes }: PageRaster,
    signal: AbortSignal,
  ): Promise<OcrAnswer | (OcrFailure & { isWorthAnother: true })> {
    const hadRead = child.hasRead;
    try {
      const answer = await child.ask({ data, image: bytes }, signal);
      if (!("kind" in answer)) {
        this.#keep(child);
        return answer;
      }
      await child.end();
      this.#failIfClosed();
      return hadRead && answer.kind !== "too-slow" ? { ...answer, isWorthAnother: true } : answer;
    } catch (error) {
      await child.end();
      throw error;
    }
  }

  async #take(language: string): Promise<OcrChild> {
    this.#failIfClosed();
    const known = this.#idle.find(({ child }) => child.language === language);
    if (known !== undefined) return this.#wake(known);
    // Each permit allows at most one process, and idle processes use the permits that are free.
    const [longest] = this.#idle;
    if (longest !== undefined && this.#children.size >= this.#options.atOnce) {
      await this.#wake(longest).end();
      this.#failIfClosed();
    }
    return this.#start(language);
  }

  #start(language: string): OcrChild {
    const child = new OcrChild(language, this.#options);
    this.#children.add(child);
    child.onEnd(() => {
      this.#children.delete(child);
      const kept = this.#idle.find((idle) => idle.child === child);
      if (kept !== undefined) this.#wake(kept);
    });
    return child;
  }

  #keep(child: OcrChild): void {
    if (this.#isClosed || child.hasEnded) return;
    const timer = setTimeout(() => void child.end(), idleMilliseconds).unref();
    this.#idle.push({ child, timer });
  }

  #wake(kept: Kept): OcrChild {
    clearTimeout(kept.timer);
    this.#idle = this.#idle.filter((other) => other !== kept);
    return kept.child;
  }

  #failIfClosed(): void {
    if (this.#isClosed) throw new Error("The OCR is closed");
  }
}

function failure(answer: OcrAnswer): UnreadableFileError {
  const { kind, reason } = "kind" in answer ? answer : { kind: "no-ocr" as const, reason: "failed" };
  return new UnreadableFileError(kind, `Recognising its text ${reason}`);
}

import { reasonOf } from "../../errors.ts";
import { checkFile } from "../file-check.ts";
import { checkKind } from "../file-kind.ts";
import type { Box, FlatPage } from "./flat-page.ts";
import type { AssemblyPlan } from "./pdf-assembling.ts";
import type { PageText, PlainText } from "../pdfium/page-words.ts";
import type { PdfLimits } from "./pdf.ts";
import type { LenientPdfFacts } from "./pdf-facts.ts";
import type { PageRaster } from "./pdf-page-reading.ts";
import { type PdfThread, type ReadingLimits, tooSlow } from "./pdf-thread.ts";
import { PdfThreads } from "./pdf-threads.ts";
import type { PdfAnswers, PdfFinding, PdfQuestion } from "./pdf-messages.ts";
import type { SeenWords } from "./seen-words.ts";
import { UnreadableFileError, type UnreadableKind } from "../unreadable-file.ts";

export type { PdfLimits };

/*
 * PDFs page by page. Each open document has a thread to itself, so two documents use two cores, and none waits for
 * another's pages. A page that takes too long or too much costs itself only: its thread is ended, and the next page gets
 * a new one, with the file opened again.
 *
 * pdfium keeps fonts from page to page, which makes it fast and its memory grow. So a page that fails in a thread that
 * has read others is tried once more in a new one, before the page is blamed.
 */

export interface PdfDocument extends AsyncDisposable {
  readonly facts: LenientPdfFacts;
  /** How long it took to open it and to answer so far. */
  readonly spentSeconds: number;
  /**
   * Pages count from 0; calls made at the same time wait for one another, which does not count as time.
   *
   * @throws {PageError}
   */
  text(page: number): Promise<PageText>;
  /**
   * The same without where its words are, which takes half the time.
   *
   * @throws {PageError}
   */
  plainText(page: number): Promise<PlainText>;
  /**
   * The page's text, and which of its words can be seen on it.
   *
   * @throws {PageError}
   */
  seenWords(page: number): Promise<SeenWords>;
  /**
   * A GIF so many pixels wide (a whole number from 1), and as high as the page's shape asks for; smaller where that were millions of pixels.
   *
   * @throws {PageError}
   */
  image(page: number, width: number): Promise<Uint8Array<ArrayBuffer>>;
  /**
   * The page in grey at 300 dots an inch, or fewer where that were millions of pixels, and turned clockwise (0 to 3
   * quarter turns; 0 if not given): to recognise its text.
   *
   * @throws {PageError}
   */
  raster(page: number, quarterTurns?: number): Promise<PageRaster>;
  /**
   * The page in colour, as {@link raster} draws it, with black in place of these boxes.
   *
   * @throws {PageError}
   */
  flat(page: number, boxes: readonly Box[]): Promise<FlatPage>;
  /** What is under way or waiting is rejected. */
  close(): Promise<void>;
}

export interface SoughtWords {
  words: readonly string[];
  /** Whole: those that can be seen, and may stay. */
  staying: readonly string[];
}

export interface PdfReader {
  /**
   * A document can be opened when its first page is there; which others are not, its facts say. It has to be closed.
   *
   * With `whole`, there is a limit for all that is asked of the document: that of one answer, and ten seconds for each
   * page; `spentSeconds` is what was spent on the same file before. Pages are too slow once it is reached.
   *
   * @throws {UnreadableFileError} with the reason, for a person.
   */
  open(path: string, whole?: { spentSeconds: number }): Promise<PdfDocument>;
  /**
   * Writes a new PDF of pages of others, and nothing else of those.
   *
   * @throws {UnreadableFileError} with the reason, for a person.
   */
  assemble(plan: AssemblyPlan, signal: AbortSignal): Promise<void>;
  /**
   * Writes a PDF that opens with this password as one that opens without any.
   *
   * @throws {UnreadableFileError} also where that is not its password
   */
  decrypt(file: { from: string; to: string; password: string }, signal: AbortSignal): Promise<void>;
  /**
   * Which of these words are anywhere in a PDF that {@link assemble} wrote, as far as its bytes tell, other than within
   * those that stay there.
   */
  find(path: string, sought: SoughtWords, signal: AbortSignal): Promise<string[]>;
  /** Closes also the documents that are open. */
  close(): Promise<void>;
}

/** What cannot be had of one page; the others are not touched by it. The message is the reason, for a person. */
export class PageError extends Error {
  override readonly name = "PageError";
  /** Counting from 0. */
  readonly page: number;
  readonly kind: UnreadableKind;

  constructor(page: number, kind: UnreadableKind, reason: string) {
    super(reason);
    this.page = page;
    this.kind = kind;
  }
}

/** A reader keeps threads, for many documents, one after the other or at the same time; it has to be closed. */
export function openPdfReader({ fileLimitMb, ...limits }: PdfLimits): PdfReader {
  const threads = new PdfThreads(limits);
  return {
    async open(path, whole) {
      await checkFile(path, fileLimitMb);
      const { thread, finding } = await openIn(threads, { ask: "open", path }, limits.timeLimitSeconds);
      if ("answer" in finding) {
        return new ThreadedPdfDocument({ path, facts: finding.answer, limits, threads, whole }, thread);
      }
      await threads.end(thread);
      // In the words in which any file is told of that is not what its extension says.
      if (finding.kind === "not-a-pdf") await checkKind(path, "pdf");
      throw new UnreadableFileError(finding.kind, finding.reason);
    },
    async assemble(plan, signal) {
      for (const path of plan.sources) await checkFile(path, fileLimitMb);
      await askOnce(threads, { ask: "assemble", plan }, signal);
    },
    async decrypt({ from, to, password }, signal) {
      await checkFile(from, fileLimitMb);
      await askOnce(threads, { ask: "decrypt", path: from, to, password }, signal);
    },
    find: (path, sought, signal) => askOnce(threads, { ask: "find", within: path, ...sought }, signal),
    close: () => threads.close(),
  };
}

/** For what needs no open document. */
async function askOnce<Question extends Extract<PdfQuestion, { ask: "assemble" | "find" | "decrypt" }>>(
  threads: PdfThreads,
  question: Question,
  signal: AbortSignal,
): Promise<PdfAnswers[Question["ask"]]> {
  const thread = await threads.take();
  const stop = (): void => void threads.end(thread);
  signal.addEventListener("abort", stop);
  try {
    signal.throwIfAborted();
    const finding = await thread.ask(question);
    if ("answer" in finding) return finding.answer;
    throw new UnreadableFileError(finding.kind, finding.reason);
  } catch (error) {
    signal.throwIfAborted();
    throw error;
  } finally {
    signal.removeEventListener("abort", stop);
    await threads.giveBack(thread);
  }
}

interface Opened<Answer> {
  thread: PdfThread;
  finding: PdfFinding<Answer>;
}

async function openIn<Question extends { ask: "open" | "reopen"; path: string }>(
  threads: PdfThreads,
  question: Question,
  timeLimitSeconds: number,
): Promise<Opened<PdfAnswers[Question["ask"]]>> {
  const thread = await threads.take();
  try {
    return { thread, finding: await thread.ask(question, timeLimitSeconds) };
  } catch (error) {
    await threads.end(thread);
    throw error;
  }
}

type PageQuestion = Extract<PdfQuestion, { page: number }>;

/**
 * pdfium keeps what pages are made of for as long as the file is open: what it has taken beyond this is given back
 * before the next page, with its thread. So a file with 500 MB of images takes no more than one with a few.
 */
const maxKeptMb = 256;

/** Of a document that has a limit as a whole. */
const secondsForEachPage = 10;

interface PdfToRead {
  path: string;
  facts: LenientPdfFacts;
  limits: ReadingLimits;
  threads: PdfThreads;
  whole: { spentSeconds: number } | undefined;
}

class ThreadedPdfDocument implements PdfDocument {
  readonly facts: LenientPdfFacts;
  spentSeconds: number;
  readonly #path: string;
  readonly #threads: PdfThreads;
  readonly #limits: ReadingLimits;
  readonly #wholeSeconds: number;
  #thread: PdfThread;
  #hasReadPages = false;
  /** What pdfium had taken when it had opened the file. */
  #openedMb: number;
  #unanswered = 0;
  #lastTurn: Promise<unknown> = Promise.resolve();
  #isClosed = false;

  constructor({ path, facts, limits, threads, whole }: PdfToRead, thread: PdfThread) {
    this.#path = path;
    this.facts = facts;
    this.#limits = limits;
    this.#threads = threads;
    this.spentSeconds = thread.answerSeconds + (whole?.spentSeconds ?? 0);
    this.#wholeSeconds =
      whole === undefined ? Infinity : limits.timeLimitSeconds + secondsForEachPage * facts.pageCount;
    this.#thread = thread;
    this.#openedMb = thread.memoryMb;
  }

  text(page: number): Promise<PageText> {
    return this.#inTurn({ ask: "text", page });
  }

  plainText(page: number): Promise<PlainText> {
    return this.#inTurn({ ask: "plain text", page });
  }

  seenWords(page: number): Promise<SeenWords> {
    return this.#inTurn({ ask: "seen words", page });
  }

  image(page: number, width: number): Promise<Uint8Array<ArrayBuffer>> {
    return this.#inTurn({ ask: "image", page, width });
  }

  raster(page: number, quarterTurns = 0): Promise<PageRaster> {
    return this.#inTurn({ ask: "raster", page, quarterTurns });
  }

  flat(page: number, boxes: readonly Box[]): Promise<FlatPage> {
    return this.#inTurn({ ask: "flat", page, boxes });
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    if (this.#unanswered > 0) await this.#threads.end(this.#thread);
    else await this.#threads.giveBack(this.#thread);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  #inTurn<Question extends PageQuestion>(question: Question): Promise<PdfAnswers[Question["ask"]]> {
    this.#unanswered += 1;
    const answered = (): void => {
      this.#unanswered -= 1;
    };
    const turn = this.#lastTurn.then(() => this.#answer(question));
    this.#lastTurn = turn.then(answered, answered);
    return turn;
  }

  async #answer<Question extends PageQuestion>(question: Question): Promise<PdfAnswers[Question["ask"]]> {
    const { page } = question;
    const { pageCount, pageSizes, brokenPages } = this.facts;
    if (pageSizes[page] === undefined) {
      throw new PageError(page, "broken", `has no page ${page + 1}, only ${pageCount}`);
    }
    const known = brokenPages.find((broken) => broken.page === page);
    if (known !== undefined) throw new PageError(page, "broken", known.reason);
    const hadReadPages = this.#hasReadPages && !this.#thread.hasEnded;
    const left = Math.min(this.#limits.timeLimitSeconds, this.#wholeSeconds - this.spentSeconds);
    const until = this.spentSeconds + left;
    let finding = await this.#ask(question, until);
    if (!("answer" in finding) && finding.kind !== "too-slow" && hadReadPages) {
      finding = await this.#ask(question, until);
    }
    if ("answer" in finding) return finding.answer;
    throw new PageError(page, finding.kind, finding.reason);
  }

  /** `until` is where {@link spentSeconds} may be when it has the answer. */
  async #ask<Question extends PageQuestion>(
    question: Question,
    until: number,
  ): Promise<PdfFinding<PdfAnswers[Question["ask"]]>> {
    if (this.#isClosed) throw new Error("The PDF is closed");
    if (this.spentSeconds >= until) return tooSlow(this.#limits);
    if (this.#thread.memoryMb > this.#openedMb + maxKeptMb) await this.#threads.end(this.#thread);
    if (this.#thread.hasEnded) {
      const { thread, finding } = await openIn(
        this.#threads,
        { ask: "reopen", path: this.#path },
        until - this.spentSeconds,
      );
      this.spentSeconds += thread.answerSeconds;
      this.#thread = thread;
      this.#openedMb = thread.memoryMb;
      this.#hasReadPages = false;
      if (this.#isClosed) await this.#threads.end(thread);
      if (!("answer" in finding)) return this.#failed(finding);
      if (this.spentSeconds >= until) return tooSlow(this.#limits);
    }
    const finding = await this.#thread
      .ask(question, until - this.spentSeconds)
      .catch((error: unknown) => this.#lost(error));
    this.spentSeconds += this.#thread.answerSeconds;
    this.#hasReadPages = true;
    return "answer" in finding ? finding : this.#failed(finding);
  }

  /** What the thread did not live to say is the page's fault, unless the thread was told to end. */
  #lost(error: unknown): { kind: UnreadableKind; reason: string } {
    if (this.#isClosed) throw error;
    return { kind: "broken", reason: `broken: reading it failed (${reasonOf(error)})` };
  }

  async #failed<Failure>(finding: Failure): Promise<Failure> {
    await this.#threads.end(this.#thread);
    return finding;
  }
}

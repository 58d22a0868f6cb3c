import { reasonOf } from "../errors.ts";
import { checkFile } from "./file-check.ts";
import type { PageText } from "./page-words.ts";
import type { PdfLimits } from "./pdf.ts";
import type { LenientPdfFacts } from "./pdf-facts.ts";
import { PdfThread } from "./pdf-thread.ts";
import type { PdfAnswers, PdfFinding, PdfQuestion } from "./pdf-worker.ts";
import { compilePdfium, type PdfiumCode } from "./pdfium-code.ts";
import { UnreadableFileError, type UnreadableKind } from "./unreadable-file.ts";

export type { PdfLimits };

/*
 * A PDF page by page. Each open document has a thread of its own, so two documents use two cores, and none waits for
 * another's pages. A page that takes too long or too much costs itself only: its thread is ended, and the next page gets
 * a new one, with the file opened again.
 *
 * pdfium keeps fonts from page to page, which makes it fast and its memory grow. So a page that fails in a thread that
 * has read others is tried once more in a new one, before the page is blamed.
 */

export interface PdfDocument extends AsyncDisposable {
  readonly facts: LenientPdfFacts;
  /**
   * Pages count from 0; calls made at the same time wait for one another, which does not count as time.
   *
   * @throws {PageError}
   */
  text(page: number): Promise<PageText>;
  /**
   * A GIF so many pixels wide (a whole number from 1), and as high as the page's shape asks for; smaller where that were millions of pixels.
   *
   * @throws {PageError}
   */
  image(page: number, width: number): Promise<Uint8Array<ArrayBuffer>>;
  /** Ends the thread. What is under way or waiting is rejected. */
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

/**
 * A document can be opened when its first page is there; which others are not, its facts say. It has to be closed.
 *
 * @param code for many documents: compiled once, it gets faster while it is used
 * @throws {UnreadableFileError} with the reason, for a person.
 */
export async function openPdf(
  path: string,
  { fileLimitMb, ...limits }: PdfLimits,
  code?: PdfiumCode,
): Promise<PdfDocument> {
  await checkFile(path, fileLimitMb);
  const compiled = code ?? (await compilePdfium());
  const first = new PdfThread(compiled, limits);
  const opened = await first.ask({ ask: "open", path }).catch(endedWith(first));
  if (!("answer" in opened)) {
    await first.end();
    throw new UnreadableFileError(opened.kind, opened.reason);
  }
  return new ThreadedPdfDocument(opened.answer, first, async () => {
    const thread = new PdfThread(compiled, limits);
    return { thread, opened: await thread.ask({ ask: "reopen", path }).catch(endedWith(thread)) };
  });
}

/** A thread must not outlive what went wrong with it. */
const endedWith =
  (thread: PdfThread) =>
  async (error: unknown): Promise<never> => {
    await thread.end();
    throw error;
  };

type Reopen = () => Promise<{ thread: PdfThread; opened: PdfFinding<null> }>;
type PageQuestion = Extract<PdfQuestion, { page: number }>;

class ThreadedPdfDocument implements PdfDocument {
  readonly facts: LenientPdfFacts;
  readonly #reopen: Reopen;
  #thread: PdfThread;
  #hasReadPages = false;
  #lastTurn: Promise<unknown> = Promise.resolve();
  #isClosed = false;

  constructor(facts: LenientPdfFacts, thread: PdfThread, reopen: Reopen) {
    this.facts = facts;
    this.#thread = thread;
    this.#reopen = reopen;
  }

  text(page: number): Promise<PageText> {
    return this.#inTurn({ ask: "text", page });
  }

  image(page: number, width: number): Promise<Uint8Array<ArrayBuffer>> {
    return this.#inTurn({ ask: "image", page, width });
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#thread.end();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  #inTurn<Question extends PageQuestion>(question: Question): Promise<PdfAnswers[Question["ask"]]> {
    const turn = this.#lastTurn.then(() => this.#answer(question));
    this.#lastTurn = turn.catch(() => undefined);
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
    let finding = await this.#ask(question);
    if (!("answer" in finding) && finding.kind !== "too-slow" && hadReadPages) {
      finding = await this.#ask(question);
    }
    if ("answer" in finding) return finding.answer;
    throw new PageError(page, finding.kind, finding.reason);
  }

  async #ask<Question extends PageQuestion>(
    question: Question,
  ): Promise<PdfFinding<PdfAnswers[Question["ask"]]>> {
    if (this.#isClosed) throw new Error("The PDF is closed");
    if (this.#thread.hasEnded) {
      const { thread, opened } = await this.#reopen();
      this.#thread = thread;
      this.#hasReadPages = false;
      if (this.#isClosed) await thread.end();
      if (!("answer" in opened)) return this.#failed(opened);
    }
    const finding = await this.#thread.ask(question).catch((error: unknown) => this.#lost(error));
    this.#hasReadPages = true;
    return "answer" in finding ? finding : this.#failed(finding);
  }

  /** What the thread did not live to say is the page's fault, unless the thread was told to end. */
  #lost(error: unknown): { kind: UnreadableKind; reason: string } {
    if (this.#isClosed) throw error;
    return { kind: "broken", reason: `broken: reading it failed (${reasonOf(error)})` };
  }

  async #failed<Failure>(finding: Failure): Promise<Failure> {
    await this.#thread.end();
    return finding;
  }
}

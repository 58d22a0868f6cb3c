import { checkFile } from "../file-check.ts";
import { checkKind } from "../file-kind.ts";
import type { AssemblyPlan } from "./pdf-assembling.ts";
import {
  type OpeningQuestion,
  type PdfDocument,
  type PdfPages,
  ThreadedPdfDocument,
  ThreadedPdfPages,
  openIn,
} from "./open-pages.ts";
import type { OutlineEntry } from "../pdfium/pdfium-outline.ts";
import type { PdfLimits } from "./pdf.ts";
import type { PdfThread } from "./pdf-thread.ts";
import { PdfThreads } from "./pdf-threads.ts";
import type { PdfAnswers, PdfQuestion } from "./pdf-messages.ts";
import { type TimeLimit, byTheClock, unhurried } from "../processor-time.ts";
import { UnreadableFileError } from "../unreadable-file.ts";

export { type ImageFormat, PageError, type PdfDocument, type PdfPages } from "./open-pages.ts";
export type { OutlineEntry, PdfLimits };

export interface SoughtWords {
  words: readonly string[];
  /** Whole words that are visible and may stay. */
  staying: readonly string[];
}

export interface PdfReader {
  /**
   * Opens a document whose first page is readable. Its facts name the other pages that are broken. Close it after use.
   *
   * With `whole`, the document has a time limit as a whole: the limit of one answer, and ten seconds for each page.
   * `spentSeconds` is the time already spent on the same file. Once the limit is reached, pages fail as too slow.
   *
   * @throws {UnreadableFileError} with the reason, for a person.
   */
  open(path: string, whole?: { spentSeconds: number }): Promise<PdfDocument>;
  /**
   * Opens a document of which only some pages are read, for a person who waits for them: limits count by the clock. The
   * other pages are not looked at: with 30,000 pages that takes 0.6 s of processor time.
   *
   * @throws {UnreadableFileError} with the reason, for a person.
   */
  openPages(path: string): Promise<PdfPages>;
  /** Prepares for a document that is likely to be opened soon: starting a thread takes a tenth of a second. */
  warm(): Promise<void>;
  /**
   * Writes a new PDF from pages of others, and copies nothing else from those.
   *
   * @throws {UnreadableFileError} with the reason, for a person.
   */
  assemble(plan: AssemblyPlan, signal: AbortSignal): Promise<void>;
  /**
   * Writes a decrypted copy of a PDF that opens with this password.
   *
   * @throws {UnreadableFileError} also if the password is wrong
   */
  decrypt(file: { from: string; to: string; password: string }, signal: AbortSignal): Promise<void>;
  /**
   * The words that are still in the bytes of a PDF that {@link assemble} wrote, except within the words that may stay.
   */
  find(path: string, sought: SoughtWords, signal: AbortSignal): Promise<string[]>;
  /** Also closes open documents. */
  close(): Promise<void>;
}

/** A reader keeps threads for many documents, one after another or at the same time. Close it after use. */
export function openPdfReader({ fileLimitMb, pageTimeLimitSeconds, ...limits }: PdfLimits): PdfReader {
  const threads = new PdfThreads(limits);
  const timeLimitSeconds = Math.min(pageTimeLimitSeconds ?? Infinity, limits.timeLimitSeconds);
  const limitsOfPages = { ...limits, timeLimitSeconds };
  async function openFile<Question extends OpeningQuestion>(
    question: Question,
    limit: TimeLimit = unhurried(limits.timeLimitSeconds),
  ): Promise<[PdfThread, PdfAnswers[Question["ask"]]]> {
    await checkFile(question.path, fileLimitMb);
    const { thread, finding } = await openIn(threads, question, limit);
    if ("answer" in finding) return [thread, finding.answer];
    await threads.end(thread);
    // This gives the same message as for any other file that does not match its extension.
    if (finding.kind === "not-a-pdf") await checkKind(question.path, "pdf");
    throw new UnreadableFileError(finding.kind, finding.reason);
  }
  return {
    async open(path, whole) {
      const [thread, facts] = await openFile({ ask: "open", path });
      return new ThreadedPdfDocument({ path, limits, limitOf: unhurried, threads, facts, whole }, thread);
    },
    async openPages(path) {
      const [thread] = await openFile({ ask: "reopen", path }, byTheClock(timeLimitSeconds));
      return new ThreadedPdfPages({ path, limits: limitsOfPages, limitOf: byTheClock, threads }, thread);
    },
    warm: () => threads.warm(),
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

/** Asks a question that needs no open document. */
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
    // A copy that the machine could not write says nothing about the file.
    if (finding.code !== undefined) throw Object.assign(new Error(finding.reason), { code: finding.code });
    throw new UnreadableFileError(finding.kind, finding.reason);
  } catch (error) {
    signal.throwIfAborted();
    throw error;
  } finally {
    signal.removeEventListener("abort", stop);
    await threads.giveBack(thread);
  }
}

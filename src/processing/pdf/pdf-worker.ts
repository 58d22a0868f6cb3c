import { once } from "node:events";
import { closeSync, openSync, readlinkSync, writeSync } from "node:fs";
import { setImmediate } from "node:timers/promises";
import { type MessagePort, parentPort, workerData } from "node:worker_threads";
import { reasonOf } from "../../errors.ts";
import { readFlatPage } from "./flat-page.ts";
import { findInPdf } from "../prune/find-in-pdf.ts";
import { LookAhead } from "./look-ahead.ts";
import { assemblePdf } from "./pdf-assembling.ts";
import { type PdfFacts, openInPdfium, readPdfFacts } from "./pdf-facts.ts";
import type { PdfAnswers, PdfFinding, PdfQuestion, PdfWorkerData, PdfWorkerMessage } from "./pdf-messages.ts";
import {
  readPageImage,
  readPageWebp,
  readPageRaster,
  readPageText,
  readPlainText,
} from "./pdf-page-reading.ts";
import { Pdfium } from "../pdfium/pdfium.ts";
import { PdfiumInstance } from "../pdfium/pdfium-instance.ts";
import { readSeenWords } from "./seen-words.ts";
import { UnreadableFileError } from "../unreadable-file.ts";

/*
 * The thread in which PDFs are read. It may be terminated at any moment. After each "ready" message it waits for one
 * question and answers it. The questions are to inspect a file, to assemble one from others, or to open one, then about
 * its pages, and then to close it. The pdfium instance is made ready for the next file while the last answer is being
 * used.
 */

/** The reading of one file. */
interface Reading {
  readonly instance: PdfiumInstance;
  readonly pdfium: Pdfium;
  readonly lookAhead: LookAhead;
  descriptor: number | null;
  /** Whether a question could not be answered. The instance is then not used again. */
  hasFailed: boolean;
}

async function answerQuestions(port: MessagePort, { code, memoryLimitMb }: PdfWorkerData): Promise<never> {
  const send = (message: PdfWorkerMessage, transferred: ArrayBuffer[] = []): void =>
    port.postMessage(message, transferred);
  port.ref();
  const threadId = ownThreadId();
  let instance = await PdfiumInstance.start(code, memoryLimitMb);
  for (;;) {
    const pdfium = new Pdfium(instance);
    const lookAhead = new LookAhead(pdfium);
    const reading: Reading = { instance, pdfium, lookAhead, descriptor: null, hasFailed: false };
    for (let isDone = false; !isDone;) {
      send({ isReady: true, threadId });
      const question = await nextQuestion(port, reading.lookAhead);
      if (question === undefined) throw new Error("the thread that reads PDFs was asked nothing");
      const readSeconds = startTimer();
      const finding = findingOf(reading, question, memoryLimitMb);
      const used = { memoryMb: instance.memoryMb, processorSeconds: readSeconds() };
      const { hasAttachments } = pdfium;
      send({ isReady: false, finding, hasAttachments, ...used }, imagesIn(finding));
      if ("page" in question) reading.lookAhead.noteRead(question.page);
      // Its answer describes every page.
      if (question.ask === "open" && "answer" in finding) reading.lookAhead.noteRead(pdfium.pageCount - 1);
      isDone = question.ask === "close";
    }
    if (reading.descriptor !== null) closeSync(reading.descriptor);
    if (reading.hasFailed || lookAhead.hasFailed || !instance.restore()) {
      instance = await PdfiumInstance.start(code, memoryLimitMb);
    }
  }
}

/** Systems count processor time in steps of some milliseconds. A shorter time than this is taken by the clock. */
const minMeasuredSeconds = 0.1;

/** Returns the processor time of this thread since. */
function startTimer(): () => number {
  const [started, usedBefore] = [performance.now(), process.threadCpuUsage()];
  return () => {
    const elapsed = (performance.now() - started) / 1000;
    const { user, system } = process.threadCpuUsage(usedBefore);
    return elapsed < minMeasuredSeconds ? elapsed : (user + system) / 1e6;
  };
}

/** The system's id of this thread, by which others read its processor time; null where the system has no such list. */
function ownThreadId(): number | null {
  try {
    return Number(readlinkSync("/proc/thread-self").split("/").at(-1));
  } catch {
    return null;
  }
}

async function nextQuestion(port: MessagePort, lookAhead: LookAhead): Promise<PdfQuestion | undefined> {
  const asked = once(port, "message") as Promise<PdfQuestion[]>;
  for (;;) {
    const questions = await (lookAhead.step() ? Promise.race([asked, setImmediate(null)]) : asked);
    if (questions !== null) return questions[0];
  }
}

function findingOf(
  reading: Reading,
  question: PdfQuestion,
  memoryLimitMb: number,
): PdfFinding<PdfAnswers[keyof PdfAnswers]> {
  const { instance } = reading;
  try {
    const answer = answerTo(reading, question);
    if (!instance.wasRefusedMemory) return { answer };
  } catch (error) {
    reading.hasFailed = true;
    if (!instance.wasRefusedMemory) {
      if (error instanceof UnreadableFileError) return { kind: error.kind, reason: error.message };
      const code = systemCodeOf(error);
      return {
        kind: "broken",
        reason: `broken: reading it failed (${reasonOf(error)})`,
        ...(code !== null && { code }),
      };
    }
  }
  // Without enough memory, pdfium aborts or continues as if the file were broken.
  return { kind: "too-much-memory", reason: `needs more memory than ${memoryLimitMb} MB` };
}

function systemCodeOf(error: unknown): string | null {
  if (!(error instanceof Error) || !("syscall" in error) || !("code" in error)) return null;
  return String(error.code);
}

/** The memory of a drawn page, which is handed over to the other thread: copying it takes as long as drawing. */
function imagesIn(finding: PdfFinding<PdfAnswers[keyof PdfAnswers]>): ArrayBuffer[] {
  if (!("answer" in finding) || finding.answer === null) return [];
  const { answer } = finding;
  if (answer instanceof Uint8Array) return [answer.buffer];
  if ("shades" in answer) return [answer.shades.buffer];
  return "bytes" in answer ? [answer.bytes.buffer] : [];
}

function answerTo(reading: Reading, question: PdfQuestion): PdfAnswers[keyof PdfAnswers] {
  const { pdfium } = reading;
  if ("path" in question) {
    const password = "password" in question ? question.password : "";
    reading.descriptor = openInPdfium(pdfium, question.path, password);
  }
  switch (question.ask) {
    case "inspect":
      return withoutBrokenPages(readPdfFacts(pdfium, 0));
    case "open":
      return readPdfFacts(pdfium);
    case "decrypt":
      writeDecrypted(pdfium, question.to);
      return null;
    case "text":
      return readPageText(pdfium, question.page);
    case "plain text":
      return readPlainText(pdfium, question.page);
    case "seen words":
      return readSeenWords(pdfium, question.page);
    case "outline":
      return pdfium.outline();
    case "image":
      return readPageImage(pdfium, question.page, question.width);
    case "webp":
      return readPageWebp(pdfium, question.page, question.width);
    case "raster":
      return readPageRaster(pdfium, question.page, question.quarterTurns);
    case "flat":
      return readFlatPage(pdfium, question.page, question.boxes);
    case "assemble":
      assemblePdf(pdfium, question.plan);
      return null;
    case "find":
      return findInPdf(question.within, question.words, question.staying);
    case "close":
    case "reopen":
      return null;
  }
}

function writeDecrypted(pdfium: Pdfium, to: string): void {
  const file = openSync(to, "wx");
  try {
    const isWhole = pdfium.saveDecrypted((bytes) => {
      for (let done = 0; done < bytes.length;) done += writeSync(file, bytes, done);
    });
    if (!isWhole)
      throw new UnreadableFileError("broken", "broken: it cannot be written without its password");
  } finally {
    closeSync(file);
  }
}

const withoutBrokenPages = ({ pageCount, pageSizes }: PdfFacts): PdfFacts => ({ pageCount, pageSizes });

if (parentPort !== null) await answerQuestions(parentPort, workerData);

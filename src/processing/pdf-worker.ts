import { once } from "node:events";
import { closeSync } from "node:fs";
import { type MessagePort, parentPort, workerData } from "node:worker_threads";
import { reasonOf } from "../errors.ts";
import { type LenientPdfFacts, type PdfFacts, openInPdfium, readPdfFacts } from "./pdf-facts.ts";
import { readPageImage, readPageText } from "./pdf-page-reading.ts";
import type { PageText } from "./page-words.ts";
import type { PdfiumCode } from "./pdfium-code.ts";
import { Pdfium } from "./pdfium.ts";
import { UnreadableFileError, type UnreadableKind } from "./unreadable-file.ts";

/*
 * The thread in which files are read; it may be ended at any moment. Whenever it says that it is ready it waits for a
 * question, and answers it. It is either asked to inspect files, each in a pdfium of its own that starts while the
 * answer before is being used; or to open one file, and then for what is on its pages.
 */

export interface PdfWorkerData {
  code: PdfiumCode;
  memoryLimitMb: number;
}

export type PdfQuestion =
  | { ask: "inspect"; path: string }
  | { ask: "open"; path: string }
  /** Opens a file whose facts are known. */
  | { ask: "reopen"; path: string }
  | { ask: "text"; page: number }
  | { ask: "image"; page: number; width: number };

export interface PdfAnswers {
  inspect: PdfFacts;
  open: LenientPdfFacts;
  reopen: null;
  text: PageText;
  image: Uint8Array<ArrayBuffer>;
}

export type PdfFinding<Answer> = { answer: Answer } | { kind: UnreadableKind; reason: string };

/** With the answer comes how much memory pdfium has taken so far. */
export type PdfWorkerMessage =
  | "ready"
  | { finding: PdfFinding<PdfAnswers[keyof PdfAnswers]>; memoryMb: number };

async function answerQuestions(port: MessagePort, { code, memoryLimitMb }: PdfWorkerData): Promise<never> {
  const send = (message: PdfWorkerMessage): void => port.postMessage(message);
  port.ref();
  let pdfium = await Pdfium.start(code, memoryLimitMb);
  for (;;) {
    send("ready");
    const [question]: PdfQuestion[] = await once(port, "message");
    if (question === undefined) throw new Error("the thread that reads PDFs was asked nothing");
    const finding = findingOf(pdfium, question, memoryLimitMb);
    send({ finding, memoryMb: pdfium.memoryMb });
    if (question.ask === "inspect") pdfium = await Pdfium.start(code, memoryLimitMb);
  }
}

function findingOf(
  pdfium: Pdfium,
  question: PdfQuestion,
  memoryLimitMb: number,
): PdfFinding<PdfAnswers[keyof PdfAnswers]> {
  try {
    const answer = answerTo(pdfium, question);
    if (!pdfium.wasRefusedMemory) return { answer };
  } catch (error) {
    if (!pdfium.wasRefusedMemory) {
      if (error instanceof UnreadableFileError) return { kind: error.kind, reason: error.message };
      return { kind: "broken", reason: `broken: reading it failed (${reasonOf(error)})` };
    }
  }
  // Out of memory, pdfium gives up or goes on as if the file were broken.
  return { kind: "too-much-memory", reason: `needs more memory than ${memoryLimitMb} MB` };
}

function answerTo(pdfium: Pdfium, question: PdfQuestion): PdfAnswers[keyof PdfAnswers] {
  switch (question.ask) {
    case "inspect":
      return inspectIn(pdfium, question.path);
    case "open":
      openInPdfium(pdfium, question.path);
      return readPdfFacts(pdfium);
    case "reopen":
      openInPdfium(pdfium, question.path);
      return null;
    case "text":
      return readPageText(pdfium, question.page);
    default:
      return readPageImage(pdfium, question.page, question.width);
  }
}

function inspectIn(pdfium: Pdfium, path: string): PdfFacts {
  const descriptor = openInPdfium(pdfium, path);
  try {
    const { pageCount, pageSizes } = readPdfFacts(pdfium, 0);
    return { pageCount, pageSizes };
  } finally {
    closeSync(descriptor);
  }
}

if (parentPort !== null) await answerQuestions(parentPort, workerData);

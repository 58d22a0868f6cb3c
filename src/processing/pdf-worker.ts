import { once } from "node:events";
import { type MessagePort, parentPort, workerData } from "node:worker_threads";
import { reasonOf } from "../errors.ts";
import { type PdfFacts, readPdfFacts } from "./pdf-facts.ts";
import type { PdfiumCode } from "./pdfium-code.ts";
import { Pdfium } from "./pdfium.ts";
import { UnreadableFileError, type UnreadableKind } from "./unreadable-file.ts";

/*
 * The thread in which files are read; it may be ended at any moment. Whenever it says that it is ready it waits for a
 * path, and answers with what is in that file. The pdfium for the next file starts while the answer is being used.
 */

export interface PdfWorkerData {
  code: PdfiumCode;
  memoryLimitMb: number;
}

export type PdfFinding = { facts: PdfFacts } | { kind: UnreadableKind; reason: string };

/** With the answer comes how much memory pdfium took for it, which is garbage from then on. */
export type PdfWorkerMessage = "ready" | { finding: PdfFinding; memoryMb: number };

async function answerPaths(port: MessagePort, { code, memoryLimitMb }: PdfWorkerData): Promise<never> {
  const send = (message: PdfWorkerMessage): void => port.postMessage(message);
  port.ref();
  for (;;) {
    const pdfium = await Pdfium.start(code, memoryLimitMb);
    send("ready");
    const [path]: string[] = await once(port, "message");
    const finding = findingOf(pdfium, path ?? "", memoryLimitMb);
    send({ finding, memoryMb: pdfium.memoryMb });
  }
}

function findingOf(pdfium: Pdfium, path: string, memoryLimitMb: number): PdfFinding {
  try {
    return { facts: readPdfFacts(pdfium, path) };
  } catch (error) {
    // Out of memory, pdfium gives up or goes on as if the file were broken.
    if (pdfium.wasRefusedMemory) {
      return { kind: "too-much-memory", reason: `needs more memory than ${memoryLimitMb} MB` };
    }
    if (error instanceof UnreadableFileError) return { kind: error.kind, reason: error.message };
    return { kind: "broken", reason: `broken: reading it failed (${reasonOf(error)})` };
  }
}

if (parentPort !== null) await answerPaths(parentPort, workerData);

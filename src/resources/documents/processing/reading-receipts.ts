import packageJson from "../../../../package.json" with { type: "json" };
import type { Job } from "../../../jobs/running-job.ts";
import type { PagesAccount } from "../pages/page-reading-store.ts";
import type { ReadFacts } from "../file-facts-store.ts";
import type { PagesRead } from "./read-pages.ts";
import { type ReceiptOfOne, attemptOf } from "../receipt-store.ts";

/** Everything that the receipts of a reading report. */
export interface FileReading {
  facts: ReadFacts;
  /** Covers all pages, including those that earlier runs of the job read. */
  pages: PagesAccount;
  /** The result of the last run. */
  result: PagesRead;
  /** The code of its language. */
  language: string;
  rendered: ReceiptOfOne;
  job: Job;
}

export function receiptsOfReading(reading: FileReading): ReceiptOfOne[] {
  const { facts, pages, result, rendered, job } = reading;
  const { reading: milliseconds, writing } = result.spent.milliseconds;
  const { page_count, file_hash: sha1 } = facts;
  // That reason is reported once, in the receipt of the recognition.
  const unread = pages.unread.filter(({ reason }) => reason !== result.notRecognised);
  const details = {
    pages: page_count,
    sha1,
    version: packageJson.version,
    ...(unread.length > 0 && { unread }),
    ...(job.options["ocr_engine"] === "textract" && { notes: [notTextract] }),
    ...attemptOf(job),
  };
  return [
    { step: "read", outcome: "done", milliseconds, details },
    ...recognitionOf(reading),
    rendered,
    { step: "indexed", outcome: "done", milliseconds: writing, details: { pages: page_count } },
  ];
}

const notTextract = "Textract was asked for, but this server recognises text with Tesseract (tess4)";

/** Empty if no page had to be recognised. */
function recognitionOf({ pages: { recognised, unread }, result, language }: FileReading): ReceiptOfOne[] {
  const { notRecognised, spent } = result;
  const message = unread.some(({ reason }) => reason === notRecognised) ? notRecognised : null;
  if (recognised.length === 0 && message === null) return [];
  const confidences = recognised.flatMap(({ confidence }) => confidence ?? []);
  const mean = confidences.reduce((sum, value) => sum + value, 0) / confidences.length;
  const confidence = confidences.length === 0 ? null : Math.round(mean);
  const details = { pages: recognised.length, engine: "tess4", language, confidence, by_page: recognised };
  const recognising = { step: "recognised", milliseconds: spent.milliseconds.recognising } as const;
  return message === null
    ? [{ ...recognising, outcome: "done", details }]
    : [{ ...recognising, outcome: "failed", details: { ...details, message } }];
}

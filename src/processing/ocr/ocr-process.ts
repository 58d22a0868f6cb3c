import { constants, setPriority } from "node:os";
import type { DetectResult, Worker } from "tesseract.js";
import { createWorker } from "tesseract.js";
import { reasonOf } from "../../errors.ts";
import { type OcrData, detectionData } from "./ocr-data.ts";

/*
 * The process in which tesseract reads images of pages in one language, one after the other. It may be killed at any
 * moment: whoever started it starts another. It gives way to whoever answers people.
 */

export interface OcrQuestion {
  data: OcrData;
  /** An image that leptonica reads. */
  image: Uint8Array;
}

/** What the image is in and which way up, by tesseract's own measure; null: there is too little on it to tell. */
export interface OcrDetection {
  script: string | null;
  /** How many quarter turns clockwise the text is turned. */
  quarterTurns: number;
}

export interface OcrFinding {
  text: string;
  /** A table: level, page, block, paragraph, line, word, left, top, width, height, confidence, text. */
  tsv: string;
  confidence: number;
}

export interface OcrFailure {
  kind: "no-ocr" | "too-slow" | "too-much-memory";
  /** Follows “Recognising its text”. */
  reason: string;
}

export type OcrAnswer = OcrFinding | OcrDetection | OcrFailure;

const tooMuchMemory: OcrFailure = {
  kind: "too-much-memory",
  reason: "needs more memory than it may have",
};
/** The images that it cannot read are those for which it has no memory: we make no others. */
const saysNoMemory = /Aborted|memory|attempting to read image/i;

const legacyOnly = 0;
const lstmOnly = 1;

/** Of an error that comes while it starts tesseract.js tells its handler only. */
function startWorker({ language, folder, isCompressed }: OcrData): Promise<Worker> {
  return new Promise((resolve, reject) => {
    const isDetecting = language === detectionData;
    createWorker(language, isDetecting ? legacyOnly : lstmOnly, {
      legacyCore: isDetecting,
      legacyLang: isDetecting,
      langPath: folder,
      gzip: isCompressed,
      cacheMethod: "none",
      errorHandler: reject,
    }).then(resolve, reject);
  });
}

let started: Promise<Worker> | null = null;

async function answer({ data, image }: OcrQuestion): Promise<OcrAnswer> {
  let worker: Worker;
  try {
    worker = await (started ??= startWorker(data));
  } catch (error) {
    const reason = `failed: the data of the language “${data.language}” cannot be used (${reasonOf(error)})`;
    return { kind: "no-ocr", reason };
  }
  try {
    // Of a page whose resolution tesseract does not know it guesses.
    await worker.setParameters({ user_defined_dpi: "300" });
    if (data.language === detectionData) return detectionOf(await worker.detect(Buffer.from(image)));
    const found = await worker.recognize(Buffer.from(image), {}, { text: true, tsv: true });
    const { text, tsv, confidence } = found.data;
    // Without memory for the image it goes on without one, and has no row for the page either.
    return tsv === null || tsv === "" ? tooMuchMemory : { text, tsv, confidence };
  } catch (error) {
    const reason = reasonOf(error);
    return saysNoMemory.test(reason) ? tooMuchMemory : { kind: "no-ocr", reason: `failed: ${reason}` };
  }
}

function detectionOf({ data: { script, orientation_degrees: degrees } }: DetectResult): OcrDetection {
  return { script, quarterTurns: (-(degrees ?? 0) / 90) & 3 };
}

if (process.send !== undefined) {
  setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
  process.on("message", (question: OcrQuestion) => {
    void answer(question).then((given) => process.send?.(given));
  });
  process.on("disconnect", () => process.kill(process.pid, "SIGKILL"));
}

import { constants, setPriority } from "node:os";
import type { DetectResult, Worker } from "tesseract.js";
import { createWorker } from "tesseract.js";
import { reasonOf } from "../../errors.ts";
import { type OcrData, detectionData } from "./ocr-data.ts";

/*
 * The process in which tesseract reads page images in one language, one after another. It may be killed at any moment,
 * and its parent then starts another. It runs at a low priority, so that it does not slow down requests.
 */

export interface OcrQuestion {
  data: OcrData;
  /** An image that leptonica reads. */
  image: Uint8Array;
}

/** The script and orientation that tesseract detects. Null if the image has too little text. */
export interface OcrDetection {
  script: string | null;
  /** The clockwise rotation of the text in quarter turns. */
  quarterTurns: number;
  /** How sure the rotation is: 4 and more for lines of text, less than 1 for noise and drawings. */
  certainty: number;
}

export interface OcrFinding {
  text: string;
  /** A table: level, page, block, paragraph, line, word, left, top, width, height, confidence, text. */
  tsv: string;
  confidence: number;
}

export interface OcrFailure {
  kind: "no-ocr" | "too-slow" | "too-much-memory";
  /** The end of a sentence that begins with “Recognising its text”. */
  reason: string;
}

export type OcrAnswer = OcrFinding | OcrDetection | OcrFailure;

const tooMuchMemory: OcrFailure = {
  kind: "too-much-memory",
  reason: "needs more memory than it may have",
};
/** An unreadable image means a lack of memory, because Quire sends only valid images. */
const saysNoMemory = /Aborted|memory|attempting to read image/i;

const legacyOnly = 0;
const lstmOnly = 1;

/** tesseract.js reports an error during its start only to its error handler. */
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
    // Without a resolution, tesseract guesses one.
    await worker.setParameters({ user_defined_dpi: "300" });
    if (data.language === detectionData) return detectionOf(await worker.detect(Buffer.from(image)));
    const found = await worker.recognize(Buffer.from(image), {}, { text: true, tsv: true });
    const { text, tsv, confidence } = found.data;
    // If tesseract has no memory for the image, it continues without it, and its table has no row for the page.
    return tsv === null || tsv === "" ? tooMuchMemory : { text, tsv, confidence };
  } catch (error) {
    const reason = reasonOf(error);
    return saysNoMemory.test(reason) ? tooMuchMemory : { kind: "no-ocr", reason: `failed: ${reason}` };
  }
}

function detectionOf({ data }: DetectResult): OcrDetection {
  const { script, orientation_degrees: degrees, orientation_confidence: certainty } = data;
  return { script, quarterTurns: (-(degrees ?? 0) / 90) & 3, certainty: certainty ?? 0 };
}

if (process.send !== undefined) {
  setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
  process.on("message", (question: OcrQuestion) => {
    void answer(question).then((result) => process.send?.(result));
  });
  process.on("disconnect", () => process.kill(process.pid, "SIGKILL"));
}

import type { Worker } from "tesseract.js";
import { createWorker } from "tesseract.js";

/*
 * The process in which tesseract reads images of pages, one after the other. It may be killed at any moment: whoever
 * started it starts another.
 */

export interface OcrQuestion {
  language: string;
  /** The folder of the language's data. */
  data: string;
  isCompressed: boolean;
  /** An image that leptonica reads. */
  image: Uint8Array;
}

export type OcrAnswer = { text: string; tsv: string; confidence: number } | { reason: string };

let reading: { language: string; worker: Worker } | null = null;

async function workerFor({ language, data, isCompressed }: OcrQuestion): Promise<Worker> {
  if (reading?.language === language) return reading.worker;
  await reading?.worker.terminate();
  const lstmOnly = 1;
  const worker = await createWorker(language, lstmOnly, {
    langPath: data,
    gzip: isCompressed,
    cacheMethod: "none",
  });
  // Of a page whose resolution tesseract does not know it guesses, and says so.
  await worker.setParameters({ user_defined_dpi: "300" });
  reading = { language, worker };
  return worker;
}

async function answer(question: OcrQuestion): Promise<OcrAnswer> {
  const worker = await workerFor(question);
  const { data } = await worker.recognize(Buffer.from(question.image), {}, { text: true, tsv: true });
  return { text: data.text, tsv: data.tsv ?? "", confidence: data.confidence };
}

function failed(error: unknown): OcrAnswer {
  return { reason: error instanceof Error ? error.message : String(error) };
}

if (process.send !== undefined) {
  process.on("message", (question: OcrQuestion) => {
    void answer(question)
      .catch(failed)
      .then((given) => process.send?.(given));
  });
  process.on("disconnect", () => process.exit(0));
}

import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { Turns } from "../turns.ts";
import { type OcrData, findOcrData } from "./ocr-data.ts";
import type { OcrAnswer, OcrQuestion } from "./ocr-process.ts";
import type { PageWord } from "./page-words.ts";
import type { PageRaster } from "./pdf-page-reading.ts";
import { UnreadableFileError } from "./unreadable-file.ts";

/*
 * Text of images. tesseract reads each page in a process that can be killed: when the time is up or it takes too much
 * memory, the page has its reason and the next one a new process. A process is kept for the pages that follow, since it
 * takes half a second to load a language, and ends when none comes for a while. Nothing is started before the first
 * image is to be read, and nothing is ever downloaded.
 */

export interface OcrOptions {
  /** For each page. */
  timeLimitSeconds: number;
  /** Of JavaScript and of tesseract each. */
  memoryLimitMb: number;
  /** How many pages at a time. */
  atOnce: number;
  /** Where `*.traineddata` are, if not in npm packages. */
  dataFolder: string | null;
}

export interface OcrPage {
  /** Lines end in `\n`; the last one does not. */
  text: string;
  words: PageWord[];
  /** From 0 to 100. */
  confidence: number;
  engine: "tess4";
}

export interface OcrReader {
  /** Fails unless there is data for the language. @throws {UnreadableFileError} */
  check(language: string): Promise<void>;
  /** @throws {UnreadableFileError} with the reason, for a person. */
  read(image: PageRaster, language: string, signal: AbortSignal): Promise<OcrPage>;
  close(): Promise<void>;
}

const idleMilliseconds = 20_000;

interface Kept {
  process: ChildProcess;
  language: string;
  timer: NodeJS.Timeout;
}

export function openOcr(options: OcrOptions): OcrReader {
  const turns = new Turns(options.atOnce, Infinity);
  const all = new Set<ChildProcess>();
  const idle: Kept[] = [];

  function take(language: string): ChildProcess {
    const known = idle.findIndex((kept) => kept.language === language);
    const [kept] = idle.splice(known < 0 ? 0 : known, 1);
    if (kept === undefined) return start();
    clearTimeout(kept.timer);
    return kept.process;
  }

  function start(): ChildProcess {
    const { memoryLimitMb } = options;
    const child = fork(new URL("./ocr-process.ts", import.meta.url), {
      env: {},
      execArgv: [`--max-old-space-size=${memoryLimitMb}`, `--wasm-max-mem-pages=${memoryLimitMb * 16}`],
      serialization: "advanced",
      stdio: ["ignore", "ignore", "ignore", "ipc"],
    });
    all.add(child);
    child.once("exit", () => all.delete(child));
    child.on("error", () => undefined);
    return child;
  }

  function keep(process: ChildProcess, language: string): void {
    const timer = setTimeout(() => {
      idle.splice(
        idle.findIndex((kept) => kept.process === process),
        1,
      );
      process.kill("SIGKILL");
    }, idleMilliseconds).unref();
    idle.push({ process, language, timer });
  }

  async function ask(process: ChildProcess, question: OcrQuestion, signal: AbortSignal): Promise<OcrAnswer> {
    const late = AbortSignal.timeout(options.timeLimitSeconds * 1000);
    const over = new AbortController();
    const ended = once(process, "exit", { signal: over.signal }).then((): OcrAnswer => {
      return { reason: "needs more memory than it may have, or cannot be read" };
    });
    const answered = once(process, "message", {
      signal: AbortSignal.any([over.signal, signal, late]),
    }) as Promise<[OcrAnswer]>;
    try {
      process.send(question, () => undefined);
      return await Promise.race([answered.then(([given]) => given), ended]);
    } catch (error) {
      process.kill("SIGKILL");
      signal.throwIfAborted();
      if (!late.aborted) throw error;
      return { reason: `took longer than ${options.timeLimitSeconds} s` };
    } finally {
      over.abort();
      answered.catch(() => undefined);
      ended.catch(() => undefined);
    }
  }

  return {
    async check(language) {
      await findOcrData(language, options.dataFolder);
    },
    async read(image, language, signal) {
      const data: OcrData = await findOcrData(language, options.dataFolder);
      const endTurn = await turns.take();
      try {
        const process = take(data.language);
        const { folder, isCompressed } = data;
        const question = { language: data.language, data: folder, isCompressed, image: image.bytes };
        const answer = await ask(process, question, signal);
        if ("reason" in answer) {
          process.kill("SIGKILL");
          throw new UnreadableFileError("no-ocr", `Recognising its text failed: ${answer.reason}`);
        }
        keep(process, data.language);
        return pageOf(answer, image);
      } finally {
        endTurn();
      }
    },
    async close() {
      for (const { timer } of idle.splice(0)) clearTimeout(timer);
      const ended = [...all].map((process) => once(process, "exit"));
      for (const process of all) process.kill("SIGKILL");
      await Promise.all(ended);
    },
  };
}

function pageOf(
  { text, tsv, confidence }: Extract<OcrAnswer, { text: string }>,
  { width, height }: PageRaster,
): OcrPage {
  return {
    text: text.trimEnd(),
    words: tsv.split("\n").flatMap((line) => wordIn(line, width, height)),
    confidence,
    engine: "tess4",
  };
}

/** Of tesseract's table: level, page, block, paragraph, line, word, left, top, width, height, confidence, text. */
function wordIn(line: string, pageWidth: number, pageHeight: number): PageWord[] {
  const columns = line.split("\t");
  const [level, left, top, width, height] = [0, 6, 7, 8, 9].map((index) => Number(columns[index]));
  const text = columns[11]?.trim() ?? "";
  if (level !== 5 || text === "" || left === undefined || top === undefined) return [];
  const across = (x: number): number => Math.min(1, Math.max(0, x / pageWidth));
  const down = (y: number): number => Math.min(1, Math.max(0, y / pageHeight));
  return [
    {
      text,
      x1: across(left),
      x2: across(left + (width ?? 0)),
      y1: down(top),
      y2: down(top + (height ?? 0)),
      upright: true,
      direction: 1,
    },
  ];
}

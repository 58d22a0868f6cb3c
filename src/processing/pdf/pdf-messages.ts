import type { PageText, PlainText } from "../pdfium/page-words.ts";
import type { OutlineEntry } from "../pdfium/pdfium-outline.ts";
import type { PdfiumCode } from "../pdfium/pdfium-code.ts";
import type { UnreadableKind } from "../unreadable-file.ts";
import type { Box, FlatPage } from "./flat-page.ts";
import type { AssemblyPlan } from "./pdf-assembling.ts";
import type { LenientPdfFacts, PdfFacts } from "./pdf-facts.ts";
import type { PageRaster } from "./pdf-page-reading.ts";
import type { SeenWords } from "./seen-words.ts";
import type { PagePixels } from "./webp.ts";

/* The messages between the main thread and a thread that reads PDFs. */

export interface PdfWorkerData {
  code: PdfiumCode;
  memoryLimitMb: number;
}

export type PdfQuestion =
  | { ask: "inspect"; path: string }
  | { ask: "open"; path: string }
  /** Opens a file whose facts are known, or not needed. */
  | { ask: "reopen"; path: string }
  /** Writes a decrypted copy of a file that opens with this password. */
  | { ask: "decrypt"; path: string; password: string; to: string }
  | { ask: "text"; page: number }
  | { ask: "plain text"; page: number }
  | { ask: "seen words"; page: number }
  /** Concerns the whole document. The page is the first one, which can be read. */
  | { ask: "outline"; page: 0 }
  | { ask: "image"; page: number; width: number }
  | { ask: "webp"; page: number; width: number }
  | { ask: "raster"; page: number; quarterTurns: number }
  | { ask: "flat"; page: number; boxes: readonly Box[] }
  | { ask: "assemble"; plan: AssemblyPlan }
  | { ask: "find"; within: string; words: readonly string[]; staying: readonly string[] }
  | { ask: "close" };

export interface PdfAnswers {
  inspect: PdfFacts;
  open: LenientPdfFacts;
  reopen: null;
  decrypt: null;
  text: PageText;
  "plain text": PlainText;
  "seen words": SeenWords;
  outline: OutlineEntry[];
  image: Uint8Array<ArrayBuffer>;
  /** Pixels if they have still to be encoded. */
  webp: Uint8Array<ArrayBuffer> | PagePixels;
  raster: PageRaster;
  flat: FlatPage;
  assemble: null;
  find: string[];
  close: null;
}

export type PdfFinding<Answer> = { answer: Answer } | PdfFault;

export interface PdfFault {
  kind: UnreadableKind;
  reason: string;
  /** The code of the system's error, such as ENOSPC, where the machine failed rather than the file. */
  code?: string;
}

export type PdfWorkerMessage =
  /** The thread waits for a question. `threadId` is the system's; null if it has none that is known. */
  | { isReady: true; threadId: number | null }
  | {
      isReady: false;
      finding: PdfFinding<PdfAnswers[keyof PdfAnswers]>;
      /** The memory that pdfium has taken so far. */
      memoryMb: number;
      /** The processor time of the answer. */
      processorSeconds: number;
      /** Whether files are attached to the PDF or, as far as its pages have been read, pinned to them. */
      hasAttachments: boolean;
    };

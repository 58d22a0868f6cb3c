import { checkFile } from "../file-check.ts";
import type { PdfFacts } from "./pdf-facts.ts";
import type { ReadingLimits } from "./pdf-thread.ts";
import { PdfThreads } from "./pdf-threads.ts";
import { UnreadableFileError } from "../unreadable-file.ts";

export interface PdfLimits extends ReadingLimits {
  /** 501 if not given; at most 2047, as pdfium counts bytes in 32 bits. */
  fileLimitMb?: number;
  /** For an answer of a document of which only some pages are read; `timeLimitSeconds` if not given. */
  pageTimeLimitSeconds?: number;
}

export interface PdfInspector {
  /**
   * The facts of a file. Every page must exist and have a size. Concurrent calls wait for one another, and the wait
   * does not count towards the time limit.
   *
   * @throws {UnreadableFileError} with the reason, for a person.
   */
  inspect(path: string): Promise<PdfFacts>;
  /** Ends the thread. Pending inspections are rejected. */
  close(): Promise<void>;
}

/** An inspector keeps its thread for many files. Close it after use. */
export function openPdfInspector({ fileLimitMb, ...limits }: PdfLimits): PdfInspector {
  const threads = new PdfThreads(limits);
  let last: Promise<unknown> = Promise.resolve();

  async function inspect(path: string): Promise<PdfFacts> {
    await checkFile(path, fileLimitMb);
    const thread = await threads.take();
    try {
      const finding = await thread.ask({ ask: "inspect", path });
      if ("answer" in finding) return finding.answer;
      throw new UnreadableFileError(finding.kind, finding.reason);
    } finally {
      await threads.giveBack(thread);
    }
  }

  return {
    inspect(path) {
      const facts = last.then(() => inspect(path));
      last = facts.catch(() => undefined);
      return facts;
    },
    close: () => threads.close(),
  };
}

import { checkFile } from "../file-check.ts";
import type { PdfFacts } from "./pdf-facts.ts";
import type { ReadingLimits } from "./pdf-thread.ts";
import { PdfThreads } from "./pdf-threads.ts";
import { UnreadableFileError } from "../unreadable-file.ts";

export interface PdfLimits extends ReadingLimits {
  /** 501 if not given; at most 2047, as pdfium counts bytes in 32 bits. */
  fileLimitMb?: number;
}

export interface PdfInspector {
  /**
   * What is in the file. Calls made at the same time wait for one another; waiting does not count as time. Every page
   * has to be there and have a size.
   *
   * @throws {UnreadableFileError} with the reason, for a person.
   */
  inspect(path: string): Promise<PdfFacts>;
  /** Ends the thread. Inspections under way or waiting are rejected. */
  close(): Promise<void>;
}

/** An inspector keeps its thread, for many files; it has to be closed. */
export function openPdfInspector({ fileLimitMb, ...limits }: PdfLimits): PdfInspector {
  const threads = new PdfThreads(limits);
  let lastTurn: Promise<unknown> = Promise.resolve();

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
      const turn = lastTurn.then(() => inspect(path));
      lastTurn = turn.catch(() => undefined);
      return turn;
    },
    close: () => threads.close(),
  };
}

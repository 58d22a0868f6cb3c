import type { Context } from "../../../context.ts";
import type { BorrowedFile } from "../../../files/file-store.ts";
import { redactionFolder } from "../../../files/keys.ts";
import { LeaseLostError } from "../../../jobs/lease.ts";
import type { Job } from "../../../jobs/running-job.ts";
import { type CodedBox, writeFlatPages } from "../../../processing/pdf/flat-page.ts";
import type { PdfDocument } from "../../../processing/pdf/pdf-pages.ts";
import type { ReadPage } from "../pages/page-store.ts";
import { addRereadPages, endRereading, findRereadPages } from "../pages/reread-store.ts";
import type { Progress } from "../processing/progress-store.ts";
import type { WorkFolder } from "../../../work-folders.ts";
import { recogniseRedacted } from "./redacted-page.ts";
import type { Turn } from "./turn.ts";

/*
 * The pages with boxes are drawn and recognised a few at a time. Each part is stored before the texts of its pages are
 * committed, so a worker that takes over the job continues after the last part, and a redaction of many pages can give
 * way to other jobs after any of them. A part has nothing but what the redacted file is going to have. The names of
 * parts contain the number of the job: what an earlier redaction has left behind is never used.
 */

/** A page with boxes that is drawn. */
export interface DrawnPage {
  page: number;
  boxes: readonly CodedBox[];
  /** The clockwise quarter turns of most of its remaining text. */
  textTurns: number;
}

/** The most pages that a killed worker has to draw and recognise again. */
const pagesInPart = 4;

/** Where a part is that begins with this page of the list. */
function partKey({ id, subject }: Job, first: number): string {
  return `${redactionFolder(subject)}/${id}-${first}.pdf`;
}

/** The parts of the pages that an earlier turn has drawn; none if one of them is missing. */
async function findParts(
  { database, files }: Pick<Context, "database" | "files">,
  job: Job,
): Promise<{ starts: number[]; reads: ReadPage[] }> {
  const reads = await findRereadPages(database.reader, job.subject);
  const starts = Array.from(
    { length: Math.ceil(reads.length / pagesInPart) },
    (_, part) => part * pagesInPart,
  );
  for (const start of starts)
    if ((await files.stat(partKey(job, start))) === null) return { starts: [], reads: [] };
  return { starts, reads };
}

/** The redacted pages in the order of the list: where they are drawn, and what was recognised on them. */
export interface DrawnPages extends AsyncDisposable {
  /** The paths of PDFs. */
  parts: string[];
  /** The part and the page in it, by the number in the list. */
  indexIn: (index: number) => { part: number; page: number };
  /** A page that could not be recognised has the reason as its fault. */
  reads: readonly ReadPage[];
}

/** Draws and recognises the pages that are not drawn yet. Null if the turn of the job is over before that. */
export async function drawnPages(
  context: Pick<Context, "database" | "files" | "pdfs" | "ocr">,
  job: Job,
  work: {
    before: PdfDocument;
    pages: readonly DrawnPage[];
    language: string;
    folder: WorkFolder;
    progress: Progress;
    turn: Turn;
    signal: AbortSignal;
  },
): Promise<DrawnPages | null> {
  const { database, files } = context;
  const { pages, progress, turn } = work;
  const found = await findParts(context, job);
  if (found.reads.length === 0) {
    await database.write(async (writer) => {
      await endRereading(writer, job.subject);
      await job.hold(writer);
    });
  }
  const { starts } = found;
  const reads = [...found.reads];
  while (reads.length < pages.length) {
    const first = reads.length;
    await progress.note("recognising", first, pages.length);
    const made = await drawnPart(context, job, { ...work, first });
    reads.push(...made);
    starts.push(first);
    turn.count(made.length);
    if (reads.length < pages.length && (await turn.isOver())) return null;
  }
  return borrowed(files, job, starts, reads);
}

async function drawnPart(
  context: Pick<Context, "database" | "files" | "pdfs" | "ocr">,
  job: Job,
  { before, pages, language, folder, signal, first }: Parameters<typeof drawnPages>[2] & { first: number },
): Promise<ReadPage[]> {
  const { database, files, pdfs } = context;
  const part = pages.slice(first, first + pagesInPart);
  const path = folder.file(`part-${first}.pdf`);
  await writeFlatPages(before, part, path, signal);
  await using drawn = await pdfs.open(path, { spentSeconds: 0 });
  const reads: ReadPage[] = [];
  for (const [index, { boxes, textTurns }] of part.entries()) {
    const options = { language, textTurns, signal };
    const read = await recogniseRedacted(context, drawn, { page: index, boxes }, options);
    reads.push("reason" in read ? { text: "", fault: read.reason } : read);
  }
  const key = partKey(job, first);
  await job.check();
  await files.put(key, path);
  try {
    await database.write(async (writer) => {
      await addRereadPages(writer, job.subject, first, reads);
      await job.hold(writer);
    });
  } catch (error) {
    if (error instanceof LeaseLostError) await files.delete(key);
    throw error;
  }
  return reads;
}

async function borrowed(
  files: Context["files"],
  job: Job,
  starts: readonly number[],
  reads: readonly ReadPage[],
): Promise<DrawnPages> {
  await using borrowing = new AsyncDisposableStack();
  const parts: BorrowedFile[] = [];
  for (const start of starts) {
    const part = await files.borrow(partKey(job, start));
    if (part === null) throw new Error("A part of a redaction was removed");
    parts.push(borrowing.use(part));
  }
  const held = borrowing.move();
  return {
    parts: parts.map(({ path }) => path),
    indexIn: (index) => ({ part: Math.floor(index / pagesInPart), page: index % pagesInPart }),
    reads,
    [Symbol.asyncDispose]: () => held.disposeAsync(),
  };
}

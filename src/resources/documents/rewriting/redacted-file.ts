import { copyFile } from "node:fs/promises";
import type { Context } from "../../../context.ts";
import { sha1OfFile } from "../../../files/file-hash.ts";
import { redactionFolder } from "../../../files/keys.ts";
import { timestampNow } from "../../../http/text/timestamp.ts";
import type { Job } from "../../../jobs/running-job.ts";
import { type FlatPage, writeBoxesAlone } from "../../../processing/pdf/flat-page.ts";
import type { PdfDocument } from "../../../processing/pdf/pdf-pages.ts";
import type { PageWord } from "../../../processing/pdfium/page-words.ts";
import { formatPageSpec } from "../../../processing/page-spec.ts";
import { type WorkFolder, makeWorkFolder } from "../../../work-folders.ts";
import { type FileFacts, findFileFacts } from "../file-facts-store.ts";
import { findReadPages } from "../pages/page-reading-store.ts";
import type { ReadPage } from "../pages/page-store.ts";
import { maxTurns, turnedWordsRecognised } from "../pages/turned-words.ts";
import { Progress } from "../processing/progress-store.ts";
import type { RedactionPlan, Rewrite } from "../processing/rewrite-store.ts";
import { type BoxWithReason, findWithheld, withheldBy } from "../withheld/box-store.ts";
import { writeIndexPages } from "../withheld/index-pages.ts";
import type { OriginalOfCopy } from "./copies-store.ts";
import { type DrawnPage, type DrawnPages, drawnPages } from "./drawn-parts.ts";
import { wordsUnder } from "./hidden-words.ts";
import { wordsOfLayer } from "./redacted-page.ts";
import {
  type RedactedPage,
  RedactionFailedError,
  type StandingPage,
  checkRedactedFile,
  checkRedactedPage,
} from "./redaction-check.ts";
import { borrowedPdf, replaceFile } from "./rewritten-file.ts";
import type { Turn } from "./turn.ts";

/** What a redaction has made of a document's file. */
export interface Redaction {
  known: ReadonlyMap<number, ReadPage>;
  redacted: readonly RedactedPage[];
  /** The texts of the pages that list what was withheld. */
  index: readonly string[];
  standing: readonly StandingPage[];
  unread: readonly { page: number; reason: string }[];
  facts: { page_count: number; page_spec: string; file_hash: string };
}

/** A page with boxes, and the words under them. */
interface TargetPage extends DrawnPage {
  hidden: readonly PageWord[];
}

type Services = Pick<Context, "database" | "files" | "pdfs" | "ocr">;

interface Task {
  rewrite: Rewrite<RedactionPlan>;
  document: FileFacts;
  original: OriginalOfCopy | null;
  turn: Turn;
  signal: AbortSignal;
}

/** The result of a turn that has ended before the check, in the options of the job. */
interface SoFar {
  /** SHA-1 of the new PDF, which waits in the folder of the redaction. */
  made: string;
  /** How many of its redacted pages have been checked. */
  checked: number;
}

/** The document that is redacted: the one of the job, or the original of a copy. */
async function findSource(
  { database }: Pick<Context, "database">,
  job: Job,
  original: OriginalOfCopy | null,
): Promise<{ id: number; slug: string; pageCount: number }> {
  const id = original?.id ?? job.subject;
  const found = await findFileFacts(database.reader, id);
  if (found === null || (original !== null && found.fileHash !== original.fileHash)) throw originalChanged();
  return { id, slug: found.slug, pageCount: found.pageCount };
}

export const originalChanged = (): RedactionFailedError =>
  new RedactionFailedError("The original document was changed or deleted in the meantime");

/**
 * Makes the new PDF, checks it, and puts it in the place of the old one, if there was one. Null if the job has given
 * way to others, and goes on later.
 */
export async function makeRedactedFile(context: Services, job: Job, task: Task): Promise<Redaction | null> {
  const { database, pdfs } = context;
  const { rewrite, document, turn, signal } = task;
  const source = await findSource(context, job, task.original);
  const progress = new Progress(database, job);
  await progress.note("redacting");
  const known = await findReadPages(database.reader, source.id);

  await using folder = await makeWorkFolder("rewrite");
  await using original = await borrowedPdf(context, source.id, source.slug);
  await using before = await pdfs.open(original.path, { spentSeconds: 0 });
  const pages = await targetPages(before, rewrite.plan, known);
  const { language } = document;
  const drawing = { before, pages, language, folder, progress, turn, signal };
  await using drawn = await drawnPages(context, job, drawing);
  if (drawn === null) return giveWay(context, job, turn, null);

  const made = folder.file("document.pdf");
  const soFar = await madeSoFar(context, job, made, signal);
  if (soFar === null) {
    const from = { path: original.path, source, language };
    await assemble(context, { rewrite, drawn, pages, from, folder, made, signal });
  }
  const hash = await sha1OfFile(made, signal);
  await using after = await pdfs.open(made, { spentSeconds: 0 });
  const alone = boxesAlone(context, folder);
  for (let checked = soFar?.checked ?? 0; checked < pages.length;) {
    signal.throwIfAborted();
    await progress.note("checking", checked, pages.length);
    const page = pages[checked] as TargetPage;
    await checkRedactedPage(after, page, (like) => alone(page, like));
    checked += 1;
    if (checked < pages.length && (await turn.isOver())) {
      await context.files.put(madeKey(job), made);
      return giveWay(context, job, turn, { made: hash, checked });
    }
  }
  const unread: { page: number; reason: string }[] = [];
  const redacted = pages.map(({ page, boxes, hidden }, at): RedactedPage => {
    const { fault, ...read } = drawn.reads[at] ?? { text: "" };
    if (fault !== undefined) unread.push({ page: page + 1, reason: fault });
    return { page, boxes, hidden, read };
  });
  const { pageCount } = source;
  const standing = await checkRedactedFile(pdfs, { before, after, path: made, pageCount }, redacted, signal);
  const index: string[] = [];
  for (let page = pageCount; page < after.facts.pageCount; page++)
    index.push((await after.plainText(page)).text);
  signal.throwIfAborted();
  await replaceFile(context, job, { slug: document.slug, hash, made });
  const page_spec = formatPageSpec(after.facts.pageSizes);
  const facts = { page_count: after.facts.pageCount, page_spec, file_hash: hash };
  return { known, redacted, index, standing, unread, facts };
}

/** The pages with boxes, in the order in which they are drawn. */
async function targetPages(
  before: PdfDocument,
  { boxes, showsReasons = false }: RedactionPlan,
  known: ReadonlyMap<number, ReadPage>,
): Promise<TargetPage[]> {
  const pages: TargetPage[] = [];
  for (const [page, ofPage] of Map.groupBy(boxes, (box) => box.page)) {
    const seen = known.get(page)?.recognised?.words ?? [];
    const words = [...(await wordsOfLayer(before, page)), ...turnedWordsRecognised(seen)];
    const hidden = wordsUnder(words, ofPage);
    const gone = new Set<PageWord>(hidden);
    const textTurns = maxTurns(words.filter((word) => !gone.has(word)));
    const coded = ofPage.map(({ x1, x2, y1, y2, reason }) => {
      return { x1, x2, y1, y2, code: showsReasons ? reason?.code : undefined };
    });
    pages.push({ page, boxes: coded, textTurns, hidden });
  }
  return pages;
}

async function assemble(
  { database, pdfs }: Services,
  work: {
    rewrite: Rewrite<RedactionPlan>;
    drawn: DrawnPages;
    pages: readonly TargetPage[];
    from: { path: string; source: { id: number; pageCount: number }; language: string };
    folder: WorkFolder;
    made: string;
    signal: AbortSignal;
  },
): Promise<void> {
  const { drawn, from, folder, made, signal } = work;
  const drawnAt = new Map(work.pages.map(({ page }, index) => [page, drawn.indexIn(index)]));
  // The file itself has more pages if an earlier worker has put the new one in its place.
  const pages = Array.from({ length: from.source.pageCount }, (_, page) => {
    const at = drawnAt.get(page);
    const origin = at === undefined ? { source: 0, page } : { source: 1 + at.part, page: at.page };
    return { ...origin, quarterTurns: 0 };
  });
  const sources = [from.path, ...drawn.parts];
  const { boxes, addsIndex = false } = work.rewrite.plan;
  if (addsIndex) {
    const index = folder.file("index.pdf");
    const withheld = await withheldWith(database, from.source.id, boxes);
    const count = writeIndexPages(index, withheld, { language: from.language, at: timestampNow() });
    const source = sources.push(index) - 1;
    for (let page = 0; page < count; page++) pages.push({ source, page, quarterTurns: 0 });
  }
  await pdfs.assemble({ sources, pages, to: made, strictly: true }, signal);
}

/** The boxes of earlier redactions and these ones, by page and reason. */
async function withheldWith(
  { reader }: Services["database"],
  documentId: number,
  boxes: readonly BoxWithReason[],
) {
  const earlier = await findWithheld(reader, documentId);
  const known = earlier.flatMap(({ page_number: page, reason: code, label, boxes: ofPage }) =>
    ofPage.map((box): BoxWithReason => {
      return { page, ...box, ...(code !== null && { reason: { code, label: label ?? "" } }) };
    }),
  );
  return withheldBy([...known, ...boxes]);
}

/** Draws pages that have nothing but boxes and their codes, to compare others with them. */
export function boxesAlone(
  { pdfs }: Pick<Context, "pdfs">,
  folder: Pick<WorkFolder, "file">,
): (page: Pick<DrawnPage, "page" | "boxes">, like: FlatPage) => Promise<FlatPage> {
  return async ({ page, boxes }, { size, width, height }) => {
    const path = folder.file(`boxes-${page}.pdf`);
    writeBoxesAlone(path, [{ size, width, height, boxes }]);
    await using alone = await pdfs.open(path, { spentSeconds: 0 });
    return await alone.flat(0, []);
  };
}

const madeKey = ({ id, subject }: Job): string => `${redactionFolder(subject)}/${id}-made.pdf`;

/** Fetches the PDF that an earlier turn of the job made; null if no turn has made one. */
async function madeSoFar(
  { files }: Services,
  job: Job,
  to: string,
  signal: AbortSignal,
): Promise<SoFar | null> {
  const soFar = (job.options["so_far"] as SoFar | undefined) ?? null;
  const file = soFar === null ? null : await files.borrow(madeKey(job));
  if (soFar === null || file === null) return null;
  await using borrowed = file;
  if ((await sha1OfFile(borrowed.path, signal)) !== soFar.made) return null;
  await copyFile(borrowed.path, to);
  return soFar;
}

async function giveWay({ database }: Services, job: Job, turn: Turn, soFar: SoFar | null): Promise<null> {
  const { so_far: _, ...options } = job.options;
  const kept = { ...options, spent: turn.spentMilliseconds, ...(soFar !== null && { so_far: soFar }) };
  await database.write((writer) => job.giveWay(writer, kept));
  return null;
}

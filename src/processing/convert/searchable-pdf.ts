import { closeSync, createReadStream } from "node:fs";
import { createInterface } from "node:readline";
import type { Converted } from "./conversion.ts";
import { dejavuFont } from "../fonts/dejavu.ts";
import { PdfFont } from "../fonts/pdf-font.ts";
import { openInPdfium } from "../pdf/pdf-facts.ts";
import { readPageText } from "../pdf/pdf-page-reading.ts";
import { writeDecrypted } from "../pdf/write-decrypted.ts";
import type { PageWord } from "../pdfium/page-words.ts";
import { compilePdfium } from "../pdfium/pdfium-code.ts";
import { PdfiumInstance } from "../pdfium/pdfium-instance.ts";
import { Pdfium } from "../pdfium/pdfium.ts";
import { type TreePage, pagesOf } from "../prune/page-tree.ts";
import { PdfObjects } from "../prune/pdf-objects.ts";
import { PdfUpdate } from "../prune/pdf-update.ts";
import { writtenMembers } from "../prune/pdf-values.ts";
import { UnreadableFileError } from "../unreadable-file.ts";
import { invisibleWords } from "./invisible-words.ts";
import { ResourcesWithFont, contentsOf, frameOf } from "./page-additions.ts";
import { dividedWords, withoutKnown } from "./placed-words.ts";

/*
 * Writes a copy of a PDF in which recognised words can be searched and copied. pdfium writes the file in the one form
 * that Quire reads, and the words are appended, page by page: what the pages draw stays as it was.
 */

/** The words of one page. */
export interface WordsOfPage {
  /** Counting from 0. */
  page: number;
  text: string;
  words: readonly PageWord[];
  /** Whether the file itself has text on the page, which may have some of the words already. */
  hasText: boolean;
}

/** @param wordsPath a file with {@link WordsOfPage} as JSON in each line, in the order of the pages */
export async function searchablePdf(
  from: string,
  to: string,
  { wordsPath, memoryLimitMb }: { wordsPath: string; memoryLimitMb: number },
): Promise<Converted> {
  const pdfium = new Pdfium(await PdfiumInstance.start(await compilePdfium(), memoryLimitMb));
  const descriptor = openInPdfium(pdfium, from);
  try {
    writeDecrypted(pdfium, to, "wx");
    const source = new PdfObjects(to);
    try {
      await addWords(pdfium, source, to, wordsPath);
    } finally {
      source.close();
    }
  } finally {
    closeSync(descriptor);
  }
  return { engine: "extract", notes: [] };
}

async function addWords(pdfium: Pdfium, source: PdfObjects, to: string, wordsPath: string): Promise<void> {
  const update = new PdfUpdate(to, source);
  try {
    const font = new PdfFont(dejavuFont("DejaVuSans"), update);
    const resources = new ResourcesWithFont(source, update, font.number);
    const pages = pagesOf(source);
    let index = -1;
    let page: TreePage | undefined;
    for await (const line of createInterface({ input: createReadStream(wordsPath) })) {
      const given = JSON.parse(line) as WordsOfPage;
      for (; index < given.page; index++) page = pages.next().value ?? undefined;
      if (page === undefined)
        throw new UnreadableFileError("broken", `broken: it has no page ${given.page + 1}`);
      const known = given.hasText ? readPageText(pdfium, given.page).words : [];
      const words = dividedWords(withoutKnown(given.words, known), given.text);
      if (words.length === 0) continue;
      const { name, value } = resources.of(page);
      const content = invisibleWords(words, frameOf(source, page), font, name);
      const added = update.addDeflated(Buffer.from(content, "latin1"));
      const members = new Map(page.members);
      members.set("Resources", value);
      members.set("Contents", [{ object: added }, ...contentsOf(source, page)]);
      update.add(`<< ${writtenMembers(members)} >>`, page.object);
    }
    font.end();
    update.end();
  } catch (error) {
    update.close();
    throw error;
  }
}

import { closeSync, createReadStream } from "node:fs";
import { createInterface } from "node:readline";
import type { Converted } from "./conversion.ts";
import { dejavuFont } from "../fonts/dejavu.ts";
import { PdfFont } from "../fonts/pdf-font.ts";
import { openInPdfium } from "../pdf/pdf-facts.ts";
import { readPageText } from "../pdf/pdf-page-reading.ts";
import { writeDecrypted } from "../pdf/write-decrypted.ts";
import type { PageFrame, PageWord } from "../pdfium/page-words.ts";
import { compilePdfium } from "../pdfium/pdfium-code.ts";
import { PdfiumInstance } from "../pdfium/pdfium-instance.ts";
import { Pdfium } from "../pdfium/pdfium.ts";
import { type TreePage, pagesOf } from "../prune/page-tree.ts";
import { PdfObjects } from "../prune/pdf-objects.ts";
import { PdfUpdate } from "../prune/pdf-update.ts";
import { type PdfDictionary, type PdfValue, writtenMembers, writtenValue } from "../prune/pdf-values.ts";
import { UnreadableFileError } from "../unreadable-file.ts";
import { invisibleWords } from "./invisible-words.ts";
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

function contentsOf(source: PdfObjects, { members }: TreePage): PdfValue[] {
  const given = members.get("Contents");
  const resolved = source.resolve(given);
  if (Array.isArray(resolved)) return resolved;
  return given === undefined || resolved === undefined ? [] : [given];
}

/** The resources of pages, with a font in addition. Those that pages share are written once. */
class ResourcesWithFont {
  readonly #source: PdfObjects;
  readonly #update: PdfUpdate;
  readonly #font: number;
  readonly #shared = new Map<number, { name: string; value: PdfValue }>();

  constructor(source: PdfObjects, update: PdfUpdate, font: number) {
    this.#source = source;
    this.#update = update;
    this.#font = font;
  }

  /** The resources for a page, and the font's name in them. */
  of({ members }: TreePage): { name: string; value: PdfValue } {
    const given = members.get("Resources");
    const shared = given instanceof Map || given === undefined ? null : sharedNumber(given);
    const known = shared === null ? undefined : this.#shared.get(shared);
    if (known !== undefined) return known;
    const own: PdfDictionary = new Map(this.#source.dictionary(given));
    const fonts: PdfDictionary = new Map(this.#source.dictionary(own.get("Font")));
    let name = "QuireText";
    while (fonts.has(name)) name += "X";
    fonts.set(name, { object: this.#font });
    own.set("Font", fonts);
    if (shared === null) return { name, value: own };
    const added = { name, value: { object: this.#update.add(writtenValue(own)) } };
    this.#shared.set(shared, added);
    return added;
  }
}

const sharedNumber = (value: PdfValue): number | null =>
  typeof value === "object" && "object" in value ? value.object : null;

/** US Letter, which a page has that does not say otherwise. */
const usualBox = { left: 0, bottom: 0, right: 612, top: 792 };

/** The visible part of a page, as pdfium shows it. */
function frameOf(source: PdfObjects, { members }: TreePage): PageFrame {
  const media = boxIn(source, members.get("MediaBox")) ?? usualBox;
  const crop = boxIn(source, members.get("CropBox"));
  const turns = Number(source.resolve(members.get("Rotate")) ?? 0) / 90;
  const quarterTurns = Number.isInteger(turns) ? turns & 3 : 0;
  if (crop === null) return { ...media, quarterTurns };
  const both = {
    left: Math.max(media.left, crop.left),
    bottom: Math.max(media.bottom, crop.bottom),
    right: Math.min(media.right, crop.right),
    top: Math.min(media.top, crop.top),
  };
  return { ...(both.left < both.right && both.bottom < both.top ? both : media), quarterTurns };
}

function boxIn(source: PdfObjects, value: PdfValue | undefined): Omit<PageFrame, "quarterTurns"> | null {
  const given = source.resolve(value);
  const [a = NaN, b = NaN, c = NaN, d = NaN] = Array.isArray(given)
    ? given.map((side) => Number(source.resolve(side)))
    : [];
  const box = { left: Math.min(a, c), bottom: Math.min(b, d), right: Math.max(a, c), top: Math.max(b, d) };
  return box.left < box.right && box.bottom < box.top ? box : null;
}

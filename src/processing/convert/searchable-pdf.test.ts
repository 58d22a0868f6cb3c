import { readFile, writeFile } from "node:fs/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { buildPdf, type PagePlan } from "../../testing/pdf.ts";
import { type WorkFolder, makeWorkFolder } from "../../work-folders.ts";
import { type PdfReader, openPdfReader } from "../pdf/pdf-pages.ts";
import type { PageWord } from "../pdfium/page-words.ts";
import { type Converter, openConverter } from "./converter.ts";
import type { WordsOfPage } from "./searchable-pdf.ts";

const rotations = [0, 90, 180, 270] as const;
const directions = [
  { upright: true, direction: 1 },
  { upright: false, direction: 1 },
  { upright: true, direction: -1 },
  { upright: false, direction: -1 },
] as const;
const cropBox = [50, 100, 350, 500] as const;

/** A line of words along the page in this direction, of which the first begins at its start. */
function lineOf(texts: readonly string[], { upright, direction }: (typeof directions)[number]): PageWord[] {
  const length = 0.8 / texts.length;
  return texts.map((text, index) => {
    const [start, end] = [0.1 + index * length, 0.1 + (index + 0.9) * length];
    const [from, to] = direction === 1 ? [start, end] : [1 - end, 1 - start];
    const along = upright ? { x1: from, x2: to, y1: 0.4, y2: 0.44 } : { y1: from, y2: to, x1: 0.4, x2: 0.44 };
    return { text, ...along, upright, direction };
  });
}

describe("a searchable copy of a PDF", () => {
  let folder: WorkFolder;
  let converter: Converter;
  let reader: PdfReader;
  beforeAll(async () => {
    folder = await makeWorkFolder("conversion");
    const limits = { timeLimitSeconds: 30, memoryLimitMb: 384 };
    converter = openConverter({ ...limits, libreOffice: "off", workFolder: folder.path });
    reader = openPdfReader(limits);
  });
  afterAll(async () => {
    await converter.close();
    await reader.close();
    await folder[Symbol.asyncDispose]();
  });

  async function copied(name: string, pages: PagePlan[], words: readonly WordsOfPage[]): Promise<string> {
    const [from, to, wordsPath] = ["from.pdf", "to.pdf", "words"].map((end) => folder.file(`${name}-${end}`));
    await writeFile(from!, buildPdf({ pages }));
    await writeFile(wordsPath!, words.map((one) => JSON.stringify(one)).join("\n"));
    const { signal } = new AbortController();
    await converter.searchable({ from: from!, to: to!, wordsPath: wordsPath!, signal });
    expect(await readFile(from!)).toEqual(Buffer.from(buildPdf({ pages })));
    return to!;
  }

  it("has each word at its box, however the page is turned and cut, and the words run", async () => {
    const cases = rotations.flatMap((rotate) => directions.map((direction) => ({ rotate, direction })));
    const pages = cases.map(({ rotate }) => ({ width: 400, height: 600, cropBox, rotate }));
    const words = cases.map(({ direction }, page) => ({
      page,
      text: "Fünf Vögel singen",
      words: lineOf(["Fünf", "Vögel", "singen"], direction),
      hasText: false,
    }));
    const path = await copied("turned", pages, words);
    await using open = await reader.open(path);
    for (const [page, { words: given }] of words.entries()) {
      const read = await open.text(page);
      const isUpsideDown = given[0]!.upright && given[0]!.direction === -1;
      // pdfium orders words that stand on their heads by their positions on the page.
      const order = isUpsideDown ? ["singen", "Vögel", "Fünf"] : ["Fünf", "Vögel", "singen"];
      expect([page, read.text]).toEqual([page, order.join(" ")]);
      for (const word of read.words) {
        const expected = given.find(({ text }) => text === word.text);
        for (const side of ["x1", "x2", "y1", "y2"] as const)
          expect(Math.abs(word[side] - expected![side]), `${page} ${word.text} ${side}`).toBeLessThan(0.02);
      }
    }
  });

  it("keeps the order of letters in every script, and lines and blanks as the text has them", async () => {
    const right = { upright: true, direction: 1 } as const;
    const hebrew = lineOf(["ארבע", "שלוש", "שתיים"], right).toReversed();
    const han = lineOf(["協議", "書", "第一"], right);
    const below = han.map((word) => ({ ...word, y1: 0.5, y2: 0.54 }));
    const texts = ["שתיים שלוש ארבע", "協議書第一\n協議 書第一", "\u{1F600} smile"];
    const words = [hebrew, [...han, ...below], lineOf(["\u{1F600}", "smile"], right)];
    const page = { width: 400, height: 600 };
    const path = await copied(
      "scripts",
      texts.map(() => page),
      texts.map((text, index) => ({ page: index, text, words: words[index]!, hasText: false })),
    );
    await using open = await reader.open(path);
    expect(await Promise.all(texts.map(async (_text, index) => (await open.text(index)).text))).toEqual(
      texts,
    );
  });

  it("does not write words again that the file has at the same position, and draws as before", async () => {
    const pages = [
      { width: 400, height: 600, lines: ["Stamped 0001"] },
      { width: 400, height: 600 },
    ];
    const plain = await copied("plain", pages, []);
    await using before = await reader.open(plain);
    const known = (await before.text(0)).words;
    const added = lineOf(["recognised"], directions[0]);
    const text = "Stamped 0001\nrecognised";
    const path = await copied("stamped", pages, [
      { page: 0, text, words: [...known, ...added], hasText: true },
    ]);
    await using open = await reader.open(path);
    expect((await open.text(0)).text).toBe("recognised\nStamped 0001");
    expect(await open.image(0, 200)).toEqual(await before.image(0, 200));
  });
});

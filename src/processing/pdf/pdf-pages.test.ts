import { rename, writeFile } from "node:fs/promises";
import path from "node:path";
import { deflateSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readGif } from "../../testing/gif.ts";
import {
  type PagePlan,
  type PdfObject,
  buildPdf,
  buildPdfInOwnEncoding,
  writePdf,
} from "../../testing/pdf.ts";
import { useFolder } from "../../testing/use-folder.ts";
import type { PageText } from "../pdfium/page-words.ts";
import {
  type PageError,
  type PdfDocument,
  type PdfLimits,
  type PdfReader,
  openPdfReader,
} from "./pdf-pages.ts";

const limits = { timeLimitSeconds: 20, memoryLimitMb: 256 };
const sheet = { width: 600, height: 800 };

const folder = useFolder("pages");
let reader: PdfReader;

beforeAll(async () => {
  reader = openPdfReader(limits);
});

afterAll(() => reader.close());

let fileCount = 0;
async function fileOf(bytes: Uint8Array): Promise<string> {
  const file = path.join(folder, `${(fileCount += 1)}.pdf`);
  await writeFile(file, bytes);
  return file;
}

async function open(bytes: Uint8Array, changed?: Partial<typeof limits>): Promise<PdfDocument> {
  const file = await fileOf(bytes);
  return changed === undefined ? reader.open(file) : openPdf(file, { ...limits, ...changed });
}

/** The text of the first page. Also checks that the plain text is the same. */
async function textOf(bytes: Uint8Array): Promise<PageText> {
  await using pdf = await open(bytes);
  const { words: boxes, wordTurns, ...plain } = await pdf.text(0);
  expect(await pdf.plainText(0)).toEqual(plain);
  expect(wordTurns).toHaveLength(boxes.length);
  return { ...plain, words: boxes, wordTurns };
}

const textOfPage = (page: Partial<PagePlan>): Promise<PageText> =>
  textOf(buildPdf({ pages: [{ ...sheet, ...page }] }));

/** A document of these objects, numbered from 3: the pages, followed by the objects that they refer to. */
function pdfOf(pageCount: number, ...objects: PdfObject[]): Uint8Array {
  const kids = Array.from({ length: pageCount }, (_, index) => `${index + 3} 0 R`).join(" ");
  const tree = `<< /Type /Pages /Count ${pageCount} /Kids [${kids}] /MediaBox [0 0 600 800] >>`;
  return writePdf(["<< /Type /Catalog /Pages 2 0 R >>", tree, ...objects], "/Root 1 0 R");
}

const pageWith = (contents: number, resources = ""): string =>
  `<< /Type /Page /Parent 2 0 R /Contents ${contents} 0 R /Resources << ${resources} >> >>`;

const stream = (text: string): PdfObject => ({ dictionary: "", stream: Buffer.from(text) });
const font = "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>";
const words = "BT /F1 20 Tf 50 700 Td (Sound text) Tj ET";

/** Opens a file with a separate reader, which is closed with the document. */
async function openPdf(file: string, its: PdfLimits): Promise<PdfDocument> {
  const alone = openPdfReader(its);
  try {
    const pdf = await alone.open(file);
    const close = (): Promise<void> => alone.close();
    return {
      facts: pdf.facts,
      spentSeconds: pdf.spentSeconds,
      hasAttachments: pdf.hasAttachments,
      text: (page) => pdf.text(page),
      plainText: (page) => pdf.plainText(page),
      seenWords: (page) => pdf.seenWords(page),
      outline: () => pdf.outline(),
      image: (page, width) => pdf.image(page, width),
      raster: (page, quarterTurns) => pdf.raster(page, quarterTurns),
      flat: (page, boxes) => pdf.flat(page, boxes),
      close,
      [Symbol.asyncDispose]: close,
    };
  } catch (error) {
    await alone.close();
    throw error;
  }
}

describe("the text of a page", () => {
  it("consists of its lines without trailing spaces", async () => {
    const { text, quality } = await textOfPage({
      lines: ["Grüße aus dem Hafen  ", "Second line", "", "End"],
    });
    expect(text).toBe("Grüße aus dem Hafen\nSecond line\nEnd");
    expect(quality).toBe("good");
  });

  it("is empty for a page without text", async () => {
    expect(await textOfPage({ drawing: "0 0 100 100 re f" })).toEqual({
      text: "",
      quality: "none",
      words: [],
      wordTurns: [],
    });
  });

  it("joins words that are hyphenated at line ends and keeps the hyphens of names", async () => {
    const { text, words: found } = await textOfPage({
      lines: ["The docu-", "ment of Franco-", "German well -", "known"],
    });
    expect(text).toBe("The document of Franco-German well -\nknown");
    expect(found.map((word) => word.text)).toEqual([
      "The",
      "docu-",
      "ment",
      "of",
      "Franco-",
      "German",
      "well",
      "-",
      "known",
    ]);
  });

  it("has letters for ligatures and U+FFFD for codes without a character", async () => {
    const meanings = {
      A: "FB01",
      B: "E000",
      C: "D800",
      D: "0000",
      E: "D835DC00",
      F: "00660069",
      G: "0007",
      J: "F0B7",
    };
    const drawing = "BT /F1 20 Tf 50 700 Td (xAyBzCwDvEuFtGsJqkmno) Tj ET";
    const { text } = await textOf(buildPdfInOwnEncoding(meanings, drawing));
    expect(text).toBe("xfiy\ufffdz\ufffdwv𝐀ufit\ufffds•qkmno");
    expect(text.isWellFormed()).toBe(true);
  });

  it("has right-to-left text in reading order", async () => {
    const meanings = { a: "05D0", b: "05D1", c: "05D2", d: "05D3" };
    const drawing = "BT /F1 20 Tf 50 700 Td (cba) Tj 80 0 Td (dab) Tj ET";
    const { text, words: found, wordTurns } = await textOf(buildPdfInOwnEncoding(meanings, drawing));
    expect(text).toBe("באד אבג");
    expect(wordTurns).toEqual([0, 0]);
    expect(found.map(({ direction, upright }) => ({ direction, upright }))).toEqual([
      { direction: -1, upright: true },
      { direction: -1, upright: true },
    ]);
  });

  it("counts as garbage if the font has no sensible mapping", async () => {
    const meanings = Object.fromEntries(
      Array.from("abcdefghijk", (letter, index) => [letter, `E0${10 + index}`]),
    );
    const { quality } = await textOf(
      buildPdfInOwnEncoding(meanings, "BT /F1 20 Tf 50 700 Td (abc def ghij k) Tj ET"),
    );
    expect(quality).toBe("garbage");
  });
});

/** "Hello" is 45.56 points wide at 20 points, and its line is 23.4 points high, 4.5 of them below the base. */
const hello = "BT /F1 20 Tf 100 700 Td (Hello) Tj ET";

describe("the position of a word", () => {
  it.each([
    [0, { x1: 0.1667, x2: 0.2426, y1: 0.1014, y2: 0.1306 }, true, 1],
    [90, { x1: 0.8694, x2: 0.8986, y1: 0.1667, y2: 0.2426 }, false, 1],
    [180, { x1: 0.7574, x2: 0.8333, y1: 0.8694, y2: 0.8986 }, true, -1],
    [270, { x1: 0.1014, x2: 0.1306, y1: 0.7574, y2: 0.8333 }, false, -1],
  ] as const)(
    "is on the page as it is shown, turned by %i degrees",
    async (rotate, box, upright, direction) => {
      const { words: found, wordTurns } = await textOfPage({ rotate, drawing: hello });
      expect(wordTurns).toEqual([rotate / 90]);
      expect(found).toEqual([{ text: "Hello", ...closeTo(box), upright, direction }]);
    },
  );

  it("is relative to the crop box and clipped to it", async () => {
    const drawing = "BT /F1 20 Tf 90 700 Td (Hello) Tj 400 0 Td (gone) Tj ET";
    const { text, words: found } = await textOfPage({ cropBox: [100, 600, 300, 800], drawing });
    expect(found).toMatchObject([
      { text: "Hello", ...closeTo({ x1: 0, x2: 0.1778, y1: 0.4055, y2: 0.5224 }) },
    ]);
    expect(text).toBe("Hello gone");
  });

  it("comes with the direction of its text", async () => {
    const drawing =
      "BT /F1 20 Tf 0 1 -1 0 100 300 Tm (Up) Tj ET BT /F1 20 Tf 0 -1 1 0 300 300 Tm (Down) Tj ET " +
      "BT /F1 20 Tf -1 0 0 -1 300 600 Tm (Over) Tj ET";
    const { words: found, wordTurns } = await textOfPage({ drawing });
    expect(found).toMatchObject([
      { text: "Up", upright: false, direction: -1 },
      { text: "Down", upright: false, direction: 1 },
      { text: "Over", upright: true, direction: -1 },
    ]);
    expect(wordTurns).toEqual([3, 1, 2]);
  });

  it("has the rotation of its letters in Hebrew, whichever way the line runs", async () => {
    const meanings = { a: "05D0", b: "05D1", c: "05D2" };
    const drawing =
      "BT /F1 20 Tf 50 700 Td (cba) Tj ET BT /F1 20 Tf 0 1 -1 0 100 300 Tm (cba) Tj ET " +
      "BT /F1 20 Tf -1 0 0 -1 300 600 Tm (cba) Tj ET";
    const { wordTurns } = await textOf(buildPdfInOwnEncoding(meanings, drawing));
    expect(wordTurns).toEqual([0, 3, 2]);
  });

  it("is kept up to a limit of words per page", async () => {
    const lines = Array.from({ length: 9000 }, () => "a b c");
    const { text, words: found } = await textOfPage({ height: 150_000, lines });
    expect(text.split(/\s/)).toHaveLength(27_000);
    expect(found).toHaveLength(20_000);
  });
});

function closeTo(box: Record<"x1" | "x2" | "y1" | "y2", number>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(box).map(([side, value]) => [side, expect.closeTo(value, 3)]));
}

async function imageOf(bytes: Uint8Array, width: number): Promise<ReturnType<typeof readGif>> {
  await using pdf = await open(bytes);
  return readGif(await pdf.image(0, width));
}

describe("the image of a page", () => {
  // A quarter of the page's width and an eighth of its height, from its left edge, a quarter from the top.
  const black = "0 500 150 100 re f";

  it.each([
    [0, 300, 400, { left: 0, top: 100, right: 75, bottom: 150 }],
    [90, 400, 300, { left: 250, top: 0, right: 300, bottom: 75 }],
    [180, 300, 400, { left: 225, top: 250, right: 300, bottom: 300 }],
    [270, 400, 300, { left: 100, top: 225, right: 150, bottom: 300 }],
  ] as const)("shows its content rotated by %i degrees", async (rotate, width, height, box) => {
    const image = await imageOf(buildPdf({ pages: [{ ...sheet, rotate, drawing: black }] }), width);
    expect([image.width, image.height]).toEqual([width, height]);
    const isBlack = (pixel: number): boolean => {
      const [x, y] = [pixel % width, Math.floor(pixel / width)];
      return x >= box.left && x < box.right && y >= box.top && y < box.bottom;
    };
    const expected = image.colors.map((_, pixel) => (isBlack(pixel) ? 0 : 0xffffff));
    expect(image.colors.filter((color, pixel) => color !== expected[pixel])).toEqual([]);
  });

  it("shows only the crop box, in its colours", async () => {
    const page = {
      ...sheet,
      cropBox: [100, 100, 300, 200] as const,
      drawing: "1 0 0 rg 100 100 100 100 re f",
    };
    const image = await imageOf(buildPdf({ pages: [page] }), 100);
    expect([image.width, image.height]).toEqual([100, 50]);
    expect([image.colors[25 * 100 + 49], image.colors[25 * 100 + 50]]).toEqual([0xff0000, 0xffffff]);
  });

  it.each([
    ["an annotation", "/Subtype /Square"],
    ["a form's field", "/Subtype /Widget /FT /Tx /T (Name) /V (Anna)"],
  ])("shows annotations: %s", async (_what, kind) => {
    const file = writePdf(
      [
        "<< /Type /Catalog /Pages 2 0 R /AcroForm << /Fields [5 0 R] >> >>",
        "<< /Type /Pages /Count 1 /Kids [3 0 R] /MediaBox [0 0 600 800] >>",
        "<< /Type /Page /Parent 2 0 R /Annots [5 0 R] >>",
        {
          dictionary: "/Type /XObject /Subtype /Form /BBox [0 0 600 400]",
          stream: Buffer.from("0 0 1 rg 0 0 600 400 re f"),
        },
        `<< /Type /Annot ${kind} /P 3 0 R /Rect [0 400 600 800] /F 4 /AP << /N 4 0 R >> >>`,
      ],
      "/Root 1 0 R",
    );
    const { colors } = await imageOf(file, 60);
    expect([colors[60 * 20 + 30], colors[60 * 60 + 30]]).toEqual([0x0000ff, 0xffffff]);
  });

  it.each([
    [{ width: 1_000_000, height: 1_000_000 }, 2000, [2000, 2000]],
    [{ width: 1_000_000, height: 1000 }, 2000, [2000, 2]],
    [{ width: 1000, height: 1_000_000 }, 2000, [66, 65_535]],
    [{ width: 1, height: 1_000_000 }, 2000, [1, 65_535]],
    [{ width: 600, height: 3600 }, 2000, [1414, 8485]],
    [{ width: 600, height: 800 }, 1, [1, 1]],
    [{ width: 600, height: 600 }, 1e9, [3464, 3464]],
  ] as const)("has a limited number of pixels: %o at %i", async (page, width, size) => {
    await using pdf = await open(buildPdf({ pages: [page] }));
    const gif = Buffer.from(await pdf.image(0, width));
    expect([gif.readUInt16LE(6), gif.readUInt16LE(8)]).toEqual(size);
  });
});

describe("a document", () => {
  it("of 2,000 pages can be read page by page", async () => {
    const pages = Array.from({ length: 2000 }, (_, index) => ({
      ...sheet,
      lines: [`This is page ${index}`],
    }));
    await using pdf = await open(buildPdf({ pages }));
    expect(pdf.facts.pageCount).toBe(2000);
    const texts = await Promise.all(pages.map((_page, index) => pdf.text(index)));
    expect(texts.map(({ text }) => text)).toEqual(pages.map(({ lines }) => lines[0]));
  });

  it("can be read around a missing page", async () => {
    const file = pdfOf(
      3,
      pageWith(6, "/Font << /F1 7 0 R >>"),
      "null",
      pageWith(6, "/Font << /F1 7 0 R >>"),
      stream(words),
      font,
    );
    await using pdf = await open(file);
    const reason = "broken: page 2 of 3 cannot be read";
    expect(pdf.facts).toMatchObject({ pageCount: 3, brokenPages: [{ page: 1, reason }] });
    expect(pdf.facts.pageSizes).toHaveLength(3);
    const found = await Promise.allSettled([pdf.text(0), pdf.text(1), pdf.image(1, 60), pdf.text(2)]);
    expect(found).toMatchObject([
      { value: { text: "Sound text" } },
      { reason: { name: "PageError", page: 1, kind: "broken", message: reason } },
      { reason: { name: "PageError", page: 1 } },
      { value: { text: "Sound text" } },
    ]);
  });

  it("can be read in part without looking at the other pages", async () => {
    const pages = Array.from({ length: 3 }, (_, index) => ({ ...sheet, lines: [`Page ${index}`] }));
    await using pdf = await reader.openPages(await fileOf(buildPdf({ pages })));
    expect((await pdf.text(2)).text).toBe("Page 2");
    await expect(pdf.text(3)).rejects.toMatchObject({ name: "PageError", page: 3, kind: "broken" });
    expect((await pdf.text(0)).text).toBe("Page 0");
    const text = await fileOf(Buffer.from("Only text."));
    await expect(reader.openPages(text)).rejects.toMatchObject({ kind: "wrong-kind" });
  });

  it("can be read up to the point where its file is cut off", async () => {
    const pages = Array.from({ length: 40 }, (_, index) => ({ ...sheet, lines: [`Page ${index}`] }));
    const bytes = Buffer.from(buildPdf({ pages }));
    bytes.fill(0, bytes.indexOf("(Page 20)"), bytes.indexOf("xref\n"));
    await using pdf = await open(bytes);
    const { pageCount, brokenPages } = pdf.facts;
    const readable = pageCount - brokenPages.length;
    expect([pageCount, readable]).toEqual([40, 21]);
    expect((await pdf.text(19)).text).toBe("Page 19");
  });

  it("is refused if its first page is missing or if it claims a million pages", async () => {
    await expect(open(pdfOf(2, "null", pageWith(4)))).rejects.toMatchObject({ kind: "broken" });
    const page = "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] >>";
    const claiming = (count: number) =>
      open(
        writePdf(
          [
            "<< /Type /Catalog /Pages 2 0 R >>",
            `<< /Type /Pages /Count ${count} /Kids [3 0 R] >>`,
            page,
            { dictionary: "", stream: Buffer.alloc(1_000_000, " ") },
          ],
          "/Root 1 0 R",
        ),
      );
    await expect(claiming(400_000)).rejects.toMatchObject({
      message: "broken: page 2 of 400000 cannot be read",
    });
    await expect(claiming(1_000_000)).rejects.toMatchObject({
      message: "too long: it has more than 500000 pages",
    });
  });

  it("is refused with a reason that names the type it looks like", async () => {
    await expect(open(Buffer.from("Only text."))).rejects.toMatchObject({
      name: "UnreadableFileError",
      kind: "wrong-kind",
      message: "This is not a PDF file: it looks like plain text",
    });
    await expect(openPdf(folder, limits)).rejects.toMatchObject({ kind: "unreachable" });
  });

  it("refuses page numbers outside it", async () => {
    await using pdf = await open(buildPdf({ pages: [sheet] }));
    await expect(pdf.text(1)).rejects.toMatchObject({ name: "PageError", page: 1, kind: "broken" });
    await expect(pdf.image(-1, 60)).rejects.toMatchObject({ name: "PageError" });
  });

  it("returns nothing after it is closed", async () => {
    const pdf = await open(buildPdf({ pages: [sheet] }));
    const underWay = Promise.allSettled([pdf.text(0), pdf.image(0, 2000)]);
    await pdf.close();
    const found = [...(await underWay), ...(await Promise.allSettled([pdf.text(0)]))];
    expect(found.map(({ status }) => status)).toEqual(["rejected", "rejected", "rejected"]);
  });
});

/** A document whose first page has these contents, and whose second page is sound. */
function withSoundPage(contents: PdfObject, resources = "", ...more: PdfObject[]): Uint8Array {
  const shared = `/Font << /F1 6 0 R >> ${resources}`;
  return pdfOf(2, pageWith(5, shared), pageWith(7, shared), contents, font, stream(words), ...more);
}

/** Hundreds of megabytes of one byte compress well at any level. The lowest level takes a quarter of the time. */
const fast = { level: 1 };

const flate = (bytes: Uint8Array, options = {}): PdfObject => ({
  dictionary: "/Filter /FlateDecode",
  stream: deflateSync(bytes, options),
});

async function textOfFile(file: string): Promise<string> {
  await using pdf = await reader.open(file);
  return (await pdf.text(0)).text;
}

describe("a reader", () => {
  it("reads several documents at once without mixing up their pages", async () => {
    const names = ["Anna", "Berta", "Clara", "Dora"];
    const files = await Promise.all(
      names.map((name) => fileOf(buildPdf({ pages: [{ ...sheet, lines: [name] }] }))),
    );
    expect(await Promise.all(files.map(textOfFile))).toEqual(names);
    const inTurn: string[] = [];
    for (const file of files) inTurn.push(await textOfFile(file));
    expect(inTurn).toEqual(names);
  });

  it("starts no thread for the second redaction, which reads three files at once like the first", async () => {
    const another = openPdfReader(limits);
    const file = await fileOf(buildPdf({ pages: [{ ...sheet, lines: ["A page"] }] }));
    const { signal } = new AbortController();
    const started: unknown[] = [];
    const note = (thread: unknown): void => void started.push(thread);
    process.on("worker", note);
    try {
      for (const threads of [3, 3]) {
        await using before = await another.open(file);
        await using after = await another.open(file);
        await another.find(file, { words: ["page"], staying: [] }, signal);
        expect([before.facts.pageCount, after.facts.pageCount, started.length]).toEqual([1, 1, threads]);
      }
    } finally {
      process.off("worker", note);
      await another.close();
    }
  });

  it("closes its documents when it is closed", async () => {
    const closing = openPdfReader(limits);
    const file = await fileOf(buildPdf({ pages: [sheet] }));
    const pdf = await closing.open(file);
    await closing.close();
    await expect(pdf.text(0)).rejects.toThrow("closed");
    await expect(closing.open(file)).rejects.toThrow("closed");
  });
});

/** pdfium may or may not be able to read the page. In either case it stays within the limits. */
const expectedEnd: unknown = expect.stringMatching(/^(read|too-much-memory)$/);

const endOf = (result: PromiseSettledResult<unknown>): string =>
  result.status === "fulfilled" ? "read" : (result.reason as PageError).kind;

describe("a hostile page", () => {
  it("that takes too long to draw loses only its image", async () => {
    const fills = Buffer.from("0.5 g 0 0 600 800 re f 0.6 g 1 1 600 800 re f\n".repeat(20_000));
    await using pdf = await open(withSoundPage(flate(fills)), { timeLimitSeconds: 1 });
    const found = await Promise.allSettled([
      pdf.image(0, 2000),
      pdf.text(0),
      pdf.image(0, 2000),
      pdf.text(1),
      pdf.image(1, 100),
    ]);
    expect(found).toMatchObject([
      { reason: { name: "PageError", page: 0, kind: "too-slow", message: "took longer than 1 s" } },
      { value: { quality: "none" } },
      { reason: { kind: "too-slow" } },
      { value: { text: "Sound text" } },
      { status: "fulfilled" },
    ]);
  });

  it("shares the time limit of its whole file with earlier reads", async () => {
    const file = await fileOf(buildPdf({ pages: [sheet, sheet] }));
    const whole = limits.timeLimitSeconds + 2 * 10;
    await using early = await reader.open(file, { spentSeconds: 0 });
    expect(await early.text(0)).toMatchObject({ quality: "none" });
    expect(early.spentSeconds).toBeGreaterThan(0);
    await using late = await reader.open(file, { spentSeconds: whole });
    await expect(late.text(0)).rejects.toMatchObject({ kind: "too-slow" });
    await expect(late.image(1, 100)).rejects.toMatchObject({ kind: "too-slow" });
  });

  it("that needs too much memory loses only itself", async () => {
    const bomb = flate(Buffer.alloc(400_000_000, " "), fast);
    await using pdf = await open(withSoundPage(bomb), { memoryLimitMb: 128 });
    const found = await Promise.allSettled([pdf.text(1), pdf.text(0), pdf.image(0, 100), pdf.text(1)]);
    expect(found).toMatchObject([
      { value: { text: "Sound text" } },
      { reason: { page: 0, kind: "too-much-memory", message: "needs more memory than 128 MB" } },
      { reason: { page: 0, kind: "too-much-memory" } },
      { value: { text: "Sound text" } },
    ]);
  });

  it("with an image of 400 million pixels is drawn or fails with a reason", async () => {
    const image: PdfObject = {
      dictionary:
        "/Type /XObject /Subtype /Image /Width 20000 /Height 20000 /ColorSpace /DeviceGray " +
        "/BitsPerComponent 8 /Filter /FlateDecode",
      stream: deflateSync(Buffer.alloc(400_000_000), fast),
    };
    const file = withSoundPage(stream("q 600 0 0 800 0 0 cm /I Do Q"), "/XObject << /I 8 0 R >>", image);
    await using pdf = await open(file, { memoryLimitMb: 128 });
    const [drawn, next] = await Promise.allSettled([pdf.image(0, 700), pdf.text(1)]);
    expect(endOf(drawn)).toEqual(expectedEnd);
    expect(next).toMatchObject({ value: { text: "Sound text" } });
  });

  it("that draws itself recursively is read or fails with a reason", async () => {
    const form: PdfObject = {
      dictionary:
        "/Type /XObject /Subtype /Form /BBox [0 0 600 800] /Resources << /XObject << /X 8 0 R >> >>",
      stream: Buffer.from("/X Do /X Do"),
    };
    await using pdf = await open(withSoundPage(stream("/X Do"), "/XObject << /X 8 0 R >>", form));
    const [text, image, next] = await Promise.allSettled([pdf.text(0), pdf.image(0, 100), pdf.text(1)]);
    expect([endOf(text), endOf(image)]).toEqual([expectedEnd, expectedEnd]);
    expect(next).toMatchObject({ value: { text: "Sound text" } });
  });

  it("with corrupt contents is read as far as possible", async () => {
    const rubble: PdfObject = {
      dictionary: "/Filter /FlateDecode",
      stream: Buffer.from("no deflated bytes"),
    };
    await using pdf = await open(withSoundPage(rubble));
    expect(await pdf.text(0)).toMatchObject({ text: "" });
    expect(await pdf.text(1)).toMatchObject({ text: "Sound text" });
  });

  it("is not blamed for a file that disappeared", async () => {
    const fills = Buffer.from("0.5 g 0 0 600 800 re f 0.6 g 1 1 600 800 re f\n".repeat(20_000));
    const file = await fileOf(withSoundPage(flate(fills)));
    await using pdf = await openPdf(file, { ...limits, timeLimitSeconds: 0.5 });
    await expect(pdf.image(0, 2000)).rejects.toMatchObject({ kind: "too-slow" });
    await rename(file, `${file}.away`);
    await expect(pdf.text(1)).rejects.toMatchObject({ name: "PageError", kind: "unreachable" });
    await rename(`${file}.away`, file);
    expect(await pdf.text(1)).toMatchObject({ text: "Sound text" });
  });
});

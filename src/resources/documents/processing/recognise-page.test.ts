import { writeFile } from "node:fs/promises";
import path from "node:path";
import sharp from "sharp";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type DetectedScript, type OcrPage, type OcrReader, openOcr } from "../../../processing/ocr/ocr.ts";
import type { PageRaster } from "../../../processing/pdf/pdf-page-reading.ts";
import { type PdfDocument, type PdfReader, openPdfReader } from "../../../processing/pdf/pdf-pages.ts";
import { UnreadableFileError } from "../../../processing/unreadable-file.ts";
import { buildPdf } from "../../../testing/pdf.ts";
import { rasterOfScan, scanOfText } from "../../../testing/scan.ts";
import { useFolder } from "../../../testing/use-folder.ts";
import { recognisePage } from "./recognise-page.ts";

const lines = ["The harbour office was open", "on most days of last year"];

type Read = OcrReader["read"];

/** The result of each reading, one after the other. */
const saying = (...findings: (Pick<OcrPage, "text" | "confidence"> | Error)[]): Read => {
  const left = [...findings];
  return () => {
    const next = left.shift();
    if (next === undefined || next instanceof Error) return Promise.reject(next ?? new Error("once more"));
    const box = { x1: 0.1, x2: 0.2, y1: 0.3, y2: 0.4, upright: true, direction: 1 } as const;
    const words = next.text === "" ? [] : [{ ...box, text: next.text }];
    return Promise.resolve({ ...next, words, engine: "tess4" });
  };
};

describe("recognising a page", () => {
  const folder = useFolder("recognise");
  let pdfs: PdfReader;
  let tesseract: OcrReader;
  let images: PageRaster[] = [];
  beforeAll(async () => {
    pdfs = openPdfReader({ timeLimitSeconds: 60, memoryLimitMb: 256 });
    // As many processes as there are languages here, so that none has to start again.
    tesseract = openOcr({ timeLimitSeconds: 60, memoryLimitMb: 512, atOnce: 4, dataFolders: [] });
  });
  beforeEach(() => {
    images = [];
  });
  afterAll(async () => {
    await tesseract.close();
    await pdfs.close();
  });

  type Options = Partial<Parameters<typeof recognisePage>[3]> & { detected?: DetectedScript };

  const reading = (by: Read, detected: DetectedScript | null): OcrReader => ({
    check: (language) => tesseract.check(language),
    languagesThere: () => tesseract.languagesThere(),
    detect: (...parameters) =>
      by === recognise ? tesseract.detect(...parameters) : Promise.resolve(detected),
    close: () => tesseract.close(),
    read(image, ...rest) {
      images.push(image);
      return by(image, ...rest);
    },
  });
  const recognise: Read = (...parameters) => tesseract.read(...parameters);

  async function read(
    rotate: 0 | 90 | 180 | 270,
    shown: string[],
    by: Read,
    { detected, ...options }: Options = {},
  ) {
    const file = path.join(folder, "page.pdf");
    await writeFile(file, buildPdf({ pages: [{ width: 440, height: 200, lines: shown, rotate }] }));
    await using pdf = await pdfs.open(file);
    const { signal } = new AbortController();
    return await recognisePage(reading(by, detected ?? null), pdf, 0, {
      language: "eng",
      signal,
      ...options,
    });
  }

  it("reads a normal page once, and an empty page once", async () => {
    expect((await read(0, lines, recognise)).text).toBe(lines.join("\n"));
    expect((await read(0, [], recognise)).text).toBe("");
    expect(images).toHaveLength(2);
  });

  it.each([90, 180, 270] as const)(
    "reads a page that is rotated by %i degrees without a hint",
    async (rotate) => {
      expect((await read(rotate, lines, recognise)).text).toBe(lines.join("\n"));
    },
  );

  it.each([0, 90, 180, 270] as const)(
    "reads a page once if the hint says that it is rotated by %i",
    async (rotate) => {
      const { text, words } = await read(rotate, lines, recognise, { textTurns: rotate / 90 });
      expect(text).toBe(lines.join("\n"));
      expect(images).toMatchObject([{ width: 1833, height: 833 }]);
      const [upright, direction] = [rotate % 180 === 0, rotate < 180 ? 1 : -1];
      expect(words[0]).toMatchObject({ text: "The", upright, direction });
    },
  );

  it("reads a page despite a wrong rotation hint", async () => {
    expect((await read(180, lines, recognise, { textTurns: 1 })).text).toBe(lines.join("\n"));
  });

  it("paints the given boxes white, on the page as it is shown", async () => {
    const whiteBoxes = [{ x1: 0.555, x2: 1, y1: 0, y2: 1 }];
    const { text } = await read(90, lines, recognise, { textTurns: 1, whiteBoxes });
    // The second line is to the left of the first one.
    expect(text).toBe(lines[1]);
  });

  it("keeps the first reading with a fault unless another rotation is read confidently", async () => {
    const first = { text: "the first words of it", confidence: 40 };
    const others = (confidence: number, text = "others of them") =>
      saying(first, ...[1, 2, 3].map(() => ({ text, confidence })));
    expect((await read(0, lines, others(79))).text).toBe(first.text);
    expect((await read(0, lines, others(80))).text).toBe("others of them");
    expect((await read(0, lines, others(99, "a b"))).text).toBe(first.text);
    for (const confidence of [11, 67]) {
      expect((await read(0, lines, saying({ ...first, confidence }))).text).toBe(first.text);
    }
    expect(images).toHaveLength(4 + 3 + 4 + 1 + 1);
  });

  it.each([
    ["Thai", "It may be in Thai script, for which there is no data here: quire languages add tha, or"],
    ["Hebrew", "It may be in Hebrew script: set the document’s language (heb are here)"],
    ["Latin", "If it is in another language, set that as the document’s and process it again"],
  ])("suggests what might help with an unreadable page: %s", async (script, expected) => {
    const noise = { text: "7rr |; ~oe", confidence: 11 };
    const seen = { script, quarterTurns: 0, certainty: 5 };
    const { fault } = await read(0, lines, saying(noise, noise), { detected: seen });
    expect(fault).toContain("read in the language “eng” it is 11 % sure");
    expect(fault).toContain(expected);
  });

  it.each([
    [
      "Greek on its side",
      "Το γραφείο του λιμανιού ήταν ανοιχτό πέρυσι. Από τα πλοία που έφτασαν, πολλά μετέφεραν ψάρι και ξυλεία.",
      1,
      "ell",
    ],
    [
      "Hebrew, in logical order",
      "משרד הנמל היה פתוח בשנה שעברה 312 ימים. מן האוניות שהגיעו לנמל, 87 הביאו דגים ועצים.",
      0,
      "heb",
    ],
  ])("reads a page in another script in its own language: %s", async (_what, text, turned, language) => {
    const scan = await scanOfText(text);
    const pdf = { raster: (_page: number, turns = 0) => rasterOfScan(scan, (turned + turns) & 3) };
    const { signal } = new AbortController();
    const found = await recognisePage(tesseract, pdf as PdfDocument, 0, { language: "eng", signal });
    expect(found).toMatchObject({ language, fault: null });
    const words = new Set(found.text.split(/\s+/));
    const sought = text.split(" ");
    expect(sought.filter((word) => words.has(word)).length).toBeGreaterThan(0.8 * sought.length);
    expect(found.words[0]).toMatchObject({ upright: turned === 0 });
  });

  it("finds no text, and no fault, on a picture without letters", async () => {
    const noise = { text: "7rr |; ~oe {Tq of many shapes", confidence: 20 };
    const specks = { text: "SoS\n® 2.8", confidence: 33 };
    const unsure = { script: "Arabic", quarterTurns: 0, certainty: 0.8 };
    const found = { text: "", words: [], confidence: 0, fault: null };
    const always = (one: typeof noise): Read => saying(...Array.from({ length: 6 }, () => one));
    expect(await read(0, lines, always(specks))).toMatchObject(found);
    expect(await read(0, lines, always(noise), { detected: unsure })).toMatchObject(found);
    const sure = { ...unsure, certainty: 4 };
    expect((await read(0, lines, always(noise), { detected: sure })).fault).not.toBeNull();
    expect((await read(0, lines, always(noise))).fault).not.toBeNull();
    const shapes = Array.from({ length: 12 }, (_, index) => {
      const [x, y, r] = [100 + 110 * index, 150 + ((index * 137) % 500), 40 + ((index * 53) % 90)];
      return `<circle cx="${x}" cy="${y}" r="${r}" fill="#${(index * 1234567).toString(16).padStart(6, "3").slice(0, 6)}"/>`;
    });
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="1500" height="800">${shapes.join("")}</svg>`;
    const picture = await sharp(Buffer.from(svg)).flatten({ background: "white" }).png().toBuffer();
    const pdf = { raster: () => rasterOfScan(picture) } as unknown as PdfDocument;
    const { signal } = new AbortController();
    expect(await recognisePage(tesseract, pdf, 0, { language: "eng", signal })).toMatchObject({
      text: "",
      fault: null,
    });
  });

  it("takes the more confident reading of the two sides", async () => {
    const first = { text: "first words", confidence: 40 };
    const sides = [81, 95].map((confidence) => ({ text: `sure to ${confidence}`, confidence }));
    for (const pair of [sides, sides.toReversed()]) {
      const { text, words } = await read(0, lines, saying(first, ...pair));
      expect(text).toBe("sure to 95");
      expect(words[0]).toMatchObject({ upright: false, direction: pair === sides ? -1 : 1 });
    }
  });

  it("keeps the first reading if other rotations cannot be read", async () => {
    const fault = new UnreadableFileError("too-slow", "took too long");
    const first = { text: "the first words of it", confidence: 30 };
    expect((await read(0, lines, saying(first, fault, fault, fault))).text).toBe(first.text);
    await expect(read(0, lines, saying(fault))).rejects.toThrow("took too long");
    const other = read(0, lines, saying(first, new Error("stopped")));
    await expect(other).rejects.toThrow("stopped");
  });
});

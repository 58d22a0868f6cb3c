import { readFileSync, readdirSync } from "node:fs";
import { copyFile, mkdtemp, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import path from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { type PagePlan, buildPdf, writePdf } from "../../testing/pdf.ts";
import { useFolder } from "../../testing/use-folder.ts";
import { type OcrOptions, type OcrReader, openOcr } from "./ocr.ts";
import { type PdfReader, openPdfReader } from "../pdf/pdf-pages.ts";
import type { PageRaster } from "../pdf/pdf-page-reading.ts";

const letter = [
  "To the Council of the Port",
  "The harbour office was open on 312 days last year.",
  "4,201 ships called, of which 87 carried salt fish.",
  "Two lamps were lost in the storm of February; the",
  "keeper asks for new ones before winter comes again.",
];
const german = ["Grüße aus Köln, schöne Straßen", "führen über die große Brücke"];

const usual: OcrOptions = { timeLimitSeconds: 60, memoryLimitMb: 512, atOnce: 1, dataFolders: [] };

const folder = useFolder("ocr");
let pdfs: PdfReader;
let page: PageRaster;
let germanPage: PageRaster;
let blank: PageRaster;
const signal = new AbortController().signal;
let readers: OcrReader[] = [];

const rasterOf = async (bytes: Uint8Array): Promise<PageRaster> => {
  const file = path.join(folder, "page.pdf");
  await writeFile(file, bytes);
  await using pdf = await pdfs.open(file);
  return await pdf.raster(0);
};

const rasterOfText = (lines: string[], plan: Partial<PagePlan> = {}): Promise<PageRaster> =>
  rasterOf(buildPdf({ pages: [{ width: 440, height: 200, lines, ...plan }] }));

/** A page that is only an image: upright, or on its side in a page with a rotation that makes it upright. */
function buildScan({ width, height, bytes }: PageRaster, isTurned = false): Uint8Array {
  const [across, down] = [(width / 300) * 72, (height / 300) * 72];
  const box = isTurned ? `0 0 ${down} ${across}` : `0 0 ${across} ${down}`;
  const matrix = isTurned ? `0 ${across} ${-down} 0 ${down} 0` : `${across} 0 0 ${down} 0 0`;
  return writePdf(
    [
      "<< /Type /Catalog /Pages 2 0 R >>",
      "<< /Type /Pages /Count 1 /Kids [3 0 R] >>",
      `<< /Type /Page /Parent 2 0 R /MediaBox [${box}] /Rotate ${isTurned ? 90 : 0} ` +
        "/Resources << /XObject << /Scan 4 0 R >> >> /Contents 5 0 R >>",
      {
        dictionary: `/Type /XObject /Subtype /Image /Width ${width} /Height ${height} /ColorSpace /DeviceGray /BitsPerComponent 8`,
        stream: bytes.subarray(bytes.length - width * height),
      },
      { dictionary: "", stream: Buffer.from(`${matrix} cm /Scan Do`) },
    ],
    "/Root 1 0 R",
  );
}

function open(options: Partial<OcrOptions> = {}): OcrReader {
  const reader = openOcr({ ...usual, ...options });
  readers.push(reader);
  return reader;
}

const packaged = (language: string): string =>
  createRequire(import.meta.url).resolve(
    `@tesseract.js-data/${language}/4.0.0_best_int/${language}.traineddata.gz`,
  );

/** The processes that tesseract runs in. */
function running(): number[] {
  return readdirSync(`/proc/${process.pid}/task`).flatMap((task) => {
    const children = readFileSync(`/proc/${process.pid}/task/${task}/children`, "utf8");
    return children.split(" ").map(Number).filter(isReading);
  });
}

function isReading(pid: number): boolean {
  try {
    return pid > 0 && readFileSync(`/proc/${pid}/cmdline`, "utf8").includes("ocr-process");
  } catch {
    return false;
  }
}

function killAll(): void {
  for (const pid of running()) process.kill(pid, "SIGKILL");
}

const faultOf = (reading: Promise<unknown>): Promise<unknown> => reading.catch((error: unknown) => error);

/** The share of the expected words that are found in the same order. */
function shareOfWordsFound(expected: string[], found: string): number {
  const words = expected.join(" ").split(/\s+/);
  const rest = found.split(/\s+/);
  const kept = words.filter((word) => {
    const index = rest.indexOf(word);
    if (index >= 0) rest.splice(0, index + 1);
    return index >= 0;
  });
  return kept.length / words.length;
}

beforeAll(async () => {
  pdfs = openPdfReader({ timeLimitSeconds: 60, memoryLimitMb: 256, fileLimitMb: 10 });
  page = await rasterOfText(letter);
  germanPage = await rasterOfText(german, { height: 130 });
  blank = await rasterOfText([], { height: 100 });
});

afterEach(async () => {
  await Promise.all(readers.map((reader) => reader.close()));
  readers = [];
});

afterAll(() => pdfs.close());

describe("the text of a scanned page", () => {
  const ocr = openOcr(usual);
  afterAll(() => ocr.close());

  it("is read, with the positions of its words", async () => {
    const { text, words, confidence, engine } = await ocr.read(
      await rasterOf(buildScan(page)),
      "eng",
      signal,
    );
    expect(shareOfWordsFound(letter, text)).toBeGreaterThan(0.95);
    expect(engine).toBe("tess4");
    expect(confidence).toBeGreaterThan(80);
    expect(confidence).toBeLessThanOrEqual(100);
    expect(words.map((word) => word.text)).toEqual(text.split(/\s+/));
    const file = path.join(folder, "page.pdf");
    await writeFile(file, buildPdf({ pages: [{ width: 440, height: 200, lines: letter }] }));
    await using pdf = await pdfs.open(file);
    const layer = (await pdf.text(0)).words;
    expect(layer).toHaveLength(words.length);
    for (const [index, { x1, x2, y1, y2 }] of words.entries()) {
      const told = layer[index];
      expect(x1).toBeCloseTo(told?.x1 ?? -1, 1);
      expect(x2).toBeCloseTo(told?.x2 ?? -1, 1);
      // Ink is within the line.
      expect(y1).toBeGreaterThan((told?.y1 ?? 1) - 0.01);
      expect(y2).toBeLessThan((told?.y2 ?? 0) + 0.01);
    }
  });

  it("is read on a rotated page", async () => {
    const turned = await rasterOf(buildScan(page, true));
    expect(turned).toMatchObject({ width: page.width, height: page.height });
    const { text } = await ocr.read(turned, "eng", signal);
    expect(shareOfWordsFound(letter, text)).toBeGreaterThan(0.95);
  });

  it("is read through scanner noise", async () => {
    const bytes = page.bytes.slice();
    let seed = 7;
    for (let at = bytes.length - page.width * page.height; at < bytes.length; at++) {
      seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0;
      const grain = ((seed >>> 16) & 63) - 32;
      bytes[at] = Math.min(255, Math.max(0, 40 + (bytes[at] ?? 0) * 0.7 + grain));
    }
    const { text } = await ocr.read({ ...page, bytes }, "eng", signal);
    expect(shareOfWordsFound(letter, text)).toBeGreaterThan(0.95);
  });

  it("is empty for an empty page", async () => {
    const nothing = { text: "", words: [], confidence: 0, engine: "tess4" };
    expect(await ocr.read(blank, "eng", signal)).toEqual(nothing);
  });
});

describe("languages", () => {
  it("can alternate from page to page, each in its own script", async () => {
    const ocr = open();
    for (const [language, raster, lines] of [
      ["deu", germanPage, german],
      ["", page, letter],
      ["deu", germanPage, german],
    ] as const) {
      const { text } = await ocr.read(raster, language, signal);
      expect(shareOfWordsFound([...lines], text)).toBeGreaterThan(0.95);
      expect(running()).toHaveLength(1);
    }
  });

  it("come from the packages and from the configured folder", async () => {
    const ours = "ara deu ell eng fra heb hin ita jpn kaz kor nld pol por rus spa tra tur ukr zho".split(" ");
    expect(await open().languagesThere()).toEqual(ours);
    const dataFolder = await mkdtemp(path.join(folder, "data-"));
    for (const name of ["osd.traineddata", "README", "rus.traineddata"]) {
      await writeFile(path.join(dataFolder, name), "nothing");
    }
    await copyFile(packaged("eng"), path.join(dataFolder, "chi_sim.traineddata.gz"));
    const ocr = open({ dataFolders: [dataFolder] });
    expect(await ocr.languagesThere()).toEqual(ours);
    const { text } = await ocr.read(page, "zho", signal);
    expect(shareOfWordsFound(letter, text)).toBeGreaterThan(0.95);
    await expect(ocr.read(page, "rus", signal)).rejects.toMatchObject({
      kind: "no-ocr",
      message: expect.stringContaining("the data of the language “rus” cannot be used"),
    });
  });

  it.each([
    ["swe", "quire languages add swe"],
    ["aze_cyrl", "quire languages add aze_cyrl"],
    ["../eng", "in the language “../eng”"],
  ])("are named in the error if they are missing: %s", async (language, told) => {
    const ocr = open({ dataFolders: [folder] });
    const missing = { kind: "no-ocr-data", message: expect.stringContaining(told) };
    await expect(ocr.check(language)).rejects.toMatchObject(missing);
    await expect(ocr.read(page, language, signal)).rejects.toMatchObject(missing);
    expect(running()).toEqual([]);
  });
});

describe("a page that cannot be read", () => {
  it("fails at its time limit", async () => {
    const ocr = open({ timeLimitSeconds: 0.05 });
    await expect(ocr.read(page, "eng", signal)).rejects.toMatchObject({
      kind: "too-slow",
      message: "Recognising its text took longer than 0.05 s",
    });
    expect(running()).toEqual([]);
  });

  it("fails at its memory limit", async () => {
    const ocr = open({ memoryLimitMb: 24 });
    const large = await rasterOfText([], { width: 960, height: 720 });
    await expect(ocr.read(large, "eng", signal)).rejects.toMatchObject({
      kind: "too-much-memory",
      message: "Recognising its text needs more memory than it may have",
    });
    expect(running()).toEqual([]);
  });

  it("is abandoned when its signal fires", async () => {
    const ocr = open();
    const stop = new AbortController();
    const readings = [page, page].map((raster) => faultOf(ocr.read(raster, "eng", stop.signal)));
    await expect.poll(running).toHaveLength(1);
    stop.abort(new Error("not wanted"));
    expect(await Promise.all(readings)).toEqual([stop.signal.reason, stop.signal.reason]);
    expect(running()).toEqual([]);
  });

  it("is abandoned when the reader closes, together with waiting pages", async () => {
    const ocr = open();
    const readings = [page, page].map((raster) => faultOf(ocr.read(raster, "eng", signal)));
    await expect.poll(running).toHaveLength(1);
    await ocr.close();
    const fault = { message: "The OCR is closed" };
    expect(await Promise.all(readings)).toMatchObject([fault, fault]);
    expect(running()).toEqual([]);
  });
});

describe("OCR processes", () => {
  it("are limited in number and stay for the next page", async () => {
    const ocr = open({ atOnce: 2 });
    expect(running()).toEqual([]);
    const texts = await Promise.all(
      [blank, page, blank, page].map(async (raster) => {
        const { text } = await ocr.read(raster, "eng", signal);
        expect(running().length).toBeLessThanOrEqual(2);
        return text;
      }),
    );
    expect(texts.map((text) => shareOfWordsFound(letter, text) > 0.95)).toEqual([false, true, false, true]);
    const kept = running();
    expect(kept).toHaveLength(2);
    await ocr.read(blank, "eng", signal);
    expect(running()).toEqual(kept);
    await ocr.close();
    expect(running()).toEqual([]);
  });

  it("may be killed: another process reads the page", async () => {
    const ocr = open();
    await ocr.read(blank, "eng", signal);
    killAll();
    await ocr.read(blank, "eng", signal);
    const reading = ocr.read(page, "eng", signal);
    await new Promise(setImmediate);
    killAll();
    expect(shareOfWordsFound(letter, (await reading).text)).toBeGreaterThan(0.95);
  });

  it("do not retry a page that killed a fresh process", async () => {
    const ocr = open();
    const fault = faultOf(ocr.read(page, "eng", signal));
    await expect.poll(running).toHaveLength(1);
    killAll();
    expect(await fault).toMatchObject({
      kind: "no-ocr",
      message: expect.stringContaining("Recognising its text failed: the process ended"),
    });
    expect(running()).toEqual([]);
  });
});

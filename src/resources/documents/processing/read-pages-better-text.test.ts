import { describe, expect, it } from "vitest";
import type { Context } from "../../../context.ts";
import type { OcrPage } from "../../../processing/ocr/ocr.ts";
import type { PdfDocument } from "../../../processing/pdf/pdf-pages.ts";
import type { TextQuality } from "../../../processing/pdfium/text-quality.ts";
import { UnreadableFileError } from "../../../processing/unreadable-file.ts";
import type { ReadPage } from "../pages/page-store.ts";
import { readPages } from "./read-pages.ts";

/** Progress and shares do not matter to these tests. */
const unhurried = {
  shares: [],
  isDrawnFromText: false,
  spent: { milliseconds: { reading: 0, recognising: 0, writing: 0 }, textLength: 0 },
  isLong: true,
  isAwaited: () => Promise.resolve(false),
  mayRetry: true,
};

const sound = "The harbour office was open on most days of last year";
const noise = "Yupa xnKJ 7rr |; eHH3 ~oe {Tq";

/** At the head of its page. */
const stampWord = { text: "Filed", x1: 0, x2: 1, y1: 0.02, y2: 0.04, upright: true, direction: 1 } as const;

interface Layer {
  text: string;
  quality: TextQuality;
}

/** The result for one page with this text layer, whose image is recognised like this. */
async function read(layer: Layer, image: { text: string; confidence: number } | null, forceOcr = false) {
  const box = { x1: 0.1, x2: 0.2, y1: 0.3, y2: 0.4, upright: true, direction: 1 } as const;
  const found: OcrPage | null = image && {
    ...image,
    words: image.text === "" ? [] : [{ ...box, text: image.text }],
    engine: "tess4",
  };
  const ocr: Context["ocr"] = {
    check: () => Promise.resolve(),
    languagesThere: () => Promise.resolve(["eng"]),
    detect: () => Promise.resolve(null),
    read: () =>
      found === null
        ? Promise.reject(new UnreadableFileError("broken", "not asked"))
        : Promise.resolve(found),
    close: () => Promise.resolve(),
  };
  // Its last row has ink, so it is not blank without a stamp.
  const raster = { width: 1, height: 40, bytes: new Uint8Array(40).fill(255).fill(0, 39) };
  const pdf = {
    facts: { pageCount: 1 },
    plainText: () => Promise.resolve(layer),
    text: () => Promise.resolve({ ...layer, words: [stampWord] }),
    raster: () => Promise.resolve(raster),
  } as unknown as PdfDocument;
  const config = { processingWorkers: 1, ocrDocumentLimitMinutes: 240 } as Context["config"];
  const { signal } = new AbortController();
  const pages: ReadPage[] = [];
  const options = { ...unhurried, forceOcr, language: "eng", first: 0, signal };
  await readPages({ config, ocr }, pdf, options, {
    note: () => Promise.resolve(),
    show: () => Promise.resolve(),
    take: async (some) => void pages.push(...some),
  });
  return pages[0];
}

describe("a page with a doubtful text layer", () => {
  it("gets the recognised text, if that is confident", async () => {
    const page = await read(
      { text: sound, quality: "garbage" },
      { text: "Recognised words", confidence: 90 },
    );
    expect(page).toMatchObject({ text: "Recognised words", recognised: { confidence: 90, layer: sound } });
  });

  it.each([15, 30, 45])(
    "keeps its text where that is better than a recognition at %i %%",
    async (confidence) => {
      const layer = { text: sound, quality: "garbage" } as const;
      expect(await read(layer, { text: noise, confidence })).toEqual({ text: sound });
      expect(await read(layer, { text: noise, confidence }, true)).toEqual({ text: sound });
    },
  );

  it("keeps its text where recognition finds nothing at all", async () => {
    const nothing = { text: "", confidence: 0 };
    expect(await read({ text: sound, quality: "none" }, nothing)).toEqual({ text: sound });
    expect(await read({ text: "\ufffd\ufffd|;~", quality: "none" }, nothing)).toMatchObject({ text: "" });
  });

  it("gets no text but a reason if neither is meaningful, and keeps both separately", async () => {
    const layer = "\ufffd7\ufffdKLV\ufffd ;|; ~\ufffd";
    const page = await read({ text: layer, quality: "garbage" }, { text: noise, confidence: 45 });
    expect(page).toMatchObject({
      text: "",
      recognised: { engine: "tess4", confidence: 45, layer, words: [] },
      fault: expect.stringMatching(
        /^Its text could not be recognised: .* 45 % sure\. If it is in another language/,
      ),
    });
  });
});

describe("a page with a stamp on its picture", () => {
  const stamp = { text: "Filed", quality: "stamp" } as const;

  it("gets the words of both", async () => {
    expect(await read(stamp, { text: "Order", confidence: 90 })).toMatchObject({
      text: "Filed\nOrder",
      recognised: { confidence: 90, layer: "Filed", words: [stampWord, { text: "Order" }] },
    });
  });

  it("keeps the stamp alone where recognition finds nothing, or nothing meaningful", async () => {
    expect(await read(stamp, { text: "", confidence: 0 })).toEqual({ text: "Filed" });
    expect(await read(stamp, { text: noise, confidence: 15 })).toEqual({ text: "Filed" });
  });

  it("keeps the stamp where it is not recognised, even if that is no word", async () => {
    const number = { text: "ABC000123", quality: "stamp" } as const;
    expect(await read(number, null)).toEqual({ text: "ABC000123", fault: "not asked" });
  });
});

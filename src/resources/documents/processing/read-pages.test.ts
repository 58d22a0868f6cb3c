import { describe, expect, it } from "vitest";
import { PageError, type PdfDocument } from "../../../processing/pdf/pdf-pages.ts";
import type { OcrPage, OcrReader } from "../../../processing/ocr/ocr.ts";
import { type PageSink, type Spent, readPages } from "./read-pages.ts";

/** Shares do not matter to these tests. */
const unhurried = {
  shares: [],
  isDrawnFromText: false,
  spent: { milliseconds: { reading: 0, recognising: 0, writing: 0 }, textLength: 0 },
  isLong: true,
  isAwaited: () => Promise.resolve(false),
  mayRetry: true,
};

/** Every third page has a text layer. The others are recognised when a test says so. */
function pagesToRead(pageCount: number) {
  const finish: (() => void)[] = [];
  const notes: number[] = [];
  const page: OcrPage = { text: "recognised", words: [], confidence: 95, engine: "tess4" };
  const ocr = {
    check: () => Promise.resolve(),
    read: () => new Promise<OcrPage>((resolve) => finish.push(() => resolve(page))),
  } as unknown as OcrReader;
  const pdf = {
    facts: { pageCount },
    plainText: (index: number) =>
      Promise.resolve(index % 3 === 0 ? { text: "text", quality: "good" } : { text: "", quality: "none" }),
    raster: () => Promise.resolve({ width: 2, height: 1, bytes: Uint8Array.of(0, 255) }),
  } as unknown as PdfDocument;
  const taken: { from: number; of: number }[] = [];
  const sink: PageSink = {
    note: async (done) => void notes.push(done),
    show: () => Promise.resolve(),
    take: async (pages, from) => void taken.push({ from, of: pages.length }),
  };
  const config = { processingWorkers: 1, ocrDocumentLimitMinutes: 240 } as Parameters<
    typeof readPages
  >[0]["config"];
  return { context: { config, ocr }, pdf, sink, finish, notes, taken };
}

/** The batches that are taken of pages with texts of these lengths, and last the error, if there is one. */
async function batchesOf(lengths: readonly number[], before = 0): Promise<unknown[]> {
  const { context, pdf, sink, taken } = pagesToRead(lengths.length);
  // A repeated text takes no memory until its characters are read.
  const layers = lengths.map((length) => "x".repeat(length));
  const plainText = (index: number) => Promise.resolve({ text: layers[index], quality: "good" });
  const spent = { ...unhurried.spent, textLength: before };
  const { signal } = new AbortController();
  const options = { ...unhurried, spent, forceOcr: false, language: "eng", first: 0, signal };
  try {
    const whole = { ...pdf, plainText } as unknown as PdfDocument;
    await readPages(context, whole, options, sink);
  } catch (error) {
    return [...taken, error];
  }
  return taken;
}

describe("reading pages", () => {
  it("counts a page as done when its text is ready, in any order", async () => {
    const { context, pdf, sink, finish, notes, taken } = pagesToRead(6);
    const { signal } = new AbortController();
    const options = { ...unhurried, forceOcr: false, language: "eng", first: 0, signal };
    const state = { isOver: false };
    const reading = readPages(context, pdf, options, sink).finally(() => (state.isOver = true));
    while (!state.isOver) {
      // The last waiting page is done first.
      finish.pop()?.();
      await new Promise((resolve) => setImmediate(resolve));
    }
    await reading;
    expect(taken).toEqual([{ from: 0, of: 6 }]);
    expect(notes).toEqual(notes.toSorted((one, other) => one - other));
    expect(notes[0]).toBe(0);
    expect(notes.at(-1)).toBe(6);
    // Pages count one by one, and not all at once when the last of them is ready.
    expect(new Set(notes).size).toBeGreaterThan(4);
  });

  it("tries pages that took too long once more, after the pages before them and other jobs", async () => {
    const { context, pdf, sink, taken } = pagesToRead(9);
    const slow = new Set([3, 6]);
    const asked: number[] = [];
    const plainText = (index: number) => {
      asked.push(index);
      return slow.has(index)
        ? Promise.reject(new PageError(index, "too-slow", "took too long"))
        : Promise.resolve({ text: "text", quality: "good" });
    };
    const whole = { ...pdf, plainText } as unknown as PdfDocument;
    const { signal } = new AbortController();
    const read = (first: number, spent: Spent, mayRetry = true) =>
      readPages(
        context,
        whole,
        { ...unhurried, spent, mayRetry, forceOcr: false, language: "eng", first, signal },
        sink,
      );
    const first = await read(0, unhurried.spent);
    expect([first.next, taken.splice(0)]).toEqual([3, [{ from: 0, of: 3 }]]);
    // It succeeds the second time. The other one never does.
    slow.delete(3);
    const second = await read(3, first.spent);
    expect([second.next, taken.splice(0)]).toEqual([6, [{ from: 3, of: 3 }]]);
    const third = await read(6, second.spent);
    expect([third.next, taken.splice(0)]).toEqual([null, [{ from: 6, of: 3 }]]);
    expect(asked.filter((page) => page === 6)).toHaveLength(3);
    expect((await read(0, unhurried.spent, false)).next).toBeNull();
  });

  it("refuses a document with more text than can be stored, before it stores the last pages", async () => {
    const limit = 256 * 1024 * 1024;
    const tooLong = expect.objectContaining({
      kind: "too-large",
      message: "The document's text is too long to store",
    });
    const [whole, refused] = [[{ from: 0, of: 2 }], [tooLong]];
    expect(await batchesOf([limit - 5, 5])).toEqual(whole);
    expect(await batchesOf([limit - 5, 6])).toEqual(refused);
    // Pages that an earlier run has read count too, and so do those of earlier batches.
    expect(await batchesOf([1, 4], limit - 5)).toEqual(whole);
    expect(await batchesOf([1, 5], limit - 5)).toEqual(refused);
    const many = [limit, ...Array.from({ length: 64 }, () => 0)];
    expect(await batchesOf(many)).toEqual([
      { from: 0, of: 64 },
      { from: 64, of: 1 },
    ]);
    expect(await batchesOf([...many.slice(0, -1), 1])).toEqual([{ from: 0, of: 64 }, ...refused]);
  });
});

import { Readable } from "node:stream";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Context } from "../../../context.ts";
import { documentFileKey } from "../../../files/keys.ts";
import { type Person, addPerson } from "../../../testing/people.ts";
import { buildPdf } from "../../../testing/pdf.ts";
import { sendAs } from "../../../testing/requests.ts";
import { addOwner, sendFile } from "../../../testing/sent-files.ts";
import { isInFull } from "../../../testing/runs.ts";
import { type TestApp, engines, startTestApp } from "../../../testing/test-app.ts";
import { runJobs } from "../../../testing/use-worker.ts";

/** Pages with only an image, each of a different size. */
const pictures = (pages: number, first = 0): Uint8Array =>
  buildPdf({
    pages: Array.from({ length: pages }, (_, page) => ({
      width: 72 + first + page,
      height: 72,
      drawing: "10 10 20 20 re f",
    })),
  });
const wordsOf = (page: number, round = 1): string => `Page ${page + 1}, read ${round} times`;

describe.each(engines)("long documents on %s", (engine) => {
  let app: TestApp;
  let owner: Person;
  let other: Person;
  /** The pages that were recognised, in order. */
  let recognised: number[];
  /** Runs before each of them. */
  let beforePage: (page: number) => Promise<void>;
  beforeEach(async () => {
    app = await startTestApp(engine, { QUIRE_PROCESSING_WORKERS: "1" });
    owner = await addOwner(app.context);
    other = await addPerson(app.context, { username: "other", organizations: [1] });
    recognised = [];
    beforePage = () => Promise.resolve();
  });
  afterEach(() => app[Symbol.asyncDispose]());

  /** Recognises the words that the test supplies, and returns how each document ended, in order. */
  async function work(config: Partial<Context["config"]> = {}): Promise<void> {
    const ocr: Context["ocr"] = {
      check: async () => undefined,
      detect: async () => null,
      languagesThere: async () => ["eng"],
      close: async () => undefined,
      async read({ width }) {
        const page = Math.round((width / 300) * 72) - 72;
        await beforePage(page);
        recognised.push(page);
        const text = wordsOf(page, recognised.filter((one) => one === page).length);
        return { text, words: [], confidence: 90, engine: "tess4" };
      },
    };
    const context = { ...app.context, ocr, config: { ...app.context.config, ...config } };
    await runJobs(context);
  }

  const get = async (target: string) => (await sendAs(app, owner, "GET", target)).body;
  const textsOf = async (id: number): Promise<string[]> => {
    const { pages } = await get(`/files/documents/${id}/one.txt.json`);
    return pages.map(({ contents }: { contents: string }) => contents);
  };

  it("let another user's single page go first, and have each page read once", async () => {
    const long = await sendFile(app, owner, { extension: "pdf", bytes: pictures(30) });
    const short = await sendFile(app, other, {
      extension: "pdf",
      bytes: buildPdf({ pages: [{ width: 300, height: 72, drawing: "1 1 9 9 re f" }] }),
    });
    await work();
    expect(recognised.indexOf(228)).toBe(4);
    const pages = Array.from({ length: 30 }, (_, page) => page);
    expect(recognised.filter((page) => page !== 228)).toEqual(pages);
    expect(await textsOf(long)).toEqual(pages.map((page) => wordsOf(page)));
    expect((await sendAs(app, other, "GET", `/api/documents/${short}/`)).body.status).toBe("success");
    const receipts = (await get(`/api/documents/${long}/receipts/`)).results;
    expect(receipts).toContainEqual(
      expect.objectContaining({ step: "recognised", outcome: "done", pages: 30 }),
    );
  });

  it("keep the old text until the new one is complete when they take turns", async () => {
    const ids = [
      await sendFile(app, owner, { extension: "pdf", bytes: pictures(20) }),
      await sendFile(app, owner, { extension: "pdf", bytes: pictures(20) }),
    ];
    await work();
    for (const id of ids)
      await sendAs(app, owner, "POST", `/api/documents/${id}/process/`, { force_ocr: true });
    const [first = 0] = ids;
    expect((await textsOf(first))[0]).toMatch(/read [12] times/);
    await work();
    for (const id of ids) {
      expect((await get(`/api/documents/${id}/`)).status).toBe("success");
      expect(new Set(await textsOf(id)).size).toBe(20);
    }
    expect(recognised).toHaveLength(80);
    const { reader } = app.context.database;
    expect(await reader.selectFrom("reread_pages").selectAll().execute()).toEqual([]);
  });

  it("are read from the beginning if their file is another one when their turn comes again", async () => {
    const id = await sendFile(app, owner, { extension: "pdf", bytes: pictures(20) });
    await work();
    await sendAs(app, owner, "POST", `/api/documents/${id}/process/`, { force_ocr: true });
    await sendFile(app, other, {
      extension: "pdf",
      bytes: buildPdf({ pages: [{ width: 300, height: 72, drawing: "1 1 9 9 re f" }] }),
    });
    recognised = [];
    // A worker that stalled long ago stores its file while the document waits.
    beforePage = async (page) => {
      if (page === 228)
        await app.context.files.put(documentFileKey(id, "one", "pdf"), Readable.from([pictures(20, 20)]));
    };
    await work();
    expect(recognised.slice(0, 5)).toEqual([0, 1, 2, 3, 228]);
    const pages = Array.from({ length: 20 }, (_, page) => page + 20);
    expect(recognised.slice(5)).toEqual(pages);
    expect(await textsOf(id)).toEqual(pages.map((page) => wordsOf(page)));
    expect(await get(`/api/documents/${id}/`)).toMatchObject({ status: "success", page_count: 20 });
  });

  // What is recognised, which no engine can change.
  if (!isInFull(engine)) return;

  it("give a reason for the remaining pages when recognition reaches its time limit", async () => {
    const id = await sendFile(app, owner, { extension: "pdf", bytes: pictures(6) });
    await work({ ocrDocumentLimitMinutes: 0 });
    expect(recognised).toEqual([]);
    expect((await get(`/api/documents/${id}/`)).status).toBe("success");
    expect((await get(`/api/documents/${id}/errors/`)).results).toMatchObject([
      { message: expect.stringContaining("more than 0 minutes altogether") },
    ]);
  });

  it("do not include converted texts or pages of a single colour", async () => {
    const commas = Buffer.from(`${",".repeat(60)}\n`.repeat(600));
    const csv = await sendFile(app, owner, { extension: "csv", bytes: commas });
    const blank = buildPdf({ pages: Array.from({ length: 3 }, () => ({ width: 72, height: 72 })) });
    const empty = await sendFile(app, owner, { extension: "pdf", bytes: blank });
    await sendAs(app, owner, "POST", `/api/documents/${csv}/process/`, { force_ocr: true });
    await work();
    expect(recognised).toEqual([]);
    for (const id of [csv, empty]) {
      expect(await get(`/api/documents/${id}/`)).toMatchObject({ status: "success" });
      expect((await get(`/api/documents/${id}/errors/`)).results).toEqual([]);
    }
  });
});

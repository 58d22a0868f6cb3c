import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Context } from "../../../context.ts";
import { redactionFolder } from "../../../files/keys.ts";
import { type Person, addPerson } from "../../../testing/people.ts";
import { buildPdf } from "../../../testing/pdf.ts";
import { type Reply, sendAs } from "../../../testing/requests.ts";
import { addOwner, sendFile } from "../../../testing/sent-files.ts";
import { type TestApp, defaultEngines, startTestApp } from "../../../testing/test-app.ts";
import { runJobs } from "../../../testing/use-worker.ts";

const pageCount = 20;
/** Pages with a word each, all of different sizes. */
const long = buildPdf({
  pages: Array.from({ length: pageCount }, (_, page) => ({ width: 144 + page, height: 72, lines: ["Ada"] })),
});
const boxes = Array.from({ length: pageCount }, (_, page_number) => {
  return { page_number, x1: 0, x2: 1, y1: 0, y2: 1, reason: "(b)(6)" };
});

describe.each(defaultEngines)("redactions of many pages on %s", (engine) => {
  let app: TestApp;
  let owner: Person;
  let other: Person;
  /** The redacted pages that were recognised, and "other" for the other person's page, in order. */
  let recognised: (number | "other")[];
  /** Runs before each of them. */
  let beforePage: () => void;
  beforeEach(async () => {
    app = await startTestApp(engine, { QUIRE_PROCESSING_WORKERS: "1" });
    owner = await addOwner(app.context);
    other = await addPerson(app.context, { username: "other", organizations: [1] });
    recognised = [];
    beforePage = () => undefined;
  });
  afterEach(() => app[Symbol.asyncDispose]());

  async function work(): Promise<void> {
    const ocr: Context["ocr"] = {
      check: async () => undefined,
      detect: async () => null,
      languagesThere: async () => ["eng"],
      close: async () => undefined,
      async read({ width }) {
        beforePage();
        const page = Math.round((width / 300) * 72) - 144;
        recognised.push(page < 0 ? "other" : page);
        return { text: `Read ${page}`, words: [], confidence: 90, engine: "tess4" };
      },
    };
    await runJobs({ ...app.context, ocr }, { backoffSeconds: () => 0 });
  }

  const send = (method: string, target: string, value?: unknown): Promise<Reply> =>
    sendAs(app, owner, method, target, value);
  const partsOf = async (id: number): Promise<string[]> =>
    Array.fromAsync(app.context.files.names(redactionFolder(id)));

  async function redacting(): Promise<number> {
    const id = await sendFile(app, owner, { extension: "pdf", bytes: long });
    await work();
    const redactions = { redactions: boxes, show_reasons: true };
    expect((await send("POST", `/api/documents/${id}/redactions/`, redactions)).status).toBe(201);
    return id;
  }

  async function expectRedacted(id: number): Promise<void> {
    const { results } = (await send("GET", `/api/documents/${id}/receipts/?per_page=100`)).body;
    expect(results.filter(({ step }: Reply["body"]) => step === "redacted")).toMatchObject([
      { outcome: "done", boxes: pageCount },
    ]);
    expect((await send("GET", `/api/documents/${id}/`)).body).toMatchObject({ status: "success" });
    const { pages } = (await send("GET", `/files/documents/${id}/one.txt.json`)).body;
    expect(pages.map(({ contents }: { contents: string }) => contents)).toEqual(
      boxes.map(({ page_number }) => `Read ${page_number}`),
    );
    expect(await partsOf(id)).toEqual([]);
    const { reader } = app.context.database;
    expect(await reader.selectFrom("reread_pages").selectAll().execute()).toEqual([]);
  }

  it("let another person's page go first, and draw each page once", async () => {
    const id = await redacting();
    const bytes = buildPdf({ pages: [{ width: 100, height: 72, drawing: "1 1 9 9 re f" }] });
    // The first part is done before the other person comes.
    beforePage = () => {
      if (recognised.length !== 3) return;
      sent = sendFile(app, other, { extension: "pdf", bytes });
    };
    let sent: Promise<number> = Promise.resolve(0);
    await work();
    await sent;
    expect(recognised.indexOf("other")).toBe(16);
    expect(recognised.filter((page) => page !== "other")).toEqual(
      boxes.map(({ page_number }) => page_number),
    );
    await expectRedacted(id);
  });

  it("go on after the last part that was stored, if a worker fails", async () => {
    const id = await redacting();
    let failures = 0;
    beforePage = () => {
      if (recognised.length === 10 && failures++ === 0) throw new Error("The power failed");
    };
    await work();
    expect(failures).toBeGreaterThan(0);
    expect(recognised).toEqual([...Array.from({ length: 10 }, (_, page) => page), ...range(8, pageCount)]);
    await expectRedacted(id);
  });

  it("leave no part behind if they are cancelled, and can be begun again", async () => {
    const id = await redacting();
    beforePage = () => {
      if (recognised.length === 6) cancelled = send("DELETE", `/api/documents/${id}/process/`);
    };
    let cancelled: Promise<Reply | null> = Promise.resolve(null);
    await work();
    expect((await cancelled)?.status).toBe(200);
    expect((await send("GET", `/api/documents/${id}/`)).body).toMatchObject({ status: "success" });
    await work();
    expect(await partsOf(id)).toEqual([]);
    recognised = [];
    beforePage = () => undefined;
    await send("POST", `/api/documents/${id}/redactions/`, { redactions: boxes });
    await work();
    expect(recognised).toEqual(range(0, pageCount));
    await expectRedacted(id);
  });
});

const range = (from: number, to: number): number[] =>
  Array.from({ length: to - from }, (_, index) => from + index);

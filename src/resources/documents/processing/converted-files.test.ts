import { readFile } from "node:fs/promises";
import { Readable } from "node:stream";
import sharp from "sharp";
import { beforeAll, describe, expect, it, vi } from "vitest";
import type { Database, Writer } from "../../../database/database.ts";
import { LeaseLostError } from "../../../jobs/lease.ts";
import type { Job } from "../../../jobs/running-job.ts";
import { jobOn } from "../../../testing/job-queue.ts";
import { buildPdf } from "../../../testing/pdf.ts";
import { type Reply, sendAs } from "../../../testing/requests.ts";
import { type TestApp, defaultEngines, useApp } from "../../../testing/test-app.ts";
import { useWorker } from "../../../testing/use-worker.ts";
import { findRereadPages } from "../pages/reread-store.ts";
import { processDocument } from "./process-document.ts";

const lines = ["The harbour master counted nine ships", "and two of them were on fire."];
const textPdf = Buffer.from(buildPdf({ pages: [{ width: 400, height: 300, lines }] }));

describe.each(defaultEngines)("files that are not PDFs with text on %s", (engine) => {
  const app = useApp(engine);
  let scan: Buffer;
  const owner = app.person("owner", { organizations: [1] });
  const worker = useWorker(app);
  beforeAll(async () => {
    scan = await photographed(app, textPdf);
  });

  const send = (method: string, target: string, value?: unknown): Promise<Reply> =>
    sendAs(app, owner, method, target, value);

  async function processed(bytes: Buffer, extension: string, options: object = {}): Promise<number> {
    const { body } = await send("POST", "/api/documents/", {
      title: "A file",
      original_extension: extension,
    });
    const sent = { method: "PUT", body: new Uint8Array(bytes) };
    expect((await fetch(body.presigned_url, sent)).status).toBe(200);
    await again(body.id, options);
    return body.id;
  }

  async function again(id: number, options: object = {}): Promise<void> {
    expect((await send("POST", `/api/documents/${id}/process/`, options)).status).toBe(200);
    await worker.drain();
  }

  const asset = (id: number, name: string): Promise<Response> =>
    app.fetch(`/files/documents/${id}/${name}`, { headers: { ...owner.headers } });

  async function steps(id: number): Promise<Record<string, Record<string, unknown>>> {
    const { body } = await send("GET", `/api/documents/${id}/receipts/`);
    return Object.fromEntries(body.results.map((receipt: { step: string }) => [receipt.step, receipt]));
  }

  it("become PDFs that are read and found, and keep their originals", async () => {
    const csv = Buffer.from("ship,cargo\nBrandvakt,herring\n");
    const id = await processed(csv, "csv");
    expect((await send("GET", `/api/documents/${id}/`)).body).toMatchObject({
      status: "success",
      page_count: 1,
    });
    expect(await (await asset(id, "a-file.txt")).text()).toContain("Brandvakt,herring");
    const pdf = Buffer.from(await (await asset(id, "a-file.pdf")).arrayBuffer());
    expect(pdf.subarray(0, 5).toString()).toBe("%PDF-");
    expect(Buffer.from(await (await asset(id, "original/a-file.csv")).arrayBuffer()).equals(csv)).toBe(true);
    expect((await asset(id, "pages/a-file-p1-small.gif")).status).toBe(200);
    expect(await steps(id)).toMatchObject({ converted: { outcome: "done", from: "csv", engine: "text" } });
    const { body: found } = await send("GET", "/api/documents/search/?q=herring");
    expect(found.results.map((one: { id: string }) => one.id)).toEqual([String(id)]);
  });

  it("are written in one transaction if they are read within half a second", async () => {
    const { context } = app;
    const { body } = await send("POST", "/api/documents/", { title: "A file", original_extension: "csv" });
    await fetch(body.presigned_url, { method: "PUT", body: "ship\nFregatt\n" });
    await worker.stop();
    expect((await send("POST", `/api/documents/${body.id}/process/`, {})).status).toBe(200);
    let transactions = 0;
    const write: Database["write"] = (work) => {
      transactions += 1;
      return context.database.write(work);
    };
    // However busy the machine is, no time passes here.
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    try {
      const counted = { ...context, database: { ...context.database, write } };
      await processDocument(counted, jobOn(body.id), new AbortController().signal);
    } finally {
      vi.useRealTimers();
    }
    expect(transactions).toBe(1);
    expect((await send("GET", `/api/documents/${body.id}/`)).body).toMatchObject({
      status: "success",
      page_count: 1,
    });
    const { body: found } = await send("GET", "/api/documents/search/?q=fregatt");
    expect(found.count).toBe(1);
    worker.start();
    await worker.drain();
  });

  it("leave no PDF of a worker that lost the job while it converted or read them", async () => {
    const { context } = app;
    await worker.stop();
    const contentOf = async (id: number): Promise<string | null> => {
      await using file = await context.files.borrow(`documents/${id}/a-file.pdf`);
      return file === null ? null : readFile(file.path, "latin1");
    };
    /** Processes the document in a worker that loses the job when this is true. Returns the PDF that is stored then. */
    const storedBy = async (
      id: number,
      isLost: (writer: Writer, isConverted: boolean) => boolean | Promise<boolean>,
    ): Promise<string | null> => {
      let isConverted = false;
      const converter: typeof context.converter = {
        ...context.converter,
        async toPdf(task) {
          const made = await context.converter.toPdf(task);
          isConverted = true;
          return made;
        },
      };
      const hold: Job["hold"] = async (writer) => {
        if (await isLost(writer, isConverted)) throw new LeaseLostError();
      };
      const job = jobOn(id, hold, () => context.database.write(hold));
      const { signal } = new AbortController();
      const processing = processDocument({ ...context, converter }, job, signal);
      await expect(processing).rejects.toThrow(LeaseLostError);
      expect(isConverted).toBe(true);
      return contentOf(id);
    };

    const { body } = await send("POST", "/api/documents/", { title: "A file", original_extension: "csv" });
    const { id } = body as { id: number };
    await fetch(body.presigned_url, { method: "PUT", body: "ship\nBrandvakt\n" });
    expect((await send("POST", `/api/documents/${id}/process/`, {})).status).toBe(200);
    expect(await storedBy(id, (_, isConverted) => isConverted)).toBeNull();
    worker.start();
    await worker.drain();
    await worker.stop();

    // When the document is read again, its PDF is stored after the last of its new pages.
    const first = await contentOf(id);
    await context.files.put(
      `documents/${id}/original/a-file.csv`,
      Readable.from([Buffer.from("ship\nVega\n")]),
    );
    expect((await send("POST", `/api/documents/${id}/process/`, {})).status).toBe(200);
    let numHeldWithPages = 0;
    const stored = await storedBy(id, async (writer) => {
      if ((await findRereadPages(writer, id)).length > 0) numHeldWithPages += 1;
      return numHeldWithPages > 1;
    });
    expect([numHeldWithPages, stored === first]).toEqual([2, true]);
    worker.start();
    await worker.drain();
    expect(await (await asset(id, "a-file.txt")).text()).toContain("Vega");
    expect((await contentOf(id)) === first).toBe(false);
  });

  it("end with a readable reason if their content does not match their extension", async () => {
    const id = await processed(scan, "docx");
    const { body } = await send("GET", `/api/documents/${id}/errors/`);
    expect(body.results[0].message).toBe("This is not a DOCX file: it looks like a PNG image");
    expect((await send("GET", `/api/documents/${id}/`)).body.status).toBe("error");
  });

  it("are recognised if they are images, with the positions of their words", async () => {
    const id = await processed(scan, "png");
    expect((await (await asset(id, "a-file.txt")).text()).split("\n")).toEqual(lines);
    const words = (await (await asset(id, "pages/a-file-p1.position.json")).json()) as {
      text: string;
      x1: number;
      y1: number;
    }[];
    expect(words.map(({ text }) => text).join(" ")).toBe(lines.join(" "));
    expect(words.every(({ x1, y1 }) => x1 > 0 && x1 < 1 && y1 > 0 && y1 < 1)).toBe(true);
    const json = (await (await asset(id, "a-file.txt.json")).json()) as { pages: object[] };
    expect(json.pages).toMatchObject([{ ocr: "tess4", contents: lines.join("\n") }]);
    const { recognised } = await steps(id);
    expect(recognised).toMatchObject({ outcome: "done", pages: 1, engine: "tess4", language: "eng" });
    expect(recognised?.["confidence"]).toBeGreaterThan(80);
  });

  it("are recognised despite their text only if the client forces OCR", async () => {
    const id = await processed(textPdf, "pdf");
    expect(await steps(id)).not.toHaveProperty("recognised");
    await again(id, { force_ocr: true });
    expect(await steps(id)).toMatchObject({ recognised: { pages: 1 } });
    expect((await (await asset(id, "a-file.txt")).text()).split("\n")).toEqual(lines);
    const forced = (await (await asset(id, "a-file.txt.json")).json()) as { pages: object[] };
    expect(forced.pages).toMatchObject([{ ocr: "tess4_force" }]);
    await again(id);
    const json = (await (await asset(id, "a-file.txt.json")).json()) as { pages: object[] };
    expect(json.pages).toMatchObject([{ ocr: null }]);
  });

  it("stay viewable and say what is missing if a language cannot be recognised", async () => {
    const values = { title: "A file", original_extension: "png", language: "iku" };
    const { body } = await send("POST", "/api/documents/", values);
    await fetch(body.presigned_url, { method: "PUT", body: new Uint8Array(scan) });
    await again(body.id);
    expect((await send("GET", `/api/documents/${body.id}/`)).body).toMatchObject({
      status: "success",
      page_count: 1,
    });
    const errors = await send("GET", `/api/documents/${body.id}/errors/`);
    expect(errors.body.results[0].message).toContain("quire languages add iku");
  });

  it("show their progress to viewers of the document", async () => {
    const id = await processed(textPdf, "pdf");
    const done = { status: "success", step: null, pages_done: null, pages: null, at: null };
    expect((await send("GET", `/api/documents/${id}/process/`)).body).toEqual(done);
    const stream = await app.fetch(`/api/documents/${id}/process/events/`, { headers: { ...owner.headers } });
    expect(stream.headers.get("content-type")).toBe("text/event-stream");
    expect(await stream.text()).toBe(`event: progress\ndata: ${JSON.stringify(done)}\n\n`);
    for (const path of ["process/", "process/events/"]) {
      expect((await app.fetch(`/api/documents/${id}/${path}`)).status).toBe(404);
    }
  });
});

/** The first page of a PDF as a PNG. */
async function photographed({ context }: TestApp, pdf: Buffer): Promise<Buffer> {
  const key = "documents/999/drawn.pdf";
  await context.files.put(
    key,
    (async function* bytes() {
      yield pdf;
    })(),
  );
  await using file = await context.files.borrow(key);
  await using opened = await context.pdfs.open(file?.path ?? "");
  const { bytes, width, height } = await opened.raster(0);
  const grey = bytes.subarray(bytes.length - width * height);
  return sharp(grey, { raw: { width, height, channels: 1 } })
    .withMetadata({ density: 300 })
    .png()
    .toBuffer();
}

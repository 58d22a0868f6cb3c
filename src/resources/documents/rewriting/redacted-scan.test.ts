import sharp from "sharp";
import { describe, expect, it } from "vitest";
import { buildPdf } from "../../../testing/pdf.ts";
import { type Reply, sendAs } from "../../../testing/requests.ts";
import { defaultEngines, useApp } from "../../../testing/test-app.ts";
import { useWorker } from "../../../testing/use-worker.ts";

const [width, height] = [450, 300];

/** A page of a scanner at 200 dots per inch: paper with a grain that darkens to one side, and a stamp. */
async function scanned(channels: 1 | 3): Promise<Buffer> {
  const pixels = Buffer.alloc(width * height * channels);
  let seed = 1;
  for (let at = 0; at < pixels.length; at++) {
    seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31;
    const x = Math.floor(at / channels) % width;
    pixels[at] = 235 - Math.floor(x / 12) + (seed % 5) - (channels === 3 && at % 3 === 2 ? 30 : 0);
  }
  const image = sharp(pixels, { raw: { width, height, channels } });
  return image.withMetadata({ density: 200 }).jpeg({ quality: 85 }).toBuffer();
}

describe.each(defaultEngines)("a redacted scan on %s", (engine) => {
  const app = useApp(engine);
  const owner = app.person("owner", { organizations: [1] });
  const worker = useWorker(app);

  const send = (method: string, target: string, value?: unknown): Promise<Reply> =>
    sendAs(app, owner, method, target, value);

  async function processed(file: Uint8Array, extension: string): Promise<number> {
    const { body } = await send("POST", "/api/documents/", { title: "Scan", original_extension: extension });
    await fetch(body.presigned_url, { method: "PUT", body: file as NonNullable<RequestInit["body"]> });
    await send("POST", `/api/documents/${body.id}/process/`, {});
    await worker.drain();
    return body.id;
  }

  const pdfOf = async (id: number): Promise<Buffer> => {
    const answer = await app.fetch(`/files/documents/${id}/scan.pdf`, { headers: owner.headers });
    return Buffer.from(await answer.arrayBuffer());
  };

  it.each([
    [1, false],
    [3, true],
  ] as const)("keeps its resolution and about its size, with %i channels", async (channels, isCoded) => {
    const file = await scanned(channels);
    const id = await processed(file, "jpg");
    const box = { page_number: 0, x1: 0.1, x2: 0.5, y1: 0.2, y2: 0.4 };
    const coded = { redactions: [{ ...box, reason: "(b)(6)" }], show_reasons: true };
    await send("POST", `/api/documents/${id}/redactions/`, isCoded ? coded : [box]);
    await worker.drain();
    const { results } = (await send("GET", `/api/documents/${id}/receipts/?per_page=100`)).body;
    expect(results.find(({ step }: Reply["body"]) => step === "redacted")).toMatchObject({ outcome: "done" });
    const made = await pdfOf(id);
    const text = made.toString("latin1");
    expect(text).toMatch(new RegExp(`/Width ${width}\\b`));
    expect(text).toMatch(new RegExp(`/Height ${height}\\b`));
    expect(text).toContain(channels === 1 ? "/DeviceGray" : "/DeviceRGB");
    // The codes are shapes, some hundred bytes for each letter.
    expect(made.length).toBeLessThan(1.5 * file.length + (isCoded ? 2000 : 0));
  });

  it("leaves a slot of the worker to others if it has many pages", async () => {
    const lines = ["A page"];
    const pages = Array.from({ length: 5 }, () => ({ width: 200, height: 100, lines }));
    const id = await processed(buildPdf({ pages }), "pdf");
    await worker.stop();
    const isLong = async (count: number): Promise<unknown> => {
      const boxes = Array.from({ length: count }, (_, page_number) => ({
        page_number,
        x1: 0.1,
        x2: 0.5,
        y1: 0.1,
        y2: 0.9,
      }));
      await send("POST", `/api/documents/${id}/redactions/`, boxes);
      const jobs = app.context.database.reader.selectFrom("jobs").select("is_long").where("subject", "=", id);
      const [job] = await jobs.where("cancelled_at", "is", null).execute();
      await send("DELETE", `/api/documents/${id}/process/`);
      return Boolean(job?.is_long);
    };
    expect([await isLong(4), await isLong(5)]).toEqual([false, true]);
  });
});

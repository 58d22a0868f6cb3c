import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { JobRunner } from "../../jobs/runner.ts";
import { addDocuments } from "../../testing/factories.ts";
import { buildPdf } from "../../testing/pdf.ts";
import { type Person, addPerson } from "../../testing/people.ts";
import { type Reply, sendAs } from "../../testing/requests.ts";
import { sendFile } from "../../testing/sent-files.ts";
import { type TestApp, defaultEngines, startTestApp } from "../../testing/test-app.ts";
import { buildWorker } from "../../worker.ts";

const pdf = (...lines: string[]): Uint8Array =>
  buildPdf({ pages: lines.map((line) => ({ width: 240, height: 120, lines: [line] })) });

const box = { x1: 0, x2: 1, y1: 0, y2: 1, page_number: 0 };

describe.each(defaultEngines)("what a production hands over on %s", (engine) => {
  let app: TestApp;
  let worker: JobRunner;
  let ada: Person;
  beforeAll(async () => {
    app = await startTestApp(engine);
    worker = buildWorker(app.context);
    await addDocuments(app.context, []);
    ada = await addPerson(app.context, { username: "ada", organizations: [1] });
  });
  afterAll(async () => {
    await worker.stop();
    await app[Symbol.asyncDispose]();
  });

  const send = (method: string, target: string, value?: unknown): Promise<Reply> =>
    sendAs(app, ada, method, target, value);
  const make = (documents: number[], more: object = {}): Promise<Reply> =>
    send("POST", "/api/productions/", { documents, prefix: "ABC", images: "none", ...more });

  async function work(): Promise<void> {
    worker = buildWorker(app.context);
    worker.start();
    await worker.drain();
    await worker.stop();
  }

  async function upload(extension: string, bytes: Uint8Array): Promise<number> {
    const id = await sendFile(app, ada, { extension, bytes });
    await work();
    return id;
  }

  it("waits for a redacted copy that is being made, and for one whose file is being worked on", async () => {
    const original = await upload("pdf", pdf("The witness", "Another page"));
    const { body, status } = await send("POST", `/api/documents/${original}/redacted_copies/`, {
      redactions: [box],
    });
    expect(status).toBe(201);
    const copy = body.id as number;
    expect((await make([original])).body).toEqual({
      documents: [`Document ${copy} is being worked on: wait until it is done.`],
    });
    await work();
    expect((await send("POST", `/api/documents/${copy}/process/`)).status).toBe(200);
    expect((await make([original])).body).toEqual({
      documents: [`Document ${copy} is being worked on: wait until it is done.`],
    });
    await work();
    expect((await make([original])).body).toMatchObject({ documents: 1, pages: 2 });
  });
});

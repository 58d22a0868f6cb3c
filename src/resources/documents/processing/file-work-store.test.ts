import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import type { Context } from "../../../context.ts";
import { documentFileKey, documentFolder } from "../../../files/keys.ts";
import { timestampAt } from "../../../jobs/clock.ts";
import { LeaseLostError, claimNext, renew } from "../../../jobs/lease.ts";
import { enqueue } from "../../../jobs/queue.ts";
import type { JobRunner } from "../../../jobs/runner.ts";
import type { Job } from "../../../jobs/running-job.ts";
import { Gate, withMethod } from "../../../testing/gate.ts";
import { errorOf, jobOn } from "../../../testing/job-queue.ts";
import { type Person, addPerson } from "../../../testing/people.ts";
import { buildPdf } from "../../../testing/pdf.ts";
import { type Reply, sendAs } from "../../../testing/requests.ts";
import { isInFull } from "../../../testing/runs.ts";
import { scanOf } from "../../../testing/scan.ts";
import { addOwner } from "../../../testing/sent-files.ts";
import { engines, startAppOn, useApp } from "../../../testing/test-app.ts";
import { buildWorker } from "../../../worker.ts";
import { processJob } from "../file-facts-store.ts";
import { processDocument } from "./process-document.ts";

const record = (id: number): string => `/api/documents/${id}/`;
const box = { page_number: 0, x1: 0, x2: 1, y1: 0, y2: 0.5 };
const page = { width: 200, height: 100, lines: ["The harbour master"] };
const bytesOf: Readonly<Record<string, unknown>> = {
  pdf: buildPdf({ pages: [page, page] }),
  txt: "The harbour master",
  // The smallest page that is made of another file: a redaction draws it at 300 dots per inch.
  png: await scanOf(["The harbour master"], { width: 200, height: 100 }),
};
const busy = { status: 400, body: { error: expect.stringContaining("Already processing") } };

describe.each(engines)("work on a document's file on %s", (engine) => {
  const app = useApp(engine);
  let owner: Person;
  let workers: JobRunner[];
  beforeAll(async () => {
    owner = await addOwner(app.context);
  });
  beforeEach(() => {
    workers = [];
  });
  afterEach(async () => {
    for (const worker of workers) await worker.stop();
  });

  function work(changed: Partial<Context> = {}): JobRunner {
    const worker = buildWorker(
      { ...app.context, ...changed },
      { lookEverySeconds: 0.05, backoffSeconds: () => 0 },
    );
    workers.push(worker);
    worker.start();
    return worker;
  }

  const send = (method: string, target: string, value?: unknown, person = owner): Promise<Reply> =>
    sendAs(app, person, method, target, value);

  async function uploaded(extension: string, person = owner): Promise<number> {
    const made = { title: "Minutes", original_extension: extension, access: "public" };
    const { body } = await send("POST", "/api/documents/", made, person);
    const bytes = bytesOf[extension] as never;
    expect((await fetch(body.presigned_url, { method: "PUT", body: bytes })).status).toBe(200);
    return body.id;
  }

  async function processed(extension: string, person = owner): Promise<number> {
    const id = await uploaded(extension, person);
    await send("POST", `${record(id)}process/`, {}, person);
    const worker = work();
    await worker.drain();
    await worker.stop();
    expect((await send("GET", record(id), undefined, person)).body.status).toBe("success");
    return id;
  }

  /** A file store that stores the PDFs of documents only once the gate is open. */
  const slowFiles = (gate: Gate): Context["files"] =>
    withMethod(app.context.files, "put", async (...parameters) => {
      if (parameters[0].endsWith("/minutes.pdf")) await gate.pass();
      return app.context.files.put(...parameters);
    });

  const pdf = async (id: number): Promise<Buffer> => {
    const answer = await app.fetch(`/files/documents/${id}/minutes.pdf`, { headers: owner.headers });
    expect(answer.status).toBe(200);
    return Buffer.from(await answer.arrayBuffer());
  };

  const askAll = async (id: number): Promise<Reply[]> => [
    await send("POST", `${record(id)}redactions/`, [box]),
    await send("POST", `${record(id)}modifications/`, [{ page: "0" }]),
    await send("POST", `${record(id)}process/`, {}),
  ];

  it("does not begin on a readable document that waits to be processed", async () => {
    const id = await processed("pdf");
    const other = await processed("pdf");
    await app.context.database.write((writer) => enqueue(writer, { kind: processJob, subject: id }));
    expect(await askAll(id)).toMatchObject([busy, busy, busy]);
    const taken = await send("POST", `${record(other)}modifications/`, [{ page: "0", id }]);
    expect(taken).toMatchObject({ status: 400 });
    await work().drain();
    expect((await send("POST", `${record(id)}redactions/`, [box])).status).toBe(201);
  });

  it("stores no PDF that was made by a worker whose job another worker has taken over", async () => {
    const { converter, database, files } = app.context;
    const id = await uploaded("txt");
    await send("POST", `${record(id)}process/`, {});
    // This worker stalls while it converts the file, and its lease has expired.
    const over = timestampAt(Date.now());
    const lease = await claimNext(database, {
      kinds: [processJob],
      worker: "stalled",
      now: over,
      until: over,
    });
    const [gate, gateOfOther] = [new Gate(), new Gate()];
    const stored: string[] = [];
    const context = {
      ...app.context,
      converter: withMethod(converter, "toPdf", async (...parameters) => {
        await gate.pass();
        return converter.toPdf(...parameters);
      }),
      files: withMethod(files, "put", async (key) => void stored.push(key)),
    };
    const hold: Job["hold"] = async (writer) => {
      if (!(await renew(writer, lease!, over))) throw new LeaseLostError();
    };
    const job = jobOn(id, hold, () => database.write(hold));
    const stalled = errorOf(processDocument(context, job, new AbortController().signal));
    await gate.reached;
    // The other worker has stored its PDF, and has not read the pages yet.
    const storing = withMethod(files, "put", async (...parameters) => {
      await files.put(...parameters);
      await gateOfOther.pass();
    });
    const other = work({ files: storing });
    await gateOfOther.reachedBy(other);
    gate.open();
    expect(await stalled).toBeInstanceOf(LeaseLostError);
    expect(stored).toEqual([]);
    gateOfOther.open();
    await other.drain();
    expect((await send("GET", record(id))).body).toMatchObject({ status: "success", page_count: 1 });
  });

  it("cannot be cancelled once the new file is being stored", async () => {
    const id = await processed("png");
    await send("POST", `${record(id)}redactions/`, [box]);
    const gate = new Gate();
    const worker = work({ files: slowFiles(gate) });
    await gate.reachedBy(worker);
    expect(await send("DELETE", `${record(id)}process/`)).toMatchObject({
      status: 400,
      body: { error: "Too late: the new file is being put in place" },
    });
    gate.open();
    await worker.drain();
    expect((await send("GET", record(id))).body).toMatchObject({ status: "success", access: "public" });
    expect(await app.context.files.stat(documentFileKey(id, "minutes", "png"))).toBeNull();
  });

  it("leaves nothing of a document that is deleted in the meantime", async () => {
    const id = await uploaded("txt");
    await send("POST", `${record(id)}process/`, {});
    const gate = new Gate();
    const worker = work({ files: slowFiles(gate) });
    await gate.reachedBy(worker);
    await using instant = await startAppOn({ ...app.context.config, trashDays: 0 });
    expect((await sendAs(instant, owner, "DELETE", record(id))).status).toBe(204);
    gate.open();
    await worker.drain();
    const folders = await Array.fromAsync(app.context.files.folders("documents"));
    expect(folders).not.toContain(documentFolder(id).split("/").at(-1));
  });

  it("does not make other writers wait for a store that does not respond", async () => {
    const id = await processed("pdf");
    const elsewhere = await processed("pdf");
    const gate = new Gate();
    const { files } = app.context;
    const stat = vi.spyOn(files, "stat").mockImplementation(async () => {
      await gate.pass();
      return null;
    });
    const requests = Promise.all([askAll(id), send("POST", "/api/documents/process/", [{ id }])]);
    await gate.reached;
    expect((await send("PATCH", record(elsewhere), { title: "Other" })).status).toBe(200);
    gate.open();
    const [each, several] = await requests;
    expect([...each, several].map(({ status }) => status)).toEqual([400, 400, 400, 400]);
    stat.mockRestore();
  });

  // These take as long on every engine, and other suites run their statements on PostgreSQL.
  if (!isInFull(engine)) return;

  it("blocks other jobs after cancellation until its worker notices, and then stores nothing", async () => {
    const id = await uploaded("txt");
    await send("POST", `${record(id)}process/`, {});
    const gate = new Gate();
    const worker = work({ files: slowFiles(gate) });
    await gate.reachedBy(worker);
    expect((await send("DELETE", `${record(id)}process/`)).status).toBe(200);
    expect(await askAll(id)).toMatchObject([busy, busy, busy]);
    gate.open();
    await vi.waitFor(async () => expect((await send("POST", `${record(id)}process/`, {})).status).toBe(200), {
      timeout: 60_000,
    });
    await work().drain();
    const { body } = await send("GET", record(id));
    expect(body).toMatchObject({ status: "success", page_count: 1 });
    const progress = await send("GET", `${record(id)}process/`);
    expect(progress.body).toMatchObject({ step: null });
  });

  it("keeps the original file when a page modification is cancelled", async () => {
    const id = await processed("txt");
    const before = await pdf(id);
    expect((await send("POST", `${record(id)}modifications/`, [{ page: "0" }, { page: "0" }])).status).toBe(
      201,
    );
    const gate = new Gate();
    const { pdfs } = app.context;
    const slowly = withMethod(pdfs, "assemble", async (...parameters) => {
      await gate.pass();
      return pdfs.assemble(...parameters);
    });
    const worker = work({ pdfs: slowly });
    await gate.reachedBy(worker);
    expect((await send("DELETE", `${record(id)}process/`)).status).toBe(200);
    gate.open();
    await worker.drain();
    await vi.waitFor(async () => expect((await send("POST", `${record(id)}process/`, {})).status).toBe(200), {
      timeout: 60_000,
    });
    await worker.drain();
    expect(await pdf(id)).toHaveLength(before.length);
    expect((await send("GET", record(id))).body).toMatchObject({ status: "success", page_count: 1 });
    expect(await app.context.files.stat(documentFileKey(id, "minutes", "txt"))).not.toBeNull();
  });

  it("ends before a document comes back from the trash, and begins again then", async () => {
    const id = await uploaded("txt");
    await send("POST", `${record(id)}process/`, {});
    const gate = new Gate();
    const worker = work({ files: slowFiles(gate) });
    await gate.reachedBy(worker);
    expect((await send("DELETE", record(id))).status).toBe(204);
    const restore = (): Promise<Reply> => send("POST", "/api/documents/trash/restore/", { ids: [id] });
    expect((await restore()).status).toBe(409);
    gate.open();
    await worker.drain();
    expect((await restore()).status).toBe(200);
    await worker.drain();
    expect((await send("GET", record(id))).body).toMatchObject({ status: "success", access: "public" });
  });

  it("imports no pages from a document that the user may no longer view", async () => {
    const other = await addPerson(app.context, { username: "other", organizations: [1] });
    const stranger = await addPerson(app.context, { username: "stranger" });
    expect(stranger).not.toEqual(other);
    const theirs = await processed("pdf", other);
    const id = await processed("pdf");
    const before = await pdf(id);
    expect((await send("POST", `${record(id)}modifications/`, [{ page: "0", id: theirs }])).status).toBe(201);
    expect((await send("PATCH", record(theirs), { access: "private" }, other)).status).toBe(200);
    await work().drain();
    expect((await send("GET", record(id))).body).toMatchObject({ status: "success", page_count: 2 });
    const { results } = (await send("GET", `${record(id)}receipts/`)).body;
    expect(results.at(-1)).toMatchObject({ step: "modified", outcome: "failed" });
    expect((await pdf(id)).equals(before)).toBe(true);
  });

  it("says that a redaction failed if other work takes its place", async () => {
    const id = await processed("pdf");
    await send("POST", `${record(id)}redactions/`, [box]);
    await app.context.database.write((writer) =>
      writer.updateTable("documents").set({ status: "success" }).where("id", "=", id).execute(),
    );
    await work().drain();
    expect((await send("GET", record(id))).body).toMatchObject({ status: "success", access: "public" });
    const { results } = (await send("GET", `${record(id)}receipts/`)).body;
    expect(results.at(-1)).toMatchObject({ step: "redacted", outcome: "failed" });
  });
});

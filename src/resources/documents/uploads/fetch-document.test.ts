import { createHash } from "node:crypto";
import type http from "node:http";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { timestampAt } from "../../../jobs/clock.ts";
import type { JobRunner } from "../../../jobs/runner.ts";
import { buildPdf } from "../../../testing/pdf.ts";
import { startRemoteServer } from "../../../testing/remote-server.ts";
import { type Reply } from "../../../testing/requests.ts";
import { isInFull } from "../../../testing/runs.ts";
import { engines, useApp, useStarted } from "../../../testing/test-app.ts";
import { buildWorker } from "../../../worker.ts";
import { fetchJob } from "../files/remote-file-store.ts";

const record = (id: number): string => `/api/documents/${id}/`;
const pdf = Buffer.from(
  buildPdf({ pages: [{ width: 612, height: 792, lines: ["Minutes of the council"] }] }),
);
const soon = { interval: 5, timeout: 60_000 };

describe.each(engines)("fetching files on %s", (engine) => {
  /** Responses by path. All other paths answer with the PDF. */
  let answers: Record<string, http.RequestListener>;
  let workers: JobRunner[];
  const remote = useStarted(() =>
    startRemoteServer((request, response) => {
      const answer = answers[request.url ?? ""];
      if (answer === undefined) response.end(pdf);
      else answer(request, response);
    }),
  );
  const inside = useStarted(() => startRemoteServer((_request, response) => response.end("a secret")));
  const app = useApp(engine, () => ({
    QUIRE_UPLOAD_LIMIT_MB: "1",
    QUIRE_FETCH_ALLOWED_HOSTS: `127.0.0.1:${remote.port}`,
  }));
  const owner = app.person("owner", { organizations: [1] });
  const stranger = app.person("stranger", { organizations: [2] });
  const { send } = app;
  beforeEach(() => {
    answers = {};
    remote.requests.length = 0;
    workers = [];
    work();
  });
  afterEach(() => Promise.all(workers.map((worker) => worker.stop())));

  function work(): JobRunner {
    const worker = buildWorker(app.context, { backoffSeconds: () => 0 });
    workers.push(worker);
    worker.start();
    return worker;
  }

  const drained = (): Promise<unknown> => Promise.all(workers.map((worker) => worker.drain()));
  const find = async (id: number, what = ""): Promise<Reply["body"]> =>
    (await send(owner, "GET", `${record(id)}${what}`)).body;
  const createFrom = async (path: string, values: object = {}): Promise<Reply["body"]> => {
    const sent = { title: "Minutes", file_url: `${remote.url}${path}`, ...values };
    const reply = await send(owner, "POST", "/api/documents/", sent);
    expect(reply.status).toBe(201);
    return reply.body;
  };
  const requested = (): unknown[] => remote.requests.map(({ url }) => url);
  const waiting = async (): Promise<number> => {
    const rows = await app.context.database.reader.selectFrom("remote_files").selectAll().execute();
    const jobs = await app.context.database.reader.selectFrom("jobs").selectAll().execute();
    expect(jobs.filter(({ kind }) => kind === fetchJob)).toHaveLength(rows.length);
    return rows.length;
  };

  /** Answers with the beginning of a file, and with the rest when the test releases it. */
  function held(path: string): { begun: Promise<void>; letGo: () => void } {
    const begun = Promise.withResolvers<void>();
    const responses: http.ServerResponse[] = [];
    answers[path] = (_request, response) => {
      responses.push(response);
      response.write(pdf.subarray(0, 10));
      begun.resolve();
    };
    const letGo = (): void => {
      answers[path] = (_request, response) => response.end(pdf);
      for (const response of responses) response.end(pdf.subarray(10));
    };
    return { begun: begun.promise, letGo };
  }

  it("fetches several files of a bulk creation with one that will be uploaded", async () => {
    const { status, body } = await send(owner, "POST", "/api/documents/", [
      { title: "One", file_url: `${remote.url}/one` },
      { title: "Two" },
      { title: "Three", file_url: `${remote.url}/three`, force_ocr: false, ocr_engine: "tess4" },
    ]);
    expect(status).toBe(201);
    expect(body.map((one: object) => Object.hasOwn(one, "presigned_url"))).toEqual([true, true, true]);
    await drained();
    const statuses = await Promise.all(body.map(async ({ id }: { id: number }) => (await find(id)).status));
    expect(statuses).toEqual(["success", "nofile", "success"]);
    expect(new Set(requested())).toEqual(new Set(["/one", "/three"]));
  });

  it("stores a file under the extension that the remote server gives", async () => {
    const reached = Promise.withResolvers<void>();
    answers["/page"] = (_request, response) => {
      response.writeHead(200, { "content-type": "text/csv; charset=utf-8" }).end("a,b\n");
      reached.resolve();
    };
    const { id } = await createFrom("/page");
    await reached.promise;
    await vi.waitFor(async () => {
      expect(await app.context.files.stat(`documents/${id}/original/minutes.csv`)).toMatchObject({ size: 4 });
    }, soon);
    expect((await find(id)).original_extension).toBe("csv");
    await drained();
  });

  it("tries again if the remote server is unavailable", async () => {
    let times = 0;
    answers["/later"] = ({ socket }, response) => {
      times += 1;
      if (times === 1) response.writeHead(503).end();
      else if (times === 2) socket.destroy();
      else response.end(pdf);
    };
    const { id } = await createFrom("/later");
    await drained();
    expect((await find(id)).status).toBe("success");
    expect(times).toBe(3);
    expect((await find(id, "errors/")).results).toEqual([]);
  });

  it("keeps the process options of the file", async () => {
    const file_url = `${remote.url}/textract`;
    const sent = { title: "Textract", file_url, ocr_engine: "textract" };
    const { body } = await send(owner, "POST", "/api/documents/", sent);
    const row = await app.context.database.reader
      .selectFrom("remote_files")
      .select("process_options")
      .where("document_id", "=", body.id)
      .executeTakeFirstOrThrow();
    expect(JSON.parse(row.process_options)).toEqual({ force_ocr: false, ocr_engine: "textract" });
    expect((await send(owner, "DELETE", `${record(body.id)}process/`)).status).toBe(200);
    await drained();
  });

  it("stops when it is cancelled, and when the document is deleted", async () => {
    const stopped = held("/stopped");
    const deleted = held("/deleted");
    const [one, two] = [await createFrom("/stopped"), await createFrom("/deleted")];
    await Promise.all([stopped.begun, deleted.begun]);
    expect((await send(stranger, "DELETE", `${record(one.id)}process/`)).status).toBe(404);
    expect((await send(owner, "DELETE", `${record(one.id)}process/`)).status).toBe(200);
    expect((await send(owner, "DELETE", record(two.id))).status).toBe(204);
    stopped.letGo();
    deleted.letGo();
    await drained();
    expect(await find(one.id)).toMatchObject({ status: "error", page_count: 0 });
    expect((await find(one.id, "errors/")).results).toMatchObject([{ message: "Processing was cancelled" }]);
    expect((await send(owner, "GET", record(two.id))).status).toBe(404);
    for (const { id } of [one, two]) {
      expect(await app.context.files.stat(`documents/${id}/minutes.pdf`)).toBeNull();
    }
    expect(await waiting()).toBe(0);
    expect(await send(owner, "DELETE", `${record(one.id)}process/`)).toMatchObject({ status: 400 });
  });

  it("is taken over from a dead worker, and takes effect once", async () => {
    const slow = held("/slow");
    const { id } = await createFrom("/slow");
    await slow.begun;
    const past = timestampAt(Date.now() - 1000);
    await app.context.database.write((writer) =>
      writer.updateTable("jobs").set({ due_at: past }).where("kind", "=", fetchJob).execute(),
    );
    answers["/slow"] = (_request, response) => response.end(pdf);
    const other = work();
    await other.drain();
    expect((await find(id)).status).toBe("success");
    slow.letGo();
    await drained();
    await Promise.all(workers.map((worker) => worker.stop()));
    expect((await find(id)).status).toBe("success");
    const receipts = (await find(id, "receipts/")).results as { step: string }[];
    expect(receipts.filter(({ step }) => step === "fetched")).toHaveLength(1);
    expect(receipts.filter(({ step }) => step === "read")).toHaveLength(1);
    expect(requested()).toEqual(["/slow", "/slow"]);
  });

  it("does nothing if the file was uploaded in the meantime", async () => {
    const slow = held("/slow");
    const { body } = await send(owner, "POST", "/api/documents/", [
      { title: "Minutes", file_url: `${remote.url}/slow` },
    ]);
    const [{ id, presigned_url: address }] = body;
    await slow.begun;
    const uploaded = buildPdf({ pages: [{ width: 600, height: 800, lines: ["Uploaded"] }] });
    await fetch(address, { method: "PUT", body: Buffer.from(uploaded) });
    expect((await send(owner, "POST", `${record(id)}process/`)).status).toBe(200);
    slow.letGo();
    await drained();
    expect(await find(id)).toMatchObject({
      status: "success",
      file_hash: createHash("sha1").update(uploaded).digest("hex"),
    });
    expect(await waiting()).toBe(0);
  });

  // Addresses and what is fetched from them, which no engine can change.
  if (!isInFull(engine)) return;

  it("creates a document from the file at an address", async () => {
    await Promise.all(workers.map((worker) => worker.stop()));
    const made = await createFrom("/files/minutes.pdf?token=hidden", { access: "public" });
    expect(made).toMatchObject({ status: "nofile", original_extension: "pdf" });
    expect(made).not.toHaveProperty("presigned_url");
    expect(await find(made.id)).toHaveProperty("presigned_url");
    expect(await waiting()).toBe(1);
    workers = [work()];
    await drained();
    expect(await waiting()).toBe(0);
    expect(await find(made.id)).toMatchObject({
      status: "success",
      page_count: 1,
      file_hash: createHash("sha1").update(pdf).digest("hex"),
    });
    const file = (name: string): Promise<Response> => app.fetch(`/files/documents/${made.id}/${name}`);
    expect(await (await file("minutes.txt")).text()).toBe("Minutes of the council");
    expect(Buffer.from(await (await file("minutes.pdf")).arrayBuffer()).equals(pdf)).toBe(true);
    const [fetched, ...others] = (await find(made.id, "receipts/")).results;
    expect(fetched).toMatchObject({
      step: "fetched",
      outcome: "done",
      bytes: pdf.length,
      sha256: createHash("sha256").update(pdf).digest("hex"),
      host: `127.0.0.1:${remote.port}`,
    });
    expect(others.map(({ step }: { step: string }) => step)).toContain("read");
    expect(JSON.stringify([await find(made.id, "receipts/"), await find(made.id, "history/")])).not.toMatch(
      /hidden/,
    );
    expect(JSON.stringify(app.logged)).not.toContain("hidden");
    expect((await find(made.id, "errors/")).results).toEqual([]);
    expect(requested()).toEqual(["/files/minutes.pdf?token=hidden"]);
  });

  it("is logged once if it fails, with its cause", async () => {
    answers["/gone"] = (_request, response) => response.writeHead(404).end();
    app.logged.length = 0;
    const { body: gone } = await send(owner, "POST", "/api/documents/", {
      title: "Gone",
      file_url: `${remote.url}/gone`,
    });
    const { body: within } = await send(owner, "POST", "/api/documents/", {
      title: "Inside",
      file_url: `${inside.url}/x`,
    });
    await drained();
    const about = (id: number) =>
      app.logged.filter(({ subject, document }) => subject === id || document === id) as {
        msg: string;
        err: { stack: string };
      }[];
    for (const { id } of [gone, within]) {
      expect(about(id).map(({ msg }) => msg)).toEqual(["A job is given up"]);
    }
    expect(about(within.id)[0]?.err.stack).toMatch(/caused by: Error: .*127\.0\.0\.1/s);
  });

  it("takes the extension from the client, from the address, or from the remote server", async () => {
    answers["/plain"] = (_request, response) => {
      response.writeHead(200, { "content-type": "application/octet-stream" }).end(pdf);
    };
    answers["/named"] = (_request, response) => {
      response.writeHead(200, { "content-disposition": 'attachment; filename="a.unknown"' }).end(pdf);
    };
    answers["/text"] = (_request, response) => {
      response.writeHead(404, { "content-type": "text/plain" }).end();
    };
    const made = [
      await createFrom("/text", { original_extension: "docx" }),
      await createFrom("/text?a.pdf"),
      await createFrom("/plain"),
      await createFrom("/named"),
    ];
    await drained();
    const extensions = made.map(async ({ id }) => (await find(id)).original_extension as string);
    expect(await Promise.all(extensions)).toEqual(["docx", "pdf", "pdf", "pdf"]);
    expect(made[0].original_extension).toBe("docx");
    expect((await createFrom("/other/table.csv")).original_extension).toBe("csv");
  });

  it.each([
    ["does not exist", "/gone", "The address of the file answered with HTTP status 404", 1],
    ["is too large", "/large", "The file at the address is larger than 1 MB", 1],
    ["is empty", "/empty", "The file at the address is empty", 1],
    ["is always unavailable", "/busy", "The address of the file answered with HTTP status 503", 5],
  ])("says why a file that %s was not fetched", async (_what, path, message, times) => {
    answers = {
      "/gone": (_request, response) => response.writeHead(404).end(),
      "/large": (_request, response) => response.end("x".repeat(1024 * 1024 + 1)),
      "/empty": (_request, response) => response.end(),
      "/busy": (_request, response) => response.writeHead(503).end(),
    };
    const { id } = await createFrom(path);
    await drained();
    expect((await find(id)).status).toBe("error");
    expect((await find(id, "errors/")).results).toMatchObject([{ message }]);
    const waited = times > 1 ? [{ step: "postponed", outcome: "done", message, next: "fetched" }] : [];
    expect((await find(id, "receipts/")).results).toMatchObject([
      ...waited,
      { step: "fetched", outcome: "failed", message, next: null },
    ]);
    expect(requested()).toHaveLength(times);
    expect(await app.context.files.stat(`documents/${id}/minutes.pdf`)).toBeNull();
    expect(await waiting()).toBe(0);
  });

  it("reports the same for addresses inside the network as for an unknown host name", async () => {
    answers["/away"] = (_request, response) => {
      response.writeHead(302, { location: `${inside.url}/latest/meta-data/` }).end();
    };
    answers["/broken"] = ({ socket }) => socket.destroy();
    const made = [
      await createFrom("", { file_url: `${inside.url}/` }),
      await createFrom("", { file_url: `http://localhost:${inside.port}/` }),
      await createFrom("", { file_url: "http://169.254.169.254/latest/meta-data/" }),
      await createFrom("", { file_url: "http://10.1.2.3/" }),
      await createFrom("", { file_url: "http://nobody.invalid/" }),
      await createFrom("/away"),
    ];
    const unanswered = await createFrom("/broken");
    await drained();
    const message = "The address of the file leads to nothing on the public internet";
    for (const { id } of made) {
      expect((await find(id)).status).toBe("error");
      expect((await find(id, "errors/")).results).toMatchObject([{ message }]);
    }
    expect((await find(unanswered.id, "errors/")).results).toMatchObject([
      { message: "The server at the address of the file does not answer, or not as a web server should" },
    ]);
    expect(inside.connections()).toBe(0);
  });

  it("refuses addresses that can never be fetched", async () => {
    const before = await waiting();
    const create = (value: unknown): Promise<Reply> => send(owner, "POST", "/api/documents/", value);
    const title = "Minutes";
    const wrong = [
      ["", "This field may not be blank."],
      ["minutes.pdf", "Enter a valid URL."],
      ["file:///etc/passwd", "Enter a valid URL."],
      ["http://[::1", "Enter a valid URL."],
      ["ftp://example.org/a.pdf", "Files are fetched from http:// and https:// addresses only."],
      ["https://user:secret@example.org/a.pdf", "The address may not have a user name or a password in it."],
      [`https://example.org/${"a".repeat(4096)}`, "Ensure this field has no more than 4096 characters."],
      [["https://example.org/"], "Not a valid string."],
    ];
    for (const [file_url, message] of wrong) {
      expect(await create({ title, file_url })).toMatchObject({ status: 400, body: { file_url: [message] } });
    }
    for (const [name, value] of [
      ["force_ocr", true],
      ["ocr_engine", "tess4"],
    ] as const) {
      const body = { non_field_errors: [`\`${name}\` may only be used if \`file_url\` is set`] };
      expect(await create({ title, [name]: value })).toMatchObject({ status: 400, body });
    }
    const file_url = `${remote.url}/never`;
    expect(await create([{ title, file_url }, { title: "" }])).toMatchObject({
      status: 400,
      body: [{}, { title: ["This field may not be blank."] }],
    });
    expect((await create({ file_url })).body).toEqual({ title: ["This field is required."] });
    expect((await send(null, "POST", "/api/documents/", { title, file_url })).status).toBe(403);
    expect((await create({ title, file_url: null, force_ocr: false })).body).toHaveProperty("presigned_url");
    expect(await waiting()).toBe(before);
    expect(requested()).toEqual([]);
  });

  it("does not delay the processing of other files, however slow it is", async () => {
    const slow = Array.from({ length: 6 }, (_, index) => held(`/slow-${index}`));
    for (const [index] of slow.entries()) await createFrom(`/slow-${index}`);
    await vi.waitFor(() => expect(requested()).toHaveLength(4), soon);
    const { id, presigned_url: address } = (
      await send(owner, "POST", "/api/documents/", { title: "Minutes" })
    ).body;
    await fetch(address, { method: "PUT", body: pdf });
    await send(owner, "POST", `${record(id)}process/`);
    await vi.waitFor(async () => expect((await find(id)).status).toBe("success"), soon);
    expect(requested()).toHaveLength(4);
    for (const one of slow) one.letGo();
    await drained();
    expect(requested()).toHaveLength(6);
  });
});

import { readdir, rm, writeFile } from "node:fs/promises";
import type http from "node:http";
import path from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { LeaseLostError } from "../../../jobs/lease.ts";
import type { JobRunner } from "../../../jobs/runner.ts";
import { addDocuments } from "../../../testing/factories.ts";
import { jobOn, runAll } from "../../../testing/job-queue.ts";
import { type Person } from "../../../testing/people.ts";
import { buildPdf } from "../../../testing/pdf.ts";
import type { Encryption } from "../../../testing/pdf-encryption.ts";
import { startRemoteServer } from "../../../testing/remote-server.ts";
import { type Reply } from "../../../testing/requests.ts";
import { isInFull } from "../../../testing/runs.ts";
import { engines, useApp, useStarted } from "../../../testing/test-app.ts";
import { buildWorker } from "../../../worker.ts";
import type { SignedInViewer } from "../../../http/request/viewer.ts";
import { findKnownUser } from "../../users/viewer-store.ts";
import { examineDocuments } from "../processing/examine-documents.ts";
import { replaceFileOfDocument } from "../rewriting/replace-file.ts";
import { fetchReplacement } from "./fetch-replacement.ts";
import { receiveReplacement } from "./receive-replacement.ts";

const record = (id: number): string => `/api/documents/${id}/`;

const pdfOf = (name: string, pages: number, encrypted?: Encryption): Uint8Array =>
  buildPdf({
    pages: Array.from({ length: pages }, (_, page) => ({
      width: 600,
      height: 800,
      lines: [`${name} ${page}`],
    })),
    ...(encrypted !== undefined && { encrypted }),
  });

describe.each(engines)("replacing a document's file on %s", (engine) => {
  /** The responses of the remote server by path. All other paths answer with 404. */
  let answers: Record<string, http.RequestListener> = {};
  const remote = useStarted(() =>
    startRemoteServer((request, response) => {
      const answer = answers[request.url ?? ""];
      if (answer === undefined) response.writeHead(404).end();
      else answer(request, response);
    }),
  );
  const app = useApp(engine, () => ({ QUIRE_FETCH_ALLOWED_HOSTS: `127.0.0.1:${remote.port}` }));
  const owner = app.person("owner", { organizations: [1] });
  const colleague = app.person("colleague", { organizations: [1] });
  const stranger = app.person("stranger", { organizations: [2] });
  const { send } = app;
  let worker: JobRunner;
  beforeAll(() => {
    worker = buildWorker(app.context);
  });

  const stored = (): Promise<string[]> =>
    readdir(path.join(app.context.config.data, "files"), { recursive: true });

  const work = (): Promise<void> => runAll(worker, app.context.database);

  async function sendFile(
    target: string,
    name: string,
    bytes: Uint8Array | string,
    fields: Record<string, string> = {},
    person = owner,
  ): Promise<Pick<Reply, "status" | "body">> {
    const form = new FormData();
    for (const [field, value] of Object.entries(fields)) form.append(field, value);
    form.append("file", new Blob([typeof bytes === "string" ? bytes : new Uint8Array(bytes)]), name);
    const answer = await app.fetch(target, { method: "POST", body: form, headers: person.headers });
    return { status: answer.status, body: await answer.json() };
  }

  const replace = (
    id: number,
    name: string,
    bytes: Uint8Array | string,
    fields: Record<string, string> = {},
    person = owner,
  ) => sendFile(`${record(id)}file/`, name, bytes, fields, person);

  async function processed(name: string, bytes: Uint8Array | string, fields = {}): Promise<number> {
    const { body } = await sendFile("/api/documents/", name, bytes, fields);
    await work();
    return body.id as number;
  }

  const get = async (id: number, person = owner) => (await send(person, "GET", record(id))).body;
  const asset = async (id: number, name: string): Promise<{ status: number; bytes: Buffer }> => {
    const answer = await app.fetch(`/files/documents/${id}/${name}`, { headers: owner.headers });
    return { status: answer.status, bytes: Buffer.from(await answer.arrayBuffer()) };
  };
  const texts = async (id: number, slug: string): Promise<string[]> => {
    const { bytes } = await asset(id, `${slug}.txt.json`);
    const { pages } = JSON.parse(String(bytes)) as { pages: { contents: string }[] };
    return pages.map(({ contents }) => contents.trim());
  };
  const found = async (words: string): Promise<number[]> => {
    const { body } = await send(owner, "GET", `/api/documents/search/?q=${encodeURIComponent(words)}`);
    return body.results.map((result: { id: string }) => Number(result.id));
  };
  const errors = async (id: number): Promise<string[]> =>
    (await send(owner, "GET", `${record(id)}errors/`)).body.results.map(
      (one: { message: string }) => one.message,
    );

  it("keeps everything but the file and what was read from it", async () => {
    const old = pdfOf("Oldwords", 3);
    const id = await processed("Report.pdf", old, { access: "public", source: "The clerk" });
    const add = async (what: string, value: object): Promise<unknown> =>
      (await send(owner, "POST", `${record(id)}${what}/`, value)).body;
    await add("notes", { title: "First", page_number: 0, x1: 0.1, x2: 0.2, y1: 0.1, y2: 0.2 });
    await add("notes", { title: "Last", page_number: 2, content: "Kept" });
    await add("sections", { title: "The end", page_number: 2 });
    await send(owner, "PUT", `${record(id)}data/box/`, { values: ["7"] });
    const parts = async () => [
      (await send(owner, "GET", `${record(id)}notes/`)).body.results,
      (await send(owner, "GET", `${record(id)}sections/`)).body.results,
    ];
    const partsBefore = await parts();
    const before = await get(id);
    expect((await asset(id, "pages/report-p1-small.gif")).status).toBe(200);

    const bytes = pdfOf("Newwords", 2);
    expect(await replace(id, "Another name.pdf", bytes, {}, colleague)).toEqual({ status: 200, body: "OK" });
    // The old file stays readable until the new one is read, for everyone.
    expect((await send(null, "GET", record(id))).body).toMatchObject({ status: "readable", page_count: 3 });
    expect((await asset(id, "report.pdf")).bytes.equals(old)).toBe(true);
    expect(await found("Oldwords")).toEqual([id]);
    await work();

    const after = await get(id);
    const { file_hash, page_count, page_spec, updated_at, ...same } = after;
    expect([page_count, file_hash === before.file_hash, updated_at > before.updated_at]).toEqual([
      2,
      false,
      true,
    ]);
    expect(page_spec).not.toBe(before.page_spec);
    expect(before).toMatchObject(same);
    expect(await parts()).toEqual(partsBefore);
    // A note without a page can still be changed.
    const last = `${record(id)}notes/${partsBefore[0].at(-1).id}/`;
    expect((await send(owner, "PATCH", last, { content: "Still here" })).status).toBe(200);
    expect(await texts(id, "report")).toEqual(["Newwords 0", "Newwords 1"]);
    expect((await asset(id, "report.pdf")).bytes.equals(Buffer.from(bytes))).toBe(true);
    expect([await found("Oldwords"), await found("Newwords")]).toEqual([[], [id]]);
    expect((await asset(id, "pages/report-p3.txt")).status).toBe(404);

    const [entry] = (await send(owner, "GET", `${record(id)}history/`)).body.results;
    expect(entry).toMatchObject({
      action: "replaced",
      user: colleague.id,
      changes: { page_count: { from: 3, to: 2 }, file_hash: { from: before.file_hash, to: file_hash } },
    });
    const receipts = (await send(owner, "GET", `${record(id)}receipts/`)).body.results;
    expect(receipts.map(({ step }: { step: string }) => step).slice(-6)).toEqual([
      "received",
      "stored",
      "read",
      "rendered",
      "indexed",
      "replaced",
    ]);
    expect(receipts.at(-1)).toMatchObject({ outcome: "done", pages: 2, notes_beyond: 1, sections_beyond: 1 });
    // Nothing of the old file is left in the store.
    expect((await stored()).filter((name) => name.includes(before.file_hash))).toEqual([]);
    const list = (await send(null, "GET", `/api/documents/?id__in=${id}`)).body.results;
    expect(list).toMatchObject([{ id, page_count: 2, file_hash }]);
  });

  it("can be cancelled, and is by deleting the document: the old file stays", async () => {
    const id = await processed("stays.pdf", pdfOf("Stays", 1), { access: "public" });
    await replace(id, "stays.pdf", pdfOf("Comes", 1));
    expect((await send(owner, "DELETE", `${record(id)}process/`)).status).toBe(200);
    expect((await send(null, "GET", record(id))).body).toMatchObject({ status: "success" });
    expect(await errors(id)).toEqual(["Processing was cancelled"]);
    await work();
    await replace(id, "stays.pdf", pdfOf("Comes", 1));
    await send(owner, "DELETE", record(id));
    await work();
    await send(owner, "POST", "/api/documents/trash/restore/", { ids: [id] });
    await work();
    expect(await get(id)).toMatchObject({ status: "success", access: "public" });
    expect(await texts(id, "stays")).toEqual(["Stays 0"]);
  });

  it("is refused while the file is in work, and blocks other work on it", async () => {
    const id = await processed("busy.pdf", pdfOf("Busy", 1));
    await send(owner, "POST", `${record(id)}process/`, {});
    expect(await replace(id, "busy.pdf", pdfOf("New", 1))).toEqual({
      status: 400,
      body: { error: `Already processing: ${id}` },
    });
    await work();
    await replace(id, "busy.pdf", pdfOf("New", 1));
    const box = { x1: 0, x2: 0.5, y1: 0, y2: 0.5, page_number: 0 };
    for (const [what, value] of [
      ["process", {}],
      ["redactions", [box]],
      ["modifications", [{ page: "0" }]],
    ] as const)
      expect((await send(owner, "POST", `${record(id)}${what}/`, value)).status).toBe(400);
    expect((await replace(id, "busy.pdf", pdfOf("Another", 1))).status).toBe(400);
    await work();
    expect(await texts(id, "busy")).toEqual(["New 0"]);
  });

  it("replaces once if several files come at the same time", async () => {
    const id = await processed("race.pdf", pdfOf("Old", 1));
    const files = [0, 1, 2, 3].map((number) => replace(id, "race.pdf", pdfOf(`Runner ${number}`, 1)));
    const statuses = (await Promise.all(files)).map(({ status }) => status);
    expect(statuses.toSorted((left, right) => left - right)).toEqual([200, 400, 400, 400]);
    await work();
    expect(await texts(id, "race")).toEqual([`Runner ${statuses.indexOf(200)} 0`]);
  });

  it("survives workers that die at any point", async () => {
    const id = await processed("dies.csv", "The first text");
    const bytes = pdfOf("Second", 2);
    await replace(id, "dies.pdf", bytes);
    const never = new AbortController().signal;
    const before = await get(id);
    for (let allowed = 0; ; allowed++) {
      let held = 0;
      const job = {
        ...jobOn(id, async () => {
          held += 1;
          if (held > allowed) throw new Error("died");
        }),
        options: { replaced: "csv" },
      };
      const end = await replaceFileOfDocument(app.context, job, never).then(
        () => "done",
        (error: Error) => error.message,
      );
      if (end === "done") break;
      expect(end).toBe("died");
      expect(await get(id)).toEqual(before);
    }
    await work();
    expect(await get(id)).toMatchObject({ status: "success", original_extension: "pdf", page_count: 2 });
    expect(await texts(id, "dies")).toEqual(["Second 0", "Second 1"]);
    expect((await asset(id, "dies.pdf")).bytes.equals(Buffer.from(bytes))).toBe(true);
    expect((await stored()).some((name) => name.endsWith("dies.csv"))).toBe(false);
  });

  // What is read and fetched, which no engine can change.
  if (!isInFull(engine)) return;

  it("takes a file of another type, and leaves no address to the old one", async () => {
    const id = await processed("letter.txt", "The harbour letter");
    expect((await asset(id, "original/letter.txt")).status).toBe(200);
    await replace(id, "letter.csv", "name,box\nHarbour,7\n");
    await work();
    expect(await get(id)).toMatchObject({ status: "success", original_extension: "csv" });
    expect((await asset(id, "original/letter.txt")).status).toBe(404);
    expect(String((await asset(id, "original/letter.csv")).bytes)).toContain("Harbour,7");
    const bytes = pdfOf("As a PDF", 1);
    await replace(id, "scan", bytes, { original_extension: "pdf" });
    await work();
    expect(await get(id)).toMatchObject({ status: "success", original_extension: "pdf", page_count: 1 });
    for (const name of ["original/letter.csv", "original/letter.txt", "original/letter.pdf"])
      expect((await asset(id, name)).status).toBe(404);
    expect((await asset(id, "letter.pdf")).bytes.equals(Buffer.from(bytes))).toBe(true);
    const files = (await stored()).filter(
      (name) => name.startsWith(`documents/${id}/`) && /\.\w+$/.test(name),
    );
    expect(files.filter((name) => !name.includes("/images/"))).toEqual([`documents/${id}/letter.pdf`]);
    // It is known by the hash of the new file alone.
    const { changes } = (await send(owner, "GET", `${record(id)}history/`)).body.results[0];
    expect(changes.original_extension).toEqual({ from: "csv", to: "pdf" });
  });

  it("does nothing to the document if the new file cannot be read, and says why", async () => {
    const bytes = pdfOf("Unchanged", 2);
    const id = await processed("kept.pdf", bytes, { access: "public" });
    const before = await get(id);
    await replace(id, "kept.pdf", "This is not a PDF at all");
    await work();
    const { updated_at: _, ...same } = await get(id, stranger);
    expect(before).toMatchObject({ ...same, edit_access: true });
    expect(same.status).toBe("success");
    expect(await errors(id)).toEqual([expect.stringMatching(/PDF/)]);
    expect((await asset(id, "kept.pdf")).bytes.equals(Buffer.from(bytes))).toBe(true);
    expect(await texts(id, "kept")).toEqual(["Unchanged 0", "Unchanged 1"]);
    expect(await found("Unchanged")).toEqual([id]);
  });

  it("repairs a document whose first file could not be read", async () => {
    const id = await processed("broken.pdf", "Not a PDF");
    expect(await get(id)).toMatchObject({ status: "error" });
    await replace(id, "broken.pdf", "Not a PDF either");
    expect(await get(id)).toMatchObject({ status: "pending" });
    await work();
    expect(await get(id)).toMatchObject({ status: "error", page_count: 0 });
    await replace(id, "whole.pdf", pdfOf("Whole", 1));
    await work();
    expect(await get(id)).toMatchObject({ status: "success", page_count: 1 });
    expect(await texts(id, "broken")).toEqual(["Whole 0"]);
  });

  it("gives a document without a file its first one", async () => {
    const { body } = await send(owner, "POST", "/api/documents/", { title: "Waits" });
    await replace(body.id, "come.pdf", pdfOf("It came", 1));
    await work();
    expect(await get(body.id)).toMatchObject({ status: "success", page_count: 1 });
  });

  it("opens a PDF with the password that comes with it", async () => {
    const id = await processed("locked.pdf", pdfOf("Open", 1));
    const locked = pdfOf("Secret", 1, { kind: "aes-256", userPassword: "the word" });
    await replace(id, "locked.pdf", locked);
    await work();
    expect(await errors(id)).toEqual(["encrypted: it opens with a password only"]);
    await replace(id, "locked.pdf", locked, { password: "the word" });
    await work();
    expect(await texts(id, "locked")).toEqual(["Secret 0"]);
  });

  it("is refused to those who may not edit the document, and without a proper file", async () => {
    const id = await processed("mine.pdf", pdfOf("Mine", 1), { access: "public" });
    const statusFor = async (person: Person, target = id): Promise<number> =>
      (await replace(target, "mine.pdf", pdfOf("Theirs", 1), {}, person)).status;
    expect(await statusFor(stranger)).toBe(403);
    await send(owner, "PATCH", record(id), { access: "private" });
    expect([await statusFor(stranger), await statusFor(owner, 99_999)]).toEqual([404, 404]);
    expect((await replace(id, "mine.exe", "MZ")).body).toEqual({
      original_extension: ['"exe" is not a valid choice.'],
    });
    expect((await replace(id, "mine.pdf", "")).status).toBe(400);
    const form = new FormData();
    form.append("force_ocr", "true");
    const answer = await app.fetch(`${record(id)}file/`, {
      method: "POST",
      body: form,
      headers: owner.headers,
    });
    expect([answer.status, await answer.json()]).toEqual([400, { file: ["No file was submitted."] }]);
    const [elsewhere = 0] = await addDocuments(app.context, [
      { user_id: owner.id, asset_url: "https://files.example.org/" },
    ]);
    expect((await replace(elsewhere, "a.pdf", pdfOf("A", 1))).body.error).toContain("another server");
    expect(await texts(id, "mine")).toEqual(["Mine 0"]);
  });

  it("leaves nothing of a file that is refused after it has arrived", async () => {
    const id = await processed("refused.pdf", pdfOf("Stays", 1));
    const { context } = app;
    const local = path.join(context.config.data, "refused.pdf");
    await writeFile(local, pdfOf("Never", 1));
    // The document is deleted while the store writes the file.
    const files = new Proxy(context.files, {
      get(store, name) {
        if (name !== "put") return Reflect.get(store, name, store).bind(store);
        return async (key: string, source: AsyncIterable<Uint8Array>) => {
          await store.put(key, source);
          await send(owner, "DELETE", record(id));
        };
      },
    });
    const replacing = { extension: "pdf", processOptions: {} };
    const known = await findKnownUser(context.database, { id: owner.id });
    const viewer = {
      ...known!.viewer,
      mayWrite: true,
      hasPersonalToken: false,
      csrfToken: null,
    } as SignedInViewer;
    await expect(receiveReplacement({ ...context, files }, viewer, id, local, replacing)).rejects.toThrow(
      "Not found.",
    );
    await rm(local);
    await work();
    await send(owner, "POST", "/api/documents/trash/restore/", { ids: [id] });
    expect(await get(id)).toMatchObject({ status: "success" });
  });

  const replaceFrom = (id: number, value: object, person: Person = owner): Promise<Reply> =>
    send(person, "POST", `${record(id)}file/`, value);

  it("fetches the new file from an address, and changes nothing before it has been read", async () => {
    const old = pdfOf("Before", 3);
    const id = await processed("Fetched.pdf", old, { access: "public" });
    const before = await get(id);
    const bytes = Buffer.from(pdfOf("After", 1, { kind: "aes-256", userPassword: "the word" }));
    const asked = Promise.withResolvers<http.ServerResponse>();
    answers = { "/scan?key=hidden": (_request, response) => asked.resolve(response) };
    const value = { file_url: `${remote.url}/scan?key=hidden`, password: "the word" };
    expect(await replaceFrom(id, value, colleague)).toMatchObject({ status: 200, body: "OK" });
    worker.start();
    const response = await asked.promise;
    response.write(bytes.subarray(0, 10));
    expect((await send(null, "GET", record(id))).body).toMatchObject({ status: "readable", page_count: 3 });
    expect((await asset(id, "fetched.pdf")).bytes.equals(old)).toBe(true);
    for (const again of [replaceFrom(id, value), replace(id, "a.pdf", pdfOf("A", 1))])
      expect((await again).body).toEqual({ error: `Already processing: ${id}` });
    response.end(bytes.subarray(10));
    await work();

    expect(await get(id)).toMatchObject({ status: "success", page_count: 1, title: before.title });
    expect(await texts(id, "fetched")).toEqual(["After 0"]);
    const { results: receipts } = (await send(owner, "GET", `${record(id)}receipts/`)).body;
    const fetched = receipts.find(({ step }: { step: string }) => step === "fetched");
    expect(fetched).toMatchObject({ bytes: bytes.length, host: `127.0.0.1:${remote.port}` });
    expect(receipts.at(-1)).toMatchObject({ step: "replaced", outcome: "done", pages: 1 });
    const { results: history } = (await send(owner, "GET", `${record(id)}history/`)).body;
    expect(history[0]).toMatchObject({ action: "replaced", user: colleague.id });
    // The address and the password may open more than this file.
    const rows = ["document_rewrites", "jobs"] as const;
    const left = rows.map((table) => app.context.database.reader.selectFrom(table).selectAll().execute());
    const shown = JSON.stringify([receipts, history, app.logged, await Promise.all(left)]);
    expect(shown).not.toMatch(/hidden|the word/);
  });

  it("gives a document that never had a readable file one from an address, of the type that comes", async () => {
    const id = await processed("table.pdf", "Not a PDF");
    answers = {
      "/rows": (_request, response) => response.setHeader("content-type", "text/csv").end("a,b\n"),
    };
    await replaceFrom(id, { file_url: `${remote.url}/rows` });
    expect(await get(id)).toMatchObject({ status: "pending" });
    await work();
    expect(await get(id)).toMatchObject({ status: "success", original_extension: "csv" });
    expect(String((await asset(id, "original/table.csv")).bytes)).toBe("a,b\n");
  });

  it("does nothing to the document if the file cannot be fetched or read, and says why", async () => {
    const bytes = pdfOf("Unfetched", 2);
    const id = await processed("unfetched.pdf", bytes, { access: "public" });
    const before = await get(id);
    answers = {
      "/wrong": (_request, response) => response.end("This is not a PDF at all"),
      "/away": (_request, response) => response.writeHead(302, { location: "http://10.1.2.3/" }).end(),
    };
    const notPublic = "The address of the file leads to nothing on the public internet";
    const reasons = {
      [`${remote.url}/gone`]: "The address of the file answered with HTTP status 404",
      "http://169.254.169.254/latest/meta-data/": notPublic,
      [`${remote.url}/away`]: notPublic,
      [`${remote.url}/wrong`]: expect.stringMatching(/PDF/),
    };
    for (const [file_url, reason] of Object.entries(reasons)) {
      expect((await replaceFrom(id, { file_url })).status).toBe(200);
      await work();
      const { updated_at: _, ...same } = await get(id, stranger);
      expect(before).toMatchObject({ ...same, edit_access: true });
      expect((await errors(id)).at(-1)).toEqual(reason);
    }
    const { results: receipts } = (await send(owner, "GET", `${record(id)}receipts/`)).body;
    expect(receipts.at(-1)).toMatchObject({ step: "replaced", outcome: "failed" });
    expect((await asset(id, "unfetched.pdf")).bytes.equals(Buffer.from(bytes))).toBe(true);
    expect(await texts(id, "unfetched")).toEqual(["Unfetched 0", "Unfetched 1"]);
  });

  it("stops fetching when it is cancelled, and takes another file then", async () => {
    const id = await processed("stopped.pdf", pdfOf("Stopped", 1));
    const asked = Promise.withResolvers<http.ServerResponse>();
    answers = {
      "/slow.pdf": (_request, response) => {
        response.write("%PDF");
        asked.resolve(response);
      },
    };
    await replaceFrom(id, { file_url: `${remote.url}/slow.pdf` });
    worker.start();
    const response = await asked.promise;
    expect((await send(stranger, "DELETE", `${record(id)}process/`)).status).toBe(404);
    expect((await send(owner, "DELETE", `${record(id)}process/`)).status).toBe(200);
    expect(await get(id)).toMatchObject({ status: "success" });
    expect(await errors(id)).toEqual(["Processing was cancelled"]);
    await work();
    await expect.poll(() => response.destroyed).toBe(true);
    expect(await replace(id, "stopped.pdf", pdfOf("Another", 1))).toMatchObject({ status: 200 });
    await work();
    expect(await texts(id, "stopped")).toEqual(["Another 0"]);
  });

  it("takes either a file or an address, which it checks", async () => {
    const id = await processed("asked.pdf", pdfOf("Asked", 1), { access: "public" });
    const file_url = `${remote.url}/a.pdf`;
    const refusals: [object, object][] = [
      [{}, { file: ["No file was submitted."] }],
      [{ file_url: null }, { file: ["No file was submitted."] }],
      [{ file_url: "" }, { file_url: ["This field may not be blank."] }],
      [{ file_url: "file:///etc/passwd" }, { file_url: ["Enter a valid URL."] }],
      [{ file_url, original_extension: "exe" }, { original_extension: ['"exe" is not a valid choice.'] }],
    ];
    for (const [value, body] of refusals)
      expect(await replaceFrom(id, value)).toMatchObject({ status: 400, body });
    expect(await replace(id, "a.pdf", pdfOf("A", 1), { file_url })).toEqual({
      status: 400,
      body: { file_url: ["Send either a file or its address, not both."] },
    });
    expect((await replaceFrom(id, { file_url }, stranger)).status).toBe(403);
    expect((await replaceFrom(99_999, { file_url })).status).toBe(404);
    expect(await get(id)).toMatchObject({ status: "success" });
  });

  it("survives workers that die while they fetch the file", async () => {
    const id = await processed("taken.pdf", pdfOf("First", 1));
    const bytes = pdfOf("Taken over", 1);
    let type = "text/csv";
    answers = { "/taken": (_request, response) => response.setHeader("content-type", type).end(bytes) };
    await replaceFrom(id, { file_url: `${remote.url}/taken` });
    const never = new AbortController().signal;
    for (let allowed = 0; ; allowed++) {
      let held = 0;
      const job = jobOn(id, async () => {
        held += 1;
        if (held > allowed) throw new LeaseLostError();
      });
      const end = await fetchReplacement(app.context, job, never).then(
        () => "done",
        (error: Error) => error,
      );
      if (end === "done") break;
      expect(end).toBeInstanceOf(LeaseLostError);
      // The first one that stored the file received it as another type.
      if (allowed > 0) type = "application/pdf";
    }
    await work();
    expect(await get(id)).toMatchObject({ status: "success", original_extension: "pdf" });
    expect(await texts(id, "taken")).toEqual(["Taken over 0"]);
  });

  it("has left nothing behind that does not belong to a document", async () => {
    const differences = await Array.fromAsync(examineDocuments(app.context, { hashes: true }));
    expect(differences.map(({ what }) => what)).toEqual([]);
    expect((await stored()).filter((name) => name.includes("replacement"))).toEqual([]);
    expect(await readdir(path.join(app.context.config.data, "uploads"))).toEqual(["done"]);
  });
});

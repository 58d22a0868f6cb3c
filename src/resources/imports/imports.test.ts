import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { Readable } from "node:stream";
import { describe, expect, it } from "vitest";
import type { ImportFile, ImportProgress } from "../../contract/work.ts";
import { importSources } from "../../import/import-sources.ts";
import { ImportReport } from "../../import/report.ts";
import { findSources } from "../../import/sources.ts";
import { processJob } from "../documents/file-facts-store.ts";
import { type Person, beginSession } from "../../testing/people.ts";
import { buildBrokenPdf, buildPdf } from "../../testing/pdf.ts";
import { sendAs } from "../../testing/requests.ts";
import { sendFile } from "../../testing/sent-files.ts";
import { engines, useApp } from "../../testing/test-app.ts";
import { useFolder } from "../../testing/use-folder.ts";
import { useWorker } from "../../testing/use-worker.ts";
import { buildZip } from "../../testing/zip.ts";

const pdf = (line: string): Uint8Array => buildPdf({ pages: [{ width: 300, height: 200, lines: [line] }] });
const quiet = { update: () => undefined, note: () => undefined, finish: () => undefined };

const mail = [
  "From: zoe@example.org",
  "Subject: The offer",
  'Content-Type: multipart/mixed; boundary="x"',
  "",
  "--x",
  'Content-Disposition: attachment; filename="list.txt"',
  "",
  "Seven barrels",
  "--x--",
].join("\r\n");

describe.each(engines)("imports on %s", (engine) => {
  const app = useApp(engine);
  const worker = useWorker(app);
  const ada = app.person("ada", { organizations: [1] });
  const bob = app.person("bob", { organizations: [1] });
  const folder = useFolder("imports");

  async function importFolder(name: string, signal = new AbortController().signal): Promise<number> {
    const named = [path.join(folder, name)];
    const { sources, others } = await findSources(named, Readable.from([]));
    const report = new ImportReport(quiet);
    for (const { name: file, reason, sort } of others) report.skip(file, reason, sort);
    return importSources(app.context, sources, {
      owner: { user: "ada", organization: null, project: null },
      named,
      access: null,
      language: null,
      ownAssets: "https://docs.example.org/files/",
      userAgent: "Quire/1.2.3",
      signal,
      report,
    });
  }

  async function progressOf(id: number, person = ada): Promise<ImportProgress> {
    const { status, body } = await sendAs(app, person, "GET", `/api/imports/${id}/`);
    expect([status, body]).toEqual([200, body]);
    return body as ImportProgress;
  }

  async function filesOf(id: number, query = ""): Promise<string[]> {
    const files: ImportFile[] = [];
    let next: string | null = `/api/imports/${id}/files/?per_page=2&${query}`;
    while (next !== null) {
      const { body } = await sendAs(app, ada, "GET", next);
      files.push(...body.results);
      next = body.next === null ? null : body.next.slice(body.next.indexOf("/api/"));
    }
    return files.map(
      ({ path: file, state, reason }) => `${file} ${state}${reason === null ? "" : `: ${reason}`}`,
    );
  }

  const receipts = async (id: number): Promise<Record<string, unknown>[]> =>
    (await sendAs(app, ada, "GET", `/api/documents/${id}/receipts/?per_page=100`)).body.results;

  const latest = async () => (await sendAs(app, ada, "GET", "/api/imports/")).body.results[0];

  const setMore = (values: { outcome?: null; ended_at?: null; updated_at?: string }, name = "more") =>
    app.context.database.write((writer) =>
      writer.updateTable("imports").set(values).where("name", "=", name).execute(),
    );

  it("of a folder says what has become of each file, and has documents read again", async () => {
    await mkdir(path.join(folder, "leak", "2024"), { recursive: true });
    const put = (name: string, bytes: Uint8Array | string): Promise<void> =>
      writeFile(path.join(folder, "leak", name), bytes);
    await put("2024/minutes.pdf", pdf("The harbour"));
    await put("broken.pdf", buildBrokenPdf());
    await put("copy.pdf", pdf("The harbour"));
    await put("sheet.xlsx", "not a sheet");
    await put("tool.exe", "MZ");
    const id = await importFolder("leak");
    await worker.drain();
    const progress = await progressOf(id);
    expect(progress).toMatchObject({
      kind: "files",
      name: "leak",
      user: ada.id,
      document: null,
      state: "done",
      seen: 5,
      added: 2,
      changed: 0,
      known: 1,
      skipped: 1,
      failed: 1,
      waiting: 0,
      read: 1,
      unreadable: 1,
      deleted: 0,
      seconds_left: 0,
    });
    expect(
      progress.kinds.map(({ extension, read, known, failed }) => [extension, read, known, failed]),
    ).toEqual([
      ["pdf", 1, 1, 1],
      ["exe", 0, 0, 0],
      ["xlsx", 0, 0, 0],
    ]);
    const all = await filesOf(id);
    expect(all.map((line) => line.replace(/:.*/, "")).toSorted()).toEqual([
      "leak/2024/minutes.pdf read",
      "leak/broken.pdf failed",
      "leak/copy.pdf known",
      "leak/sheet.xlsx unreadable",
      "leak/tool.exe skipped",
    ]);
    expect(all.find((line) => line.includes("sheet"))).toMatch(/unreadable: .{10}/);
    expect(await filesOf(id, "state=failed,skipped")).toHaveLength(2);
    expect(await filesOf(id, "state=read&extension=PDF")).toEqual(["leak/2024/minutes.pdf read"]);
    expect((await sendAs(app, ada, "GET", `/api/imports/${id}/files/?state=lost`)).status).toBe(400);

    // Nobody else learns of it.
    for (const target of ["", "files/"])
      expect((await sendAs(app, bob, "GET", `/api/imports/${id}/${target}`)).status).toBe(404);
    expect((await sendAs(app, bob, "POST", `/api/imports/${id}/process/`, {})).status).toBe(404);
    expect((await sendAs(app, bob, "GET", "/api/imports/")).body.results).toEqual([]);

    // The chosen documents alone are read again.
    const { body: found } = await sendAs(app, ada, "GET", `/api/imports/${id}/files/?state=read`);
    const [{ document: minutes = 0 } = {}] = found.results;
    const again = async (value: object): Promise<number> => {
      const before = (await receipts(minutes)).filter(({ step }) => step === "read").length;
      expect((await sendAs(app, ada, "POST", `/api/imports/${id}/process/`, value)).status).toBe(202);
      await worker.drain();
      return (await receipts(minutes)).filter(({ step }) => step === "read").length - before;
    };
    expect(await again({})).toBe(0);
    expect(await again({ which: "all", extension: "xlsx" })).toBe(0);
    expect(await again({ which: "all", older: true })).toBe(0);
    expect(await again({ which: "all", extension: "PDF" })).toBe(1);
    await app.context.database.write((writer) =>
      writer.updateTable("document_receipts").set({ details: "{}" }).where("step", "=", "read").execute(),
    );
    expect(await again({ which: "all", older: true })).toBe(1);
    await sendAs(app, ada, "DELETE", `/api/documents/${minutes}/`);
    expect(await progressOf(id)).toMatchObject({ read: 0, deleted: 1 });
    expect((await filesOf(id)).join()).not.toContain("minutes");
  });

  it("of an archive goes on with what is in the things in it, and follows the archive", async () => {
    const bytes = buildZip({ "one.eml": mail, "two.txt": "Two", "three.pdf": buildBrokenPdf() });
    const archive = await sendFile(app, ada, { extension: "zip", bytes: Buffer.from(bytes) }, "Box");
    await worker.drain();
    const [{ id }] = (await sendAs(app, ada, "GET", "/api/imports/")).body.results;
    expect(await progressOf(id)).toMatchObject({
      kind: "container",
      name: "Box",
      document: archive,
      user: ada.id,
      state: "done",
      seen: null,
      added: 4,
      skipped: 0,
      failed: 0,
      read: 3,
      unreadable: 1,
    });
    expect((await filesOf(id, "state=unreadable")).join()).toMatch(/^three\.pdf unreadable: /);
    const page = await (
      await app.fetch(`/documents/${archive}-box/`, { headers: { ...ada.headers, accept: "text/html" } })
    ).text();
    expect(page).toContain(`/imports/${id}/`);

    // People who may edit the archive see it, others do not.
    expect((await sendAs(app, bob, "GET", `/api/imports/${id}/`)).status).toBe(404);
    await sendAs(app, ada, "PATCH", `/api/documents/${archive}/`, { access: "organization" });
    expect(await progressOf(id, bob)).toMatchObject({ added: 4 });
    expect((await sendAs(app, bob, "GET", "/api/imports/")).body.results).toEqual([]);

    // Unpacked again, nothing is counted twice.
    await sendAs(app, ada, "POST", `/api/documents/${archive}/process/`);
    await worker.drain();
    expect(await progressOf(id)).toMatchObject({ added: 4, read: 3, state: "done" });
    await sendAs(app, ada, "DELETE", `/api/documents/${archive}/`);
    expect((await sendAs(app, ada, "GET", `/api/imports/${id}/`)).status).toBe(404);
  });

  it("lets a file go first that the same person uploads alone", async () => {
    await worker.drain();
    await worker.stop();
    await mkdir(path.join(folder, "turns"));
    for (const name of ["a", "b", "c"])
      await writeFile(path.join(folder, "turns", `${name}.pdf`), pdf(`Turn ${name}`));
    await importFolder("turns");
    const alone = await sendFile(app, ada, { extension: "pdf", bytes: pdf("Alone") }, "Alone");
    const waiting = app.context.database.reader.selectFrom("jobs").select("subject").orderBy("rank");
    const order = await waiting.where("kind", "=", processJob).execute();
    expect([order.length, order[0]]).toEqual([4, { subject: alone }]);
    worker.start();
    await worker.drain();
  });

  it("that was stopped or killed says so", async () => {
    await mkdir(path.join(folder, "more"));
    await writeFile(path.join(folder, "more", "a.pdf"), pdf("A"));
    await expect(importFolder("more", AbortSignal.abort())).rejects.toThrow("aborted");
    expect(await latest()).toMatchObject({ name: "more", state: "stopped", seen: 1, added: 0 });
    await setMore({ outcome: null, ended_at: null });
    expect(await latest()).toMatchObject({ state: "running" });
    await setMore({ outcome: null, ended_at: null, updated_at: "2001-01-01T00:00:00.000000Z" });
    expect(await latest()).toMatchObject({ state: "interrupted" });
  });

  it("of a folder that a page uploads counts what the page reports, and says when the page is gone", async () => {
    const id = await sendFile(app, ada, { extension: "pdf", bytes: pdf("Uploaded") }, "Uploaded");
    const other = await sendFile(app, bob, { extension: "pdf", bytes: pdf("Bob's") }, "Bob's");
    const opened = await sendAs(app, ada, "POST", "/api/imports/", { name: "Council", seen: 5 });
    expect([opened.status, opened.body]).toMatchObject([201, { kind: "upload", state: "running", seen: 5 }]);
    const address = `/api/imports/${opened.body.id}/files/`;
    const report = (person: Person, value: object) => sendAs(app, person, "POST", address, value);
    const files = [{ path: "Council/a.pdf", outcome: "added", document: id }];
    expect((await report(bob, { files })).status).toBe(404);
    // A page that learns too late that a document is gone goes on.
    for (const document of [other, 900_000]) {
      expect((await report(ada, { files: [{ ...files[0], document }] })).status).toBe(200);
      expect((await sendAs(app, ada, "GET", address)).body.results).toEqual([]);
    }
    expect((await report(ada, { files: [{ path: "a", outcome: "added" }] })).status).toBe(400);
    expect((await report(ada, { files })).body).toMatchObject({ state: "running", added: 3 });
    await setMore({ updated_at: "2001-01-01T00:00:00.000000Z" }, "Council");
    expect(await latest()).toMatchObject({ name: "Council", state: "interrupted" });
    const { cookie } = await beginSession(app.context, ada);
    const headers = { cookie, "accept-language": "en" };
    const page = await (await app.fetch(`/imports/${opened.body.id}/`, { headers })).text();
    expect(page).toContain("stopped: the page of the upload was closed");
    const rest = [
      { path: "Council/a copy.pdf", outcome: "known", document: id },
      { path: "Council/tool.exe", outcome: "skipped", reason: "Not supported" },
    ];
    const ended = await report(ada, { files: rest, ended: "done" });
    expect(ended.body).toMatchObject({ state: "done", seen: 5, added: 3, known: 1, skipped: 1, failed: 0 });
    expect((await report(ada, { files: [] })).status).toBe(400);
    await worker.drain();
    expect(await filesOf(opened.body.id)).toEqual([
      "Council/a.pdf read",
      "Council/a copy.pdf known",
      "Council/tool.exe skipped: Not supported",
    ]);
  });

  it("of a folder counts a report once that is sent again because its answer was lost", async () => {
    const opened = await sendAs(app, ada, "POST", "/api/imports/", { name: "Twice", seen: 3 });
    const report = (value: object) =>
      sendAs(app, ada, "POST", `/api/imports/${opened.body.id}/files/`, value);
    const [a, b, c, d] = ["a", "b", "c", "d"].map((name) => ({
      path: `Twice/${name}`,
      outcome: "skipped",
      reason: "Not supported",
    }));
    const first = { files: [a, b], reported: 0 };
    const last = { files: [c], reported: 2, ended: "done" };
    for (const [value, skipped] of [
      [first, 2],
      [first, 2],
      [last, 3],
      [last, 3],
    ] as const)
      expect([value, (await report(value)).body]).toMatchObject([value, { skipped }]);
    expect((await report({ files: [d], reported: 3 })).status).toBe(400);
    expect((await report({ files: [d], reported: 4 })).body).toEqual({
      reported: ["Only 3 files were reported before."],
    });
    expect(await filesOf(opened.body.id)).toHaveLength(3);
  });

  it("has a page that is read again while it runs, and a form that processes again", async () => {
    const { cookie, "x-csrftoken": csrfToken } = await beginSession(app.context, ada);
    const headers = { cookie, "accept-language": "en" };
    const { results } = (await sendAs(app, ada, "GET", "/api/imports/")).body;
    const { id } = results.find(({ name }: { name: string }) => name === "leak");
    const list = await (await app.fetch("/imports/", { headers })).text();
    expect(list).toContain(`href="/imports/${id}/"`);
    const page = await (await app.fetch(`/imports/${id}/`, { headers })).text();
    expect(page).toMatch(/leak\/sheet\.xlsx[^]*Not readable/);
    expect(page).not.toContain("minutes.pdf");
    const part = await (await app.fetch(`/imports/${id}/?part=page`, { headers })).text();
    expect(part).toMatch(/^<section\s+data-news="[^"]*"\s+data-ended/);
    const form = new URLSearchParams({ csrfmiddlewaretoken: csrfToken, which: "failed", extension: "" });
    const sent = await app.fetch(`/imports/${id}/process/`, {
      method: "POST",
      headers,
      body: form,
      redirect: "manual",
    });
    expect([sent.status, sent.headers.get("location")]).toEqual([303, `/imports/${id}/?done=started`]);
    await worker.drain();
  });
});

import { Readable } from "node:stream";
import { sql } from "kysely";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { documentFileKey } from "../../../files/keys.ts";
import { listJobs } from "../../../jobs/queue.ts";
import { addDocuments, addProject } from "../../../testing/factories.ts";
import type { Person } from "../../../testing/people.ts";
import { buildPdf } from "../../../testing/pdf.ts";
import { engines, startAppOn, useApp } from "../../../testing/test-app.ts";
import { buildWorker } from "../../../worker.ts";
import { processJob } from "../file-facts-store.ts";
import { documentFiles } from "../files/named-files-store.ts";
import { examineDocuments } from "../processing/examine-documents.ts";
import { putPages } from "../pages/page-store.ts";
import { addRewrite, noteResult } from "../processing/rewrite-store.ts";

const trash = "/api/documents/trash/";
const restoring = `${trash}restore/`;
const record = (id: number): string => `/api/documents/${id}/`;
const box = { page: 0, left: 0, right: 1, top: 0, bottom: 0.5 };

describe.each(engines)("the trash on %s", (engine) => {
  const app = useApp(engine, { QUIRE_PROCESSING_WORKERS: "0" });
  const owner = app.person("owner", { organizations: [1] });
  const member = app.person("member", { organizations: [1] });
  const stranger = app.person("stranger", { organizations: [2] });
  const administrator = app.person("root", { organizations: [2], isAdministrator: true });
  beforeEach(async () => {
    await app.context.database.write((writer) => writer.deleteFrom("documents").execute());
  });

  const { send } = app;
  const inTrash = async (person: Person): Promise<number[]> => {
    const { status, body } = await send(person, "GET", `${trash}?per_page=1000`);
    expect(status).toBe(200);
    expect(body.count).toBe(body.results.length);
    return (body.results as { id: number }[]).map(({ id }) => id);
  };
  const actionsOf = async (id: number): Promise<string[]> => {
    const { body } = await send(administrator, "GET", `${record(id)}history/`);
    return (body.results as { action: string }[]).map(({ action }) => action);
  };

  /** Adds a document with a page, a file, a note, a section and a project. */
  async function add(values: object = {}): Promise<number> {
    const [id = 0] = await addDocuments(app.context, [
      { user_id: owner.id, access: "public", data: '{"a":["1"]}', page_count: 1, ...values },
    ]);
    await app.context.database.write((writer) =>
      putPages(writer, id, [
        { page: 0, text: "The harbourmaster of Nine Elms", ocr: null, positions: null },
      ] as never),
    );
    await app.context.files.put(
      documentFileKey(id, "a-document", "pdf"),
      Readable.from([buildPdf({ pages: [{ width: 60, height: 80, lines: ["Harbour"] }] })]),
    );
    const note = { title: "Remark", page_number: 0, access: "public", content: "A harbour note" };
    expect((await send(owner, "POST", `${record(id)}notes/`, note)).status).toBe(201);
    const section = { title: "Opening", page_number: 0 };
    expect((await send(owner, "POST", `${record(id)}sections/`, section)).status).toBe(201);
    await addProject(app.context, {}, [id]);
    return id;
  }

  /** Everything that anyone can read about a document. */
  async function everything(id: number, person: Person | null): Promise<Record<string, unknown>> {
    const texts: Record<string, unknown> = {};
    for (const target of [
      `${record(id)}?expand=~all`,
      `/api/documents/?id__in=${id}`,
      "/api/documents/search/?q=harbourmaster&sort=id",
      `/api/documents/search/?q=harbour&version=2.0&hl=true&sort=id`,
      `/api/documents/search/suggest/?q=harbourm`,
      `${record(id)}notes/`,
      `${record(id)}sections/`,
      `${record(id)}data/`,
      `${record(id)}search/?q=harbour`,
      `/files/documents/${id}/a-document.pdf`,
      `/files/documents/${id}/a-document.txt`,
      `/iiif/${id}/manifest.json`,
      `/api/oembed/?url=${encodeURIComponent(`${app.url}/documents/${id}-a-document/`)}`,
      `/documents/${id}-a-document/`,
      "/documents/feed.atom",
      "/sitemap.xml",
      "/",
    ]) {
      const answer = await app.fetch(target, { headers: { ...person?.headers } });
      const text = await answer.text();
      texts[target] = [answer.status, text.replaceAll(/data-options="[^"]*"|nonce="[^"]*"/g, "")];
    }
    return texts;
  }

  it("hides a deleted document from everyone, and brings it back as it was", async () => {
    const id = await add();
    const others = await add({ title: "Another one", access: "private" });
    const before = [await everything(id, null), await everything(id, owner)];
    const statistics = await send(administrator, "GET", "/api/statistics/");
    expect(await send(owner, "DELETE", record(id))).toMatchObject({ status: 204, body: null });

    for (const person of [null, owner, member, administrator]) {
      const answers = Object.entries(await everything(id, person)) as [string, [number, string]][];
      const named = answers.filter(([target]) =>
        /\/(documents|iiif)\/[1-9]/.test(decodeURIComponent(target)),
      );
      expect(named.map(([target, [status]]) => [target, status])).toEqual(
        named.map(([target]) => [target, 404]),
      );
      expect(named.length).toBeGreaterThan(8);
      for (const [target, [, text]] of answers) {
        // The answer to a search repeats the query.
        expect(text.replaceAll(target, "")).not.toMatch(
          new RegExp(`"id": ?"?${id}[",]|/${id}-a-document|harbourmaster of`),
        );
      }
      for (const method of ["PUT", "PATCH", "DELETE"])
        expect((await send(person, method, record(id), { title: "New" })).status).toBe(
          person === null ? 403 : 404,
        );
    }
    const { body } = await send(administrator, "GET", "/api/statistics/");
    const counts = (answer: any): Record<string, number> => answer.results?.[0] ?? answer; // oxlint-disable-line
    expect(counts(body)["total_documents_deleted"]).toBe(
      Number(counts(statistics.body)["total_documents_deleted"]) + 1,
    );
    expect(counts(body)["total_pages"]).toBe(Number(counts(statistics.body)["total_pages"]) - 1);
    expect(counts(body)["total_notes"]).toBe(Number(counts(statistics.body)["total_notes"]) - 1);

    // Operators still find the document whole, with its file.
    expect(await Array.fromAsync(examineDocuments(app.context))).toEqual([]);
    const named = (await Array.fromAsync(documentFiles(app.context.database.reader))).flat();
    expect(named.find((one) => one.id === id)).toMatchObject({ isFileExpected: true });

    const listed = (await send(owner, "GET", trash)).body.results;
    expect(listed).toEqual([
      {
        id,
        title: "A document",
        access: "public",
        status: "success",
        page_count: 1,
        user: owner.id,
        organization: 1,
        deleted_at: expect.any(String),
        deleted_by: owner.id,
        removed_at: expect.any(String),
      },
    ]);
    expect(Date.parse(listed[0].removed_at) - Date.parse(listed[0].deleted_at)).toBe(30 * 86_400_000);
    expect(await inTrash(member)).toEqual([id]);
    expect(await inTrash(administrator)).toEqual([id]);
    expect(await inTrash(stranger)).toEqual([]);

    for (const person of [null, stranger])
      expect((await send(person, "POST", restoring, { ids: [id] })).status).toBe(person === null ? 403 : 400);
    expect((await send(owner, "POST", restoring, { ids: [id, others] })).body).toEqual([
      "Could not find all objects to restore",
    ]);
    expect(await send(member, "POST", restoring, { ids: [id] })).toMatchObject({ status: 200, body: "OK" });
    expect([await everything(id, null), await everything(id, owner)]).toEqual(before);
    expect(await inTrash(owner)).toEqual([]);
    expect(await actionsOf(id)).toEqual(["restored", "deleted"]);
  });

  it("lists a page at a time, the last deleted document first", async () => {
    const ids = await addDocuments(
      app.context,
      [1, 2, 3].map(() => ({ user_id: owner.id, access: "private" })),
    );
    const order = [ids[1], ids[2], ids[0]] as number[];
    for (const id of order) await send(owner, "DELETE", record(id));
    const first = (await send(owner, "GET", `${trash}?per_page=2`)).body;
    expect(first.count).toBe(3);
    expect((await send(stranger, "GET", trash)).body.count).toBe(0);
    expect(first.results.map(({ id }: { id: number }) => id)).toEqual([ids[0], ids[2]]);
    const second = (await send(owner, "GET", first.next.slice(app.url.length))).body;
    expect(second.results.map(({ id }: { id: number }) => id)).toEqual([ids[1]]);
    expect([second.count, second.next]).toEqual([3, null]);
    const back = (await send(owner, "GET", second.previous.slice(app.url.length))).body;
    expect(back.results).toEqual(first.results);
    expect((await send(null, "GET", trash)).status).toBe(403);
    expect((await send(owner, "POST", restoring, { ids: order })).status).toBe(200);
    expect((await send(owner, "POST", restoring, { ids: order })).status).toBe(400);
    expect((await send(owner, "POST", restoring, { ids: [] })).status).toBe(400);
    expect((await send(owner, "POST", restoring, {})).status).toBe(400);
  });

  it("removes a document for good on request", async () => {
    const [id, other] = [await add(), await add()];
    const key = documentFileKey(id, "a-document", "pdf");
    await send(owner, "DELETE", `/api/documents/?id__in=${id},${other}`);
    expect((await send(owner, "DELETE", trash)).status).toBe(400);
    expect((await send(stranger, "DELETE", `${trash}?id__in=${id}`)).status).toBe(400);
    expect(await app.context.files.stat(key)).not.toBeNull();
    expect(await send(owner, "DELETE", `${trash}?id__in=${id}`)).toMatchObject({ status: 204 });
    expect(await app.context.files.stat(key)).toBeNull();
    expect((await send(owner, "POST", restoring, { ids: [id] })).status).toBe(400);
    expect(await inTrash(owner)).toEqual([other]);
    const { reader } = app.context.database;
    const left = await sql`select 1 from document_pages where document_id = ${id}`.execute(reader);
    expect(left.rows).toEqual([]);
    expect(await actionsOf(id)).toEqual(["removed", "deleted"]);
    await send(owner, "DELETE", `${trash}?id__in=${other}`);
  });

  it("is emptied of documents whose days are over", async () => {
    const [over, young] = [await add(), await add()];
    await send(owner, "DELETE", `/api/documents/?id__in=${over},${young}`);
    await age(over, 31);
    await age(young, 29);
    expect(await inTrash(owner)).toEqual([young]);
    expect((await send(owner, "POST", restoring, { ids: [over] })).status).toBe(400);
    // A server that starts, and every server once an hour, queues the job.
    await using _other = await startAppOn(app.context.config);
    const worker = buildWorker(app.context);
    worker.start();
    await worker.drain();
    await worker.stop();
    expect(await app.context.files.stat(documentFileKey(over, "a-document", "pdf"))).toBeNull();
    expect(await app.context.files.stat(documentFileKey(young, "a-document", "pdf"))).not.toBeNull();
    expect(await actionsOf(over)).toEqual(["removed", "deleted"]);
    const { body } = await send(administrator, "GET", `${record(over)}history/`);
    expect(body.results[0].user).toBeNull();
    expect((await send(owner, "POST", restoring, { ids: [young] })).status).toBe(200);
  });

  async function age(id: number, days: number): Promise<void> {
    const deleted_at = `${new Date(Date.now() - days * 86_400_000).toISOString().slice(0, -1)}000Z`;
    await app.context.database.write((writer) =>
      writer.updateTable("deleted_documents").set({ deleted_at }).where("document_id", "=", id).execute(),
    );
  }

  it("stops work on the file of a document, and begins again when the document is back", async () => {
    const id = await add({ access: "organization" });
    expect((await send(owner, "POST", `${record(id)}process/`)).status).toBe(200);
    const jobs = () => listJobs(app.context.database.reader, { kind: processJob, subject: id });
    expect(await jobs()).toHaveLength(1);
    expect((await send(owner, "DELETE", record(id))).status).toBe(204);
    expect(await jobs()).toEqual([]);
    expect(await Array.fromAsync(examineDocuments(app.context))).toEqual([]);
    expect((await send(owner, "POST", restoring, { ids: [id] })).status).toBe(200);
    expect(await jobs()).toHaveLength(1);
    expect((await send(owner, "GET", record(id))).body).toMatchObject({
      status: "readable",
      access: "organization",
    });
    await send(owner, "DELETE", `${record(id)}process/`);
  });

  it("cancels a redaction that was not done yet, and gives the document its status back", async () => {
    const id = await add();
    await redact(id);
    await send(owner, "DELETE", record(id));
    expect(await inTrash(member)).toEqual([id]);
    expect((await send(owner, "POST", restoring, { ids: [id] })).status).toBe(200);
    expect((await send(owner, "GET", record(id))).body).toMatchObject({
      status: "success",
      access: "public",
    });
    const { results } = (await send(owner, "GET", `${record(id)}receipts/`)).body;
    expect(results.at(-1)).toMatchObject({ step: "cancelled", outcome: "failed" });
  });

  it("takes no document whose redacted file is just being put in place, and none without a file", async () => {
    const id = await add();
    await redact(id);
    await app.context.database.write((writer) => noteResult(writer, id, "0".repeat(40)));
    const [empty = 0] = await addDocuments(app.context, [
      { user_id: owner.id, status: "nofile", access: "private" },
    ]);
    const before = await inTrash(owner);
    expect((await send(owner, "DELETE", `/api/documents/?id__in=${id},${empty}`)).status).toBe(204);
    expect(await inTrash(owner)).toEqual(before);
    expect(await app.context.files.stat(documentFileKey(id, "a-document", "pdf"))).toBeNull();
  });

  async function redact(id: number): Promise<void> {
    await app.context.database.write(async (writer) => {
      const plan = { boxes: [box as never] };
      await addRewrite(writer, id, { kind: "redact", userId: owner.id, plan, statusBefore: "success" });
      await writer.updateTable("documents").set({ status: "readable" }).where("id", "=", id).execute();
    });
  }

  it("publishes nothing that was due while it was deleted", async () => {
    const id = await add({ access: "private", publish_at: "2999-01-01T00:00:00.000000Z" });
    await send(owner, "DELETE", record(id));
    await app.context.database.write((writer) =>
      writer
        .updateTable("documents")
        .set({ publish_at: "2020-01-01T00:00:00.000000Z" })
        .where("id", "=", id)
        .execute(),
    );
    await send(owner, "POST", restoring, { ids: [id] });
    expect((await send(owner, "GET", record(id))).body).toMatchObject({
      access: "private",
      publish_at: null,
    });
    const { body } = await send(owner, "GET", `${record(id)}history/`);
    expect(body.results[0]).toMatchObject({
      action: "restored",
      user: owner.id,
      changes: { publish_at: { from: "2020-01-01T00:00:00.000000Z", to: null } },
    });
  });

  it("finds out by the clock of the database what was due", async () => {
    const id = await add({ access: "private", publish_at: "2998-01-01T00:00:00.000000Z" });
    await send(owner, "DELETE", record(id));
    const clock = vi.spyOn(app.context.database.dialect, "now");
    clock.mockImplementation(() => sql`${"2999-01-01T00:00:00.000000Z"}`);
    try {
      await send(owner, "POST", restoring, { ids: [id] });
    } finally {
      clock.mockRestore();
    }
    const { body } = await send(owner, "GET", record(id));
    expect(body).toMatchObject({ access: "private", publish_at: null });
  });

  it("loses a document that an import brings back", async () => {
    const id = await add();
    await send(owner, "DELETE", record(id));
    await app.context.database.write((writer) =>
      writer.updateTable("documents").set({ status: "success" }).where("id", "=", id).execute(),
    );
    expect(await inTrash(owner)).toEqual([]);
    expect((await send(null, "GET", record(id))).status).toBe(200);
  });
});

import { Readable } from "node:stream";
import { beforeAll, describe, expect, it, vi } from "vitest";
import { UploadFolder } from "../../files/upload-folder.ts";
import { enqueue } from "../../jobs/queue.ts";
import { addDocuments, addProject } from "../../testing/factories.ts";
import { buildPdf } from "../../testing/pdf.ts";
import { addPerson, beginSession } from "../../testing/people.ts";
import { type Reply, sendAs } from "../../testing/requests.ts";
import { engines, startAppOn, useApp } from "../../testing/test-app.ts";
import { runJobs } from "../../testing/use-worker.ts";
import { addReceipt } from "../documents/receipt-store.ts";
import { noteSignIn } from "../users/credentials/sign-in-event-store.ts";

const secret = "a-secret-that-signs-sessions-and-is-long-enough";

describe.each(engines)("the server, for administrators on %s", (engine) => {
  const app = useApp(engine, {
    QUIRE_SECRET: secret,
    QUIRE_FETCH_ALLOWED_HOSTS: "a.example:80,b.example",
  });
  let headers: Record<string, string>;
  const owner = app.person("owner", { password: "correct horse" });
  const boss = app.person("boss", { isAdministrator: true, password: "any" });
  beforeAll(async () => {
    headers = { ...(await beginSession(app.context, boss)) };
  });

  const send = (method: string, path: string, value?: unknown): Promise<Reply> =>
    sendAs(app, null, method, `/api/admin/${path}`, value, headers);

  /** Runs all jobs that wait. */
  const work = (): Promise<void> => runJobs(app.context);

  async function putPdf(id: number): Promise<void> {
    const pdf = buildPdf({ pages: [{ width: 200, height: 200, lines: ["harbour"] }] });
    await app.context.files.put(`documents/${id}/a-document.pdf`, Readable.from([Buffer.from(pdf)]));
  }

  const statusOf = async (id: number): Promise<string> =>
    (
      await app.context.database.reader
        .selectFrom("documents")
        .select("status")
        .where("id", "=", id)
        .executeTakeFirstOrThrow()
    ).status;

  it("shows what the process that answers does by itself, and why it failed", async () => {
    const reading = vi.spyOn(UploadFolder.prototype, "list").mockRejectedValue(new Error("EIO: i/o error"));
    await using other = await startAppOn(app.context.config);
    reading.mockRestore();
    const { schedule, process_started_at: since } = (await send("GET", "queue/")).body;
    expect(
      schedule.map((row: Record<string, unknown>) => [row.name, row.every_seconds, row.problem]),
    ).toEqual([
      ["read the branding", 0.25, null],
      ["publish documents", 0.25, null],
      ["queue webhooks", 10, null],
      ["compare saved searches", 60, null],
      ["extend legal holds", 3600, null],
      ["propose dispositions", 86_400, null],
      ["empty the trash", 3600, null],
      ["remove old events", 3600, null],
      ["remove old deliveries", 3600, null],
      ["remove unfinished uploads", 3600, null],
      ["remove files of deleted documents", 3600, null],
      ["remove files of productions", 3600, null],
    ]);
    for (const { last_at } of schedule) expect(last_at >= since).toBe(true);
    const { body } = await sendAs(other, null, "GET", "/api/admin/queue/", undefined, headers);
    expect(body.process_started_at > since).toBe(true);
    expect(body.schedule[9]).toMatchObject({ problem: "EIO: i/o error", last_at: expect.any(String) });
    expect(
      other.logged.filter(({ msg }) => msg === "Scheduled work failed: remove unfinished uploads"),
    ).toEqual([expect.objectContaining({ err: expect.objectContaining({ message: "EIO: i/o error" }) })]);
  });

  it("shows the queue, runs a waiting job now, and cancels the work on a document", async () => {
    const { database } = app.context;
    const [first = 0, second = 0] = await addDocuments(app.context, [
      { status: "pending", user_id: owner.id, access: "private" },
      { status: "pending", user_id: owner.id, access: "private" },
    ]);
    await database.write(async (writer) => {
      const job = { kind: "process document", owner: owner.id };
      await enqueue(writer, { ...job, subject: first });
      await enqueue(writer, { ...job, subject: second, afterSeconds: 3600 });
      await enqueue(writer, { kind: "index documents", subject: 0 });
      await addReceipt(writer, {
        documentId: first,
        step: "read",
        outcome: "done",
        milliseconds: 3000,
        details: {},
      });
      await writer
        .updateTable("jobs")
        .set({ attempts: 1, last_error: "The store was away" })
        .where("subject", "=", second)
        .execute();
    });
    const { body: queue } = await send("GET", "queue/");
    expect(queue).toMatchObject({ failed: 0, seconds_left: 3 });
    expect(queue.kinds).toContainEqual({ kind: "process document", running: 0, waiting: 1, retrying: 1 });
    const [retried] = (await send("GET", "jobs/?state=retrying")).body.results;
    expect(retried).toMatchObject({
      kind: "process document",
      state: "retrying",
      document: second,
      owner: "owner",
      attempts: 1,
      last_error: "The store was away",
      is_cancellable: true,
    });
    expect((await send("POST", `jobs/${retried.id}/`)).status).toBe(204);
    const [due] = (await send("GET", "jobs/?state=retrying")).body.results;
    expect(Date.parse(due.due_at)).toBeLessThanOrEqual(Date.now());

    expect((await send("DELETE", `jobs/${retried.id}/`)).status).toBe(204);
    expect(await statusOf(second)).toBe("error");
    expect((await send("DELETE", `jobs/${retried.id}/`)).status).toBe(404);
    expect((await send("GET", "jobs/?state=running")).body.results).toEqual([]);
    const waiting = (await send("GET", "jobs/")).body.results;
    const index = waiting.find(({ kind }: { kind: string }) => kind === "index documents");
    expect([index.is_cancellable, index.document]).toEqual([false, null]);
    expect((await send("DELETE", `jobs/${index.id}/`)).status).toBe(400);
    const ofFirst = waiting.find(({ document }: { document: number | null }) => document === first);
    expect((await send("DELETE", `jobs/${ofFirst.id}/`)).status).toBe(204);
  });

  it("lists the documents that failed by reason, and processes them again", async () => {
    const { database } = app.context;
    const ids = await addDocuments(
      app.context,
      [1, 2, 3].map(() => ({ status: "error", user_id: owner.id, access: "private" })),
    );
    await database.write(async (writer) => {
      for (const [index, documentId] of ids.entries()) {
        const message = index < 2 ? "The file is damaged" : "The disk was full";
        const failed = { outcome: "failed", milliseconds: 0 } as const;
        await addReceipt(writer, { ...failed, documentId, step: "read", details: { message: "Earlier" } });
        await addReceipt(writer, { ...failed, documentId, step: "read", details: { message } });
      }
    });
    const reasons = async (): Promise<Record<string, number>> =>
      Object.fromEntries(
        (await send("GET", "failures/")).body.results.map((one: { reason: string; count: number }) => [
          one.reason,
          one.count,
        ]),
      );
    expect(await reasons()).toMatchObject({ "The file is damaged": 2, "The disk was full": 1 });
    await putPdf(ids[0] ?? 0);
    await putPdf(ids[2] ?? 0);
    // The second one has no file.
    const retried = await send("POST", "failures/", { reason: "The file is damaged" });
    expect([retried.status, retried.body]).toEqual([200, { restarted: 1 }]);
    expect((await send("POST", "failures/", { documents: [ids[1]] })).body).toEqual({ restarted: 0 });
    await work();
    expect(await Promise.all(ids.map(statusOf))).toEqual(["success", "error", "error"]);
    expect((await send("POST", "failures/", {})).body).toEqual({ restarted: 1 });
    await work();
    expect(await statusOf(ids[2] ?? 0)).toBe("success");
    expect((await send("POST", "failures/", { documents: "all" })).status).toBe(400);
  });

  it("adds up the storage of each user and project in a job", async () => {
    expect((await send("GET", "storage/")).body).toMatchObject({
      measured_at: null,
      is_measuring: false,
      users: [],
    });
    const keeper = await addPerson(app.context, { username: "keeper" });
    const ids = await addDocuments(
      app.context,
      [5, 7].map((page_count) => ({ user_id: keeper.id, page_count, page_spec: "" })),
    );
    const project = await addProject(app.context, { title: "Lamps" }, ids.slice(0, 1));
    await app.context.database.write(async (writer) => {
      for (const [documentId, bytes] of [
        [ids[0] ?? 0, 10],
        [ids[0] ?? 0, 1000],
        [ids[1] ?? 0, 500],
      ] as const) {
        const receipt = { documentId, outcome: "done", milliseconds: 0, details: { bytes } } as const;
        await addReceipt(writer, { ...receipt, step: "received" });
      }
    });
    const requested = await send("POST", "storage/");
    expect([requested.status, requested.body.is_measuring]).toEqual([202, true]);
    await work();
    const { body } = await send("GET", "storage/");
    expect(body.is_measuring).toBe(false);
    expect(Date.parse(body.measured_at)).toBeLessThanOrEqual(Date.now());
    expect(body.users).toContainEqual({
      id: keeper.id,
      name: "keeper",
      documents: 2,
      pages: 12,
      bytes: 1500,
    });
    expect(body.projects).toEqual([{ id: project, name: "Lamps", documents: 1, pages: 5, bytes: 1000 }]);
    expect(body.total.bytes).toBe(1500);
  });

  it("examines the database and the files in a job, and repairs what differs if asked to", async () => {
    expect((await send("GET", "examination/")).body).toMatchObject({ requested_at: null, findings: [] });
    const [id = 0] = await addDocuments(app.context, [
      { status: "pending", access: "private", page_count: 0, page_spec: "" },
    ]);
    await putPdf(id);
    const what = `document ${id} is pending, but has no job`;
    const begun = await send("POST", "examination/", {});
    expect([begun.status, begun.body.is_running]).toEqual([202, true]);
    expect((await send("POST", "examination/", {})).status).toBe(409);
    await work();
    const { body: found } = await send("GET", "examination/");
    expect(found).toMatchObject({ is_running: false, repairs: false, mended: 0, problem: null });
    expect(found.examined).toBe(found.documents);
    expect(found.findings).toContainEqual(expect.objectContaining({ what, outcome: "repairable" }));
    expect(found.found).toBe(found.findings.length);

    await send("POST", "examination/", { repairs: true });
    await work();
    const { body: mended } = await send("GET", "examination/");
    expect(mended.findings).toContainEqual(expect.objectContaining({ what, outcome: "mended" }));
    expect(await statusOf(id)).toBe("success");

    await send("POST", "examination/", {});
    const jobs = (await send("GET", "jobs/")).body.results;
    const job = jobs.find(({ kind }: { kind: string }) => kind === "examine");
    expect((await send("DELETE", `jobs/${job.id}/`)).status).toBe(204);
    expect((await send("GET", "examination/")).body).toMatchObject({
      is_running: false,
      problem: "It was cancelled",
    });
  });

  it("records sign-ins and refusals, without what was typed", async () => {
    const signIn = (username: string, password: string): Promise<Response> =>
      app.fetch("/sign-in/", {
        method: "POST",
        body: new URLSearchParams({ username, password }),
        redirect: "manual",
      });
    await signIn("owner", "correct horse");
    await signIn("owner", "a guessed password");
    await signIn("owner", "another guess");
    await signIn("my password by mistake", "x");
    const { body } = await send("GET", "sign-ins/");
    expect(body.results).toMatchObject([
      { kind: "unknown user", username: null, times: 1 },
      { kind: "wrong password", username: "owner", is_known: true, times: 2 },
      { kind: "signed in", username: "owner", is_known: false, times: 1 },
    ]);
    expect(JSON.stringify(body)).not.toMatch(/127\.0\.0\.1|guess|mistake/);
    const stored = await app.context.database.reader.selectFrom("sign_in_events").selectAll().execute();
    expect(JSON.stringify(stored)).not.toMatch(/127\.0\.0\.1|guess|mistake/);
    expect((await send("GET", "sign-ins/?kind=signed%20in")).body.results).toHaveLength(1);
    const second = await send("GET", "sign-ins/?per_page=2");
    expect((await send("GET", second.body.next.replace(/.*admin\//, ""))).body.results).toMatchObject([
      { kind: "signed in" },
    ]);
  });

  it("forgets sign-ins after thirty days", async () => {
    const { database } = app.context;
    const network = "f00";
    await noteSignIn(database, { kind: "disabled", userId: null, network, isKnown: false });
    await database.write((writer) =>
      writer
        .updateTable("sign_in_events")
        .set({ at: "2020-01-01T00:00:00.000000Z" })
        .where("network", "=", network)
        .execute(),
    );
    await noteSignIn(database, { kind: "signed in", userId: owner.id, network: "other", isKnown: false });
    const kept = await database.reader.selectFrom("sign_in_events").select("network").execute();
    expect(kept.map((row) => row.network)).not.toContain(network);
  });

  it("shows its state, and the settings in force without secrets", async () => {
    const { body } = await send("GET", "health/");
    expect(body).toMatchObject({ engine, database: "ok", files: "ok", oldest_job_seconds: 0 });
    expect(body.disk_free_bytes).toBeGreaterThan(0);
    expect(body.disk_bytes).toBeGreaterThanOrEqual(body.disk_free_bytes);
    const settings = await send("GET", "settings/");
    const named = (variable: string) =>
      settings.body.results.find((setting: { variable: string }) => setting.variable === variable);
    expect(named("QUIRE_SECRET")).toMatchObject({
      value: null,
      is_set: true,
      is_secret: true,
      is_changed: true,
    });
    expect(named("QUIRE_SAMPLES")).toMatchObject({ value: "off", default: "on", is_changed: true });
    expect(named("QUIRE_PROCESSING_WORKERS")).toMatchObject({ value: "2", is_changed: false });
    expect(named("QUIRE_FETCH_ALLOWED_HOSTS")).toMatchObject({ value: "a.example:80,b.example" });
    expect(named("QUIRE_URL")).toMatchObject({ value: null, is_set: false, is_changed: false });
    expect(JSON.stringify(settings.body)).not.toContain(secret);
    expect(named("QUIRE_DATABASE_URL").value).toBeNull();
  });
});

import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { enqueue } from "../../jobs/queue.ts";
import type { JobRunner } from "../../jobs/runner.ts";
import { addDocuments } from "../../testing/factories.ts";
import { type Person } from "../../testing/people.ts";
import { defaultEngines, useApp } from "../../testing/test-app.ts";
import { useFolder } from "../../testing/use-folder.ts";
import { buildWorker } from "../../worker.ts";
import { registerAddon, removeAddon } from "./register.ts";
import { runFileKey } from "./run-files.ts";
import { runJob } from "./run-store.ts";
import { commandOf } from "./runner-command.ts";
import { removeRunFiles, startAddons } from "./start-events.ts";

const config = `title: Counter
description: "Counts **words** <script>x</script>"
type: object
documents: [selected]
categories: [statistical, premium]
version: 2
required: [mode]
properties:
  mode: { title: Mode, type: string, enum: [work, fail, wait] }
  times: { type: integer, default: 1 }
`;

/** An add-on as DocumentCloud's library has them: it reads its task from the last argument, and speaks to the API. */
const program = `
const { payload: task } = JSON.parse(process.argv.at(-1));
let token = task.token;
const send = async (path, method, value) => {
  const headers = { authorization: "Bearer " + token, "content-type": "application/json" };
  const body = value === undefined ? undefined : JSON.stringify(value);
  const answer = await fetch(path.startsWith("http") ? path : task.base_uri + path, { method, headers, body });
  if (!answer.ok) throw new Error(method + " " + path + ": " + answer.status + " " + (await answer.text()));
  return answer.status === 204 ? null : answer.json();
};
const own = "addon_runs/" + task.id + "/";
if (task.data.mode === "fail") {
  console.error("Trace\\nCounterError: no words with " + task.token);
  process.exit(1);
}
await send(own, "PATCH", { progress: 10, message: "Begun", data: { token, refresh: task.refresh_token } });
if (task.data.mode === "wait") await new Promise(() => setInterval(() => {}, 1000));
const { access } = await send(task.auth_uri + "refresh/", "POST", { refresh: task.refresh_token });
token = access;
const found = [];
for (const id of task.documents) found.push((await send("documents/" + id + "/", "GET")).title);
const { presigned_url } = await send(own + "?upload_file=" + encodeURIComponent("räume 1.csv"), "GET");
const put = await fetch(presigned_url, { method: "PUT", body: found.join() });
if (!put.ok) throw new Error(await put.text());
await send(own, "PATCH", { file_name: "räume 1.csv", progress: 100, message: "Done by " + task.title });
await send("organizations/" + task.organization + "/ai_credits/", "POST", { ai_credits: 7, addonrun_id: task.id });
await send("messages/", "POST", { subject: "Done", content: "All of it" });
`;

describe.each(defaultEngines)("add-ons on %s", (engine) => {
  const folder = useFolder("addons");
  const app = useApp(engine, {
    QUIRE_ADDON_RUNNER: `"${process.execPath}" main.mjs`,
    QUIRE_ADDON_FOLDER: folder,
  });
  const owner = app.person("owner", { organizations: [1] });
  const other = app.person("other", { organizations: [2] });
  const { send } = app;
  let worker: JobRunner;
  let addon: number;
  let document: number;
  beforeAll(async () => {
    await mkdir(path.join(folder, "press", "counter"), { recursive: true });
    await writeFile(path.join(folder, "press", "counter", "config.yaml"), config);
    await writeFile(path.join(folder, "press", "counter", "main.mjs"), program);
    const own = { title: "The harbour", access: "private", user_id: owner.id } as const;
    [document = 0] = await addDocuments(app.context, [own]);
    const registration = { repository: "press/counter", access: "organization", user: null } as const;
    ({ id: addon } = await registerAddon(app.context, { ...registration, organization: 1 }));
    worker = buildWorker({ ...app.context, config: { ...app.context.config, url: app.url } });
  });
  afterAll(() => worker.stop());

  const start = async (mode: string, more: object = {}): Promise<string> => {
    const sent = { addon, parameters: { mode }, documents: [document], ...more };
    const { status, body } = await send(owner, "POST", "/api/addon_runs/", sent);
    expect([status, body]).toMatchObject([201, { status: "queued", progress: 0, file_url: null, data: {} }]);
    return (body as { uuid: string }).uuid;
  };
  const read = async (uuid: string) => (await send(owner, "GET", `/api/addon_runs/${uuid}/`)).body;

  it("are seen and pinned by those whom they are for, and found by their texts", async () => {
    const ids = async (person: Person, query: string) => {
      const { body } = await send(person, "GET", `/api/addons/?${query}`);
      return (body as unknown as { results: { id: number }[] }).results.map(({ id }) => id);
    };
    expect([await ids(owner, ""), await ids(other, "")]).toEqual([[addon], []]);
    expect(await ids(owner, "query=WORDS&category=ai,statistical&premium=true&default=false")).toEqual([
      addon,
    ]);
    for (const query of ["query=lines", "category=ai", "premium=false", "featured=true", "active=true"])
      expect([query, await ids(owner, query)]).toEqual([query, []]);
    expect((await send(owner, "GET", "/api/addons/?category=x")).status).toBe(400);
    expect((await send(owner, "PATCH", `/api/addons/${addon}/`, { active: true })).body).toMatchObject({
      active: true,
      name: "Counter",
      repository: "press/counter",
      parameters: { description: "<p>Counts <strong>words</strong> </p>", version: 2 },
    });
    expect([await ids(owner, "active=true"), await ids(owner, "active=false")]).toEqual([[addon], []]);
  });

  it("refuse parameters that their configuration does not allow, and add-ons that are not there", async () => {
    for (const [sent, fault] of [
      [{ addon }, { parameters: ["This field is required."] }],
      [{ addon, parameters: {} }, { non_field_errors: [expect.stringContaining("mode")] }],
      [{ addon, parameters: { mode: "x" } }, { non_field_errors: [expect.stringContaining("mode")] }],
      [{ addon, parameters: { mode: "\0" } }, { parameters: ["Null characters are not allowed."] }],
      [{ addon: 999, parameters: {} }, { addon: ['Invalid pk "999" - object does not exist.'] }],
      [
        { addon, parameters: { mode: "work" }, documents: Array(5001).fill(1) },
        { documents: ["Choose at most 5000 documents."] },
      ],
    ] as const) {
      const { status, body } = await send(owner, "POST", "/api/addon_runs/", sent);
      expect([status, body]).toEqual([400, fault]);
    }
    const foreign = await send(other, "POST", "/api/addon_runs/", { addon, parameters: { mode: "work" } });
    expect(foreign.status).toBe(400);
  });

  it("run with tokens that end with the run, and leave a file", async () => {
    const [uuid, failing] = [await start("work"), await start("fail")];
    worker.start();
    await worker.drain();
    const run = (await read(uuid)) as unknown as Record<string, unknown>;
    const { token, refresh } = run["data"] as { token: string; refresh: string };
    expect(run).toMatchObject({
      status: "success",
      progress: 100,
      message: "Done by Counter",
      credits_spent: 7,
      file_url: `${app.url}/files/addon-runs/${uuid}/`,
    });
    const file = await app.fetch(`/files/addon-runs/${uuid}/`, { headers: owner.headers });
    expect([await file.text(), file.headers.get("content-type")]).toEqual([
      "The harbour",
      "application/octet-stream",
    ]);
    expect(file.headers.get("content-disposition")).toContain("attachment");
    const headers = { ...owner.headers, accept: "application/json" };
    const { location } = (await (await app.fetch(`/files/addon-runs/${uuid}/`, { headers })).json()) as {
      location: string;
    };
    expect(await (await fetch(location)).text()).toBe("The harbour");
    expect((await app.fetch(`/files/addon-runs/${uuid}/`, { headers: other.headers })).status).toBe(404);
    const own = await app.fetch("/api/users/me/", { headers: { authorization: `Bearer ${token}` } });
    expect([own.status, (await send(owner, "POST", "/api/refresh/", { refresh })).status]).toEqual([
      403, 401,
    ]);
    expect(await read(failing)).toMatchObject({
      status: "failure",
      message: "CounterError: no words with …",
    });
  });

  it("end when they are cancelled, and do not begin twice", async () => {
    const waiting = await start("wait", { documents: null });
    worker.start();
    const { data } = await vi.waitFor(
      async () => {
        const run = (await read(waiting)) as { progress: number; data: { token: string } };
        expect(run.progress).toBe(10);
        return run;
      },
      { timeout: 60_000 },
    );
    const ask = () => app.fetch("/api/users/me/", { headers: { authorization: `Bearer ${data.token}` } });
    expect((await ask()).status).toBe(200);
    expect((await send(owner, "DELETE", `/api/addon_runs/${waiting}/`)).status).toBe(204);
    expect((await ask()).status).toBe(403);
    worker.notify();
    await worker.drain();
    expect(await read(waiting)).toMatchObject({ status: "cancelled", progress: 10 });

    // As a worker leaves a run that was killed: begun, with a job that nobody holds.
    await worker.stop();
    const uuid = await start("work");
    const { database } = app.context;
    const { id: subject } = await database.write(async (writer) => {
      await writer
        .updateTable("addon_runs")
        .set({ status: "in_progress" })
        .where("uuid", "=", uuid)
        .execute();
      return writer.selectFrom("addon_runs").select("id").where("uuid", "=", uuid).executeTakeFirstOrThrow();
    });
    await database.write((writer) => enqueue(writer, { kind: runJob, subject, owner: owner.id }));
    worker.start();
    await worker.drain();
    expect(await read(uuid)).toMatchObject({
      status: "failure",
      message: "The add-on was interrupted",
      data: {},
    });
  });

  it("are started by the clock and by uploads, each once, until they fail again and again", async () => {
    await worker.stop();
    const { database } = app.context;
    const event = async (kind: number, mode: string): Promise<number> => {
      const sent = { addon, event: kind, parameters: { mode } };
      const { status, body } = await send(owner, "POST", "/api/addon_events/", sent);
      expect([status, body]).toMatchObject([201, { event: kind, scratch: {} }]);
      return (body as { id: number }).id;
    };
    const runsOf = async (id: number): Promise<{ status: string; documents: string | null }[]> =>
      database.reader
        .selectFrom("addon_runs")
        .select(["status", "documents"])
        .where("event_id", "=", id)
        .execute();
    const [daily, uploads, failing] = [
      await event(2, "work"),
      await event(4, "work"),
      await event(1, "fail"),
    ];
    await startAddons(app.context);
    expect(await runsOf(daily)).toEqual([]);
    await makeDue([daily]);
    await database.write((writer) =>
      writer.updateTable("documents").set({ status: "pending" }).where("id", "=", document).execute(),
    );
    await database.write((writer) =>
      writer.updateTable("documents").set({ status: "success" }).where("id", "=", document).execute(),
    );
    // As several processes do.
    await Promise.all([startAddons(app.context), startAddons(app.context)]);
    await startAddons(app.context);
    expect([await runsOf(daily), await runsOf(uploads)]).toEqual([
      [{ status: "queued", documents: "[]" }],
      [{ status: "queued", documents: `[${document}]` }],
    ]);
    worker.start();
    for (let count = 1; count <= 6; count++) {
      await makeDue([failing]);
      await startAddons(app.context);
      worker.notify();
      await worker.drain();
    }
    expect((await runsOf(failing)).length).toBe(5);
    expect((await send(owner, "GET", `/api/addon_events/${failing}/`)).body).toMatchObject({ event: 0 });
    expect((await runsOf(uploads)).map(({ status }) => status)).toEqual(["success"]);
    await worker.stop();

    async function makeDue(ids: number[]): Promise<void> {
      const past = "2025-01-01T00:00:00.000000Z";
      await database.write((writer) =>
        writer
          .updateTable("addon_events")
          .set({ due_at: past })
          .where("id", "in", ids)
          .where("due_at", "is not", null)
          .execute(),
      );
    }
  });

  it("start later on a document that was read while too many runs were open", async () => {
    const { database } = app.context;
    const sent = { addon, event: 4, parameters: { mode: "work" } };
    const { id } = (await send(owner, "POST", "/api/addon_events/", sent)).body as { id: number };
    for (let open = 0; open < 100; open++) await start("work");
    const runs = async (): Promise<(string | null)[]> => {
      const found = database.reader.selectFrom("addon_runs").select("documents").where("event_id", "=", id);
      return (await found.execute()).map(({ documents }) => documents);
    };
    for (const status of ["pending", "success"] as const)
      await database.write((writer) =>
        writer.updateTable("documents").set({ status }).where("id", "=", document).execute(),
      );
    await startAddons(app.context);
    expect(await runs()).toEqual([]);
    await database.write((writer) =>
      writer.updateTable("addon_runs").set({ status: "cancelled" }).where("status", "=", "queued").execute(),
    );
    for (let minute = 0; minute < 2; minute++) await startAddons(app.context);
    expect(await runs()).toEqual([`[${document}]`]);
    expect((await send(owner, "PATCH", `/api/addon_events/${id}/`, { event: 0 })).status).toBe(200);
  });

  it("lose their files when these have been kept long enough", async () => {
    const { database, files } = app.context;
    const run = await database.write((writer) =>
      writer
        .updateTable("addon_runs")
        .set({ file_expires_at: "2025-01-01T00:00:00.000000Z" })
        .where("file_name", "<>", "")
        .returning(["uuid", "file_name"])
        .executeTakeFirstOrThrow(),
    );
    expect(await files.stat(runFileKey(run.uuid, run.file_name))).not.toBeNull();
    await removeRunFiles(app.context);
    expect(await files.stat(runFileKey(run.uuid, run.file_name))).toBeNull();
    expect(await read(run.uuid)).toMatchObject({ file_url: null, file_expires_at: null });
  });

  it("are gone when an administrator removes them, but for their runs", async () => {
    await worker.stop();
    const waiting = await start("work");
    expect(await removeAddon(app.context, "press/counter")).toBe(true);
    expect((await send(owner, "GET", `/api/addons/${addon}/`)).status).toBe(404);
    worker.start();
    await worker.drain();
    expect(await read(waiting)).toMatchObject({
      status: "failure",
      message: "There is no such add-on any more",
    });
    const { body } = await send(owner, "GET", "/api/addon_runs/?expand=addon&dismissed=false");
    const { results } = body as unknown as { results: { addon: { name: string } }[] };
    expect(results.map((run) => run.addon.name)).toContain("Counter");
  });
});

describe("the command that runs an add-on", () => {
  it("gets the task as one argument, which no shell reads", () => {
    const given = { folder: "/tmp/a b", json: '{"a": "$(x) {folder}"}' };
    expect(commandOf("python3 main.py", given)).toEqual(["python3", "main.py", given.json]);
    expect(commandOf(`docker run -v '{folder}:/app' "an image" {json} -`, given)).toEqual([
      "docker",
      "run",
      "-v",
      "/tmp/a b:/app",
      "an image",
      given.json,
      "-",
    ]);
  });
});

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { listJobs } from "../../../jobs/queue.ts";
import { type Person } from "../../../testing/people.ts";
import { buildPdf } from "../../../testing/pdf.ts";
import { sendAs } from "../../../testing/requests.ts";
import { addOwner } from "../../../testing/sent-files.ts";
import { type S3Server, startS3Server } from "../../../testing/s3-server.ts";
import { defaultEngines, startAppOn, testStorage, useApp, useStarted } from "../../../testing/test-app.ts";
import { useWorker } from "../../../testing/use-worker.ts";
import { removeFilesJob } from "../record/remove-files.ts";

const pdf = Buffer.from(
  buildPdf({
    pages: [
      { width: 612, height: 792, lines: ["Minutes of the council"] },
      { width: 792, height: 612, lines: ["The second page"] },
    ],
  }),
);

const put = (address: string): Promise<Response> => fetch(address, { method: "PUT", body: pdf });

describe.each(defaultEngines)("files in an S3 store, on %s", (engine) => {
  let server: S3Server;
  beforeAll(async () => {
    server = await startS3Server();
  });
  afterAll(() => server[Symbol.asyncDispose]());
  const app = useApp(engine, () => ({ ...server.environment, QUIRE_TRASH_DAYS: "0" }));
  const worker = useWorker(app, { backoffSeconds: () => 0 });
  const owner = app.person("owner", { organizations: [1] });
  afterEach(() => {
    server.broken = false;
  });

  async function make(values: object = {}): Promise<{ id: number; address: string }> {
    const { body } = await sendAs(app, owner, "POST", "/api/documents/", { title: "Minutes", ...values });
    return { id: body.id, address: body.presigned_url };
  }

  const process = (id: number) => sendAs(app, owner, "POST", `/api/documents/${id}/process/`, {});
  const record = async (id: number) => (await sendAs(app, owner, "GET", `/api/documents/${id}/`)).body;
  const asset = (id: number, name: string, headers: Record<string, string> = {}): Promise<Response> =>
    app.fetch(`/files/documents/${id}/${name}`, {
      headers: { ...owner.headers, ...headers },
      redirect: "manual",
    });

  async function processed(values: object = {}): Promise<number> {
    const { id, address } = await make(values);
    expect((await put(address)).status).toBe(200);
    expect((await process(id)).status).toBe(200);
    await worker.drain();
    return id;
  }

  it("are uploaded, read and served like those on a disk, and are removed with their document", async () => {
    const id = await processed();
    expect(await record(id)).toMatchObject({ status: "success", page_count: 2 });
    const whole = await asset(id, "minutes.pdf");
    expect(Buffer.from(await whole.arrayBuffer()).equals(pdf)).toBe(true);
    expect(Object.fromEntries(whole.headers)).toMatchObject({
      "accept-ranges": "bytes",
      "content-length": String(pdf.length),
      "content-type": "application/pdf",
      "x-content-type-options": "nosniff",
    });
    const part = await asset(id, "minutes.pdf", { range: "bytes=-5" });
    expect([part.status, part.headers.get("content-range")]).toEqual([
      206,
      `bytes ${pdf.length - 5}-${pdf.length - 1}/${pdf.length}`,
    ]);
    expect(Buffer.from(await part.arrayBuffer()).equals(pdf.subarray(-5))).toBe(true);
    expect((await asset(id, "minutes.pdf", { range: `bytes=${pdf.length}-` })).status).toBe(416);
    const etag = whole.headers.get("etag") ?? "";
    expect((await asset(id, "minutes.pdf", { "if-none-match": etag })).status).toBe(304);
    expect(await (await asset(id, "minutes.txt")).text()).toBe("Minutes of the council\n\nThe second page");
    for (const time of ["made", "kept"]) {
      const image = await asset(id, "pages/minutes-p2-small.gif");
      expect([time, image.status, image.headers.get("content-type")]).toEqual([time, 200, "image/gif"]);
      expect(Buffer.from(await image.arrayBuffer()).subarray(0, 3)).toEqual(Buffer.from("GIF"));
    }
    const words = await (await asset(id, "pages/minutes-p1.position.json")).json();
    expect(words).toHaveLength(4);
    const below = async () => (await server.keys()).filter((key) => key.startsWith(`documents/${id}/`));
    expect((await below()).length).toBeGreaterThanOrEqual(2);
    expect((await sendAs(app, owner, "DELETE", `/api/documents/${id}/`)).status).toBe(204);
    await expect.poll(below).toEqual([]);
  });

  it("have an address that opens without credentials, which requests for JSON get", async () => {
    const id = await processed();
    const answer = await asset(id, "minutes.pdf", { accept: "application/json" });
    expect(answer.headers.get("cache-control")).toBe("private, no-store");
    const { location } = (await answer.json()) as { location: string };
    expect(location.startsWith(`${app.url}/files/documents/${id}/minutes.pdf?`)).toBe(true);
    expect(Buffer.from(await (await fetch(location)).arrayBuffer()).equals(pdf)).toBe(true);
  });

  it("cause no request to the store if the reader may not view them", async () => {
    const id = await processed();
    server.asked.length = 0;
    expect((await app.fetch(`/files/documents/${id}/minutes.pdf`)).status).toBe(404);
    expect((await app.fetch(`/files/documents/${id}/pages/minutes-p1-large.gif`)).status).toBe(404);
    expect(server.asked).toEqual([]);
  });

  describe("while the store is down", () => {
    it("are neither accepted nor served, which is logged together, and are unchanged afterwards", async () => {
      const { id, address } = await make();
      const earlier = await processed();
      server.broken = true;
      app.logged.length = 0;
      for (const answer of [await put(address), await asset(earlier, "minutes.pdf")]) {
        expect([answer.status, answer.headers.get("retry-after")]).toEqual([503, "10"]);
        expect(await answer.json()).toEqual({
          detail: "The files cannot be reached at the moment. Nothing is lost: try again later.",
        });
      }
      const refused = () => app.logged.filter(({ msg }) => msg === "Requests were refused");
      await expect.poll(() => refused().reduce((sum, { requests }) => sum + Number(requests), 0)).toBe(2);
      for (const line of refused())
        expect(line).toMatchObject({
          status: 503,
          reason: expect.stringMatching(/^The files cannot be reached: /),
        });
      expect(app.logged.filter(({ msg }) => msg === "request")).toEqual([]);
      expect(JSON.stringify(app.logged)).not.toContain("S3RVER");
      const ready = await app.fetch("/readyz");
      expect([ready.status, await ready.json()]).toEqual([
        200,
        { status: "ok", database: "ok", files: "do not answer", last_backup: "never" },
      ]);
      expect(await (await asset(earlier, "minutes.txt")).text()).toContain("Minutes of the council");
      server.broken = false;
      expect((await asset(earlier, "minutes.pdf")).status).toBe(200);
      expect((await put(address)).status).toBe(200);
      expect((await process(id)).status).toBe(200);
      await worker.drain();
      expect(await record(id)).toMatchObject({ status: "success" });
    });

    it("are left to a job when their documents are deleted, and delay no other deletions", async () => {
      const [one, two, three] = [await processed(), await processed(), await processed()];
      const below = async (id: number) =>
        (await server.keys()).filter((key) => key.startsWith(`documents/${id}/`));
      server.broken = true;
      app.logged.length = 0;
      const both = `/api/documents/?id__in=${one},${two}`;
      expect((await sendAs(app, owner, "DELETE", both)).status).toBe(204);
      expect((await sendAs(app, owner, "DELETE", `/api/documents/${three}/`)).status).toBe(204);
      const logged = app.logged.filter(({ documents }) => documents !== undefined);
      expect(logged.map(({ documents }) => documents)).toEqual([[one, two], [three]]);
      const jobs = await listJobs(app.context.database.reader, { kind: removeFilesJob });
      expect(new Set(jobs.map(({ subject }) => subject))).toEqual(new Set([one, two, three]));
      server.broken = false;
      await app.context.database.write((writer) =>
        writer.updateTable("jobs").set({ due_at: new Date().toISOString() }).execute(),
      );
      await worker.drain();
      for (const id of [one, two, three]) expect(await below(id)).toEqual([]);
      expect(await app.context.database.reader.selectFrom("file_removals").selectAll().execute()).toEqual([]);
    });

    it("keep their documents waiting to be processed, however often that is tried", async () => {
      const { id, address } = await make();
      expect((await put(address)).status).toBe(200);
      app.logged.length = 0;
      expect((await process(id)).status).toBe(200);
      server.broken = true;
      const waits = () => app.logged.filter(({ msg }) => msg === "A job has to wait").length;
      await expect.poll(waits).toBeGreaterThan(5);
      expect(await record(id)).toMatchObject({ status: "pending" });
      server.broken = false;
      await worker.drain();
      expect(await record(id)).toMatchObject({ status: "success" });
    });
  });

  describe("with redirects to the store", () => {
    const sending = useStarted(() => startAppOn({ ...app.context.config, s3Redirect: true }));

    const ask = (target: string, init: RequestInit = {}, person: Person | null = owner): Promise<Response> =>
      sending.fetch(target, {
        redirect: "manual",
        ...init,
        headers: { ...person?.headers, ...(init.headers as object) },
      });

    it("open for five minutes with their content type, after a check of access", async () => {
      const id = await processed();
      const target = `/files/documents/${id}/minutes.pdf`;
      const answer = await ask(target);
      expect([answer.status, answer.headers.get("cache-control")]).toEqual([302, "private, no-store"]);
      const location = answer.headers.get("location") ?? "";
      expect(location.startsWith(`${server.url}/quire-test/documents/${id}/minutes.pdf?`)).toBe(true);
      expect(new URL(location).searchParams.get("X-Amz-Expires")).toBe("300");
      const file = await fetch(location);
      expect(Object.fromEntries(file.headers)).toMatchObject({
        "cache-control": "private, no-store",
        "content-disposition": "inline",
        "content-type": "application/pdf",
      });
      expect(Buffer.from(await file.arrayBuffer()).equals(pdf)).toBe(true);
      expect((await fetch(location.replace("inline", "attachment"))).status).toBe(403);
      const json = await ask(target, { headers: { accept: "application/json" } });
      expect(json.status).toBe(200);
      const address = (await json.json()) as { location: string };
      expect(address.location.startsWith(`${server.url}/quire-test/documents/${id}/minutes.pdf?`)).toBe(true);
      expect((await ask(target, {}, null)).status).toBe(404);
      expect((await ask(target, { headers: { accept: "application/json" } }, null)).status).toBe(404);
      expect((await ask(target, { method: "HEAD" })).status).toBe(200);
    });

    it("include page images once they are stored, while new images come from this server", async () => {
      const id = await processed();
      for (const format of ["gif", "webp"]) {
        const image = `/files/documents/${id}/pages/minutes-p1-normal.${format}`;
        const first = await ask(image);
        expect(first.status).toBe(200);
        // The reader gets an image before it is stored.
        const second = await vi.waitFor(async () => {
          const answer = await ask(image);
          expect(answer.status).toBe(302);
          return answer;
        }, 60_000);
        const kept = await fetch(second.headers.get("location") ?? "");
        expect(kept.headers.get("content-type")).toBe(`image/${format}`);
        expect(await kept.arrayBuffer()).toEqual(await first.arrayBuffer());
      }
      expect((await ask(`/files/documents/${id}/minutes.txt`)).status).toBe(200);
      expect((await ask(`/files/documents/${id}/absent.pdf`)).status).toBe(404);
    });
  });
});

describe("a server whose store", () => {
  const options = { startsWithoutFiles: true };

  it("refuses its key does not start, and says why", async () => {
    await using server = await startS3Server();
    await using storage = await testStorage("sqlite", server.environment);
    const wrong = { ...storage.config, s3SecretAccessKey: "not the secret" };
    await expect(startAppOn(wrong, options)).rejects.toThrow(
      /^The files cannot be reached: bucket quire-test at http:.*QUIRE_S3_SECRET_ACCESS_KEY does not belong/,
    );
  });

  it("does not answer yet starts, is ready for what needs no file, and takes files once the store answers", async () => {
    await using server = await startS3Server();
    await using storage = await testStorage("sqlite", server.environment);
    server.broken = true;
    await expect(startAppOn(storage.config)).rejects.toThrow(/^The files cannot be reached: bucket/);
    await using app = await startAppOn(storage.config, options);
    const warnings = app.logged.filter(({ msg }) => String(msg).startsWith("The files cannot be reached"));
    expect(warnings).toHaveLength(1);
    expect((await app.fetch("/api/documents/")).status).toBe(200);
    const ready = await app.fetch("/readyz");
    expect([ready.status, await ready.json()]).toMatchObject([200, { status: "ok", files: "do not answer" }]);
    const owner = await addOwner(app.context);
    const made = await sendAs(app, owner, "POST", "/api/documents/", { title: "Minutes" });
    expect((await put(made.body.presigned_url)).status).toBe(503);
    server.broken = false;
    expect((await put(made.body.presigned_url)).status).toBe(200);
  });
});

it("a folder of files does not load the S3 client", async () => {
  const folder = await mkdtemp(path.join(tmpdir(), "quire-plain-"));
  const { execFile } = await import("node:child_process");
  const { promisify } = await import("node:util");
  const script = `
    import { registerHooks } from "node:module";
    const loaded = [];
    registerHooks({ resolve(name, context, next) { loaded.push(name); return next(name, context); } });
    const { openContext } = await import(${JSON.stringify(path.resolve("src/context.ts"))});
    const { readConfig } = await import(${JSON.stringify(path.resolve("src/config.ts"))});
    await import(${JSON.stringify(path.resolve("src/app.ts"))});
    const context = await openContext(readConfig({ QUIRE_DATA: ${JSON.stringify(folder)} }).config, console);
    await context.close();
    console.log(JSON.stringify(loaded.filter((name) => /^@(aws-sdk|smithy)/.test(name))), loaded.length > 50);`;
  try {
    const { stdout } = await promisify(execFile)(globalThis.process.execPath, [
      "--input-type=module",
      "-e",
      script,
    ]);
    expect(stdout).toBe("[] true\n");
  } finally {
    await rm(folder, { recursive: true });
  }
});

import { type ChildProcess, spawn } from "node:child_process";
import { randomInt } from "node:crypto";
import { readFileSync } from "node:fs";
import { createServer } from "node:net";
import { once } from "node:events";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { enqueue } from "../src/jobs/queue.ts";
import { processJob } from "../src/resources/documents/file-facts-store.ts";
import { childrenOf, linesToProcesses } from "../src/testing/process-lines.ts";
import { metricIn } from "../src/testing/metrics-text.ts";
import { buildPdf } from "../src/testing/pdf.ts";
import { addReadDocument } from "../src/testing/read-documents.ts";
import {
  type TestApp,
  type TestStorage,
  engines,
  startAppOn,
  startTestApp,
  testStorage,
} from "../src/testing/test-app.ts";

const token = "0123456789abcdef";
const authorized = { authorization: `Bearer ${token}` };
const patience = { timeout: 250_000, interval: 50 };
const root = path.join(import.meta.dirname, "..");

/** What a client sees of an answer, but for what differs between any two. */
async function seen(answer: Response): Promise<unknown> {
  const headers = Object.fromEntries(answer.headers);
  for (const name of ["date", "x-request-id", "connection", "keep-alive"]) delete headers[name];
  return { status: answer.status, headers, body: await answer.text() };
}

async function metricsOf(app: TestApp): Promise<string> {
  const answer = await app.fetch("/metrics", { headers: authorized });
  expect(answer.status).toBe(200);
  expect(answer.headers.get("content-type")).toBe("text/plain; version=0.0.4; charset=utf-8");
  return answer.text();
}

const listRequests = (page: string): number =>
  metricIn(page, "quire_http_request_duration_seconds_count", { route: "/api/documents/" });

const sourceOf = (file: string): string => readFileSync(path.join(root, file), "utf8");

describe.each(engines)("/metrics on %s", (engine) => {
  it("is an address that does not exist, for everyone who may not read it", async () => {
    const settings = [{}, { QUIRE_METRICS_TOKEN: token }, { QUIRE_METRICS_ADDRESSES: "192.0.2.1" }];
    for (const environment of settings) {
      await using app = await startTestApp(engine, environment);
      for (const method of ["GET", "HEAD", "POST", "DELETE", "OPTIONS"]) {
        for (const headers of [{}, { authorization: "Bearer 0123456789abcdeg" }, { cookie: "sessionid=a" }]) {
          const [there, nowhere] = await Promise.all(
            ["/metrics", "/metrica"].map(async (address) =>
              seen(await app.fetch(address, { method, headers })),
            ),
          );
          expect(there).toEqual(nowhere);
        }
      }
    }
  });

  it("can be read from the addresses of a setting, but not through a proxy that is not trusted", async () => {
    await using app = await startTestApp(engine, { QUIRE_METRICS_ADDRESSES: "127.0.0.0/8,::1" });
    expect((await app.fetch("/metrics")).status).toBe(200);
    const forwarded = { headers: { "x-forwarded-for": "192.0.2.1" } };
    expect((await app.fetch("/metrics", forwarded)).status).toBe(404);
  });

  it("counts requests by route and status, and tells where responses came from", async () => {
    await using app = await startTestApp(engine, { QUIRE_METRICS_TOKEN: token });
    for (let count = 0; count < 5; count++) await (await app.fetch("/api/documents/")).text();
    await app.fetch("/api/documents/4711/");
    await app.fetch("/nowhere/");
    const page = await metricsOf(app);
    const requests = (route: string, status: string): number =>
      metricIn(page, "quire_http_request_duration_seconds_count", { method: "GET", route, status });
    expect(requests("/api/documents/", "200")).toBe(5);
    expect(requests("/api/documents/:id/", "404")).toBe(1);
    expect(requests("none", "404")).toBe(1);
    const [cached, made] = ["cache", "application"].map((origin) =>
      metricIn(page, "quire_responses_total", { origin }),
    );
    expect((cached ?? 0) + (made ?? 0)).toBe(7);
    // On PostgreSQL, what other databases write outdates cached responses too.
    expect(cached).toBeGreaterThanOrEqual(engine === "sqlite" ? 3 : 0);
    const bounds = page.match(/^quire_http_request_duration_seconds_bucket\{.*route="none".*$/gm);
    expect(bounds).toHaveLength(6);
  });
});

describe("the metrics of a server", () => {
  let storage: TestStorage;
  const running: ChildProcess[] = [];

  beforeEach(async () => {
    storage = await testStorage("sqlite");
  });
  afterEach(async () => {
    for (const child of running.splice(0)) child.kill("SIGKILL");
    await storage[Symbol.asyncDispose]();
  });

  /** Adds a document that waits to be processed. */
  async function addWaiting(): Promise<void> {
    await using app = await startAppOn(storage.config);
    const pdf = buildPdf({ pages: [{ width: 300, height: 200, lines: ["harbour"] }] });
    const subject = await addReadDocument(app.context, { status: "pending", pdf });
    await app.context.database.write((writer) => enqueue(writer, { kind: processJob, subject }));
  }

  function start(
    command: string,
    environment: Record<string, string>,
  ): { text: string; child: ChildProcess } {
    const env = {
      PATH: process.env["PATH"],
      NODE_COMPILE_CACHE: process.env["NODE_COMPILE_CACHE"],
      QUIRE_DATA: storage.config.data,
      QUIRE_PORT: "0",
      QUIRE_SAMPLES: "off",
      QUIRE_METRICS_TOKEN: token,
      ...environment,
    };
    const child = spawn(process.execPath, [path.join(root, "src/main.ts"), command], { env });
    running.push(child);
    const output = { text: "", child };
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding("utf8").on("data", (text: string) => (output.text += text));
    return output;
  }

  it("are those of all its processes and of the thread that runs jobs, and outlive a replaced process", async () => {
    await addWaiting();
    const server = start("serve", { QUIRE_PROCESSES: "2" });
    const ready = /Documents for people\s+(\S+)\/\n/;
    const url = await vi.waitFor(() => {
      const [, found] = ready.exec(server.text) ?? [];
      if (found === undefined) throw new Error(server.text);
      return found;
    }, patience);
    const read = async (): Promise<string> => {
      const answer = await fetch(`${url}/metrics`, { headers: authorized });
      expect(answer.status).toBe(200);
      return answer.text();
    };
    const lines = await linesToProcesses(url, 2);
    for (const line of lines) for (let count = 0; count < 3; count++) await line.ask("/api/documents/");
    expect(listRequests(await read())).toBe(6);
    for (const line of lines) line[Symbol.dispose]();
    // The document is being processed, by the thread.
    await vi.waitFor(async () => {
      const page = await read();
      expect(
        metricIn(page, "quire_job_duration_seconds_count", { kind: "process document", outcome: "done" }),
      ).toBe(1);
      expect(
        metricIn(page, "quire_processing_step_duration_seconds_count", { step: "read" }),
      ).toBeGreaterThan(0);
      expect(
        metricIn(page, "quire_file_operation_duration_seconds_count", { operation: "borrow" }),
      ).toBeGreaterThan(0);
      expect(page).toMatch(/^quire_info\{version="\d/m);
      for (const name of ["quire_database_up", "quire_files_up"]) expect(metricIn(page, name)).toBe(1);
      for (const name of ["process_cpu_seconds_total", "quire_disk_free_bytes"])
        expect(metricIn(page, name)).toBeGreaterThan(0);
    }, patience);
    const before = childrenOf(server.child.pid ?? 0);
    server.child.kill("SIGHUP");
    await vi.waitFor(() => {
      const now = childrenOf(server.child.pid ?? 0);
      expect(now.filter((pid) => before.includes(pid))).toEqual([]);
      expect(now).toHaveLength(2);
    }, patience);
    expect(listRequests(await read())).toBe(6);
  });

  it("have an address of their own if jobs run apart", async () => {
    const port = await freePort();
    const worker = start("work", { QUIRE_WORK_METRICS_PORT: String(port) });
    const url = `http://127.0.0.1:${port}/metrics`;
    const page = await vi.waitFor(async () => (await fetch(url, { headers: authorized })).text(), patience);
    expect(metricIn(page, "process_cpu_seconds_total")).toBeGreaterThan(0);
    expect((await fetch(url)).status).toBe(404);
    expect((await fetch(`http://127.0.0.1:${port}/`, { headers: authorized })).status).toBe(404);
    worker.child.kill("SIGTERM");
    expect(await once(worker.child, "exit")).toEqual([0, null]);
  });
});

describe("the dashboard", () => {
  it("shows metrics that exist and are documented", async () => {
    await using app = await startTestApp("sqlite", { QUIRE_METRICS_TOKEN: token });
    // Makes what is only there once it has happened.
    await app.context.metrics?.during("file", "read", () => Promise.resolve());
    app.context.metrics?.job("process document", "done", 1);
    app.context.metrics?.measureProcess();
    const own = await metricsOf(app);
    const docs = sourceOf("docs/metrics.md");
    const { panels } = JSON.parse(sourceOf("packaging/grafana/quire.json")) as {
      panels: { targets: { expr: string }[] }[];
    };
    const shown = panels.flatMap(({ targets }) =>
      targets.flatMap(({ expr }) => expr.match(/\b(?:quire|process|nodejs)_\w+/g) ?? []),
    );
    expect(new Set(shown).size).toBeGreaterThan(12);
    /** Those of the whole installation are not in a test's application: its first process has them. */
    const known = `${own}\n${docs}`;
    for (const name of new Set(shown)) {
      const family = name
        .replace(/_(?:bucket|sum|count)$/, "")
        .replace("quire_disk_free_bytes", "…_free_bytes");
      expect({ family, isKnown: known.includes(family) }).toEqual({ family, isKnown: true });
    }
  });

  it("is documented with every metric of Quire", async () => {
    await using app = await startTestApp("sqlite", { QUIRE_METRICS_TOKEN: token });
    const own = await metricsOf(app);
    const docs = sourceOf("docs/metrics.md");
    const names = new Set(Array.from(own.matchAll(/^# TYPE (quire_\w+) /gm), ([, name = ""]) => name));
    expect([...names].filter((name) => !docs.includes(`\`${name}\``))).toEqual([]);
    expect(names.size).toBeGreaterThan(4);
  });
});

/** Below those that the kernel gives to other tests, from which it would take this one too once it is free. */
async function freePort(): Promise<number> {
  const probe = createServer().listen(randomInt(20_000, 32_000), "127.0.0.1");
  await once(probe, "listening");
  const { port } = probe.address() as { port: number };
  probe.close();
  await once(probe, "close");
  return port;
}

import { mkdir, readdir, rm, utimes } from "node:fs/promises";
import path from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import pino from "pino";
import { beforeAll, describe, expect, it } from "vitest";
import type { Config } from "../src/config.ts";
import { type Context, openContext } from "../src/context.ts";
import { documentFileKey } from "../src/files/keys.ts";
import { examineDocuments } from "../src/resources/documents/processing/examine-documents.ts";
import { buildPdfWithFiles } from "../src/testing/inserted-files.ts";
import { buildPdf } from "../src/testing/pdf.ts";
import type { Person } from "../src/testing/people.ts";
import { sendAs } from "../src/testing/requests.ts";
import { scanOf } from "../src/testing/scan.ts";
import { type SentFile, addOwner, everyJobDone } from "../src/testing/sent-files.ts";
import { type OwnProcess, type ServedApp, serveOn, workOn } from "../src/testing/served.ts";
import { buildZip } from "../src/testing/zip.ts";
import { type TestEngine, engines, testStorage } from "../src/testing/test-app.ts";

/** `KILLS=50 npx vitest run tests/killed-worker.test.ts` runs longer. */
const kills = Number(process.env["KILLS"] ?? 5);

const leaseSeconds = 1;

/** The steps to wait for before a kill. A document's extension and status, and whether it has pages, tell its step. */
const steps = {
  "bytes come": null,
  "a file is made a PDF": { extensions: ["csv", "png"], status: "pending", hasPages: false },
  "an archive is unpacked": { extensions: ["txt"], status: "nofile", hasPages: false },
  "pages are read": { extensions: ["pdf", "csv"], status: "pending", hasPages: true },
  "an image is recognised": { extensions: ["png"], status: "pending", hasPages: true },
  "it has just been committed": { extensions: ["pdf", "csv", "png"], status: "success", hasPages: true },
} as const;
type Step = keyof typeof steps;

/** A document, and which of its steps the server has acknowledged. */
interface Uploaded {
  id: number;
  file: SentFile;
  isKept: boolean;
  isQueued: boolean;
}

/** As small as its lines allow: it is recognised after every kill. */
const small = { width: 300, height: 120 };

/** What is in the archive, at both levels: more than one transaction creates. */
const texts = Array.from({ length: 26 }, (_, index) => `${index}.txt`);
const inArchive = [...texts, "letter.eml", "report.pdf", "list.csv", "note.txt"];
const letter = [
  "Subject: A letter",
  'Content-Type: multipart/mixed; boundary="x"',
  "",
  "--x",
  'Content-Disposition: attachment; filename="list.csv"',
  "",
  "ship,cargo",
  "--x--",
].join("\r\n");

const pageCounts: Readonly<Record<string, number>> = { pdf: 120, csv: 43, png: 1, zip: 1 };
let files: SentFile[] = [];

beforeAll(async () => {
  const pages = Array.from({ length: 120 }, (_, index) => ({
    width: 612,
    height: 792,
    lines: [`Page ${index + 1}`, "The harbour master counts the ships that come and go"],
  }));
  const rows = Array.from({ length: 3000 }, (_, index) => `${index},herring,${index * 7}\n`);
  files = [
    { extension: "pdf", bytes: buildPdf({ pages }) },
    { extension: "csv", bytes: Buffer.from(rows.join("")) },
    {
      extension: "zip",
      bytes: buildZip({
        ...Object.fromEntries(texts.map((name) => [name, `The words of ${name}`])),
        "letter.eml": letter,
        "report.pdf": buildPdfWithFiles({ attached: { "note.txt": "Ten barrels" } }),
      }),
    },
    {
      extension: "png",
      bytes: await scanOf(["Nine ships were counted", "and two of them were on fire."], small),
    },
  ];
});

describe.each(engines)("processes on %s that are killed while files come in and are read", (engine) => {
  it(
    "lose no acknowledged document, and have no effect twice",
    async () => {
      await using storage = await testStorage(engine, { QUIRE_JOB_LEASE_SECONDS: String(leaseSeconds) });
      const temporary = path.join(storage.config.data, "..", `${path.basename(storage.config.data)}-tmp`);
      await mkdir(temporary);
      const context = await openContext(storage.config, pino({ level: "silent" }));
      const owner = await addOwner(context);
      const uploaded: Uploaded[] = [];
      const under: Record<string, number> = {};
      const running = new Running(engine, storage.config, temporary);
      try {
        for (let kill = 0; kill < kills; kill++) {
          const step = Object.keys(steps)[kill % Object.keys(steps).length] as Step;
          const server = await running.start();
          // The archive becomes thirty documents, which the next kills hit as well.
          const sent = files.filter(
            ({ extension }) => extension !== "zip" || step === "an archive is unpacked",
          );
          const coming = sent.map((file) => uploadUnlessKilled(server, owner, file, uploaded));
          await reaches(context, step, kill);
          await running.kill(kill);
          await note(context, under);
          await Promise.all(coming);
        }
        const server = await running.start();
        const restarted = Date.now();
        await everyJobDone(context);
        const seconds = (Date.now() - restarted) / 1000;
        for (const one of uploaded) await expectWhole(context, server, owner, one);
        const differences = await Array.fromAsync(examineDocuments(context), ({ what }) => what);
        expect(differences).toEqual([]);
        await running.end();
        await expectNothingLeft(storage.config, temporary);
        expect(uploaded.length).toBeGreaterThan(kills);
        if (kills > 5) console.log(engine, { kills, documents: uploaded.length, seconds, under });
      } finally {
        await running.end();
        await context.close();
        await rm(temporary, { recursive: true });
      }
    },
    300_000 + kills * 15_000,
  );
});

/** The processes that share one storage. */
class Running {
  readonly #config: Config;
  readonly #environment: Record<string, string>;
  /** `quire work` beside the server, if the database allows it. */
  readonly #hasWorker: boolean;
  #server: ServedApp | null = null;
  #worker: OwnProcess | null = null;

  constructor(engine: TestEngine, config: Config, temporary: string) {
    this.#config = config;
    this.#hasWorker = engine === "postgres";
    this.#environment = { TMPDIR: temporary, QUIRE_PROCESSING_WORKERS: this.#hasWorker ? "1" : "2" };
  }

  /** Starts the processes that are not running. */
  async start(): Promise<ServedApp> {
    const starting =
      this.#hasWorker && this.#worker === null ? workOn(this.#config, this.#environment) : null;
    this.#server ??= await serveOn(this.#config, this.#environment);
    this.#worker ??= await starting;
    return this.#server;
  }

  /** Kills the server, the worker beside it, and both, in turn. */
  async kill(turn: number): Promise<void> {
    const [server, worker] = [this.#server, this.#worker];
    const killsServer = !this.#hasWorker || turn % 3 !== 1;
    const killsWorker = turn % 3 !== 0;
    if (killsServer) this.#server = null;
    if (killsWorker) this.#worker = null;
    await Promise.all([killsServer ? server?.kill() : null, killsWorker ? worker?.kill() : null]);
  }

  async end(): Promise<void> {
    await Promise.all([this.#server?.[Symbol.asyncDispose](), this.#worker?.[Symbol.asyncDispose]()]);
    this.#server = this.#worker = null;
  }
}

async function uploadUnlessKilled(
  server: ServedApp,
  owner: Person,
  file: SentFile,
  uploaded: Uploaded[],
): Promise<void> {
  const { extension, bytes } = file;
  try {
    const made = { title: "One", original_extension: extension };
    const { body } = await sendAs(server, owner, "POST", "/api/documents/", made);
    const one: Uploaded = { id: body.id, file, isKept: false, isQueued: false };
    uploaded.push(one);
    one.isKept =
      (await fetch(body.presigned_url, { method: "PUT", body: inParts(bytes), ...half })).status === 200;
    const asked = await sendAs(server, owner, "POST", `/api/documents/${one.id}/process/`);
    one.isQueued = asked.status === 200;
  } catch {
    // The server is gone.
  }
}

const half = { duplex: "half" } as RequestInit;

/** Sends the bytes slowly enough for a kill to happen in between. */
function inParts(bytes: Uint8Array): ReadableStream<Uint8Array> {
  const size = Math.ceil(bytes.length / 4);
  return ReadableStream.from(
    (async function* parts() {
      for (let start = 0; start < bytes.length; start += size) {
        yield bytes.subarray(start, start + size);
        await wait(10);
      }
    })(),
  );
}

/** Resolves shortly after a document has reached this step, or after a limit if none does. */
async function reaches({ database: { reader } }: Context, step: Step, kill: number): Promise<void> {
  const wanted = steps[step];
  const last = await reader.selectFrom("documents").select("id").orderBy("id", "desc").limit(1).execute();
  const until = Date.now() + 2500;
  while (Date.now() < until) {
    if (wanted === null) break;
    const found = await reader
      .selectFrom("documents")
      .select("id")
      .where("status", "=", wanted.status)
      .where("page_count", wanted.hasPages ? ">" : "=", 0)
      .where("original_extension", "in", wanted.extensions)
      .where("id", ">", ["success", "nofile"].includes(wanted.status) ? (last[0]?.id ?? 0) : 0)
      .limit(1)
      .execute();
    if (found.length > 0) break;
    await wait(2);
  }
  if (wanted?.status !== "success") await wait(((kill * 37) % 100) * (wanted === null ? 1 : 3));
}

/** Counts the kinds of work that were under way when the processes were killed. */
async function note({ database }: Context, under: Record<string, number>): Promise<void> {
  const rows = await database.reader
    .selectFrom("jobs")
    .innerJoin("documents", "documents.id", "jobs.subject")
    .select(["original_extension", "status", "kind"])
    .where("lease", "is not", null)
    .execute();
  for (const { original_extension, status, kind } of rows) {
    const name = `${kind}: ${original_extension} ${status}`;
    under[name] = (under[name] ?? 0) + 1;
  }
}

async function expectWhole(context: Context, server: ServedApp, owner: Person, one: Uploaded): Promise<void> {
  const { id, file, isKept, isQueued } = one;
  const { status, body } = await sendAs(server, owner, "GET", `/api/documents/${id}/`);
  expect([id, status]).toEqual([id, 200]);
  const receipts = await sendAs(server, owner, "GET", `/api/documents/${id}/receipts/`);
  const count = (step: string, outcome = "done"): number =>
    receipts.body.results.filter((told: Reply) => told.step === step && told.outcome === outcome).length;
  // A document whose processes were killed at each attempt is given up. A request without an acknowledgement may have
  // been carried out.
  expect(isQueued ? ["success", "error"] : ["success", "error", "nofile"]).toContain(body.status);
  const failed = receipts.body.results.find((told: Reply) => told.outcome === "failed");
  const reason = "The worker that was at it went away before it was done";
  expect([id, failed?.message]).toEqual([id, body.status === "error" ? reason : undefined]);
  const kept = await context.files.stat(documentFileKey(id, "one", file.extension));
  expect([id, kept?.size]).toEqual([id, isKept || kept !== null ? file.bytes.length : undefined]);
  const isRead = body.status === "success";
  const pages = await context.database.reader
    .selectFrom("document_pages")
    .select("page")
    .where("document_id", "=", id)
    .orderBy("page")
    .execute();
  const expected = isRead ? (pageCounts[file.extension] ?? 0) : 0;
  const numbers = pages.map(({ page }) => page);
  // A document that was given up has the pages that had been read.
  const length = body.status === "error" ? numbers.length : expected;
  expect([id, numbers]).toEqual([id, Array.from({ length }, (_, page) => page)]);
  expect([id, count("read")]).toEqual([id, isRead ? 1 : 0]);
  expect([id, count("converted")]).toEqual([id, isRead && file.extension !== "pdf" ? 1 : 0]);
  expect([id, count("recognised")]).toEqual([id, isRead && file.extension === "png" ? 1 : 0]);
  if (file.extension === "zip") await expectFamily(context, id, body.status);
  // A file without an acknowledgement may have its receipt.
  expect([id, count("received")]).toEqual([id, isKept ? 1 : Math.min(1, count("received"))]);
}

/** What is in an archive is there once, and all of it unless something was given up. */
async function expectFamily({ database: { reader } }: Context, id: number, status: string): Promise<void> {
  const rows = await reader
    .selectFrom("document_children")
    .innerJoin("documents", "documents.id", "document_children.child_id")
    .select(["path", "documents.status"])
    .where("root_id", "=", id)
    .orderBy("depth")
    .orderBy("position")
    .orderBy("path")
    .execute();
  const paths = rows.map(({ path: name }) => name);
  const isWhole = status === "success" && rows.every((row) => row.status === "success");
  expect([id, paths]).toEqual([id, isWhole ? inArchive : inArchive.filter((name) => paths.includes(name))]);
  for (const row of rows) expect(["success", "error"]).toContain(row.status);
}

interface Reply {
  step: string;
  outcome: string;
  message?: string;
}

/** Interrupted files stay for a while, because another process may still write them. Then they are removed. */
async function expectNothingLeft(config: Config, temporary: string): Promise<void> {
  const aside = [path.join(config.data, "files", ".incoming"), path.join(config.data, "uploads"), temporary];
  const longAgo = new Date(Date.now() - 48 * 3600 * 1000);
  for (const folder of aside)
    for (const name of await readdir(folder)) await utimes(path.join(folder, name), longAgo, longAgo);
  const server = await serveOn(config, { TMPDIR: temporary });
  await server[Symbol.asyncDispose]();
  for (const folder of aside) {
    const left = await readdir(folder, { recursive: true });
    // The folder for finished uploads stays.
    expect([folder, left.filter((name) => name !== "done")]).toEqual([folder, []]);
  }
}

import { mkdtemp, readdir, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import { Archive } from "../src/archive/archive.ts";
import { exportArchive } from "../src/archive/export-archive.ts";
import { importArchive } from "../src/archive/import-archive.ts";
import { backUp } from "../src/backup/back-up.ts";
import { move } from "../src/backup/move.ts";
import { Repository } from "../src/backup/repository.ts";
import { findBackup, restore } from "../src/backup/restore.ts";
import { verify } from "../src/backup/verify.ts";
import type { Context } from "../src/context.ts";
import { openFilesAt } from "../src/files/open-files.ts";
import { ImportReport } from "../src/import/report.ts";
import { addStoredDocuments, openService } from "./stored-documents.ts";

/*
 * Measures backup, verification, restore, move and archive of a service with many documents. Each document has an
 * original of 10 kB, a PDF of 20 kB, and some pages of 300 words:
 *
 *   npm run bench:backup -- --documents 20000 [--pages 5] [--to postgres://…]
 *     [--steps backup,restore,move,export,import]
 *
 * A step prints its time and its processor time. The folder of a step is removed when no later step needs it.
 */

const { values } = parseArgs({
  options: {
    documents: { type: "string", default: "2000" },
    pages: { type: "string", default: "5" },
    to: { type: "string" },
    steps: { type: "string", default: "backup,restore,move,export,import" },
  },
});
const documents = Number(values.documents);
const stored = {
  documents,
  pagesEach: Number(values.pages),
  wordsOfPage: 300,
  bytes: { docx: 10_000, pdf: 20_000 },
};
const steps = new Set(values.steps.split(","));
const signal = new AbortController().signal;
const folder = await mkdtemp(path.join(tmpdir(), "quire-bench-backup-"));

/** Prints how long each part of a step takes. */
class Parts {
  #current: { name: string; started: Clock } | null = null;

  begin(name: string): void {
    if (this.#current?.name === name) return;
    this.end();
    this.#current = { name, started: clock() };
  }

  end(): void {
    if (this.#current !== null) console.log(`  ${this.#current.name}: ${elapsed(this.#current.started)}`);
    this.#current = null;
  }

  readonly readBack = (): void => this.begin("reading back");
  readonly files = (): void => this.begin("files");
  readonly rows = (done: number, total: number): void => this.begin(done < total ? "rows" : "after the rows");
  readonly indexed = (): void => this.begin("after the rows");
}

const progress = new Parts();
const imports = {
  onVerified: (): void => progress.begin("checksums"),
  onAccounts: (): void => progress.begin("documents"),
};

async function main(): Promise<void> {
  const context = await openService({ QUIRE_DATA: path.join(folder, "service") });
  await timed("making the service", () => addStoredDocuments(context, stored));
  console.log(`  service ${await megabytes("service")} MB`);
  if (steps.has("backup") || steps.has("restore")) await backUpAndRestore(context);
  if (steps.has("move")) await moveOver(context);
  if (steps.has("export") || steps.has("import")) await leave(context);
  await context.close();
}

async function backUpAndRestore(context: Context): Promise<void> {
  const repository = await Repository.open(
    await openFilesAt(context.config, { folder: path.join(folder, "backups") }),
  );
  const add = () => backUp(context, repository, { quire: "bench", readBackPercent: 4, signal, progress });
  await timed("first backup", add);
  console.log(`  backup ${await megabytes("backups")} MB`);
  await context.database.write((writer) =>
    writer
      .updateTable("documents")
      .set({ title: "Changed" })
      .where("id", "<=", documents / 100)
      .execute(),
  );
  const { newBytes } = await timed("second backup, after 1 % of the documents changed", add);
  console.log(`  new: ${(newBytes / 1e6).toFixed(1)} MB`);
  const backup = await findBackup(repository, null);
  await timed("restore --verify", () =>
    Array.fromAsync(verify(repository, backup.manifest, { signal, progress })),
  );
  if (steps.has("restore")) {
    await timed("restore into SQLite", async () => {
      const data = path.join(folder, "restored");
      const files = await openFilesAt(context.config, { folder: path.join(data, "files") });
      const to = { database: { dataFolder: data, databaseUrl: null }, files, secretFolder: data };
      await restore(repository, backup, to, { signal, progress, onFault: console.log });
    });
  }
  for (const name of ["backups", "restored"])
    await rm(path.join(folder, name), { recursive: true, force: true });
}

async function moveOver(context: Context): Promise<void> {
  const data = path.join(folder, "moved");
  await timed(`move into ${values.to === undefined ? "SQLite" : "PostgreSQL"}`, async () => {
    const files = await openFilesAt(context.config, { folder: path.join(data, "files") });
    const database = { dataFolder: data, databaseUrl: values.to ?? null };
    await move(context, { database, files, secretFolder: data }, { signal, progress });
  });
  await rm(data, { recursive: true, force: true });
}

async function leave(context: Context): Promise<void> {
  const archive = path.join(folder, "archive");
  await timed("export --archive", () => {
    const selection = { user: null, project: null, isPublic: false };
    const baseUrls = { web: "http://127.0.0.1:8000", assets: "http://127.0.0.1:8000/files/" };
    return exportArchive(context, {
      folder: archive,
      selection,
      baseUrls,
      agent: "bench",
      signal,
      progress: () => undefined,
    });
  });
  console.log(`  archive ${await megabytes("archive")} MB`);
  if (!steps.has("import")) return;
  const imported = await openService({ QUIRE_DATA: path.join(folder, "imported") });
  await timed("import --archive into SQLite", async () => {
    const report = new ImportReport({
      update: () => progress.begin("documents"),
      note: console.log,
      finish: () => undefined,
    });
    await importArchive(imported, await Archive.open(archive), { signal, report, ...imports });
    console.log(`  ${report.summary()}`);
  });
  await imported.close();
}

interface Clock {
  at: number;
  cpu: NodeJS.CpuUsage;
}

const clock = (): Clock => ({ at: performance.now(), cpu: process.cpuUsage() });

function elapsed({ at, cpu }: Clock): string {
  const { user, system } = process.cpuUsage(cpu);
  const seconds = (performance.now() - at) / 1000;
  return `${seconds.toFixed(1)} s (processor ${((user + system) / 1e6).toFixed(1)} s)`;
}

async function timed<T>(what: string, work: () => Promise<T>): Promise<T> {
  const started = clock();
  const result = await work();
  progress.end();
  console.log(`${what}: ${elapsed(started)}`);
  return result;
}

async function megabytes(name: string): Promise<string> {
  let bytes = 0;
  for (const file of await readdir(path.join(folder, name), { recursive: true })) {
    bytes += (await stat(path.join(folder, name, file))).size;
  }
  return (bytes / 1e6).toFixed(0);
}

try {
  await main();
} finally {
  await rm(folder, { recursive: true, force: true });
}

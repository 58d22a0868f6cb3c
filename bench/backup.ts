import { randomBytes } from "node:crypto";
import { mkdtemp, readdir, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import pino from "pino";
import { Archive } from "../src/archive/archive.ts";
import { exportArchive } from "../src/archive/export-archive.ts";
import { importArchive } from "../src/archive/import-archive.ts";
import { backUp } from "../src/backup/back-up.ts";
import { BackupPlace } from "../src/backup/backup-place.ts";
import { move } from "../src/backup/move.ts";
import { findBackup, restore, verify } from "../src/backup/restore.ts";
import { readConfig } from "../src/config.ts";
import { type Context, openContext } from "../src/context.ts";
import { documentFileKey } from "../src/files/keys.ts";
import { LocalFileStore } from "../src/files/local-file-store.ts";
import { ImportReport } from "../src/import/report.ts";
import { indexDocumentsAfter } from "../src/resources/documents/search/index-store.ts";
import { documentRow } from "../src/testing/factories.ts";

/*
 * Measures backup, verification, restore, move and archive of a service with many documents, each with a file of 30 kB and five
 * pages of 300 words:
 *
 *   npm run bench:backup -- --documents 20000 [--to postgres://…]
 */

const { values } = parseArgs({
  options: { documents: { type: "string", default: "2000" }, to: { type: "string" } },
});
const documents = Number(values.documents);
const pagesEach = 5;
const signal = new AbortController().signal;
const progress = { files: () => undefined, rows: () => undefined, indexed: () => undefined };
const vocabulary = Array.from({ length: 20_000 }, () => randomBytes(4).toString("hex"));
const folder = await mkdtemp(path.join(tmpdir(), "quire-bench-backup-"));

async function main(): Promise<void> {
  const context = await open(path.join(folder, "service"));
  await timed("making the service", () => fill(context));
  const place = new BackupPlace(await LocalFileStore.open(path.join(folder, "backups")));
  const add = () => backUp(context, place, { quire: "bench", signal, progress });
  await timed("first backup", add);
  console.log(`  service ${await megabytes("service")} MB, backup ${await megabytes("backups")} MB`);
  await context.database.write((writer) =>
    writer
      .updateTable("documents")
      .set({ title: "Changed" })
      .where("id", "<=", documents / 100)
      .execute(),
  );
  const { newBytes } = await timed("second backup, after 1 % of the documents changed", add);
  console.log(`  new: ${(newBytes / 1e6).toFixed(1)} MB`);
  const backup = await findBackup(place, null);
  await timed("restore --verify", () =>
    Array.fromAsync(verify(place, backup.manifest, { signal, progress })),
  );
  await timed("restore into SQLite", async () => {
    const data = path.join(folder, "restored");
    const files = await LocalFileStore.open(path.join(data, "files"));
    const to = { database: { dataFolder: data, databaseUrl: null }, files, secretFolder: data };
    await restore(place, backup, to, { signal, progress });
  });
  await timed(`move into ${values.to === undefined ? "SQLite" : "PostgreSQL"}`, async () => {
    const data = path.join(folder, "moved");
    const files = await LocalFileStore.open(path.join(data, "files"));
    const database = { dataFolder: data, databaseUrl: values.to ?? null };
    await move(context, { database, files, secretFolder: data }, { signal, progress });
  });
  const archive = path.join(folder, "archive");
  await timed("export --archive", () => {
    const selection = { user: null, project: null };
    const bases = { web: "http://127.0.0.1:8000", assets: "http://127.0.0.1:8000/files/" };
    return exportArchive(context, {
      folder: archive,
      selection,
      bases,
      agent: "bench",
      signal,
      progress: () => undefined,
    });
  });
  console.log(`  archive ${await megabytes("archive")} MB`);
  const imported = await open(path.join(folder, "imported"));
  await timed("import --archive into SQLite", async () => {
    const report = new ImportReport({ update: () => undefined, note: console.log, finish: () => undefined });
    const silent = { onVerified: () => undefined, onAccounts: () => undefined };
    await importArchive(imported, await Archive.open(archive), { signal, report, ...silent });
    console.log(`  ${report.summary()}`);
  });
  await imported.close();
  await context.close();
}

async function open(data: string): Promise<Context> {
  const read = readConfig({ QUIRE_DATA: data });
  if ("problems" in read) throw new Error(read.problems.join("\n"));
  return openContext(read.config, pino({ level: "silent" }));
}

function word(): string {
  return vocabulary[Math.floor(Math.random() ** 3 * vocabulary.length)] ?? "";
}

async function fill({ database, files }: Context): Promise<void> {
  const times = { created_at: "2025-01-31T12:00:00.000000Z", updated_at: "2025-01-31T12:00:00.000000Z" };
  await database.write(async (writer) => {
    await writer
      .insertInto("users")
      .values({ id: 1, username: "one", name: "One", ...times })
      .execute();
    const organization = { id: 1, name: "One", slug: "one", individual: true, ...times };
    await writer.insertInto("organizations").values(organization).execute();
  });
  for (let first = 1; first <= documents; first += 100) {
    const ids = Array.from({ length: Math.min(100, documents - first + 1) }, (_, index) => first + index);
    await database.write(async (writer) => {
      for (const id of ids) {
        const row = documentRow({
          id,
          title: `Document ${id}`,
          slug: `document-${id}`,
          page_count: pagesEach,
          page_spec: `612.00x792.00:0-${pagesEach - 1}`,
        });
        await writer.insertInto("documents").values(row).execute();
        for (let page = 0; page < pagesEach; page++) {
          const text = Array.from({ length: 300 }, word).join(" ");
          await writer.insertInto("document_pages").values({ document_id: id, page, text }).execute();
        }
      }
      await indexDocumentsAfter(writer, first - 1, { areNew: true });
    });
    for (const id of ids) {
      const content = randomBytes(30_000);
      await files.put(
        documentFileKey(id, `document-${id}`, "pdf"),
        (async function* bytes() {
          yield content;
        })(),
      );
    }
  }
}

async function timed<T>(what: string, work: () => Promise<T>): Promise<T> {
  const started = performance.now();
  const result = await work();
  console.log(`${what}: ${((performance.now() - started) / 1000).toFixed(1)} s`);
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

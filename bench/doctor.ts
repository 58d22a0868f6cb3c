import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import pino from "pino";
import { forEachConcurrently } from "../src/concurrently.ts";
import { readConfig } from "../src/config.ts";
import { type Context, openContext } from "../src/context.ts";
import { documentFileKey } from "../src/files/keys.ts";
import { indexNewDocuments } from "../src/resources/documents/search/index-store.ts";
import { storeRecords } from "../src/resources/documents/record-store.ts";
import { documentRow } from "../src/testing/factories.ts";
import { createThrowawayDatabase, startPostgres } from "../src/testing/postgres.ts";
import { startS3Server } from "../src/testing/s3-server.ts";
import { machine } from "./machine.ts";
import { readOptions } from "./options.ts";
import { quire } from "./quire-server.ts";
import { report, watch } from "./watched-command.ts";

/*
 * What `quire doctor` costs for documents with an original, a PDF and three pages each:
 *
 *   node bench/doctor.ts [--documents 10000] [--engine postgres] [--store s3]
 *
 * Prints the processor time of the command, of PostgreSQL and the requests to the store.
 */

const {
  documents = 10_000,
  engine = "sqlite",
  store = "disk",
} = readOptions(process.argv.slice(2), { documents: "number", engine: "text", store: "text" });
const vocabulary = Array.from({ length: 20_000 }, () => randomBytes(4).toString("hex"));
const times = { created_at: "2025-01-31T12:00:00.000000Z", updated_at: "2025-01-31T12:00:00.000000Z" };
const pagesEach = 3;
const wordsOfPage = 100;

async function fill({ database, files }: Context): Promise<void> {
  await database.write(async (writer) => {
    const user = { id: 1, username: "one", name: "One", ...times };
    await writer.insertInto("users").values(user).execute();
    const organization = { id: 1, name: "One", slug: "one", individual: true, ...times };
    await writer.insertInto("organizations").values(organization).execute();
  });
  for (let first = 1; first <= documents; first += 500) {
    const ids = Array.from({ length: Math.min(500, documents - first + 1) }, (_, index) => first + index);
    await database.write(async (writer) => {
      const rows = ids.map((id) =>
        documentRow({
          id,
          title: `Document ${id}`,
          slug: `document-${id}`,
          page_count: pagesEach,
          page_spec: `612.00x792.00:0-${pagesEach - 1}`,
          original_extension: "docx",
        }),
      );
      for (const row of rows) await writer.insertInto("documents").values(row).execute();
      const pages = ids.flatMap((id) =>
        Array.from({ length: pagesEach }, (_, page) => ({ document_id: id, page, text: words() })),
      );
      await writer.insertInto("document_pages").values(pages).execute();
    });
    await forEachConcurrently(ids, 8, async (id) => {
      for (const kind of ["docx", "pdf"])
        await files.put(documentFileKey(id, `document-${id}`, kind), bytesOf(), { isRemakeable: true });
    });
  }
  await database.write((writer) => indexNewDocuments(writer, () => undefined));
  await storeRecords(database, new AbortController().signal);
}

const word = (): string => vocabulary[Math.floor(Math.random() ** 3 * vocabulary.length)] ?? "";

function words(): string {
  return Array.from({ length: wordsOfPage }, word).join(" ");
}

async function* bytesOf(): AsyncGenerator<Uint8Array> {
  yield randomBytes(100);
}

const folder = await mkdtemp(path.join(tmpdir(), "quire-bench-doctor-"));
const postgres = engine === "postgres" ? await startPostgres() : null;
const bucket = store === "s3" ? await startS3Server() : null;
try {
  const database = postgres === null ? null : await createThrowawayDatabase(postgres.url);
  const environment = {
    QUIRE_DATA: folder,
    ...bucket?.environment,
    ...(database !== null && { QUIRE_DATABASE_URL: database.url }),
  };
  const read = readConfig(environment);
  if ("problems" in read) throw new Error(read.problems.join("\n"));
  const context = await openContext(read.config, pino({ level: "silent" }));
  await fill(context);
  await context.close();
  console.log(machine());
  bucket?.asked.splice(0);
  const command = quire("quire", { args: ["doctor"], environment, logFile: path.join(folder, "said") });
  console.log(
    report(`doctor, ${documents} documents, ${engine}, ${store}`, await watch(command, database?.url)),
  );
  if (bucket !== null) console.log(`requests to the store: ${bucket.asked.length}`);
} finally {
  await bucket?.[Symbol.asyncDispose]();
  await postgres?.stop();
  await rm(folder, { recursive: true, force: true });
}

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { storeRecords } from "../src/resources/documents/record-store.ts";
import { createThrowawayDatabase, startPostgres } from "../src/testing/postgres.ts";
import { startS3Server } from "../src/testing/s3-server.ts";
import { machine } from "./machine.ts";
import { readOptions } from "./options.ts";
import { quire } from "./quire-server.ts";
import { addStoredDocuments, openService } from "./stored-documents.ts";
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
  const context = await openService(environment);
  await addStoredDocuments(context, {
    documents,
    pagesEach: 3,
    wordsOfPage: 100,
    bytes: { docx: 100, pdf: 100 },
  });
  await storeRecords(context.database, new AbortController().signal);
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

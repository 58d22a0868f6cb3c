import { randomBytes } from "node:crypto";
import pino from "pino";
import { forEachConcurrently } from "../src/concurrently.ts";
import { readConfig } from "../src/config.ts";
import { type Context, openContext } from "../src/context.ts";
import { documentFileKey } from "../src/files/keys.ts";
import { indexNewDocuments } from "../src/resources/documents/search/index-store.ts";
import { documentRow } from "../src/testing/factories.ts";

const vocabulary = Array.from({ length: 20_000 }, () => randomBytes(4).toString("hex"));
const times = { created_at: "2025-01-31T12:00:00.000000Z", updated_at: "2025-01-31T12:00:00.000000Z" };

export interface StoredDocuments {
  documents: number;
  pagesEach: number;
  wordsOfPage: number;
  /** The bytes of the two files of a document. */
  bytes: { docx: number; pdf: number };
}

/** What a command uses for its work, with these settings. */
export async function openService(environment: Record<string, string>): Promise<Context> {
  const read = readConfig(environment);
  if ("problems" in read) throw new Error(read.problems.join("\n"));
  return openContext(read.config, pino({ level: "silent" }));
}

/** Adds documents with an original, a PDF and some pages each, and indexes them. */
export async function addStoredDocuments(
  { database, files }: Context,
  { documents, pagesEach, wordsOfPage, bytes }: StoredDocuments,
): Promise<void> {
  await database.write(async (writer) => {
    const user = { id: 1, username: "one", name: "One", ...times };
    await writer.insertInto("users").values(user).execute();
    const organization = { id: 1, name: "One", slug: "one", individual: true, ...times };
    await writer.insertInto("organizations").values(organization).execute();
  });
  for (let first = 1; first <= documents; first += 500) {
    const ids = Array.from({ length: Math.min(500, documents - first + 1) }, (_, index) => first + index);
    await database.write(async (writer) => {
      for (const id of ids) {
        const row = documentRow({
          id,
          title: `Document ${id}`,
          slug: `document-${id}`,
          page_count: pagesEach,
          page_spec: `612.00x792.00:0-${pagesEach - 1}`,
          original_extension: "docx",
        });
        await writer.insertInto("documents").values(row).execute();
        const pages = Array.from({ length: pagesEach }, (_, page) => ({
          document_id: id,
          page,
          text: Array.from({ length: wordsOfPage }, word).join(" "),
        }));
        await writer.insertInto("document_pages").values(pages).execute();
      }
    });
    await forEachConcurrently(ids, 8, async (id) => {
      for (const kind of ["docx", "pdf"] as const)
        await files.put(documentFileKey(id, `document-${id}`, kind), bytesOf(bytes[kind]), {
          isRemakeable: true,
        });
    });
  }
  await database.write((writer) => indexNewDocuments(writer, () => undefined));
}

const word = (): string => vocabulary[Math.floor(Math.random() ** 3 * vocabulary.length)] ?? "";

async function* bytesOf(size: number): AsyncGenerator<Uint8Array> {
  yield randomBytes(size);
}

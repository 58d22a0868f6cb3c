import { cp, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { gunzipSync } from "node:zlib";
import { sql } from "kysely";
import { describe, expect, it } from "vitest";
import type { Config } from "../src/config.ts";
import type { DatabaseSettings } from "../src/database/database.ts";
import { schemaStateOf, openDatabase, openRawDatabase } from "../src/database/open-database.ts";
import { openForFilling } from "../src/database/transfer/fill.ts";
import { findSchemaFacts, rowsOf } from "../src/database/transfer/snapshot.ts";
import { copiedTables } from "../src/database/transfer/tables.ts";
import { hasTable } from "../src/database/transfer/unfinished.ts";
import { samplesFolder } from "../src/import/samples.ts";
import { indexDocumentsAfter } from "../src/resources/documents/search/index-store.ts";
import { examineDocuments } from "../src/resources/documents/processing/examine-documents.ts";
import { addDocuments } from "../src/testing/factories.ts";
import {
  type TestApp,
  emptyStorage,
  engines,
  startAppOn,
  startTestApp,
  testStorage,
} from "../src/testing/test-app.ts";

const versions = ["0004-processing", "0016-fair-jobs"] as const;
const sample = path.join(samplesFolder, "Notice of winter opening hours.pdf");

const settingsOf = ({ data: dataFolder, databaseUrl }: Config): DatabaseSettings => ({
  dataFolder,
  databaseUrl,
});

async function unpack(version: string, { data }: Config): Promise<void> {
  const packed = await readFile(path.join(import.meta.dirname, "earlier-versions", `${version}.sqlite.gz`));
  await writeFile(path.join(data, "quire.sqlite"), gunzipSync(packed));
  await cp(sample, path.join(data, "files/documents/1/notice-of-winter-opening-hours.pdf"));
}

/** Expects everything that the old service contained: see earlier-versions/README.md. */
async function expectEverything(app: TestApp, version: string): Promise<Record<string, string>> {
  const signedIn = await app.fetch("/api/token/", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ username: "maria", password: "a long password" }),
  });
  const { access } = (await signedIn.json()) as { access: string };
  const headers = { authorization: `Bearer ${access}` };
  const get = async (address: string) => (await app.fetch(address, { headers })).json();
  expect(await get("/api/documents/1/?expand=user,organization")).toMatchObject({
    title: "Winter notice",
    access: "organization",
    status: "success",
    page_count: 1,
    user: { username: "maria", name: "Maria Lind" },
    // An import used to give documents to the owner's individual organization.
    organization: { name: "maria" },
  });
  expect((await app.fetch("/api/documents/1/")).status).toBe(404);
  expect(await get("/api/projects/")).toMatchObject({ results: [{ title: "Council", private: true }] });
  const file = await app.fetch("/files/documents/1/notice-of-winter-opening-hours.pdf", { headers });
  expect(Buffer.from(await file.arrayBuffer()).equals(await readFile(sample))).toBe(true);
  const { reader } = app.context.database;
  const history = await reader.selectFrom("document_history").select(["action", "user_id"]).execute();
  expect(history).toEqual([{ action: "changed", user_id: 1 }]);
  const jobs = await reader.selectFrom("jobs").select("kind").execute();
  // A job adds documents that were processed before the word index existed.
  expect(jobs.some(({ kind }) => kind === "index documents")).toBe(version === "0004-processing");
  return headers;
}

/** Expects texts of pages and notes, and that searches find them. */
async function expectTexts(app: TestApp, headers: Record<string, string>): Promise<void> {
  const get = async (address: string) => (await app.fetch(address, { headers })).json();
  const text = await app.fetch("/files/documents/1/notice-of-winter-opening-hours.txt", { headers });
  expect(await text.text()).toContain("the reading room keeps its winter hours");
  expect(await get("/api/documents/1/notes/")).toMatchObject({
    results: [{ content: "Remarkable lighthouse" }],
  });
  for (const word of ["brennavik", "remarkable"])
    expect(await get(`/api/documents/search/?q=${word}`)).toMatchObject({ count: 1 });
}

describe.each(versions)("a data folder as of %s", (version) => {
  it("is migrated by the next start, which finds everything", async () => {
    await using storage = await emptyStorage("sqlite");
    await unpack(version, storage.config);
    const { done, pending } = await schemaStateOf(settingsOf(storage.config));
    expect(done.at(-1)).toBe(version);
    expect(pending).toContain("0019-locks-and-cancelled-jobs");
    await using app = await startAppOn(storage.config);
    const headers = await expectEverything(app, version);
    if (version !== "0004-processing") await expectTexts(app, headers);
    expect((await schemaStateOf(settingsOf(storage.config))).pending).toEqual([]);
  });

  it.each(engines)("can be copied into %s, and is then brought up to date", async (engine) => {
    await using storage = await emptyStorage("sqlite");
    await unpack(version, storage.config);
    await using target = await emptyStorage(engine);
    {
      await using source = await openRawDatabase(settingsOf(storage.config));
      const tables: (typeof copiedTables)[number][] = [];
      for (const table of copiedTables) if (await hasTable(source.kysely, table.name)) tables.push(table);
      await using database = await openForFilling(settingsOf(target.config), "a test");
      const rows = (table: (typeof copiedTables)[number]) => rowsOf(source.kysely, table);
      await database.complete(
        { facts: await findSchemaFacts(source.kysely, tables), rows },
        async (writer) => void (await indexDocumentsAfter(writer, 0, { areNew: true })),
      );
    }
    await cp(path.join(storage.config.data, "files"), path.join(target.config.data, "files"), {
      recursive: true,
    });
    await using app = await startAppOn(target.config);
    const headers = await expectEverything(app, version);
    if (version !== "0004-processing") await expectTexts(app, headers);
    const differences = await Array.fromAsync(examineDocuments(app.context, { hashes: true }));
    // An import did not read texts yet.
    const unread = version === "0004-processing" ? ["document 1 has 1 pages, but the text of 0"] : [];
    expect(differences.map(({ what }) => what)).toEqual(unread);
  });
});

describe.each(engines)("a database of a newer Quire on %s", (engine) => {
  it("is refused with a sentence, and stays as it is", async () => {
    await using storage = await testStorage(engine);
    const settings = settingsOf(storage.config);
    {
      await using database = await openRawDatabase(settings);
      await sql`insert into kysely_migration (name, timestamp) values ('9999-future', '2030')`.execute(
        database.kysely,
      );
    }
    const sentence = "The database belongs to a newer Quire: this one does not know its 9999-future.";
    await expect(openDatabase(settings)).rejects.toThrow(sentence);
    await expect(schemaStateOf(settings)).rejects.toThrow(sentence);
  });

  it("is served by this one too if the newer one has only added to it, but is not copied", async () => {
    await using app = await startTestApp(engine);
    const settings = settingsOf(app.context.config);
    const titles = Array.from({ length: 20 }, (_, index) => `The document ${index}`);
    const ids = await addDocuments(
      app.context,
      titles.map((title) => ({ title, access: "public" as const })),
    );
    const titleOf = async (document: number): Promise<unknown> =>
      ((await (await app.fetch(`/api/documents/${document}/`)).json()) as { title?: string }).title;
    // A statement is prepared when it has been used several times.
    for (const [index, id] of ids.entries()) expect(await titleOf(id)).toBe(titles[index]);
    await app.context.database.write(async (writer) => {
      await sql`insert into kysely_migration (name, timestamp) values ('9999-add-future', '2030')`.execute(
        writer,
      );
      await sql`alter table documents add column future text`.execute(writer);
    });
    const database = await openDatabase(settings);
    const [id = 0] = await addDocuments({ database }, [{ title: "Beside", access: "public" }]);
    expect(await titleOf(id)).toBe("Beside");
    expect(await Promise.all(ids.map(titleOf))).toEqual(titles);
    const sentence = "The database belongs to a newer Quire: this one does not know its 9999-add-future.";
    await expect(findSchemaFacts(database.reader, copiedTables)).rejects.toThrow(sentence);
    await database.close();
  });
});

describe("a PostgreSQL with pending migrations", () => {
  it("is not changed while a server is connected that needs the schema as it is", async () => {
    await using storage = await testStorage("postgres");
    const settings = settingsOf(storage.config);
    const earlier = await openDatabase(settings);
    await earlier.write(async (writer) => {
      for (const table of ["import_files", "imports"])
        await sql`drop table ${sql.table(table)}`.execute(writer);
      await sql`delete from kysely_migration where name = '0300-imports'`.execute(writer);
    });
    const sentence = "Servers or commands of an earlier version are connected";
    await expect(openDatabase(settings)).rejects.toThrow(sentence);
    expect((await schemaStateOf(settings)).pending).toEqual(["0300-imports"]);
    await earlier.close();
    await (await openDatabase(settings)).close();
    expect((await schemaStateOf(settings)).pending).toEqual([]);
  });
});

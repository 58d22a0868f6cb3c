import { cp, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { gunzipSync } from "node:zlib";
import { sql } from "kysely";
import { describe, expect, it } from "vitest";
import { migrationNames, refuseUnknownMigrations } from "../src/database/migrate.ts";
import { schemaStateOf, openDatabase, openRawDatabase } from "../src/database/open-database.ts";
import { openForFilling } from "../src/database/transfer/fill.ts";
import { findSchemaFacts, rowsOf } from "../src/database/transfer/snapshot.ts";
import { type CopiedTable, copiedTables } from "../src/database/transfer/tables.ts";
import { hasTable } from "../src/database/transfer/unfinished.ts";
import { samplesFolder } from "../src/import/samples.ts";
import { indexDocumentsAfter } from "../src/resources/documents/search/index-store.ts";
import { examineDocuments } from "../src/resources/documents/processing/examine-documents.ts";
import { addDocuments } from "../src/testing/factories.ts";
import { hasPostgres } from "../src/testing/runs.ts";
import { plainly, schemaOf, settingsOf } from "../src/testing/schemas.ts";
import {
  type TestApp,
  type TestStorage,
  emptyStorage,
  engines,
  startAppOn,
  startTestApp,
  testStorage,
} from "../src/testing/test-app.ts";

const sample = path.join(samplesFolder, "Notice of winter opening hours.pdf");

/** The last version before the baseline: see earlier-versions/README.md. */
async function unpack({ config }: TestStorage): Promise<void> {
  const { data, databaseUrl } = config;
  const kind = databaseUrl === null ? "sqlite" : "sql";
  const name = `0470-add-fixed-account-history.${kind}.gz`;
  const content = gunzipSync(await readFile(path.join(import.meta.dirname, "earlier-versions", name)));
  if (databaseUrl === null) await writeFile(path.join(data, "quire.sqlite"), content);
  else await plainly({ config }, content.toString());
  await cp(sample, path.join(data, "files/documents/1/notice-of-winter-opening-hours.pdf"));
}

const namesIn = (storage: TestStorage): Promise<string[]> =>
  plainly(storage, "select name from kysely_migration order by name");

/** Expects everything that the old service contained. */
async function expectEverything(app: TestApp): Promise<void> {
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
    organization: { name: "Harbour Press" },
  });
  expect((await app.fetch("/api/documents/1/")).status).toBe(404);
  expect(await get("/api/projects/")).toMatchObject({ results: [{ title: "Council", private: true }] });
  const file = await app.fetch("/files/documents/1/notice-of-winter-opening-hours.pdf", { headers });
  expect(Buffer.from(await file.arrayBuffer()).equals(await readFile(sample))).toBe(true);
  const { reader } = app.context.database;
  const history = await reader.selectFrom("document_history").select(["action", "user_id"]).execute();
  expect(history).toEqual([{ action: "changed", user_id: 1 }]);
  const text = await app.fetch("/files/documents/1/notice-of-winter-opening-hours.txt", { headers });
  expect(await text.text()).toContain("the reading room keeps its winter hours");
  expect(await get("/api/documents/1/notes/")).toMatchObject({
    results: [{ content: "Remarkable lighthouse" }],
  });
  for (const word of ["brennavik", "remarkable"])
    expect(await get(`/api/documents/search/?q=${word}`)).toMatchObject({ count: 1 });
}

describe.each(engines)("a database as of the last version before the baseline, on %s", (engine) => {
  it("has the schema that the baseline makes, and is served without a change to it", async () => {
    await using storage = await emptyStorage(engine);
    await unpack(storage);
    const names = await namesIn(storage);
    const [baseline, ...later] = migrationNames;
    expect(await schemaStateOf(settingsOf(storage))).toMatchObject({ done: [baseline], pending: later });
    {
      await using app = await startAppOn(storage.config);
      await expectEverything(app);
      await (await openDatabase(settingsOf(storage))).close();
    }
    // A server that has the earlier migrations finds them, and may start again.
    expect(await namesIn(storage)).toEqual([...names, ...later]);
    await using fresh = await testStorage(engine);
    expect(await schemaOf(storage)).toEqual(await schemaOf(fresh));
  });

  it("is refused with a sentence that says how it is opened, if a migration is missing", async () => {
    await using storage = await emptyStorage(engine);
    await unpack(storage);
    await plainly(storage, "delete from kysely_migration where name > '0420'");
    const schema = await schemaOf(storage);
    const names = await namesIn(storage);
    const sentence = `it has ${names.length} of the 79 migrations before that. Bring it up to date with commit `;
    await expect(openDatabase(settingsOf(storage))).rejects.toThrow(sentence);
    await expect(schemaStateOf(settingsOf(storage))).rejects.toThrow(sentence);
    // As a backup of it is.
    expect(() => refuseUnknownMigrations(names)).toThrow(sentence);
    expect([await schemaOf(storage), await namesIn(storage)]).toEqual([schema, names]);
  });

  it("can be copied into an empty one, and so be restored", async () => {
    await using storage = await emptyStorage("sqlite");
    await unpack(storage);
    await using target = await emptyStorage(engine);
    {
      await using source = await openRawDatabase(settingsOf(storage));
      await using database = await openForFilling(settingsOf(target), "a test");
      const tables: CopiedTable[] = [];
      for (const table of copiedTables) if (await hasTable(source.kysely, table.name)) tables.push(table);
      const { lastIds } = await findSchemaFacts(source.kysely, tables);
      const rows = (table: CopiedTable) => rowsOf(source.kysely, table);
      // As in the manifest of a backup that the last version before the baseline made.
      const facts = { lastIds, migrations: await namesIn(storage) };
      await database.complete(
        { facts, rows },
        async (writer) => void (await indexDocumentsAfter(writer, 0, { areNew: true })),
      );
    }
    expect(await namesIn(target)).toEqual(migrationNames);
    await cp(path.join(storage.config.data, "files"), path.join(target.config.data, "files"), {
      recursive: true,
    });
    await using app = await startAppOn(target.config);
    await expectEverything(app);
    const differences = await Array.fromAsync(examineDocuments(app.context, { hashes: true }));
    expect(differences.map(({ what }) => what)).toEqual([]);
  });
});

describe.each(engines)("a database of a newer Quire on %s", (engine) => {
  it("is refused with a sentence, and stays as it is", async () => {
    await using storage = await testStorage(engine);
    const settings = settingsOf(storage);
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
    const settings = settingsOf(app.context);
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

describe.runIf(hasPostgres)("a PostgreSQL with pending migrations", () => {
  it("is not changed while a server is connected that needs the schema as it is", async () => {
    await using storage = await emptyStorage("postgres");
    const earlier = await openDatabase(settingsOf(storage));
    await earlier.ping();
    // So another version had only added to it: the baseline is pending, and adds more.
    await plainly(
      storage,
      "drop schema public cascade",
      "create schema public",
      "create table kysely_migration (name varchar(255) primary key, timestamp varchar(255) not null)",
      "insert into kysely_migration values ('9999-add-future', '2020')",
    );
    const sentence = "Servers or commands of an earlier version are connected";
    await expect(openDatabase(settingsOf(storage))).rejects.toThrow(sentence);
    expect((await schemaStateOf(settingsOf(storage))).pending).toEqual(migrationNames);
    await earlier.close();
    // PostgreSQL still lists a connection for a moment after its end.
    await (await openDatabase({ ...settingsOf(storage), waitSeconds: 60 })).close();
    expect((await schemaStateOf(settingsOf(storage))).pending).toEqual([]);
  });
});

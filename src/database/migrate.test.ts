import { execFile } from "node:child_process";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { promisify } from "node:util";
import { Client } from "pg";
import { describe, expect, it } from "vitest";
import { addDocuments } from "../testing/factories.ts";
import { type TestStorage, engines, emptyStorage } from "../testing/test-app.ts";
import { type DatabaseSettings, openDatabase } from "./database.ts";

const settingsOf = ({ config }: TestStorage): DatabaseSettings => ({
  dataFolder: config.data,
  databaseUrl: config.databaseUrl,
});

/** Runs statements on the storage without migrating it; returns the rows of the last one as texts. */
async function plainly({ config }: TestStorage, ...statements: string[]): Promise<string[]> {
  let rows: unknown[] = [];
  if (config.databaseUrl === null) {
    const file = new DatabaseSync(path.join(config.data, "quire.sqlite"));
    for (const statement of statements) rows = file.prepare(statement).all();
    file.close();
  } else {
    const client = new Client({ connectionString: config.databaseUrl });
    await client.connect();
    for (const statement of statements) ({ rows } = await client.query<Record<string, unknown>>(statement));
    await client.end();
  }
  return rows.map((row) => Object.values(row as object).join(" "));
}

/** All objects of a schema. */
function schemaOf(storage: TestStorage): Promise<string[]> {
  return plainly(
    storage,
    storage.config.databaseUrl === null
      ? "select type, name, sql from sqlite_master where name not like 'kysely%' and name not like '%autoindex%' order by 1, 2"
      : `select relkind::text || ' ' || relname || ' ' || coalesce(pg_get_indexdef(oid), '') from pg_class
          where relnamespace = 'public'::regnamespace and relname not like 'kysely%'
        union all select 'trigger ' || tgname || pg_get_triggerdef(oid) from pg_trigger where not tgisinternal
        union all select 'function ' || proname || prosrc from pg_proc where pronamespace = 'public'::regnamespace
        order by 1`,
  );
}

describe.each(engines)("the schema on %s", (engine) => {
  it("is created in an empty database and is unchanged when it is opened again", async () => {
    await using storage = await emptyStorage(engine);
    const first = await openDatabase(settingsOf(storage));
    await addDocuments({ database: first }, [{ title: "Kept" }]);
    await first.close();
    const made = await schemaOf(storage);
    expect(made.join("\n")).toContain("documents_by_title");
    for (let time = 0; time < 2; time++) {
      const again = await openDatabase(settingsOf(storage));
      expect(await again.reader.selectFrom("documents").select("title").execute()).toEqual([
        { title: "Kept" },
      ]);
      await again.close();
    }
    expect(await schemaOf(storage)).toEqual(made);
  });

  it("is created completely or not at all", async () => {
    await using storage = await emptyStorage(engine);
    // Conflicts with a late migration.
    await plainly(storage, "create table document_data (in_the_way text)");
    const before = await schemaOf(storage);
    for (let time = 0; time < 2; time++)
      await expect(openDatabase(settingsOf(storage))).rejects.toThrow("could not be brought up to date");
    expect(await schemaOf(storage)).toEqual(before);
    await plainly(storage, "drop table document_data");
    const database = await openDatabase(settingsOf(storage));
    expect(await addDocuments({ database }, [{}])).toEqual([1]);
    await database.close();
  });

  it("runs a missing migration even if later ones have already run", async () => {
    await using storage = await emptyStorage(engine);
    const open = async (): Promise<void> => (await openDatabase(settingsOf(storage))).close();
    await open();
    const made = await schemaOf(storage);
    const tables = ["notes", "sections", "saved_searches"].map((table) => `drop table ${table}`);
    const functions = engine === "postgres" ? ["drop function notes_forget_words"] : [];
    const steps = "delete from kysely_migration where name in ('0006-notes', '0013-note-words')";
    await plainly(storage, ...tables, ...functions, steps);
    expect(await schemaOf(storage)).not.toEqual(made);
    await open();
    expect(await schemaOf(storage)).toEqual(made);
  });

  it("is created once by several processes that start at the same time", async () => {
    await using storage = await emptyStorage(engine);
    const open = `const { openDatabase } = await import(${JSON.stringify(import.meta.resolve("./database.ts"))});
      const database = await openDatabase(${JSON.stringify(settingsOf(storage))});
      await database.ping();
      await database.close();`;
    const starts = Array.from({ length: 3 }, () =>
      promisify(execFile)(process.execPath, ["--input-type=module", "--eval", open]),
    );
    const ends = await Promise.allSettled(starts);
    expect(ends.filter(({ status }) => status === "rejected")).toEqual([]);
    const database = await openDatabase(settingsOf(storage));
    expect(await addDocuments({ database }, [{}])).toEqual([1]);
    await database.close();
  });
});

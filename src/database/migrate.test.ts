import { execFile } from "node:child_process";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { promisify } from "node:util";
import { type Kysely, sql } from "kysely";
import { Client } from "pg";
import { describe, expect, it } from "vitest";
import { addDocuments } from "../testing/factories.ts";
import { type TestStorage, engines, emptyStorage } from "../testing/test-app.ts";
import type { DatabaseSettings } from "./database.ts";
import { openDatabase } from "./open-database.ts";
import { jobs } from "./migrations/0003-jobs.ts";
import { fairJobs } from "./migrations/0016-fair-jobs.ts";

const settingsOf = ({ config }: TestStorage): DatabaseSettings => ({
  dataFolder: config.data,
  databaseUrl: config.databaseUrl,
});

/** Runs statements on the storage without migrating it. Returns the rows of the last one as texts. */
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
    // The counts of words are later migrations, the first of which gives the triggers of notes their final form.
    const ofCounts = ["word_counts", "word_count_progress", "block_lengths", "document_lengths"];
    const tables = [
      "notes",
      "sections",
      "guest_openings",
      "guest_sessions",
      "guest_links",
      "saved_search_finds",
      "saved_searches",
      "webhook_deliveries",
      "webhooks",
      ...ofCounts,
      "word_forms",
      "word_form_removals",
      "document_languages",
      "analysed_languages",
      "unrecognised_documents",
    ].map((table) => `drop table ${table}`);
    const index = "drop index documents_searched";
    const functions =
      engine === "postgres"
        ? ["notes_forget_words", "word_counts_of", "other_forms_of"].map((name) => `drop function ${name}`)
        : [];
    // Notes have events, whose triggers are those of one migration.
    const ofEvents = [...new Set(JSON.stringify(made).match(/events_of_\w+/g))].map((name) =>
      engine === "postgres" ? `drop function if exists ${name} cascade` : `drop trigger if exists ${name}`,
    );
    const steps =
      "delete from kysely_migration where name in ('0006-notes', '0013-note-words', '0021-word-counts', '0065-relevance', '0090-languages', '0170-events', '0171-webhooks', '0230-alerts', '0250-guests', '0330-add-finds-by-document', '0385-add-link-revokers')";
    await plainly(storage, ...ofEvents, ...tables, "drop table events", ...functions, index, steps);
    expect(await schemaOf(storage)).not.toEqual(made);
    await open();
    expect(await schemaOf(storage)).toEqual(made);
  });

  it("keeps the jobs of a database in which locks and cancelled jobs were special kinds of jobs", async () => {
    await using storage = await emptyStorage(engine);
    const fresh = await openDatabase(settingsOf(storage));
    const made = await schemaOf(storage);
    await fresh.write(async (writer) => {
      for (const table of ["jobs", "file_locks", "reread_pages"])
        await sql`drop table ${sql.table(table)}`.execute(writer);
      const schema: unknown = writer;
      for (const step of [jobs, fairJobs]) await step(schema as Kysely<unknown>, fresh.dialect, engine);
      const kinds = [
        "read",
        "called off: read",
        "claim of a file's place",
        "called off: claim of a file's place",
      ];
      for (const kind of [...kinds, "the last"])
        await sql`insert into jobs (kind, subject, options, created_at, due_at, lease, owner)
          values (${kind}, 7, '{}', '2026', '2027', 'secret', 3)`.execute(writer);
      await sql`delete from jobs where kind = 'the last'`.execute(writer);
      await sql`delete from kysely_migration where name like '0019%'`.execute(writer);
    });
    await fresh.close();
    const database = await openDatabase(settingsOf(storage));
    const rows = database.reader.selectFrom("jobs").select(["id", "kind", "cancelled_at", "owner"]);
    expect(await rows.orderBy("id").execute()).toEqual([
      { id: 1, kind: "read", cancelled_at: null, owner: 3 },
      { id: 2, kind: "read", cancelled_at: "2026", owner: 3 },
    ]);
    const added = await database.write((writer) =>
      writer
        .insertInto("jobs")
        .values({ kind: "send", subject: 7, options: "{}", created_at: "2026", due_at: "2027" })
        .returning("id")
        .executeTakeFirstOrThrow(),
    );
    expect(added.id).toBe(6);
    await database.close();
    expect(await schemaOf(storage)).toEqual(made);
  });

  it("is made once by several processes that start at once", async () => {
    await using storage = await emptyStorage(engine);
    const open = `const { openDatabase } = await import(${JSON.stringify(import.meta.resolve("./open-database.ts"))});
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

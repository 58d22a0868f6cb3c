import { readdir } from "node:fs/promises";
import { constants, getPriority } from "node:os";
import { setImmediate } from "node:timers/promises";
import { sql } from "kysely";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { addDocuments, addProject, documentRow } from "../testing/factories.ts";
import { hasPostgres } from "../testing/runs.ts";
import { type TestStorage, engines, testStorage, throughPooler } from "../testing/test-app.ts";
import { isOutOfRoom } from "../errors.ts";
import type { Database } from "./database.ts";
import { openDatabase } from "./open-database.ts";
import { isDatabaseFull } from "./dialects.ts";
import { TooSlowError } from "./read-worker.ts";

const moment = "2025-09-24T16:09:01.460974Z";

async function titles({ reader }: Database): Promise<string[]> {
  const rows = await reader.selectFrom("documents").select("title").orderBy("id").execute();
  return rows.map(({ title }) => title);
}

describe.each(engines)("the database on %s", (engine) => {
  let storage: TestStorage;
  let database: Database;
  let other: Database;
  beforeEach(async () => {
    storage = await testStorage(engine);
    const { data: dataFolder, databaseUrl } = storage.config;
    database = await openDatabase(throughPooler({ dataFolder, databaseUrl }));
    other = await openDatabase(throughPooler({ dataFolder, databaseUrl }));
  });
  afterEach(async () => {
    await Promise.allSettled([database.close(), other.close()]);
    await storage[Symbol.asyncDispose]();
  });

  const rename = (id: number, title: string): Promise<unknown> =>
    other.write((writer) => writer.updateTable("documents").set({ title }).where("id", "=", id).execute());

  it("stores timestamps to the microsecond, even in the first and the last year", async () => {
    const moments = [moment, "0001-01-01T00:00:00.000001Z", "9999-12-31T23:59:59.999999Z"];
    await addDocuments(
      { database },
      moments.map((created_at) => ({ created_at, updated_at: created_at, publish_at: created_at })),
    );
    const rows = await other.reader
      .selectFrom("documents")
      .select(["created_at", "updated_at", "publish_at"])
      .orderBy("id")
      .execute();
    expect(rows).toEqual(moments.map((at) => ({ created_at: at, updated_at: at, publish_at: at })));
  });

  it("writes everything or nothing", async () => {
    const [id = 0] = await addDocuments({ database }, [{ title: "Before" }]);
    const failing = database.write(async (writer) => {
      await writer.updateTable("documents").set({ title: "Halfway" }).where("id", "=", id).execute();
      throw new Error("The power went out.");
    });
    await expect(failing).rejects.toThrow("The power went out.");
    expect(await titles(database)).toEqual(["Before"]);
    await rename(id, "After");
    expect(await titles(database)).toEqual(["After"]);
  });

  it("hides uncommitted writes from readers without making them wait", async () => {
    const [id = 0] = await addDocuments({ database }, [{ title: "Before" }]);
    await database.write(async (writer) => {
      await writer.updateTable("documents").set({ title: "After" }).where("id", "=", id).execute();
      expect(await titles(database)).toEqual(["Before"]);
      expect(await titles(other)).toEqual(["Before"]);
    });
    expect(await titles(other)).toEqual(["After"]);
  });

  it("runs simultaneous writes of one process one at a time", async () => {
    await addDocuments({ database }, [{}]);
    const writes = Array.from({ length: 20 }, (_, index) =>
      addDocuments({ database }, [{ title: `${index}` }]),
    );
    const ids = (await Promise.all(writes)).flat();
    expect(new Set(ids).size).toBe(20);
    expect(await titles(database)).toHaveLength(21);
  });

  it("never assigns an id twice, even after the deletion of its row", async () => {
    const [first = 0, second = 0] = await addDocuments({ database }, [{}, {}]);
    await database.write((writer) => writer.deleteFrom("documents").where("id", "=", second).execute());
    expect(await addDocuments({ database: other }, [{}])).toEqual([first + 2]);
  });

  it("assigns ids above those of rows inserted with their own ids", async () => {
    await addDocuments({ database }, [{}]);
    await database.write(async (writer) => {
      await writer
        .insertInto("documents")
        .values({ ...documentRow(), id: 5000 })
        .execute();
      await database.dialect.afterOwnIds("documents")?.execute(writer);
    });
    expect(await addDocuments({ database }, [{}])).toEqual([5001]);
  });

  it("changes its version with every commit by any connection, and only then", async () => {
    const [id = 0] = await addDocuments({ database }, [{}]);
    const versions = new Set<string | number>();
    for (let round = 0; round < 5; round++) {
      // PostgreSQL counts the commits of all databases of a server, and other tests run there.
      const version = await vi.waitFor(
        async () => {
          const before = await database.version();
          await titles(database);
          expect(await database.version()).toBe(before);
          return before;
        },
        { timeout: 60_000, interval: 5 },
      );
      expect(versions).not.toContain(version);
      versions.add(version);
      const writer = round % 2 === 0 ? other : database;
      await writer.write((writing) =>
        writing
          .updateTable("documents")
          .set({ title: `${round}` })
          .where("id", "=", id)
          .execute(),
      );
    }
    expect(versions).not.toContain(await database.version());
  });

  it("returns no version from before the call when calls are shared", async () => {
    const [id = 0] = await addDocuments({ database }, [{}]);
    for (let round = 0; round < 10; round++) {
      const before = await database.version();
      const change = { isCommitted: false };
      const renaming = rename(id, `${round}`).then(() => (change.isCommitted = true));
      const meanwhile: ReturnType<Database["version"]>[] = [];
      while (!change.isCommitted) {
        meanwhile.push(database.version());
        await setImmediate();
      }
      const late = await Promise.all([database.version(), database.version()]);
      expect(late[0]).toBe(late[1]);
      expect(late[0]).not.toBe(before);
      await Promise.all([renaming, ...meanwhile]);
    }
  });

  it("gives a row a new revision with every change of its record, and no other row", async () => {
    const [id = 0, bystander = 0] = await addDocuments({ database }, [{}, {}]);
    const revisionOf = async (of: number): Promise<number> => {
      const row = await database.reader
        .selectFrom("documents")
        .select("revision")
        .where("id", "=", of)
        .executeTakeFirstOrThrow();
      return row.revision;
    };
    const untouched = await revisionOf(bystander);
    const seen = new Set([await revisionOf(id)]);
    const changes = [
      () => rename(id, "a"),
      () => rename(id, "b"),
      () => addProject({ database }, {}, [id]),
      () => other.write((writer) => writer.updateTable("projects").set({ private: true }).execute()),
      () =>
        other.write((writer) => writer.updateTable("project_memberships").set({ project_id: 1 }).execute()),
      () => other.write((writer) => writer.deleteFrom("projects").execute()),
    ];
    for (const [index, change] of changes.entries()) {
      await change();
      seen.add(await revisionOf(id));
      expect(seen.size).toBe(index + 2);
    }
    expect(await revisionOf(bystander)).toBe(untouched);
  });

  it("refuses rows with dangling references or impossible values", async () => {
    const refused = [
      { user_id: 99 },
      { organization_id: 99 },
      { access: "secret" },
      { status: "done" },
      { data: "nonsense" },
    ];
    await addDocuments({ database }, [{}]);
    for (const row of refused) await expect(addDocuments({ database }, [row])).rejects.toThrow(/./);
    expect(await titles(database)).toHaveLength(1);
  });

  it("compares texts by code point", async () => {
    const texts = ["z", "Z", "é", "a", "\u{1F600}", "\uffee", ""];
    await addDocuments(
      { database },
      texts.map((title) => ({ title })),
    );
    const rows = await database.reader.selectFrom("documents").select("title").orderBy("title").execute();
    expect(rows.map(({ title }) => title)).toEqual(["", "Z", "a", "z", "é", "\uffee", "\u{1F600}"]);
  });

  it("responds to a ping until it is closed, whether or not it was used", async () => {
    await database.ping();
    await database.close();
    await expect(database.ping()).rejects.toThrow(/./);
    await other.close();
    await expect(other.ping()).rejects.toThrow(/./);
  });
});

describe("the file on SQLite", () => {
  it("is complete without its write-ahead log once the last process has closed it", async () => {
    await using storage = await testStorage("sqlite");
    const database = await openDatabase({ dataFolder: storage.config.data, databaseUrl: null });
    await addDocuments({ database }, [{}]);
    expect(await readdir(storage.config.data)).toContain("quire.sqlite-wal");
    await database.close();
    expect(await readdir(storage.config.data)).toEqual(["quire.sqlite"]);
  });
});

describe("a full database on SQLite", () => {
  it("is recognised by its error", async () => {
    await using storage = await testStorage("sqlite");
    const { data: dataFolder, databaseUrl } = storage.config;
    const database = await openDatabase({ dataFolder, databaseUrl });
    const failure = await database
      .write(async (writer) => {
        await sql`pragma max_page_count = 1`.execute(writer);
        await sql`create table large as select zeroblob(10000000)`.execute(writer);
      })
      .catch((error: unknown) => error);
    expect([isDatabaseFull(failure), isOutOfRoom(failure)]).toEqual([true, false]);
    expect(isDatabaseFull(new Error("another"))).toBe(false);
    await database.close();
  });
});

describe("the reader on SQLite", () => {
  it("cannot write", async () => {
    await using storage = await testStorage("sqlite");
    const database = await openDatabase({ dataFolder: storage.config.data, databaseUrl: null });
    await expect(sql`delete from documents`.execute(database.reader)).rejects.toThrow(/readonly/);
    await database.close();
  });
});

describe.runIf(process.platform === "linux")("slow queries on SQLite", () => {
  it("run in a thread that other threads go before", async () => {
    await using storage = await testStorage("sqlite");
    const database = await openDatabase({ dataFolder: storage.config.data, databaseUrl: null });
    const tasks = "/proc/self/task";
    const priorities = async (): Promise<Map<string, number>> =>
      new Map((await readdir(tasks)).map((thread) => [thread, getPriority(Number(thread))]));
    const before = await priorities();
    expect(await database.queryWithTimeout(sql`select 1 as one`, 20)).toEqual([{ one: 1 }]);
    const added = [...(await priorities())].filter(([thread]) => !before.has(thread));
    expect(added.map(([, priority]) => priority)).toContain(constants.priority.PRIORITY_BELOW_NORMAL);
    expect(getPriority()).toBe(before.get(String(process.pid)));
    await database.close();
  });
});

describe.each(engines)("slow queries on %s", (engine) => {
  it("only read, and fail when their time is over", async () => {
    await using storage = await testStorage(engine);
    const { data: dataFolder, databaseUrl } = storage.config;
    const database = await openDatabase({ dataFolder, databaseUrl });
    const [id = 0] = await addDocuments({ database }, [{ title: "Unchanged" }]);
    await expect(
      database.queryWithTimeout(
        sql`update documents set title = 'Changed' where id = ${id} returning id`,
        20,
      ),
    ).rejects.toThrow(/./);
    const endless = sql<{ n: number }>`with recursive numbers (n) as (
      select cast(1 as bigint) union all select n + 1 from numbers) select max(n) as n from numbers`;
    await expect(database.queryWithTimeout(endless, 0.2)).rejects.toThrow(TooSlowError);
    // A repeated query is prepared, and each call has its own values.
    for (let use = 0; use < 8; use++) {
      const rows = await database.queryWithTimeout(
        sql`select title, ${`use ${use}`} as label from documents`,
        20,
      );
      expect(rows).toEqual([{ title: "Unchanged", label: `use ${use}` }]);
    }
    await database.close();
  });
});

describe.runIf(hasPostgres)("a connection to PostgreSQL", () => {
  it("compiles no statement to machine code", async () => {
    await using storage = await testStorage("postgres");
    const { data: dataFolder, databaseUrl } = storage.config;
    const database = await openDatabase({ dataFolder, databaseUrl });
    const { rows } = await sql`select current_setting('jit') as jit`.execute(database.reader);
    expect(rows).toEqual([{ jit: "off" }]);
    await database.close();
  });
});

describe("an unreachable PostgreSQL", () => {
  it("is reported when it is opened", async () => {
    const databaseUrl = "postgres://nobody@127.0.0.1:1/nothing";
    await expect(openDatabase({ dataFolder: "/nowhere", databaseUrl })).rejects.toThrow(/./);
  });
});

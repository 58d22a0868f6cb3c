import * as fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type TestStorage, engines, testStorage } from "../testing/test-app.ts";
import { BulkInsert, updating } from "./bulk-insert.ts";
import type { Database } from "./database.ts";
import { openDatabase } from "./open-database.ts";
import { runsOn } from "../testing/runs.ts";

const user = (id: number, name: string) => ({
  id,
  username: `user-${id}`,
  name,
  created_at: "",
  updated_at: "",
});

const project = (id: number, title: string, slug: string, isPrivate: boolean) => ({
  title,
  id,
  slug,
  private: isPrivate,
  user_id: 9,
  created_at: "",
  updated_at: "",
});
const projectColumns = ["title", "id", "slug", "private", "user_id", "created_at", "updated_at"] as const;

describe.each(engines)("a bulk insert on %s", (engine) => {
  const columns = ["id", "username", "name", "created_at", "updated_at"] as const;
  let storage: TestStorage;
  let database: Database;

  beforeAll(async () => {
    storage = await testStorage(engine);
    const { data: dataFolder, databaseUrl } = storage.config;
    database = await openDatabase({ dataFolder, databaseUrl });
  });

  afterAll(async () => {
    await database.close();
    await storage[Symbol.asyncDispose]();
  });

  const names = () => database.reader.selectFrom("users").select(["id", "name"]).orderBy("id").execute();

  it("inserts any number of rows and keeps existing ones", async () => {
    const users = new BulkInsert<ReturnType<typeof user>>("users", columns);
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 0, max: 600 }), async (count) => {
        const rows = Array.from({ length: count }, (_, index) => user(index + 1, "new"));
        await database.write(async (writer) => {
          await writer.deleteFrom("users").execute();
          await users.run(writer, [user(3, "old")]);
          await users.run(writer, rows);
        });
        const expected = rows.map(({ id }) => ({ id, name: id === 3 ? "old" : "new" }));
        expect(await names()).toEqual(count < 3 ? [...expected, { id: 3, name: "old" }] : expected);
      }),
      { numRuns: runsOn(engine, 15) },
    );
  });

  it("updates existing rows if requested", async () => {
    const users = new BulkInsert<ReturnType<typeof user>>("users", columns, updating("id", columns));
    await database.write(async (writer) => {
      await writer.deleteFrom("users").execute();
      await users.run(writer, [user(1, "old"), user(2, "old")]);
      await users.run(writer, [user(2, "new"), user(3, "new")]);
    });
    expect(await names()).toEqual([
      { id: 1, name: "old" },
      { id: 2, name: "new" },
      { id: 3, name: "new" },
    ]);
  });

  it("inserts any values if no row may exist, and fails as a whole if one does", async () => {
    const onlyNew = { insert: database.dialect.insertWhole, otherwise: null };
    const projects = new BulkInsert<ReturnType<typeof project>>("projects", projectColumns, onlyNew);
    const text = fc
      .string({ unit: "grapheme", maxLength: 20 })
      .map((one) => one.replaceAll("\0", "").toWellFormed());
    const texts = fc.oneof(text, fc.constantFrom("", "\\N", "\t", "a\nb\r", "\\", "{}", "\\."));
    await database.write((writer) => writer.insertInto("users").values(user(9, "nine")).execute());
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(texts, texts, fc.boolean()), { maxLength: 8 }), async (values) => {
        const rows = values.map(([title, slug, isPrivate], index) =>
          project(index + 1, title, slug, isPrivate),
        );
        await database.write(async (writer) => {
          await writer.deleteFrom("projects").execute();
          await projects.run(writer, rows);
        });
        const found = await database.reader
          .selectFrom("projects")
          .select(projectColumns)
          .orderBy("id")
          .execute();
        expect(found.map((row) => Object.assign(row, { private: Boolean(row.private) }))).toEqual(rows);
      }),
      { numRuns: runsOn(engine, 40) },
    );
    await database.write((writer) => writer.deleteFrom("projects").execute());
    const twice = [project(1, "a", "b", true), project(1, "a", "b", true)];
    const failed: unknown = await database
      .write((writer) => projects.run(writer, twice))
      .catch((error: unknown) => error);
    expect(database.dialect.isRefusal(failed)).toBe(true);
    expect(await database.reader.selectFrom("projects").select("id").execute()).toEqual([]);
  });
});

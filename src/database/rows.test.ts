import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Database } from "./database.ts";
import { openDatabase } from "./open-database.ts";
import { addRow, changeRow, hasRow, removeRows, rowOf, rowsOf, setRows } from "./rows.ts";
import { type TestStorage, engines, testStorage } from "../testing/test-app.ts";

const at = "2026-01-31T12:00:00.000000Z";

describe.each(engines)("the rows of a table on %s", (engine) => {
  let storage: TestStorage;
  let database: Database;
  beforeAll(async () => {
    storage = await testStorage(engine);
    const { data, databaseUrl } = storage.config;
    database = await openDatabase({ dataFolder: data, databaseUrl });
    await database.write(async (writer) => {
      for (const [repository, problem] of [
        ["a", null],
        ["b", "full"],
        ["c", "full"],
      ] as const)
        await addRow(writer, "backup_runs", { repository, good_at: null, ended_at: at, problem });
    });
  });
  afterAll(async () => {
    await database.close();
    await storage[Symbol.asyncDispose]();
  });

  it("are found by the values of columns, also by an empty column", async () => {
    const { reader } = database;
    expect(await rowOf(reader, "backup_runs", { repository: "b" })).toMatchObject({ problem: "full" });
    expect(await rowOf(reader, "backup_runs", { repository: "b", problem: null })).toBeNull();
    expect(await rowOf(reader, "backup_runs", { problem: null })).toMatchObject({ repository: "a" });
    const full = await rowsOf(reader, "backup_runs", { problem: "full" }, "repository");
    expect(full.map(({ repository }) => repository)).toEqual(["b", "c"]);
    expect(await rowsOf(reader, "backup_runs", {})).toHaveLength(3);
    expect(await hasRow(reader, "backup_runs", { repository: "c" })).toBe(true);
    expect(await hasRow(reader, "backup_runs", { repository: "d" })).toBe(false);
  });

  it("are changed and removed, and only those", async () => {
    await database.write(async (writer) => {
      expect(await setRows(writer, "backup_runs", { problem: "full" }, { problem: "lost" })).toBe(2);
      expect(await changeRow(writer, "backup_runs", { problem: null }, { good_at: at })).toMatchObject({
        repository: "a",
        good_at: at,
      });
      expect(await removeRows(writer, "backup_runs", { repository: "b", problem: null })).toBe(0);
      expect(await removeRows(writer, "backup_runs", { problem: "lost" })).toBe(2);
      expect(await rowsOf(writer, "backup_runs", {})).toHaveLength(1);
    });
  });
});

import { sql } from "kysely";
import { describe, expect, it } from "vitest";
import { openDatabase } from "./open-database.ts";
import { type BoundQuery, PreparedQueries, StatementNames, parameter } from "./prepared-queries.ts";
import { testStorage } from "../testing/test-app.ts";

/** Records the queries that run and how often each shape is built. */
async function recorded(): Promise<{
  run: { query: BoundQuery; name: string | null }[];
  ask: (shape: string, values?: Record<string, unknown>) => void;
  built: string[];
}> {
  await using storage = await testStorage("sqlite");
  const database = await openDatabase({ dataFolder: storage.config.data, databaseUrl: null });
  const run: { query: BoundQuery; name: string | null }[] = [];
  const built: string[] = [];
  const queries = new PreparedQueries(database.reader, {
    run(query, name) {
      run.push({ query, name });
      return [];
    },
  });
  await database.close();
  return {
    run,
    built,
    ask: (shape, values = { a: 1, b: 2 }) =>
      void queries.rows(
        shape,
        () => {
          built.push(shape);
          return sql`select ${parameter("a")}, ${"fixed"}, ${parameter("b")}, ${parameter("a")}`;
        },
        values,
      ),
  };
}

describe("prepared queries", () => {
  it("are built once for each shape and run with the values of each call", async () => {
    const { ask, run, built } = await recorded();
    ask("one", { a: 1, b: "x" });
    ask("two", { a: 2, b: null });
    ask("one", { a: 3, b: [4] });
    expect(built).toEqual(["one", "two"]);
    expect(run.map(({ query }) => query.parameters)).toEqual([
      [1, "fixed", "x", 1],
      [2, "fixed", null, 2],
      [3, "fixed", [4], 3],
    ]);
    expect(run[0]?.query.sql).toBe("select ?, ?, ?, ?");
  });

  it("get one name for each shape after repeated use", async () => {
    const { ask, run } = await recorded();
    for (let use = 0; use < 6; use++) for (const shape of ["one", "two"]) ask(shape);
    const names = run.map(({ name }) => name);
    expect(names.slice(0, 8)).toEqual(Array.from({ length: 8 }, () => null));
    expect(names.slice(8)).toEqual(["quire_0", "quire_1", "quire_0", "quire_1"]);
  });

  it("share a limit on names, and forget the uses of shapes that are rare", () => {
    const names = new StatementNames({ prefix: "few", fromUse: 2, maxNames: 1 });
    const rare = Array.from({ length: 600 }, (_, number) => names.use(`rare ${number}`));
    expect(new Set(rare)).toEqual(new Set([null]));
    expect(["rare 0", "rare 599", "rare 599", "rare 0", "rare 0"].map((shape) => names.use(shape))).toEqual([
      null,
      "few_0",
      "few_0",
      null,
      null,
    ]);
  });

  it("keep at most 512 shapes and a thousand names, each for one shape", async () => {
    const { ask, run, built } = await recorded();
    for (let number = 0; number <= 1100; number++) {
      for (let use = 0; use < 5; use++) ask(`shape ${number}`);
    }
    expect(built).toHaveLength(1101);
    const names = run.map(({ name }) => name).filter((name) => name !== null);
    expect([names.length, new Set(names).size]).toEqual([1000, 1000]);
    ask("shape 1100");
    ask("shape 0");
    expect(built).toHaveLength(1102);
  });
});

import type { CompiledQuery } from "kysely";
import { sql } from "kysely";
import { describe, expect, it } from "vitest";
import { openDatabase } from "./database.ts";
import { PreparedQueries, compilable, parameter } from "./prepared-queries.ts";
import { testStorage } from "../testing/test-app.ts";

/** What is run, and how often each shape was built. */
async function recorded(): Promise<{
  run: { query: CompiledQuery; name: string }[];
  ask: (shape: string, values?: Record<string, unknown>) => void;
  built: string[];
}> {
  await using storage = await testStorage("sqlite");
  const database = await openDatabase({ dataFolder: storage.config.data, databaseUrl: null });
  const run: { query: CompiledQuery; name: string }[] = [];
  const built: string[] = [];
  const queries = new PreparedQueries((query, name) => {
    run.push({ query, name });
    return [];
  });
  await database.close();
  return {
    run,
    built,
    ask: (shape, values = {}) =>
      void queries.rows(
        shape,
        () => {
          built.push(shape);
          return compilable(
            database.reader,
            sql`select ${parameter("a")}, ${"fixed"}, ${parameter("b")}, ${parameter("a")}`,
          );
        },
        values,
      ),
  };
}

describe("prepared queries", () => {
  it("are built once for each shape, and run with the values of each time", async () => {
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

  it("have one name for each shape", async () => {
    const { ask, run } = await recorded();
    for (const shape of ["one", "two", "one"]) ask(shape);
    const [first, second, third] = run.map(({ name }) => name);
    expect(third).toBe(first);
    expect(second).not.toBe(first);
  });

  it("keep 512 shapes, and never give the name of one to another", async () => {
    const { ask, run, built } = await recorded();
    for (let number = 0; number <= 512; number++) ask(`shape ${number}`);
    ask("shape 512");
    ask("shape 0");
    expect(built).toHaveLength(514);
    expect(new Set(run.map(({ name }) => name)).size).toBe(514);
  });
});

import { describe, expect, it } from "vitest";
import { runCommandLine } from "../../testing/command-runs.ts";
import { askPostgres } from "../../testing/postgres.ts";
import { hasPostgres } from "../../testing/runs.ts";
import { testStorage } from "../../testing/test-app.ts";
import { migrate } from "./migrate.ts";

describe.runIf(hasPostgres)("migrate, with an index whose build ended early,", () => {
  it("builds Quire's own again, and says so", async () => {
    await using storage = await testStorage("postgres");
    const { data, databaseUrl } = storage.config;
    const environment = { QUIRE_DATA: data, QUIRE_DATABASE_URL: databaseUrl ?? "" };
    const run = async (line: string): Promise<string> =>
      (await runCommandLine([migrate], line, environment)).stdout;
    const invalidate =
      "update pg_index set indisvalid = false where indexrelid = 'documents_ranked'::regclass";
    await askPostgres(environment.QUIRE_DATABASE_URL, invalidate);
    expect(await run("migrate --check")).toContain("The index documents_ranked is invalid");
    expect(await run("migrate")).toMatch(
      /^The database is up to date: \d+ migrations\.\nBuilt the index documents_ranked again\.\n$/,
    );
    expect(await run("migrate --check")).not.toContain("documents_ranked");
  });

  it("names, with --check, an index of others, and says what to do", async () => {
    await using storage = await testStorage("postgres");
    const { data, databaseUrl } = storage.config;
    const environment = { QUIRE_DATA: data, QUIRE_DATABASE_URL: databaseUrl ?? "" };
    const check = async (): Promise<string> => {
      const { code, stdout } = await runCommandLine([migrate], "migrate --check", environment);
      expect(code).toBe(0);
      return stdout;
    };
    const upToDate = /^The database is up to date: \d+ migrations\.\n$/;
    expect(await check()).toMatch(upToDate);
    await askPostgres(
      environment.QUIRE_DATABASE_URL,
      "create table readings as select 1 as value from generate_series(1, 2)",
    );
    const unique = "create unique index concurrently readings_by_value on readings (value)";
    await expect(askPostgres(environment.QUIRE_DATABASE_URL, unique)).rejects.toThrow(
      "could not create unique index",
    );
    const found = await check();
    expect(found).toContain("The index readings_by_value is invalid, because its build ended early.");
    const remedy = /drop index concurrently .*/.exec(found)?.[0] ?? "";
    await askPostgres(environment.QUIRE_DATABASE_URL, remedy);
    expect(await check()).toMatch(upToDate);
  });
});

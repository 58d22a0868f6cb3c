import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, realpathSync } from "node:fs";
import { Client } from "pg";
import { describe, expect, inject, it, vi } from "vitest";
import { createThrowawayDatabase } from "./postgres.ts";
import { hasPostgres } from "./runs.ts";

async function rows(url: string, statement: string): Promise<unknown[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(statement)).rows;
  } finally {
    await client.end();
  }
}

describe.runIf(hasPostgres)("a throwaway database", () => {
  it("is empty, separate from others, and gone after drop", async () => {
    const serverUrl = inject("postgresUrl");
    const [one, other] = await Promise.all([
      createThrowawayDatabase(serverUrl),
      createThrowawayDatabase(serverUrl),
    ]);
    await rows(one.url, "create table notes (id int)");
    expect(await rows(other.url, "select to_regclass('notes') as found")).toEqual([{ found: null }]);
    await Promise.all([one.drop(), other.drop()]);
    await expect(rows(one.url, "select 1")).rejects.toThrow("does not exist");
  });

  it("can be dropped although a client is still connected", async () => {
    const database = await createThrowawayDatabase(inject("postgresUrl"));
    const client = new Client({ connectionString: database.url });
    client.on("error", () => undefined);
    await client.connect();
    await database.drop();
    await expect(client.query("select 1")).rejects.toThrow(/terminat|not queryable/);
    await expect(rows(database.url, "select 1")).rejects.toThrow("does not exist");
  });
});

describe.runIf(hasPostgres && (process.env["TEST_POSTGRES_URL"] ?? "") === "")(
  "the server that a run of the tests starts",
  () => {
    it("speaks UTF-8 and sorts by code point", async () => {
      const database = await createThrowawayDatabase(inject("postgresUrl"));
      const found = await rows(
        database.url,
        `select string_agg(t, '' order by t) as sorted from unnest(array['a', 'B', 'É', 'z']) t`,
      );
      expect(found).toEqual([{ sorted: "BazÉ" }]);
      await database.drop();
    });

    it("ends, and its files are removed, when the process that started it is killed", async () => {
      const program = `
      import { startPostgres } from ${JSON.stringify(new URL("./postgres.ts", import.meta.url).href)};
      console.log(new URL((await startPostgres()).url).searchParams.get("host"));
    `;
      const starter = spawn(process.execPath, ["--input-type=module", "--eval", program], {
        stdio: ["ignore", "pipe", "inherit"],
      });
      const [line] = await once(starter.stdout, "data");
      const folder = String(line).trim();
      expect(existsSync(`${folder}/data/postmaster.pid`)).toBe(true);
      const data = realpathSync(`${folder}/data`);
      starter.kill("SIGKILL");
      await vi.waitUntil(() => !existsSync(folder) && !existsSync(data), { timeout: 60_000 });
    });
  },
);

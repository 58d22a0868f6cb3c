import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdir, utimes, writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, it } from "vitest";
import { machineId } from "../../running-processes.ts";
import { testStorage } from "../../testing/test-app.ts";
import { openDatabase } from "../open-database.ts";

const name = (machine: string, pid: number | undefined): string =>
  `quire.sqlite.moment-${machine}-${pid}-copy`;

it("the copies of a SQLite database that killed processes have left are removed when it is opened", async () => {
  await using storage = await testStorage("sqlite");
  const { data } = storage.config;
  const child = spawn(process.execPath, ["--version"], { stdio: "ignore" });
  await once(child, "exit");
  const [killed, running] = [name(machineId(), child.pid), name(machineId(), process.pid)];
  const [elsewhere, abandoned] = [name("0".repeat(16), 1), name("1".repeat(16), 1)];
  const old = "quire.sqlite.moment-c5d2b2b0";
  for (const file of [killed, `${killed}-journal`, running, elsewhere, abandoned, old])
    await writeFile(path.join(data, file), "x");
  const longAgo = new Date(Date.now() - 3_700_000);
  for (const file of [abandoned, old]) await utimes(path.join(data, file), longAgo, longAgo);
  const database = await openDatabase({ dataFolder: data, databaseUrl: null });
  try {
    const left = async (): Promise<string[]> =>
      (await readdir(data)).filter((file) => file.includes("moment"));
    expect((await left()).toSorted()).toEqual([elsewhere, running].toSorted());
    await database.atOneMoment(async () => expect((await left()).length).toBe(2));
  } finally {
    await database.close();
  }
});

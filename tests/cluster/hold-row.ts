import pino from "pino";
import { readConfig } from "../../src/config.ts";
import { openContext } from "../../src/context.ts";
import { lockRow } from "../../src/database/rows.ts";

/*
 * node tests/cluster/hold-row.ts USER: locks the row of a user with the settings of a server, says so, and never ends
 * the transaction.
 */

const read = readConfig(process.env);
if ("problems" in read) throw new Error(read.problems.join("\n"));
const context = await openContext(read.config, pino({ level: "silent" }));
await context.database.write(async (writer) => {
  await lockRow(writer, "users", { id: Number(process.argv[2]) });
  console.log("locked");
  await new Promise<never>(() => setInterval(() => undefined, 60_000));
});

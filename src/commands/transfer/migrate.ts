import { defineCommand } from "../command-line.ts";
import { count } from "./transfer-progress.ts";

export const migrate = defineCommand({
  name: "migrate",
  summary: "Bring the database's schema up to date, as every start does, or list the pending migrations.",
  options: {
    data: { setting: "data", placeholder: "FOLDER" },
    check: { flag: true, help: "Change nothing: list the migrations that the next start would run." },
  },
  async run({ config, options, stdout }) {
    const { schemaStateOf, openDatabase } = await import("../../database/open-database.ts");
    const { databaseUrl, databaseDirectUrl, databaseConnectLimitSeconds: connectSeconds } = config;
    const settings = { dataFolder: config.data, databaseUrl, databaseDirectUrl, connectSeconds };
    const { done, pending } = await schemaStateOf(settings);
    if (pending.length === 0) {
      stdout.write(`The database is up to date: ${count(done.length, "migration")}.\n`);
      return 0;
    }
    if (!options.check) await (await openDatabase(settings)).close();
    for (const name of pending) stdout.write(`${name}\n`);
    const what = count(pending.length, "migration");
    const isNew = done.length === 0 ? "The database is empty. " : "";
    stdout.write(options.check ? `${isNew}The next start runs ${what}.\n` : `${isNew}Ran ${what}.\n`);
    return 0;
  },
});

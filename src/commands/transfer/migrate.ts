import type { InvalidIndex } from "../../database/postgres/large-indexes.ts";
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
    const { done, pending, invalidIndexes } = await schemaStateOf(settings);
    const toBuild = invalidIndexes.filter(({ isOurs }) => isOurs);
    if (pending.length === 0 && (options.check || toBuild.length === 0)) {
      stdout.write(`The database is up to date: ${count(done.length, "migration")}.\n`);
      for (const index of invalidIndexes) stdout.write(`${adviceOn(index)}\n`);
      return 0;
    }
    if (!options.check) await (await openDatabase(settings)).close();
    for (const name of pending) stdout.write(`${name}\n`);
    const what = count(pending.length, "migration");
    const isNew = done.length === 0 ? "The database is empty. " : "";
    stdout.write(options.check ? `${isNew}The next start runs ${what}.\n` : `${isNew}Ran ${what}.\n`);
    if (options.check) for (const index of invalidIndexes) stdout.write(`${adviceOn(index)}\n`);
    return 0;
  },
});

function adviceOn({ name, isBeingBuilt, isOurs }: InvalidIndex): string {
  if (isBeingBuilt) return `The index ${name} is being built.`;
  const found = `The index ${name} is invalid, because its build ended early.`;
  return isOurs
    ? `${found} \`quire migrate\` or the next start builds it again.`
    : `${found} PostgreSQL maintains it, but does not use it. Remove it: drop index concurrently "${name}"`;
}

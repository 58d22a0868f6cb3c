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
    const toBuild = options.check ? [] : invalidIndexes.filter(({ isOurs }) => isOurs);
    if (!options.check && pending.length + toBuild.length > 0) await (await openDatabase(settings)).close();
    for (const name of pending) stdout.write(`${name}\n`);
    stdout.write(`${summaryOf(done, pending, options.check)}\n`);
    for (const { name } of toBuild) stdout.write(`Built the index ${name} again.\n`);
    for (const index of invalidIndexes) if (!toBuild.includes(index)) stdout.write(`${adviceOn(index)}\n`);
    return 0;
  },
});

function summaryOf(done: readonly string[], pending: readonly string[], isCheck: boolean): string {
  if (pending.length === 0) return `The database is up to date: ${count(done.length, "migration")}.`;
  const isNew = done.length === 0 ? "The database is empty. " : "";
  return `${isNew}${isCheck ? "The next start runs" : "Ran"} ${count(pending.length, "migration")}.`;
}

function adviceOn({ name, isBeingBuilt, isOurs }: InvalidIndex): string {
  if (isBeingBuilt) return `The index ${name} is being built.`;
  const found = `The index ${name} is invalid, because its build ended early.`;
  return isOurs
    ? `${found} \`quire migrate\` or the next start builds it again.`
    : `${found} PostgreSQL maintains it, but does not use it. Remove it: drop index concurrently "${name}"`;
}

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import pino from "pino";
import { type Config, readConfig } from "../src/config.ts";
import { openContext } from "../src/context.ts";
import { addDocuments } from "../src/testing/factories.ts";
import { type Person, addPerson } from "../src/testing/people.ts";
import { createThrowawayDatabase, startPostgres } from "../src/testing/postgres.ts";
import { serveOn } from "../src/testing/served.ts";
import { type Outcome, runContest } from "../src/testing/writers.ts";
import { readOptions } from "./options.ts";

const help = `npm run writers -- [options]

  --seconds N    how long on each database (60)
  --writers N    who change (40)
  --readers N    who read meanwhile (24)
  --only ENGINE  sqlite or postgres
  --help         this

Two servers on one storage. Exit code 1 when anyone was told of a lock or anything else that is not theirs to know, or
when something that was acknowledged is not there.
`;

interface Plan {
  seconds: number;
  writers: number;
  readers: number;
}

async function prepare(config: Config): Promise<{ people: Person[]; documents: number[] }> {
  const context = await openContext(config, pino({ level: "silent" }));
  try {
    const row = { title: "0", access: "organization" };
    const documents = await addDocuments(
      context,
      Array.from({ length: 16 }, () => row),
    );
    const people: Person[] = [];
    for (let index = 0; index < 8; index++) {
      people.push(await addPerson(context, { username: `writer-${index}`, organizations: [1] }));
    }
    await context.database.write(async (writer) =>
      context.database.dialect.afterOwnIds("organizations")?.execute(writer),
    );
    return { people, documents };
  } finally {
    await context.close();
  }
}

async function contestOn(data: string, databaseUrl: string | null, plan: Plan): Promise<Outcome> {
  const read = readConfig({
    QUIRE_DATA: data,
    ...(databaseUrl === null ? {} : { QUIRE_DATABASE_URL: databaseUrl }),
  });
  if ("problems" in read) throw new Error(read.problems.join("\n"));
  const prepared = await prepare(read.config);
  await using one = await serveOn(read.config);
  await using other = await serveOn(read.config);
  const end = Date.now() + plan.seconds * 1000;
  const isOver = (): boolean => Date.now() >= end;
  return await runContest({ servers: [one, other], ...prepared, ...plan, isOver });
}

async function run(engine: string, plan: Plan): Promise<Outcome> {
  const data = await mkdtemp(path.join(tmpdir(), "quire-writers-"));
  try {
    if (engine === "sqlite") return await contestOn(data, null, plan);
    const server = await startPostgres();
    try {
      const database = await createThrowawayDatabase(server.url);
      return await contestOn(data, database.url, plan);
    } finally {
      await server.stop();
    }
  } finally {
    await rm(data, { recursive: true, force: true });
  }
}

async function main(): Promise<number> {
  const options = readOptions(process.argv.slice(2), {
    seconds: "number",
    writers: "number",
    readers: "number",
    only: "text",
    help: "flag",
  });
  if (options.help === true) {
    process.stdout.write(help);
    return 0;
  }
  const { seconds = 60, writers = 40, readers = 24 } = options;
  let isGood = true;
  for (const engine of options.only === undefined ? ["sqlite", "postgres"] : [options.only]) {
    const outcome = await run(engine, { seconds, writers, readers });
    const { acknowledged, tooLate, read, unexpected, lost } = outcome;
    process.stdout.write(
      `${engine}: ${writers} writers, ${readers} readers, ${seconds} s: ${acknowledged} changes acknowledged, ` +
        `${tooLate} tried again after a 412, ${read} reads, ${unexpected.length} unexpected answers, ` +
        `${lost.length} lost\n`,
    );
    for (const line of [...unexpected, ...lost].slice(0, 10))
      process.stdout.write(`  ${line.slice(0, 300)}\n`);
    isGood &&= unexpected.length === 0 && lost.length === 0;
  }
  return isGood ? 0 : 1;
}

process.exitCode = await main();

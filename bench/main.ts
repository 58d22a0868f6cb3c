import { cpus, loadavg } from "node:os";
import { readOptions } from "./options.ts";
import { type Plan, letters, runBench } from "./bench.ts";
import { report } from "./report.ts";

const help = `npm run bench -- [options]

  --only LETTERS            only these, such as a,b,g
  --documents N             documents in the large SQLite databases (1,000,000)
  --postgres-documents N    documents in PostgreSQL (100,000)
  --quick                   shorter rounds and smaller databases: to see whether it runs
  --help                    this

  a  the same page over and over              e  a to d on PostgreSQL
  b  random cursors                           f  few public documents among many hidden ones
  c  the list's front and its far end         g  start to first answer
  d  conditional requests, answered 304       h  import of records
  i  the list for those who have signed in
`;

function readPlan(args: readonly string[]): Plan | null {
  const options = readOptions(args, {
    only: "text",
    documents: "number",
    "postgres-documents": "number",
    quick: "flag",
    help: "flag",
  });
  if (options.help === true) return null;
  const wanted = options.only === undefined ? letters : options.only.split(",");
  const unknown = wanted.find((letter) => !letters.some((known) => known === letter));
  if (unknown !== undefined) throw new Error(`--only ${unknown}: it is one of ${letters.join(", ")}`);
  const quick = options.quick === true;
  return {
    wanted: new Set(letters.filter((letter) => wanted.includes(letter))),
    smallDocuments: quick ? 10_000 : 100_000,
    largeDocuments: options.documents ?? (quick ? 100_000 : 1_000_000),
    postgresDocuments: options["postgres-documents"] ?? (quick ? 10_000 : 100_000),
    records: quick ? 20_000 : 200_000,
    starts: quick ? 2 : 5,
    pace: quick
      ? { rounds: 2, roundSeconds: 0.5, connections: 32 }
      : { rounds: 5, roundSeconds: 1.5, connections: 32 },
  };
}

function machine(): string {
  const processors = cpus();
  const load = loadavg().map((value) => value.toFixed(2));
  return `${processors.length} × ${processors[0]?.model.trim()}, load average ${load.join(" ")}, Node ${process.version}`;
}

async function main(): Promise<number> {
  let plan: Plan | null;
  try {
    plan = readPlan(process.argv.slice(2));
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n\n${help}`);
    return 2;
  }
  if (plan === null) {
    process.stdout.write(help);
    return 0;
  }
  process.stdout.write(`${machine()}\n\n`);
  const { comparisons, facts } = await runBench(plan, (text) => process.stderr.write(`${text}\n`));
  process.stdout.write(`\n${report(comparisons, facts)}`);
  return 0;
}

process.exitCode = await main();

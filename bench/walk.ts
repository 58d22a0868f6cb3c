import { readOptions } from "./options.ts";
import { walkLivingServer } from "./walk/living-server.ts";
import { type Engine, walkOwnServer } from "./walk/own-server.ts";

const help = `npm run walk -- [options]

Walks the list in every ordering and both directions, with pages of all sizes, while writers insert, delete, move,
hide and show documents; and looks whether any walk shows something twice, out of order, or not at all. Ends with
exit code 1 if one does.

  --seconds N         how long, on each engine (20)
  --engine NAME       sqlite or postgres; both, one after the other, if not given
  --documents N       how many there are at first (1500)
  --events            follows the feed of events instead, while eight writers write
  --url URL           walks a running server while others write to it, instead of starting one
  --help              this
`;

interface Choice {
  seconds: number;
  documents: number;
  engines: readonly Engine[];
  url: string | null;
  isOfEvents: boolean;
}

const engines = ["sqlite", "postgres"] as const;

function readChoice(args: readonly string[]): Choice | null {
  const kinds = {
    seconds: "number",
    documents: "number",
    engine: "text",
    url: "text",
    events: "flag",
    help: "flag",
  } as const;
  const { seconds = 20, documents = 1500, engine, url, ...flags } = readOptions(args, kinds);
  if (flags.help === true) return null;
  const chosen = engines.filter((one) => engine === undefined || one === engine);
  if (chosen.length === 0) throw new Error(`--engine ${engine}: it is ${engines.join(" or ")}`);
  if (url !== undefined && !URL.canParse(url)) throw new Error(`--url ${url}: that is no address`);
  return { seconds, documents, engines: chosen, url: url ?? null, isOfEvents: flags.events === true };
}

async function walkAll({ seconds, documents, engines: chosen, url, isOfEvents }: Choice): Promise<boolean> {
  const interrupted = new AbortController();
  process.once("SIGINT", () => interrupted.abort());
  const walks = { seconds, interrupt: interrupted.signal };
  if (url !== null) {
    const { tally, documents: found } = await walkLivingServer({ ...walks, url });
    process.stdout.write(`${url}, ${found} documents\n\n${tally.toString()}`);
    return tally.isProof;
  }
  let isProof = true;
  for (const engine of chosen) {
    if (interrupted.signal.aborted) break;
    const { tally, writes } = await walkOwnServer(engine, { ...walks, documents, isOfEvents });
    const done = Object.entries(writes).map(([action, count]) => `${count} ${action}`);
    process.stdout.write(`${engine}: meanwhile ${done.join(", ")}\n\n${tally.toString()}\n`);
    isProof &&= tally.isProof;
  }
  return isProof;
}

async function main(): Promise<number> {
  let choice: Choice | null;
  try {
    choice = readChoice(process.argv.slice(2));
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n\n${help}`);
    return 2;
  }
  if (choice === null) {
    process.stdout.write(help);
    return 0;
  }
  const isProof = await walkAll(choice);
  process.stdout.write(isProof ? "Every walk was whole.\n" : "NOT every walk was whole.\n");
  return isProof ? 0 : 1;
}

process.exitCode = await main();

import { sql } from "kysely";
import pino from "pino";
import { readConfig } from "../src/config.ts";
import { type Context, openContext } from "../src/context.ts";
import { addDocuments } from "../src/testing/factories.ts";
import { type Person, addPerson } from "../src/testing/people.ts";
import { onEngines } from "./on-engines.ts";
import { readOptions } from "./options.ts";
import { startQuire } from "./quire-server.ts";
import { median, percentile } from "./statistics.ts";

const help = `node bench/feed-cost.ts [options]

  --pairs N      pairs of blocks (200)
  --writes N     changes of titles in each block (25)
  --only ENGINE  sqlite or postgres
  --help         this

What the feed of events costs a change of a document: one client changes titles, in blocks with the feed's triggers and
without them by turns, and each block is compared with its neighbour.
`;

const inPercent = (ratio: number): string => `${((ratio - 1) * 100).toFixed(1)} %`;

/** How many changes come before those of a block. */
const unmeasured = 5;

/** Turns the triggers that write events off and on. */
async function feedSwitch({ database }: Context): Promise<(isOn: boolean) => Promise<void>> {
  const { reader } = database;
  const run = (statements: readonly string[]): Promise<void> =>
    database.write(async (writer) => {
      for (const statement of statements) await sql.raw(statement).execute(writer);
    });
  if (database.engine === "sqlite") {
    const { rows } = await sql<{ name: string; sql: string }>`
      select name, sql from sqlite_master where type = 'trigger' and name like 'events_of_%'`.execute(reader);
    return (isOn) => run(rows.map(({ name, sql: text }) => (isOn ? text : `drop trigger ${name}`)));
  }
  const { rows } = await sql<{ name: string; table: string }>`
    select tgname as name, relname as "table" from pg_trigger join pg_class on pg_class.oid = tgrelid
    where tgname like 'events_of_%' and not tgisinternal`.execute(reader);
  return (isOn) =>
    run(rows.map(({ name, table }) => `alter table ${table} ${isOn ? "enable" : "disable"} trigger ${name}`));
}

async function changeTitles(url: string, { headers }: Person, ids: readonly number[], title: string) {
  const began = performance.now();
  for (const id of ids) {
    const answer = await fetch(`${url}/api/documents/${id}/`, {
      method: "PATCH",
      headers: { ...headers, "content-type": "application/json" },
      body: JSON.stringify({ title }),
    });
    if (!answer.ok) throw new Error(`${answer.status} ${await answer.text()}`);
    await answer.arrayBuffer();
  }
  return (performance.now() - began) / ids.length;
}

async function measure(
  data: string,
  databaseUrl: string | null,
  { pairs, writes }: { pairs: number; writes: number },
): Promise<void> {
  const read = readConfig({
    QUIRE_DATA: data,
    ...(databaseUrl !== null && { QUIRE_DATABASE_URL: databaseUrl }),
  });
  if ("problems" in read) throw new Error(read.problems.join("\n"));
  const context = await openContext(read.config, pino({ level: "silent" }));
  const ids = await addDocuments(
    context,
    Array.from({ length: writes }, () => ({ access: "public" })),
  );
  const person = await addPerson(context, { username: "writer", isAdministrator: true });
  const quire = await startQuire({ dataFolder: data, databaseUrl, environment: {} });
  try {
    const turnFeed = await feedSwitch(context);
    const countEvents = async (): Promise<number> =>
      (await sql<{ count: number }>`select count(*) as count from events`.execute(context.database.reader))
        .rows[0]?.count ?? 0;
    await changeTitles(quire.url, person, ids, "warm");
    const times: Record<"on" | "off", number[]> = { on: [], off: [] };
    const eventsBefore = await countEvents();
    for (let pair = 0; pair < pairs; pair++) {
      // Each of the two is the first one as often.
      const order = pair % 2 === 0 ? (["on", "off"] as const) : (["off", "on"] as const);
      for (const state of order) {
        await turnFeed(false);
        if (state === "on") await turnFeed(true);
        // After a change of the schema, each statement is prepared again when it is first used.
        await changeTitles(quire.url, person, ids.slice(0, unmeasured), `Before pair ${pair}, ${state}`);
        times[state].push(await changeTitles(quire.url, person, ids, `Pair ${pair}, ${state}`));
        if (state === "off") await turnFeed(true);
      }
    }
    const events = (await countEvents()) - eventsBefore;
    const expected = pairs * (writes + unmeasured);
    if (events !== expected) throw new Error(`${events} events, not ${expected}`);
    const ratios = times.on.map((on, index) => on / (times.off[index] ?? on));
    console.log(
      `  a write: ${median(times.on).toFixed(2)} ms with the feed, ${median(times.off).toFixed(2)} ms without it`,
    );
    console.log(
      `  it costs ${inPercent(median(ratios))} more (median of ${pairs} pairs; ` +
        `quartiles ${inPercent(percentile(ratios, 0.25))} and ${inPercent(percentile(ratios, 0.75))})`,
    );
  } finally {
    await quire.process.stop();
    await context.close();
  }
}

const options = readOptions(process.argv.slice(2), {
  pairs: "number",
  writes: "number",
  only: "text",
  help: "flag",
});
if (options.help === true) {
  console.log(help);
} else {
  const { pairs = 200, writes = 25, only } = options;
  await onEngines(only, (data, databaseUrl) => measure(data, databaseUrl, { pairs, writes }));
}

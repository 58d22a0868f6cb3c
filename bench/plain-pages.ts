import { once } from "node:events";
import { Client } from "pg";
import { openDatabase } from "../src/database/open-database.ts";
import { PreparedQueries } from "../src/database/prepared-queries.ts";
import { anonymous } from "../src/http/request/viewer.ts";
import { storedRecordPages } from "../src/resources/documents/list/list-store.ts";
import { defaultOrdering } from "../src/resources/documents/list/orderings.ts";
import { Chance } from "./chance.ts";
import { firstId } from "./sample-documents.ts";

/*
 * The maximum that PostgreSQL and its driver can do: random pages by the same prepared statement that Quire uses, on
 * several connections, each of which waits for its answer. The program sends a message when it is ready. For each
 * number of seconds that it receives, it measures that long and returns pages per second.
 *
 *   node plain-pages.ts DATABASE_URL LAST_ID CONNECTIONS
 */
const [databaseUrl = "", lastId = "0", connections = "1"] = process.argv.slice(2);

const { text, valuesAt } = await findStatement();
const clients = await Promise.all(
  Array.from({ length: Number(connections) }, async () => {
    const client = new Client({ connectionString: databaseUrl });
    await client.connect();
    return client;
  }),
);
const chance = new Chance(1);
process.send?.({ ready: true });
for (;;) {
  const [seconds] = (await once(process, "message")) as [number];
  process.send?.({ perSecond: await pagesPerSecond(seconds) });
}

async function pagesPerSecond(seconds: number): Promise<number> {
  const started = performance.now();
  const end = started + seconds * 1000;
  let pages = 0;
  const run = async (client: Client): Promise<void> => {
    while (performance.now() < end) {
      const values = valuesAt(firstId + chance.below(Number(lastId) - firstId));
      // With a callback, since results of the driver's own promises stay in memory for long, which costs time.
      await new Promise<void>((resolve, reject) => {
        client.query({ name: "page", text, values }, (error) => (error ? reject(error) : resolve()));
      });
      pages += 1;
    }
  };
  await Promise.all(clients.map(run));
  return pages / ((performance.now() - started) / 1000);
}

/** Quire's statement for the page after a document, and the values of its parameters. */
async function findStatement(): Promise<{ text: string; valuesAt: (id: number) => unknown[] }> {
  const database = await openDatabase({ dataFolder: "", databaseUrl });
  const position = -1;
  try {
    let statement: { sql: string; parameters: readonly unknown[] } | null = null;
    const prepared = new PreparedQueries(database.reader, {
      run(query) {
        statement ??= query;
        return [{ lines: null }];
      },
    });
    const cursor = { reverse: false, offset: 0, ordering: null, key: { id: position } };
    const list = { filters: {}, ordering: defaultOrdering, perPage: 25 };
    const baseUrls = { web: "http://127.0.0.1:8000", assets: "http://127.0.0.1:8000/files/" };
    await storedRecordPages({ ...database, prepared }, anonymous, list, baseUrls)(cursor);
    if (statement === null) throw new Error("Quire asked for nothing");
    const { sql, parameters } = statement as { sql: string; parameters: readonly unknown[] };
    return {
      text: sql,
      valuesAt: (id) => parameters.map((value) => (value === position ? id : value)),
    };
  } finally {
    await database.close();
  }
}

import { type IncomingMessage, type ServerResponse, createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { setTimeout as wait } from "node:timers/promises";
import { sql } from "kysely";
import pino from "pino";
import { readConfig } from "../src/config.ts";
import { type Context, openContext } from "../src/context.ts";
import { addDocuments } from "../src/testing/factories.ts";
import { buildPdf } from "../src/testing/pdf.ts";
import { type Person, addPerson } from "../src/testing/people.ts";
import { forEachConcurrently } from "../src/concurrently.ts";
import { onEngines } from "./on-engines.ts";
import { readOptions } from "./options.ts";
import { startQuire } from "./quire-server.ts";
import { percentile } from "./statistics.ts";

const help = `npm run bench:feed -- [options]

  --searches N   saved searches with an alert (10000), 50 of each person
  --documents N  how many documents arrive (100), in a minute for each 100
  --seconds N    how long eight clients write (10)
  --only ENGINE  sqlite or postgres
  --help         this

Events written and read a second, the delay from a change to the message of a webhook, and from a document that has
been read to its last alert.
`;

const searchesOfPerson = 50;
const perMinute = 100;
const writersAtOnce = 8;
const clientsAtOnce = 8;
/** Each search asks for one of these words, and each document has ten of them. */
const words = Array.from({ length: 1000 }, (_, index) => `subject${index}`);

interface Plan {
  searches: number;
  documents: number;
  seconds: number;
}

const inWords = (milliseconds: readonly number[]): string =>
  `${percentile(milliseconds, 0.5).toFixed(0)} ms (p50), ${percentile(milliseconds, 0.95).toFixed(0)} ms (p95)`;

/** Sends JSON, and returns the answer. */
async function send(address: string, person: Person, method: string, value?: unknown): Promise<never> {
  const answer = await fetch(address, {
    method,
    headers: { ...person.headers, "content-type": "application/json" },
    ...(value !== undefined && { body: JSON.stringify(value) }),
  });
  if (!answer.ok) throw new Error(`${method} ${address}: ${answer.status} ${await answer.text()}`);
  return (await answer.json()) as never;
}

/** A receiver of webhooks that knows how late each message is. */
async function startReceiver() {
  const delays: number[] = [];
  const receive = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const at = Date.now();
    const { timestamp } = JSON.parse(await text(request)) as { timestamp: string };
    delays.push(at - Date.parse(timestamp));
    response.writeHead(204).end();
  };
  const server = createServer((request, response) => void receive(request, response));
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  return { delays, port: (server.address() as AddressInfo).port, close: () => server.close() };
}

/** The events a second that eight clients make by changing titles, and that one reader reads. */
async function measureRates(url: string, person: Person, documents: readonly number[], seconds: number) {
  const start: { next: string } = await send(`${url}/api/events/?after=latest`, person, "GET");
  const until = performance.now() + seconds * 1000;
  const began = performance.now();
  await Promise.all(
    documents.slice(0, writersAtOnce).map(async (id) => {
      for (let count = 0; performance.now() < until; count++)
        await send(`${url}/api/documents/${id}/`, person, "PATCH", { title: `Title ${count}` });
    }),
  );
  const took = (performance.now() - began) / 1000;
  let count = 0;
  const readFrom = performance.now();
  for (let next = start.next, hasMore = true; hasMore;) {
    const page: { next: string; has_more: boolean; results: unknown[] } = await send(
      `${next}&per_page=1000`,
      person,
      "GET",
    );
    count += page.results.length;
    [next, hasMore] = [page.next.replace(/&per_page=\d+/, ""), page.has_more];
  }
  return { written: count / took, read: count / ((performance.now() - readFrom) / 1000) };
}

async function measureWebhook(url: string, person: Person, id: number, delays: number[]): Promise<string> {
  delays.length = 0;
  const changes = 100;
  for (let count = 0; count < changes; count++) {
    await send(`${url}/api/documents/${id}/`, person, "PATCH", { title: `Told ${count}` });
    await wait(100);
  }
  for (let waited = 0; delays.length < changes && waited < 30_000; waited += 100) await wait(100);
  return `${delays.length} of ${changes} messages, ${inWords(delays)}`;
}

/** How long after each document has been read its last alert comes. */
async function measureAlerts(
  url: string,
  people: readonly Person[],
  plan: Plan,
  context: Context,
): Promise<string> {
  const [owner] = people;
  if (owner === undefined) return "none";
  await forEachConcurrently(Array.from({ length: plan.searches }).keys(), clientsAtOnce, async (index) => {
    const person = people[Math.floor(index / searchesOfPerson)] ?? owner;
    const query = words[index % words.length] ?? "";
    const search = { name: `Search ${index}`, query, alert: "page" };
    await send(`${url}/api/documents/search/saved/`, person, "POST", search);
  });
  const arrivals = Array.from({ length: plan.documents }, async (_, index) => {
    await wait((index * 60_000) / perMinute);
    const lines = [
      Array.from({ length: 10 }, (__, word) => words[(index * 10 + word) % words.length]).join(" "),
    ];
    const file = buildPdf({ pages: [{ width: 612, height: 792, lines }] });
    const { id, presigned_url: target }: { id: number; presigned_url: string } = await send(
      `${url}/api/documents/`,
      owner,
      "POST",
      { title: `Arrival ${index}`, access: "public" },
    );
    await fetch(target, { method: "PUT", body: file as NonNullable<RequestInit["body"]> });
    await send(`${url}/api/documents/${id}/process/`, owner, "POST", {});
    return id;
  });
  const ids = await Promise.all(arrivals);
  const searchesFor = (word: number): number =>
    Math.ceil((plan.searches - (word % words.length)) / words.length);
  const asked = ids
    .keys()
    .flatMap((index) => Array.from({ length: 10 }, (_, word) => searchesFor(index * 10 + word)));
  const expected = asked.reduce((sum, count) => sum + count, 0);
  const { reader, dialect } = context.database;
  const ofArrivals = dialect.isAmong(sql.ref("document_id"), sql`${dialect.list(ids)}`);
  const readEvents = async () =>
    (
      await sql<{ document_id: number; read_at: string | null; found_at: string | null; found: number }>`
        select document_id, max(case when type = 'document.processed' then at end) as read_at,
          max(case when type = 'search.found' then at end) as found_at,
          count(case when type = 'search.found' then 1 end) as found
        from events where ${ofArrivals} group by document_id`.execute(reader)
    ).rows;
  let rows = await readEvents();
  const found = (): number => rows.reduce((sum, row) => sum + row.found, 0);
  for (let waited = 0; found() < expected && waited < 600_000; waited += 500) {
    await wait(500);
    rows = await readEvents();
  }
  const delays = rows.flatMap(({ read_at: readAt, found_at: foundAt }) =>
    readAt === null || foundAt === null ? [] : [Date.parse(foundAt) - Date.parse(readAt)],
  );
  return `${found()} of ${expected} alerts, the last of a document after ${inWords(delays)}`;
}

async function measure(data: string, databaseUrl: string | null, plan: Plan): Promise<void> {
  const read = readConfig({
    QUIRE_DATA: data,
    ...(databaseUrl !== null && { QUIRE_DATABASE_URL: databaseUrl }),
  });
  if ("problems" in read) throw new Error(read.problems.join("\n"));
  const context = await openContext(read.config, pino({ level: "silent" }));
  const receiver = await startReceiver();
  const documents = await addDocuments(
    context,
    Array.from({ length: 1000 }, () => ({ access: "public" })),
  );
  const people: Person[] = [];
  for (let index = 0; index < Math.max(1, plan.searches / searchesOfPerson); index++) {
    const isFirst = index === 0;
    people.push(
      await addPerson(context, { username: `person-${index}`, organizations: [1], isAdministrator: isFirst }),
    );
  }
  const [person] = people as [Person];
  const quire = await startQuire({
    dataFolder: data,
    databaseUrl,
    environment: { QUIRE_FETCH_ALLOWED_HOSTS: `127.0.0.1:${receiver.port}` },
  });
  try {
    const { written, read: readRate } = await measureRates(quire.url, person, documents, plan.seconds);
    console.log(`  events: ${written.toFixed(0)} /s written, ${readRate.toFixed(0)} /s read`);
    const hook = { url: `http://127.0.0.1:${receiver.port}/`, types: ["document.changed"] };
    await send(`${quire.url}/api/webhooks/`, person, "POST", hook);
    const [first = 0] = documents;
    console.log(`  webhook: ${await measureWebhook(quire.url, person, first, receiver.delays)}`);
    console.log(`  alerts: ${await measureAlerts(quire.url, people, plan, context)}`);
  } finally {
    await quire.process.stop();
    receiver.close();
    await context.close();
  }
}

const options = readOptions(process.argv.slice(2), {
  searches: "number",
  documents: "number",
  seconds: "number",
  only: "text",
  help: "flag",
});
if (options.help === true) {
  console.log(help);
} else {
  const { searches = 10_000, documents = 100, seconds = 10, only } = options;
  await onEngines(only, (data, databaseUrl) => measure(data, databaseUrl, { searches, documents, seconds }));
}

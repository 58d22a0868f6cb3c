import { Readable } from "node:stream";
import { setTimeout as wait } from "node:timers/promises";
import { sql } from "kysely";
import pino from "pino";
import { describe, expect, it } from "vitest";
import { type Context, openContext } from "../src/context.ts";
import type { EventFeed } from "../src/contract/event.ts";
import { addDocuments, addProject } from "../src/testing/factories.ts";
import { type Person, addPerson } from "../src/testing/people.ts";
import { type Reply, sendAs } from "../src/testing/requests.ts";
import { type ServedApp, serveOn } from "../src/testing/served.ts";
import { engines, testStorage } from "../src/testing/test-app.ts";

/** `KILLS=50 npx vitest run tests/killed-writer.test.ts` runs longer. */
const kills = Number(process.env["KILLS"] ?? 3);
const writers = 8;
const batchSize = 3;

/** What a writer knows about one of their documents. */
interface Known {
  title: string;
  source: string;
  values: readonly string[];
  isShared: boolean;
  /** The number of changes in its history. */
  changes: number;
}

/** A request without an acknowledgement yet: to create documents, or to change one (`after` is null for a deletion). */
type UnderWay = "documents" | { id: number; after: Known | null };

interface Writer {
  name: string;
  person: Person;
  documents: Map<number, Known>;
  gone: Set<number>;
  underWay: UnderWay | null;
}

interface Ground {
  context: Context;
  project: number;
  counts: { acknowledged: number; underWay: number; underWayDone: number };
}

/** Waits until this many more changes have been acknowledged, however slow the machine is. */
async function acknowledgedMore(counts: Ground["counts"], more: number): Promise<void> {
  const enough = counts.acknowledged + more;
  while (counts.acknowledged < enough) await wait(2);
}

describe.each(engines)("a server on %s that is killed while it writes", (engine) => {
  it(
    "loses no acknowledged write, and leaves none half done",
    async () => {
      await using storage = await testStorage(engine);
      const context = await openContext(storage.config, pino({ level: "silent" }));
      const counts = { acknowledged: 0, underWay: 0, underWayDone: 0 };
      try {
        await addDocuments(context, []);
        // The server will create the organization of its first administrator.
        await context.database.write(async (writer) =>
          context.database.dialect.afterOwnIds("organizations")?.execute(writer),
        );
        const ground = { context, project: await addProject(context, {}, []), counts };
        const everyone = await peopleWhoWrite(ground);
        const feed: Feed = { target: "/api/events/", events: new Map() };
        const [followed] = everyone as [Writer];
        let server = await serveOn(storage.config);
        try {
          for (let kill = 0; kill < kills; kill++) {
            const running = server;
            const work = everyone.map((writer, index) => write(ground, running, writer, kill * 7 + index));
            work.push(follow(running, followed.person, feed, () => false));
            await acknowledgedMore(counts, 15 + ((kill * 37 + 11) % 40));
            await wait((kill * 13 + 7) % 20);
            await running.kill();
            await Promise.all(work);
            server = await serveOn(storage.config);
            for (const writer of everyone) await check(ground, server, writer);
            await checkWhole(context);
          }
          await follow(server, followed.person, feed, ({ has_more: hasMore }) => !hasMore);
          checkFeed(feed, followed);
        } finally {
          await server[Symbol.asyncDispose]();
        }
      } finally {
        await context.close();
      }
      expect(counts.acknowledged).toBeGreaterThan(kills * 10);
      if (kills > 3) console.log(`${engine}: ${kills} kills`, counts);
    },
    300_000 + kills * 10_000,
  );
});

async function peopleWhoWrite({ context, project }: Ground): Promise<Writer[]> {
  const everyone: Writer[] = [];
  for (let index = 0; index < writers; index++) {
    const name = `writer-${index}`;
    const more = { organizations: [1], projects: { [project]: "edit" } } as const;
    const person = await addPerson(context, { username: name, ...more });
    everyone.push({ name, person, documents: new Map(), gone: new Set(), underWay: null });
  }
  return everyone;
}

const record = (id: number): string => `/api/documents/${id}/`;
/** The title of all new documents, which determines the names of their files. */
const firstTitle = "As it was made";
const file = (id: number): string => `documents/${id}/as-it-was-made.pdf`;

/** Writes until the server does not answer any more. */
async function write(ground: Ground, server: ServedApp, writer: Writer, seed: number): Promise<void> {
  const { context, project, counts } = ground;
  const { name, person, documents, gone } = writer;
  for (let action = seed; ; action++) {
    const [id = 0, known] = [...documents][action % Math.max(1, documents.size)] ?? [];
    const text = `${name} ${action} ${counts.acknowledged}`;
    const say = async (method: string, target: string, value?: unknown): Promise<Reply | null> => {
      const told = await sendAs(server, person, method, target, value).catch(() => null);
      if (told !== null && told.status >= 300)
        throw new Error(`${method} ${target}: ${told.status} ${JSON.stringify(told.body)}`);
      return told;
    };
    if (known === undefined || documents.size < 4) {
      writer.underWay = "documents";
      const one = { title: firstTitle, description: text, projects: [project], data: { log: ["made"] } };
      const told = await say(
        "POST",
        "/api/documents/",
        Array.from({ length: batchSize }, () => one),
      );
      if (told === null) return;
      for (const made of told.body as { id: number }[]) documents.set(made.id, { ...newlyMade });
    } else if (action % 5 === 4) {
      await context.files.put(file(id), Readable.from([Buffer.from("%PDF-")]));
      writer.underWay = { id, after: null };
      if ((await say("DELETE", record(id))) === null) return;
      documents.delete(id);
      gone.add(id);
    } else {
      const changes = known.changes + 1;
      const membership = `/api/projects/${project}/documents/`;
      const actions: [Partial<Known>, string, string, unknown?][] = [
        [{ title: text, source: text }, "PATCH", record(id), { title: text, source: text }],
        [{ values: [...known.values, text] }, "PATCH", `${record(id)}data/log/`, { values: [text] }],
        known.isShared
          ? [{ isShared: false }, "DELETE", `${membership}${id}/`]
          : [{ isShared: true }, "POST", membership, { document: id }],
      ];
      const [difference, method = "", target = "", value] = actions[action % 3] ?? [];
      const after = { ...known, ...difference, changes };
      writer.underWay = { id, after };
      if ((await say(method, target, value)) === null) return;
      documents.set(id, after);
    }
    writer.underWay = null;
    counts.acknowledged++;
  }
}

const newlyMade: Known = { title: firstTitle, source: "", values: ["made"], isShared: true, changes: 0 };

/**
 * Checks that every document is as this writer was told. The one request under way may have been carried out or not.
 */
async function check({ context, project, counts }: Ground, server: ServedApp, writer: Writer): Promise<void> {
  const { person, documents, gone, underWay } = writer;
  if (underWay !== null) counts.underWay++;
  writer.underWay = null;
  const { reader } = context.database;
  const rows = await reader.selectFrom("documents").select("id").where("user_id", "=", person.id).execute();
  const unknown = rows.filter(({ id }) => !documents.has(id));
  expect(underWay === "documents" ? [0, batchSize] : [0]).toContain(unknown.length);
  if (unknown.length > 0) counts.underWayDone++;
  for (const { id } of unknown) documents.set(id, { ...newlyMade });
  for (const [id, known] of documents) {
    const actual = await stateOf(context, server, person, project, id);
    const isUnderWay = typeof underWay === "object" && underWay?.id === id;
    const isDone = isUnderWay && JSON.stringify(actual) === JSON.stringify(underWay.after);
    expect([id, actual]).toEqual([id, isDone ? underWay.after : known]);
    if (!isDone) continue;
    counts.underWayDone++;
    if (actual === null) gone.add(id);
    if (actual === null) documents.delete(id);
    else documents.set(id, actual);
  }
  for (const id of gone) {
    for (const table of [
      "documents",
      "document_data",
      "document_audiences",
      "project_memberships",
    ] as const) {
      const column = table === "documents" ? "id" : "document_id";
      const left = await reader
        .selectFrom(table)
        .selectAll()
        .where(sql.ref<number>(column), "=", id)
        .execute();
      expect([table, left]).toEqual([table, []]);
    }
    expect(await context.files.stat(file(id))).toBeNull();
    const last = reader.selectFrom("document_history").select("action").where("document_id", "=", id);
    expect((await last.orderBy("id", "desc").executeTakeFirst())?.action).toBe("deleted");
  }
}

/** The document according to the API and the history. Null if it does not exist. */
async function stateOf(
  { database }: Context,
  server: ServedApp,
  person: Person,
  project: number,
  id: number,
): Promise<Known | null> {
  const { status, body } = await sendAs(server, person, "GET", record(id));
  if (status === 404) return null;
  const entries = await database.reader
    .selectFrom("document_history")
    .select("action")
    .where("document_id", "=", id)
    .execute();
  expect(entries.filter(({ action }) => action === "created")).toHaveLength(1);
  return {
    title: body.title as string,
    source: body.source as string,
    values: body.data.log as string[],
    isShared: (body.projects as number[]).includes(project),
    changes: entries.length - 1,
  };
}

/** What a reader of the feed has read so far, and where they go on. */
interface Feed {
  target: string;
  /** By their ids. */
  events: Map<number, string>;
}

/** Follows the feed until the server does not answer any more, or it is enough. */
async function follow(
  server: ServedApp,
  person: Person,
  feed: Feed,
  isEnough: (page: EventFeed) => boolean,
): Promise<void> {
  for (;;) {
    const told = await sendAs(server, person, "GET", feed.target).catch(() => null);
    if (told === null) return;
    expect(told.status).toBe(200);
    const page = told.body as EventFeed;
    for (const { id, type, document } of page.results) {
      expect(feed.events.has(id)).toBe(false);
      feed.events.set(id, `${type} ${document}`);
    }
    const { pathname, search } = new URL(page.next);
    feed.target = pathname + search;
    if (isEnough(page)) return;
  }
}

/** The writer, who also followed, was told of each of their documents once, and of the end of those that are gone. */
function checkFeed({ events }: Feed, { documents, gone }: Writer): void {
  const told = [...events.values()];
  const times = (event: string): number => told.filter((one) => one === event).length;
  for (const id of documents.keys()) expect([id, times(`document.created ${id}`)]).toEqual([id, 1]);
  for (const id of gone) expect([id, times(`document.deleted ${id}`)]).toEqual([id, 1]);
}

/** Documents of one request exist together or not at all, and no file of a deleted document is left. */
async function checkWhole({ database: { reader } }: Context): Promise<void> {
  expect(await reader.selectFrom("file_removals").selectAll().execute()).toEqual([]);
  const created = await reader
    .selectFrom("document_history")
    .select("changes")
    .where("action", "=", "created")
    .execute();
  const batches = new Map<string, number>();
  for (const { changes } of created) {
    const { description = [] } = JSON.parse(changes) as { description?: unknown[] };
    const batch = String(description[1]);
    batches.set(batch, (batches.get(batch) ?? 0) + 1);
  }
  expect([...batches].filter(([, size]) => size !== batchSize)).toEqual([]);
}

import { setTimeout as wait } from "node:timers/promises";
import { sql } from "kysely";
import { beforeAll, describe, expect, it, vi } from "vitest";
import type { Event, EventFeed } from "../../contract/event.ts";
import { roles } from "../../testing/access-rights.ts";
import { accessWorld } from "../../testing/access-world.ts";
import { ask } from "../../testing/ask.ts";
import { documentRow } from "../../testing/factories.ts";
import { type Person, addPerson } from "../../testing/people.ts";
import { type Reply, sendAs } from "../../testing/requests.ts";
import { feedSettled } from "../../testing/settled.ts";
import { engines, useStarted } from "../../testing/test-app.ts";
import { removeEventsBefore } from "./store.ts";

const short = ({ type, document, project, note, section, user }: Event): string =>
  [type, document, project, note, section, user].filter((part) => part !== null).join(" ");

/** The events of a stream. */
function eventsIn(text: string): Event[] {
  return [...text.matchAll(/^data: (.*)$/gm)].map(([, data = ""]) => JSON.parse(data) as Event);
}

describe.each(engines)("the feed of events on %s", (engine) => {
  const world = useStarted(() => accessWorld(engine));
  let owner: Person;
  let member: Person;
  let admin: Person;
  let outsider: Person;
  beforeAll(async () => {
    const { context } = world.app;
    owner = await addPerson(context, { username: "feed-owner", organizations: [1] });
    member = await addPerson(context, { username: "feed-member", organizations: [1] });
    admin = await addPerson(context, { username: "feed-admin", organizations: [2] });
    outsider = await addPerson(context, { username: "feed-outsider" });
  });

  const send = (person: Person | null, method: string, target: string, value?: unknown): Promise<Reply> =>
    sendAs(world.app, person, method, target, value);

  const pathOf = (address: string): string => address.slice(world.app.url.length);

  async function latest(): Promise<string> {
    await feedSettled(world.app);
    return pathOf((await send(null, "GET", "/api/events/?after=latest")).body.next as string);
  }

  async function after(person: Person | null, address: string): Promise<string[]> {
    await feedSettled(world.app);
    return ((await send(person, "GET", address)).body as EventFeed).results.map(short);
  }

  /** What a stream sends up to its first event: comments, as long as a transaction elsewhere holds the feed back. */
  async function untilEvent(headers: Record<string, string>): Promise<string> {
    const { body } = await world.app.fetch("/api/events/stream/", { headers });
    const decoder = new TextDecoder();
    let text = "";
    for await (const chunk of body as unknown as AsyncIterable<Uint8Array>) {
      text += decoder.decode(chunk, { stream: true });
      if (eventsIn(text).length > 0) break;
    }
    return text;
  }

  it("tells each viewer what happened to what they may see, and of what is gone who could see it", async () => {
    const from = await latest();
    const { id } = (await send(owner, "POST", "/api/documents/", { title: "Dues", access: "organization" }))
      .body;
    const at = `/api/documents/${id}/`;
    const note = async (access: string): Promise<number> =>
      (await send(owner, "POST", `${at}notes/`, { title: "x", page_number: 0, access })).body.id as number;
    await world.app.context.database.write((writer) =>
      writer
        .updateTable("documents")
        .set({ status: "success", page_count: 2 })
        .where("id", "=", id as number)
        .execute(),
    );
    const [open, own] = [await note("public"), await note("private")];
    await send(owner, "PATCH", `${at}notes/${open}/`, { content: "y" });
    const section = (await send(owner, "POST", `${at}sections/`, { title: "One", page_number: 0 })).body.id;
    const project = (await send(admin, "POST", "/api/projects/", { title: "Harbour", private: true })).body
      .id as number;
    await send(admin, "POST", `/api/projects/${project}/users/`, {
      email: "feed-owner@example.org",
      access: "edit",
    });
    await send(owner, "POST", `/api/projects/${project}/documents/`, { document: id, edit_access: true });
    await send(owner, "PATCH", at, { title: "Harbour dues" });
    await send(owner, "DELETE", `${at}notes/${open}/`);
    await send(owner, "DELETE", `${at}notes/${own}/`);
    const ofAll = [`document.created ${id}`, `document.processed ${id}`];
    const rest = [
      `section.created ${id} ${section}`,
      `project.document_added ${id} ${project}`,
      `document.changed ${id}`,
      `note.deleted ${id} ${open}`,
    ];
    expect(await after(owner, from)).toEqual([
      ...ofAll,
      rest[0],
      `project.created ${project}`,
      ...rest.slice(1),
      `note.deleted ${id} ${own}`,
    ]);
    expect(await after(admin, from)).toEqual([
      ...ofAll,
      rest[0],
      `project.created ${project}`,
      `project.member_added ${project} ${admin.id}`,
      `project.member_added ${project} ${owner.id}`,
      ...rest.slice(1),
    ]);
    expect(await after(member, from)).toEqual([...ofAll, rest[0], ...rest.slice(2)]);
    for (const stranger of [outsider, null]) expect(await after(stranger, from)).toEqual([]);

    const later = await latest();
    await send(owner, "PATCH", at, { access: "public" });
    expect(await after(null, from)).toEqual([
      ...ofAll,
      rest[0],
      ...rest.slice(2),
      `document.access_changed ${id}`,
    ]);
    await send(owner, "PATCH", at, { access: "private" });
    await send(owner, "DELETE", at);
    expect(await after(admin, later)).toEqual([`document.deleted ${id}`]);
    await send(admin, "DELETE", `/api/projects/${project}/`);
    const gone = [`document.deleted ${id}`, `project.deleted ${project}`];
    expect(await after(owner, later)).toEqual(gone);
    expect(await after(admin, later)).toEqual(gone.slice(1));
    for (const stranger of [member, outsider, null]) expect(await after(stranger, later)).toEqual([]);
    await send(owner, "POST", "/api/documents/trash/restore/", { ids: [id] });
    expect(await after(owner, later)).toEqual([
      `document.access_changed ${id}`,
      `document.access_changed ${id}`,
      ...gone,
      `document.restored ${id}`,
    ]);
  });

  it("has the events of exactly the documents that a viewer may see now", async () => {
    const { app, people, documents } = world;
    await feedSettled(world.app);
    for (const role of roles) {
      const events = new Set<number | null>();
      let address = "/api/events/?per_page=1000";
      for (let hasMore = true; hasMore;) {
        const { body } = await ask(app, people[role], { method: "GET", target: address });
        const feed = JSON.parse(body) as EventFeed;
        for (const { type, document } of feed.results) if (type === "document.created") events.add(document);
        address = pathOf(feed.next);
        hasMore = feed.has_more;
      }
      for (const { id, access, status } of documents) {
        const seen = await ask(app, people[role], { method: "GET", target: `/api/documents/${id}/` });
        expect([role, access, status, events.has(id)]).toEqual([role, access, status, seen.status === 200]);
      }
    }
  });

  it("misses nothing and repeats nothing while eight writers write, in one order for all readers", async () => {
    const { database } = world.app.context;
    const start = await latest();
    const written = new Set<number>();
    let isWriting = true;
    const write = async (index: number): Promise<void> => {
      for (let turn = 0; turn < 12; turn++) {
        const isGivenUp = (index + turn) % 5 === 0;
        await database
          .write(async (writer) => {
            const { id } = await writer
              .insertInto("documents")
              .values(documentRow())
              .returning("id")
              .executeTakeFirstOrThrow();
            // Numbers are taken in another order than that of the commits.
            await wait((index * 7 + turn * 5) % 11);
            if (isGivenUp) throw new Error("given up");
            written.add(id);
          })
          .catch(() => undefined);
      }
    };
    const follow = async (perPage: number): Promise<Event[]> => {
      const events: Event[] = [];
      let address = `${start}&per_page=${perPage}`;
      for (let isOver = false; !isOver;) {
        const isLast = !isWriting;
        const feed = (await send(null, "GET", address)).body as EventFeed;
        events.push(...feed.results);
        address = pathOf(feed.next);
        isOver = isLast && !feed.has_more;
      }
      return events;
    };
    const streaming = new AbortController();
    const stream = await world.app.fetch(start.replace("?", "stream/?"), { signal: streaming.signal });
    const streamed: number[] = [];
    const reading = (async () => {
      const decoder = new TextDecoder();
      for await (const chunk of stream.body as unknown as AsyncIterable<Uint8Array>)
        streamed.push(...eventsIn(decoder.decode(chunk)).map(({ id }) => id));
    })().catch(() => undefined);
    const readers = [1, 3, 1000].map(follow);
    await Promise.all(Array.from({ length: 8 }, (_, index) => write(index)));
    await feedSettled(world.app);
    isWriting = false;
    const [first = [], ...others] = await Promise.all(readers);
    const ids = first.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(new Set(first.map(({ document }) => document))).toEqual(written);
    for (const other of others) expect(other.map(({ id }) => id)).toEqual(ids);
    await vi.waitFor(() => expect(streamed).toHaveLength(ids.length), { timeout: 60_000 });
    expect(streamed).toEqual(ids);
    streaming.abort();
    await reading;
  });

  it("waits for a transaction that has begun to write, however late it commits", async () => {
    const { database } = world.app.context;
    const from = await latest();
    const insert = (id: Promise<unknown> | null) =>
      database.write(async (writer) => {
        const row = await writer.insertInto("documents").values(documentRow()).returning("id").execute();
        begun.resolve();
        await id;
        return row[0]?.id;
      });
    const begun = Promise.withResolvers<void>();
    const held = Promise.withResolvers<void>();
    const slow = insert(held.promise);
    await begun.promise;
    // On SQLite it waits for its turn.
    const quick = insert(null);
    if (engine === "postgres") await quick;
    expect((await send(null, "GET", from)).body.results).toEqual([]);
    held.resolve();
    const [slowId, quickId] = [await slow, await quick];
    expect(await after(null, from)).toEqual([`document.created ${slowId}`, `document.created ${quickId}`]);
  });

  it("says when it no longer has what follows, and keeps the end", async () => {
    const { database } = world.app.context;
    const old = await latest();
    await send(owner, "POST", "/api/documents/", { title: "Ledger" });
    await feedSettled(world.app);
    const target = (await send(owner, "GET", `${old}&per_page=1`)).body.next as string;
    const end = pathOf(target);
    await removeEventsBefore(database, "2999-01-01T00:00:00.000000Z");
    const { rows } = await sql`select id from events`.execute(database.reader);
    expect(rows).toHaveLength(1);
    expect((await send(owner, "GET", old)).status).toBe(410);
    expect((await send(owner, "GET", old.replace("?", "stream/?"))).status).toBe(410);
    expect((await send(owner, "GET", "/api/events/?after=x")).status).toBe(404);
    expect((await send(owner, "GET", end)).body).toMatchObject({ has_more: false, results: [] });
    await send(owner, "PATCH", `/api/account/`, {});
    const { body } = await send(owner, "POST", "/api/documents/", { title: "Minutes" });
    const id = new URL(target).searchParams.get("after") ?? "";
    const text = await untilEvent({ ...owner.headers, "last-event-id": id });
    expect(text).toMatch(/^id: \d+-\d+\ndata: \{/m);
    expect(eventsIn(text).map(short)).toEqual([`document.created ${body.id}`]);
    const head = await world.app.fetch("/api/events/stream/", { method: "HEAD" });
    expect([head.status, head.headers.get("content-type")]).toEqual([200, "text/event-stream"]);
  });
});

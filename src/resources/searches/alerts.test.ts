import * as fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import type { EventFeed } from "../../contract/event.ts";
import type { SavedSearch, SearchResults } from "../../contract/search.ts";
import { addRow, removeRows, setRows } from "../../database/rows.ts";
import { addDocuments } from "../../testing/factories.ts";
import { useMailServer } from "../../testing/mail-server.ts";
import { type Person } from "../../testing/people.ts";
import { runsOn } from "../../testing/runs.ts";
import { feedSettled } from "../../testing/settled.ts";
import { engines, useApp } from "../../testing/test-app.ts";
import { useWorker } from "../../testing/use-worker.ts";
import { findAlert } from "./alert-mails.ts";
import { queueAlerts } from "./queue-matching.ts";

const saved = "/api/documents/search/saved/";
const past = "2025-01-01T00:00:00.000000Z";

describe.each(engines)("alerts on saved searches on %s", (engine) => {
  const mails = useMailServer();
  const app = useApp(engine, () => mails.settings);
  const worker = useWorker(app, { lookEverySeconds: 0.05 });
  const mara = app.person("mara", { organizations: [1], password: "any" });
  const noor = app.person("noor", { organizations: [1, 2] });
  const { send } = app;
  let project: number;
  beforeAll(async () => {
    project = (await send(noor, "POST", "/api/projects/", { title: "Port" })).body.id as number;
  });

  async function found(query: string): Promise<Set<string>> {
    const address = `/api/documents/search/?per_page=100&q=${encodeURIComponent(query)}`;
    const { results } = (await send(mara, "GET", address)).body as SearchResults;
    return new Set(results.map(({ id }) => id));
  }

  async function alert(query: string, more: object = { alert: "page" }): Promise<SavedSearch> {
    const { status, body } = await send(mara, "POST", saved, { name: query, query, ...more });
    expect([status, body]).toEqual([201, expect.anything()]);
    return body as SavedSearch;
  }

  /** Has everything compared, as the schedule does. */
  async function compare(): Promise<void> {
    await feedSettled(app);
    await queueAlerts(app.context);
    await worker.drain();
    await feedSettled(app);
  }

  async function positionNow(): Promise<string> {
    await feedSettled(app);
    const { next } = (await send(mara, "GET", "/api/events/?after=latest")).body as EventFeed;
    return next.slice(next.indexOf("/api/"));
  }

  /** What searches have found since a position in the feed: "uuid document", and the feed as another person has it. */
  async function alertsSince(address: string, person = mara): Promise<string[]> {
    const { results, has_more } = (await send(person, "GET", `${address}&per_page=1000`)).body as EventFeed;
    expect(has_more).toBe(false);
    return results
      .filter(({ type }) => type === "search.found")
      .map(({ search, document }) => `${search} ${document}`)
      .toSorted();
  }

  /** The documents that a search has noted as found. */
  async function notedBy(uuid: string): Promise<string[]> {
    const rows = await app.context.database.reader
      .selectFrom("saved_search_finds")
      .innerJoin("saved_searches", "id", "search_id")
      .select("document_id")
      .where("uuid", "=", uuid)
      .execute();
    return rows.map(({ document_id }) => String(document_id)).toSorted();
  }

  const queries = [
    "harbour",
    "title:harbour AND NOT dues",
    "harb*",
    "harbours AND NOT pilot",
    '"harbour dues"',
    "access:organization",
    "tag:sea OR pilot",
    "*:*",
  ];

  const step = fc.record({
    what: fc.constantFrom(
      "create",
      "change",
      "hide",
      "show",
      "tag",
      "note",
      "delete",
      "restore",
      "join",
      "part",
    ),
    who: fc.constantFrom("mara", "noor"),
    which: fc.nat(20),
    words: fc.constantFrom("harbour", "dues", "harbour dues", "pilot", ""),
  });

  it("fire exactly when the search newly finds a document, whatever happens", async () => {
    const searches: SavedSearch[] = [];
    for (const query of [...queries, `project:${project}`]) searches.push(await alert(query));
    const documents: { id: number; owner: Person }[] = [];
    const joined: number[] = [];
    const act = async ({
      what,
      who,
      which,
      words,
    }: {
      what: string;
      who: string;
      which: number;
      words: string;
    }) => {
      const person = who === "mara" ? mara : noor;
      const { id, owner } = documents[which % Math.max(1, documents.length)] ?? {};
      if (what === "create" || id === undefined || owner === undefined) {
        const access = which % 2 === 0 ? "organization" : "private";
        const { body } = await send(person, "POST", "/api/documents/", { title: words || "x", access });
        const made = { id: body.id as number, owner: person };
        // Notes need a page.
        const read = { status: "success", page_count: 1 } as const;
        await app.context.database.write((writer) => setRows(writer, "documents", { id: made.id }, read));
        documents.push(made);
        return;
      }
      const at = `/api/documents/${id}/`;
      const target = `/api/projects/${project}/documents/`;
      const actions: Record<string, () => Promise<unknown>> = {
        change: () => send(owner, "PATCH", at, { title: words, description: words }),
        hide: () => send(owner, "PATCH", at, { access: "private" }),
        show: () => send(owner, "PATCH", at, { access: "organization" }),
        tag: () => send(owner, "PATCH", at, { data: words === "" ? {} : { _tag: ["sea"] } }),
        note: () =>
          send(owner, "POST", `${at}notes/`, { title: words || "y", page_number: 0, access: "private" }),
        delete: () => send(owner, "DELETE", at),
        restore: () => send(owner, "POST", "/api/documents/trash/restore/", { ids: [id] }),
        join: () => {
          joined.push(id);
          return send(noor, "POST", target, { document: id });
        },
        part: () => send(noor, "DELETE", `${target}${joined.pop() ?? id}/`),
      };
      await actions[what]?.();
    };
    const before = new Map<string, Set<string>>();
    for (const { uuid, query } of searches) before.set(uuid, await found(query));
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(step, { minLength: 1, maxLength: 4 }), { maxLength: 5 }),
        async (rounds) => {
          for (const steps of rounds) {
            const from = await positionNow();
            for (const each of steps) await act(each);
            await compare();
            const expected: string[] = [];
            for (const { uuid, query } of searches) {
              const now = await found(query);
              for (const id of now) if (!before.get(uuid)?.has(id)) expected.push(`${uuid} ${id}`);
              before.set(uuid, now);
              expect([query, await notedBy(uuid)]).toEqual([query, [...now].toSorted()]);
            }
            expect(await alertsSince(from)).toEqual(expected.toSorted());
          }
        },
      ),
      { numRuns: runsOn(engine, 12) },
    );
    const { body } = await send(mara, "GET", `${saved}?per_page=100`);
    for (const { query, alert: kind, new: count } of body.results as SavedSearch[])
      expect([query, kind, (count ?? 0) <= (await found(query)).size]).toEqual([query, "page", true]);
    for (const { uuid } of searches) await send(mara, "DELETE", `${saved}${uuid}/`);
  });

  it("tell of what a new right shows, of nothing that was there, and of nothing that is hidden again", async () => {
    const hidden = await addDocuments(app.context, [
      { title: "Quay", access: "organization", organization_id: 2, user_id: noor.id },
    ]);
    const own = (await send(mara, "POST", "/api/documents/", { title: "Quay wall" })).body.id as number;
    const { uuid } = await alert("quay", { alert: "daily" });
    await send(mara, "PATCH", `/api/documents/${own}/`, { title: "Quay walls" });
    const from = await positionNow();
    await compare();
    expect(await alertsSince(from)).toEqual([]);
    const membership = { organization_id: 2, user_id: mara.id };
    const { context } = app;
    await context.database.write((writer) =>
      addRow(writer, "organization_members", { ...membership, is_admin: false }),
    );
    await compare();
    expect(await alertsSince(from)).toEqual([`${uuid} ${hidden[0]}`]);
    expect(await alertsSince(from, noor)).toEqual([]);
    expect((await send(mara, "GET", `${saved}${uuid}/`)).body.new).toBe(1);
    expect((await send(mara, "POST", `${saved}${uuid}/seen/`)).body.new).toBe(0);
    expect((await send(noor, "POST", `${saved}${uuid}/seen/`)).status).toBe(404);
    // The mail of the day is due when the right is gone again: it is not sent.
    await context.database.write((writer) => removeRows(writer, "organization_members", membership));
    await dayIsOver(uuid);
    expect(mails.received).toEqual([]);
    expect(await alertsSince(from)).toEqual([]);
  });

  /** Has the mails of a search sent that wait for the day to end. */
  async function dayIsOver(uuid: string): Promise<void> {
    await app.context.database.write((writer) =>
      writer.updateTable("saved_searches").set({ mailed_at: past }).where("uuid", "=", uuid).execute(),
    );
    await compare();
  }

  /** A mail that is sent later does not tell of what its search no longer finds, although its owner may see it. */
  async function forgotten(uuid: string): Promise<void> {
    const { database } = app.context;
    const { results } = (await send(mara, "GET", "/api/documents/search/?q=lighthouse"))
      .body as SearchResults;
    const mail = await database.reader
      .selectFrom("mails")
      .selectAll()
      .where("kind", "=", "search alert")
      .orderBy("id")
      .execute();
    const told = async () =>
      (await Promise.all(mail.map((each) => findAlert(app.context, each))))
        .filter((mailed) => mailed?.uuid === uuid)
        .flatMap((mailed) => mailed?.documents.map(({ title }) => title));
    expect(await told()).toEqual(expect.arrayContaining(results.map(({ title }) => title)));
    const [first] = results;
    await send(mara, "PATCH", `/api/documents/${first?.id}/`, { title: "Dark" });
    expect(await told()).toEqual(results.slice(1).map(({ title }) => title));
    await send(mara, "PATCH", `/api/documents/${first?.id}/`, { title: first?.title });
  }

  it("come by mail at once or as a digest, until one click stops them", async () => {
    mails.received.length = 0;
    const daily = await alert("lighthouse", { alert: "daily" });
    const quick = await alert("lighthouse AND <b>", { alert: "at_once" });
    await send(mara, "POST", "/api/documents/", { title: "Lighthouse <b>\r\nBcc: x" });
    await compare();
    expect(mails.received).toHaveLength(1);
    await send(mara, "POST", "/api/documents/", { title: "Lighthouse b" });
    await compare();
    expect(mails.received).toHaveLength(1);
    for (const { uuid } of [daily, quick]) await dayIsOver(uuid);
    // Long lines of headers are folded.
    const texts = mails.received.map(({ text }) => text.replaceAll(/\r?\n[ \t]+/g, " "));
    expect(texts.map((text) => /^Subject: (.*)$/m.exec(text)?.[1])).toEqual([
      "A saved search has found a document",
      "A saved search has found 2 documents",
      "A saved search has found a document",
    ]);
    for (const text of texts) expect(text).not.toMatch(/^Bcc:/m);
    await send(mara, "DELETE", `${saved}${quick.uuid}/`);
    await forgotten(daily.uuid);
    // The follower may have compared in between, and have forgotten the find.
    await compare();
    const [, link = ""] =
      /^List-Unsubscribe: <https:\/\/quire\.example(\/unsubscribe\/\S+)>$/m.exec(texts[1] ?? "") ?? [];
    expect(texts[1]).toContain("List-Unsubscribe-Post: List-Unsubscribe=One-Click");
    const click = (address: string): Promise<Response> =>
      app.fetch(address, { method: "POST", body: new URLSearchParams({ "List-Unsubscribe": "One-Click" }) });
    expect((await app.fetch(link)).status).toBe(200);
    expect((await click(link.replace(/..\/$/, "xx/"))).status).toBe(404);
    expect((await send(mara, "GET", `${saved}${daily.uuid}/`)).body.alert).toBe("daily");
    expect((await click(link)).status).toBe(200);
    expect((await send(mara, "GET", `${saved}${daily.uuid}/`)).body).toMatchObject({ alert: "page", new: 2 });
    await send(mara, "POST", "/api/documents/", { title: "Lighthouse again" });
    await dayIsOver(daily.uuid);
    expect(mails.received).toHaveLength(3);
    expect((await send(mara, "GET", `${saved}${daily.uuid}/`)).body.new).toBe(3);
  });
});

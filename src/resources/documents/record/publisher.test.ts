import { Readable } from "node:stream";
import { setTimeout as wait } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { sqliteDialect } from "../../../database/sqlite/dialect.ts";
import { openDatabase } from "../../../database/open-database.ts";
import { addDocuments } from "../../../testing/factories.ts";
import { addPerson } from "../../../testing/people.ts";
import { sendAs } from "../../../testing/requests.ts";
import { hasPostgres } from "../../../testing/runs.ts";
import {
  type TestApp,
  engines,
  startAppOn,
  testStorage,
  useApp,
  useStarted,
} from "../../../testing/test-app.ts";

/** Long enough for another process to notice a change. */
const noticedMilliseconds = 700;
const written = (moment: number): string => new Date(moment).toISOString();

const file = (id: number): string => `documents/${id}/a-document.pdf`;
const views: Record<string, (id: number) => string> = {
  record: (id) => `/api/documents/${id}/`,
  list: () => "/api/documents/?per_page=1000",
  "list in another order": () => "/api/documents/?ordering=-created_at&per_page=1000",
  file: (id) => `/files/${file(id)}`,
  page: (id) => `/documents/${id}-a-document/`,
};

async function isShown(app: TestApp, view: string, id: number): Promise<boolean> {
  const answer = await app.fetch(views[view]?.(id) ?? "");
  const text = await answer.text();
  if (!view.startsWith("list")) return answer.status === 200;
  return (JSON.parse(text) as { results: { id: number }[] }).results.some((one) => one.id === id);
}

/** A time that is late enough for a change to be noticed and for some responses before it, however slow they are. */
async function soon(apps: readonly TestApp[], id: number): Promise<number> {
  const begun = Date.now();
  await Promise.all(apps.flatMap((app) => Object.keys(views).map((view) => isShown(app, view, id))));
  return Date.now() + noticedMilliseconds + 10 * (Date.now() - begun);
}

interface Seen {
  view: string;
  sentAt: number;
  answeredAt: number;
  isVisible: boolean;
}

/** The responses to repeated requests for a document until well after a given time. */
async function watch(apps: readonly TestApp[], id: number, until: number): Promise<Seen[]> {
  const watchers = apps.flatMap((app) => Object.keys(views).map((view) => ({ app, view })));
  const seen = await Promise.all(
    watchers.map(async ({ app, view }) => {
      const observations: Seen[] = [];
      for (let sentAt = 0; sentAt < until;) {
        sentAt = Date.now();
        const isVisible = await isShown(app, view, id);
        observations.push({ view, sentAt, answeredAt: Date.now(), isVisible });
      }
      return observations;
    }),
  );
  return seen.flat();
}

/** No response before the time showed the document, every later one did, and there were some of both. */
function expectFrom(moment: number, seen: readonly Seen[]): void {
  const before = seen.filter(({ answeredAt }) => answeredAt < moment);
  const after = seen.filter(({ sentAt }) => sentAt >= moment);
  expect(before.filter(({ isVisible }) => isVisible)).toEqual([]);
  expect(after.filter(({ isVisible }) => !isVisible)).toEqual([]);
  for (const view of Object.keys(views)) {
    expect(before.some((one) => one.view === view)).toBe(true);
    expect(after.some((one) => one.view === view)).toBe(true);
  }
}

/** Stops the clock, and returns a time to come. */
function timeToCome(): number {
  vi.useFakeTimers({ toFake: ["Date"] });
  return Date.now() + 60_000;
}

const [visible, hidden] = [new Set([true]), new Set([false])];

/** What the views of a document show, all asked for at once and from new as well as from cached responses. */
async function shownBy(
  servers: readonly TestApp[],
  id: number,
  asked: readonly string[] = Object.keys(views),
): Promise<Set<boolean>> {
  const shown = new Set<boolean>();
  for (let time = 0; time < 3; time++) {
    const all = servers.flatMap((one) => asked.map((view) => isShown(one, view, id)));
    for (const isVisible of await Promise.all(all)) shown.add(isVisible);
  }
  return shown;
}

const { now: ownClock } = sqliteDialect;

describe.each(engines)("a document with a time to be published on %s", (engine) => {
  const app = useApp(engine);
  const other = useStarted(() => startAppOn(app.context.config));
  const owner = app.person("owner", { organizations: [1] });
  beforeAll(() => {
    // The tests set the clock of this process.
    vi.spyOn(app.context.database.dialect, "now").mockImplementation(ownClock);
  });
  afterAll(() => void vi.restoreAllMocks());
  afterEach(() => void vi.useRealTimers());

  const add = async (row: object = {}): Promise<number> => {
    const [id = 0] = await addDocuments(app.context, [{ access: "private", user_id: owner.id, ...row }]);
    await app.context.files.put(file(id), Readable.from([Buffer.from("%PDF-")]));
    return id;
  };
  const change = async (id: number, values: object, on: TestApp = app): Promise<void> => {
    const { status } = await sendAs(on, owner, "PATCH", `/api/documents/${id}/`, values);
    expect(status).toBe(200);
  };
  const record = async (id: number): Promise<Record<string, unknown>> =>
    (await sendAs(app, owner, "GET", `/api/documents/${id}/`)).body as Record<string, unknown>;
  const history = async (id: number): Promise<Record<string, unknown>[]> =>
    (await sendAs(app, owner, "GET", `/api/documents/${id}/history/`)).body.results as Record<
      string,
      unknown
    >[];

  /** Adds a document whose time has come, as another process does, whose hint comes with it. */
  const addDue = async (moment: number): Promise<number> => {
    const id = await add({ publish_at: written(moment).replace("Z", "000Z") });
    app.context.database.hints?.send("publications");
    return id;
  };
  /**
   * Resolves once a document is published. No request leads to that, so the publisher has looked for others that are
   * due, too.
   */
  const isPublished = async (id: number): Promise<void> => {
    const { reader } = app.context.database;
    const row = reader.selectFrom("documents").select("access").where("id", "=", id);
    // `expect.poll` would move the clock.
    while ((await row.executeTakeFirstOrThrow()).access !== "public") await wait(20);
  };

  it.each(["private", "organization"])(
    "becomes public at that time, not earlier and only once, if it was %s",
    async (access) => {
      const id = await add({ access });
      const moment = timeToCome();
      await change(id, { publish_at: written(moment) });
      expect(await shownBy([app], id)).toEqual(hidden);
      vi.setSystemTime(moment - 1);
      await isPublished(await addDue(moment - 1));
      expect(await shownBy([app], id)).toEqual(hidden);
      const racing = shownBy([app], id);
      vi.setSystemTime(moment);
      expect(await shownBy([app], id)).toEqual(visible);
      await racing;
      expect(await record(id)).toMatchObject({ access: "public", publish_at: null });
      const [entry] = await history(id);
      expect(entry).toMatchObject({
        user: null,
        action: "published",
        changes: {
          access: { from: access, to: "public" },
          publish_at: { from: written(moment).replace("Z", "000Z"), to: null },
        },
      });
      await change(id, { access: "private" });
      expect(await shownBy([app, other], id)).toEqual(hidden);
      await isPublished(await addDue(moment));
      expect(await shownBy([app, other], id)).toEqual(hidden);
      expect((await history(id)).filter(({ action }) => action === "published")).toHaveLength(1);
    },
  );

  it("becomes public on every server of the same storage, whichever received the change", async () => {
    const id = await add();
    const moment = await soon([app, other], id);
    await change(id, { publish_at: written(moment) }, other);
    expectFrom(moment, await watch([app, other], id, moment + 30));
    expect((await history(id)).filter(({ action }) => action === "published")).toHaveLength(1);
  });

  it("is public in the first response if the time came while no server ran", async () => {
    await using alone = await testStorage(engine);
    const first = await startAppOn(alone.config);
    await addDocuments(first.context, []);
    const person = await addPerson(first.context, { username: "owner", organizations: [1] });
    const row = { access: "private", user_id: person.id };
    const [id = 0] = await addDocuments(first.context, [row]);
    const values = { publish_at: "2999-01-01" };
    expect((await sendAs(first, person, "PATCH", `/api/documents/${id}/`, values)).status).toBe(200);
    await first[Symbol.asyncDispose]();
    const database = await openDatabase({
      dataFolder: alone.config.data,
      databaseUrl: alone.config.databaseUrl,
    });
    await database.write((writer) =>
      writer.updateTable("documents").set({ publish_at: "2001-01-01T00:00:00.000000Z" }).execute(),
    );
    await database.close();
    await using second = await startAppOn(alone.config);
    expect(await isShown(second, "list", id)).toBe(true);
    expect(await isShown(second, "record", id)).toBe(true);
  });

  it("stays hidden while it is processed and becomes public afterwards", async () => {
    const id = await add({ status: "pending" });
    const moment = timeToCome();
    await change(id, { publish_at: written(moment) });
    vi.setSystemTime(moment + 300);
    await isPublished(await addDue(moment));
    expect(await shownBy([app, other], id)).toEqual(hidden);
    expect(await record(id)).toMatchObject({ access: "private", publish_at: expect.any(String) });
    await app.context.database.write((writer) =>
      writer.updateTable("documents").set({ status: "success" }).where("id", "=", id).execute(),
    );
    await isPublished(id);
    expect(await shownBy([app, other], id)).toEqual(visible);
  });

  it("stays as it is if the time is removed or postponed in time", async () => {
    const [takenBack, moved] = [await add(), await add()];
    const moment = timeToCome();
    for (const id of [takenBack, moved]) await change(id, { publish_at: written(moment) });
    await change(takenBack, { publish_at: null }, other);
    await change(moved, { publish_at: "2999-01-01" }, other);
    vi.setSystemTime(moment + 50);
    await isPublished(await addDue(moment));
    for (const id of [takenBack, moved]) expect(await shownBy([app, other], id)).toEqual(hidden);
    expect(await record(takenBack)).toMatchObject({ access: "private", publish_at: null });
    expect(await record(moved)).toMatchObject({
      access: "private",
      publish_at: "2999-01-01T00:00:00.000000Z",
    });
  });

  it("becomes public at once if the time has passed, even when it is created", async () => {
    const id = await add();
    await change(id, { publish_at: "2001-01-01" });
    expect(await isShown(app, "record", id)).toBe(true);
    expect(await isShown(app, "list", id)).toBe(true);
    const { status, body } = await sendAs(app, owner, "POST", "/api/documents/", {
      title: "Late",
      publish_at: "2001-01-01",
    });
    expect(status).toBe(201);
    // The document has no file yet, so there is nothing to show.
    expect(await isShown(app, "record", body.id as number)).toBe(false);
    expect(await record(body.id as number)).toMatchObject({ access: "private", status: "nofile" });
  });
});

describe.runIf(hasPostgres)("a server on PostgreSQL whose own clock is wrong", () => {
  const hour = 3_600_000;
  const app = useApp("postgres");
  const owner = app.person("owner", { organizations: [1] });
  afterEach(() => void vi.useRealTimers());

  it.each([
    ["ahead", hour, [hour / 2, false]],
    ["behind", -hour, [-hour / 2, true]],
  ] as const)(
    "publishes by the clock of the database when its own is %s",
    async (_, wrong, [later, isPublic]) => {
      const [id = 0] = await addDocuments(app.context, [{ access: "private", user_id: owner.id }]);
      const moment = Date.now() + later;
      vi.useFakeTimers({ toFake: ["Date"] });
      vi.setSystemTime(Date.now() + wrong);
      const change = { publish_at: written(moment) };
      expect((await sendAs(app, owner, "PATCH", `/api/documents/${id}/`, change)).status).toBe(200);
      expect(await shownBy([app], id, ["record", "list"])).toEqual(new Set([isPublic]));
    },
  );
});

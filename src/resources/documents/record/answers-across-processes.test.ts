import * as fc from "fast-check";
import { sql } from "kysely";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Database, Writer } from "../../../database/database.ts";
import { addDocuments, addProject } from "../../../testing/factories.ts";
import { type DocumentJson, answerAt } from "../../../testing/lists.ts";
import {
  type TestApp,
  engines,
  startAppOn,
  startTestApp,
  useApp,
  useStarted,
} from "../../../testing/test-app.ts";
import { hasPostgres, isInFull, runs, runsOn } from "../../../testing/runs.ts";

interface Said {
  status: number;
  etag: string | null;
  type: string | null;
  body: string;
}

async function ask(app: TestApp, address: string, headers: Record<string, string> = {}): Promise<Said> {
  // Compressed responses have other entity tags, and a request with a cookie gets no compressed page.
  const answer = await answerAt(app, address, { headers: { "accept-encoding": "identity", ...headers } });
  const [etag, type] = [answer.headers.get("etag"), answer.headers.get("content-type")];
  return { status: answer.status, etag, type, body: await answer.text() };
}

/** Writes that change every kind of data that a record shows, and some that it does not show. */
type Write = (writer: Writer, ids: { documents: number[]; projects: number[] }) => Promise<unknown>;

const pick = (ids: readonly number[], which: number): number => ids[which % ids.length] ?? 0;
const which = fc.nat(9);
const word = fc.constantFrom("", "a", "b");
const update =
  (document: number, changes: Record<string, unknown>): Write =>
  (writer, { documents }) =>
    writer.updateTable("documents").set(changes).where("id", "=", pick(documents, document)).execute();

const writes: Record<string, fc.Arbitrary<Write>> = {
  "a shown column": fc
    .tuple(which, fc.constantFrom("title", "source", "description"), word)
    .map(([id, name, text]) => update(id, { [name]: text })),
  "a number or a flag": fc
    .tuple(which, fc.constantFrom({ page_count: 2 }, { noindex: true }, { noindex: false }))
    .map(([id, changes]) => update(id, changes)),
  data: fc
    .tuple(which, fc.constantFrom("{}", '{"a":["x"]}', '{"a":["y","z"]}'))
    .map(([id, data]) => update(id, { data })),
  "who may see it": fc
    .tuple(which, fc.constantFrom("public", "private"))
    .map(([id, access]) => update(id, { access })),
  "its state": fc
    .tuple(which, fc.constantFrom("success", "readable", "pending"))
    .map(([id, status]) => update(id, { status })),
  "its owner": fc.tuple(which, fc.constantFrom(1, 2)).map(([id, user_id]) => update(id, { user_id })),
  "nothing at all": which.map(
    (id) =>
      (writer, { documents }) =>
        writer
          .updateTable("documents")
          .set((row) => ({ title: row.ref("title") }))
          .where("id", "=", pick(documents, id))
          .execute(),
  ),
  "a membership": fc
    .tuple(which, which, fc.boolean())
    .map(([document, project, joins]) => async (writer, ids) => {
      const membership = {
        document_id: pick(ids.documents, document),
        project_id: pick(ids.projects, project),
      };
      await writer
        .deleteFrom("project_memberships")
        .where("document_id", "=", membership.document_id)
        .where("project_id", "=", membership.project_id)
        .execute();
      if (joins)
        await writer
          .insertInto("project_memberships")
          .values({ ...membership, edit_access: false })
          .execute();
    }),
  "a project moves": fc.tuple(which, which).map(
    ([from, to]) =>
      (writer, ids) =>
        writer
          .updateTable("project_memberships")
          .set({ project_id: pick(ids.projects, to) })
          .where("project_id", "=", pick(ids.projects, from))
          .where("document_id", "not in", (nested) =>
            nested
              .selectFrom("project_memberships")
              .select("document_id")
              .where("project_id", "=", pick(ids.projects, to)),
          )
          .execute(),
  ),
  "a project's privacy": fc.tuple(which, fc.boolean()).map(
    ([id, isPrivate]) =>
      (writer, { projects }) =>
        writer
          .updateTable("projects")
          .set({ private: isPrivate })
          .where("id", "=", pick(projects, id))
          .execute(),
  ),
  "a name": word.map((name) => async (writer, { projects }) => {
    await writer.updateTable("projects").set({ title: name }).where("id", "=", pick(projects, 0)).execute();
    await writer.updateTable("organizations").set({ name }).where("id", "=", 1).execute();
  }),
  "a new document": word.map(
    (title) =>
      (writer, { documents }) =>
        addDocuments({ database: { write: (work) => work(writer) } as Database }, [{ title }]).then((added) =>
          documents.push(...added),
        ),
  ),
};
const anyWrites = fc.array(fc.oneof(...Object.values(writes)), { minLength: 1, maxLength: 6 });

describe.each(engines)("responses while another process writes, on %s", (engine) => {
  const app = useApp(engine, { QUIRE_URL: "https://a.org" });
  const other = useStarted(() => startAppOn(app.context.config));
  const ids = { documents: [] as number[], projects: [] as number[] };
  let asked = 0;
  const addresses = (): string[] => [
    "/api/documents/",
    "/api/documents/?per_page=2&ordering=-title",
    "/api/documents/?ordering=data_a&per_page=3",
    "/api/documents/?user=2",
    `/api/documents/?project=${ids.projects[0]}`,
    "/api/documents/?format=api&per_page=2",
    // Never asked before, so no cached response can hide what the database has.
    `/api/documents/?cursor=${Buffer.from(`p=-${++asked}`).toString("base64url")}&per_page=2`,
    `/api/documents/?cursor=${Buffer.from(`r=1&p=${2 ** 40 + ++asked}`).toString("base64url")}&per_page=2`,
    ...ids.documents.slice(0, 2).flatMap((id) => [`/api/documents/${id}/`, `/documents/${id}-a-document/`]),
    "/",
  ];
  let written = 0;
  /** Every third write is made by the other application, which stores no records. */
  const write = (action: Write): Promise<unknown> =>
    (written++ % 3 === 0 ? other : app).context.database.write((writer) => action(writer, ids));

  beforeAll(() => {
    // The other application never finds a stored record: it renders everything from the rows.
    withoutStoredRecords(other.context.database);
  });
  beforeEach(refill);

  async function refill(): Promise<void> {
    await write(async (writer) => {
      for (const table of ["documents", "projects"] as const) await writer.deleteFrom(table).execute();
    });
    ids.documents = await addDocuments(other.context, [
      {},
      { title: "b" },
      { user_id: 2 },
      { access: "private" },
    ]);
    ids.projects = [
      await addProject(other.context, {}, ids.documents.slice(0, 2)),
      await addProject(other.context, { private: true }, ids.documents.slice(1)),
    ];
  }

  it("always equal those of an application without caches", () =>
    fc.assert(
      fc
        .asyncProperty(anyWrites, async (actions) => {
          for (const one of actions) {
            // These requests race the write: a response made from the old state must not stay cached.
            const racing = addresses().map((address) => ask(app, address));
            await write(one);
            for (const address of addresses()) {
              const fresh = await ask(other, address, { cookie: "not=remembered" });
              for (let time = 0; time < 3; time++) expect(await ask(app, address)).toEqual(fresh);
            }
            await Promise.all(racing);
          }
        })
        .beforeEach(refill),
      { numRuns: runsOn(engine, 20) },
    ));

  it("have an entity tag that changes exactly when the bytes do", () =>
    fc.assert(
      fc
        .asyncProperty(anyWrites, async (actions) => {
          const histories = new Map(addresses().map((address) => [address, new History()]));
          for (const one of [null, ...actions]) {
            if (one !== null) await write(one);
            for (const [address, history] of histories) {
              const response = await ask(app, address);
              const known = history.last ?? '"none"';
              const again = await ask(app, address, { "if-none-match": known });
              expect(again.status).toBe(response.etag === known ? 304 : response.status);
              expect(again.etag).toBe(response.etag);
              expect(again.body).toBe(response.etag === known ? "" : response.body);
              history.note(response);
            }
          }
          for (const history of histories.values()) expect(history.maxAtOnce).toBe(1);
        })
        .beforeEach(refill),
      { numRuns: runsOn(engine, 30) },
    ));

  it.each(Object.keys(writes))("show a change of %s at once, also when it is the only one", async (kind) => {
    const given = fc.sample(writes[kind] ?? fc.constant(update(0, {})), {
      numRuns: isInFull(engine) ? runs(3) : 1,
      seed: 7,
    });
    for (const one of given) {
      for (const address of addresses()) for (let time = 0; time < 3; time++) await ask(app, address);
      await write(one);
      for (const address of addresses())
        expect(await ask(app, address)).toEqual(await ask(other, address, { cookie: "not=remembered" }));
    }
  });

  it("name only public projects, and get a new entity tag when those change", async () => {
    const [open = 0, closed = 0] = ids.projects;
    const [, both = 0] = ids.documents;
    const address = `/api/documents/${both}/`;
    const tags = new Set<string | null>();
    const expectProjects = async (expected: number[]): Promise<void> => {
      const { body, etag } = await ask(app, address);
      expect((JSON.parse(body) as DocumentJson)["projects"]).toEqual(expected);
      tags.add(etag);
    };
    const publish = (id: number, isPrivate: boolean): Promise<unknown> =>
      write((writer) =>
        writer.updateTable("projects").set({ private: isPrivate }).where("id", "=", id).execute(),
      );
    await expectProjects([open]);
    await publish(closed, false);
    await expectProjects([open, closed]);
    await publish(open, true);
    await expectProjects([closed]);
    await write((writer) =>
      writer.deleteFrom("project_memberships").where("project_id", "=", closed).execute(),
    );
    await expectProjects([]);
    expect(tags.size).toBe(4);
    await publish(open, false);
    await expectProjects([open]);
    expect(tags.size).toBe(4);
    await write((writer) => writer.deleteFrom("projects").where("id", "=", open).execute());
    await expectProjects([]);
    expect(tags.size).toBe(4);
  });
});

describe.runIf(hasPostgres)("a membership on PostgreSQL", () => {
  it("shows no project whose privacy changed while it was added", async () => {
    await using app = await startTestApp("postgres");
    const { database } = app.context;
    const [id = 0] = await addDocuments(app.context, [{}]);
    const project_id = await addProject(app.context, {}, []);
    const changed = Promise.withResolvers<undefined>();
    const commit = Promise.withResolvers<undefined>();
    const hiding = database.write(async (writer) => {
      await writer.updateTable("projects").set({ private: true }).where("id", "=", project_id).execute();
      changed.resolve(undefined);
      await commit.promise;
    });
    await changed.promise;
    const membership = { project_id, document_id: id, edit_access: false };
    const joining = database.write((writer) =>
      writer.insertInto("project_memberships").values(membership).execute(),
    );
    // Whichever commits first, the other must be noticed: a record that is rendered in between must not stay cached.
    await doneOrWaiting(database, joining);
    await ask(app, `/api/documents/${id}/`);
    commit.resolve(undefined);
    await Promise.all([hiding, joining]);
    const { body } = await ask(app, `/api/documents/${id}/`);
    expect((JSON.parse(body) as DocumentJson)["projects"]).toEqual([]);
  });
});

/** The database stores no records before it commits, and leaves out those that others have stored. */
function withoutStoredRecords(database: Database): void {
  database.beforeCommit(async () => undefined);
  const { prepared } = database;
  const rows = prepared.rows.bind(prepared);
  prepared.rows = (async (...asked) => {
    const found = (await rows(...asked)) as Record<string, unknown>[];
    for (const row of found)
      if ("records" in row) row["records"] = typeof row["records"] === "string" ? "" : new Uint8Array();
    return found;
  }) as typeof prepared.rows;
}

/** Resolves once the work is done or waits for a lock. */
async function doneOrWaiting({ reader }: Database, work: Promise<unknown>): Promise<void> {
  const state = { done: false };
  void work.finally(() => (state.done = true));
  const waiting = sql<{ n: number }>`select count(*) as n from pg_locks where not granted
    and pid in (select pid from pg_stat_activity where datname = current_database())`;
  while (!state.done) if ((await waiting.execute(reader)).rows[0]?.n !== 0) break;
}

/** The responses of one address, by entity tag and by bytes. */
class History {
  last: string | null = null;
  readonly #tags = new Map<string, Set<string>>();
  readonly #bodies = new Map<string, Set<string>>();

  note({ status, etag, body }: Said): void {
    this.last = etag;
    if (status !== 200 || etag === null) return;
    this.#tags.set(etag, (this.#tags.get(etag) ?? new Set()).add(body));
    this.#bodies.set(body, (this.#bodies.get(body) ?? new Set()).add(etag));
  }

  /** The maximum number of bodies with one tag, or of tags with one body. */
  get maxAtOnce(): number {
    const sizes = [...this.#tags.values(), ...this.#bodies.values()].map(({ size }) => size);
    return Math.max(1, ...sizes);
  }
}

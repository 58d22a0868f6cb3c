import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import * as fc from "fast-check";
import { type RawBuilder, sql } from "kysely";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Database } from "../../../database/database.ts";
import { openDatabase } from "../../../database/open-database.ts";
import { listStart } from "../../../http/request/cursor.ts";
import { type SignedInViewer, type Viewer, anonymous } from "../../../http/request/viewer.ts";
import { addDocuments, addOwners, addProject, documentRow } from "../../../testing/factories.ts";
import { type Person, addPerson } from "../../../testing/people.ts";
import { sendAs } from "../../../testing/requests.ts";
import { runsOn } from "../../../testing/runs.ts";
import { engines, useApp } from "../../../testing/test-app.ts";
import { accessFacts } from "../store.ts";
import { mayEdit } from "../access.ts";
import type { DocumentFilters } from "../list/filters.ts";
import { listPages } from "../list/list-pages.ts";
import { listDocumentRows, storedRecordPages } from "../list/list-store.ts";
import { readOrdering } from "../list/orderings.ts";
import { recordText } from "../present.ts";
import { storeRecords } from "../record-store.ts";
import { DocumentImporter } from "./import-store.ts";
import type { DocumentValues } from "./new-rows-store.ts";

const baseUrls = { web: 'https://a.org/"', assets: "https://files.a.org/" };

const lists: { filters: DocumentFilters; ordering: string; reverse?: boolean; perPage?: number }[] = [
  { filters: {}, ordering: "id" },
  { filters: {}, ordering: "id", reverse: true, perPage: 2 },
  { filters: {}, ordering: "-title", perPage: 3 },
  { filters: {}, ordering: "data_a" },
  { filters: { user: [1, 2] }, ordering: "page_count" },
  { filters: { access: ["organization", "private"] }, ordering: "source" },
];

/** An action of some program. */
interface Action {
  /** Resolves to whether the application committed a transaction, which stores the records that others have left. */
  run: () => Promise<boolean>;
}

const ids = <T>(list: T[], which: number): T => list[which % list.length] as T;

describe.each(engines)("stored records on %s", (engine) => {
  const app = useApp(engine);
  let owner: Person;
  /** A connection of another program, which knows nothing of records. */
  let foreign: Database;
  let viewers: Viewer[];
  let documents: number[] = [];
  let projects: number[] = [];

  beforeAll(async () => {
    const { data: dataFolder, databaseUrl, databaseDirectUrl } = app.context.config;
    foreign = await openDatabase({ dataFolder, databaseUrl, databaseDirectUrl });
    await foreign.write(addOwners);
    owner = await addPerson(app.context, { username: "owner", organizations: [1] });
  });
  afterAll(() => foreign.close());
  beforeEach(refill);

  async function refill(): Promise<void> {
    await foreign.write(async (writer) => {
      for (const table of ["documents", "projects"] as const) await writer.deleteFrom(table).execute();
    });
    documents = await addDocuments(app.context, [
      { title: "“Quoted”\n", slug: "é", data: '{"a":["x"]}' },
      { asset_url: "https://elsewhere.org/x/", user_id: owner.id },
      { access: "organization", title: "\u001e\u2028" },
      { access: "private", user_id: 2, data: '{"a":["y"],"b":["ü"]}' },
    ]);
    projects = [
      await addProject(app.context, {}, documents.slice(0, 3)),
      await addProject(app.context, { private: true }, documents.slice(1)),
      await addProject(app.context, { private: true }, documents),
    ];
    viewers = [
      anonymous,
      viewerOf({ id: 1 }),
      viewerOf({ id: 2, organizations: [1] }),
      viewerOf({ id: 77, projects: [[1, "view"]] }),
      viewerOf({
        id: 78,
        organizations: [2],
        projects: [
          [0, "edit"],
          [2, "admin"],
        ],
      }),
      viewerOf({ id: 79, organizations: [1], isAdministrator: true }),
    ];
  }

  function viewerOf(who: {
    id: number;
    organizations?: number[];
    projects?: [number, "view" | "edit" | "admin"][];
    isAdministrator?: boolean;
  }): SignedInViewer {
    return {
      kind: "user",
      id: who.id,
      username: "viewer",
      name: "Viewer",
      isAdministrator: who.isAdministrator ?? false,
      organization: null,
      organizations: new Set(who.organizations),
      projects: new Map(who.projects?.map(([index, access]) => [projects[index] ?? 0, access])),
      mayWrite: true,
      language: "",
      timeZone: "",
      unread: 0,
      hasWork: false,
      hasPersonalToken: false,
      csrfToken: null,
    };
  }

  const raw = (statement: () => RawBuilder<unknown>): Action => ({
    run: async () => {
      await foreign.write((writer) => statement().execute(writer));
      return false;
    },
  });
  /** An action that ignores the rules that Quire's own connections follow. */
  const carelessly = (project: () => number, replaces: boolean): Action => ({
    run: async () => {
      if (engine === "postgres") {
        await foreign.write((writer) => sql`truncate project_memberships`.execute(writer));
        return false;
      }
      using file = new DatabaseSync(path.join(app.context.config.data, "quire.sqlite"), { timeout: 5000 });
      file.exec("pragma foreign_keys = off");
      const statement = replaces
        ? `replace into projects select id, title, slug, description, not private, user_id, created_at, updated_at
            from projects where id = ?`
        : "delete from projects where id = ?";
      file.prepare(statement).run(project());
      return false;
    },
  });
  const api = (method: string, target: () => string, body?: unknown): Action => ({
    // A refused request writes nothing, so it stores no records.
    run: async () => (await sendAs(app, owner, method, target(), body)).status < 300,
  });
  const imported = (which: number, values: Partial<DocumentValues>): Action => ({
    run: async () => {
      await app.context.database.write(async (writer) => {
        const present = await writer.selectFrom("projects").select("id").orderBy("id").execute();
        const id = which > 8 ? 1_000_000 + documents.length + Math.max(...documents) : ids(documents, which);
        if (which > 8) documents.push(id);
        const all = { ...documentRow(), id, ...values } as DocumentValues;
        return new DocumentImporter(app.context.database.dialect).put(writer, [
          { values: all, projects: present.slice(0, which % 3).map(({ id: project }) => project) },
        ]);
      });
      return true;
    },
  });

  const which = fc.nat(9);
  const title = fc.constantFrom("", "b", '"', "\\", "é\t", "𝒳");
  const actions: fc.Arbitrary<Action> = fc.oneof(
    fc
      .tuple(which, title)
      .map(([n, text]) =>
        raw(() => sql`update documents set title = ${text} where id = ${ids(documents, n)}`),
      ),
    fc
      .tuple(which, fc.constantFrom("public", "organization", "private", "invisible"))
      .map(([n, access]) =>
        raw(() => sql`update documents set access = ${access} where id = ${ids(documents, n)}`),
      ),
    fc
      .tuple(which, fc.constantFrom("success", "pending", "error"))
      .map(([n, status]) =>
        raw(() => sql`update documents set status = ${status} where id = ${ids(documents, n)}`),
      ),
    fc.tuple(which, which).map(([n, m]) =>
      raw(
        () => sql`update projects set private = not private where id = ${ids(projects, n)}
        and exists (select 1 from documents where id = ${ids(documents, m)})`,
      ),
    ),
    fc
      .tuple(which, which)
      .map(([n, m]) =>
        raw(
          () =>
            sql`delete from project_memberships where document_id = ${ids(documents, n)} and project_id = ${ids(projects, m)}`,
        ),
      ),
    fc.tuple(which, which, fc.boolean()).map(([n, m, edits]) =>
      raw(
        () => sql`insert into project_memberships (document_id, project_id, edit_access)
            select id, ${ids(projects, m)}, ${sql.lit(edits)} from documents where id = ${ids(documents, n)}
              and exists (select 1 from projects where id = ${ids(projects, m)})
            on conflict (document_id, project_id) do update set edit_access = excluded.edit_access`,
      ),
    ),
    which.map((n) => raw(() => sql`delete from documents where id = ${ids(documents, n)}`)),
    which.map((n) => raw(() => sql`delete from projects where id = ${ids(projects, n)}`)),
    which.map((n) =>
      raw(() => sql`update documents set revision = revision where id = ${ids(documents, n)}`),
    ),
    fc
      .tuple(which, title)
      .map(([n, text]) =>
        raw(
          () =>
            sql`update documents set title = ${text}, revision = revision + 1 where id = ${ids(documents, n)}`,
        ),
      ),
    fc.tuple(which, fc.boolean()).map(([n, replaces]) => carelessly(() => ids(projects, n), replaces)),
    fc.constant(raw(() => sql`update users set name = name || 'x'`)),
    fc.constant(raw(() => sql`update organizations set name = name || 'x'`)),
    fc.tuple(which, title).map(([n, text]) =>
      api("PATCH", () => `/api/documents/${ids(documents, n)}/`, {
        title: text === "" ? "a" : text,
        data: { a: [text] },
      }),
    ),
    fc
      .tuple(which, fc.constantFrom("public", "private"))
      .map(([n, access]) => api("PATCH", () => `/api/documents/${ids(documents, n)}/`, { access })),
    fc.constant(api("POST", () => "/api/documents/", { title: "new", file_url: "http://127.0.0.1:9/a.pdf" })),
    which.map((n) => api("DELETE", () => `/api/documents/${ids(documents, n)}/`)),
    fc
      .tuple(which, title)
      .map(([n, text]) => imported(n, { title: text, asset_url: text === "" ? null : "https://x.org/" })),
  );

  /** Compares every list of every viewer with records that are rendered from rows. */
  async function expectFresh(): Promise<number> {
    const { database } = app.context;
    let missing = 0;
    for (const viewer of viewers) {
      for (const { filters, ordering: name, reverse = false, perPage = 25 } of lists) {
        const ordering = readOrdering(name);
        const cursor = { ...listStart, reverse, ordering: ordering.name };
        const list = { filters, ordering, perPage };
        const rows = await listDocumentRows(database, viewer, { ...list, cursor });
        const links = {
          next: JSON.stringify(rows.neighbours.next),
          previous: JSON.stringify(rows.neighbours.previous),
        };
        const results = rows.documents.map((row) =>
          recordText(row, baseUrls, mayEdit(viewer, accessFacts(row))),
        );
        const { body } = await listPages(database, viewer, list, baseUrls, (found) => ({
          next: JSON.stringify(found.next),
          previous: JSON.stringify(found.previous),
        }))(cursor);
        const { next, previous } = links;
        expect(body.toString()).toBe(
          `{"next":${JSON.stringify(next)},"previous":${JSON.stringify(previous)},"results":[${results.join()}]}`,
        );
        const stored = await storedRecordPages(database, viewer, list, baseUrls)(cursor);
        missing += stored.documents.filter(({ start, end }) => start === end).length;
      }
    }
    return missing;
  }

  it(
    "always equal records rendered from the rows, after any change by any program",
    () =>
      fc.assert(
        fc
          .asyncProperty(fc.array(actions, { minLength: 1, maxLength: 5 }), async (several) => {
            for (const { run } of several) {
              const stores = await run();
              const missing = await expectFresh();
              expect(stores ? missing : 0).toBe(0);
            }
            await storeRecords(foreign, new AbortController().signal);
            expect(await expectFresh()).toBe(0);
          })
          .beforeEach(refill),
        { numRuns: runsOn(engine, 15) },
      ),
    240_000,
  );

  it("cannot be left outdated by a transaction that began before they were stored", async () => {
    const change = sql`update documents set title = title || 'a' where id = ${ids(documents, 0)}`;
    await foreign.write((writer) => change.execute(writer));
    const changing = async (): Promise<void> => {
      if (engine === "postgres") {
        await foreign.write(async (writer) => {
          await sql`set transaction isolation level repeatable read`.execute(writer);
          await sql`select 1 from documents`.execute(writer);
          await storeRecords(app.context.database, new AbortController().signal);
          await change.execute(writer);
        });
        return;
      }
      using file = new DatabaseSync(path.join(app.context.config.data, "quire.sqlite"));
      file.exec("begin; select 1 from documents");
      await storeRecords(app.context.database, new AbortController().signal);
      file.exec("update documents set title = 'b'");
    };
    await expect(changing()).rejects.toThrow(/could not serialize access|database is locked/);
    expect(await expectFresh()).toBe(0);
  });

  it("are stored by a job for documents that were there before, which may be interrupted", async () => {
    const numbers = sql`with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < 450)`;
    await foreign.write((writer) =>
      sql`insert into documents (access, status, created_at, updated_at, organization_id, slug, title, user_id)
        ${numbers} select 'public', 'success', '2025', '2025', 1, 's', 't', 1 from numbers`.execute(writer),
    );
    const left = async (): Promise<number> =>
      (
        await foreign.reader
          .selectFrom("document_records")
          .select("document_id")
          .where("rest", "is", null)
          .execute()
      ).length;
    expect(await left()).toBe(450);
    const stop = new AbortController();
    const write: Database["write"] = async (work) => {
      const stored = await foreign.write(work);
      stop.abort();
      return stored;
    };
    await expect(storeRecords({ dialect: foreign.dialect, write }, stop.signal)).rejects.toThrow("aborted");
    expect(await left()).toBe(250);
    await storeRecords(foreign, new AbortController().signal);
    expect(await left()).toBe(0);
  });
});

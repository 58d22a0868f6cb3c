import * as fc from "fast-check";
import { sql } from "kysely";
import pino from "pino";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type Context, openContext } from "../../../context.ts";
import type { Database } from "../../../database/database.ts";
import { addOwners, addProject, documentRow } from "../../../testing/factories.ts";
import { type TestStorage, engines, testStorage } from "../../../testing/test-app.ts";
import { runsOn } from "../../../testing/runs.ts";
import { findWrongRecords } from "../record-store.ts";
import { DocumentImporter } from "./import-store.ts";
import { reserveDocumentId } from "./document-of-file-store.ts";
import type { DocumentValues } from "./new-rows-store.ts";

const valuesOf = (id: number, change: Partial<DocumentValues> = {}): DocumentValues =>
  ({ ...documentRow(), id, ...change }) as DocumentValues;

/** Reads outside the transaction, which would see the same state each time. */
async function isSomeoneWaiting({ reader }: Database): Promise<boolean> {
  const { rows } = await sql`select 1 from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`.execute(reader);
  return rows.length > 0;
}

describe.each(engines)("DocumentImporter on %s", (engine) => {
  let storage: TestStorage;
  let context: Context;

  beforeAll(async () => {
    storage = await testStorage(engine);
    context = await openContext(storage.config, pino({ level: "silent" }));
    await context.database.write(addOwners);
  });

  afterAll(async () => {
    await context.close();
    await storage[Symbol.asyncDispose]();
  });

  beforeEach(async () => {
    await context.database.write((writer) => writer.deleteFrom("documents").execute());
  });

  async function put(...values: DocumentValues[]) {
    const putter = new DocumentImporter(context.database.dialect);
    const documents = values.map((one) => ({ values: one, projects: [] }));
    return context.database.write((writer) => putter.put(writer, documents));
  }

  const rows = () =>
    context.database.reader
      .selectFrom("documents")
      .select(["id", "revision", "title"])
      .orderBy("id")
      .execute();

  it("adds new documents, updates changed ones and leaves the others", async () => {
    expect(await put(valuesOf(2), valuesOf(1))).toEqual({ added: 2, changed: 0, known: 0, unchanged: [] });
    const before = await rows();
    const counts = await put(valuesOf(3), valuesOf(2, { title: "Another" }), valuesOf(1));
    expect(counts).toEqual({ added: 1, changed: 1, known: 1, unchanged: [1] });
    const after = await rows();
    expect(after.map(({ title }) => title)).toEqual(["A document", "Another", "A document"]);
    expect(after[0]?.revision).toBe(before[0]?.revision);
    expect(after[1]?.revision).not.toBe(before[1]?.revision);
  });

  it("waits for the lock on a project before it locks documents of the project", async () => {
    await put(valuesOf(1));
    const { database } = context;
    const project = await addProject(context, {}, []);
    const putter = new DocumentImporter(database.dialect);
    const documents = [{ values: valuesOf(1, { title: "Put" }), projects: [project] }];
    let putting: Promise<unknown> = Promise.resolve();
    await database.write(async (writer) => {
      await sql`select id from projects where id = ${project} ${database.dialect.forUpdate}`.execute(writer);
      putting = database.write((other) => putter.put(other, documents));
      // SQLite has one writer at a time: there, the other one has not begun.
      if (engine === "postgres") while (!(await isSomeoneWaiting(database)));
      await writer.updateTable("documents").set({ title: "Changed" }).where("id", "=", 1).execute();
    });
    expect(await putting).toEqual({ added: 0, changed: 1, known: 0, unchanged: [] });
    expect((await rows()).map(({ title }) => title)).toEqual(["Put"]);
  });

  it("gives each document a different revision", async () => {
    await put(...Array.from({ length: 300 }, (_, index) => valuesOf(index + 1)));
    const revisions = (await rows()).map(({ revision }) => revision);
    expect(new Set(revisions).size).toBe(300);
    expect(revisions.every((revision) => Number.isSafeInteger(revision) && revision >= 0)).toBe(true);
  });

  const dataRows = () =>
    context.database.reader
      .selectFrom("document_data")
      .selectAll()
      .orderBy("document_id")
      .orderBy("key")
      .execute();

  it("orders documents by their data as the database does when the data changes", async () => {
    const texts = fc.array(fc.string({ unit: "grapheme", maxLength: 3 }), { maxLength: 4 });
    const data = fc.dictionary(fc.stringMatching(/^[A-Za-z0-9_-]{1,3}$/), texts, { noNullPrototype: true });
    const access = fc.constantFrom("public", "private");
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(data, access), { maxLength: 5 }), async (documents) => {
        await context.database.write((writer) => writer.deleteFrom("documents").execute());
        const values = documents.map(([one, level], index) =>
          valuesOf(index + 1, { data: JSON.stringify(one), access: level }),
        );
        await put(...values);
        const made = await dataRows();
        await context.database.write(async (writer) => {
          await writer.updateTable("documents").set({ data: "{}" }).execute();
          for (const { id, data: again } of values)
            await writer.updateTable("documents").set({ data: again }).where("id", "=", id).execute();
        });
        expect(made).toEqual(await dataRows());
      }),
      { numRuns: runsOn(engine, 40) },
    );
  });

  it("stores the records of new documents as they are rendered from their rows", async () => {
    const { database } = context;
    const projects = await Promise.all([
      addProject(context, {}, []),
      addProject(context, { private: true }, []),
      addProject(context, {}, []),
    ]);
    const documents = [
      { values: valuesOf(1, { title: 'A "quoted" 😀 <title> \u2028 é', data: '{"a":["ü"]}' }), projects: [] },
      { values: valuesOf(2, { asset_url: "https://a.org/", publish_at: null }), projects },
      { values: valuesOf(3, { access: "private", noindex: true }), projects: projects.toReversed() },
    ];
    const putter = new DocumentImporter(database.dialect);
    await database.write((writer) => putter.put(writer, documents));
    const stored = await database.reader
      .selectFrom("document_records")
      .select(["document_id", "projects"])
      .where("rest", "is not", null)
      .orderBy("document_id")
      .execute();
    const shown = [projects[0], projects[2]].toSorted((a, b) => a - b).join(",");
    expect(stored).toEqual([
      { document_id: 1, projects: "" },
      { document_id: 2, projects: shown },
      { document_id: 3, projects: shown },
    ]);
    expect(await findWrongRecords(database, [1, 2, 3])).toEqual([]);
  });

  it("puts all documents or none, and can be used again after a failure", async () => {
    const { dialect } = context.database;
    for (const bad of [{ user_id: 999 }, { organization_id: 999 }, { access: "everyone" }]) {
      const error: unknown = await put(valuesOf(1), valuesOf(2, bad)).catch((thrown: unknown) => thrown);
      expect(dialect.isRefusal(error)).toBe(true);
      expect(await rows()).toEqual([]);
    }
    expect(dialect.isRefusal(new Error("connection lost"))).toBe(false);
    expect(await put(valuesOf(1))).toEqual({ added: 1, changed: 0, known: 0, unchanged: [] });
  });

  it("reserves ids that no other document has or gets", async () => {
    const first = await reserveDocumentId(context.database);
    await put(valuesOf(first + 10));
    expect(await reserveDocumentId(context.database)).toBe(first + 11);
    await context.database.write((writer) => writer.deleteFrom("documents").execute());
    expect(await reserveDocumentId(context.database)).toBe(first + 12);
  });
});

import * as fc from "fast-check";
import { sql } from "kysely";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { audienceColumns, sortedColumns } from "../../database/audiences/columns.ts";
import { addSortedColumn } from "../../database/audiences/statements.ts";
import type { Database, Reader, Writer } from "../../database/database.ts";
import { addDocuments, documentRow, projectRow } from "../../testing/factories.ts";
import { runsOn } from "../../testing/runs.ts";
import { engines, startTestApp, useApp } from "../../testing/test-app.ts";
import { accessLevels, statuses } from "../../contract/document.ts";

/*
 * Triggers keep rows that follow from others: who may see a document (`document_audiences`), whether its memberships
 * and its data are public, and the revision by which stored records become outdated. Here the rows are compared with
 * plain rules, after changes of every column that the schema has.
 */

type Row = Record<string, unknown>;
type Value = string | number | boolean | null;

const projects = [1, 2, 3];
const owners = [1, 2];
const moments = ["2025-01-31T12:00:00.000000Z", "2024-02-29T23:59:59.999999Z", "2025-01-31T12:00:00.000001Z"];
const dataTexts = ["{}", '{"k":["1"]}', '{"k":["2","0"],"l":["x"]}'];

/** The columns of documents whose values are not any texts or numbers. */
const known: Readonly<Record<string, readonly Value[]>> = {
  access: accessLevels,
  status: statuses,
  user_id: owners,
  organization_id: owners,
  data: dataTexts,
  created_at: moments,
  updated_at: moments,
  publish_at: [null, "2999-01-31T12:00:00.000000Z"],
};
/** Columns that nothing changes in a row, or only the triggers. */
const fixed: ReadonlySet<string> = new Set(["id", "revision"]);

describe.each(engines)("rows that follow from a document on %s", (engine) => {
  const app = useApp(engine);
  let database: Database;
  let columns: string[];
  /** The columns that an audience repeats from its document, to sort by. */
  let copied: string[];
  beforeAll(async () => {
    ({ database } = app.context);
    await addDocuments(app.context, []);
    await database.write((writer) =>
      writer
        .insertInto("projects")
        .values(projects.map((id) => projectRow({ id })))
        .execute(),
    );
    columns = (await columnsOf(database, "documents")).filter((column) => !fixed.has(column));
    copied = (await columnsOf(database, "document_audiences")).filter(
      (column) => !["audience", "document_id"].includes(column),
    );
  });
  beforeEach(() =>
    database.write(async (writer) => {
      await writer.deleteFrom("documents").execute();
      await writer.updateTable("projects").set({ private: false }).execute();
    }),
  );

  it("repeat in an audience the columns of the list of sorted columns, which have indexes in both tables", async () => {
    expect(copied.toSorted()).toEqual(audienceColumns.toSorted());
    const { rows } = await database.dialect
      .plainIndexes(["documents", "document_audiences"])
      .execute(database.reader);
    const indexes = new Set(rows.map(({ name }) => name));
    const wanted = Object.keys(sortedColumns).flatMap((column) => [
      `documents_by_${column}`,
      `document_audiences_by_${column}`,
    ]);
    expect(wanted.filter((name) => !indexes.has(name))).toEqual([]);
  });

  it("follow a column by which a migration makes lists sortable, and have indexes for it", async () => {
    const column = "description";
    await using own = await startTestApp(engine);
    await addDocuments(own.context, [{ id: 1, access: "private", description: "a" }]);
    const { dialect } = own.context.database;
    await own.context.database.write(async (writer) => {
      await writer
        .insertInto("projects")
        .values(projectRow({ id: 1 }))
        .execute();
      await addSortedColumn(writer as never, dialect, column, "string", [...audienceColumns, column]);
      const expectThem = async (what: string): Promise<void> => {
        const derived = await derivedRows(writer);
        expect([what, ...derived]).toEqual([what, ...(await rowsByRule(writer, [...copied, column]))]);
      };
      await expectThem("what was there");
      await writer.updateTable("documents").set({ description: "b" }).where("id", "=", 1).execute();
      await expectThem("a change of the column alone");
      const added = documentRow({ id: 2, access: "organization", description: "c" });
      await writer.insertInto("documents").values(added).execute();
      await expectThem("a new document");
      const membership = { project_id: 1, document_id: 2, edit_access: true };
      await writer.insertInto("project_memberships").values(membership).execute();
      await expectThem("a new membership");
      const { rows } = await dialect.plainIndexes(["documents", "document_audiences"]).execute(writer);
      const indexes = [`documents_by_${column}`, `document_audiences_by_${column}`];
      expect(rows.map(({ name }) => name)).toEqual(expect.arrayContaining(indexes));
    });
  });

  /** Compares the rows with the rules, in the transaction that changed something or after it. */
  async function expectByRule(reader: Reader | Writer, what: unknown): Promise<void> {
    const derived = await derivedRows(reader);
    expect([what, ...derived]).toEqual([what, ...(await rowsByRule(reader, copied))]);
  }

  const insert = async (rows: readonly Row[]): Promise<void> => {
    await database.write((writer) =>
      writer
        .insertInto("documents")
        .values(rows.map((row) => documentRow(row)))
        .execute(),
    );
  };
  const update = async (id: number, column: string, value: Value): Promise<void> => {
    await database.write((writer) =>
      writer
        .updateTable("documents")
        .set({ [column]: value })
        .where("id", "=", id)
        .execute(),
    );
  };

  it("follow the access and the status of a document, from each to each other one", async () => {
    const states = accessLevels.flatMap((access) => statuses.map((status) => ({ access, status })));
    await insert(states.map((state, index) => ({ ...state, id: index + 1, data: '{"k":["1"]}' })));
    const ids = states.map((_, index) => index + 1);
    await database.write(async (writer) => {
      for (const [project_id, edit_access] of [
        [1, true],
        [2, false],
      ] as const) {
        const rows = ids.map((document_id) => ({ project_id, document_id, edit_access }));
        await writer.insertInto("project_memberships").values(rows).execute();
      }
    });
    expect(await derivedRows(database.reader)).toEqual(await rowsByRule(database.reader, copied));
    for (const [column, values] of [
      ["access", accessLevels],
      ["status", statuses],
    ] as const) {
      for (const value of values) {
        for (const id of ids) await update(id, column, value);
        await expectByRule(database.reader, [column, value]);
        for (const [index, state] of states.entries()) await update(index + 1, column, state[column]);
        await expectByRule(database.reader, [column, value, "taken back"]);
      }
    }
  });

  it.each(["private", "organization", "public"])(
    "follow every column of a document with the access %s",
    async (access) => {
      for (const column of columns) {
        await database.write((writer) => writer.deleteFrom("documents").execute());
        await insert([{ id: 1, access, data: '{"k":["1"]}' }]);
        await database.write((writer) =>
          writer
            .insertInto("project_memberships")
            .values({ project_id: 1, document_id: 1, edit_access: true })
            .execute(),
        );
        const row: Row = await database.reader
          .selectFrom("documents")
          .selectAll()
          .where("id", "=", 1)
          .executeTakeFirstOrThrow();
        for (const value of valuesOf(column, row[column]).filter((one) => one !== row[column])) {
          const before = await revisions();
          await update(1, column, value);
          await expectByRule(database.reader, [column, value]);
          expect([column, value, await revisions()]).not.toEqual([column, value, before]);
        }
      }
    },
  );

  it("follow every column of a membership, and the privacy of its project", async () => {
    const written = (await columnsOf(database, "project_memberships")).filter((name) => name !== "is_public");
    const others: Record<string, Value> = { project_id: 2, document_id: 2, edit_access: true };
    expect(written.toSorted()).toEqual(Object.keys(others).toSorted());
    const change = async (set: Row): Promise<void> => {
      await database.write((writer) => writer.updateTable("project_memberships").set(set).execute());
      await expectByRule(database.reader, set);
    };
    for (const [access, other] of [
      ["private", "public"],
      ["public", "private"],
    ] as const) {
      await database.write((writer) => writer.deleteFrom("documents").execute());
      await insert([
        { id: 1, access },
        { id: 2, access: other },
      ]);
      const membership = { project_id: 1, document_id: 1, edit_access: false };
      await database.write((writer) => writer.insertInto("project_memberships").values(membership).execute());
      await expectByRule(database.reader, membership);
      for (const column of written) {
        for (const edit_access of [false, true]) {
          await change({ edit_access });
          const before = await revisions();
          await change({ [column]: others[column] });
          const after = await revisions();
          const isNew = [1, 2].map((id) => before.get(id) !== after.get(id));
          // Both documents show other projects now, or one of them does.
          const expected = {
            project_id: [true, false],
            document_id: [true, true],
            edit_access: [false, false],
          };
          expect([column, isNew]).toEqual([column, expected[column as keyof typeof expected]]);
          await change(membership);
        }
      }
      const before = await revisions();
      await database.write((writer) =>
        writer.updateTable("projects").set({ private: true }).where("id", "=", 1).execute(),
      );
      const after = await revisions();
      expect([1, 2].map((id) => before.get(id) !== after.get(id))).toEqual([true, false]);
      await database.write((writer) => writer.updateTable("projects").set({ private: false }).execute());
    }
  });

  /** A revision is any number that the document did not have before. */
  async function revisions(): Promise<Map<number, string>> {
    const rows = await database.reader.selectFrom("documents").select(["id", "revision"]).execute();
    return new Map(rows.map(({ id, revision }) => [id, String(revision)]));
  }

  it("are as the rules say, whatever changes, and what a record shows never changes without its revision", async () => {
    await fc.assert(
      fc.asyncProperty(changes(columns, copied), async (all) => {
        await database.write(async (writer) => {
          await writer.deleteFrom("documents").execute();
          await writer.updateTable("projects").set({ private: false }).execute();
        });
        for (const change of all) {
          const before = await shownRows(database.reader);
          await database.write((writer) => apply(writer, change));
          const after = await shownRows(database.reader);
          const stale = [...before].filter(
            ([id, { shown, revision }]) =>
              after.get(id)?.revision === revision && after.get(id)?.shown !== shown,
          );
          expect([change, stale]).toEqual([change, []]);
        }
        await expectByRule(database.reader, "all changes");
      }),
      { numRuns: runsOn(engine, 160) },
    );
  });
});

/** `document` is a position among the documents that there are. */
type Change =
  | { kind: "insert"; row: Row }
  | { kind: "update"; document: number; column: string; value: Value }
  | MembershipChange
  | { kind: "privacy"; project: number; isPrivate: boolean }
  | { kind: "delete"; document: number };

interface MembershipChange {
  kind: "join" | "share" | "move" | "give" | "leave";
  document: number;
  project: number;
  shared: boolean;
}

function changes(columns: readonly string[], copied: readonly string[]): fc.Arbitrary<Change[]> {
  const document = fc.constantFrom(0, 0, 1, 2);
  const project = fc.constantFrom(1, 1, 2, 3);
  const values = Object.fromEntries(
    columns
      .filter((column) => column in known || copied.includes(column))
      .map((column) => [column, valueOf(column)]),
  );
  const row = fc.record(values);
  const updates = columns.map((column) =>
    fc.record({
      kind: fc.constant("update" as const),
      document,
      column: fc.constant(column),
      value: valueOf(column),
    }),
  );
  const kind = fc.constantFrom("share" as const, "move" as const, "give" as const, "leave" as const);
  const shared = fc.boolean();
  const change: fc.Arbitrary<Change> = fc.oneof(
    { weight: 6, arbitrary: fc.oneof(...updates) },
    { weight: 4, arbitrary: fc.record({ kind: fc.constant("join" as const), document, project, shared }) },
    { weight: 6, arbitrary: fc.record({ kind, document, project, shared }) },
    {
      weight: 2,
      arbitrary: fc.record({ kind: fc.constant("privacy" as const), project, isPrivate: fc.boolean() }),
    },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant("delete" as const), document }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant("insert" as const), row }) },
  );
  const first = fc.array(row, { minLength: 2, maxLength: 3 });
  return fc
    .tuple(first, fc.array(change, { maxLength: 8 }))
    .map(([rows, rest]) => rows.map(insertion).concat(rest));
}

function valueOf(column: string): fc.Arbitrary<Value> {
  return fc.constantFrom(...valuesOf(column, documentRow()[column as "title"]));
}

const insertion = (row: Row): Change => ({ kind: "insert", row });

/** A few values of a column, of the type that this one has. */
function valuesOf(column: string, value: unknown): readonly Value[] {
  const values = known[column];
  if (values !== undefined) return values;
  if (typeof value === "boolean") return [false, true];
  // A boolean of SQLite is a number.
  if (typeof value === "number") return [0, 1];
  return ["", "a", "b"];
}

async function apply(writer: Writer, change: Change): Promise<void> {
  if (change.kind === "insert") {
    await writer.insertInto("documents").values(documentRow(change.row)).execute();
    return;
  }
  if (change.kind === "privacy") {
    const { project, isPrivate } = change;
    await writer.updateTable("projects").set({ private: isPrivate }).where("id", "=", project).execute();
    return;
  }
  const all = await writer.selectFrom("documents").select("id").orderBy("id").execute();
  const at = (index: number): number => all[index % Math.max(1, all.length)]?.id ?? 0;
  const id = at(change.document);
  if (change.kind === "delete") await writer.deleteFrom("documents").where("id", "=", id).execute();
  else if (change.kind === "update")
    await writer
      .updateTable("documents")
      .set({ [change.column]: change.value })
      .where("id", "=", id)
      .execute();
  else if (all.length > 0) await changeMembership(writer, change, id, at(change.document + 1));
}

async function changeMembership(
  writer: Writer,
  { kind, project, shared }: MembershipChange,
  id: number,
  other: number,
): Promise<void> {
  const rows = await writer.selectFrom("project_memberships").selectAll().execute();
  const isIn = (document: number, at: number): boolean =>
    rows.some(({ document_id, project_id }) => document_id === document && project_id === at);
  if (kind === "join") {
    if (isIn(id, project)) return;
    const row = { project_id: project, document_id: id, edit_access: shared };
    await writer.insertInto("project_memberships").values(row).execute();
    return;
  }
  const own = rows.find(({ document_id }) => document_id === id)?.project_id ?? 0;
  if (kind === "leave") {
    await writer
      .deleteFrom("project_memberships")
      .where("document_id", "=", id)
      .where("project_id", "=", own)
      .execute();
    return;
  }
  const set = {
    share: { edit_access: shared },
    move: { project_id: project },
    give: { document_id: other },
  }[kind];
  if ((kind === "move" && isIn(id, project)) || (kind === "give" && isIn(other, own))) return;
  await writer
    .updateTable("project_memberships")
    .set(set)
    .where("document_id", "=", id)
    .where("project_id", "=", own)
    .execute();
}

/** What a record shows of each document, apart from its revision, and the revision. */
async function shownRows(
  reader: Pick<Reader, "selectFrom">,
): Promise<Map<number, { shown: string; revision: string }>> {
  const documents = await reader.selectFrom("documents").selectAll().execute();
  const memberships = await reader
    .selectFrom("project_memberships")
    .innerJoin("projects", "projects.id", "project_id")
    .select(["document_id", "project_id", "private"])
    .orderBy("project_id")
    .execute();
  return new Map(
    documents.map(({ revision, ...row }) => {
      const own = memberships.filter(({ document_id }) => document_id === row.id);
      return [row.id, { shown: JSON.stringify([row, own]), revision: String(revision) }];
    }),
  );
}

/** The rows that triggers keep, as texts in order. */
async function derivedRows(reader: Pick<Reader, "selectFrom">): Promise<string[][]> {
  const audiences = await reader.selectFrom("document_audiences").selectAll().execute();
  const memberships = await reader
    .selectFrom("project_memberships")
    .select(["project_id", "document_id", "is_public"])
    .execute();
  const data = await reader.selectFrom("document_data").selectAll().execute();
  return [audiences, memberships, data].map(textsOf);
}

const isPublic = ({ access, status }: { access: string; status: string }): boolean =>
  access === "public" && ["success", "readable"].includes(status);

/** The same rows by the rules, from the documents and their memberships alone. */
async function rowsByRule(
  reader: Pick<Reader, "selectFrom">,
  copied: readonly string[],
): Promise<string[][]> {
  const documents = await reader.selectFrom("documents").selectAll().execute();
  const memberships = await reader
    .selectFrom("project_memberships")
    .select(["project_id", "document_id", "edit_access"])
    .execute();
  const audiences = documents.flatMap((document): Row[] => {
    const { id, access, status, user_id, organization_id } = document;
    if (isPublic(document) || access === "invisible" || status === "deleted") return [];
    const shared = memberships.filter((row) => row.document_id === id && Boolean(row.edit_access));
    const names = [
      `user:${user_id}`,
      ...(access === "organization" ? [`organization:${organization_id}`] : []),
      ...shared.map(({ project_id }) => `project:${project_id}`),
    ];
    const values = Object.fromEntries(copied.map((column) => [column, (document as Row)[column]]));
    return names.map((audience) => Object.assign({ audience, document_id: id }, values));
  });
  const publicMemberships = memberships.map(({ project_id, document_id }): Row => {
    const document = documents.find(({ id }) => id === document_id);
    return { project_id, document_id, is_public: document !== undefined && isPublic(document) };
  });
  const data = documents.flatMap((document): Row[] =>
    Object.entries(JSON.parse(document.data) as Record<string, string[]>).map(([key, values]) => {
      const sorted = values.toSorted();
      const ends = { lowest: sorted[0], highest: sorted.at(-1) };
      return Object.assign({ document_id: document.id, key, is_public: isPublic(document) }, ends);
    }),
  );
  return [audiences, publicMemberships, data].map(textsOf);
}

/** Rows as texts that depend neither on the order of the columns nor on the engine's booleans. */
function textsOf(rows: readonly Row[]): string[] {
  const textOf = (row: Row): string =>
    JSON.stringify(
      Object.entries(row)
        .map(([name, value]) => [name, name.startsWith("is_") ? Boolean(value) : value])
        .toSorted(([one], [other]) => (String(one) < String(other) ? -1 : 1)),
    );
  return rows.map(textOf).toSorted();
}

async function columnsOf({ dialect, reader }: Database, table: string): Promise<string[]> {
  const columns =
    dialect.engine === "sqlite"
      ? sql<{ name: string }>`select name from pragma_table_info(${table})`
      : sql<{ name: string }>`select column_name as name from information_schema.columns
          where table_schema = current_schema() and table_name = ${table}`;
  return (await columns.execute(reader)).rows.map(({ name }) => name);
}

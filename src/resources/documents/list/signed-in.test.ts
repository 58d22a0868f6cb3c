import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { sql } from "kysely";
import { Client, escapeLiteral } from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Database } from "../../../database/database.ts";
import { openDatabase } from "../../../database/open-database.ts";
import { type BoundQuery, PreparedQueries } from "../../../database/prepared-queries.ts";
import type { Cursor, CursorKey } from "../../../http/request/cursor.ts";
import type { SignedInViewer } from "../../../http/request/viewer.ts";
import { addDocuments, addProject } from "../../../testing/factories.ts";
import { hasPostgres } from "../../../testing/runs.ts";
import { type TestStorage, engines, testStorage } from "../../../testing/test-app.ts";
import type { DocumentFilters } from "./filters.ts";
import { listDocumentRows, listDocuments } from "./list-store.ts";
import { orderingNames, readOrdering } from "./orderings.ts";

const documents = 20_000;
const rareOrganization = 2;
const wideOrganization = 1;

function viewerOf(...organizations: number[]): SignedInViewer {
  return {
    kind: "user",
    id: 99,
    username: "viewer",
    name: "Viewer",
    isAdministrator: false,
    organization: null,
    organizations: new Set(organizations),
    projects: new Map(),
    mayWrite: false,
    language: "",
    timeZone: "",
    unread: 0,
    hasWork: false,
    hasPersonalToken: false,
    csrfToken: null,
  };
}

const viewers = { few: viewerOf(rareOrganization), most: viewerOf(wideOrganization), all: viewerOf(1, 2) };

const digits = (n: string): string =>
  `'2025-01-31T12:00:00.' || substr(cast(1000000 + ${n} as text), 2) || 'Z'`;

/** One document in a thousand is public. Ten belong to one organization, and the others to another. */
async function fill(database: Database): Promise<void> {
  await addDocuments({ database }, []);
  await database.write((writer) =>
    sql
      .raw(
        `with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < ${documents})
        insert into documents
          (access, status, created_at, updated_at, data, organization_id, page_count, slug, source, title, user_id)
        select case when n % 1000 = 500 then 'public' else 'organization' end, 'success', ${digits("n % 1000")},
          ${digits("n * 7 % 1000")}, case when n % 3 = 0 then '{}' else '{"a":["' || (n % 10) || '"]}' end,
          case when n % 2000 = 0 then ${rareOrganization} else ${wideOrganization} end, n % 50, 's',
          cast(n % 11 as text), cast(n * 7919 % 20000 as text), 1 from numbers`,
      )
      .execute(writer),
  );
}

const asks: { name: string; filters: DocumentFilters }[] = [
  ...orderingNames.map((name) => ({ name, filters: {} })),
  { name: "id", filters: { user: [1] } },
  { name: "title", filters: { user: [2] } },
  { name: "id", filters: { user: [2, 3] } },
  { name: "id", filters: { organization: [rareOrganization] } },
  { name: "id", filters: { status: ["error"] } },
  { name: "id", filters: { pageCount: 77 } },
  { name: "id", filters: { access: ["private"] } },
  { name: "-title", filters: { access: ["private"] } },
];

/** A page from an end of the list, and pages from a position in it, in both directions. */
async function readPages(
  database: Database,
  viewer: SignedInViewer,
  { name, filters }: (typeof asks)[number],
): Promise<void> {
  const ordering = readOrdering(name);
  const value =
    ordering.name === null
      ? null
      : name.endsWith("page_count")
        ? 25
        : name.endsWith("_at")
          ? "2025-01-31T12:00:00.000500Z"
          : "8";
  for (const reverse of [false, true]) {
    for (const key of [null, { id: 9000, value }]) {
      const cursor = { reverse, offset: 0, ordering: ordering.name, key };
      await listDocuments(database, viewer, { filters, ordering, cursor, perPage: 25 });
    }
  }
}

/** The database, which reports each query that runs and its values. */
function watched(database: Database, run: (query: BoundQuery) => Promise<unknown[]>): Database {
  return { ...database, prepared: new PreparedQueries(database.reader, { run }) };
}

describe.each(engines)("the document list of a signed-in viewer on %s", (engine) => {
  let storage: TestStorage;
  let database: Database;
  beforeAll(async () => {
    storage = await testStorage(engine);
    const { data: dataFolder, databaseUrl } = storage.config;
    database = await openDatabase({ dataFolder, databaseUrl });
    await fill(database);
    await database.write((writer) => sql`analyze`.execute(writer));
  });
  afterAll(async () => {
    await database.close();
    await storage[Symbol.asyncDispose]();
  });

  it.each(orderingNames)(
    "ordered by %s, is the same for a collaborator in very many projects",
    async (name) => {
      const ordering = readOrdering(name);
      const projects = new Map(Array.from({ length: 70 }, (_, index) => [index + 1, "view" as const]));
      const idsFor = async (viewer: SignedInViewer, key: CursorKey | null): Promise<number[]> => {
        const cursor = { reverse: false, offset: 0, ordering: ordering.name, key };
        const query = { filters: {}, ordering, cursor, perPage: 50 };
        return (await listDocuments(database, viewer, query)).documents.map(({ id }) => id);
      };
      const inMany = { ...viewers.few, projects };
      expect(await idsFor(inMany, null)).toHaveLength(30);
      const value = ordering.name === null ? null : name.endsWith("page_count") ? 25 : "8";
      for (const key of [null, { id: 9000, value }]) {
        expect(await idsFor(inMany, key)).toEqual(await idsFor(viewers.few, key));
      }
    },
  );

  it.each(["data_a", "-data_a", "title", "-page_count"])(
    "ordered by %s, is the same for viewers who see few, most and all documents, without those they do not see",
    async (name) => {
      const ordering = readOrdering(name);
      const walk = async (viewer: SignedInViewer): Promise<number[]> => {
        const ids: number[] = [];
        let cursor = { reverse: false, offset: 0, ordering: ordering.name, key: null } as Parameters<
          typeof listDocumentRows
        >[2]["cursor"];
        for (;;) {
          const page = await listDocumentRows(database, viewer, {
            filters: {},
            ordering,
            cursor,
            perPage: 1000,
          });
          ids.push(...page.documents.map(({ id }) => id));
          if (page.neighbours.next === null) return ids;
          cursor = page.neighbours.next;
        }
      };
      const all = await walk(viewers.all);
      expect(all).toHaveLength(documents);
      expect(new Set(all).size).toBe(documents);
      expect(await walk(viewers.few)).toEqual(all.filter((id) => id % 1000 === 500 || id % 2000 === 0));
      expect(await walk(viewers.most)).toEqual(all.filter((id) => id % 2000 !== 0));
    },
  );
});

/** A row of `project_memberships` that shares its document decides who may see it. */
async function shareWith(database: Database, project: number): Promise<void> {
  await database.write((writer) =>
    writer
      .updateTable("project_memberships")
      .set({ edit_access: true })
      .where("project_id", "=", project)
      .execute(),
  );
}

describe.each(engines)("documents that a viewer may see for several reasons on %s", (engine) => {
  let storage: TestStorage;
  let database: Database;
  let seen: number[];
  let inProjects: number[];
  let projects: number[];
  beforeAll(async () => {
    storage = await testStorage(engine);
    const { data: dataFolder, databaseUrl } = storage.config;
    database = await openDatabase({ dataFolder, databaseUrl });
    const kinds = ["private", "organization", "public", "organization", "private", "public", "private"];
    const rows = kinds.map((access, index) => ({
      access,
      organization_id: 2,
      user_id: index < 5 ? 2 : 1,
      title: `${index % 3}`,
      source: `${index % 2}`,
      page_count: index % 3,
      created_at: `2025-01-31T12:00:00.00000${index % 4}Z`,
      updated_at: `2025-01-31T12:00:00.00000${index % 3}Z`,
      data: index % 3 === 0 ? "{}" : `{"a":["${index % 2}","${index}"]}`,
    }));
    seen = await addDocuments({ database }, rows);
    inProjects = seen.slice(1);
    await addDocuments({ database }, [{ access: "private" }, { access: "organization" }]);
    projects = [];
    for (let count = 0; count < 3; count++) {
      const project = await addProject({ database }, {}, inProjects);
      await shareWith(database, project);
      projects.push(project);
    }
  });
  afterAll(async () => {
    await database.close();
    await storage[Symbol.asyncDispose]();
  });

  /** With more than 60 projects, a page is read in another way. */
  const viewerIn = (moreProjects: number): SignedInViewer => {
    const others = Array.from({ length: moreProjects }, (_, index) => 1000 + index);
    return {
      ...viewerOf(2),
      id: 2,
      projects: new Map([...projects, ...others].map((id) => [id, "view" as const])),
    };
  };

  it.each([...orderingNames, "data_a", "-data_a"])(
    "are listed once, ordered by %s, in both directions",
    async (name) => {
      const ordering = readOrdering(name);
      const walk = async (
        viewer: SignedInViewer,
        filters: DocumentFilters,
        { perPage, reverse }: { perPage: number; reverse: boolean },
      ): Promise<number[]> => {
        const pages: number[][] = [];
        let cursor: Cursor | null = { reverse, offset: 0, ordering: ordering.name, key: null };
        // A list that repeats documents may be endless.
        while (cursor !== null && pages.length < 20) {
          const query = { filters, ordering, cursor, perPage };
          const { documents: rows, neighbours }: Awaited<ReturnType<typeof listDocuments>> =
            await listDocuments(database, viewer, query);
          pages.push(rows.map(({ id }) => id));
          cursor = reverse ? neighbours.previous : neighbours.next;
        }
        return (reverse ? pages.toReversed() : pages).flat();
      };
      const asked: [DocumentFilters, number[]][] = [
        [{}, seen],
        [{ project: projects }, inProjects],
        [{ user: [1, 2] }, seen],
        [{ organization: [2] }, seen],
      ];
      for (const [filters, expected] of asked) {
        for (const moreProjects of [0, 60]) {
          const viewer = viewerIn(moreProjects);
          const forwards = await walk(viewer, filters, { perPage: 2, reverse: false });
          expect([filters, moreProjects, forwards.toSorted((one, other) => one - other)]).toEqual([
            filters,
            moreProjects,
            expected,
          ]);
          expect(await walk(viewer, filters, { perPage: 3, reverse: true })).toEqual(forwards);
        }
      }
    },
  );
});

describe("a page for a signed-in viewer on SQLite", () => {
  let storage: TestStorage;
  let database: Database;
  let file: DatabaseSync;
  beforeAll(async () => {
    storage = await testStorage("sqlite");
    database = await openDatabase({ dataFolder: storage.config.data, databaseUrl: null });
    await fill(database);
    file = new DatabaseSync(path.join(storage.config.data, "quire.sqlite"));
  });
  afterAll(async () => {
    file.close();
    await database.close();
    await storage[Symbol.asyncDispose]();
  });

  it.each(asks)("by $name, $filters, reads index ranges only", async (ask) => {
    for (const viewer of Object.values(viewers)) {
      const plans: string[] = [];
      const watching = watched(database, async (query) => {
        const steps = file.prepare(`explain query plan ${query.sql}`).all(...(query.parameters as number[]));
        plans.push(...steps.map(({ detail }) => String(detail)));
        return file.prepare(query.sql).all(...(query.parameters as number[]));
      });
      await readPages(watching, viewer, ask);
      const reads = plans.filter((detail) => /document_audiences/.test(detail));
      expect(reads).not.toEqual([]);
      for (const detail of reads) {
        expect(detail).toMatch(/^SEARCH document_audiences USING .*\(audience=\?/);
      }
    }
  });
});

describe.runIf(hasPostgres)("a page for a signed-in viewer on PostgreSQL", () => {
  let storage: TestStorage;
  let database: Database;
  let client: Client;
  beforeAll(async () => {
    storage = await testStorage("postgres");
    const { data: dataFolder, databaseUrl } = storage.config;
    database = await openDatabase({ dataFolder, databaseUrl });
    await fill(database);
    await database.write((writer) => sql`analyze`.execute(writer));
    client = new Client({ connectionString: databaseUrl ?? "" });
    await client.connect();
  });
  afterAll(async () => {
    await client.end();
    await database.close();
    await storage[Symbol.asyncDispose]();
  });

  it.each(asks)("by $name, $filters, reads few more rows than it returns", async (ask) => {
    for (const viewer of Object.values(viewers)) {
      let maxRowsRead = 0;
      const watching = watched(database, async ({ sql: text, parameters }) => {
        const written = text.replaceAll(/\$(\d+)/g, (_, number: string) =>
          literal(parameters[Number(number) - 1]),
        );
        const explained = await client.query<{ "QUERY PLAN": [{ Plan: PlanNode }] }>(
          `explain (analyze, format json) ${written}`,
        );
        for (const row of explained.rows)
          maxRowsRead = Math.max(maxRowsRead, rowsRead(row["QUERY PLAN"][0].Plan));
        return (await client.query<Record<string, unknown>>(text, [...parameters])).rows;
      });
      await readPages(watching, viewer, ask);
      expect(maxRowsRead).toBeLessThan(500);
    }
  });
});

/** The number of rows that a plan reads from tables and indexes, including those that it skips. */
function rowsRead(node: PlanNode): number {
  const inner = (node.Plans ?? []).map(rowsRead).reduce((sum, rows) => sum + rows, 0);
  const own = /Scan/.test(node["Node Type"])
    ? node["Actual Rows"] + (node["Rows Removed by Filter"] ?? 0)
    : 0;
  return inner + own * node["Actual Loops"];
}

interface PlanNode {
  "Node Type": string;
  "Actual Rows": number;
  "Actual Loops": number;
  "Rows Removed by Filter"?: number;
  Plans?: PlanNode[];
}

function literal(value: unknown): string {
  if (value === null || value === undefined) return "null";
  if (typeof value === "number") return String(value);
  if (Array.isArray(value)) return `'{${value.join(",")}}'`;
  return escapeLiteral(value as string);
}

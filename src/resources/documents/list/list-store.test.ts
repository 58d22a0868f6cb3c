import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { sql } from "kysely";
import { Client, escapeLiteral } from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Database } from "../../../database/database.ts";
import { openDatabase } from "../../../database/open-database.ts";
import { type BoundQuery, PreparedQueries, StatementNames } from "../../../database/prepared-queries.ts";
import { anonymous } from "../../../http/request/viewer.ts";
import { addDocuments, addProject } from "../../../testing/factories.ts";
import { hasPostgres } from "../../../testing/runs.ts";
import { type TestStorage, testStorage } from "../../../testing/test-app.ts";
import type { DocumentFilters } from "./filters.ts";
import { listDocuments } from "./list-store.ts";
import { orderingNames, readOrdering } from "./orderings.ts";

/** The ways to read a page: forwards or backwards, from an end of the list or from a position in it. */
const ways = [false, true].flatMap((reverse) =>
  [false, true].map((fromPosition) => ({ reverse, fromPosition })),
);
const dataOrderings = ["data_a", "-data_a"];
const cases = [...orderingNames, ...dataOrderings].flatMap((name) =>
  ways.map(({ reverse, fromPosition }) => ({ name, reverse, fromPosition })),
);
type Case = (typeof cases)[number];

interface ExecutedQuery {
  query: BoundQuery;
  name: string;
}

/** The database with `run` in place of the execution of prepared queries. */
function watched(
  database: Database,
  run: (query: ExecutedQuery) => unknown[] | Promise<unknown[]>,
): Database {
  return {
    ...database,
    prepared: new PreparedQueries(
      database.reader,
      { run: (query, name) => run({ query, name: name ?? "" }) },
      new StatementNames({ fromUse: 1 }),
    ),
  };
}

async function readPage(
  database: Database,
  { name, reverse, fromPosition }: Case,
  filters: DocumentFilters = {},
): Promise<void> {
  const ordering = readOrdering(name);
  const key = fromPosition ? { id: 15_000, value: positionIn(name) } : null;
  const cursor = { reverse, offset: 0, ordering: ordering.name, key };
  await listDocuments(database, anonymous, { filters, ordering, cursor, perPage: 25 });
}

/** A value with rows before and after it. */
function positionIn(name: string): string | number | null {
  if (name.endsWith("id")) return null;
  if (name.endsWith("page_count")) return 25;
  return name.endsWith("_at") ? "2025-01-31T12:00:00.000500Z" : "8";
}

const digits = (n: string): string =>
  `'2025-01-31T12:00:00.' || substr(cast(1000000 + ${n} as text), 2) || 'Z'`;

/**
 * 20,000 documents, the first half of them hidden, so that a plan that scans over them to the first page is noticed.
 */
async function fill(database: Database): Promise<void> {
  await addDocuments({ database }, [{}]);
  await database.write((writer) =>
    sql
      .raw(
        `with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < 20000)
        insert into documents
          (access, status, created_at, updated_at, data, organization_id, page_count, slug, source, title, user_id)
        select case when n > 10000 then 'public' else 'private' end, 'success', ${digits("n % 1000")},
          ${digits("n * 7 % 1000")}, '{"a":["' || (n % 10) || '"]}', 1, n % 50, 's', cast(n % 11 as text),
          cast(n * 7919 % 20000 as text), 1 from numbers`,
      )
      .execute(writer),
  );
}

describe("a page on SQLite", () => {
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

  it.each(cases)(
    "by $name (reverse: $reverse, from a position: $fromPosition) reads a range of its index and sorts nothing",
    async (one) => {
      const plans: PlanStep[][] = [];
      const watching = watched(database, ({ query }) => {
        plans.push(planOf(file, query));
        return file.prepare(query.sql).all(...(query.parameters as number[]));
      });
      await readPage(watching, one);
      expect(plans).not.toEqual([]);
      for (const plan of plans) {
        const reads = plan.filter(({ detail }) => /^(SCAN|SEARCH) doc/.test(detail));
        expect(reads).not.toEqual([]);
        for (const { detail } of reads) expect(detail).toMatch(expectedRead(one));
        // Only rows that ranges have returned already may be sorted, at most as many as a page has, and never a table.
        const sorts = new Set(
          plan.filter(({ detail }) => detail.includes("TEMP B-TREE")).map(({ parent }) => parent),
        );
        expect(reads.filter(({ parent }) => sorts.has(parent))).toEqual([]);
      }
    },
  );
});

interface PlanStep {
  id: number;
  parent: number;
  detail: string;
}

function planOf(file: DatabaseSync, { sql: text, parameters }: BoundQuery): PlanStep[] {
  const steps = file.prepare(`explain query plan ${text}`).all(...(parameters as number[]));
  return steps as unknown as PlanStep[];
}

/** A read of the ordering's index, from a position or an end. A row of a data key's index is looked up by its id. */
function expectedRead({ name, fromPosition }: Case): RegExp {
  const column = name.replace(/^-/, "");
  if (dataOrderings.includes(name)) {
    const end = name.startsWith("-") ? "highest" : "lowest";
    return new RegExp(
      `^SEARCH document_data USING (COVERING )?INDEX document_data_by_${end} \\(key=\\? AND is_public=\\?.*\\)` +
        `|^SEARCH document(s|_data) USING (INTEGER PRIMARY KEY \\(rowid=\\?\\)|PRIMARY KEY \\(document_id=\\? AND key=\\?\\))` +
        `|^(SCAN|SEARCH) documents USING COVERING INDEX documents_by_id`,
    );
  }
  const index = `documents USING (COVERING )?INDEX documents_by_${column}`;
  if (!fromPosition) return new RegExp(`^SCAN ${index}$`);
  const id = column === "id" ? "id[<>]\\?" : `${column}(=\\? AND rowid[<>]\\?|[<>]\\?)`;
  return new RegExp(`^SEARCH ${index} \\(${id}\\)$`);
}

describe.runIf(hasPostgres)("a page on PostgreSQL", () => {
  let project: number;
  let storage: TestStorage;
  let database: Database;
  beforeAll(async () => {
    storage = await testStorage("postgres");
    const { data: dataFolder, databaseUrl } = storage.config;
    database = await openDatabase({ dataFolder, databaseUrl });
    await fill(database);
    project = await addProject({ database }, {}, []);
    await database.write((writer) =>
      sql`insert into project_memberships (project_id, document_id)
        select ${sql.lit(project)}, id from documents where id > 500`.execute(writer),
    );
    await database.write((writer) => sql`analyze`.execute(writer));
  });
  afterAll(async () => {
    await database.close();
    await storage[Symbol.asyncDispose]();
  });

  it.each(cases)(
    "by $name (reverse: $reverse, from a position: $fromPosition) reads a range of its index and skips no hidden rows",
    async (one) => {
      expect(await besidesRanges((reader) => readPage(reader, one))).toEqual([]);
    },
  );

  it.each(ways)(
    "of a project (reverse: $reverse, from a position: $fromPosition) reads a range of its memberships",
    async ({ reverse, fromPosition }) => {
      const read = (reader: Database): Promise<void> =>
        readPage(reader, { name: "id", reverse, fromPosition }, { project: [project] });
      expect(await besidesRanges(read)).toEqual([]);
    },
  );

  /** The steps of the server's plan for a page, except reads of index ranges. */
  async function besidesRanges(read: (database: Database) => Promise<void>): Promise<PlanNode[]> {
    await using session = await Session.open(storage.config.databaseUrl ?? "");
    const watching = watched(database, (query) => session.run(query));
    // From the sixth execution on, the server may use a generic plan.
    for (let time = 0; time < 7; time++) await read(watching);
    if (session.plans.length < 7) throw new Error("Nothing was seen of how the page is read.");
    return session.plans.flatMap(nodesIn).filter((node) => !isRange(node));
  }
});

describe.runIf(hasPostgres)("a page on PostgreSQL without statistics", () => {
  let storage: TestStorage;
  let database: Database;
  beforeAll(async () => {
    storage = await testStorage("postgres");
    const { data: dataFolder, databaseUrl } = storage.config;
    database = await openDatabase({ dataFolder, databaseUrl });
    await withoutAutovacuum(database);
    await addDocuments({ database }, [{}]);
    // With as many documents, some indexes have one level more than others, which makes these seem the cheaper ones.
    await database.write((writer) =>
      sql`insert into documents
          (access, status, created_at, updated_at, organization_id, page_count, slug, source, title, user_id)
        select 'public', 'success', ${sql.raw(digits("n % 1000"))}, ${sql.raw(digits("n * 7 % 1000"))}, 1, n % 50, 's',
          (n % 11)::text, (n * 7919 % 20000)::text, 1 from generate_series(1, 40000) as n`.execute(writer),
    );
  });
  afterAll(async () => {
    await database.close();
    await storage[Symbol.asyncDispose]();
  });

  it.each(orderingNames)("by %s reads no more than its documents", async (name) => {
    await using session = await Session.open(storage.config.databaseUrl ?? "");
    const watching = watched(database, (query) => session.run(query));
    for (let time = 0; time < 7; time++)
      await readPage(watching, { name, reverse: false, fromPosition: false });
    expect(session.plans.flatMap(nodesIn).filter((node) => !isRange(node))).toEqual([]);
    const read = session.plans.map((plan) => plan["Shared Hit Blocks"] + plan["Shared Read Blocks"]);
    expect(Math.max(...read)).toBeLessThan(100);
  });
});

/** PostgreSQL otherwise gathers statistics by itself, at a moment that no test can know. */
async function withoutAutovacuum(database: Database): Promise<void> {
  await database.write((writer) => sql`alter table documents set (autovacuum_enabled = off)`.execute(writer));
}

function isRange(node: PlanNode): boolean {
  // The primary key may only find a row whose id is known.
  const isWalked = node["Index Name"] === "documents_pkey" && !node["Index Cond"]?.includes("(id =");
  const passesOver = (node["Rows Removed by Filter"] ?? 0) > 0;
  return !isWalked && !passesOver && !/Sort|Seq Scan|Bitmap|Merge|Hash/.test(node["Node Type"]);
}

/** A connection that records the server's plan for each of its queries. */
class Session implements AsyncDisposable {
  readonly plans: PlanNode[] = [];
  readonly #client: Client;

  private constructor(client: Client) {
    this.#client = client;
  }

  static async open(connectionString: string): Promise<Session> {
    const client = new Client({ connectionString });
    await client.connect();
    return new Session(client);
  }

  async run({ query, name }: ExecutedQuery): Promise<unknown[]> {
    const { rows } = await this.#client.query<Record<string, unknown>>({
      name,
      text: query.sql,
      values: [...query.parameters],
    });
    const values = query.parameters.map((value) =>
      value === null ? "null" : escapeLiteral(JSON.stringify(value).replaceAll('"', "")),
    );
    const list = values.length === 0 ? "" : `(${values.join()})`;
    const explained = await this.#client.query<{ "QUERY PLAN": [{ Plan: PlanNode }] }>(
      `explain (analyze, buffers, format json) execute ${name} ${list}`,
    );
    // Documents without a data key are found by looking up those that have it. This is the only step that is not a
    // range.
    if (!query.sql.includes("not exists"))
      this.plans.push(...explained.rows.map((row) => row["QUERY PLAN"][0].Plan));
    return rows;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#client.end();
  }
}

interface PlanNode {
  "Node Type": string;
  "Index Name"?: string;
  "Index Cond"?: string;
  "Relation Name"?: string;
  "Rows Removed by Filter"?: number;
  "Actual Rows": number;
  "Shared Hit Blocks": number;
  "Shared Read Blocks": number;
  Plans?: PlanNode[];
}

function nodesIn(plan: PlanNode): PlanNode[] {
  return [plan, ...(plan.Plans ?? []).flatMap(nodesIn)];
}

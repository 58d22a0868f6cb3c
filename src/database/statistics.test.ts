import { Readable } from "node:stream";
import { sql } from "kysely";
import pino from "pino";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Context, openContext } from "../context.ts";
import { importSources } from "../import/import-sources.ts";
import { noChoice } from "../import/owner.ts";
import { ImportReport } from "../import/report.ts";
import { hasPostgres } from "../testing/runs.ts";
import { type TestStorage, testStorage } from "../testing/test-app.ts";
import { addDocuments } from "../testing/factories.ts";
import { StatisticsOfImport, addMissingStatistics } from "./statistics.ts";

describe.runIf(hasPostgres)("the statistics of PostgreSQL's planner without autovacuum", () => {
  let storage: TestStorage;
  let context: Context;

  beforeEach(async () => {
    storage = await testStorage("postgres");
    context = await openContext(storage.config, pino({ level: "silent" }));
    await context.database.write(async (writer) => {
      const { rows } = await sql<{ name: string }>`select relname as name from pg_class
        where relnamespace = current_schema()::regnamespace and relkind = 'r'`.execute(writer);
      for (const { name } of rows)
        await sql`alter table ${sql.table(name)} set (autovacuum_enabled = off)`.execute(writer);
    });
  });

  afterEach(async () => {
    await context.close();
    await storage[Symbol.asyncDispose]();
  });

  /** The number of documents that the planner reckons with; -1 if it has no statistics. */
  async function knownDocuments(): Promise<number> {
    const { rows } = await sql<{ reltuples: number }>`
      select reltuples from pg_class where oid = 'documents'::regclass`.execute(context.database.reader);
    return Number(rows[0]?.reltuples);
  }

  it("are gathered once for the tables that have rows", async () => {
    await addDocuments(context, [{}, {}]);
    expect(await knownDocuments()).toBe(-1);
    const tables = await addMissingStatistics(context.database);
    expect(tables).toEqual(expect.arrayContaining(["documents", "document_records", "users"]));
    expect(tables).not.toContain("notes");
    expect(await knownDocuments()).toBe(2);
    expect(await addMissingStatistics(context.database)).toEqual([]);
  });

  it("are there after an import", async () => {
    const record = {
      id: 7,
      access: "public",
      title: "A report",
      status: "success",
      user: 1,
      organization: 1,
    };
    const text = Buffer.from(`${JSON.stringify({ ...record, created_at: "2012-01-31T12:34:56.000001Z" })}\n`);
    const progress = { update: () => undefined, note: () => undefined, finish: () => undefined };
    const report = new ImportReport(progress);
    await importSources(
      context,
      [{ kind: "records", name: "records.jsonl", bytes: null, open: () => Readable.from([text]) }],
      {
        named: [],
        owner: noChoice,
        access: null,
        language: null,
        ownAssets: "http://localhost/files/",
        userAgent: "test",
        signal: new AbortController().signal,
        report,
      },
    );
    expect(report.failed).toBe(0);
    expect(await knownDocuments()).toBe(1);
  });

  it("follow a long import", async () => {
    const statistics = new StatisticsOfImport(context.database);
    const known: number[] = [];
    for (const added of [900, 100, 1000, 5000, 5000]) {
      // One row is enough to see when they are gathered.
      await addDocuments(context, [{}]);
      await statistics.count(added);
      known.push(await knownDocuments());
    }
    // The second and the last transaction found no statistics of at least nine tenths of the documents.
    expect(known).toEqual([-1, 2, 2, 2, 5]);
    await addDocuments(context, [{}]);
    await statistics.count(1000);
    await statistics.finish();
    expect(await knownDocuments()).toBe(6);
  });
});

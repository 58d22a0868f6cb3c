import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import type { TestProject } from "vitest/node";
import { openDatabase } from "../database/open-database.ts";
import { startPgBouncer } from "./pgbouncer.ts";
import { hasPostgres, isDeep, seed } from "./runs.ts";
import { createThrowawayDatabase, startPostgres } from "./postgres.ts";
import { storageRoot } from "./storage-root.ts";

declare module "vitest" {
  export interface ProvidedContext {
    /** A PostgreSQL server on which tests may make databases. */
    postgresUrl: string;
    /** The name of a database on it that has the current schema and no connections: databases are copied from it. */
    postgresTemplate: string;
    /** The address of PgBouncer before that server, if the tests go through it. */
    poolerUrl: string | null;
    /** A data folder of SQLite that has the current schema. */
    sqliteTemplate: string;
  }
}

/**
 * Starts one PostgreSQL for the whole run, if it needs one, and migrates one database of each engine, which the tests
 * copy. What Node compiles for one process or thread is kept for the others, because the tests start hundreds of both.
 * Vitest calls the returned function at the end of the run.
 */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  // The processes that run tests, and those that they start, have the environment of this one.
  process.env["TEST_SEED"] = String(seed);
  if (isDeep) console.log(`Properties draw from TEST_SEED=${seed}`);
  const compiled = await mkdtemp(path.join(tmpdir(), "quire-compiled-"));
  process.env["NODE_COMPILE_CACHE"] = compiled;
  const dataFolder = await mkdtemp(path.join(await storageRoot, "quire-template-"));
  await (await openDatabase({ dataFolder, databaseUrl: null })).close();
  project.provide("sqliteTemplate", dataFolder);
  const endPostgres = hasPostgres ? await providePostgres(project, dataFolder) : null;
  return async () => {
    await endPostgres?.();
    for (const folder of [dataFolder, compiled]) {
      // A process that ends now may still write what it has compiled.
      await rm(folder, { recursive: true, force: true, maxRetries: 5 });
    }
  };
}

/** Returns a function that ends it. */
async function providePostgres(project: TestProject, dataFolder: string): Promise<() => Promise<void>> {
  const server = await startPostgres(await storageRoot);
  const template = await createThrowawayDatabase(server.url);
  await (await openDatabase({ dataFolder, databaseUrl: template.url })).close();
  project.provide("postgresUrl", server.url);
  project.provide("postgresTemplate", new URL(template.url).pathname.slice(1));
  const program = process.env["TEST_PGBOUNCER"] ?? "";
  const pooler = program === "" ? null : await startPgBouncer(server.url, { program });
  project.provide("poolerUrl", pooler?.urlOf(server.url) ?? null);
  return async () => {
    await pooler?.stop();
    await template.drop();
    await server.stop();
  };
}

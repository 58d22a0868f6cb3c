import type { TestProject } from "vitest/node";
import { startPostgres } from "./postgres.ts";

declare module "vitest" {
  export interface ProvidedContext {
    /** A PostgreSQL server on which tests may make databases. */
    postgresUrl: string;
  }
}

/** Starts one PostgreSQL for the whole run; vitest calls what this returns at the run's end. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const server = await startPostgres();
  project.provide("postgresUrl", server.url);
  return server.stop;
}

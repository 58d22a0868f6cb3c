import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { createThrowawayDatabase, startPostgres } from "../src/testing/postgres.ts";

/**
 * Measures on SQLite and on PostgreSQL, or on one of them: in an empty data folder, and in an empty database, whose
 * address is null for SQLite.
 */
export async function onEngines(
  only: string | undefined,
  measure: (data: string, databaseUrl: string | null) => Promise<void>,
): Promise<void> {
  for (const engine of ["sqlite", "postgres"]) {
    if (only !== undefined && only !== engine) continue;
    console.log(engine);
    const data = await mkdtemp(path.join(tmpdir(), "quire-bench-"));
    const postgres = engine === "postgres" ? await startPostgres() : null;
    try {
      const throwaway = postgres === null ? null : await createThrowawayDatabase(postgres.url);
      await measure(data, throwaway?.url ?? null);
    } finally {
      await postgres?.stop();
      await rm(data, { recursive: true, force: true });
    }
  }
}

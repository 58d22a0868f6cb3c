import * as fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { countRows } from "../database/transfer/snapshot.ts";
import { copiedTables } from "../database/transfer/tables.ts";
import { addBackup, openRepository, restoreTo } from "../testing/backups.ts";
import { addFullWorld } from "../testing/full-world.ts";
import { selectionOn } from "../testing/runs.ts";
import { emptyStorage, engines, startAppOn, useApp } from "../testing/test-app.ts";
import { useFolder } from "../testing/use-folder.ts";
import type { Repository } from "./repository.ts";
import type { Manifest } from "./repository-format.ts";

describe("restoring a backup that lacks rows", () => {
  const folder = useFolder("restore");
  const app = useApp("sqlite");
  let repository: Repository;
  let name: string;
  let manifest: Manifest;

  beforeAll(async () => {
    const [draw] = fc.sample(fc.gen(), { numRuns: 1, seed: 11 });
    if (draw === undefined) throw new Error("no world");
    await addFullWorld(app.context, draw);
    repository = await openRepository(app.context.config, { folder });
    ({ name, manifest } = await addBackup(app.context, repository));
  });

  /** Restores the backup while the rows of a table are not in the repository. */
  async function restoreWithout(table: string, to: Parameters<typeof restoreTo>[0]): Promise<string[]> {
    const chunks = manifest.tables[table]?.chunks ?? [];
    const held = new Map<string, Buffer>();
    for (const { sha256 } of chunks) {
      const key = repository.objectKey("rows", sha256);
      const bytes = await repository.store.read(key);
      held.set(key, Buffer.concat(await Array.fromAsync(bytes ?? [])));
      await repository.store.delete(key);
    }
    try {
      return await restoreTo(to, repository, name);
    } finally {
      for (const [key, bytes] of held) await repository.putObject(key, iterated(bytes));
    }
  }

  describe.each(engines)("into %s", (engine) => {
    // The tables that others refer to; two of them on PostgreSQL.
    const tables = ["users", "organizations", "projects", "entities", "documents", "mirrors", "examinations"];

    it.each(selectionOn(engine, tables))(
      "gives everything but %s, and what belongs to that",
      async (table) => {
        await using storage = await emptyStorage(engine);
        const faults = await restoreWithout(table, storage);
        expect(faults[0]).toMatch(
          new RegExp(`^table ${table}: rows/.* is missing, so that \\d+ rows are lost$`),
        );
        const isOrphans = /^table (\w+): (\d+) rows are left out, because they belong to rows that are lost$/;
        const leftOut = new Map(
          faults.slice(1).map((fault): [string, number] => {
            const [, child = fault, count] = isOrphans.exec(fault) ?? [];
            return [child, Number(count)];
          }),
        );
        await using restored = await startAppOn(storage.config);
        const { reader } = restored.context.database;
        // A start may queue jobs and end others, and forgets what webhooks were told long ago.
        for (const other of copiedTables.filter(
          ({ name: its }) => !["jobs", "file_removals", "webhook_deliveries"].includes(its),
        )) {
          const expected = other.name === table ? 0 : (manifest.tables[other.name]?.rows ?? 0);
          const found = (await countRows(reader, other)) + (leftOut.get(other.name) ?? 0);
          expect([other.name, found]).toEqual([other.name, expected]);
        }
        expect((await restored.fetch("/api/documents/")).status).toBe(200);
      },
    );
  });
});

async function* iterated(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

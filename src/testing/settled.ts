import { sql } from "kysely";
import { expect, vi } from "vitest";
import type { TestApp } from "./test-app.ts";

/**
 * Waits until the feed of events shows what was committed: on PostgreSQL, until no transaction that is as old is open
 * on the server, in whatever database.
 */
export async function feedSettled({ context: { database } }: Pick<TestApp, "context">): Promise<void> {
  if (database.dialect.engine !== "postgres") return;
  const { reader } = database;
  const { rows } = await sql<{ id: string }>`select pg_current_xact_id()::text as id`.execute(reader);
  const isOld = sql<{ isOld: boolean }>`
    select pg_snapshot_xmin(pg_current_snapshot()) > ${rows[0]?.id}::xid8 as "isOld"`;
  await vi.waitFor(async () => expect((await isOld.execute(reader)).rows).toEqual([{ isOld: true }]), {
    timeout: 60_000,
    interval: 10,
  });
}

import { type Kysely, sql } from "kysely";

/**
 * Gives the indexes that hold only public documents the condition that PostgreSQL's planner does not estimate by its
 * statistics: see `conditionOfIndex` in dialect.ts. A database without statistics is otherwise read in a wrong order.
 */
export async function indexConditions(db: Kysely<unknown>, engine: "sqlite" | "postgres"): Promise<void> {
  if (engine === "sqlite") return;
  const { rows } = await sql<{ name: string; definition: string }>`
    select indexes.relname as name, pg_get_indexdef(indexes.oid) as definition
    from pg_index join pg_class as indexes on indexes.oid = indexrelid
    where indrelid = to_regclass('documents') and indexes.relname = any(${listIndexes}::text[])
    order by indexes.oid`.execute(db);
  for (const { name, definition } of rows) {
    const [columns] = definition.split(" WHERE ");
    await sql`drop index ${sql.id(name)}`.execute(db);
    await sql`${sql.raw(columns ?? "")} where ${isPublic}`.execute(db);
  }
}

const listIndexes = [
  "id",
  "created_at",
  "updated_at",
  "page_count",
  "title",
  "source",
  "status",
  "user_id",
  "organization_id",
].map((column) => `documents_by_${column}`);

const isPublic = sql.raw(
  "case when access = 'public' and status in ('success', 'readable') then true else false end",
);

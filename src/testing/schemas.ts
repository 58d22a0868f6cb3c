import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { Client } from "pg";
import type { DatabaseSettings } from "../database/database.ts";
import type { TestStorage } from "./test-app.ts";

export const settingsOf = ({ config }: Pick<TestStorage, "config">): DatabaseSettings => ({
  dataFolder: config.data,
  databaseUrl: config.databaseUrl,
});

/** Runs statements on the storage without migrating it. Returns the rows of the last one as texts. */
export async function plainly(
  { config }: Pick<TestStorage, "config">,
  ...statements: string[]
): Promise<string[]> {
  let rows: unknown[] = [];
  if (config.databaseUrl === null) {
    const file = new DatabaseSync(path.join(config.data, "quire.sqlite"));
    for (const statement of statements) rows = file.prepare(statement).all();
    file.close();
  } else {
    const client = new Client({ connectionString: config.databaseUrl });
    await client.connect();
    try {
      for (const statement of statements) rows = [await client.query(statement)].flat().at(-1)?.rows ?? [];
    } finally {
      await client.end();
    }
  }
  return rows.map((row) => Object.values(row as object).join(" "));
}

/** All objects of a schema, besides Kysely's, with their definitions. */
export async function schemaOf(storage: Pick<TestStorage, "config">): Promise<string[]> {
  const rows = await plainly(storage, storage.config.databaseUrl === null ? onSqlite : onPostgres);
  return rows.map((row) =>
    row
      .replaceAll('"', "")
      .replaceAll(/\s*([(),;])\s*|\s+/g, "$1 ")
      .trim(),
  );
}

const onSqlite = `select type, name, tbl_name, sql from sqlite_master
  where tbl_name not like 'kysely%' order by 1, 2`;

const onPostgres = `
  select concat_ws(' ', relkind, relname, reloptions, pg_get_indexdef(pg_class.oid))
    from pg_class where relnamespace = 'public'::regnamespace and relname not like 'kysely%'
  union all
  select concat_ws(' ', 'column', relname, attname, format_type(atttypid, atttypmod), attcollation::regcollation,
      attnotnull, attidentity, pg_get_expr(adbin, adrelid))
    from pg_attribute join pg_class on pg_class.oid = attrelid
      left join pg_attrdef on adrelid = attrelid and adnum = attnum
    where relnamespace = 'public'::regnamespace and relkind = 'r' and relname not like 'kysely%'
      and attnum > 0 and not attisdropped
  union all
  select concat_ws(' ', 'constraint', relname, conname, pg_get_constraintdef(pg_constraint.oid))
    from pg_constraint join pg_class on pg_class.oid = conrelid
    where connamespace = 'public'::regnamespace and relname not like 'kysely%'
  union all
  select concat_ws(' ', 'trigger', tgenabled, pg_get_triggerdef(oid)) from pg_trigger where not tgisinternal
  union all
  select pg_get_functiondef(oid) from pg_proc where pronamespace = 'public'::regnamespace
  order by 1`;

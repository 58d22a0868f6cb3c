import { sql } from "kysely";
import { describe, expect, it } from "vitest";
import { engines, testStorage } from "../../testing/test-app.ts";
import { openRawDatabase } from "../open-database.ts";
import { hasIdentity } from "./snapshot.ts";
import { copiedTables, rebuiltTables } from "./tables.ts";

const tablesOf = {
  // The tables that hold the content of a virtual table have the type `shadow`.
  sqlite: sql<{ name: string }>`select name from pragma_table_list
    where schema = 'main' and type in ('table', 'virtual') and name not like 'sqlite%'`,
  postgres: sql<{ name: string }>`select relname as name from pg_class
    where relkind in ('r', 'p', 'm') and relnamespace = 'public'::regnamespace`,
};

const uniqueKeys = {
  sqlite: (name: string) => sql<{ columns: string }>`select group_concat(column_name, ',') as columns from (
      select list.name as list_name, info.name as column_name
        from pragma_index_list(${name}) as list, pragma_index_info(list.name) as info
        where list."unique" and not list.partial order by list.name, info.name)
      group by list_name
    union all select name from pragma_table_info(${name}) where pk = 1 and type = 'INTEGER'`,
  postgres: (name: string) => sql<{ columns: string }>`
    select (select string_agg(attname, ',' order by attname collate "C") from pg_attribute
        where attrelid = indrelid and attnum = any(indkey)) as columns
      from pg_index where indrelid = ${name}::regclass and indisunique and indpred is null`,
};

const identities = {
  sqlite: sql<{ name: string }>`select name from sqlite_master where sql like '%autoincrement%'`,
  postgres: sql<{ name: string }>`select table_name as name from information_schema.columns
    where table_schema = 'public' and is_identity = 'YES'`,
};

describe.each(engines)("the tables that are copied, on %s", (engine) => {
  it("are all tables of the schema except those that are rebuilt", async () => {
    await using storage = await testStorage(engine);
    const { data: dataFolder, databaseUrl } = storage.config;
    await using database = await openRawDatabase({ dataFolder, databaseUrl });
    const { rows } = await tablesOf[engine].execute(database.kysely);
    const copied = copiedTables.map(({ name }) => name);
    const known = new Set<string>([...copied, ...Object.keys(rebuiltTables)]);
    expect(
      rows.map(({ name }) => name).filter((name) => !known.has(name) && !name.startsWith("kysely_")),
      "add new tables to src/database/transfer/tables.ts",
    ).toEqual([]);
    expect(rows.map(({ name }) => name)).toEqual(expect.arrayContaining(copied));
    expect(new Set(copied).size).toBe(copied.length);
  });

  it("are read in the order of a key that is unique", async () => {
    await using storage = await testStorage(engine);
    const { data: dataFolder, databaseUrl } = storage.config;
    await using database = await openRawDatabase({ dataFolder, databaseUrl });
    for (const { name, key } of copiedTables) {
      const { rows } = await uniqueKeys[engine](name).execute(database.kysely);
      expect({ name, keys: rows.map(({ columns }) => columns) }).toEqual({
        name,
        keys: expect.arrayContaining([key.toSorted().join(",")]) as string[],
      });
    }
    const { rows } = await identities[engine].execute(database.kysely);
    const withIdentity = copiedTables.filter(hasIdentity).map(({ name }) => name as string);
    const ofCopied = rows.map(({ name }) => name).filter((name) => !Object.hasOwn(rebuiltTables, name));
    expect(withIdentity.toSorted()).toEqual(ofCopied.toSorted());
  });
});

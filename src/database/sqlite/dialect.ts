import { sql } from "kysely";
import type { Dialect } from "../dialect.ts";
import { hasCode } from "../error-codes.ts";

/** A writer that finds SQLite busy asks again after at most this long. */
export const maxBusyPauseMilliseconds = 16;

export const sqliteDialect: Dialect = {
  engine: "sqlite",
  text: sql`text`,
  boolean: sql`integer`,
  identity: sql`integer primary key autoincrement`,
  isAmong: (id, list) => sql`${id} in (select value from json_each(${list}))`,
  isAmongTexts: (text, list) => sql`${text} in (select value from json_each(${list}))`,
  folded: (text) => sql`fold(${text})`,
  textsOf: (column, key) => sql`json_each(${column}, ${`$."${key}"`})`,
  now: () => sql`${new Date().toISOString().replace("Z", "000Z")}`,
  list: (values) => JSON.stringify(values),
  valuesOf: (list) => sql`select value from json_each(${list})`,
  textValuesOf: (list) => sql`select value from json_each(${list})`,
  before(text, separator) {
    const end = sql.lit(separator);
    return sql`substr(${text}, 1, instr(${text} || ${end}, ${end}) - 1)`;
  },
  joinedIds: (id) => sql`group_concat(${id}, ',' order by ${id})`,
  concatenated: (text, separator) => sql`group_concat(${text}, ${sql.lit(separator)})`,
  asBytes: (text) => sql`cast(${text} as blob)`,
  bytesIn(value) {
    const { buffer, byteOffset, byteLength } = value as Uint8Array;
    return Buffer.from(buffer, byteOffset, byteLength);
  },
  leftLookup: (table, condition) => sql`left join ${table} on ${condition}`,
  valueCounts: (columns, source, limit) => {
    const kinds = columns.map(({ isNumber }) => (isNumber ? "number" : "text")).join(" ");
    return sql`(select value_counts(json_group_array(joined_values), ${kinds}, ${sql.lit(limit)}) from ${source})`;
  },
  countedValues: (columns) => {
    const joined = sql.join(
      columns.map(({ value }) => value),
      sql` || char(127) || `,
    );
    return [sql`cast(${joined} as text) as joined_values`];
  },
  asJson: (value) => sql`json_quote(${value})`,
  afterOwnIds: () => null,
  reserveId: (table) => [
    sql`insert into sqlite_sequence (name, seq)
      select ${table}, 0 where not exists (select 1 from sqlite_sequence where name = ${table})`,
    sql`update sqlite_sequence set seq = seq + 1 where name = ${table} returning seq as id`,
  ],
  lockForWriting: () => null,
  forUpdate: sql``,
  lockRows: () => null,
  forUpdateOfFree: sql``,
  forManyRows: [sql`pragma cache_size = -65536`, sql`pragma wal_autocheckpoint = 16384`],
  insertWhole: sql`insert or rollback into`,
  newRevision: () => Math.floor(Math.random() * 2 ** 53),
  writesAll: {
    begin: sql`insert into complete_writes values (1)`,
    end: sql`delete from complete_writes`,
  },
  newDocumentsPerTransaction: 5_000,
  pauseForWritersMilliseconds: 2 * maxBusyPauseMilliseconds,
  continueRevisions: [],
  afterManyRows: [sql`pragma wal_checkpoint(truncate)`],
  filledTables: null,
  tableNamed: (name) => sql`select name from sqlite_master where type = 'table' and name = ${name}`,
  plainIndexes: (tables) => sql`select name, sql as definition from sqlite_master
    where type = 'index' and sql not like 'create unique%'
      and tbl_name in (select value from json_each(${JSON.stringify(tables)})) order by rowid`,
  foreignKeys: (table) => sql`select keys."from" as "column", keys."table" as parent, keys."to" as referred,
      lower(keys.on_delete) as on_delete,
      (select "notnull" = 0 from pragma_table_info(${table}) where name = keys."from") as is_nullable
    from pragma_foreign_key_list(${table}) as keys`,
  lastId: (table) => sql`select seq as id from sqlite_sequence where name = ${table}`,
  continueAfterId: (table, id) => [
    sql`delete from sqlite_sequence where name = ${table}`,
    sql`insert into sqlite_sequence (name, seq) values (${table}, ${id})`,
  ],
  isRefusal: (error) => hasCode(error, "errcode", (code) => [18, 19, 20].includes(Number(code) & 0xff)),
  // No room for the database, or for the shared-memory file of its processes.
  isFull: (error) => hasCode(error, "errcode", (code) => [13, 4874].includes(Number(code))),
  indexedBy: (index) => sql`indexed by ${sql.id(index)}`,
  conditionOfIndex: (condition) => condition,
  listedId: sql.ref("documents.id"),
  documentOf: (id) => sql`cross join documents on documents.id = ${id}`,
  materializedForLookups: sql`materialized`,
  joinInOrder: sql`cross join`,
  looksUpIds: true,
  unionOf: (selects) => sql`${sql.join(selects, sql` union `)} order by 1`,
  joinedTo: ({ subquery, table }, select) =>
    select(
      sql`${sql.table(subquery.name)} cross join ${sql.table(table.name)}
        ${typeof table.index === "string" ? sql`indexed by ${sql.id(table.index)}` : sql``}`,
      sql`${sql.ref(`${table.name}.${table.column}`)} = ${sql.ref(`${subquery.name}.${subquery.column}`)}`,
    ),
  estimatedRows: () => null,
  comparesPairs: false,
  eventOrder: {
    columns: sql`events.id`,
    after: (_transaction, id) => sql<boolean>`events.id > ${id}`,
    isSettled: sql<boolean>`1 = 1`,
  },
};

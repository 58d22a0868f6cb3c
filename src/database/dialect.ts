import { type Expression, type QueryExecutorProvider, type RawBuilder, SqliteAdapter, sql } from "kysely";

/**
 * Where SQLite and PostgreSQL disagree. Every query is written once; each disagreement has a name here, and the
 * reason for it.
 */
export interface Dialect {
  /** For what disagrees so much that it is written twice: the index of words (search/text-index.ts picks it). */
  readonly engine: "sqlite" | "postgres";
  /** SQLite's text compares byte by byte; PostgreSQL's would follow a language, so it is told not to. */
  readonly text: RawBuilder<unknown>;
  /** SQLite keeps a boolean as 0 or 1. */
  readonly boolean: RawBuilder<unknown>;
  /** An id that is never given out twice, also when the row that had it is gone. */
  readonly identity: RawBuilder<unknown>;
  /** Whether `id` is among the ids of a list: one statement, however many they are. */
  isAmong(id: Expression<unknown>, list: Expression<unknown>): RawBuilder<boolean>;
  /** The same for texts. */
  isAmongTexts(text: Expression<unknown>, list: Expression<unknown>): RawBuilder<boolean>;
  /**
   * A text in lower case, to be compared with another one. SQLite by itself knows the case of ASCII's letters alone, and
   * is given a function of ours; in PostgreSQL the columns know no more, and the database's own locale knows the rest.
   */
  folded(text: Expression<unknown>): RawBuilder<string>;
  /** The texts under a key of a column that holds an object of lists, as rows of one column, `value`. */
  textsOf(column: Expression<unknown>, key: string): RawBuilder<unknown>;
  /** The list for `isAmong` or `isAmongTexts`, as a value to bind. */
  list(values: readonly (number | string)[]): unknown;
  /** The numbers a subquery finds, ascending, with commas between; null or "" when there are none. */
  joinedIds(id: Expression<unknown>): RawBuilder<string | null>;
  /** PostgreSQL counts ids by itself only when it gave them out: to be run after rows brought their own. */
  afterOwnIds(table: IdentityTable): RawBuilder<unknown> | null;
  /** Takes an id that no row ever had or will be given. To be run in this order; the last one gives it, as `id`. */
  reserveId(table: IdentityTable): RawBuilder<{ id: number }>[];
  /** SQLite's writers take turns anyway; PostgreSQL's do with this: until the transaction ends nobody else writes. */
  lockForWriting(table: IdentityTable): RawBuilder<unknown> | null;
  /** After a select in a transaction: until it ends nobody else changes these rows. SQLite has one writer anyway. */
  readonly forUpdate: RawBuilder<unknown>;
  /** As `forUpdate`, of those rows alone that nobody else is changing. */
  readonly forUpdateOfFree: RawBuilder<unknown>;
  /**
   * Prepares a connection for putting in very many rows. What they cost in SQLite is the pages of indexes that are
   * written again for every transaction: it is given room to collect them.
   */
  readonly forManyRows: readonly RawBuilder<unknown>[];
  /**
   * Begins an insert of many rows into documents which, if it fails, takes the transaction with it. Otherwise SQLite
   * keeps a copy of every page that such a statement changes, to undo it alone, which takes as long again as half of
   * the rest. It does so for a function that could fail too: so there each row brings its revision.
   */
  readonly insertWhole: RawBuilder<unknown>;
  /** A document's revision, where the one that inserts it has to give it. */
  newRevision(): number | null;
  /** Whether an error says that the values of a row cannot be stored; any other has nothing to do with them. */
  isRefusal(error: unknown): boolean;
  /** Whether an error says that there is no room for the database. */
  isFull(error: unknown): boolean;
  /**
   * SQLite looks at the value of a `limit` that is a parameter when it plans, and so plans (and parses) anew each time
   * the statement runs, which takes half as long again as a page. There the number is written out.
   */
  readonly plansByLimit: boolean;
  /**
   * After a table's name: read it by this index. SQLite's planner knows little of its tables and takes another
   * one when it should not; PostgreSQL's decides by itself.
   */
  indexedBy(index: string): RawBuilder<unknown>;
  /**
   * A document's id as the indexes of lists have it. For an order of ids PostgreSQL's planner may take the primary
   * key, and pass over every hidden row on the way; the order of an expression only those indexes give.
   */
  readonly listedId: RawBuilder<unknown>;
  /**
   * After a table that is read in its order: the document of each row, looked up. PostgreSQL's planner has to be kept
   * from merging the two tables instead, which begins at the start of both.
   */
  documentOf(id: RawBuilder<unknown>): RawBuilder<unknown>;
  /**
   * After the name of a subquery in which each row of another table is looked up: SQLite makes an index for that of a
   * table alone. PostgreSQL's planner decides by itself.
   */
  readonly materializedForLookups: RawBuilder<unknown>;
  /** Joins two tables in the order in which they stand. PostgreSQL's planner decides on the order by itself. */
  readonly joinInOrder: RawBuilder<unknown>;
  /**
   * Whether `(value, id) > (?, ?)` is one range of an index, as it is in PostgreSQL. SQLite would answer it from the
   * value alone, and pass over all its equals.
   */
  readonly comparesPairs: boolean;
}

export type IdentityTable =
  | "documents"
  | "entities"
  | "notes"
  | "organizations"
  | "projects"
  | "sections"
  | "users";

export const sqliteDialect: Dialect = {
  engine: "sqlite",
  text: sql`text`,
  boolean: sql`integer`,
  identity: sql`integer primary key autoincrement`,
  isAmong: (id, list) => sql`${id} in (select value from json_each(${list}))`,
  isAmongTexts: (text, list) => sql`${text} in (select value from json_each(${list}))`,
  folded: (text) => sql`fold(${text})`,
  textsOf: (column, key) => sql`json_each(${column}, ${`$."${key}"`})`,
  list: (values) => JSON.stringify(values),
  joinedIds: (id) => sql`group_concat(${id}, ',' order by ${id})`,
  afterOwnIds: () => null,
  reserveId: (table) => [
    sql`insert into sqlite_sequence (name, seq)
      select ${table}, 0 where not exists (select 1 from sqlite_sequence where name = ${table})`,
    sql`update sqlite_sequence set seq = seq + 1 where name = ${table} returning seq as id`,
  ],
  lockForWriting: () => null,
  forUpdate: sql``,
  forUpdateOfFree: sql``,
  forManyRows: [sql`pragma cache_size = -65536`, sql`pragma wal_autocheckpoint = 16384`],
  insertWhole: sql`insert or rollback into`,
  newRevision: () => Math.floor(Math.random() * 2 ** 53),
  isRefusal: (error) => hasCode(error, "errcode", (code) => [18, 19, 20].includes(Number(code) & 0xff)),
  // No room for the database, or for the file of memory that its processes share.
  isFull: (error) => hasCode(error, "errcode", (code) => [13, 4874].includes(Number(code))),
  plansByLimit: true,
  indexedBy: (index) => sql`indexed by ${sql.id(index)}`,
  listedId: sql.ref("documents.id"),
  documentOf: (id) => sql`cross join documents on documents.id = ${id}`,
  materializedForLookups: sql`materialized`,
  joinInOrder: sql`cross join`,
  comparesPairs: false,
};

export const postgresDialect: Dialect = {
  engine: "postgres",
  text: sql`text collate "C"`,
  boolean: sql`boolean`,
  identity: sql`bigint generated by default as identity primary key`,
  isAmong: (id, list) => sql`${id} = any(${list}::bigint[])`,
  isAmongTexts: (text, list) => sql`${text} = any(${list}::text[])`,
  folded: (text) => sql`lower(cast(${text} as text) collate "default")`,
  textsOf: (column, key) => sql`json_array_elements_text(${column}::json -> ${key}::text)`,
  list: (values) => values,
  joinedIds: (id) => sql`string_agg(${id}::text, ',' order by ${id})`,
  // Never back: ids that were given out may belong to rows that are gone, or not there yet.
  afterOwnIds: (table) => sql`select setval(pg_get_serial_sequence(${table}, 'id'), own.highest)
    from (select max(id) as highest from ${sql.table(table)}) own
    where own.highest > coalesce(pg_sequence_last_value(pg_get_serial_sequence(${table}, 'id')::regclass), 0)`,
  reserveId: (table) => [sql`select nextval(pg_get_serial_sequence(${table}, 'id')) as id`],
  lockForWriting: (table) => sql`lock table ${sql.table(table)} in share row exclusive mode`,
  forUpdate: sql`for no key update`,
  forUpdateOfFree: sql`for no key update skip locked`,
  forManyRows: [],
  insertWhole: sql`insert into`,
  newRevision: () => null,
  // Data exceptions, violated constraints, and what is beyond the program's limits.
  isRefusal: (error) => hasCode(error, "code", (code) => /^(22|23|54)...$/.test(String(code))),
  isFull: (error) => hasCode(error, "code", (code) => code === "53100"),
  plansByLimit: false,
  indexedBy: () => sql``,
  listedId: sql`(documents.id + 0)`,
  documentOf: (id) =>
    sql`cross join lateral (select * from documents where documents.id = ${id} offset 0) as documents`,
  materializedForLookups: sql``,
  joinInOrder: sql`join`,
  comparesPairs: true,
};

/** Which engine a transaction runs on. */
export function dialectOf(executor: QueryExecutorProvider): Dialect {
  return executor.getExecutor().adapter instanceof SqliteAdapter ? sqliteDialect : postgresDialect;
}

/** Whether an error, of whichever engine, says that there is no room for the database. */
export function isDatabaseFull(error: unknown): boolean {
  return [sqliteDialect, postgresDialect].some((dialect) => dialect.isFull(error));
}

function hasCode(error: unknown, member: string, matches: (code: unknown) => boolean): boolean {
  return error instanceof Error && member in error && matches(error[member as keyof Error]);
}

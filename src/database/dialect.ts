import { type Expression, type QueryExecutorProvider, type RawBuilder, SqliteAdapter, sql } from "kysely";

/**
 * The differences between SQLite and PostgreSQL. Every query is written once; each difference has a name here, with
 * its reason.
 */
export interface Dialect {
  /** For the part that differs so much that it is written twice: the index of words (search/text-index.ts picks it). */
  readonly engine: "sqlite" | "postgres";
  /** SQLite compares texts byte by byte; PostgreSQL would follow a language's rules unless told not to. */
  readonly text: RawBuilder<unknown>;
  /** SQLite stores a boolean as 0 or 1. */
  readonly boolean: RawBuilder<unknown>;
  /** An id that is never assigned twice, even after its row has been deleted. */
  readonly identity: RawBuilder<unknown>;
  /** Whether `id` is in a list: one statement, whatever the length of the list. */
  isAmong(id: Expression<unknown>, list: Expression<unknown>): RawBuilder<boolean>;
  /** The same for texts. */
  isAmongTexts(text: Expression<unknown>, list: Expression<unknown>): RawBuilder<boolean>;
  /**
   * Lower-cases a text for comparison. SQLite itself folds only ASCII letters, so it calls our own function; in
   * PostgreSQL the columns' collation does the same, so the database's default locale is used instead.
   */
  folded(text: Expression<unknown>): RawBuilder<string>;
  /** The texts under a key of a column that holds an object of lists, as rows with a single column `value`. */
  textsOf(column: Expression<unknown>, key: string): RawBuilder<unknown>;
  /** A list for `isAmong`, `isAmongTexts` or `valuesOf`, as a bindable value. */
  list(values: readonly (number | string)[]): unknown;
  /** A select of the numbers in a list, in order, as rows with a single column `value`. */
  valuesOf(list: Expression<unknown>): RawBuilder<unknown>;
  /** The numbers that a subquery finds, ascending and separated by commas; null or "" if there are none. */
  joinedIds(id: Expression<unknown>): RawBuilder<string | null>;
  /** The texts of the rows that a subquery selects in order, joined with `separator`. */
  concatenated(text: RawBuilder<unknown>, separator: string): RawBuilder<unknown>;
  /**
   * The UTF-8 bytes of a long text. PostgreSQL returns a text with a character from U+0000 to U+00FF for each byte: its
   * driver decodes that several times faster than bytes, or than other characters. {@link bytesIn} takes either.
   */
  asBytes(text: RawBuilder<unknown>): RawBuilder<unknown>;
  /**
   * Appended to an ordered subquery: joins each of its rows to the matching row of another table, if there is one.
   * Keeps the order.
   */
  leftLookup(table: RawBuilder<unknown>, condition: RawBuilder<unknown>): RawBuilder<unknown>;
  /**
   * How often each value of some columns occurs in the rows of `source`, as JSON text: for each column a list of at
   * most `limit` pairs `[value, count]`, the most frequent first and then in ascending order. Several columns hold no
   * U+007F and no null. PostgreSQL groups in memory. SQLite would sort all rows for each column, and call a function of
   * our own for each row; either takes several times as long as one call with all values as JSON. `source` has the
   * columns of `countedValues`.
   */
  valueCounts(
    columns: readonly CountedColumn[],
    source: RawBuilder<unknown>,
    limit: number,
  ): RawBuilder<string>;
  /**
   * The values for `valueCounts`, as columns of a select. On SQLite they are a single text, which is faster to store.
   */
  countedValues(columns: readonly CountedColumn[]): RawBuilder<unknown>[];
  /** A value of a column as JSON text. */
  asJson(value: RawBuilder<unknown>): RawBuilder<string>;
  /** PostgreSQL's sequence ignores ids that are inserted explicitly: run this after inserting such rows. */
  afterOwnIds(table: IdentityTable): RawBuilder<unknown> | null;
  /**
   * Reserves an id that no row has ever had or will be assigned. Run the statements in order; the last one returns the
   * id as `id`.
   */
  reserveId(table: IdentityTable): RawBuilder<{ id: number }>[];
  /** Blocks other writers until the transaction ends. SQLite has only one writer anyway. */
  lockForWriting(table: IdentityTable): RawBuilder<unknown> | null;
  /**
   * Appended to a select in a transaction: locks the rows until the transaction ends. SQLite has only one writer
   * anyway.
   */
  readonly forUpdate: RawBuilder<unknown>;
  /** Locks these rows until the transaction ends, in order of ids. SQLite has only one writer anyway. */
  lockRows(table: IdentityTable, ids: readonly number[]): RawBuilder<unknown> | null;
  /** Like `forUpdate`, but skips rows that another transaction has locked. */
  readonly forUpdateOfFree: RawBuilder<unknown>;
  /**
   * Prepares a connection for a bulk insert. On SQLite, every transaction writes the same index pages again, so the
   * connection gets a larger cache to collect them.
   */
  readonly forManyRows: readonly RawBuilder<unknown>[];
  /**
   * The start of an insert of many documents that rolls back the whole transaction if it fails. Otherwise SQLite copies
   * every page that the statement changes, so that it can undo the statement alone. That costs half as much as
   * everything else. SQLite does the same if the statement calls a function that could fail, so on SQLite each row
   * supplies its own revision.
   */
  readonly insertWhole: RawBuilder<unknown>;
  /** A document's revision, if the insert has to supply it. */
  newRevision(): number | null;
  /**
   * Between these two statements, triggers leave new documents and their memberships alone, because the transaction
   * itself writes everything that follows from them: see 0045-importing-records.ts.
   */
  readonly writesAll: { readonly begin: RawBuilder<unknown>; readonly end: RawBuilder<unknown> };
  /**
   * The number of documents that an import writes in one transaction. On SQLite, every transaction writes the same
   * index pages to the disk again: 2,500 documents take a third more time than 10,000, and 5,000 a twentieth. An import
   * holds two such batches in memory. PostgreSQL writes no pages at a commit.
   */
  readonly newDocumentsPerTransaction: number;
  /**
   * How long to wait between two long transactions. On SQLite, other processes that want to write ask again at
   * intervals (`NodeSqliteDialect`), and would otherwise never find the database free. PostgreSQL has a queue.
   */
  readonly pauseForWritersMilliseconds: number;
  /** A row if there is a table of this name. */
  tableNamed(name: string): RawBuilder<unknown>;
  /** The indexes of these tables that enforce no constraint, each with the statement that creates it. */
  plainIndexes(tables: readonly string[]): RawBuilder<{ name: string; definition: string }>;
  /**
   * The columns of a table that refer to other tables: `column`, `parent`, `referred` (the column there), `on_delete`
   * ("cascade", "set null" or "no action") and `is_nullable`.
   */
  foreignKeys(table: string): RawBuilder<unknown>;
  /** The highest id that a table has ever assigned, as `id`; null or no row if it has assigned none. */
  lastId(table: string): RawBuilder<{ id: number | null }>;
  /** Makes a table assign ids after this one, whatever rows it has. Run the statements in order. */
  continueAfterId(table: string, id: number): RawBuilder<unknown>[];
  /**
   * Run these after rows have been copied with their revisions. PostgreSQL's sequence then continues after the copied
   * revisions that came from a sequence. SQLite's revisions are random 53-bit numbers, nearly all of them larger than
   * any sequence gets.
   */
  readonly continueRevisions: readonly RawBuilder<unknown>[];
  /**
   * Run these after a whole database has been filled: they update the planner's statistics and empty SQLite's
   * write-ahead log.
   */
  readonly afterManyRows: readonly RawBuilder<unknown>[];
  /** The tables that have rows, and whether the planner has statistics of them. Null if it needs none. */
  readonly filledTables: RawBuilder<{ name: string; has_statistics: boolean }> | null;
  /** Whether an error means that a row's values cannot be stored, rather than any other failure. */
  isRefusal(error: unknown): boolean;
  /** Whether an error says that there is no room for the database. */
  isFull(error: unknown): boolean;
  /**
   * Appended to a table's name: forces this index. SQLite's planner knows little about its tables and picks the wrong
   * index. PostgreSQL's planner chooses by itself.
   */
  indexedBy(index: string): RawBuilder<unknown>;
  /**
   * A condition that partial indexes have, for the indexes and for queries that read them. Without statistics,
   * PostgreSQL's planner estimates that a comparison with a constant leaves hardly any rows. Then all indexes with this
   * condition seem equally good, and it may read one and sort the rows. It knows nothing about a `case`, and always
   * estimates that half of the rows match, so reading an index in order seems best.
   */
  conditionOfIndex(condition: RawBuilder<boolean>): RawBuilder<boolean>;
  /**
   * A document's id as the list indexes have it. To order by id, PostgreSQL's planner might use the primary key and
   * skip every hidden row on the way; only those indexes provide the order of this expression.
   */
  readonly listedId: RawBuilder<unknown>;
  /**
   * Appended to a table that is read in order: looks up the document of each row. PostgreSQL's planner must be kept
   * from merging the two tables instead, which would start at the beginning of both.
   */
  documentOf(id: RawBuilder<unknown>): RawBuilder<unknown>;
  /**
   * Appended to the name of a subquery in which the rows of another table are looked up. SQLite builds an automatic
   * index only for a materialized subquery. PostgreSQL's planner chooses by itself.
   */
  readonly materializedForLookups: RawBuilder<unknown>;
  /** Joins two tables in the order in which they are written. PostgreSQL's planner chooses the order by itself. */
  readonly joinInOrder: RawBuilder<unknown>;
  /**
   * Joins a subquery of `with` to a table. `select` writes a select that reads `from` and has `condition`. PostgreSQL
   * cannot know how many rows the subquery has before it runs, so the result is two selects, of which one finds rows:
   * many rows are joined to the whole table, and each of few is looked up.
   */
  joinedTo(join: SubqueryJoin, select: SelectFrom): RawBuilder<unknown>;
  /**
   * Whether `(value, id) > (?, ?)` is one range of an index, as it is in PostgreSQL. SQLite would use only the value
   * for the range, and skip the rows of equal value one by one.
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

/** A join of the rows of a subquery to those rows of a table that have the same value in these columns. */
export interface SubqueryJoin {
  subquery: { name: string; column: string };
  table: { name: string; column: string };
}

export type SelectFrom = (from: RawBuilder<unknown>, condition: RawBuilder<unknown>) => RawBuilder<unknown>;

export interface CountedColumn {
  name: string;
  isNumber: boolean;
  value: RawBuilder<unknown>;
}

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
  list: (values) => JSON.stringify(values),
  valuesOf: (list) => sql`select value from json_each(${list})`,
  joinedIds: (id) => sql`group_concat(${id}, ',' order by ${id})`,
  concatenated: (text, separator) => sql`group_concat(${text}, ${sql.lit(separator)})`,
  asBytes: (text) => sql`cast(${text} as blob)`,
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
  joinedTo: ({ subquery, table }, select) =>
    select(
      sql`${sql.table(subquery.name)} cross join ${sql.table(table.name)}`,
      sql`${sql.ref(`${table.name}.${table.column}`)} = ${sql.ref(`${subquery.name}.${subquery.column}`)}`,
    ),
  comparesPairs: false,
};

const countedValue = (index: number): RawBuilder<unknown> => sql.ref(`value${index}`);

/** Looking up a row of a table in PostgreSQL takes about as long as reading this many. */
const rowsPerLookup = 8;

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
  valuesOf: (list) => sql`select unnest(${list}::bigint[]) as value`,
  joinedIds: (id) => sql`string_agg(${id}::text, ',' order by ${id})`,
  concatenated: (text, separator) => sql`string_agg(${text}, ${sql.lit(separator)})`,
  asBytes: (text) => sql`convert_from(convert_to(${text}, 'UTF8'), 'LATIN1')`,
  // Without the offset, the planner might choose a join that loses the order.
  leftLookup: (table, condition) =>
    sql`left join lateral (select * from ${table} where ${condition} offset 0) as ${table} on true`,
  valueCounts: (columns, source, limit) => {
    // Ids are counted apart from texts: with them, nearly every row would be a combination of its own.
    const groups = [...Map.groupBy(columns.keys(), (index) => columns[index]?.isNumber === true)];
    const combinations = groups.map(([isNumber, indexes], group) => {
      const named = indexes.map((index) => {
        const column = sql.ref((columns[index] as CountedColumn).name);
        return sql`${isNumber ? column : sql`(${column} collate "C")`} as ${countedValue(index)}`;
      });
      const keys = indexes.map((_, key) => sql.lit(key + 1));
      return sql`${sql.ref(`combinations${group}`)} as materialized (
        select ${sql.join(named)}, count(*) as n from ${source} group by ${sql.join(keys)})`;
    });
    const lists = columns.map((_, index) => {
      const group = groups.findIndex(([, indexes]) => indexes.includes(index));
      return sql`(select coalesce(json_agg(json_build_array(value, n) order by n desc, value), '[]')
        from (select ${countedValue(index)} as value, cast(sum(n) as bigint) as n from ${sql.ref(`combinations${group}`)}
          group by 1 order by 2 desc, 1 limit ${sql.lit(limit)}) as counts)`;
    });
    return sql`(with ${sql.join(combinations)} select json_build_array(${sql.join(lists)})::text)`;
  },
  countedValues: (columns) => columns.map(({ name, value }) => sql`${value} as ${sql.ref(name)}`),
  asJson: (value) => sql`to_json(${value})::text`,
  // Never moves back: ids that are already assigned may belong to deleted or uncommitted rows.
  afterOwnIds: (table) => sql`select setval(pg_get_serial_sequence(${table}, 'id'), own.highest)
    from (select max(id) as highest from ${sql.table(table)}) own
    where own.highest > coalesce(pg_sequence_last_value(pg_get_serial_sequence(${table}, 'id')::regclass), 0)`,
  reserveId: (table) => [sql`select nextval(pg_get_serial_sequence(${table}, 'id')) as id`],
  lockForWriting: (table) => sql`lock table ${sql.table(table)} in share row exclusive mode`,
  forUpdate: sql`for no key update`,
  lockRows: (table, ids) => sql`select from ${sql.table(table)} where id = any(${ids}::bigint[])
    order by id for no key update`,
  forUpdateOfFree: sql`for no key update skip locked`,
  forManyRows: [],
  insertWhole: sql`insert into`,
  newRevision: () => null,
  writesAll: {
    begin: sql`set local quire.writes_all = 'on'`,
    end: sql`set local quire.writes_all = 'off'`,
  },
  newDocumentsPerTransaction: 4000,
  pauseForWritersMilliseconds: 0,
  continueRevisions: [
    sql`select setval('document_revisions', max(revision)) from documents where revision < ${sql.lit(2 ** 40)}
      having max(revision) > 0`,
  ],
  afterManyRows: [sql`analyze`],
  filledTables: sql`select relname as name, exists (
      select from pg_stats where schemaname = current_schema() and tablename = relname) as has_statistics
    from pg_class where relnamespace = current_schema()::regnamespace and relkind = 'r'
      and pg_relation_size(oid) > 0 and pg_get_userbyid(relowner) = current_user order by relname`,
  tableNamed: (name) => sql`select 1 where to_regclass(quote_ident(${name})) is not null`,
  plainIndexes: (tables) => sql`select indexes.relname as name, pg_get_indexdef(indexes.oid) as definition
    from pg_index join pg_class as indexes on indexes.oid = indexrelid
      join pg_class as tables on tables.oid = indrelid
    where not indisunique and tables.relnamespace = current_schema()::regnamespace
      and tables.relname = any(${tables}::text[]) order by indexes.oid`,
  foreignKeys: (
    table,
  ) => sql`select own.attname as column, parents.relname as parent, theirs.attname as referred,
      case confdeltype when 'c' then 'cascade' when 'n' then 'set null' else 'no action' end as on_delete,
      not own.attnotnull as is_nullable
    from pg_constraint join pg_class as parents on parents.oid = confrelid
      join pg_attribute as own on own.attrelid = conrelid and own.attnum = conkey[1]
      join pg_attribute as theirs on theirs.attrelid = confrelid and theirs.attnum = confkey[1]
    where contype = 'f' and conrelid = to_regclass(quote_ident(${table}))`,
  lastId: (table) =>
    sql`select pg_sequence_last_value(pg_get_serial_sequence(${table}, 'id')::regclass) as id`,
  continueAfterId: (table, id) => [sql`select setval(pg_get_serial_sequence(${table}, 'id'), ${id})`],
  // Data exceptions, violated constraints and exceeded program limits.
  isRefusal: (error) => hasCode(error, "code", (code) => /^(22|23|54)...$/.test(String(code))),
  isFull: (error) => hasCode(error, "code", (code) => code === "53100"),
  indexedBy: () => sql``,
  conditionOfIndex: (condition) => sql`case when ${condition} then true else false end`,
  listedId: sql`(documents.id + 0)`,
  documentOf: (id) =>
    sql`cross join lateral (select * from documents where documents.id = ${id} offset 0) as documents`,
  materializedForLookups: sql``,
  joinInOrder: sql`join`,
  joinedTo: ({ subquery, table }, select) => {
    const rows = sql.table(subquery.name);
    const rowId = sql.ref(`${subquery.name}.${subquery.column}`);
    const id = sql.ref(`${table.name}.${table.column}`);
    const isMany = sql`${sql.lit(rowsPerLookup)} * (select count(*) from ${rows})
      > (select reltuples from pg_class where oid = ${sql.lit(table.name)}::regclass)`;
    // The sum rules out the index, and the offset everything else.
    return sql`${select(sql`${rows} join ${sql.table(table.name)} on ${id} + 0 = ${rowId}`, isMany)}
      union all ${select(
        sql`${rows} cross join lateral (select * from ${sql.table(table.name)} where ${id} = ${rowId} offset 0)
          as ${sql.table(table.name)}`,
        sql`not (${isMany})`,
      )}`;
  },
  comparesPairs: true,
};

/** The bytes that {@link Dialect.asBytes} has selected, without copying them if the engine returns bytes. */
export function bytesIn(value: Uint8Array | string): Buffer {
  return typeof value === "string"
    ? Buffer.from(value, "latin1")
    : Buffer.from(value.buffer, value.byteOffset, value.byteLength);
}

/** The dialect of an engine. */
export function dialectFor(engine: Dialect["engine"]): Dialect {
  return engine === "sqlite" ? sqliteDialect : postgresDialect;
}

/** The dialect of a transaction's engine. */
export function dialectOf(executor: QueryExecutorProvider): Dialect {
  return executor.getExecutor().adapter instanceof SqliteAdapter ? sqliteDialect : postgresDialect;
}

/** Whether an error of either engine says that there is no room for the database. */
export function isDatabaseFull(error: unknown): boolean {
  return [sqliteDialect, postgresDialect].some((dialect) => dialect.isFull(error));
}

function hasCode(error: unknown, member: string, matches: (code: unknown) => boolean): boolean {
  return error instanceof Error && member in error && matches(error[member as keyof Error]);
}

import type { Expression, RawBuilder } from "kysely";

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
  /**
   * The time by the database's clock, as timestamps are stored: the same for all machines that share it. SQLite is in
   * this machine, so it takes this process's clock.
   */
  readonly now: () => RawBuilder<string>;
  /** A list for `isAmong`, `isAmongTexts` or `valuesOf`, as a bindable value. */
  list(values: readonly (number | string)[]): unknown;
  /** A select of the numbers in a list, in order, as rows with a single column `value`. */
  valuesOf(list: Expression<unknown>): RawBuilder<unknown>;
  /** The same for texts. */
  textValuesOf(list: Expression<unknown>): RawBuilder<unknown>;
  /** The part of a text before its first `separator`; all of it if it has none. */
  before(text: Expression<unknown>, separator: string): RawBuilder<string>;
  /** The numbers that a subquery finds, ascending and separated by commas; null or "" if there are none. */
  joinedIds(id: Expression<unknown>): RawBuilder<string | null>;
  /** The texts of the rows that a subquery selects in order, joined with `separator`. */
  concatenated(text: RawBuilder<unknown>, separator: string): RawBuilder<unknown>;
  /**
   * The UTF-8 bytes of a long text. PostgreSQL returns a text with a character from U+0000 to U+00FF for each byte: its
   * driver decodes that several times faster than bytes, or than other characters. `bytesIn` takes what the query
   * returned.
   */
  asBytes(text: RawBuilder<unknown>): RawBuilder<unknown>;
  /** The bytes that `asBytes` has selected, without copying them if the engine returns bytes. */
  bytesIn(value: unknown): Buffer;
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
   * itself writes everything that follows from them: see migrations/baseline/documents.ts.
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
   * Whether to look up each id in two indexes is faster than to join its row. PostgreSQL's planner would join whole
   * tables, which is faster there.
   */
  readonly looksUpIds: boolean;
  /**
   * The rows of selects with one column, each once. SQLite merges them without a table of all rows, if an index has
   * those of each select in order.
   */
  unionOf(selects: readonly RawBuilder<unknown>[]): RawBuilder<unknown>;
  /**
   * Joins a subquery of `with` to a table. `select` writes a select that reads `from` and has `condition`. PostgreSQL
   * cannot know how many rows the subquery has before it runs, so the result is two selects, of which one finds rows:
   * many rows are joined to the whole table, and each of few is looked up. `ofMany` is another select for many rows.
   */
  joinedTo(join: SubqueryJoin, select: SelectFrom, ofMany?: RawBuilder<unknown> | null): RawBuilder<unknown>;
  /** A query for about how many rows a table has, as `rows`. Null on SQLite, which does not know. */
  estimatedRows(table: string): RawBuilder<{ rows: number }> | null;
  /**
   * Whether `(value, id) > (?, ?)` is one range of an index, as it is in PostgreSQL. SQLite would use only the value
   * for the range, and skip the rows of equal value one by one.
   */
  readonly comparesPairs: boolean;
  /** The order of the rows of `events`: see migrations/baseline/events.ts. */
  readonly eventOrder: {
    readonly columns: RawBuilder<unknown>;
    /** Whether a row comes after the one with this transaction and this id. */
    after(transaction: Expression<unknown>, id: Expression<unknown>): RawBuilder<boolean>;
    /** Whether no transaction that is still open can add a row before this one. */
    readonly isSettled: RawBuilder<boolean>;
  };
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
  /** SQLite reads the index, if it is given: the condition must imply that of a partial one. */
  table: { name: string; column: string; index?: string | null };
}

export type SelectFrom = (from: RawBuilder<unknown>, condition: RawBuilder<unknown>) => RawBuilder<unknown>;

export interface CountedColumn {
  name: string;
  isNumber: boolean;
  value: RawBuilder<unknown>;
}

import { BoundedMap } from "../bounded-map.ts";
import {
  type CompiledQuery,
  type Expression,
  type QueryExecutorProvider,
  type RawBuilder,
  sql,
} from "kysely";

/** A placeholder for a value that is bound when the query runs. */
class Parameter {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }
}

export function parameter<T>(name: string): Expression<T> {
  return sql`${new Parameter(name)}`;
}

/** A statement, and the values of its parameters. */
export type BoundQuery = Pick<CompiledQuery, "sql" | "parameters">;

/** A connection that runs the queries; `name` is the name of a statement that PostgreSQL keeps prepared. */
export interface QueryRunner {
  run(query: BoundQuery, name: string | null): unknown[] | Promise<unknown[]>;
}

type Values = Readonly<Record<string, unknown>>;

const maxShapes = 512;

export interface NamingOptions {
  /** Begins each name. */
  prefix?: string;
  fromUse?: number;
  maxNames?: number;
}

/**
 * Names for the statements that PostgreSQL keeps prepared. It keeps them for as long as the connection lasts, and
 * clients choose the shapes of statements. So a shape gets a name only after repeated use, and the number of names is
 * limited.
 */
export class StatementNames {
  readonly #options: Required<NamingOptions>;
  readonly #names = new Map<string, string>();
  readonly #uses = new BoundedMap<string, number>(maxShapes);

  constructor(options: NamingOptions = {}) {
    this.#options = { prefix: "quire", fromUse: 5, maxNames: 1000, ...options };
  }

  /** Counts a use of the shape. Returns its name, if it has one. */
  use(shape: string): string | null {
    const known = this.#names.get(shape);
    if (known !== undefined) return known;
    const { prefix, fromUse, maxNames } = this.#options;
    if (this.#names.size >= maxNames) return null;
    const uses = (this.#uses.get(shape) ?? 0) + 1;
    if (uses < fromUse) {
      this.#uses.set(shape, uses);
      return null;
    }
    this.#uses.delete(shape);
    const name = `${prefix}_${this.#names.size}`;
    this.#names.set(shape, name);
    return name;
  }
}

/**
 * Builds and compiles a query once for each shape, which takes longer than running one, and then runs it with other
 * values. Everything that changes the query's text belongs in its shape; every value is a {@link parameter}.
 */
export class PreparedQueries {
  readonly #executor: QueryExecutorProvider;
  readonly #runner: QueryRunner;
  readonly #names: StatementNames;
  readonly #shapes = new BoundedMap<string, CompiledQuery>(maxShapes);

  /** `executor` knows the engine's SQL. */
  constructor(executor: QueryExecutorProvider, runner: QueryRunner, names = new StatementNames()) {
    this.#executor = executor;
    this.#runner = runner;
    this.#names = names;
  }

  /**
   * SQLite returns the rows synchronously, so that the reads of one request need no pause between them. Throws if the
   * query has a parameter without a value, which means that one shape stands for two queries. `more` has the values
   * that are not in `values`.
   */
  rows<Row>(
    shape: string,
    build: () => RawBuilder<unknown>,
    values: Values,
    more: Values = {},
  ): Row[] | Promise<Row[]> {
    const query = this.#shapes.get(shape) ?? this.#prepare(shape, build);
    const parameters = query.parameters.map((value) =>
      value instanceof Parameter ? valueOf(value, values, more) : value,
    );
    return this.#runner.run({ sql: query.sql, parameters }, this.#names.use(shape)) as Row[] | Promise<Row[]>;
  }

  #prepare(shape: string, build: () => RawBuilder<unknown>): CompiledQuery {
    const query = build().compile(this.#executor);
    this.#shapes.set(shape, query);
    return query;
  }
}

function valueOf({ name }: Parameter, values: Values, more: Values): unknown {
  const known = values[name];
  const value = known === undefined ? more[name] : known;
  if (value === undefined) throw new Error(`The query's parameter "${name}" has no value.`);
  return value;
}

interface Standbys {
  during<T>(work: () => T | Promise<T>): Promise<T>;
}

/** Runs `work`, whose reads may go to a standby if there are any. */
export function readingAnywhere<T>(
  { standbys }: { standbys: Standbys | null },
  work: () => T,
): T | Promise<Awaited<T>> {
  return standbys === null ? work() : (standbys.during(work) as Promise<Awaited<T>>);
}

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

export interface Buildable<Row> {
  compile(): CompiledQuery<Row>;
}

/** A query written as SQL, with the type of its rows. */
export function compilable<Row>(executor: QueryExecutorProvider, query: RawBuilder<unknown>): Buildable<Row> {
  return { compile: () => query.compile(executor) };
}

type Run = (query: CompiledQuery, name: string | null) => unknown[] | Promise<unknown[]>;

const maxShapes = 512;

/**
 * PostgreSQL keeps a named query prepared for as long as the connection lasts, and clients choose the shapes of
 * lists. So a shape gets a name only after repeated use, and the number of names is limited.
 */
const namedFromUse = 5;
const maxNames = 1000;

interface Prepared {
  query: CompiledQuery;
  name: string | null;
  uses: number;
}

/**
 * Builds and compiles a query once for each shape, which takes longer than running one, and then runs it with other
 * values. Everything that changes the query's text belongs in its shape; every value is a {@link parameter}.
 */
export class PreparedQueries {
  readonly #run: Run;
  readonly #namedFromUse: number;
  readonly #shapes = new Map<string, Prepared>();
  #named = 0;

  constructor(run: Run, options: { namedFromUse: number } = { namedFromUse }) {
    this.#run = run;
    this.#namedFromUse = options.namedFromUse;
  }

  /**
   * SQLite returns the rows synchronously, so that the reads of one request need no pause between them. Throws if the
   * query has a parameter without a value, which means that one shape stands for two queries.
   */
  rows<Row>(
    shape: string,
    build: () => Buildable<Row>,
    values: Readonly<Record<string, unknown>>,
  ): Row[] | Promise<Row[]> {
    const prepared = this.#shapes.get(shape) ?? this.#prepare(shape, build);
    const { query } = prepared;
    prepared.uses += 1;
    if (prepared.name === null && prepared.uses >= this.#namedFromUse && this.#named < maxNames) {
      prepared.name = `quire_${this.#named++}`;
    }
    const parameters = query.parameters.map((value) =>
      value instanceof Parameter ? valueOf(value, values) : value,
    );
    return this.#run({ ...query, parameters }, prepared.name) as Row[] | Promise<Row[]>;
  }

  #prepare<Row>(shape: string, build: () => Buildable<Row>): Prepared {
    const oldest = this.#shapes.size >= maxShapes ? this.#shapes.keys().next().value : undefined;
    if (oldest !== undefined) this.#shapes.delete(oldest);
    const prepared = { query: build().compile(), name: null, uses: 0 };
    this.#shapes.set(shape, prepared);
    return prepared;
  }
}

function valueOf({ name }: Parameter, values: Readonly<Record<string, unknown>>): unknown {
  const value = values[name];
  if (value === undefined) throw new Error(`The query's parameter "${name}" has no value.`);
  return value;
}

import {
  type CompiledQuery,
  type Expression,
  type QueryExecutorProvider,
  type RawBuilder,
  sql,
} from "kysely";

/** The place of a value that is known when the query runs. */
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

/** A query written as SQL, with the row that it is known to give. */
export function compilable<Row>(executor: QueryExecutorProvider, query: RawBuilder<unknown>): Buildable<Row> {
  return { compile: () => query.compile(executor) };
}

type Run = (query: CompiledQuery, name: string) => unknown[] | Promise<unknown[]>;

const shapesKept = 512;

/**
 * Queries that are built and compiled once for each shape (which takes longer than running one) and then run
 * with other values. Whatever changes a query's text belongs into its shape; whatever is a value is a
 * {@link parameter}.
 */
export class PreparedQueries {
  readonly #run: Run;
  readonly #shapes = new Map<string, { query: CompiledQuery; name: string }>();
  #made = 0;

  constructor(run: Run) {
    this.#run = run;
  }

  /** On SQLite the rows are there at once, so that one request's reads can be made without a pause between. */
  rows<Row>(
    shape: string,
    build: () => Buildable<Row>,
    values: Readonly<Record<string, unknown>>,
  ): Row[] | Promise<Row[]> {
    const { query, name } = this.#shapes.get(shape) ?? this.#prepare(shape, build);
    const parameters = query.parameters.map((value) =>
      value instanceof Parameter ? values[value.name] : value,
    );
    return this.#run({ ...query, parameters }, name) as Row[] | Promise<Row[]>;
  }

  #prepare<Row>(shape: string, build: () => Buildable<Row>): { query: CompiledQuery; name: string } {
    const oldest = this.#shapes.size >= shapesKept ? this.#shapes.keys().next().value : undefined;
    if (oldest !== undefined) this.#shapes.delete(oldest);
    const prepared = { query: build().compile(), name: `quire_${this.#made++}` };
    this.#shapes.set(shape, prepared);
    return prepared;
  }
}

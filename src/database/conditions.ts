import { type Expression, type RawBuilder, sql } from "kysely";
import { asciiLower } from "./ascii-lower.ts";
import type { Database } from "./database.ts";
import type { Dialect } from "./dialect.ts";
import { type Page, type Segment, readPage } from "./keyset.ts";
import { parameter } from "./prepared-queries.ts";

interface PageOptions {
  /** Whether the highest id comes first. */
  descending?: boolean;
  /** The column of the id; the columns that are read call it `id`. */
  id?: string;
  /** Tells apart lists of one table with the same conditions and other columns. */
  name?: string;
}

/** The conditions of a client's filters on the rows of one table: their SQL and their values. */
export class Conditions {
  readonly where: RawBuilder<unknown>[] = [];
  readonly values: Record<string, unknown> = {};
  readonly #dialect: Dialect;
  readonly #table: string;
  #shape = "";

  constructor(dialect: Dialect, table: string) {
    this.#dialect = dialect;
    this.#table = table;
  }

  /** Equal shapes mean equal SQL. */
  get shape(): string {
    return this.#shape;
  }

  equals(column: string, value: unknown): this {
    return this.that(
      `${column}=`,
      column,
      value,
      (placeholder) => sql`${this.#column(column)} = ${placeholder}`,
    );
  }

  /** Ignores the case of ASCII letters, as the indexes for this do. */
  equalsInAnyCase(column: string, value: string | undefined): this {
    const lower = value === undefined ? undefined : asciiLower(value);
    return this.that(
      `${column}~`,
      column,
      lower,
      (placeholder) => sql`lower(${this.#column(column)}) = ${placeholder}`,
    );
  }

  startsWithInAnyCase(column: string, value: string | undefined): this {
    const pattern = value === undefined ? undefined : `${likeText(value)}%`;
    return this.that(`${column}^`, `${column}Start`, pattern, (placeholder) =>
      this.holdsInAnyCase(column, placeholder),
    );
  }

  /** Whether a column matches a pattern of {@link likeText}, ignoring case. */
  holdsInAnyCase(column: string, pattern: Expression<unknown>): RawBuilder<boolean> {
    const dialect = this.#dialect;
    return sql`${dialect.folded(this.#column(column))} like ${dialect.folded(pattern)} escape '\\'`;
  }

  among(column: string, ids: readonly number[] | undefined): this {
    const list = ids === undefined ? undefined : this.#dialect.list(ids);
    return this.that(`${column} in`, `${column}s`, list, (placeholder) =>
      this.#dialect.isAmong(this.#column(column), placeholder),
    );
  }

  /** A condition with one value; skipped if the value is undefined. */
  that(
    shape: string,
    name: string,
    value: unknown,
    condition: (placeholder: ReturnType<typeof parameter>) => RawBuilder<unknown>,
  ): this {
    if (value === undefined) return this;
    this.values[name] = value;
    return this.always(shape, condition(parameter(name)));
  }

  /** Gives values to the parameters of the other conditions and of the columns. */
  with(values: Readonly<Record<string, unknown>>): this {
    Object.assign(this.values, values);
    return this;
  }

  /** One page of the rows, in order of their ids. */
  async page<Row extends { id: number }>(
    database: Database,
    columns: RawBuilder<unknown>,
    { key, reverse, offset }: { key: { id: number } | null; reverse: boolean; offset: number },
    limit: number,
    { descending = false, id = "id", name = "" }: PageOptions = {},
  ): Promise<Page<Row>> {
    const range = { from: sql.table(this.#table), where: this.where.length > 0 ? this.where : [sql`1 = 1`] };
    const segment: Segment = {
      shape: `${name} ${this.#table} ${this.#shape}`,
      descending,
      sql: () => ({ select: columns, ranges: [range], value: null, id: this.#column(id) }),
    };
    const position = key === null ? null : { segment: 0, key };
    const { values } = this;
    return readPage<Row>(database, { segments: [segment], position, reverse, offset, limit, values });
  }

  always(shape: string, condition: RawBuilder<unknown>): this {
    this.where.push(condition);
    this.#shape += `&${shape}`;
    return this;
  }

  #column(column: string) {
    return sql.ref(`${this.#table}.${column}`);
  }
}

/** Escapes a text as a `like` pattern that matches only itself. */
export function likeText(text: string): string {
  return text.replaceAll(/[\\%_]/g, "\\$&");
}

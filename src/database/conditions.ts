import { type Expression, type RawBuilder, sql } from "kysely";
import { asciiLower } from "./ascii-lower.ts";
import type { Dialect } from "./dialect.ts";
import { parameter } from "./prepared-queries.ts";

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

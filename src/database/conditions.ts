import { type Expression, type RawBuilder, sql } from "kysely";
import { asciiLower } from "./ascii-lower.ts";
import type { Dialect } from "./dialect.ts";
import { parameter } from "./prepared-queries.ts";

/** Conditions on the rows of one table, as a client's filters ask for them: their text, and the values in it. */
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

  /** Equal shapes are equal texts. */
  get shape(): string {
    return this.#shape;
  }

  equals(column: string, value: unknown): this {
    return this.that(`${column}=`, column, value, (place) => sql`${this.#column(column)} = ${place}`);
  }

  /** Whatever the case of ASCII's letters: as the indexes that are for this have it. */
  equalsInAnyCase(column: string, value: string | undefined): this {
    const lower = value === undefined ? undefined : asciiLower(value);
    return this.that(`${column}~`, column, lower, (place) => sql`lower(${this.#column(column)}) = ${place}`);
  }

  startsWithInAnyCase(column: string, value: string | undefined): this {
    const pattern = value === undefined ? undefined : `${likeText(value)}%`;
    return this.that(`${column}^`, `${column}Start`, pattern, (place) => this.holdsInAnyCase(column, place));
  }

  /** Whether a column is like a pattern of {@link likeText}, whatever the case. */
  holdsInAnyCase(column: string, pattern: Expression<unknown>): RawBuilder<boolean> {
    const dialect = this.#dialect;
    return sql`${dialect.folded(this.#column(column))} like ${dialect.folded(pattern)} escape '\\'`;
  }

  among(column: string, ids: readonly number[] | undefined): this {
    const list = ids === undefined ? undefined : this.#dialect.list(ids);
    return this.that(`${column} in`, `${column}s`, list, (place) =>
      this.#dialect.isAmong(this.#column(column), place),
    );
  }

  /** A condition with one value, which is left out when the value is undefined. */
  that(
    shape: string,
    name: string,
    value: unknown,
    condition: (place: ReturnType<typeof parameter>) => RawBuilder<unknown>,
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

/** A text as a pattern of `like` that only it matches. */
export function likeText(text: string): string {
  return text.replaceAll(/[\\%_]/g, "\\$&");
}

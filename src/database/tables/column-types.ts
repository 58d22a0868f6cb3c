import type { ColumnType } from "kysely";

/** SQLite returns 0 and 1, PostgreSQL returns booleans: test the value for truth, and write booleans. */
export type Flag = ColumnType<boolean | number, boolean, boolean>;

/** UTC in ISO 8601 with exactly six digits of a second and a `Z`, so that text order is time order in both engines. */
export type Timestamp = string;

/** Null by default. */
export type Optional<T> = ColumnType<T | null, T | null | undefined, T | null>;

/** Maintained by the database (a trigger or a generated column); programs only read it. */
export type Immutable<T> = ColumnType<T, never, never>;

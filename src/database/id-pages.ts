import { type RawBuilder, sql } from "kysely";
import type { Database } from "./database.ts";
import { type Page, type Range, readPage } from "./keyset.ts";

/** A list of a small resource, in order of ids. */
export interface IdList {
  /** Equal shapes mean queries that differ only in the values of their parameters. */
  shape: string;
  table: string;
  columns: RawBuilder<unknown>;
  /** The conditions on the rows, which may use parameters. */
  where: readonly RawBuilder<unknown>[];
  values: Readonly<Record<string, unknown>>;
  /** Whether the highest id comes first. */
  descending?: boolean;
}

export async function readIdPage<Row extends { id: number }>(
  database: Database,
  { shape, table, columns, where, values, descending = false }: IdList,
  at: { key: { id: number } | null; reverse: boolean; offset: number },
  limit: number,
): Promise<Page<Row>> {
  const range = (): Range => ({ from: sql.table(table), where: where.length > 0 ? where : [sql`1 = 1`] });
  return readPage<Row>(database, {
    segments: [
      {
        shape: `${table} ${shape}`,
        descending,
        sql: () => ({ select: columns, ranges: [range()], value: null, id: sql.ref(`${table}.id`) }),
      },
    ],
    position: at.key === null ? null : { segment: 0, key: at.key },
    reverse: at.reverse,
    offset: at.offset,
    limit,
    values,
  });
}

import { type Expression, type RawBuilder, sql } from "kysely";
import type { Database } from "./database.ts";
import type { Dialect } from "./dialect.ts";
import { parameter } from "./prepared-queries.ts";

/**
 * Keyset pagination: a page is "the next n rows after this key", never "rows 26 to 50". The key holds everything that
 * the list is sorted by and ends in the id, so it is a position between two rows that exists whether or not the row
 * that named it still does. Inserting, deleting or moving other rows cannot push a row past a position. So while
 * others write, a walk shows every row whose key stays the same exactly once, and a row whose key changes at most
 * once for each of its keys. Offsets cannot give that guarantee and would also make distant pages slow; a server-side
 * snapshot could give it, but would have to be kept for as long as a client cares to walk.
 *
 * A list may consist of several segments in sequence: "sorted by a data key" is the documents that have the key, by
 * its value, then those without it, by id. A segment may be the union of several ranges, each of them a range of one
 * index that is read no further than the page needs: "of user 1 or 2" merges two of them. So the cost of a page
 * depends on its own rows, not on the size of the list.
 */
export interface Segment {
  /** Identifies the result of `sql`: equal shapes mean queries that differ only in the values of their parameters. */
  shape: string;
  descending: boolean;
  /** Called once for each shape. */
  sql: () => SegmentSql;
}

export interface SegmentSql {
  /** Selects `id`. If the segment is sorted by a value, the query adds it as `value`. */
  select: RawBuilder<unknown>;
  ranges: readonly Range[];
  /**
   * The value that the segment is sorted by before the id; null if it is sorted by id alone. Value and id are columns
   * of every range that does not name its own.
   */
  value: RawBuilder<unknown> | null;
  id: RawBuilder<unknown>;
}

export interface Range {
  from: RawBuilder<unknown>;
  where: readonly Expression<unknown>[];
  /** The columns of this range for the segment's `value` and `id`, if its table names them differently. */
  value?: RawBuilder<unknown>;
  id?: RawBuilder<unknown>;
}

/** The sort key of the row beside a position. */
export interface Key {
  value?: unknown;
  id: number;
}

export interface PageRequest {
  segments: readonly Segment[];
  /** Null is the end of the list from which the direction starts. */
  position: { segment: number; key: Key } | null;
  reverse: boolean;
  offset: number;
  limit: number;
  /** The values of the segments' parameters. */
  values: Readonly<Record<string, unknown>>;
}

export interface Page<Row> {
  /** In the order of the list, even if it was read in reverse. */
  rows: Row[];
  /** Whether the list has rows before the page, and after it. */
  before: boolean;
  after: boolean;
}

/** An alternative form in which the engine returns the rows of a segment. */
export interface PageForm<Row> {
  /** Identifies what `around` returns. */
  name: string;
  /**
   * Wraps a query around the rows: a subquery with the columns of the segment, and `value` if it `hasValue`. The query
   * also selects `isBehind` as `behind`, once for all rows.
   */
  around(rows: RawBuilder<unknown>, isBehind: RawBuilder<unknown>, hasValue: boolean): RawBuilder<unknown>;
  /**
   * Extracts the rows from the only row of that query, in the order in which they were selected and each with `behind`.
   */
  rows(result: unknown): Row[];
}

export async function readPage<Row>(
  database: Database,
  request: PageRequest,
  form?: PageForm<Row>,
): Promise<Page<Row>> {
  const { segments, position, reverse, limit } = request;
  const withBehind = form as PageForm<Row & WithBehind> | undefined;
  const rows: (Row & WithBehind)[] = [];
  const first = position?.segment ?? (reverse ? segments.length - 1 : 0);
  for (let index = first; rows.length <= limit; index += reverse ? -1 : 1) {
    const segment = segments[index];
    if (segment === undefined) break;
    const key = index === position?.segment ? position.key : null;
    const part = { limit: limit + 1 - rows.length, offset: rows.length === 0 ? request.offset : 0 };
    rows.push(
      ...(await readSegment<Row & WithBehind>(database, segment, request, key, "beyond", part, withBehind)),
    );
  }
  const beyond = rows.length > limit;
  if (beyond) rows.pop();
  const hasSkipped = request.offset > 0 && rows.length > 0;
  const behind = hasSkipped || Boolean(rows[0]?.behind) || (await anyBehind(database, request));
  if (reverse) return { rows: rows.toReversed(), before: beyond, after: behind };
  return { rows, before: behind, after: beyond };
}

/**
 * A row that also tells whether its segment has rows on the other side of the position, so that one statement suffices.
 */
interface WithBehind {
  behind?: boolean | number;
}

/** Whether the list has rows on the far side of the position, including the row at the position itself. */
async function anyBehind(database: Database, request: PageRequest): Promise<boolean> {
  const { segments, position, reverse } = request;
  if (position === null) return false;
  const opposite = { ...request, reverse: !reverse };
  for (let index = position.segment; ; index += reverse ? 1 : -1) {
    const segment = segments[index];
    if (segment === undefined) return false;
    const key = index === position.segment ? position.key : null;
    const found = await readSegment(database, segment, opposite, key, "at or beyond", {
      limit: 1,
      offset: 0,
    });
    if (found.length > 0) return true;
  }
}

type Side = "beyond" | "at or beyond";

/**
 * The limit is written into the statement. With a parameter, SQLite would parse and plan the statement again each time
 * it runs. PostgreSQL would plan it again too, because it estimates an unknown limit as a tenth of the list.
 */
async function readSegment<Row>(
  database: Database,
  segment: Segment,
  { reverse, values }: PageRequest,
  key: Key | null,
  side: Side,
  { limit, offset }: { limit: number; offset: number },
  form?: PageForm<Row>,
): Promise<Row[]> {
  const { dialect, prepared } = database;
  const down = segment.descending !== reverse;
  const way = `${down ? "down" : "up"}|${key === null ? "end" : side}|${offset > 0 ? "offset" : ""}`;
  const build = (): RawBuilder<unknown> => {
    const written = segment.sql();
    // The offset is a parameter: it comes from a client, and a shape for each offset would be too many.
    const from = key === null ? null : side;
    const isBehind = from === "beyond" ? anyAtOrBeyond(dialect, written, !down) : sql.lit(false);
    const more = form === undefined ? sql`, ${isBehind} as behind` : sql``;
    const rows = segmentQuery(dialect, written, from, down, more, {
      part: offset > 0 ? sql`limit ${parameter("limitWithOffset")}` : sql`limit ${sql.lit(limit)}`,
      whole: sql`limit ${sql.lit(limit)}`,
      offset: offset > 0 ? sql`offset ${parameter("offset")}` : sql``,
    });
    return form?.around(rows, isBehind, written.value !== null) ?? rows;
  };
  const shape = `${form?.name ?? ""}|${segment.shape}|${way}|${limit}`;
  const atKey = { keyValue: key?.value, keyId: key?.id, limitWithOffset: limit + offset, offset };
  const found = await prepared.rows<unknown>(shape, build, values, atKey);
  return form === undefined ? (found as Row[]) : form.rows(found[0]);
}

/** The limits of a query and of its parts. */
interface Limits {
  part: RawBuilder<unknown>;
  whole: RawBuilder<unknown>;
  offset: RawBuilder<unknown>;
}

function segmentQuery(
  dialect: Dialect,
  segment: SegmentSql,
  side: Side | null,
  down: boolean,
  more: RawBuilder<unknown>,
  limits: Limits,
): RawBuilder<unknown> {
  const { select, ranges, value } = segment;
  const parts = rangesBeyond(dialect, segment, side, down);
  const selected = (range: Range): RawBuilder<unknown> =>
    value === null ? select : sql`${select}, ${range.value ?? value} as value`;
  const direction = down ? sql` desc` : sql``;
  const [only] = parts;
  if (only !== undefined && parts.length === 1) {
    return sql`select ${selected(only)}${more} from ${only.from} where ${sql.join(only.where, sql` and `)}
      order by ${orderOf(segment, only, down)} ${limits.whole} ${limits.offset}`;
  }
  const queries = parts.map(
    (range, index) => sql`select * from (
      select ${selected(range)} from ${range.from} where ${sql.join(range.where, sql` and `)}
      order by ${orderOf(segment, range, down)} ${limits.part}
    ) as ${sql.ref(`part${index}`)}`,
  );
  // The two halves of a key never yield the same row; several ranges may, and the row must appear once.
  const union = ranges.length === 1 ? sql` union all ` : sql` union `;
  const outerOrder = value === null ? sql`id${direction}` : sql`value${direction}, id${direction}`;
  return sql`select *${more} from (${sql.join(queries, union)}) as parts
    order by ${outerOrder} ${limits.whole} ${limits.offset}`;
}

/** Not `exists`: for that, PostgreSQL ignores the order and may scan the table from its start up to the first match. */
function anyAtOrBeyond(dialect: Dialect, segment: SegmentSql, down: boolean): RawBuilder<unknown> {
  const found = rangesBeyond(dialect, segment, "at or beyond", down).map(
    (range) => sql`(select 1 from ${range.from} where ${sql.join(range.where, sql` and `)}
      order by ${orderOf(segment, range, down)} limit 1) is not null`,
  );
  return sql`(${sql.join(found, sql` or `)})`;
}

function orderOf(segment: SegmentSql, range: Range, down: boolean): RawBuilder<unknown> {
  const direction = down ? sql` desc` : sql``;
  const { value, id } = keyOf(segment, range);
  return value === null ? sql`${id}${direction}` : sql`${value}${direction}, ${id}${direction}`;
}

function keyOf(segment: SegmentSql, range: Range): Pick<SegmentSql, "value" | "id"> {
  return {
    value: segment.value === null ? null : (range.value ?? segment.value),
    id: range.id ?? segment.id,
  };
}

function rangesBeyond(dialect: Dialect, segment: SegmentSql, side: Side | null, down: boolean): Range[] {
  return segment.ranges.flatMap((range) =>
    keyConditions(dialect, keyOf(segment, range), side, down).map((conditions) =>
      Object.assign({}, range, { where: [...range.where, ...conditions] }),
    ),
  );
}

/** The conditions for a row beyond the key: one set, or one for each half of the key. */
function keyConditions(
  { comparesPairs }: Dialect,
  { value, id }: Pick<SegmentSql, "value" | "id">,
  side: Side | null,
  down: boolean,
): RawBuilder<unknown>[][] {
  if (side === null) return [[]];
  const beyond = sql.raw(down ? "<" : ">");
  const beyondOrAt = side === "beyond" ? beyond : sql.raw(down ? "<=" : ">=");
  const [key, keyId] = [parameter("keyValue"), parameter("keyId")];
  if (value === null) return [[sql`${id} ${beyondOrAt} ${keyId}`]];
  if (comparesPairs) return [[sql`(${value}, ${id}) ${beyondOrAt} (${key}, ${keyId})`]];
  return [[sql`${value} = ${key}`, sql`${id} ${beyondOrAt} ${keyId}`], [sql`${value} ${beyond} ${key}`]];
}

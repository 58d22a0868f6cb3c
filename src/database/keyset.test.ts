import {
  array,
  assert,
  asyncProperty,
  boolean,
  constantFrom,
  integer,
  option,
  record,
  tuple,
} from "fast-check";
import { sql } from "kysely";
import { describe, expect, it } from "vitest";
import { openOn } from "../testing/job-queue.ts";
import { runsOn } from "../testing/runs.ts";
import { engines, testStorage, useStarted } from "../testing/test-app.ts";
import type { Database } from "./database.ts";
import {
  type Key,
  type Page,
  type PageForm,
  type PageRequest,
  type Range,
  type Segment,
  readPage,
} from "./keyset.ts";

/* Pages of small lists against a plain evaluation of them: sort everything, and take what is beyond the position. */

interface Item {
  id: number;
  value: number | null;
  /** Whether it is in the first range, and in the second. */
  a: boolean;
  b: boolean;
}

interface List {
  /** Which ranges the segments unite. */
  ranges: "a" | "b" | "both";
  /** Whether the items with a value come first, by value. Otherwise all items are sorted by id. */
  byValue: boolean;
  descending: readonly [boolean, boolean];
}

/** The second range has other names for the columns. */
function rangesOf({ ranges }: List, condition: "all" | "valued" | "without"): Range[] {
  const is = (value: string) =>
    condition === "all"
      ? []
      : [sql`${sql.ref(value)} is ${sql.raw(condition === "valued" ? "not null" : "null")}`];
  const a = { from: sql`items`, where: [sql`a = 1`, ...is("value")] };
  const named = { value: sql.ref("worth"), id: sql.ref("item") };
  const from = sql`(select id, id as item, value as worth, b from items) as renamed`;
  const b = { from, where: [sql`b = 1`, ...is("worth")], ...named };
  return ranges === "both" ? [a, b] : ranges === "a" ? [a] : [b];
}

function segmentsOf(list: List): Segment[] {
  const shape = JSON.stringify(list);
  const own = { select: sql`id`, id: sql.ref("id") };
  const [first, second] = list.descending;
  const segment = (condition: "all" | "valued" | "without", descending: boolean): Segment => ({
    shape: `${shape} ${condition}`,
    descending,
    sql: () => ({
      ...own,
      ranges: rangesOf(list, condition),
      value: condition === "valued" ? sql.ref("value") : null,
    }),
  });
  return list.byValue ? [segment("valued", first), segment("without", second)] : [segment("all", first)];
}

type Position = PageRequest["position"];

function inOrder(
  list: List,
  one: { segment: number; key: Key },
  other: { segment: number; key: Key },
): number {
  if (one.segment !== other.segment) return one.segment - other.segment;
  const byValue = list.byValue && one.segment === 0;
  const difference = byValue ? Number(one.key.value) - Number(other.key.value) : 0;
  const order = difference === 0 ? one.key.id - other.key.id : difference;
  return list.descending[one.segment] === true ? -order : order;
}

function expectedPage(
  items: readonly Item[],
  list: List,
  { position, reverse, offset, limit }: Pick<PageRequest, "position" | "reverse" | "offset" | "limit">,
) {
  const all = items
    .filter(({ a, b }) => (list.ranges !== "b" && a) || (list.ranges !== "a" && b))
    .map(({ id, value }) => ({ segment: list.byValue && value === null ? 1 : 0, key: { id, value } }))
    .toSorted((one, other) => inOrder(list, one, other));
  const sides = (row: (typeof all)[number]): number =>
    position === null ? 1 : inOrder(list, row, position) * (reverse ? -1 : 1);
  const beyond = (reverse ? all.toReversed() : all).filter((row) => sides(row) > 0);
  const segments = [...Map.groupBy(beyond, ({ segment }) => segment).values()];
  // Each segment skips the offset, until one has rows beyond it.
  const found: number[] = [];
  for (const segment of segments)
    found.push(...segment.slice(found.length === 0 ? offset : 0).map(({ key }) => key.id));
  const rows = found.slice(0, limit);
  const isMore = found.length > limit;
  const isBehind = all.some((row) => sides(row) <= 0) || (offset > 0 && rows.length > 0);
  return reverse
    ? { rows: rows.toReversed(), before: isMore, after: isBehind }
    : { rows, before: isBehind, after: isMore };
}

/** All rows of a segment as one row. */
const joined = ({ dialect }: Database): PageForm<{ id: number; value: unknown; behind?: boolean }> => ({
  name: "joined",
  around: (rows, isBehind, hasValue) => {
    const [ids, worths] = [sql`cast(id as text)`, sql`cast(value as text)`].map((text) =>
      dialect.concatenated(text, ","),
    );
    return sql`select ${ids} as ids, ${hasValue ? worths : sql.lit("")} as worths, ${isBehind} as behind
      from (${rows}) as listed`;
  },
  rows(result) {
    const { ids, worths, behind } = result as { ids: string | null; worths: string | null; behind: boolean };
    const values = (worths ?? "").split(",");
    return ids === null
      ? []
      : ids.split(",").map((id, index) => ({ id: Number(id), value: Number(values[index]), behind }));
  },
});

const maxItems = 8;
/** Short runs have so many too: each takes a few milliseconds. */
const minRuns = 40;
const id = integer({ min: 1, max: 2 * maxItems + 2 });
const value = integer({ min: 0, max: 4 });
const list = record<List>({
  ranges: constantFrom("a", "b", "both"),
  byValue: boolean(),
  descending: tuple(boolean(), boolean()),
});
const asked = record({
  segment: constantFrom(0, 1),
  key: option(record({ id, value })),
  reverse: boolean(),
  offset: constantFrom(0, 0, 1, 3),
  limit: integer({ min: 1, max: 4 }),
});
const item = record({ value: option(value), a: boolean(), b: boolean() });

const idsOf = <Row extends { id: number }>({ rows, ...sides }: Page<Row>) => ({
  rows: rows.map(({ id: one }) => one),
  ...sides,
});

describe.each(engines)("pages of a list on %s", (engine) => {
  const started = useStarted(async () => {
    const storage = await testStorage(engine);
    const opened = await openOn(storage);
    await opened.write((writer) =>
      sql`create table items (id integer primary key, value integer, a integer not null, b integer not null)`.execute(
        writer,
      ),
    );
    return {
      database: opened,
      async [Symbol.asyncDispose]() {
        await opened.close();
        await storage[Symbol.asyncDispose]();
      },
    };
  });

  async function fill(items: readonly Item[]): Promise<void> {
    await started.database.write(async (writer) => {
      await sql`delete from items`.execute(writer);
      for (const { id: number, value: worth, a, b } of items)
        await sql`insert into items values (${number}, ${worth}, ${Number(a)}, ${Number(b)})`.execute(writer);
    });
  }

  it("are what a plain evaluation finds, in either form", async () => {
    const { database } = started;
    await assert(
      asyncProperty(
        array(item, { maxLength: maxItems }),
        array(tuple(list, asked), { minLength: 8, maxLength: 8 }),
        async (drawn, requests) => {
          // Between two ids there is one that a position may name.
          const items = drawn.map((one, index) => ({ id: 2 * index + 2, ...one }));
          await fill(items);
          for (const [of, { segment, key, ...more }] of requests) {
            const isValued = of.byValue && segment === 0;
            const at = key === null ? null : isValued ? key : { id: key.id };
            const position: Position = at === null ? null : { segment: of.byValue ? segment : 0, key: at };
            const request = { ...more, position, segments: segmentsOf(of), values: {} };
            const expected = expectedPage(items, of, request);
            expect(idsOf(await readPage<{ id: number }>(database, request))).toEqual(expected);
            expect(idsOf(await readPage(database, request, joined(database)))).toEqual(expected);
          }
        },
      ),
      { numRuns: Math.max(minRuns, runsOn(engine, 60)) },
    );
  });

  it("have the values that they are sorted by", async () => {
    const { database } = started;
    await fill(
      [2, 1, 3].map((worth, index) => ({ id: index + 1, value: worth, a: index > 0, b: index < 2 })),
    );
    const of: List = { ranges: "both", byValue: true, descending: [true, false] };
    const request = {
      segments: segmentsOf(of),
      position: null,
      reverse: false,
      offset: 0,
      limit: 3,
      values: {},
    };
    const rows = [
      { id: 3, value: 3 },
      { id: 1, value: 2 },
      { id: 2, value: 1 },
    ];
    expect(await readPage(database, request)).toMatchObject({ rows });
    expect(await readPage(database, request, joined(database))).toMatchObject({ rows });
  });
});

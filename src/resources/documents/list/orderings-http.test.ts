import { beforeAll, describe, expect, it } from "vitest";
import type { SortedColumn } from "../../../database/audiences/columns.ts";
import { encodeCursor } from "../../../http/request/cursor.ts";
import { addDocuments, addProject } from "../../../testing/factories.ts";
import { type ListJson, idsAt, idsOf, pageAt, pagesFrom } from "../../../testing/lists.ts";
import { addPerson } from "../../../testing/people.ts";
import { type Sortable, compareBy, forSortedColumns, keyOf } from "../../../testing/ordered-documents.ts";
import { isInFull } from "../../../testing/runs.ts";
import { engines, useApp } from "../../../testing/test-app.ts";
import { orderingNames } from "./orderings.ts";

/** In order of code points. In order of UTF-16 units the last two would be swapped. */
const texts = ["", " ", "A", "Z", "a", "aa", "a\u0301", "z", "é", "\uffee", "\u{1F600}"];
const moments = ["2024-12-31T23:59:59.999999Z", "2025-01-01T00:00:00.000000Z", "2025-01-01T00:00:00.000001Z"];
const values = [undefined, [], [""], ["b"], ["a", "z"], ["z", "a"], ["\uffee", "\u{1F600}"], ["B", "é", "B"]];
const cycle = <T>(from: readonly T[], index: number): T => from[index % from.length] as T;

/** The values of a document's sorted columns, each in another order. */
const sortedAt = (index: number): Pick<Sortable, SortedColumn> =>
  forSortedColumns<readonly (string | number)[], unknown>(
    { time: moments, number: [0, 2, 10, 1], text: texts },
    (from, at) => cycle(from, index * (at + 1) + at),
  ) as Pick<Sortable, SortedColumn>;

function inOrder(rows: readonly Sortable[], ordering: string): Sortable[] {
  return rows.toSorted((one, other) => compareBy(ordering, one, other));
}

describe.each(engines)("orderings of the document list on %s", (engine) => {
  const app = useApp(engine);
  let rows: Sortable[];
  beforeAll(async () => {
    const newRows = Array.from({ length: 60 }, (_, index) => ({
      access: index % 9 === 4 ? "private" : "public",
      ...sortedAt(index),
      data: { a: cycle(values, index * 5), "b-_": cycle(values, index * 3), "": ["x"] },
    }));
    const ids = await addDocuments(
      app.context,
      newRows.map((row) => ({ ...row, data: JSON.stringify(row.data) })),
    );
    rows = newRows
      .map((row, index): Sortable & { access: string } =>
        Object.assign(row, {
          id: ids[index] ?? 0,
          data: JSON.parse(JSON.stringify(row.data)) as Sortable["data"],
        }),
      )
      .filter(({ access }) => access === "public");
  });

  const dataKeys = ["data_a", "-data_a", "data_b-_", "-data_b-_", "data_none", "-data_none"];
  // The statements of each ordering run on both engines elsewhere. The order of texts is each engine's own.
  const names = isInFull(engine)
    ? [...orderingNames, ...dataKeys]
    : ["title", "-source", "data_a", "-data_b-_"];
  it.each(names)("by %s are complete in both directions, with pages of any size", async (ordering) => {
    const expected = inOrder(rows, ordering).map(({ id }) => id);
    for (const size of isInFull(engine) ? [1, 7, 100] : [7]) {
      const address = `/api/documents/?per_page=${size}&ordering=${ordering}`;
      const forward = await Array.fromAsync(pagesFrom(app, address));
      expect(forward.flatMap(idsOf)).toEqual(expected);
      const backward = await Array.fromAsync(pagesFrom(app, `${address}&cursor=cj0x`, "previous"));
      expect(backward.toReversed().flatMap(idsOf)).toEqual(expected);
      await expectToBeTheWayBack(forward);
    }
  });

  async function expectToBeTheWayBack(pages: readonly ListJson[]): Promise<void> {
    for (const [index, page] of pages.entries()) {
      expect(page.previous === null).toBe(index === 0);
      expect(page.next === null).toBe(index === pages.length - 1);
      const before = pages[index - 1];
      expect(page.previous === null ? before : await pageAt(app, page.previous)).toEqual(before);
    }
  }

  it("are complete for one kind of viewer after another", async () => {
    // Each has two audiences, so that their queries differ by nothing but the kind.
    const project = await addProject(app.context, {}, []);
    const viewers = [
      await addPerson(app.context, { username: "collaborator", projects: { [project]: "view" } }),
      await addPerson(app.context, { username: "user", organizations: [1] }),
      await addPerson(app.context, { username: "administrator", organizations: [1], isAdministrator: true }),
    ];
    for (const ordering of ["-data_a", "title"]) {
      const expected = inOrder(rows, ordering).map(({ id }) => id);
      for (const init of [...viewers.map(({ headers }) => ({ headers })), {}]) {
        const pages: ListJson[] = [];
        const first = `/api/documents/?per_page=5&ordering=${ordering}`;
        for (let at: string | null = first; at !== null;) {
          const page: ListJson = await pageAt(app, at, init);
          pages.push(page);
          at = page.next;
        }
        expect(pages.flatMap(idsOf)).toEqual(expected);
        expect(pages.filter(({ previous }) => previous === null)).toHaveLength(1);
      }
    }
  });

  it("fall back to the default if they are unknown", async () => {
    const ids = rows.map(({ id }) => id);
    for (const ordering of ["", "id", "slug", "-user", "title,source", "data_", "data_a'", "'"])
      expect(
        await idsAt(app, `/api/documents/?per_page=99&ordering=${encodeURIComponent(ordering)}`),
      ).toEqual(ids);
  });

  it("use the last one if a query has several", async () => {
    expect(await idsAt(app, "/api/documents/?per_page=99&ordering=title&ordering=-id")).toEqual(
      rows.map(({ id }) => id).toReversed(),
    );
  });

  it("are kept in the links", async () => {
    const { next } = await pageAt(app, "/api/documents/?per_page=2&ordering=-data_a");
    expect(new URL(next ?? "").search).toMatch(/^\?cursor=[\w%]+&ordering=-data_a&per_page=2$/);
  });

  it("return an empty page beyond either end, with a link back", async () => {
    for (const ordering of ["title", "-page_count", "data_a", "-data_a", "-id"]) {
      const ordered = inOrder(rows, ordering);
      const ids = ordered.map(({ id }) => id);
      const beyond = (row: Sortable | undefined, reverse: boolean): Promise<ListJson> => {
        if (row === undefined) throw new Error("There are no rows.");
        const key = { id: row.id, value: keyOf(row, ordering) };
        const cursor = encodeURIComponent(encodeCursor({ reverse, offset: 0, ordering, key }));
        return pageAt(app, `/api/documents/?per_page=5&ordering=${ordering}&cursor=${cursor}`);
      };
      const after = await beyond(ordered.at(-1), false);
      expect(after).toMatchObject({ next: null, results: [] });
      expect(await idsAt(app, after.previous ?? "")).toEqual(ids.slice(-5));
      const before = await beyond(ordered[0], true);
      expect(before).toMatchObject({ previous: null, results: [] });
      expect(await idsAt(app, before.next ?? "")).toEqual(ids.slice(0, 5));
    }
  });
});

import * as fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Database, Writer } from "../../../database/database.ts";
import { openDatabase } from "../../../database/open-database.ts";
import { addOwners, addProject, documentRow } from "../../../testing/factories.ts";
import { type ListJson, pageAt } from "../../../testing/lists.ts";
import type { SortedColumn } from "../../../database/audiences/columns.ts";
import { type Sortable, compareBy, forSortedColumns, keyOf } from "../../../testing/ordered-documents.ts";
import { type Person, addPerson } from "../../../testing/people.ts";
import { engines, useApp } from "../../../testing/test-app.ts";
import { orderingNames } from "./orderings.ts";
import { runsOn } from "../../../testing/runs.ts";

/**
 * The guarantee of the list while another connection inserts, deletes, moves, edits, hides and shows documents between
 * the pages of a walk. A document that stays visible at the same position appears exactly once. A document that moves
 * appears at most once for each of its positions. A second, plain list in memory is the reference.
 */

interface Row extends Sortable {
  access: string;
  status: string;
  description: string;
  organization_id: number;
  inProject: boolean;
}

const few = <T>(...values: T[]): fc.Arbitrary<T> => fc.constantFrom(...values);
const moment = few(
  "2025-01-01T00:00:00.000000Z",
  "2025-01-01T00:00:00.000001Z",
  "2025-06-01T00:00:00.000000Z",
);
const text = few("", "a", "b", "B", "\u{1F600}");
const sorted = forSortedColumns<fc.Arbitrary<unknown>, fc.Arbitrary<unknown>>(
  { time: moment, number: few(0, 1, 2, 10), text },
  (values) => values,
) as { [Column in SortedColumn]: fc.Arbitrary<Sortable[Column]> };
const columns = {
  ...sorted,
  data: fc.oneof(fc.constant({}), fc.record({ k: fc.array(text, { maxLength: 2 }) })),
  access: fc.oneof({ weight: 4, arbitrary: fc.constant("public") }, few("private", "organization")),
  status: fc.oneof({ weight: 4, arbitrary: few("success", "readable") }, few("pending", "deleted")),
  description: text,
  organization_id: few(1, 2),
  inProject: fc.boolean(),
};
type Changes = Partial<Omit<Row, "id">>;
const row: fc.Arbitrary<Omit<Row, "id">> = fc.record(columns);
/** Changes of one column at a time, which leave all other columns as they are. */
const change: fc.Arbitrary<Changes> = fc.oneof(
  ...Object.keys(columns).map((name) => fc.record({ [name]: columns[name as keyof typeof columns] })),
  { weight: 3, arbitrary: few({ access: "public", status: "success" }, { access: "private" }) },
);

type Action =
  | { kind: "insert"; row: Omit<Row, "id"> }
  | { kind: "delete"; which: number }
  | { kind: "change"; which: number; changes: Changes };
const which = fc.nat(1000);
const action: fc.Arbitrary<Action> = fc.oneof(
  fc.record({ kind: fc.constant("insert" as const), row }),
  fc.record({ kind: fc.constant("delete" as const), which }),
  { weight: 4, arbitrary: fc.record({ kind: fc.constant("change" as const), which, changes: change }) },
);

const walk = fc.record({
  rows: fc.oneof(
    { weight: 1, arbitrary: fc.array(row, { maxLength: 3 }) },
    { weight: 5, arbitrary: fc.array(row, { minLength: 8, maxLength: 32, size: "max" }) },
  ),
  ordering: few("", "", ...orderingNames, "data_k", "-data_k", "data_k", "-data_k"),
  filter: few(
    "",
    "",
    "",
    "organization=1",
    "organization=1,2",
    "page_count__lt=2",
    "status=success",
    "project",
  ),
  size: fc.integer({ min: 1, max: 6 }),
  direction: few("next" as const, "previous" as const),
  /** The actions after each page. */
  actions: fc.array(fc.array(action, { maxLength: 4, size: "max" }), { maxLength: 10, size: "max" }),
});

function isListed(one: Row, filter: string): boolean {
  if (one.access !== "public" || !["success", "readable"].includes(one.status)) return false;
  if (filter === "organization=1") return one.organization_id === 1;
  if (filter === "page_count__lt=2") return one.page_count < 2;
  if (filter === "status=success") return one.status === "success";
  return filter !== "project" || one.inProject;
}

/** Every position that a document had while it was listed, and whether it still has its first one. */
interface Standing {
  positions: Set<string>;
  throughout: boolean;
}

class Walked {
  readonly rows = new Map<number, Row>();
  readonly standings = new Map<number, Standing>();
  readonly ordering: string;
  readonly filter: string;

  constructor(ordering: string, filter: string) {
    this.ordering = ordering;
    this.filter = filter;
  }

  positionOf(one: Sortable): string {
    return JSON.stringify([keyOf(one, this.ordering), one.id]);
  }

  /** The current list. */
  listed(): Row[] {
    return [...this.rows.values()]
      .filter((one) => isListed(one, this.filter))
      .toSorted((one, other) => compareBy(this.ordering, one, other));
  }

  /** Must be called after each action. */
  note(started: boolean): void {
    const listed = new Map(this.listed().map((one) => [one.id, this.positionOf(one)]));
    for (const [id, standing] of this.standings) {
      const position = listed.get(id);
      if (position === undefined || !standing.positions.has(position)) standing.throughout = false;
    }
    for (const [id, position] of listed) {
      const standing = this.standings.get(id);
      if (standing === undefined)
        this.standings.set(id, { positions: new Set([position]), throughout: !started });
      else standing.positions.add(position);
    }
  }
}

describe.each(engines)("a walk over the list on %s", (engine) => {
  const app = useApp(engine);
  let other: Database;
  let project: number;
  /** Sees public documents only, but may filter by organizations that have none at the moment. */
  let stranger: Person;
  beforeAll(async () => {
    const { data: dataFolder, databaseUrl, databaseDirectUrl } = app.context.config;
    other = await openDatabase({ dataFolder, databaseUrl, databaseDirectUrl });
    await other.write(addOwners);
    project = await addProject(app.context, {}, []);
    stranger = await addPerson(app.context, { username: "stranger" });
  });
  afterAll(() => other.close());

  async function join(writer: Writer, id: number, inProject: boolean): Promise<void> {
    const membership = { project_id: project, document_id: id, edit_access: false };
    if (inProject) await writer.insertInto("project_memberships").values(membership).execute();
    else await writer.deleteFrom("project_memberships").where("document_id", "=", id).execute();
  }

  async function carryOut(writer: Writer, one: Action, { rows }: Walked): Promise<void> {
    if (one.kind === "insert") {
      const { inProject, data, ...others } = one.row;
      const { id } = await writer
        .insertInto("documents")
        .values(documentRow({ ...others, data: JSON.stringify(data) }))
        .returning("id")
        .executeTakeFirstOrThrow();
      if (inProject) await join(writer, id, true);
      rows.set(id, { ...one.row, id });
      return;
    }
    const chosen = [...rows.values()][one.which % Math.max(1, rows.size)];
    if (chosen === undefined) return;
    if (one.kind === "delete") {
      await writer.deleteFrom("documents").where("id", "=", chosen.id).execute();
      rows.delete(chosen.id);
      return;
    }
    const { inProject = chosen.inProject, data = chosen.data, ...others } = one.changes;
    if (inProject !== chosen.inProject) await join(writer, chosen.id, inProject);
    await writer
      .updateTable("documents")
      .set({ ...others, data: JSON.stringify(data) })
      .where("id", "=", chosen.id)
      .execute();
    Object.assign(chosen, one.changes);
  }

  async function fill(walked: Walked, rows: readonly Omit<Row, "id">[]): Promise<void> {
    await other.write(async (writer) => {
      await writer.deleteFrom("documents").execute();
      for (const one of rows) await carryOut(writer, { kind: "insert", row: one }, walked);
    });
    walked.note(false);
  }

  /** Runs each action in a separate transaction, so that readers may see every state. */
  async function carryOutAll(actions: readonly Action[], walked: Walked): Promise<void> {
    for (const one of actions) {
      await other.write((writer) => carryOut(writer, one, walked));
      walked.note(true);
    }
  }

  it("returns documents that stay exactly once, and documents that move at most once for each position", () =>
    fc.assert(
      fc.asyncProperty(walk, async ({ rows, ordering, filter, size, direction, actions }) => {
        const walked = new Walked(ordering, filter);
        await fill(walked, rows);
        const forward = direction === "next";
        const back = forward ? "previous" : "next";
        const returned: Sortable[] = [];
        const init = filter.startsWith("organization") ? { headers: stranger.headers } : {};
        const query = filter === "project" ? `project=${project}` : filter;
        let address: string | null =
          `/api/documents/?per_page=${size}&ordering=${ordering}&${query}${forward ? "" : "&cursor=cj0x"}`;
        let before: ListJson | null = null;
        for (let step = 0; address !== null; step++) {
          const page: ListJson = await pageAt(app, address, init);
          const records = page.results as unknown as Sortable[];

          // The next rows of the current list.
          const edge = forward ? returned.at(-1) : returned[0];
          const ahead = walked.listed().filter((one) => {
            const side = edge === undefined ? 1 : compareBy(ordering, one, edge);
            return edge === undefined || (forward ? side > 0 : side < 0);
          });
          const expected = forward ? ahead.slice(0, size) : ahead.slice(-size);
          expect(records.map((one) => walked.positionOf(one))).toEqual(
            expected.map((one) => walked.positionOf(one)),
          );
          expect(page[direction] === null).toBe(ahead.length <= size);

          // The previous page, if nothing changed in between.
          const undisturbed = step > 0 && (actions[step - 1] ?? []).length === 0;
          expect(undisturbed ? await pageAt(app, page[back] ?? "", init) : before).toEqual(before);

          returned.splice(forward ? returned.length : 0, 0, ...records);
          await carryOutAll(actions[step] ?? [], walked);
          address = page[direction];
          before = page;
        }

        for (const [index, one] of returned.slice(1).entries())
          expect(compareBy(ordering, returned[index] ?? one, one)).toBeLessThan(0);
        for (const [id, { positions, throughout }] of walked.standings) {
          const times = returned.filter((one) => one.id === id);
          expect(times.length).toBeGreaterThanOrEqual(throughout ? 1 : 0);
          expect(times.length).toBeLessThanOrEqual(
            throughout || ordering.endsWith("id") ? 1 : positions.size,
          );
          expect(
            times.map((one) => walked.positionOf(one)).filter((position) => !positions.has(position)),
          ).toEqual([]);
        }
        expect(returned.filter(({ id }) => !walked.standings.has(id))).toEqual([]);
      }),
      { numRuns: runsOn(engine, 150) },
    ));
});

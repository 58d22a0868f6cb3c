import { accessLevels, statuses } from "../../contract/document.ts";
import {
  type Arbitrary,
  array,
  asyncProperty,
  assert,
  boolean,
  constantFrom,
  integer,
  record,
  shuffledSubarray,
  subarray,
} from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import type { Writer } from "../../database/database.ts";
import { documentRow, projectRow } from "../../testing/factories.ts";
import { type Person, addPerson } from "../../testing/people.ts";
import { engines, useApp } from "../../testing/test-app.ts";
import { insertNote } from "../notes/store.ts";
import type { SortedColumn } from "../../database/audiences/columns.ts";
import type { DocumentsTable } from "../../database/tables.ts";
import { forSortedColumns } from "../../testing/ordered-documents.ts";
import { orderingNames } from "./list/orderings.ts";
import { moveToTrash } from "./trash/trash-store.ts";
import { runsOn } from "../../testing/runs.ts";

/** As many orderings as a run can read in a moment; several runs read all of them. */
const six = { minLength: 6, maxLength: 6 };
const people = [0, 1, 2];
const organizations = [1, 2];
const projects = [1, 2, 3];
const moment = "2025-01-31T12:00:00.000000Z";
const moments = [moment, "2024-02-29T23:59:59.999999Z", "2025-01-31T12:00:00.000001Z"];

/** The values of the columns by which lists are sorted. Few, so that documents share them. */
const sortedValues = forSortedColumns<Arbitrary<unknown>, Arbitrary<unknown>>(
  { time: constantFrom(...moments), number: integer({ min: 0, max: 3 }), text: constantFrom("", "a", "b") },
  (values) => values,
) as { [Column in SortedColumn]: Arbitrary<DocumentsTable[Column]> };

/** Users with memberships and collaborations, and a handful of documents. */
const worlds = record({
  members: array(subarray(organizations), { minLength: 3, maxLength: 3 }),
  administrator: constantFrom(null, ...people),
  collaborators: array(
    record({
      person: constantFrom(...people),
      project: constantFrom(...projects),
      access: constantFrom("view", "edit", "admin"),
    }),
    { maxLength: 6 },
  ),
  privateProjects: subarray(projects),
  documents: array(
    record({
      owner: constantFrom(...people),
      organization: constantFrom(...organizations),
      access: constantFrom(...accessLevels),
      status: constantFrom(...statuses),
      sorted: record(sortedValues),
      /** Whether it is inserted as it is, or with other values, which then change one by one. */
      isInsertedSo: boolean(),
      data: constantFrom("{}", '{"k":["1"]}', '{"k":["2","0"]}'),
      memberships: array(record({ project: constantFrom(...projects), shared: boolean() }), { maxLength: 3 }),
    }),
    { minLength: 1, maxLength: 12 },
  ),
});
type World = typeof worlds extends Arbitrary<infer One> ? One : never;

/**
 * The access rules written out plainly. They use only the world itself, and nothing that the application has stored.
 */
function rulesFor(
  world: World,
  person: number | null,
  index: number,
): { sees: boolean; edits: boolean; deletes: boolean } {
  const document = world.documents[index] as World["documents"][number];
  const isPublished = document.access === "public" && ["success", "readable"].includes(document.status);
  if (person === null) return { sees: isPublished, edits: false, deletes: false };
  const owns = document.owner === person;
  const belongs = (world.members[person] ?? []).includes(document.organization);
  const shared = sharedProjects(document);
  const accesses = world.collaborators
    .filter(
      (collaborator, position) =>
        collaborator.person === person &&
        isLast(world.collaborators, position) &&
        shared.has(collaborator.project),
    )
    .map(({ access }) => access);
  const isActive = document.access !== "invisible" && document.status !== "deleted";
  const sees =
    isPublished ||
    (isActive && (owns || accesses.length > 0 || (belongs && document.access === "organization")));
  const asOwner = owns && (document.access !== "public" || belongs);
  const asMember = belongs && document.access !== "private";
  const asEditor = document.access !== "public" && accesses.some((access) => access !== "view");
  const deletes = sees && (world.administrator === person || asOwner || asMember);
  return { sees, edits: deletes || (sees && asEditor), deletes };
}

function isLast(collaborators: World["collaborators"], index: number): boolean {
  const collaborator = collaborators[index];
  return !collaborators
    .slice(index + 1)
    .some(({ person, project }) => person === collaborator?.person && project === collaborator.project);
}

function sharedProjects({ memberships }: World["documents"][number]): Set<number> {
  return new Set([...membershipsOf(memberships)].filter(([, shared]) => shared).map(([project]) => project));
}

function membershipsOf(memberships: World["documents"][number]["memberships"]): Map<number, boolean> {
  return new Map(memberships.map(({ project, shared }) => [project, shared]));
}

describe.each(engines)("access to documents on %s", (engine) => {
  const app = useApp(engine);
  let persons: Person[];
  /** The author of a note on each document. The note is visible to everyone who may change the document. */
  let author: Person;
  beforeAll(async () => {
    await app.context.database.write(async (writer) => {
      for (const id of organizations) {
        const row = {
          id,
          name: `O${id}`,
          slug: `o${id}`,
          individual: false,
          created_at: moment,
          updated_at: moment,
        };
        await writer.insertInto("organizations").values(row).execute();
      }
    });
    persons = [];
    for (const person of people) persons.push(await addPerson(app.context, { username: `person-${person}` }));
    author = await addPerson(app.context, { username: "author" });
    await app.context.database.write(async (writer) => {
      for (const id of projects) {
        await writer
          .insertInto("projects")
          .values({ ...projectRow(), id, user_id: persons[0]?.id ?? 0 })
          .execute();
      }
    });
  });

  const idOf = (person: number): number => persons[person]?.id ?? 0;

  async function build(world: World): Promise<number[]> {
    return app.context.database.write(async (writer) => {
      for (const table of ["documents", "project_collaborators", "organization_members"] as const) {
        await writer.deleteFrom(table).execute();
      }
      for (const person of people) await insertPerson(writer, world, person);
      for (const id of projects) {
        const change = { private: world.privateProjects.includes(id) };
        await writer.updateTable("projects").set(change).where("id", "=", id).execute();
      }
      for (const [index, { person, project, access }] of world.collaborators.entries()) {
        if (!isLast(world.collaborators, index)) continue;
        const row = { user_id: idOf(person), project_id: project, access: access as "view" };
        await writer.insertInto("project_collaborators").values(row).execute();
      }
      const ids: number[] = [];
      for (const document of world.documents) {
        const { access, status, sorted, data } = document;
        const values = {
          access,
          status,
          ...sorted,
          data,
          user_id: idOf(document.owner),
          organization_id: document.organization,
        };
        const { id } = await writer
          .insertInto("documents")
          .values(documentRow(document.isInsertedSo ? values : { user_id: idOf(0), data }))
          .returning("id")
          .executeTakeFirstOrThrow();
        for (const [project_id, edit_access] of membershipsOf(document.memberships)) {
          await writer
            .insertInto("project_memberships")
            .values({ project_id, document_id: id, edit_access: !edit_access })
            .execute();
          await writer
            .updateTable("project_memberships")
            .set({ edit_access })
            .where("project_id", "=", project_id)
            .where("document_id", "=", id)
            .execute();
        }
        // Derived rows must follow every change, so each value changes in a statement of its own.
        for (const [column, value] of document.isInsertedSo ? [] : Object.entries(values))
          await writer
            .updateTable("documents")
            .set({ [column]: value })
            .where("id", "=", id)
            .execute();
        await insertNote(writer, {
          document_id: id,
          user_id: author.id,
          page_number: 0,
          access: "organization",
          title: "Draft",
          content: "",
          content_html: "",
          created_at: moment,
          updated_at: moment,
        });
        ids.push(id);
      }
      return ids;
    });
  }

  async function insertPerson(writer: Writer, world: World, person: number): Promise<void> {
    const is_administrator = world.administrator === person;
    await writer.updateTable("users").set({ is_administrator }).where("id", "=", idOf(person)).execute();
    for (const organization_id of world.members[person] ?? []) {
      const row = { organization_id, user_id: idOf(person), is_admin: false };
      await writer.insertInto("organization_members").values(row).execute();
    }
  }

  interface ListedRecord {
    id: number;
    edit_access: boolean;
    projects: number[];
  }

  async function get(person: number | null, target: string): Promise<{ status: number; body: unknown }> {
    const headers = person === null ? {} : (persons[person]?.headers ?? {});
    const answer = await app.fetch(target, { headers });
    return { status: answer.status, body: await answer.json() };
  }

  /** Returns the status of the answer. */
  async function restore(person: number, id: number): Promise<number> {
    const headers = { ...persons[person]?.headers, "content-type": "application/json" };
    const init = { method: "POST", headers, body: JSON.stringify({ ids: [id] }) };
    return (await app.fetch("/api/documents/trash/restore/", init)).status;
  }

  /** Reads the whole list forwards. */
  async function walk(person: number | null, query: string): Promise<ListedRecord[]> {
    const records: ListedRecord[] = [];
    for (let target: string | null = `/api/documents/?per_page=4&${query}`; target !== null;) {
      const { status, body } = await get(person, target);
      expect([status, body]).toEqual([200, expect.anything()]);
      const page = body as { next: string | null; results: ListedRecord[] };
      records.push(...page.results);
      target = page.next === null ? null : page.next.slice(app.url.length);
    }
    return records;
  }

  const orderings = ["", ...orderingNames, "data_k", "-data_k"].map((name) => `ordering=${name}`);

  it("is the same in a record, every ordering of the list, a search, the projects of a document and the written-out rules", async () => {
    await assert(
      asyncProperty(worlds, shuffledSubarray(orderings, six), async (world, some) => {
        const ids = await build(world);
        for (const person of [null, ...people]) {
          const rules = ids.map((id, index) => ({ id, may: rulesFor(world, person, index) }));
          const expected = rules.filter(({ may }) => may.sees).map(({ id, may }) => [id, may.edits]);
          for (const ordering of some) {
            const records = await walk(person, ordering);
            const listed = records.map(({ id }) => id);
            const sorted = inOrder(world, ids, ordering)?.filter((id) => listed.includes(id));
            expect([ordering, listed]).toEqual([ordering, sorted ?? listed]);
            const pairs = records.map(({ id, edit_access }) => [id, edit_access]);
            expect(pairs.toSorted(([a], [b]) => Number(a) - Number(b))).toEqual(expected);
          }
          const found = await get(person, "/api/documents/search/?q=draft&sort=id");
          const drafts = (found.body as { results: { id: string }[] }).results.map(({ id }) => Number(id));
          expect(drafts).toEqual(rules.filter(({ may }) => may.edits).map(({ id }) => id));
          for (const { id, may } of rules) {
            const { status, body } = await get(person, `/api/documents/${id}/`);
            const access = [status, (body as Partial<ListedRecord>).edit_access];
            expect([id, ...access]).toEqual([id, ...(may.sees ? [200, may.edits] : [404, undefined])]);
          }
          const shownAndHidden = [
            rules.filter(({ may }) => may.sees),
            rules.filter(({ may }) => !may.sees).slice(0, 1),
          ];
          for (const group of shownAndHidden) {
            const named = group.map(({ id }) => id).join(",");
            const { status } = await get(person, `/api/projects/?document=${named}`);
            expect([named, status]).toEqual([named, group.every(({ may }) => may.sees) ? 200 : 400]);
          }
        }
      }),
      { numRuns: runsOn(engine, 40) },
    );
  });

  it("is the same with every filter", async () => {
    await assert(
      asyncProperty(
        worlds,
        constantFrom(...people),
        constantFrom(...orderings),
        async (world, person, ordering) => {
          const ids = await build(world);
          const seen = ids.filter((_, index) => rulesFor(world, person, index).sees);
          const of = (id: number): World["documents"][number] =>
            world.documents[ids.indexOf(id)] as World["documents"][number];
          const some = ids.filter((_, index) => index % 2 === 0);
          const filters: [string, (id: number) => boolean][] = [
            [`user=${idOf(person)}`, (id) => of(id).owner === person],
            ["organization=1", (id) => of(id).organization === 1],
            ["access=private,organization", (id) => ["private", "organization"].includes(of(id).access)],
            [
              "access=public&status=pending,success",
              (id) => of(id).access === "public" && ["pending", "success"].includes(of(id).status),
            ],
            ["status=nofile", (id) => of(id).status === "nofile"],
            ["page_count=2", (id) => of(id).sorted.page_count === 2],
            [`id__in=${some.join(",")}`, (id) => some.includes(id)],
          ];
          for (const project of projects) {
            const isKnown =
              !world.privateProjects.includes(project) ||
              world.collaborators.some((one) => one.person === person && one.project === project);
            if (isKnown)
              filters.push([
                `project=${project}`,
                (id) => of(id).memberships.some((one) => one.project === project),
              ]);
          }
          for (const [filter, matches] of filters) {
            const records = await walk(person, `${filter}&${ordering}`);
            const shownIds = records.map(({ id }) => id).toSorted((a, b) => a - b);
            expect([filter, shownIds]).toEqual([filter, seen.filter(matches)]);
          }
        },
      ),
      { numRuns: runsOn(engine, 40) },
    );
  });

  it("is the same in the trash, for those who may delete the documents", async () => {
    await assert(
      asyncProperty(worlds, async (world) => {
        const ids = await build(world);
        await app.context.database.write(async (writer) => {
          for (const row of await writer.selectFrom("documents").selectAll().execute())
            if (row.status !== "deleted")
              await moveToTrash(writer, row, { status: row.status, deletedBy: idOf(0) });
        });
        for (const person of people) {
          const { body } = await get(person, "/api/documents/trash/?per_page=100");
          const listed = (body as { results: { id: number }[] }).results.map(({ id }) => id);
          const expected = ids.filter((_, index) => rulesFor(world, person, index).deletes);
          expect(listed.toSorted((a, b) => a - b)).toEqual(expected);
        }
        for (const person of people) {
          const may = (id: number): boolean => rulesFor(world, person, ids.indexOf(id)).deletes;
          const brought = await Promise.all(ids.map(async (id) => [id, await restore(person, id)] as const));
          // Another person may have brought it back before.
          const judged = brought.filter(([id]) => person === 0 || !may(id));
          expect(judged).toEqual(judged.map(([id]) => [id, may(id) ? 200 : 400]));
        }
      }),
      { numRuns: runsOn(engine, 30) },
    );
  });
});

/**
 * The ids in the order that a list should have; null for the values of a data key, of which a document may have two.
 */
function inOrder(world: World, ids: readonly number[], ordering: string): number[] | null {
  const [, descending = "", column = ""] = /^ordering=(-?)(.*)$/.exec(ordering) ?? [];
  if (column.startsWith("data_")) return null;
  const valueOf = (id: number): string | number => {
    const document = world.documents[ids.indexOf(id)] as World["documents"][number];
    return column === "" || column === "id" ? id : document.sorted[column as SortedColumn];
  };
  const sorted = ids.toSorted((one, other) => {
    const [first, second] = [valueOf(one), valueOf(other)];
    return first === second ? one - other : first < second ? -1 : 1;
  });
  return descending === "" ? sorted : sorted.toReversed();
}

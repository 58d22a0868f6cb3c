import * as fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import type { TreeEntry } from "../../../contract/family.ts";
import type { Database, Writer } from "../../../database/database.ts";
import { addDocuments, addProject, documentRow } from "../../../testing/factories.ts";
import { type Person, addPerson } from "../../../testing/people.ts";
import { sendAs } from "../../../testing/requests.ts";
import { runsOn } from "../../../testing/runs.ts";
import { type TestApp, engines, useApp } from "../../../testing/test-app.ts";

/*
 * The tree, its counts and the search within a branch are compared with a plain evaluation of documents, containers and
 * rights, after random changes.
 */

// Names before and after a slash in the order of bytes, in several scripts, and as people mistype paths.
const names = ["a", "a b", "a.zip", "a0", "1", "2x", "é", "文", '"', "%_", "\\"];
const name = fc.constantFrom(...names);
const path = fc.oneof(
  { weight: 5, arbitrary: fc.array(name, { minLength: 1, maxLength: 4 }).map((parts) => parts.join("/")) },
  { weight: 1, arbitrary: fc.constantFrom("", "/", "//a///a b//", "a\tb/\t", "/a/x.pdf", "a", "a/") },
);
const paths = fc.array(path, { maxLength: 2 });
const access = fc.constantFrom("public", "organization", "private", "private", "invisible");
const status = fc.constantFrom("success", "success", "readable", "pending", "deleted");
const at = fc.nat({ max: 11 });

const change = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant("add" as const), paths, access, owner: fc.nat(1) }) },
  { weight: 5, arbitrary: fc.record({ kind: fc.constant("put" as const), at, into: at, path }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant("paths" as const), at, paths }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("access" as const), at, access }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("status" as const), at, status }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("owner" as const), at, owner: fc.nat(1) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("share" as const), at, edits: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("unshare" as const), at }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("rename" as const), at, path }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("remove" as const), at }) },
);
type Change = typeof change extends fc.Arbitrary<infer One> ? One : never;

describe.each(engines)("the tree on %s", (engine) => {
  const app = useApp(engine);
  let database: Database;
  let project: number;
  /** Two owners, a member of their organization, a collaborator, and a stranger. */
  let persons: Person[];
  beforeAll(async () => {
    ({ database } = app.context);
    await addDocuments(app.context, []);
    project = await addProject(app.context, { title: "One" }, []);
    const add = (username: string, more: object = {}): Promise<Person> =>
      addPerson(app.context, { username, ...more });
    persons = [
      await add("first", { organizations: [1], projects: { [project]: "admin" } }),
      await add("second", { organizations: [2] }),
      await add("member", { organizations: [1] }),
      await add("collaborator", { projects: { [project]: "view" } }),
      await add("stranger"),
    ];
  });

  async function apply(writer: Writer, action: Change): Promise<void> {
    if (action.kind === "add") {
      const data = JSON.stringify({
        ...(action.paths.length > 0 && { path: action.paths }),
        other: ["path"],
      });
      const owner = persons[action.owner]?.id ?? 0;
      const row = documentRow({
        access: action.access,
        user_id: owner,
        organization_id: action.owner + 1,
        data,
      });
      await writer.insertInto("documents").values(row).execute();
      return;
    }
    const all = await writer.selectFrom("documents").select("id").orderBy("id").execute();
    const idAt = (index: number): number => all[index % Math.max(1, all.length)]?.id ?? 0;
    const id = idAt(action.at);
    if (all.length === 0) return;
    const placed = await placements(writer);
    if (action.kind === "put") {
      const into = idAt(action.into);
      // As in Quire, a container gets its parts when it is in its own container already, and parts do not move.
      if (into === id || placed.some(({ child_id, parent_id }) => child_id === id || parent_id === id))
        return;
      const parent = placed.find(({ child_id }) => child_id === into);
      const root_id = parent?.root_id ?? into;
      const position = placed.filter(({ parent_id }) => parent_id === into).length;
      const root = await writer
        .selectFrom("documents")
        .selectAll()
        .where("id", "=", root_id)
        .executeTakeFirstOrThrow();
      const { access: of, user_id, organization_id } = root;
      await writer
        .updateTable("documents")
        .set({ access: of, user_id, organization_id })
        .where("id", "=", id)
        .execute();
      await writer.deleteFrom("project_memberships").where("document_id", "=", id).execute();
      const containment = { child_id: id, parent_id: into, root_id, position, path: action.path, bytes: 1 };
      const values = { ...containment, depth: (parent?.depth ?? 0) + 1, taken_from: "zip" };
      await writer.insertInto("document_children").values(values).execute();
      const memberships = await writer
        .selectFrom("project_memberships")
        .selectAll()
        .where("document_id", "=", root_id)
        .execute();
      for (const { project_id, edit_access } of memberships)
        await writer
          .insertInto("project_memberships")
          .values({ project_id, document_id: id, edit_access: Boolean(edit_access) })
          .execute();
      return;
    }
    const root = placed.find(({ child_id }) => child_id === id)?.root_id ?? id;
    const set = (of: number, values: object) =>
      writer.updateTable("documents").set(values).where("id", "=", of).execute();
    if (action.kind === "paths") await set(id, { data: JSON.stringify({ path: action.paths }) });
    else if (action.kind === "access") await set(root, { access: action.access });
    else if (action.kind === "status") await set(id, { status: action.status });
    else if (action.kind === "owner") await set(root, { user_id: persons[action.owner]?.id });
    else if (action.kind === "rename")
      await writer
        .updateTable("document_children")
        .set({ path: action.path })
        .where("child_id", "=", id)
        .execute();
    else if (action.kind === "remove") {
      const ids = [root, ...placed.filter(({ root_id }) => root_id === root).map(({ child_id }) => child_id)];
      // A part alone goes when its file was taken out of a PDF.
      const gone = action.at % 2 === 0 && !placed.some(({ parent_id }) => parent_id === id) ? [id] : ids;
      await writer.deleteFrom("documents").where("id", "in", gone).execute();
    } else {
      await writer.deleteFrom("project_memberships").where("document_id", "=", root).execute();
      const row = {
        project_id: project,
        document_id: root,
        edit_access: action.kind === "share" && action.edits,
      };
      if (action.kind === "share") await writer.insertInto("project_memberships").values(row).execute();
    }
  }

  it("is what the paths of documents and the contents of containers say, to each person as far as they see it", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(change, { minLength: 4, maxLength: 16 }), async (all) => {
        await database.write(async (writer) => {
          await writer.deleteFrom("documents").execute();
          for (const action of all) await apply(writer, action);
        });
        const world = await readWorld(database);
        for (const index of [null, ...persons.keys()]) {
          const person = index === null ? null : (persons[index] ?? null);
          const sees = seenBy(world, person, index, project);
          const expected = treeOf(world, sees);
          expect({ index, tree: await treeAsShown(app, person) }).toEqual({ index, tree: expected });
        }
      }),
      { numRuns: runsOn(engine, 100) },
    );
  });
});

const placements = (reader: Pick<Writer, "selectFrom">) =>
  reader.selectFrom("document_children").selectAll().orderBy("depth").orderBy("child_id").execute();

async function readWorld({ reader }: Database) {
  return {
    documents: await reader.selectFrom("documents").selectAll().orderBy("id").execute(),
    parts: await placements(reader),
    memberships: await reader.selectFrom("project_memberships").selectAll().execute(),
  };
}
type World = Awaited<ReturnType<typeof readWorld>>;

/** The rules, written out. */
function seenBy(
  { documents, memberships }: World,
  person: Person | null,
  index: number | null,
  project: number,
) {
  const organization = index === 0 || index === 2 ? 1 : index === 1 ? 2 : 0;
  const isCollaborator = index === 0 || index === 3;
  const seen = documents.filter(({ id, access: of, status: now, user_id, organization_id }) => {
    if (of === "public" && (now === "success" || now === "readable")) return true;
    if (person === null || of === "invisible" || now === "deleted") return false;
    const isShared = memberships.some(
      (row) => row.document_id === id && row.project_id === project && Boolean(row.edit_access),
    );
    return (
      user_id === person.id ||
      (isCollaborator && isShared) ||
      (of === "organization" && organization === organization_id)
    );
  });
  return new Set(seen.map(({ id }) => id));
}

/** An entry of a branch: its name, and the id of its document or null. */
type Step = readonly [name: string, id: number | null];

/** What each branch has, by its name: the entries with the documents below them, and all documents that a search finds. */
type Shown = Record<
  string,
  { entries: [name: string, id: number | null, documents: number][]; documents: number; all: number[] }
>;

function treeOf({ documents, parts }: World, sees: ReadonlySet<number>): Shown {
  const positions = new Map<number, Step[][]>();
  const stepsOf = (text: string, id: number): Step[] => {
    const clean = text
      .replaceAll("\t", " ")
      .split("/")
      .filter((one) => one !== "");
    return [...clean.slice(0, -1).map((one): Step => [one, null]), [clean.at(-1) ?? "", id]];
  };
  for (const { id, data } of documents) {
    if (parts.some(({ child_id }) => child_id === id)) continue;
    const named = ((JSON.parse(data) as { path?: string[] }).path ?? []).filter((text) => /[^/]/.test(text));
    const isContainer = parts.some(({ parent_id }) => parent_id === id);
    const own = named.map((text) => stepsOf(text, id));
    positions.set(id, own.length > 0 || !isContainer ? own : [[["", id]]]);
  }
  for (const { child_id, parent_id, path: text } of parts) {
    const around = positions.get(parent_id) ?? [];
    positions.set(
      child_id,
      around.map((steps) => steps.concat(stepsOf(text, child_id))),
    );
  }
  const branches = new Map<
    string,
    { entries: Map<string, { step: Step; below: Set<number> }>; all: Set<number> }
  >();
  const branchOf = (key: string) => {
    const known = branches.get(key) ?? { entries: new Map(), all: new Set<number>() };
    branches.set(key, known);
    return known;
  };
  branchOf("folder:");
  for (const [id, all] of positions) {
    if (!sees.has(id)) continue;
    for (const steps of all) {
      let key = "folder:";
      for (const [index, step] of steps.entries()) {
        const [own, of] = step;
        const branch = branchOf(key);
        branch.all.add(id);
        const entry = branch.entries.get(`${of === null ? 1 : 2}${own}\t${of ?? ""}`) ?? {
          step,
          below: new Set(),
        };
        branch.entries.set(`${of === null ? 1 : 2}${own}\t${of ?? ""}`, entry);
        if (index < steps.length - 1) entry.below.add(id);
        key = of === null ? `${key}${key.endsWith(":") ? "" : "/"}${own}` : `container:${of}`;
      }
    }
  }
  return Object.fromEntries(
    [...branches].map(([key, { entries, all }]) => [
      key,
      {
        entries: [...entries.entries()]
          .toSorted(([one], [other]) => Buffer.compare(orderOf(one), orderOf(other)))
          .map(
            ([
              ,
              {
                step: [own, id],
                below,
              },
            ]) => [own === "" ? "A document" : own, id, below.size],
          ),
        documents: all.size,
        // The root has no search of its own.
        all: key === "folder:" ? [] : [...all].toSorted((one, other) => one - other),
      },
    ]),
  );
}

/** Folders come as if a slash ended their names. */
const orderOf = (entry: string): Buffer =>
  Buffer.from(entry.startsWith("1") ? entry.replace(/\t$/, "/") : entry);

async function treeAsShown(app: TestApp, person: Person | null): Promise<Shown> {
  const shown: Shown = {};
  const open = ["folder:"];
  for (let key = open.pop(); key !== undefined; key = open.pop()) {
    if (shown[key] !== undefined) continue;
    const { entries, documents } = await walk(app, person, key, "next");
    expect([key, (await walk(app, person, key, "previous")).entries]).toEqual([key, entries]);
    shown[key] = {
      entries: entries.map((entry) => [entry.name, entry.document?.id ?? null, entry.documents]),
      documents,
      all: await foundIn(app, person, key),
    };
    for (const { url, folder, container } of entries)
      if (url !== null) open.push(folder === null ? `container:${container}` : `folder:${folder}`);
  }
  return shown;
}

/** The kind of a branch, and its value. */
function partsOf(key: string): [kind: string, value: string] {
  const end = key.indexOf(":");
  return [key.slice(0, end), key.slice(end + 1)];
}

/** All entries of a branch, page by page from one of its ends. */
async function walk(app: TestApp, person: Person | null, key: string, by: "next" | "previous") {
  const [kind, value] = partsOf(key);
  const end = by === "next" ? "" : "&cursor=cj0x";
  const pages: TreeEntry[][] = [];
  let documents = 0;
  let address: string | null = `/api/documents/tree/?${kind}=${encodeURIComponent(value)}&per_page=2${end}`;
  while (address !== null) {
    const { status: code, body } = await sendAs(app, person, "GET", address);
    expect([address, code, body.is_exact]).toEqual([address, 200, true]);
    pages.push(body.results);
    ({ documents } = body);
    address = body[by] === null ? null : body[by].replace(/^https?:\/\/[^/]+/, "");
  }
  return { entries: (by === "next" ? pages : pages.toReversed()).flat(), documents };
}

/** What a search finds in a branch; nothing in the root, which has no search of its own. */
async function foundIn(app: TestApp, person: Person | null, key: string): Promise<number[]> {
  const [kind, value] = partsOf(key);
  if (value === "") return [];
  const quoted = encodeURIComponent(`"${value.replaceAll(/["\\]/g, "\\$&")}"`);
  const { body } = await sendAs(
    app,
    person,
    "GET",
    `/api/documents/search/?${kind}=${quoted}&per_page=100&sort=id`,
  );
  return body.results.map(({ id }: { id: string }) => Number(id));
}

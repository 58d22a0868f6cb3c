import {
  type Arbitrary,
  array,
  assert,
  asyncProperty,
  boolean,
  constant,
  constantFrom,
  oneof,
  record,
  tuple,
} from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { addDocuments, addProject } from "../../../testing/factories.ts";
import { type Person, addPerson } from "../../../testing/people.ts";
import { type Reply, sendAs } from "../../../testing/requests.ts";
import { runsOn } from "../../../testing/runs.ts";
import { engines, useApp } from "../../../testing/test-app.ts";

/** The changes that the test makes to a container. */
const actions = oneof(
  record({ kind: constant("access" as const), to: constantFrom("public", "organization", "private") }),
  record({ kind: constant("organization" as const), to: constantFrom(1, 2) }),
  record({ kind: constant("owner" as const), to: constantFrom(0, 1) }),
  record({ kind: constant("share" as const), project: constantFrom(0, 1), edits: boolean() }),
  record({ kind: constant("unshare" as const), project: constantFrom(0, 1) }),
  record({ kind: constant("delete" as const) }),
  record({ kind: constant("restore" as const) }),
);
type Action = typeof actions extends Arbitrary<infer One> ? One : never;

/** A container as the model has it. People are indexes. */
interface Model {
  access: string;
  organization: number;
  owner: number;
  /** Whether each project that it is in shares it, by the project's index. */
  projects: Map<number, boolean>;
  isDeleted: boolean;
}

const statuses = constantFrom("success", "success", "readable", "error");

/** The rules, written out. The owners belong to everything; the others to one organization, one project or nothing. */
function mayPersonSee(model: Model, status: string, person: number | null): boolean {
  const { access, organization, owner, projects, isDeleted } = model;
  if (isDeleted) return false;
  if (access === "public" && status !== "error") return true;
  if (person === null) return false;
  const isMember = person < 2 || person - 1 === organization;
  const isCollaborator = (project: number): boolean => person < 2 || person - 4 === project;
  const isShared = [...projects].some(([project, edits]) => edits && isCollaborator(project));
  return person === owner || isShared || (access === "organization" && isMember);
}

describe.each(engines)("a family on %s", (engine) => {
  const app = useApp(engine);
  /** Two owners, a member of each organization, a collaborator of each project, and a stranger. */
  let persons: Person[];
  let projects: number[];
  beforeAll(async () => {
    await addDocuments(app.context, []);
    const { database } = app.context;
    const at = "2025-01-31T12:00:00.000000Z";
    await database.write(async (writer) => {
      const two = { id: 2, name: "Two", slug: "two", individual: false, created_at: at, updated_at: at };
      await writer
        .insertInto("organizations")
        .values(two)
        .onConflict((on) => on.doNothing())
        .execute();
    });
    const add = (username: string, more: object = {}): Promise<Person> =>
      addPerson(app.context, { username, ...more });
    const one = await addProject(app.context, { title: "One" }, []);
    const two = await addProject(app.context, { title: "Two" }, []);
    projects = [one, two];
    const everything = { organizations: [1, 2], projects: { [one]: "admin", [two]: "admin" } };
    persons = [
      await add("first", everything),
      await add("second", everything),
      await add("member-one", { organizations: [1] }),
      await add("member-two", { organizations: [2] }),
      await add("collaborator-one", { projects: { [one]: "view" } }),
      await add("collaborator-two", { projects: { [two]: "edit" } }),
      await add("stranger"),
    ];
  });

  /** A container, two documents in it, and one in the second of these. Returns their ids. */
  async function build(all: readonly string[]): Promise<number[]> {
    const of = { access: "private", user_id: persons[0]?.id ?? 0, organization_id: 1 };
    const ids = await addDocuments(
      app.context,
      all.map((status) => ({ ...of, status })),
    );
    const [root = 0, first = 0, second = 0, inner = 0] = ids;
    const of_root = { root_id: root, path: "a", bytes: 1, taken_from: "zip" };
    const containments = [
      { child_id: first, parent_id: root, position: 0, depth: 1, ...of_root },
      { child_id: second, parent_id: root, position: 1, depth: 1, ...of_root },
      { child_id: inner, parent_id: second, position: 0, depth: 2, ...of_root },
    ];
    await app.context.database.write((writer) =>
      writer.insertInto("document_children").values(containments).execute(),
    );
    return ids;
  }

  /** Does it as the owner, who may do everything, and notes it in the model. */
  async function act(model: Model, root: number, action: Action): Promise<void> {
    const send = async (method: string, target: string, value?: unknown): Promise<void> => {
      const { status, body }: Reply = await sendAs(app, persons[model.owner] ?? null, method, target, value);
      expect([method, target, value, body, status < 300]).toEqual([method, target, value, body, true]);
    };
    const document = `/api/documents/${root}/`;
    if (action.kind === "restore") {
      if (!model.isDeleted) return;
      await send("POST", "/api/documents/trash/restore/", { ids: [root] });
      model.isDeleted = false;
      return;
    }
    if (model.isDeleted) return;
    if (action.kind === "delete") {
      await send("DELETE", document);
      model.isDeleted = true;
    } else if (action.kind === "share") {
      const folder = `/api/projects/${projects[action.project]}/documents/`;
      if (model.projects.has(action.project))
        await send("PATCH", `${folder}${root}/`, { edit_access: action.edits });
      else await send("POST", folder, { document: root, edit_access: action.edits });
      model.projects.set(action.project, action.edits);
    } else if (action.kind === "unshare") {
      if (!model.projects.has(action.project)) return;
      await send("DELETE", `/api/projects/${projects[action.project]}/documents/${root}/`);
      model.projects.delete(action.project);
    } else if (action.kind === "owner") {
      await send("PATCH", document, { user: persons[action.to]?.id });
      model.owner = action.to;
    } else {
      await send("PATCH", document, { [action.kind]: action.to });
      if (action.kind === "access") model.access = action.to;
      else model.organization = action.to;
    }
  }

  it("is seen as the rights of its container say, whatever happens to that", async () => {
    await assert(
      asyncProperty(
        tuple(statuses, statuses, statuses, statuses),
        array(actions, { minLength: 1, maxLength: 8 }),
        async (all, some) => {
          const ids = await build(all);
          const model: Model = {
            access: "private",
            organization: 1,
            owner: 0,
            projects: new Map(),
            isDeleted: false,
          };
          for (const action of some) await act(model, ids[0] ?? 0, action);
          for (const person of [null, ...persons.keys()]) {
            const asked = person === null ? null : (persons[person] ?? null);
            const expected = ids.filter((_, index) => mayPersonSee(model, all[index] ?? "", person));
            const listed = await sendAs(app, asked, "GET", `/api/documents/?id__in=${ids.join()}`);
            const seen: number[] = [];
            for (const id of ids) {
              const { status, body } = await sendAs(app, asked, "GET", `/api/documents/${id}/`);
              if (status === 200) seen.push(body.id);
            }
            const inList = listed.body.results.map(({ id }: { id: number }) => id);
            expect({ person, some, seen, inList }).toEqual({
              person,
              some,
              seen: expected,
              inList: expected,
            });
          }
        },
      ),
      { numRuns: runsOn(engine, 40) },
    );
  });
});

import { beforeAll, describe, expect, it } from "vitest";
import { type Role, columnOf, rightOf, roles, sees } from "../src/testing/access-rights.ts";
import { type FilledDocument, absentId, accessWorld } from "../src/testing/access-world.ts";
import { jsonOf } from "../src/testing/ask.ts";
import { addProject } from "../src/testing/factories.ts";
import { markOf } from "../src/testing/marks.ts";
import type { MatrixRow } from "../src/testing/matrix.ts";
import { sendAs } from "../src/testing/requests.ts";
import { type Matrix, runOtherMethods, runRow } from "../src/testing/run-matrix.ts";
import { engines, useStarted } from "../src/testing/test-app.ts";
import { documentMatrix } from "./rights/document-matrix.ts";
import {
  type WorldProject,
  membershipRequest,
  membershipRows,
  projectRequest,
  projectRows,
  projectWords,
  writtenTitle,
} from "./rights/projects.ts";

const byNumber = (one: number, other: number): number => one - other;
const writers: ReadonlySet<Role> = new Set(["project editor", "project admin", "administrator"]);
const collaborators = {
  "project viewer": "view",
  "project editor": "edit",
  "project admin": "admin",
} as const;

describe.each(engines)("who may do what with the documents of a project on %s", (engine) => {
  const world = useStarted(() => accessWorld(engine));
  let shelf: number;
  let matrix: Matrix<Role, FilledDocument>;
  beforeAll(async () => {
    const { app, people, project } = world;
    shelf = await addProject(app.context, {}, []);
    await app.context.database.write(async (writer) => {
      for (const person of Object.values(people)) {
        if (person === null) continue;
        const collaborator = { project_id: shelf, user_id: person.id, access: "edit" } as const;
        await writer.insertInto("project_collaborators").values(collaborator).execute();
      }
    });
    matrix = await documentMatrix(engine, world, {
      words: projectWords,
      askedOf: (row, document) => membershipRequest(row, { project, shelf }, document),
      idsOf: (_row, { id }) => ({ document: id }),
      wordFor: ({ method, words }, role, document) => {
        const right = rightOf(role, document);
        if (method === "GET")
          return right === "n" ? "nothing" : right === "a" ? "200" : (words[columnOf(right)] ?? "");
        if (role === "anonymous") return words[0] ?? "";
        const isOutside = words[1] !== "." && !writers.has(role);
        return (isOutside ? words[1] : words[columnOf(right)]) ?? "";
      },
      effectOf: (row, { role, thing }) => effectOf(row, role, thing),
    });
  });

  async function effectOf(
    { method, variant }: MatrixRow,
    role: Role,
    document: FilledDocument,
  ): Promise<string> {
    const row = await world.app.context.database.reader
      .selectFrom("project_memberships")
      .select("edit_access")
      .where("document_id", "=", document.id)
      .where("project_id", "=", method === "POST" ? shelf : world.project)
      .executeTakeFirst();
    const isShared = row === undefined ? null : Boolean(row.edit_access);
    const due =
      method === "POST"
        ? rightOf(role, document) === "E"
        : method === "DELETE"
          ? null
          : method === "GET" || variant === "share";
    return isShared === due ? "done" : `shared: ${isShared}`;
  }

  it("shows the documents that the viewer may see, and counts no others", async () => {
    for (const role of roles) {
      const target = `/api/projects/${world.project}/documents/?per_page=100`;
      const { body } = await sendAs(world.app, world.people[role], "GET", target);
      const seen = world.documents.filter((document) => sees(role, document));
      const ids = (body.results as { document: number }[]).map(({ document }) => document);
      expect([role, ids]).toEqual([role, seen.map(({ id }) => id).toReversed()]);
      expect([role, body.count]).toEqual([role, seen.length]);
    }
  });

  it.each(membershipRows)("$name", (row) => runRow(matrix, row));

  it("tells nothing by other methods", () => runOtherMethods(matrix, membershipRows));

  it("removes no hidden document when it replaces the documents of a project", async () => {
    const { app, people, project } = world;
    const target = `/api/projects/${project}/documents/`;
    const editor = people["project editor"];
    expect((await sendAs(app, editor, "PUT", target, [])).status).toBe(200);
    const left = await app.context.database.reader
      .selectFrom("project_memberships")
      .select("document_id")
      .where("project_id", "=", project)
      .where(
        "document_id",
        "in",
        world.documents.map(({ id }) => id),
      )
      .execute();
    const unseen = world.documents.filter((document) => rightOf("project editor", document) === "-");
    expect(left.map(({ document_id }) => document_id).toSorted(byNumber)).toEqual(
      unseen.map(({ id }) => id).toSorted(byNumber),
    );
  });
});

describe.each(engines)("who may do what with a project on %s", (engine) => {
  const world = useStarted(() => accessWorld(engine));
  let matrix: Matrix<Role, WorldProject>;
  beforeAll(async () => {
    const { app, people, shown } = world;
    for (const id of [world.project, world.unshared]) shown.set(id, () => true);
    matrix = {
      app,
      people,
      words: projectWords,
      things: [await add(false), await add(true)],
      nameOf: ({ isSecret }) => (isSecret ? "secret" : "public"),
      wordFor: ({ variant, words }, role, { isSecret }) =>
        (variant === "secret") === isSecret ? (words[roles.indexOf(role)] ?? "") : null,
      askedOf: (row, project) => projectRequest(world, row, project),
      unless: (_row, role, project) => (isSeen(role, project) ? null : { ...project, id: absentId.project }),
      idsOf: (_row, { id }) => ({ id }),
      maySee: (_row, role, id) => shown.get(id)?.(role) === true,
      isSelected: () => true,
      copiesOf: (_row, cells) => Array.fromAsync(cells, ({ thing }) => add(thing.isSecret)),
      async effectOf(row, { role, thing }, reply) {
        if (row.path === "/api/projects/:id/users/" && row.method === "GET") {
          const { results } = jsonOf(reply) as { results: unknown[] };
          const isAdmin = role === "project admin" || (role === "administrator" && !thing.isSecret);
          return results.length === (isAdmin ? 3 : 0) ? "done" : `shows ${results.length} collaborators`;
        }
        return effectOf(row, thing);
      },
    };
  });

  /** Adds a project with a collaborator of each kind. */
  async function add(isSecret: boolean): Promise<WorldProject> {
    const { app, people, shown } = world;
    const id = await addProject(app.context, { private: isSecret, user_id: people.owner?.id ?? 0 }, []);
    const [document] = await world.add([{ access: "public", status: "success" }]);
    const mark = markOf(id);
    await app.context.database.write(async (writer) => {
      await writer
        .updateTable("projects")
        .set({ title: `A project ${mark}`, description: mark })
        .where("id", "=", id)
        .execute();
      for (const [role, access] of Object.entries(collaborators)) {
        const user = people[role as Role]?.id ?? 0;
        const collaborator = { project_id: id, user_id: user, access };
        await writer.insertInto("project_collaborators").values(collaborator).execute();
      }
    });
    const project = { id, isSecret, document: document?.id ?? 0 };
    shown.set(id, (role) => isSeen(role, project));
    return project;
  }

  async function effectOf({ method, path }: MatrixRow, { id }: WorldProject): Promise<string> {
    if (method === "GET") return "done";
    const { reader } = world.app.context.database;
    const project = await reader
      .selectFrom("projects")
      .select("title")
      .where("id", "=", id)
      .executeTakeFirst();
    const users = await reader
      .selectFrom("project_collaborators")
      .select(["user_id", "access"])
      .where("project_id", "=", id)
      .execute();
    const documents = await reader
      .selectFrom("project_memberships")
      .select("document_id")
      .where("project_id", "=", id)
      .execute();
    if (path.endsWith("/mailkey/")) {
      const keys = await reader.selectFrom("mail_keys").select("id").where("project_id", "=", id).execute();
      return keys.length === (method === "POST" ? 1 : 0) ? "done" : `${keys.length} keys`;
    }
    const viewer = users.find(({ user_id }) => user_id === world.people["project viewer"]?.id)?.access;
    const found = `${project?.title.split(" ")[0]} ${users.length} ${viewer} ${documents.length}`;
    const due: Record<string, string> = {
      "PATCH /api/projects/:id/": `${writtenTitle} 3 view 0`,
      "PUT /api/projects/:id/": `${writtenTitle} 3 view 0`,
      "DELETE /api/projects/:id/": "undefined 0 undefined 0",
      "POST /api/projects/:id/documents/": "A 3 view 1",
      "PUT /api/projects/:id/documents/": "A 3 view 0",
      "POST /api/projects/:id/users/": "A 4 view 0",
      "PATCH /api/projects/:id/users/:user/": "A 3 edit 0",
      "PUT /api/projects/:id/users/:user/": "A 3 edit 0",
      "DELETE /api/projects/:id/users/:user/": "A 2 undefined 0",
      "POST /api/documents/": "A 3 view 1",
    };
    return found === due[`${method} ${path}`] ? "done" : found;
  }

  it.each(projectRows)("$name", (row) => runRow(matrix, row));

  it("tells nothing by other methods", () => runOtherMethods(matrix, projectRows));
});

const isSeen = (role: Role, { isSecret }: WorldProject): boolean => !isSecret || role in collaborators;

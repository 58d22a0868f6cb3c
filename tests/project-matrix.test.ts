import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Asked, type Right, ask, columnOf, linesOf, rightOf } from "../src/testing/access-rights.ts";
import {
  type AccessWorld,
  type Role,
  accessWorld,
  dumpOf,
  matrixDocuments,
  roles,
} from "../src/testing/access-world.ts";
import { addProject } from "../src/testing/factories.ts";
import { sendAs } from "../src/testing/requests.ts";
import { engines } from "../src/testing/test-app.ts";

/*
 * The documents of a project. All are in it and shared; its editors, its admins and administrators may write to it. For
 * these users the answer depends on their right to the document (see access-rights.ts); everyone else is "outside". The
 * shelf is another project, to which all signed-in users may add documents.
 */
const memberships = `
  action                 anonymous  outside    -          v            e            E
  read                 -          -          nothing    200          200          200
  share                signin     unwriting  nothing    unshareable  unshareable  200
  unshare              signin     unwriting  nothing    200          200          200
  replace              signin     unwriting  nothing    200          200          200
  remove               signin     unwriting  nothing    204          204          204
  share-several        signin     unwriting  unknowns   unshareable  unshareable  200
  unshare-several      signin     unwriting  unknowns   200          200          200
  remove-several       signin     unwriting  unchosen   204          204          204
  remove-all           signin     unwriting  unnamed    unnamed      unnamed      unnamed
  shelve               signin     -          unknown    201          201          201
  shelve-shared        signin     -          unknown    unshareable  unshareable  201
  shelve-several       signin     -          unknowns   201          201          201
`;

/*
 * The project itself and its collaborators: the answers for each role, for a project that everyone sees and a private
 * one.
 */
const projects = `
  action              anonymous  owner       member      orgadmin    other       viewer      editor      padmin  administrator  unshared
  read              200        200         200         200         200         200         200         200     200            200
  documents         200        200         200         200         200         200         200         200     200            200
  change            signin     uneditable  uneditable  uneditable  uneditable  uneditable  uneditable  200     200            uneditable
  replace           signin     forbidden   forbidden   forbidden   forbidden   forbidden   forbidden   200     200            forbidden
  delete            signin     forbidden   forbidden   forbidden   forbidden   forbidden   forbidden   204     204            forbidden
  users             none       none        none        none        none        none        none        all     all            none
  user              nothing    nothing     nothing     nothing     nothing     nothing     nothing     200     200            nothing
  add-user          signin     unadding    unadding    unadding    unadding    unadding    unadding    201     201            unadding
  change-user       signin     nothing     nothing     nothing     nothing     nothing     nothing     200     200            nothing
  remove-user       signin     nothing     nothing     nothing     nothing     nothing     nothing     204     204            nothing
  secret-read       nothing    nothing     nothing     nothing     nothing     200         200         200     nothing        nothing
  secret-documents  nothing    nothing     nothing     nothing     nothing     200         200         200     nothing        nothing
  secret-put        nothing    nothing     nothing     nothing     nothing     unwriting   201         201     nothing        nothing
  secret-change     signin     nothing     nothing     nothing     nothing     uneditable  uneditable  200     nothing        nothing
  secret-replace    signin     nothing     nothing     nothing     nothing     forbidden   forbidden   200     nothing        nothing
  secret-delete     signin     nothing     nothing     nothing     nothing     forbidden   forbidden   204     nothing        nothing
  secret-users      nothing    nothing     nothing     nothing     nothing     none        none        all     nothing        nothing
  secret-add-user   nothing    nothing     nothing     nothing     nothing     unadding    unadding    201     nothing        nothing
`;

const pk = 'Invalid pk "<id>" - object does not exist.';
const words: Record<string, [number, unknown]> = {
  nothing: [404, { detail: "Not found." }],
  signin: [403, { detail: "Authentication credentials were not provided." }],
  uneditable: [403, { detail: "You do not have permission to edit this document" }],
  forbidden: [403, { detail: "You do not have permission to perform this action." }],
  unadding: [403, { detail: "You do not have permission to add collaborators to this project" }],
  unwriting: [403, { detail: "You do not have permission to edit documents in this project" }],
  unshareable: [
    403,
    { detail: "You may only set `edit_access` to true if you have permission to share `document`" },
  ],
  unknown: [400, { document: [pk] }],
  unknowns: [400, [{ document: [pk] }]],
  unchosen: [400, { document_id__in: ["Select a valid choice. <id> is not one of the available choices."] }],
  unnamed: [400, ["May not bulk delete unless you explicitly specify IDs"]],
};

const byNumber = (one: number, other: number): number => one - other;
const absent = 987_654;
const writers: ReadonlySet<Role> = new Set(["project editor", "project admin", "administrator"]);

describe.each(engines)("who may do what with a project on %s", (engine) => {
  let world: AccessWorld;
  let shelf: number;
  beforeAll(async () => {
    world = await accessWorld(engine);
    shelf = await addProject(world.app.context, {}, []);
    await world.app.context.database.write(async (writer) => {
      for (const person of Object.values(world.people)) {
        if (person === null) continue;
        const collaborator = { project_id: shelf, user_id: person.id, access: "edit" } as const;
        await writer.insertInto("project_collaborators").values(collaborator).execute();
      }
    });
  });
  afterAll(() => world[Symbol.asyncDispose]());

  async function restore(id: number): Promise<void> {
    await world.app.context.database.write(async (writer) => {
      await writer.deleteFrom("project_memberships").where("document_id", "=", id).execute();
      const rows = [
        { project_id: world.project, document_id: id, edit_access: true },
        { project_id: world.unshared, document_id: id, edit_access: false },
      ];
      await writer.insertInto("project_memberships").values(rows).execute();
    });
  }

  function asked(action: string, document: number): [string, Asked] {
    const all = `/api/projects/${world.project}/documents/`;
    const one = `${all}${document}/`;
    const put = `/api/projects/${shelf}/documents/`;
    const actions: Record<string, [string, Asked]> = {
      read: ["GET", { target: one }],
      share: ["PATCH", { target: one, value: { edit_access: true } }],
      unshare: ["PATCH", { target: one, value: { edit_access: false } }],
      replace: ["PUT", { target: one, value: { document, edit_access: false } }],
      remove: ["DELETE", { target: one }],
      "share-several": ["PATCH", { target: all, value: [{ document, edit_access: true }] }],
      "unshare-several": ["PATCH", { target: all, value: [{ document, edit_access: false }] }],
      "remove-several": ["DELETE", { target: `${all}?document_id__in=${document}` }],
      "remove-all": ["DELETE", { target: all }],
      shelve: ["POST", { target: put, value: { document } }],
      "shelve-shared": ["POST", { target: put, value: { document, edit_access: true } }],
      "shelve-several": ["POST", { target: put, value: [{ document }] }],
    };
    return actions[action] ?? ["", { target: "" }];
  }

  it.each(linesOf(memberships).map(([action = "", ...columns]) => ({ action, columns })))(
    "to $action",
    async ({ action, columns }) => {
      const wordFor = (role: Role, right: Right): string => {
        const column = columns[columnOf(right)] ?? "";
        // Reading needs only the right to see the document.
        if (action === "read") return right === "n" ? "nothing" : right === "a" ? "200" : column;
        if (role === "anonymous") return columns[0] ?? "";
        const isOutside = columns[1] !== "-" && !writers.has(role);
        return isOutside ? (columns[1] ?? "") : column;
      };
      const differences: unknown[] = [];
      const documents = matrixDocuments(engine, world.documents);
      const cells = roles.flatMap((role) =>
        documents.map((document) => ({ role, document, word: wordFor(role, rightOf(role, document)) })),
      );
      const before = await dumpOf(world.app);
      for (const { role, document, word } of cells.filter((cell) => words[cell.word] !== undefined)) {
        const told = await ask(world, role, ...asked(action, document.id), document.id);
        const [status, body] = words[word] ?? [];
        const right = rightOf(role, document);
        if (told.status !== status || JSON.stringify(JSON.parse(told.body)) !== JSON.stringify(body))
          differences.push({ role, document, told, expected: [status, body] });
        if (right !== "-" && right !== "n") continue;
        const ofAbsent = await ask(world, role, ...asked(action, absent), absent);
        if (JSON.stringify(ofAbsent) !== JSON.stringify(told))
          differences.push({ role, document, told, ofAbsent });
      }
      expect(differences.slice(0, 3)).toEqual([]);
      expect(await dumpOf(world.app)).toBe(before);
      for (const { role, document, word } of cells.filter((cell) => words[cell.word] === undefined)) {
        const told = await ask(world, role, ...asked(action, document.id), document.id);
        const right = rightOf(role, document);
        const rows = await world.app.context.database.reader
          .selectFrom("project_memberships")
          .selectAll()
          .where("document_id", "=", document.id)
          .where("project_id", "=", action.startsWith("shelve") ? shelf : world.project)
          .execute();
        const isShared = rows[0] === undefined ? null : Boolean(rows[0].edit_access);
        const expected = action.startsWith("shelve")
          ? right === "E"
          : action.startsWith("remove")
            ? null
            : action.startsWith("share") || action === "read";
        if (told.status !== Number(word) || isShared !== expected)
          differences.push({ role, document, told, word, isShared });
        await restore(document.id);
      }
      expect(differences.slice(0, 3)).toEqual([]);
    },
  );

  it("shows the documents that the viewer may see, and counts no others", async () => {
    for (const role of roles) {
      const target = `/api/projects/${world.project}/documents/?per_page=100`;
      const { body } = await sendAs(world.app, world.people[role], "GET", target);
      const seen = world.documents.filter((document) => !["n", "-"].includes(rightOf(role, document)));
      const ids = (body.results as { document: number }[]).map(({ document }) => document);
      expect([role, ids]).toEqual([role, seen.map(({ id }) => id).toReversed()]);
      expect([role, body.count]).toEqual([role, seen.length]);
    }
  });

  it("removes no hidden document when it replaces the documents of a project", async () => {
    const { app, people, project } = world;
    const target = `/api/projects/${project}/documents/`;
    const editor = people["project editor"];
    expect((await sendAs(app, editor, "PUT", target, [])).status).toBe(200);
    const left = await app.context.database.reader
      .selectFrom("project_memberships")
      .select("document_id")
      .where("project_id", "=", project)
      .execute();
    const unseen = world.documents.filter((document) => rightOf("project editor", document) === "-");
    expect(left.map(({ document_id }) => document_id).toSorted(byNumber)).toEqual(
      unseen.map(({ id }) => id).toSorted(byNumber),
    );
    for (const { id } of world.documents) await restore(id);
  });

  it.each(linesOf(projects).map(([action = "", ...columns]) => ({ action, columns })))(
    "to $action, by role",
    async ({ action, columns }) => {
      expect(columns).toHaveLength(roles.length);
      const { app, people } = world;
      const { database } = app.context;
      for (const [index, role] of roles.entries()) {
        const isPrivate = action.startsWith("secret-");
        const project = await addProject(
          app.context,
          { private: isPrivate, user_id: people.owner?.id ?? 0 },
          [],
        );
        const [viewer, editor, admin] = (["project viewer", "project editor", "project admin"] as const).map(
          (one) => people[one]?.id ?? 0,
        );
        const [public1] = world.documents;
        await database.write((writer) =>
          writer
            .insertInto("project_collaborators")
            .values([
              { project_id: project, user_id: viewer ?? 0, access: "view" },
              { project_id: project, user_id: editor ?? 0, access: "edit" },
              { project_id: project, user_id: admin ?? 0, access: "admin" },
            ])
            .execute(),
        );
        const place = `/api/projects/${project}/`;
        const email = "other@example.org";
        const actions: Record<string, [string, string, unknown?]> = {
          read: ["GET", place],
          documents: ["GET", `${place}documents/`],
          put: ["POST", `${place}documents/`, { document: public1?.id, edit_access: null }],
          change: ["PATCH", place, { title: "Mine" }],
          replace: ["PUT", place, { title: "Mine" }],
          delete: ["DELETE", place],
          users: ["GET", `${place}users/`],
          user: ["GET", `${place}users/${viewer}/`],
          "add-user": ["POST", `${place}users/`, { email, access: "view" }],
          "change-user": ["PATCH", `${place}users/${viewer}/`, { access: "edit" }],
          "remove-user": ["DELETE", `${place}users/${viewer}/`],
        };
        const [method = "", target = "", value] = actions[action.replace("secret-", "")] ?? [];
        const tables = [
          "projects",
          "project_collaborators",
          "project_memberships",
          "document_history",
        ] as const;
        const before = await dumpOf(app, tables);
        const told = await sendAs(app, people[role], method, target, value);
        const never = await sendAs(
          app,
          people[role],
          method,
          target.replace(place, `/api/projects/${absent}/`),
          value,
        );
        const hasChanged = (await dumpOf(app, tables)) !== before;
        const word = columns[index] ?? "";
        const [status, body] = words[word] ?? [word === "none" || word === "all" ? 200 : Number(word)];
        const isChange = status < 300 && method !== "GET";
        expect([role, told.status, hasChanged]).toEqual([role, status, isChange]);
        expect([role, told.body]).toEqual([role, body ?? told.body]);
        // A viewer who may not see the project gets the same answer as for one that never existed.
        const isNothing = word === "nothing";
        expect([role, never.status, never.body]).toEqual([
          role,
          isNothing ? status : never.status,
          isNothing ? body : never.body,
        ]);
        const listed = { none: 0, all: 3 }[word];
        expect([role, listed === undefined ? undefined : told.body.results.length]).toEqual([role, listed]);
        await database.write((writer) => writer.deleteFrom("projects").where("id", "=", project).execute());
      }
    },
  );
});

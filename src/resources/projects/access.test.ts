import { beforeAll, describe, expect, it } from "vitest";
import { addDocuments, addProject } from "../../testing/factories.ts";
import { type Person, addPerson } from "../../testing/people.ts";
import { sendAs } from "../../testing/requests.ts";
import { defaultEngines, useApp } from "../../testing/test-app.ts";

const roles = ["anonymous", "other", "creator", "viewer", "editor", "admin", "administrator"] as const;
type Role = (typeof roles)[number];

/* The response to each role, in the order of `roles`; `words` explains the words. The creator is no longer a collaborator. */
const answers = `
  request         project  anonymous other    creator  viewer   editor   admin    administrator
  GET             public   200       200      200      200      200      200      200
  GET             private  nothing   nothing  nothing  200      200      200      nothing
  HEAD            private  nothing   nothing  nothing  200      200      200      nothing
  PATCH           public   signin    denied   denied   denied   denied   200      200
  PATCH           private  signin    nothing  nothing  denied   denied   200      nothing
  PATCH           missing  signin    nothing  nothing  nothing  nothing  nothing  nothing
  PUT             public   signin    refused  refused  refused  refused  200      200
  PUT             private  signin    nothing  nothing  refused  refused  200      nothing
  pin             public   signin    200      200      200      200      200      200
  pin             private  signin    nothing  nothing  200      200      200      nothing
  DELETE          public   signin    refused  refused  refused  refused  204      204
  DELETE          private  signin    nothing  nothing  refused  refused  204      nothing
  DELETE          missing  signin    nothing  nothing  nothing  nothing  nothing  nothing
  POST            public   signin    method   method   method   method   method   method
  GET users/      public   empty     empty    empty    empty    empty    200      200
  GET users/      private  nothing   nothing  nothing  empty    empty    200      nothing
  POST users/     public   signin    unadding unadding unadding unadding 201      201
  POST users/     private  nothing   nothing  nothing  unadding unadding 201      nothing
  POST users/     missing  nothing   nothing  nothing  nothing  nothing  nothing  nothing
  PATCH users/    public   signin    method   method   method   method   method   method
  GET users/N/    public   nothing   nothing  nothing  nothing  nothing  200      200
  GET users/N/    private  nothing   nothing  nothing  nothing  nothing  200      nothing
  PATCH users/N/  public   signin    nothing  nothing  nothing  nothing  200      200
  PATCH users/N/  private  signin    nothing  nothing  nothing  nothing  200      nothing
  PUT users/N/    public   signin    nothing  nothing  nothing  nothing  200      200
  DELETE users/N/ public   signin    nothing  nothing  nothing  nothing  204      204
  DELETE users/N/ private  signin    nothing  nothing  nothing  nothing  204      nothing
`;

const anything: unknown = expect.anything();
const words: Record<string, [number, unknown]> = {
  nothing: [404, { detail: "Not found." }],
  signin: [403, { detail: "Authentication credentials were not provided." }],
  denied: [403, { detail: "You do not have permission to edit this document" }],
  refused: [403, { detail: "You do not have permission to perform this action." }],
  unadding: [403, { detail: "You do not have permission to add collaborators to this project" }],
  empty: [200, { next: null, previous: null, results: [] }],
};

const lines = answers
  .trim()
  .split("\n")
  .slice(1)
  .map((line) => {
    const [, request = "", state = "", columns = ""] =
      /^\s*(.+?)\s+(public|private|missing)\s+(.+)$/.exec(line) ?? [];
    return { request, state, columns: columns.split(/\s+/) };
  });

function bodyFor(request: string): unknown {
  if (request === "pin") return { pinned: true };
  if (request === "POST users/") return { email: "Newcomer@Example.org", access: "edit" };
  if (/^P.* users/.test(request)) return { access: "edit" };
  return request.startsWith("P") ? { title: "Other", pinned: true } : undefined;
}

const right = (edit: boolean | null, add: boolean | null): object => ({
  edit_access: edit,
  add_remove_access: add,
});

describe.each(defaultEngines)("a project and its collaborators on %s", (engine) => {
  const app = useApp(engine);
  let people: Record<Role, Person | null>;
  let friend: Person;
  beforeAll(async () => {
    await addDocuments(app.context, []);
    const add = (username: string, more: object = {}): Promise<Person> =>
      addPerson(app.context, { username, organizations: [1], ...more });
    friend = await add("friend");
    await add("newcomer");
    people = {
      anonymous: null,
      other: await add("other"),
      creator: await add("creator"),
      viewer: await add("viewer"),
      editor: await add("editor"),
      admin: await add("admin"),
      administrator: await add("administrator", { isAdministrator: true }),
    };
  });

  async function makeProject(state: string): Promise<number> {
    if (state === "missing") return 987_654;
    const project_id = await addProject(
      app.context,
      { private: state === "private", user_id: people.creator?.id ?? 0 },
      [],
    );
    const collaborators = [
      { user_id: people.viewer?.id ?? 0, access: "view" as const },
      { user_id: people.editor?.id ?? 0, access: "edit" as const },
      { user_id: people.admin?.id ?? 0, access: "admin" as const },
      { user_id: friend.id, access: "view" as const },
    ];
    await app.context.database.write(async (writer) => {
      const rows = collaborators.map((row) => Object.assign({ project_id }, row));
      await writer.insertInto("project_collaborators").values(rows).execute();
    });
    return project_id;
  }

  const dump = async (): Promise<string> => {
    const { reader } = app.context.database;
    const tables = ["projects", "project_collaborators", "project_pins"] as const;
    const rows = await Promise.all(tables.map((table) => reader.selectFrom(table).selectAll().execute()));
    return rows
      .flat()
      .map((row) => JSON.stringify(row))
      .toSorted()
      .join("\n");
  };

  it.each(lines)(
    "$request of a $state project has the expected response",
    async ({ request, state, columns }) => {
      for (const [index, role] of roles.entries()) {
        const project = await makeProject(state);
        const [verb = "", below = ""] = request.replace("N", String(friend.id)).split(" ");
        const method = verb === "pin" ? "PATCH" : verb;
        const before = await dump();
        const target = `/api/projects/${project}/${below}`;
        const told = await sendAs(app, people[role], method, target, bodyFor(request));
        const word = columns[index] ?? "";
        const refusal =
          word === "method" ? [405, { detail: `Method "${method}" not allowed.` }] : words[word];
        const [status, body] = refusal ?? [Number(word), anything];
        const expected = [role, status, method === "HEAD" || status === 204 ? null : body];
        expect([role, told.status, told.body]).toEqual(expected);
        const changes = method !== "GET" && method !== "HEAD" && Number(status) < 300;
        expect([role, (await dump()) === before]).toEqual([role, !changes]);
      }
    },
  );

  it("is listed only for those who may see it, with their rights", async () => {
    await app.context.database.write((writer) => writer.deleteFrom("projects").execute());
    const [open, closed] = [await makeProject("public"), await makeProject("private")];
    const table: [Role, object, object | null][] = [
      ["anonymous", right(false, false), null],
      ["other", right(null, null), null],
      ["creator", right(null, null), null],
      ["viewer", right(null, null), right(null, null)],
      ["editor", right(null, true), right(null, true)],
      ["admin", right(true, true), right(true, true)],
      ["administrator", right(true, true), null],
    ];
    for (const [role, ofOpen, ofClosed] of table) {
      const { body } = await sendAs(app, people[role], "GET", "/api/projects/");
      const expected = [
        { id: open, private: false, ...ofOpen },
        ...(ofClosed === null ? [] : [{ id: closed, private: true, ...ofClosed }]),
      ];
      const shown = (body.results as Record<string, unknown>[]).map((project) => ({
        id: project["id"],
        private: project["private"],
        edit_access: project["edit_access"],
        add_remove_access: project["add_remove_access"],
      }));
      expect([role, shown]).toEqual([role, expected]);
    }
  });

  it("cannot be changed with a read-only token", async () => {
    const project = await makeProject("public");
    const reader = await addPerson(app.context, {
      username: "reader",
      projects: { [project]: "admin" },
      mayWrite: false,
    });
    for (const [method, below] of [
      ["PATCH", ""],
      ["DELETE", ""],
      ["POST", "users/"],
      ["DELETE", `users/${friend.id}/`],
    ] as const) {
      const told = await sendAs(app, reader, method, `/api/projects/${project}/${below}`, {});
      expect(told.status).toBe(403);
    }
    expect((await sendAs(app, reader, "GET", `/api/projects/${project}/`)).status).toBe(200);
  });
});

import { beforeEach, describe, expect, it } from "vitest";
import { type Person, addPerson } from "../../testing/people.ts";
import type { Reply } from "../../testing/requests.ts";
import { engines, useApp } from "../../testing/test-app.ts";

describe.each(engines)("collaborators on %s", (engine) => {
  const app = useApp(engine);
  let project: number;
  const admin = app.person("admin", { organizations: [1] });
  const friend = app.person("friend", { organizations: [2] });
  const other = app.person("other");
  beforeEach(async () => {
    project = (await send(admin, "POST", "/api/projects/", { title: "One" })).body.id;
  });

  const { send } = app;
  const users = (): string => `/api/projects/${project}/users/`;
  const user = ({ id }: Person): string => `${users()}${id}/`;
  const add = (email: unknown, access?: unknown): Promise<Reply> =>
    send(admin, "POST", users(), { email, access });
  const listed = async (query = ""): Promise<unknown[]> =>
    (await send(admin, "GET", `${users()}${query}`)).body.results;

  it("are added by email address, ignoring case, and have access from then on", async () => {
    const added = await add(" Friend@EXAMPLE.org ");
    expect(added).toMatchObject({ status: 201, body: { user: friend.id, access: "view" } });
    expect(added.headers.get("location")).toBe(`${app.url}${user(friend)}`);
    expect((await add("other@example.org", "admin")).body).toEqual({ user: other.id, access: "admin" });
    expect(await listed()).toEqual([
      { user: admin.id, access: "admin" },
      { user: friend.id, access: "view" },
      { user: other.id, access: "admin" },
    ]);
    expect((await send(other, "GET", user(friend))).body).toEqual({ user: friend.id, access: "view" });
  });

  it("are refused with a reason if the user does not exist or is a collaborator already", async () => {
    expect(await add("nobody@example.org")).toMatchObject({
      status: 400,
      body: {
        email: [
          "No user with the email nobody@example.org was found. Please check the email, or ask the administrator of this service for an account.",
        ],
      },
    });
    await add("friend@example.org");
    expect((await add("Friend@example.org")).body).toEqual({
      email: ["You may not add user Friend@example.org as a collaborator more than once"],
    });
    expect((await send(admin, "POST", users(), { access: "owner" })).body).toEqual({
      email: ["This field is required."],
      access: ['"owner" is not a valid choice.'],
    });
    // Users who are only named in records have no email address.
    expect((await add("")).body).toEqual({ email: ["This field may not be blank."] });
    expect(await listed()).toHaveLength(2);
  });

  it("are added by id if the admin knows of the user, and find out who added them", async () => {
    const stranger = await addPerson(app.context, { username: "stranger" });
    expect(await send(admin, "POST", users(), { user: stranger.id })).toMatchObject({
      status: 400,
      body: { user: [`Invalid pk "${stranger.id}" - object does not exist.`] },
    });
    expect((await send(admin, "POST", users(), { user: "x" })).body).toEqual({
      user: ["Incorrect type. Expected pk value, received str."],
    });
    expect((await send(admin, "POST", users(), { user: { toString: [] } })).body).toEqual({
      user: ["Incorrect type. Expected pk value, received dict."],
    });
    await add("friend@example.org");
    const second = (await send(admin, "POST", "/api/projects/", { title: "Two" })).body.id;
    const both = { user: friend.id, access: "edit" };
    const added = await send(admin, "POST", `/api/projects/${second}/users/`, both);
    expect([added.status, added.body]).toEqual([201, both]);
    expect((await send(admin, "POST", `/api/projects/${second}/users/`, both)).body).toEqual({
      user: [`You may not add user ${friend.id} as a collaborator more than once`],
    });
    // A client of DocumentCloud may send both, and DocumentCloud ignores the user.
    const email = "other@example.org";
    expect((await send(admin, "POST", users(), { user: friend.id, email })).body.user).toBe(other.id);

    const { body } = await send(friend, "GET", "/api/account/shared/?expand=project,added_by");
    const [mine] = body.results.slice(-1);
    expect(mine).toMatchObject({
      project: { id: second, title: "Two", add_remove_access: true },
      access: "edit",
      added_by: { id: admin.id, name: "admin" },
      added_at: expect.stringMatching(/^20.*Z$/),
    });
    const plain = await send(friend, "GET", "/api/account/shared/");
    expect(plain.body.results.at(-1)).toMatchObject({ project: second, added_by: admin.id });
    expect((await send(admin, "GET", "/api/account/shared/")).body.results).toEqual([]);
    expect((await send(null, "GET", "/api/account/shared/")).status).toBe(403);
    await send(admin, "DELETE", `/api/projects/${second}/users/${friend.id}/`);
    const left = (await send(friend, "GET", "/api/account/shared/")).body.results;
    expect(left.map((shared: { project: number }) => shared.project)).not.toContain(second);
  });

  it("reveal only to admins whether an address belongs to a user", async () => {
    const known = await send(other, "POST", users(), { email: "friend@example.org" });
    const unknown = await send(other, "POST", users(), { email: "nobody@example.org" });
    expect([known.status, known.body]).toEqual([403, unknown.body]);
  });

  it("can be changed in their access only", async () => {
    await add("friend@example.org");
    for (const [method, value, access] of [
      ["PATCH", { user: other.id, access: "edit" }, "edit"],
      ["PATCH", {}, "edit"],
      ["PUT", { access: "admin", email: "" }, "admin"],
      ["PUT", {}, "admin"],
      ["PATCH", { access: "view", email: null }, "view"],
    ] as const) {
      const { status, body } = await send(admin, method, user(friend), value);
      expect([status, body]).toEqual([200, { user: friend.id, access }]);
    }
    const refused: [object, object][] = [
      [{ email: "friend@example.org" }, { email: ["You may not update `email`"] }],
      [{ access: "all" }, { access: ['"all" is not a valid choice.'] }],
      [{ access: null }, { access: ["This field may not be null."] }],
    ];
    for (const [value, body] of refused) {
      expect(await send(admin, "PATCH", user(friend), value)).toMatchObject({ status: 400, body });
    }
    expect(await listed()).toContainEqual({ user: friend.id, access: "view" });
  });

  it("always include an admin", async () => {
    await add("friend@example.org", "edit");
    for (const method of ["PATCH", "PUT"]) {
      expect(await send(admin, method, user(admin), { access: "edit" })).toMatchObject({
        status: 400,
        body: { access: ["You may not demote the only admin in a project"] },
      });
    }
    expect(await send(admin, "DELETE", user(admin))).toMatchObject({
      status: 400,
      body: ["May not remove the only admin from a project"],
    });
    await send(admin, "PATCH", user(friend), { access: "admin" });
    expect((await send(admin, "DELETE", user(admin))).status).toBe(204);
    expect((await send(admin, "GET", users())).body.results).toEqual([]);
    expect((await send(friend, "GET", users())).body.results).toEqual([{ user: friend.id, access: "admin" }]);
  });

  it("always include an admin, even if admins demote each other at the same time", async () => {
    const actions: ((person: Person, whose: Person) => Promise<Reply>)[] = [
      (person, whose) => send(person, "DELETE", user(whose)),
      (person, whose) => send(person, "PATCH", user(whose), { access: "view" }),
    ];
    for (let round = 0; round < 12; round++) {
      project = (await send(admin, "POST", "/api/projects/", {})).body.id;
      await add("friend@example.org", "admin");
      const action = actions[round % 2] as (typeof actions)[number];
      const isOwn = round % 4 < 2;
      const told = await Promise.all([
        action(admin, isOwn ? admin : friend),
        action(friend, isOwn ? friend : admin),
      ]);
      const statuses = told.map(({ status }) => status).toSorted((one, two) => one - two);
      expect(statuses).toEqual([action === actions[0] ? 204 : 200, isOwn ? 400 : 404]);
      const rows = await app.context.database.reader
        .selectFrom("project_collaborators")
        .select("user_id")
        .where("project_id", "=", project)
        .where("access", "=", "admin")
        .execute();
      expect(rows).toHaveLength(1);
    }
  });

  it("are added once even if several requests add them at the same time", async () => {
    const told = await Promise.all(Array.from({ length: 8 }, () => add("friend@example.org")));
    const statuses = told.map(({ status }) => status).toSorted((one, two) => one - two);
    expect(statuses).toEqual([201, 400, 400, 400, 400, 400, 400, 400]);
  });

  it("can be expanded", async () => {
    await add("friend@example.org", "edit");
    const [, plain] = (await send(admin, "GET", `${users()}?expand=user`)).body.results;
    expect(plain).toMatchObject({ user: { id: friend.id, username: "friend", organization: 2 } });
    expect(plain.user).not.toHaveProperty("email");
    const [, nested] = (await send(admin, "GET", `${users()}?expand=user.organization`)).body.results;
    expect(nested).toMatchObject({
      user: { id: friend.id, organization: { id: 2, name: "Organization 2" } },
    });
    const one = await send(admin, "GET", `${user(friend)}?expand=~all`);
    expect(one.body).toMatchObject({ user: { organization: 2 }, access: "edit" });
    expect(await listed("?expand=project,access&fields=access")).toEqual([
      { access: "admin" },
      { access: "edit" },
    ]);
    expect(await listed("?expand=user&omit=access&fields=user.id")).toEqual([
      { user: { id: admin.id } },
      { user: { id: friend.id } },
    ]);
  });

  it("are listed in pages", async () => {
    await add("friend@example.org");
    await add("other@example.org");
    const { body } = await send(admin, "GET", `${users()}?per_page=2`);
    expect(body.results).toHaveLength(2);
    const last = (await send(admin, "GET", body.next.replace(app.url, ""))).body;
    expect(last).toMatchObject({ next: null, results: [{ user: other.id }] });
    expect((await send(admin, "GET", last.previous.replace(app.url, ""))).body.results).toEqual(body.results);
  });

  it("are not changed with a stale entity tag", async () => {
    await add("friend@example.org");
    const read = await send(admin, "GET", user(friend));
    const tag = { "if-match": read.headers.get("etag") ?? "" };
    expect((await send(admin, "PATCH", user(friend), { access: "edit" }, tag)).status).toBe(200);
    for (const method of ["PATCH", "PUT", "DELETE"]) {
      const told = await send(admin, method, user(friend), { access: "admin" }, tag);
      expect([method, told.status]).toEqual([method, 412]);
    }
    expect((await send(admin, "GET", user(friend))).body.access).toBe("edit");
  });
});

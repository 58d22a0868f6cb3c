import { beforeAll, describe, expect, it } from "vitest";
import { addDocuments, addProject } from "../../testing/factories.ts";
import { type Person, addPerson } from "../../testing/people.ts";
import { engines, useApp } from "../../testing/test-app.ts";

describe.each(engines)("users on %s", (engine) => {
  const app = useApp(engine);
  let people: Record<"mara" | "colleague" | "partner" | "author" | "hidden" | "stranger" | "root", Person>;
  let project: number;
  beforeAll(async () => {
    await addDocuments(app.context, []);
    project = await addProject(app.context, { private: true }, []);
    const add = (username: string, more: object = {}): Promise<Person> =>
      addPerson(app.context, { username, ...more });
    people = {
      mara: await add("mara", { organizations: [1, 2], administers: [2], projects: { [project]: "view" } }),
      colleague: await add("colleague", { organizations: [2] }),
      partner: await add("partner", { projects: { [project]: "admin" } }),
      author: await add("author"),
      hidden: await add("hidden"),
      stranger: await add("Stranger"),
      root: await add("root", { isAdministrator: true }),
    };
    await addDocuments(app.context, [
      { user_id: people.author.id },
      { user_id: people.hidden.id, access: "private" },
      { user_id: people.hidden.id, access: "invisible" },
    ]);
  });

  const { send } = app;
  const namesOf = async (person: Person, query = ""): Promise<string[]> => {
    const { status, body } = await send(person, "GET", `/api/users/?${query}`);
    expect([status, body]).toEqual([200, expect.anything()]);
    return body.results.map(({ username }: { username: string }) => username);
  };

  it("see the users that they may know about, in the list and by id", async () => {
    const table: [Person, string[]][] = [
      [people.mara, ["mara", "colleague", "partner", "author"]],
      [people.colleague, ["mara", "colleague", "author"]],
      [people.partner, ["mara", "partner", "author"]],
      [people.author, ["author"]],
      [people.hidden, ["author", "hidden"]],
      [
        people.root,
        ["user-1", "user-2", "mara", "colleague", "partner", "author", "hidden", "Stranger", "root"],
      ],
    ];
    for (const [person, names] of table) {
      expect([person.username, await namesOf(person)]).toEqual([person.username, names]);
      for (const { id, username } of Object.values(people)) {
        const { status } = await send(person, "GET", `/api/users/${id}/`);
        expect([person.username, username, status]).toEqual([
          person.username,
          username,
          names.includes(username) ? 200 : 404,
        ]);
      }
    }
  });

  it("are visible to signed-in viewers only", async () => {
    const refusal = { status: 403, body: { detail: "Authentication credentials were not provided." } };
    for (const target of ["/api/users/", "/api/users/me/", `/api/users/${people.author.id}/`]) {
      expect(await send(null, "GET", target)).toMatchObject(refusal);
      expect(await send(null, "PATCH", target, {})).toMatchObject(refusal);
    }
    const { headers, body } = await send(people.mara, "DELETE", "/api/users/me/");
    expect(headers.get("allow")).toBe("GET, PUT, PATCH, HEAD, OPTIONS");
    expect(body).toEqual({ detail: 'Method "DELETE" not allowed.' });
    expect((await send(people.mara, "POST", "/api/users/", {})).headers.get("allow")).toBe(
      "GET, HEAD, OPTIONS",
    );
  });

  it("see more fields of themselves, and administrators see who is an administrator", async () => {
    const { mara, root } = people;
    const shown = {
      id: mara.id,
      uuid: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/),
      username: "mara",
      name: "mara",
      avatar_url: "",
      organization: 1,
      organizations: [1, 2],
      admin_organizations: [2],
      verified_journalist: true,
    };
    const me = await send(mara, "GET", "/api/users/me/");
    expect(me.body).toEqual({ ...shown, feature_level: 1, email: "mara@example.org" });
    const names = Object.keys(me.body);
    expect(names.slice(4, 6)).toEqual(["avatar_url", "feature_level"]);
    expect(names.at(-1)).toBe("email");
    for (const person of [mara, people.colleague]) {
      expect((await send(person, "GET", `/api/users/${mara.id}/`)).body).toEqual(shown);
    }
    expect((await send(root, "GET", `/api/users/${mara.id}/`)).body).toEqual({ ...shown, is_staff: false });
    expect((await send(root, "GET", "/api/users/me/")).body).toMatchObject({ is_staff: true });
    expect((await send(root, "GET", "/api/users/1/")).body).toMatchObject({ organization: null });
  });

  it("are filtered", async () => {
    const { mara, root, author, colleague } = people;
    const uuid = (await send(mara, "GET", `/api/users/${author.id}/`)).body.uuid;
    const table: [Person, string, string[]][] = [
      [mara, "organization=2", ["mara", "colleague"]],
      [mara, "organization=1,2", ["mara", "colleague"]],
      [mara, `project=${project}`, ["mara", "partner"]],
      [mara, "name=partner", ["partner"]],
      [mara, "name=Partner", []],
      [mara, "name__istartswith=PA", ["partner"]],
      [mara, "name__istartswith=%25", []],
      [mara, "username=MARA", ["mara"]],
      [root, "username=stranger", ["Stranger"]],
      [mara, "username=stranger", []],
      [mara, `uuid=${uuid}`, ["author"]],
      [mara, `uuid=${uuid.toUpperCase()}`, ["author"]],
      [mara, `id__in=${author.id},${colleague.id},999`, ["colleague", "author"]],
      [mara, `organization=2&project=${project}`, ["mara"]],
      [mara, "organization=&name=&uuid=&unknown=1", ["mara", "colleague", "partner", "author"]],
      [mara, "email=mara@example.org", ["mara", "colleague", "partner", "author"]],
    ];
    for (const [person, query, names] of table) {
      expect([query, await namesOf(person, query)]).toEqual([query, names]);
    }
    const refused: [Person, string, object][] = [
      [mara, "uuid=x", { uuid: ["Enter a valid UUID."] }],
      [mara, "organization=9", { organization: [expect.stringContaining("Select a valid choice. 9 ")] }],
      [author, `project=${project}`, { project: [expect.stringContaining("Select a valid choice.")] }],
      [mara, "organization=x", { organization: ["“x” is not a valid value."] }],
    ];
    for (const [person, query, body] of refused) {
      expect(await send(person, "GET", `/api/users/?${query}`)).toMatchObject({ status: 400, body });
    }
  });

  it("can be expanded and restricted to some fields", async () => {
    const { mara } = people;
    const plain = { id: 1, avatar_url: "", individual: false, name: "Organization 1" };
    const me = await send(mara, "GET", "/api/users/me/?expand=organization");
    expect(me.body.organization).toMatchObject({ ...plain, plan: "Free", monthly_credits: 0 });
    const list = await send(mara, "GET", `/api/users/?expand=~all&id__in=${mara.id}`);
    expect(list.body.results[0].organization).toMatchObject(plain);
    expect(list.body.results[0].organization).not.toHaveProperty("plan");
    const part = await send(mara, "GET", "/api/users/me/?expand=organization&fields=id,organization.name");
    expect(part.body).toEqual({ id: mara.id, organization: { name: "Organization 1" } });
    const rest = await send(mara, "GET", `/api/users/?id__in=${mara.id}&fields=id,uuid,name&omit=uuid`);
    expect(rest.body.results).toEqual([{ id: mara.id, name: "mara" }]);
  });

  it("are listed in pages, ordered by id", async () => {
    const first = (await send(people.mara, "GET", "/api/users/?per_page=3")).body;
    expect(first.previous).toBe(null);
    const last = (await send(people.mara, "GET", first.next.replace(app.url, ""))).body;
    expect(last).toMatchObject({ next: null, results: [{ username: "author" }] });
    expect((await send(people.mara, "GET", last.previous.replace(app.url, ""))).body).toMatchObject({
      results: first.results,
    });
  });

  it("choose their active organization among their own", async () => {
    const person = await addPerson(app.context, { username: "chooser", organizations: [1, 2] });
    const table: [string, string, unknown, number, unknown][] = [
      ["PATCH", "me", { organization: 2 }, 200, { organization: 2, email: "chooser@example.org" }],
      ["PUT", "me", { organization: "1", name: "x" }, 200, { organization: 1, name: "chooser" }],
      ["PATCH", String(person.id), { organization: 2 }, 200, { organization: 2 }],
      ["PATCH", "me", {}, 200, { organization: 2 }],
      ["PUT", "me", {}, 400, { organization: ["This field is required."] }],
      [
        "PATCH",
        "me",
        { organization: 99_999 },
        400,
        { organization: ["Organization `99999` does not exist"] },
      ],
      ["PATCH", "me", { organization: "x" }, 400, { organization: ["A valid integer is required."] }],
      ["PATCH", "me", { organization: null }, 400, { organization: ["This field may not be null."] }],
      ["PATCH", "me", [], 400, { non_field_errors: [expect.stringContaining("Expected a dictionary")] }],
    ];
    for (const [method, who, value, status, body] of table) {
      const told = await send(person, method, `/api/users/${who}/`, value);
      expect([method, value, told.status, told.body]).toMatchObject([method, value, status, body]);
    }
    const foreign = await send(people.colleague, "PATCH", "/api/users/me/", { organization: 1 });
    expect(foreign).toMatchObject({
      status: 400,
      body: ["Cannot set a user's active organization to an organization they are not a member of"],
    });
  });

  it("are not changed with a stale entity tag", async () => {
    const person = await addPerson(app.context, { username: "careful", organizations: [1, 2] });
    const tag = async (): Promise<Record<string, string>> => {
      const { headers } = await send(person, "GET", "/api/users/me/");
      return { "if-match": headers.get("etag") ?? "" };
    };
    const stale = await tag();
    const choose = (organization: number, headers: Record<string, string>): Promise<number> =>
      send(person, "PATCH", "/api/users/me/", { organization }, headers).then(({ status }) => status);
    expect(await choose(2, stale)).toBe(200);
    expect(await choose(1, stale)).toBe(412);
    expect((await send(person, "GET", "/api/users/me/")).body.organization).toBe(2);
    expect(await choose(1, await tag())).toBe(200);
  });

  it("cannot be changed by other users", async () => {
    const { mara, colleague, root, stranger } = people;
    const table: [Person, Person, number][] = [
      [colleague, mara, 403],
      [root, mara, 403],
      [stranger, mara, 404],
    ];
    for (const [person, whose, status] of table) {
      for (const method of ["PUT", "PATCH"]) {
        const told = await send(person, method, `/api/users/${whose.id}/`, { organization: 2 });
        expect([person.username, method, told.status]).toEqual([person.username, method, status]);
      }
    }
    expect((await send(mara, "GET", "/api/users/me/")).body.organization).toBe(1);
  });
});

import { describe, expect, it } from "vitest";
import { type Person, addPerson } from "../../testing/people.ts";
import type { Reply } from "../../testing/requests.ts";
import { engines, useApp } from "../../testing/test-app.ts";

const list = "/api/documents/search/saved/";
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const signIn = { detail: "Authentication credentials were not provided." };
const notFound = { detail: "Not found." };

const answered = ({ status, body }: Reply): unknown => [status, body];

interface SavedJson {
  uuid: string;
  name: string;
}

describe.each(engines)("saved searches on %s", (engine) => {
  const app = useApp(engine);
  const mara = app.person("mara", { organizations: [1] });
  const noor = app.person("noor", { organizations: [1] });
  const administrator = app.person("administrator", { isAdministrator: true });

  const { send } = app;
  const save = async (person: Person, name: string, query = "budget"): Promise<string> => {
    const { status, body, headers } = await send(person, "POST", list, { name, query });
    expect([status, body]).toEqual([
      201,
      {
        uuid: expect.stringMatching(uuid),
        name,
        query,
        alert: "off",
        new: null,
        created_at: body.created_at,
        updated_at: body.created_at,
      },
    ]);
    expect(headers.get("location")).toBe(`${app.url}${list}${body.uuid}/`);
    return `${list}${body.uuid}/`;
  };

  it("can be created, read, changed, replaced and deleted", async () => {
    const target = await save(mara, "Budgets");
    const made = (await send(mara, "GET", target)).body;
    const { body } = await send(mara, "PATCH", target, { query: "budget AND council" });
    expect(body).toEqual({ ...made, query: "budget AND council", updated_at: body.updated_at });
    expect(body.updated_at > made.updated_at).toBe(true);
    const replaced = await send(mara, "PUT", target, { name: "All", query: "*" });
    expect(replaced.body).toMatchObject({ uuid: made.uuid, name: "All", query: "*" });
    expect((await send(mara, "PUT", target, { name: "All" })).body).toEqual({
      query: ["This field is required."],
    });
    expect((await send(mara, "GET", target.toUpperCase().replace(list.toUpperCase(), list))).status).toBe(
      200,
    );
    expect((await send(mara, "DELETE", target)).status).toBe(204);
    expect((await send(mara, "GET", target)).status).toBe(404);
  });

  it.each([
    [{}, { name: ["This field is required."], query: ["This field is required."] }],
    [
      { name: "", query: " " },
      { name: ["This field may not be blank."], query: ["This field may not be blank."] },
    ],
    [{ name: "x".repeat(256), query: "x" }, { name: ["Ensure this field has no more than 255 characters."] }],
    [
      { name: "x", query: "x".repeat(10_001) },
      { query: ["Ensure this field has no more than 10000 characters."] },
    ],
    [
      { name: null, query: [] },
      { name: ["This field may not be null."], query: ["Not a valid string."] },
    ],
  ])("are refused as %j", async (value, faults) => {
    const { status, body } = await send(mara, "POST", list, value);
    expect([status, body]).toEqual([400, faults]);
  });

  it("cannot be created or changed as a list", async () => {
    const listed = await send(mara, "POST", list, [{ name: "x", query: "x" }]);
    expect(listed.status).toBe(400);
    for (const method of ["PUT", "PATCH", "DELETE"]) {
      const { status, body } = await send(mara, method, list, {});
      expect([status, body]).toEqual([405, { detail: `Method "${method}" not allowed.` }]);
    }
  });

  it("require signing in", async () => {
    const target = await save(mara, "Mine");
    for (const method of ["GET", "POST", "PUT", "DELETE"])
      expect([method, answered(await send(null, method, list))]).toEqual([method, [403, signIn]]);
    for (const method of ["GET", "PUT", "PATCH", "DELETE"])
      expect([method, answered(await send(null, method, target))]).toEqual([method, [403, signIn]]);
  });

  it("are visible to their owner only, and not to administrators", async () => {
    const target = await save(mara, "Mine");
    const value = { name: "Yours", query: "x" };
    for (const person of [noor, administrator])
      for (const method of ["GET", "PUT", "PATCH", "DELETE"]) {
        const { status, body } = await send(person, method, target, method === "GET" ? undefined : value);
        expect([person.username, method, status, body]).toEqual([person.username, method, 404, notFound]);
      }
    expect((await send(noor, "GET", list)).body).toEqual({ next: null, previous: null, results: [] });
    expect((await send(mara, "GET", target)).body.name).toBe("Mine");
  });

  it("are listed in order of creation, paged by cursors", async () => {
    const person = await addPerson(app.context, { username: "collector" });
    const names = ["c", "a", "d", "b", "e"];
    for (const name of names) {
      await save(person, name);
      await save(mara, "between");
    }
    const walked: string[] = [];
    for (let at: string | null = `${list}?per_page=2`; at !== null;) {
      const { body }: Reply = await send(person, "GET", at.replace(app.url, ""));
      walked.push(...(body.results as SavedJson[]).map(({ name }) => name));
      at = body.next as string | null;
    }
    expect(walked).toEqual(names);
    const last = await send(person, "GET", `${list}?cursor=cj0x&per_page=2`);
    expect((last.body.results as SavedJson[]).map(({ name }) => name)).toEqual(["b", "e"]);
  });

  it("are listed in the API root, and do not shadow the search", async () => {
    expect((await send(null, "GET", "/api/")).body["documents/search/saved"]).toBe(`${app.url}${list}`);
    expect((await send(null, "GET", "/api/documents/search/?q=x")).status).toBe(200);
    const slashless = await app.fetch(list.slice(0, -1), { redirect: "manual" });
    expect([slashless.status, slashless.headers.get("location")]).toEqual([301, list]);
  });
});

import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { addDocuments } from "../../testing/factories.ts";
import { idsAt, walkedIds } from "../../testing/lists.ts";
import { type Person, addPerson } from "../../testing/people.ts";
import type { Reply } from "../../testing/requests.ts";
import { engines, useApp } from "../../testing/test-app.ts";
import { runsOn } from "../../testing/runs.ts";

const required = ["This field is required."];
const noId = { wikidata_id: ["A Wikidata id is Q and a number, as Q42."] };
const known = { wikidata_id: ["entity with this wikidata id already exists."] };
const denied = { detail: "You do not have permission to perform this action." };
const noString = ["Not a valid string."];

const nested = (depth: number): unknown =>
  Array.from({ length: depth }).reduce((inner: unknown) => ({ in: inner }), 1);

const listOf = (...those: string[]): object[] => those.map((one) => ({ wikidata_id: one }));

describe.each(engines)("entities on %s", (engine) => {
  const app = useApp(engine);
  let last = 0;
  const adder = app.person("adder", { organizations: [1] });
  const other = app.person("other", { organizations: [2] });
  const administrator = app.person("boss", { isAdministrator: true });

  const entities = "/api/entities/";
  const { send } = app;
  /** A Wikidata id that no entity has. */
  const fresh = (): string => `Q${(last += 1)}`;
  const add = async (more: object = {}): Promise<{ id: number; wikidata_id: string }> => {
    const { status, body } = await send(adder, "POST", entities, { wikidata_id: fresh(), ...more });
    expect(status).toBe(201);
    return body;
  };
  const page = async (person: Person, target: string): Promise<string> =>
    (await app.fetch(target, { headers: { accept: "text/html", ...person.headers } })).text();

  it("are visible to everyone with the values that were sent", async () => {
    const wikidata_id = fresh();
    const sent = {
      wikidata_id: ` ${wikidata_id} `,
      name: "Ada Lovelace",
      description: "Mathematician",
      wikipedia_url: "https://en.wikipedia.org/wiki/Ada_Lovelace",
      metadata: { born: 1815, "\u00e9": [null, { "": "\u{1F600}" }] },
      user: other.id,
      access: "private",
    };
    const { status, body, headers } = await send(adder, "POST", entities, sent);
    expect([status, body]).toEqual([
      201,
      {
        ...sent,
        access: "public",
        created_at: expect.stringMatching(/^\d{4}-.*Z$/),
        id: body.id,
        updated_at: body.created_at,
        user: adder.id,
        wikidata_id,
      },
    ]);
    expect(Object.keys(body)).toEqual(Object.keys(body).toSorted());
    expect(headers.get("location")).toBe(`${app.url}${entities}${body.id}/`);
    expect((await send(null, "GET", `${entities}${body.id}/`)).body).toEqual(body);
  });

  it("are named by their Wikidata ids by default", async () => {
    const wikidata_id = fresh();
    for (const more of [{}, { name: "  " }]) {
      const { id, ...shown } = await add({ ...more });
      expect(shown).toMatchObject({
        name: shown.wikidata_id,
        description: "",
        wikipedia_url: "",
        metadata: {},
      });
      expect((await send(null, "GET", `${entities}${id}/`)).body).toMatchObject(shown);
    }
    const form = new URLSearchParams({ wikidata_id, name: "", metadata: '{"a": 1}' });
    const answer = await app.fetch(entities, { method: "POST", headers: adder.headers, body: form });
    expect([answer.status, await answer.json()]).toMatchObject([
      201,
      { name: wikidata_id, metadata: { a: 1 } },
    ]);
  });

  it.each([
    [{}, { wikidata_id: required }],
    [{ wikidata_id: null }, { wikidata_id: ["This field may not be null."] }],
    [{ wikidata_id: "" }, { wikidata_id: ["This field may not be blank."] }],
    [{ wikidata_id: 42 }, noId],
    [{ wikidata_id: "q42" }, noId],
    [{ wikidata_id: "Q042" }, noId],
    [{ wikidata_id: "Q4.2" }, noId],
    [{ wikidata_id: "Q\u0664\u0662" }, noId],
    [{ wikidata_id: "P42" }, noId],
    [{ wikidata_id: { Q: 42 } }, { wikidata_id: noString }],
    [
      { wikidata_id: `Q${"1".repeat(16)}` },
      { wikidata_id: ["Ensure this field has no more than 16 characters."] },
    ],
    [{ wikidata_id: "Q1\0" }, { wikidata_id: ["Null characters are not allowed."] }],
    [
      {
        wikidata_id: "Q99",
        name: ["x"],
        description: "x".repeat(2001),
        wikipedia_url: "javascript:x",
        metadata: [],
      },
      {
        name: noString,
        description: ["Ensure this field has no more than 2000 characters."],
        wikipedia_url: ["Enter a valid URL."],
        metadata: ["Value must be a JSON object."],
      },
    ],
    [
      { wikidata_id: "Q99", name: "x".repeat(501) },
      { name: ["Ensure this field has no more than 500 characters."] },
    ],
    [
      { wikidata_id: "Q99", metadata: nested(11) },
      { metadata: ["Ensure this field is nested no more than 10 deep."] },
    ],
    [
      { wikidata_id: "Q99", metadata: { a: "x".repeat(16_384) } },
      { metadata: ["Ensure this field has no more than 16384 bytes of JSON."] },
    ],
    [{ wikidata_id: "Q99", metadata: { a: ["\0"] } }, { metadata: ["Null characters are not allowed."] }],
    [{ wikidata_id: "Q99", metadata: { "\0": 1 } }, { metadata: ["Null characters are not allowed."] }],
    [
      { wikidata_id: "Q99", metadata: { a: "\ud800" } },
      { metadata: ["Surrogate characters are not allowed: U+D800."] },
    ],
  ])("are refused as %j", async (value, faults) => {
    const { status, body } = await send(adder, "POST", entities, value);
    expect([status, body]).toEqual([400, faults]);
  });

  it("accept any JSON as metadata up to a depth, and refuse infinite numbers", async () => {
    const { id } = await add({ metadata: { __proto__: 1, deep: nested(9) } });
    expect((await send(null, "GET", `${entities}${id}/`)).body.metadata).toEqual({ deep: nested(9) });
    const post = async (metadata: string): Promise<[number, string]> => {
      const headers = { ...adder.headers, "content-type": "application/json" };
      const body = `{"wikidata_id":"${fresh()}","metadata":${metadata}}`;
      const answer = await app.fetch(entities, { method: "POST", headers, body });
      return [answer.status, await answer.text()];
    };
    expect(await post('{"a":1e400}')).toEqual([400, '{"metadata":["A valid number is required."]}']);
    const [status, text] = await post('{"__proto__":{"x":1},"constructor":2}');
    expect([status, text]).toEqual([
      201,
      expect.stringContaining('"metadata":{"__proto__":{"x":1},"constructor":2}'),
    ]);
  });

  it("return their metadata unchanged", async () => {
    const metadata = fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 4 }), { noNullPrototype: true });
    await fc.assert(
      fc.asyncProperty(metadata, async (value) => {
        const { id } = await add({ metadata: value });
        const { body } = await send(null, "GET", `${entities}${id}/`);
        expect(JSON.stringify(body.metadata)).toBe(JSON.stringify(value));
      }),
      { numRuns: runsOn(engine, 40) },
    );
  });

  it("can be added by every signed-in viewer who may write", async () => {
    const readOnly = await addPerson(app.context, { username: "read-only", mayWrite: false });
    const value = { wikidata_id: fresh() };
    const unknown = { detail: "Authentication credentials were not provided." };
    expect(await send(null, "POST", entities, value)).toMatchObject({ status: 403, body: unknown });
    expect(await send(readOnly, "POST", entities, value)).toMatchObject({ status: 403, body: denied });
    expect((await send(other, "POST", entities, value)).status).toBe(201);
  });

  it("exist only once, even if several requests add them at the same time", async () => {
    const { wikidata_id } = await add();
    expect(await send(other, "POST", entities, { wikidata_id })).toMatchObject({ status: 400, body: known });
    const both = [fresh(), fresh()].map((id) => ({ wikidata_id: id }));
    const asked = Array.from({ length: 8 }, (_, turn) =>
      send(adder, "POST", entities, turn % 2 === 0 ? both : both.toReversed()),
    );
    const statuses = (await Promise.all(asked)).map(({ status }) => status);
    expect(statuses.toSorted((one, another) => one - another)).toEqual([201, ...Array(7).fill(400)]);
  });

  it("can be added as a list, all or none, in its order", async () => {
    const ids = [fresh(), fresh(), fresh()];
    const before = await walkedIds(app, entities);
    const { wikidata_id } = await add();
    const told = async (value: unknown): Promise<[number, unknown]> => {
      const { status, body } = await send(adder, "POST", entities, value);
      return [status, body];
    };
    expect(await told(listOf(ids[2] ?? "", wikidata_id, "Q", ids[2] ?? ""))).toEqual([
      400,
      [{}, known, noId, known],
    ]);
    const dictionary = { non_field_errors: ["Invalid data. Expected a dictionary, but got int."] };
    expect(await told([1, { wikidata_id: ids[0] }])).toEqual([400, [dictionary, {}]]);
    const many = { non_field_errors: ["Bulk API operations are limited to 25 at a time"] };
    expect(await told(listOf(...Array<string>(26).fill(fresh())))).toEqual([400, many]);
    expect(await walkedIds(app, entities)).toHaveLength(before.length + 1);
    const { status, body } = await send(adder, "POST", entities, listOf(...ids.toReversed()));
    expect([status, body.map((one: { wikidata_id: string }) => one.wikidata_id)]).toEqual([
      201,
      ids.toReversed(),
    ]);
    expect(await told([])).toEqual([201, []]);
  });

  it("are ordered by id, paged by cursors, and can be filtered by name and Wikidata id", async () => {
    const made: { id: number; wikidata_id: string }[] = [];
    for (const name of ["Same", "Same", "same", "Other"]) made.push(await add({ name }));
    const ids = made.map(({ id }) => id);
    const [one, two] = made.map(({ wikidata_id }) => wikidata_id);
    expect((await walkedIds(app, `${entities}?per_page=3`)).slice(-4)).toEqual(ids);
    expect(await walkedIds(app, `${entities}?name=Same&per_page=1`)).toEqual(ids.slice(0, 2));
    expect(await idsAt(app, `${entities}?wikidata_id=${two}`)).toEqual([ids[1]]);
    expect(await idsAt(app, `${entities}?wikidata_id__in=${two},Q0,${one}`)).toEqual(ids.slice(0, 2));
    expect(await idsAt(app, `${entities}?wikidata_id__in=${two}&name=Other`)).toEqual([]);
    expect(await idsAt(app, `${entities}?name=&wikidata_id=${one}&wikidata_id__in=`)).toEqual([ids[0]]);
    for (const name of ["%00", "%ff", "'"]) expect(await idsAt(app, `${entities}?name=${name}`)).toEqual([]);
    expect((await send(null, "GET", `${entities}?cursor=bad`)).status).toBe(404);
    for (const id of ["0", "999999", "x", "-1", "9".repeat(30)])
      expect(await send(null, "GET", `${entities}${id}/`)).toMatchObject({
        status: 404,
        body: { detail: "Not found." },
      });
  });

  it("can expand the user who added them, and be restricted to some fields", async () => {
    const { id } = await add();
    const user = expect.objectContaining({ id: adder.id, username: "adder" });
    const one = `${entities}${id}/`;
    expect((await send(null, "GET", `${one}?expand=user`)).body.user).toEqual(user);
    expect((await send(null, "GET", `${one}?expand=~all&fields=user`)).body).toEqual({ user });
    expect((await send(null, "GET", `${entities}?expand=user`)).body.results.at(-1).user).toEqual(user);
    expect(Object.keys((await send(null, "GET", `${one}?fields=id,name`)).body)).toEqual(["id", "name"]);
    expect((await send(null, "GET", `${one}?omit=metadata`)).body).not.toHaveProperty("metadata");
    const made = await send(adder, "POST", `${entities}?expand=user`, { wikidata_id: fresh() });
    expect(made.body.user).toEqual(user);
  });

  it("can be changed by their creators and by administrators, except their Wikidata ids", async () => {
    const { id, wikidata_id } = await add({ name: "Old", description: "Kept", metadata: { a: 1 } });
    const target = `${entities}${id}/`;
    const change = async (person: Person | null, method: string, value: object): Promise<Reply> =>
      send(person, method, target, value);
    for (const method of ["PATCH", "PUT", "DELETE"]) {
      expect(await change(null, method, {})).toMatchObject({ status: 403 });
      expect(await change(other, method, {})).toMatchObject({ status: 403, body: denied });
    }
    expect(await change(adder, "PATCH", { name: "New", wikidata_id })).toMatchObject({
      status: 200,
      body: { name: "New", description: "Kept", metadata: { a: 1 }, user: adder.id },
    });
    expect(await change(administrator, "PUT", { description: "Newer" })).toMatchObject({
      status: 200,
      body: { name: wikidata_id, description: "Newer", metadata: {}, user: adder.id, wikidata_id },
    });
    expect((await change(adder, "PATCH", { name: "" })).body.name).toBe(wikidata_id);
    for (const method of ["PATCH", "PUT"])
      expect(await change(adder, method, { wikidata_id: "Q1" })).toMatchObject({
        status: 400,
        body: { wikidata_id: ["You may not update `wikidata_id`"] },
      });
    expect((await change(adder, "PATCH", { name: null })).body).toEqual({
      name: ["This field may not be null."],
    });
    expect((await send(adder, "PATCH", `${entities}999999/`, {})).status).toBe(404);
    const readOnly = { ...adder, headers: (await addPerson(app.context, reader)).headers };
    expect(await change(readOnly, "PATCH", {})).toMatchObject({ status: 403, body: denied });
  });

  const reader = { username: "reader", isAdministrator: true, mayWrite: false };

  it("can be deleted by administrators if no document has them", async () => {
    const { id } = await add();
    const target = `${entities}${id}/`;
    const [document] = await addDocuments(app.context, [{ user_id: adder.id, access: "private" }]);
    const use = `/api/documents/${document}/entities/`;
    expect((await send(adder, "POST", use, { entity: id })).status).toBe(201);
    expect(await send(adder, "DELETE", target)).toMatchObject({ status: 403, body: denied });
    expect(await send(administrator, "DELETE", target)).toMatchObject({
      status: 409,
      body: { detail: "There are documents that have this entity." },
    });
    expect((await send(adder, "DELETE", `${use}${id}/`)).status).toBe(204);
    expect((await send(adder, "DELETE", target)).status).toBe(403);
    expect((await send(administrator, "DELETE", target)).status).toBe(204);
    expect((await send(administrator, "DELETE", target)).status).toBe(404);
  });

  it("are either added to documents or deleted if both are requested at the same time", async () => {
    const documents = await addDocuments(
      app.context,
      Array.from({ length: 4 }, () => ({ user_id: adder.id })),
    );
    for (let time = 0; time < 5; time++) {
      const [one, two] = [await add(), await add()];
      const additions = documents.map((id, index) => {
        const list = [{ entity: one.id }, { entity: two.id }];
        const entitiesToAdd = index % 2 === 0 ? list : list.toReversed();
        return send(adder, "POST", `/api/documents/${id}/entities/`, entitiesToAdd);
      });
      const deletion = send(administrator, "DELETE", `${entities}${one.id}/`);
      const [{ status }, ...added] = await Promise.all([deletion, ...additions]);
      const isGone = status === 204;
      expect([isGone, [204, 409].includes(status)]).toEqual([isGone, true]);
      const used = added.filter((answer) => answer.status === 201).length;
      expect(added.every((answer) => answer.status === 201 || answer.status === 400)).toBe(true);
      expect([isGone, used]).toEqual([isGone, isGone ? 0 : 4]);
    }
  });

  it("have forms for those who may change them, and a button to delete them for administrators", async () => {
    const target = `${entities}${(await add({ name: "<b>Ada</b>" })).id}/`;
    expect(await page(adder, target)).toContain("Change this");
    expect(await page(other, target)).not.toContain("Change this");
    expect(await page(adder, target)).not.toContain("Delete “");
    const shown = await page(administrator, target);
    expect(shown).toContain("Delete “");
    expect(shown).not.toContain("<b>Ada");
  });
});

import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { addDocuments } from "../../testing/factories.ts";
import type { Person } from "../../testing/people.ts";
import type { Reply } from "../../testing/requests.ts";
import { engines, useApp } from "../../testing/test-app.ts";

const at = (page: number, content = "Ada"): object => ({ page, offset: 7, page_offset: 3, content });
const required = ["This field is required."];
const uneditable = { detail: "You do not have permission to edit entities on this document" };
const noInteger = ["A valid integer is required."];

describe.each(engines)("the entities of documents on %s", (engine) => {
  const app = useApp(engine, { QUIRE_TRASH_DAYS: "0" });
  let known: number[];
  let document: number;
  const owner = app.person("owner", { organizations: [1] });
  const reader = app.person("reader", { organizations: [2] });
  beforeAll(async () => {
    const made = [1, 2, 3, 4].map((id) => ({ wikidata_id: `Q${id}`, name: `Name ${id}` }));
    const { body } = await send(owner, "POST", "/api/entities/", made);
    known = body.map(({ id }: { id: number }) => id);
  });
  beforeEach(async () => {
    [document = 0] = await addDocuments(app.context, [{ user_id: owner.id, page_count: 9 }]);
  });

  const { send } = app;
  const entities = (id = document): string => `/api/documents/${id}/entities/`;
  const give = async (value: unknown, id = document): Promise<void> => {
    const { status, body } = await send(owner, "POST", entities(id), value);
    expect([status, body]).toMatchObject([201, {}]);
  };
  const listed = async (query = "", id = document): Promise<number[]> => {
    const { status, body } = await send(null, "GET", `${entities(id)}${query}`);
    expect(status).toBe(200);
    return body.results.map(({ entity }: { entity: number }) => entity);
  };

  it("have a relevance and positions in its text, visible to everyone who sees it", async () => {
    const [entity] = known;
    const occurrences = [at(0), { ...at(8, ` ${"\u{1F600}".repeat(200)} `), kind: "proper" }];
    const value = { entity, relevance: 0.25, occurrences };
    const { status, body, headers } = await send(owner, "POST", entities(), value);
    const kept = [at(0), at(8, "\u{1F600}".repeat(200))];
    expect([status, body]).toEqual([201, { entity, relevance: 0.25, occurrences: kept }]);
    expect(Object.keys(body.occurrences[0])).toEqual(["page", "offset", "page_offset", "content"]);
    expect(headers.get("location")).toBe(`${app.url}${entities()}${entity}/`);
    expect((await send(null, "GET", `${entities()}${entity}/`)).body).toEqual(body);
    expect((await send(reader, "GET", entities())).body).toEqual({
      next: null,
      previous: null,
      results: [body],
    });
    const form = new URLSearchParams({ entity: String(known[1]), occurrences: JSON.stringify([at(1)]) });
    const answer = await app.fetch(entities(), { method: "POST", headers: owner.headers, body: form });
    expect([answer.status, await answer.json()]).toEqual([
      201,
      { entity: known[1], relevance: 0, occurrences: [at(1)] },
    ]);
  });

  it.each([
    [{}, { entity: required }],
    [{ entity: null }, { entity: ["This field may not be null."] }],
    [{ entity: 999_999 }, { entity: ['Invalid pk "999999" - object does not exist.'] }],
    [{ entity: "Q1" }, { entity: ["Incorrect type. Expected pk value, received str."] }],
    [{ entity: {} }, { entity: ["Incorrect type. Expected pk value, received dict."] }],
    [{ relevance: "high" }, { relevance: ["A valid number is required."] }],
    [{ relevance: [] }, { relevance: ["A valid number is required."] }],
    [{ occurrences: null }, { occurrences: ["This field may not be null."] }],
    [
      { occurrences: "x" },
      { occurrences: { non_field_errors: ['Expected a list of items but got type "str".'] } },
    ],
    [
      { occurrences: [at(0), 1, {}, at(9)] },
      {
        occurrences: [
          {},
          { non_field_errors: ["Invalid data. Expected a dictionary, but got int."] },
          { page: required, offset: required, page_offset: required, content: required },
          { page: ["Page number greater then document page count: 9"] },
        ],
      },
    ],
    [
      { occurrences: [{ page: -1, offset: 1.5, page_offset: "9".repeat(30), content: "x".repeat(201) }] },
      {
        occurrences: [
          {
            page: ["Ensure this value is greater than or equal to 0."],
            offset: noInteger,
            page_offset: noInteger,
            content: ["Ensure this field has no more than 200 characters."],
          },
        ],
      },
    ],
    [{ occurrences: [at(0, "")] }, { occurrences: [{ content: ["This field may not be blank."] }] }],
    [{ occurrences: [at(0, "a\0")] }, { occurrences: [{ content: ["Null characters are not allowed."] }] }],
  ])("are refused as %j", async (value, faults) => {
    const isOfEntity = Object.keys(faults).includes("entity");
    const sent = isOfEntity ? value : { entity: known[0], ...value };
    expect(await send(owner, "POST", entities(), sent)).toMatchObject({ status: 400, body: faults });
    expect((await send(owner, "POST", entities(), [sent, { entity: known[1] }])).body).toEqual([faults, {}]);
    expect(await listed()).toEqual([]);
  });

  it("are limited in size", async () => {
    const occurrences = Array.from({ length: 1000 }, () => at(0, "x".repeat(200)));
    const told = (length: number): Promise<Reply> =>
      send(owner, "POST", entities(), { entity: known[0], occurrences: occurrences.slice(0, length) });
    expect(await told(1000)).toMatchObject({
      status: 400,
      body: { occurrences: ["Ensure this field has no more than 131072 bytes of JSON."] },
    });
    expect((await told(500)).status).toBe(201);
  });

  it("can be added as a list, all or none, in its order", async () => {
    const [one, two, three] = known;
    await give({ entity: two });
    const again = { entity: ["The document has this entity already."] };
    const told = await send(owner, "POST", entities(), [
      { entity: three },
      { entity: two },
      { entity: String(three) },
      { entity: 999_999 },
    ]);
    const unknown = { entity: ['Invalid pk "999999" - object does not exist.'] };
    expect([told.status, told.body]).toEqual([400, [{}, again, again, unknown]]);
    expect(await send(owner, "POST", entities(), { entity: two })).toMatchObject({
      status: 400,
      body: again,
    });
    expect(await listed()).toEqual([two]);
    const many = Array.from({ length: 26 }, () => ({ entity: one }));
    expect((await send(owner, "POST", entities(), many)).body).toEqual({
      non_field_errors: ["Bulk API operations are limited to 25 at a time"],
    });
    const { status, body } = await send(owner, "POST", entities(), [{ entity: three }, { entity: one }]);
    expect([status, body]).toEqual([
      201,
      [three, one].map((entity) => ({ entity, relevance: 0, occurrences: [] })),
    ]);
    expect(await listed()).toEqual([two, three, one]);
  });

  it("exist once, even if several requests add them at the same time", async () => {
    const asked = Array.from({ length: 6 }, () => send(owner, "POST", entities(), { entity: known[0] }));
    const statuses = (await Promise.all(asked)).map(({ status }) => status);
    expect(statuses.toSorted((one, another) => one - another)).toEqual([201, ...Array(5).fill(400)]);
    expect(await listed()).toEqual([known[0]]);
  });

  it("can be added and removed only by those who may change the document, and return 404 if it is hidden", async () => {
    const [entity] = known;
    await give({ entity });
    const [hidden = 0] = await addDocuments(app.context, [{ user_id: owner.id, access: "private" }]);
    await give({ entity }, hidden);
    const nothing = { detail: "Not found." };
    const unknown = { detail: "Authentication credentials were not provided." };
    for (const [method, path] of [
      ["POST", ""],
      ["PATCH", `${entity}/`],
      ["PUT", `${entity}/`],
      ["DELETE", `${entity}/`],
    ] as const) {
      // Errors in the request are reported only to those who may send it.
      const value = { occurrences: 7 };
      const told = (person: Person | null, id: number): Promise<Reply> =>
        send(person, method, `${entities(id)}${path}`, value);
      expect(await told(reader, document)).toMatchObject({ status: 403, body: uneditable });
      expect(await told(null, document)).toMatchObject({ status: 403, body: unknown });
      for (const id of [hidden, 999_999])
        for (const person of [null, reader])
          expect(await told(person, id)).toMatchObject({ status: 404, body: nothing });
    }
    for (const path of ["", `${entity}/`])
      for (const person of [null, reader])
        expect(await send(person, "GET", `${entities(hidden)}${path}`)).toMatchObject({
          status: 404,
          body: nothing,
        });
  });

  it("can be changed and replaced, but keep their entity", async () => {
    const [entity, second] = known;
    await give([{ entity, relevance: 2, occurrences: [at(1)] }, { entity: second }]);
    const target = `${entities()}${entity}/`;
    expect((await send(owner, "PATCH", target, { relevance: -1e308 })).body).toEqual({
      entity,
      relevance: -1e308,
      occurrences: [at(1)],
    });
    expect((await send(owner, "PATCH", target, { entity: String(entity) })).status).toBe(200);
    const replaced = { entity, relevance: 0, occurrences: [at(2)] };
    expect(await send(owner, "PUT", target, { entity, occurrences: [at(2)] })).toMatchObject({
      status: 200,
      body: replaced,
    });
    for (const method of ["PATCH", "PUT"])
      for (const given of [second, null, [entity]])
        expect(await send(owner, method, target, { entity: given })).toMatchObject({
          status: 400,
          body: { entity: ["You may not update `entity`"] },
        });
    expect((await send(owner, "PATCH", target, { occurrences: [at(9)] })).status).toBe(400);
    expect((await send(null, "GET", target)).body).toEqual(replaced);
    for (const id of [known[2], 999_999, "x"])
      for (const method of ["GET", "PATCH", "PUT", "DELETE"])
        expect((await send(owner, method, `${entities()}${id}/`)).status).toBe(404);
  });

  it("are deleted by DELETE, and with their document, but the entities themselves stay", async () => {
    const [entity, second] = known;
    const [other = 0] = await addDocuments(app.context, [{ user_id: owner.id }]);
    await give([{ entity }, { entity: second }]);
    await give({ entity }, other);
    const target = `${entities()}${entity}/`;
    expect((await send(owner, "DELETE", target)).status).toBe(204);
    expect((await send(owner, "DELETE", target)).status).toBe(404);
    expect([await listed(), await listed("", other)]).toEqual([[second], [entity]]);
    expect((await send(owner, "DELETE", `/api/documents/${document}/`)).status).toBe(204);
    const left = app.context.database.reader
      .selectFrom("entity_occurrences")
      .select("id")
      .where("document_id", "=", document);
    expect(await left.execute()).toEqual([]);
    expect((await send(null, "GET", `/api/entities/${second}/`)).status).toBe(200);
  });

  it("are listed in the order in which they were added, paged by cursors, and can be filtered by entity", async () => {
    const order = [3, 0, 2, 1].map((index) => known[index] ?? 0);
    for (const entity of order) await give({ entity });
    expect(await listed()).toEqual(order);
    const walked: number[] = [];
    for (let target: string | null = `${entities()}?per_page=3`; target !== null;) {
      const { body } = await send(null, "GET", target);
      walked.push(...body.results.map(({ entity }: { entity: number }) => entity));
      target = body.next === null ? null : (body.next as string).slice(app.url.length);
    }
    expect(walked).toEqual(order);
    expect(await listed("?wikidata_id=Q2")).toEqual([known[1]]);
    expect(await listed("?name=Name 3&per_page=1")).toEqual([known[2]]);
    expect(await listed("?name=name 3")).toEqual([]);
    expect(await listed("?name=Name 3&wikidata_id=Q2")).toEqual([]);
    expect((await send(null, "GET", `${entities()}?cursor=bad`)).status).toBe(404);
  });

  it("can expand the entities and, in a single occurrence, the users who added them", async () => {
    const [entity] = known;
    await give({ entity, occurrences: [at(0)] });
    const expanded = expect.objectContaining({ id: entity, wikidata_id: "Q1", user: owner.id });
    const [first] = (await send(null, "GET", `${entities()}?expand=entity`)).body.results;
    expect(first).toEqual({ entity: expanded, relevance: 0, occurrences: [at(0)] });
    const [listedOne] = (await send(null, "GET", `${entities()}?expand=~all&fields=entity`)).body.results;
    expect(listedOne).toEqual({ entity: expanded });
    // As in DocumentCloud, a list has no nested expansions.
    expect((await send(null, "GET", `${entities()}?expand=entity.user`)).body.results[0].entity).toBe(entity);
    const one = `${entities()}${entity}/`;
    expect((await send(null, "GET", `${one}?expand=entity`)).body.entity).toEqual(expanded);
    expect((await send(null, "GET", `${one}?expand=entity.user`)).body.entity.user).toMatchObject({
      username: "owner",
    });
    expect((await send(null, "GET", `${one}?fields=relevance`)).body).toEqual({ relevance: 0 });
    const made = await send(owner, "POST", `${entities()}?expand=entity`, [{ entity: known[1] }]);
    expect(made.body[0].entity).toMatchObject({ wikidata_id: "Q2" });
  });

  it("are up to date after each change, even when they were requested before", async () => {
    for (let time = 0; time < 3; time++) expect(await listed()).toEqual([]);
    await give({ entity: known[0] });
    expect(await listed()).toEqual([known[0]]);
    await send(owner, "DELETE", `${entities()}${known[0]}/`);
    expect(await listed()).toEqual([]);
  });
});

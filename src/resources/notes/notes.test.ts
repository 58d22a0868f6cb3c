import { beforeEach, describe, expect, it } from "vitest";
import { addDocuments, addProject } from "../../testing/factories.ts";
import { idsAt, walkedIds } from "../../testing/lists.ts";
import type { Person } from "../../testing/people.ts";
import { type Reply, sendAs } from "../../testing/requests.ts";
import { defaultEngines, useApp } from "../../testing/test-app.ts";

const region = { x1: 0.1, x2: 0.5, y1: 0.2, y2: 0.25 };
const noRegion = { x1: null, x2: null, y1: null, y2: null };
const allOrNone = { non_field_errors: ["You must set either all of none of the note coordinates"] };

describe.each(defaultEngines)("notes on %s", (engine) => {
  const app = useApp(engine, { QUIRE_TRASH_DAYS: "0" });
  let id: number;
  let other: number;
  const owner = app.person("owner", { organizations: [1, 2] });
  const reader = app.person("reader", { organizations: [2] });
  beforeEach(async () => {
    const row = { user_id: owner.id, page_count: 3 };
    [id = 0, other = 0] = await addDocuments(app.context, [row, row]);
  });

  const notes = (document = id): string => `/api/documents/${document}/notes/`;
  const { send } = app;
  const write = async (value: object, person = owner, document = id): Promise<Reply["body"]> => {
    const whole = { title: "A note", page_number: 0, ...value };
    const { status, body } = await send(person, "POST", notes(document), whole);
    expect([status, body]).toEqual([201, body]);
    return body;
  };

  it("are created with all fields and returned with the same values", async () => {
    const value = { title: " Look ", content: "Here", page_number: 2, access: "organization", ...region };
    const made = await send(owner, "POST", notes(), value);
    expect(made.status).toBe(201);
    expect(made.headers.get("location")).toBe(`${app.url}${notes()}${made.body.id}/`);
    expect(made.body).toEqual({
      ...value,
      title: "Look",
      id: expect.any(Number),
      user: owner.id,
      organization: 1,
      edit_access: true,
      content_html: "Here",
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/),
      updated_at: made.body.created_at,
    });
    expect((await send(owner, "GET", `${notes()}${made.body.id}/`)).body).toEqual(made.body);
  });

  it("are private and about the whole page by default", async () => {
    expect(await write({})).toMatchObject({ access: "private", content: "", ...noRegion });
    expect(await write(noRegion)).toMatchObject(noRegion);
  });

  it.each([
    [{}, { page_number: ["This field is required."], title: ["This field is required."] }],
    [{ page_number: null, title: null }, "null"],
    [{ title: " " }, { title: ["This field may not be blank."] }],
    [{ title: "x".repeat(501) }, { title: ["Ensure this field has no more than 500 characters."] }],
    [{ content: "x".repeat(2001) }, { content: ["Ensure this field has no more than 2000 characters."] }],
    [{ content: null }, { content: ["This field may not be null."] }],
    [{ page_number: 3 }, { page_number: ["Must be a valid page for the document"] }],
    [{ page_number: -1 }, { page_number: ["Must be a valid page for the document"] }],
    [{ page_number: "x" }, { page_number: ["A valid integer is required."] }],
    [{ access: "invisible" }, { access: ['"invisible" is not a valid choice.'] }],
    [{ access: null }, { access: ["This field may not be null."] }],
    [{ x1: 0.1 }, allOrNone],
    [{ ...region, y2: null }, allOrNone],
    [{ ...region, x1: 0.5 }, { non_field_errors: ["`x1` must be less than `x2`"] }],
    [{ ...region, y1: 0.9 }, { non_field_errors: ["`y1` must be less than `y2`"] }],
    [{ ...region, x2: 1.01 }, { x2: ["Ensure this value is less than or equal to 1.0."] }],
    [{ ...region, y1: -0.01 }, { y1: ["Ensure this value is greater than or equal to 0.0."] }],
    [{ ...region, x1: "left" }, { x1: ["A valid number is required."] }],
    [{ ...region, x1: true }, { x1: ["A valid number is required."] }],
  ])("are refused as %j", async (value, faults) => {
    const isWhole = Object.keys(value).length === 0 || faults === "null";
    const sent = isWhole ? value : { title: "A note", page_number: 0, ...value };
    const answer = await send(owner, "POST", notes(), sent);
    const nulls = { page_number: ["This field may not be null."], title: ["This field may not be null."] };
    expect([answer.status, answer.body]).toEqual([400, faults === "null" ? nulls : faults]);
    expect(await idsAt(app, notes())).toEqual([]);
  });

  it("accept coordinates as text, and the whole page", async () => {
    const sent = { x1: "0", x2: "1e0", y1: " .0", y2: 1 };
    expect(await write(sent)).toMatchObject({ x1: 0, x2: 1, y1: 0, y2: 1 });
  });

  it("cannot be added to a document without pages", async () => {
    const [empty = 0] = await addDocuments(app.context, [{ user_id: owner.id, page_count: 0 }]);
    const answer = await send(owner, "POST", notes(empty), { title: "A note", page_number: 0 });
    expect([answer.status, answer.body]).toEqual([
      400,
      { page_number: ["Must be a valid page for the document"] },
    ]);
  });

  it("are refused for their access before other errors, as in DocumentCloud", async () => {
    const answer = await send(reader, "POST", notes(), { access: "public", page_number: 99 });
    const detail = "You may only create public or draft notes on documents you have edit access to";
    expect([answer.status, answer.body]).toEqual([403, { detail }]);
  });

  it("are changed in part, and each change updates updated_at", async () => {
    const made = await write({ content: "Old", ...region, access: "public" });
    const target = `${notes()}${made.id}/`;
    const { status, body } = await send(owner, "PATCH", target, { title: "New" });
    expect([status, body]).toEqual([200, { ...made, title: "New", updated_at: body.updated_at }]);
    expect(body.updated_at > made.updated_at).toBe(true);
    const moved = await send(owner, "PATCH", target, { x1: 0, x2: 0.1, y1: 0, y2: 0.1, page_number: 2 });
    expect(moved.body).toMatchObject({ x1: 0, x2: 0.1, y1: 0, y2: 0.1, page_number: 2 });
    expect((await send(owner, "PATCH", target, noRegion)).body).toMatchObject(noRegion);
    expect((await send(owner, "PATCH", target, { page_number: 3 })).status).toBe(400);
    expect((await send(owner, "PATCH", target, {})).status).toBe(200);
  });

  it("require all coordinates at once, even if the note has some already", async () => {
    const made = await write(region);
    const target = `${notes()}${made.id}/`;
    for (const part of [{ x1: 0 }, { x1: 0, x2: 1, y1: 0 }, { x1: null }, { ...region, x1: null }]) {
      const answer = await send(owner, "PATCH", target, part);
      expect([part, answer.status, answer.body]).toEqual([part, 400, allOrNone]);
    }
    expect((await send(owner, "GET", target)).body).toEqual(made);
  });

  it("require page and title in a PUT, which makes them private and leaves other missing fields unchanged", async () => {
    const made = await write({ content: "Old", ...region, access: "public" });
    const target = `${notes()}${made.id}/`;
    expect((await send(owner, "PUT", target, { title: "New" })).body).toEqual({
      page_number: ["This field is required."],
    });
    const { body } = await send(owner, "PUT", target, { title: "New", page_number: 1 });
    const expected = { ...made, title: "New", page_number: 1, access: "private" };
    expect(body).toEqual({ ...expected, updated_at: body.updated_at });
  });

  it("ignore changes of id, author or times", async () => {
    const made = await write({ id: 5, user: reader.id, organization: 2, created_at: "2020-01-01" });
    expect(made).toMatchObject({ user: owner.id, organization: 1 });
    const sent = { user: reader.id, edit_access: false, content_html: "<script>1</script>" };
    const { body } = await send(owner, "PATCH", `${notes()}${made.id}/`, sent);
    expect(body).toEqual({ ...made, updated_at: body.updated_at });
  });

  it("are deleted by DELETE, and with their document", async () => {
    const made = await write({});
    const target = `${notes()}${made.id}/`;
    const gone = await send(owner, "DELETE", target);
    expect([gone.status, gone.body]).toEqual([204, null]);
    expect((await send(owner, "GET", target)).status).toBe(404);
    await write({});
    await send(owner, "DELETE", `/api/documents/${id}/`);
    const { database } = app.context;
    expect(
      await database.reader.selectFrom("notes").selectAll().where("document_id", "=", id).execute(),
    ).toEqual([]);
  });

  it("are found only under their own document", async () => {
    const made = await write({ access: "public" });
    for (const method of ["GET", "PATCH", "PUT", "DELETE"]) {
      const value = method === "GET" || method === "DELETE" ? undefined : { title: "x", page_number: 0 };
      expect((await send(owner, method, `${notes(other)}${made.id}/`, value)).status).toBe(404);
    }
    for (const strange of ["x", "1.0", "99999999999999999999", "-1", "0"])
      expect((await send(owner, "GET", `${notes()}${strange}/`)).status).toBe(404);
  });

  it("are changed only if If-Match holds", async () => {
    const made = await write({ access: "public" });
    const target = `${notes()}${made.id}/`;
    for (const query of ["", "?expand=user", "?fields=id,title"]) {
      const { headers } = await send(owner, "GET", target + query);
      const ifMatch = { "if-match": headers.get("etag") ?? "" };
      const changed = await sendAs(app, owner, "PATCH", target + query, { title: `New${query}` }, ifMatch);
      expect([query, changed.status]).toEqual([query, 200]);
      const again = await sendAs(app, owner, "PATCH", target + query, { title: "Newer" }, ifMatch);
      expect([query, again.status]).toEqual([query, 412]);
      expect((await sendAs(app, owner, "DELETE", target, undefined, ifMatch)).status).toBe(412);
    }
  });

  describe("in a list", () => {
    it("are ordered by id, paged by cursors, and can be filtered by page", async () => {
      const made: number[] = [];
      for (const page_number of [2, 0, 1, 0, 2, 0, 0])
        made.push((await write({ page_number, access: "public" })).id);
      expect(await idsAt(app, notes())).toEqual(made);
      expect(await walkedIds(app, `${notes()}?per_page=2`)).toEqual(made);
      expect(await walkedIds(app, `${notes()}?per_page=1&page_number=0`)).toEqual(
        [1, 3, 5, 6].map((index) => made[index]),
      );
      expect(await idsAt(app, `${notes()}?page_number=`)).toEqual(made);
      expect(await idsAt(app, `${notes()}?page_number=1.5`)).toEqual([]);
      expect(await idsAt(app, `${notes()}?cursor=cj0x&per_page=2`)).toEqual(made.slice(-2));
      const { status, body } = await send(null, "GET", `${notes()}?page_number=first`);
      expect([status, body]).toEqual([400, { page_number: ["Enter a number."] }]);
    });

    it("can expand their authors and organizations", async () => {
      await write({ access: "public" });
      const of = async (query: string) => (await send(null, "GET", `${notes()}?${query}`)).body.results[0];
      expect(await of("expand=user,organization")).toMatchObject({
        user: { id: owner.id, username: "owner", organization: 1 },
        organization: { id: 1, name: "Organization 1" },
      });
      expect(await of("expand=user.organization")).toMatchObject({ user: owner.id, organization: 1 });
      expect(Object.keys(await of("fields=title,id"))).toEqual(["id", "title"]);
      const one = await send(null, "GET", `${notes()}${(await of("")).id}/?expand=user.organization&omit=id`);
      expect(one.body.user.organization).toMatchObject({ id: 1, name: "Organization 1" });
      expect(one.body).not.toHaveProperty("id");
    });

    it("are up to date after each change, even when they were requested before", async () => {
      const titles = async () =>
        (await send(null, "GET", notes())).body.results.map((note: { title: string }) => note.title);
      const expanded = async () =>
        (await send(null, "GET", `/api/documents/${id}/?expand=notes`)).body.notes.length;
      for (let time = 0; time < 3; time++) expect([await titles(), await expanded()]).toEqual([[], 0]);
      const { id: note } = await write({ access: "public" });
      expect([await titles(), await expanded()]).toEqual([["A note"], 1]);
      await send(owner, "PATCH", `${notes()}${note}/`, { title: "Another" });
      expect([await titles(), await expanded()]).toEqual([["Another"], 1]);
      await send(owner, "PATCH", `${notes()}${note}/`, { access: "private" });
      expect([await titles(), await expanded()]).toEqual([[], 0]);
    });
  });

  describe("expanded in their document", () => {
    it("are those that the viewer may see, in order of their pages, with their authors", async () => {
      const last = await write({ page_number: 2, access: "public" });
      const first = await write({ page_number: 0, access: "public" });
      await write({ page_number: 1 });
      const record = `/api/documents/${id}/`;
      const idsOf = async (person: Person | null, query: string): Promise<number[]> => {
        const { body } = await send(person, "GET", `${record}?${query}`);
        return body.notes.map((note: { id: number }) => note.id);
      };
      expect(await idsOf(null, "expand=notes")).toEqual([first.id, last.id]);
      expect(await idsOf(null, "expand=~all")).toEqual([first.id, last.id]);
      expect(await idsOf(owner, "expand=notes.user")).toHaveLength(3);
      const deep = "notes.user.organization,notes.organization";
      const { body } = await send(null, "GET", `${record}?expand=${deep}`);
      expect(body.notes[0]).toMatchObject({
        edit_access: false,
        user: { id: owner.id, organization: { id: 1 } },
        organization: { id: 1 },
      });
      expect(body).toMatchObject({ user: owner.id, organization: 1 });
      const changed = await send(owner, "PATCH", `${record}?expand=notes&fields=notes.title`, {});
      expect(changed.body).toEqual({ notes: Array.from({ length: 3 }, () => ({ title: "A note" })) });
    });

    it("are not expanded in lists", async () => {
      await write({ access: "public" });
      const { body } = await send(null, "GET", `/api/documents/?id__in=${id}&expand=notes,~all`);
      expect(body.results[0]).not.toHaveProperty("notes");
    });

    it("need as many queries for many documents as for one", async () => {
      await write({ access: "public" });
      await write({ access: "public" }, owner, other);
      const queries = async (documents: readonly number[]): Promise<number> => {
        const { prepared } = app.context.database;
        const rows = prepared.rows.bind(prepared);
        let count = 0;
        prepared.rows = (...of) => {
          count++;
          return rows(...of);
        };
        const items = documents.map((document) => ({ id: document }));
        const target = "/api/documents/?expand=notes.user.organization,sections";
        const { status, body } = await send(owner, "PATCH", target, items);
        prepared.rows = rows;
        expect(status).toBe(200);
        expect(body.map((record: { notes: [] }) => record.notes.length)).toEqual(documents.map(() => 1));
        return count;
      };
      expect(await queries([id, other])).toBe(await queries([id]));
    });

    it("are also expanded in a project's documents", async () => {
      const made = await write({ access: "public" });
      const project = await addProject(app.context, {}, [id]);
      const one = `/api/projects/${project}/documents/${id}/?expand=document.notes`;
      expect((await send(null, "GET", one)).body.document.notes).toMatchObject([{ id: made.id }]);
    });
  });

  it("can be created with a form, in which an empty coordinate means null", async () => {
    const form = new URLSearchParams({ title: "A note", page_number: "1", access: "private" });
    for (const name of ["content", "x1", "x2", "y1", "y2"]) form.set(name, "");
    const answer = await app.fetch(notes(), { method: "POST", headers: owner.headers, body: form });
    expect([answer.status, await answer.json()]).toMatchObject([201, { page_number: 1, ...noRegion }]);
  });

  it("keep their content as it was sent, and also return it sanitised", async () => {
    const content =
      '<p onclick="x()">A <b>bold</b> <a href="https://example.org/?a=1&amp;b=2" target="_top">link</a></p>' +
      '<script>alert(1)</script><img src=x onerror=alert(1)><a href="javascript:x()">bad</a> 1 < 2';
    const made = await write({ content, access: "public" });
    expect(made.content).toBe(content);
    expect(made.content_html).toBe(
      '<p>A <b>bold</b> <a href="https://example.org/?a=1&amp;b=2" rel="noopener nofollow">link</a></p>' +
        '<a rel="noopener nofollow">bad</a> 1 &lt; 2',
    );
    const target = `${notes()}${made.id}/`;
    const { body } = await send(owner, "PATCH", target, { content: "<i>now</i><style>*{}</style>" });
    expect(body.content_html).toBe("<i>now</i>");
    expect((await send(owner, "PATCH", target, { title: "x" })).body.content_html).toBe("<i>now</i>");
    expect((await send(owner, "PATCH", target, { content: "" })).body.content_html).toBe("");
  });
});

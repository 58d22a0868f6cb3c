import { beforeEach, describe, expect, it } from "vitest";
import { addDocuments, addProject } from "../../testing/factories.ts";
import { idsAt, walkedIds } from "../../testing/lists.ts";
import { engines, useApp } from "../../testing/test-app.ts";

const taken = { page_number: ["You may not add more than one section to a page"] };
const noPage = { page_number: ["Must be a valid page for the document"] };

describe.each(engines)("sections on %s", (engine) => {
  const app = useApp(engine, { QUIRE_TRASH_DAYS: "0" });
  let id: number;
  let other: number;
  const owner = app.person("owner", { organizations: [1] });
  const reader = app.person("reader", { organizations: [2] });
  beforeEach(async () => {
    const row = { user_id: owner.id, page_count: 9 };
    [id = 0, other = 0] = await addDocuments(app.context, [row, row]);
  });

  const sections = (document = id): string => `/api/documents/${document}/sections/`;
  const { send } = app;
  const begin = async (page_number: number, title = "A section", document = id): Promise<number> => {
    const { status, body, headers } = await send(owner, "POST", sections(document), { page_number, title });
    expect([status, body]).toEqual([201, { id: body.id, page_number, title }]);
    expect(headers.get("location")).toBe(`${app.url}${sections(document)}${body.id}/`);
    return body.id as number;
  };

  it.each([
    [{}, { page_number: ["This field is required."], title: ["This field is required."] }],
    [{ page_number: -1, title: "x" }, { page_number: ["Ensure this value is greater than or equal to 0."] }],
    [{ page_number: 9, title: "x" }, noPage],
    [{ page_number: null, title: "x" }, { page_number: ["This field may not be null."] }],
    [{ page_number: "a", title: "x" }, { page_number: ["A valid integer is required."] }],
    [{ page_number: 0, title: " " }, { title: ["This field may not be blank."] }],
    [
      { page_number: 0, title: "x".repeat(201) },
      { title: ["Ensure this field has no more than 200 characters."] },
    ],
    [{ page_number: 5, title: "x" }, taken],
    [
      { page_number: 5, title: "" },
      { ...taken, title: ["This field may not be blank."] },
    ],
  ])("are refused as %j for every viewer", async (value, faults) => {
    const known = await begin(5);
    for (const person of [owner, reader]) {
      const { status, body } = await send(person, "POST", sections(), value);
      expect([status, body]).toEqual([400, faults]);
    }
    expect(await idsAt(app, sections())).toEqual([known]);
  });

  it("can be created only by those who may change the document", async () => {
    const detail = "You may only create sections on documents you have edit access to";
    const told = await send(reader, "POST", sections(), { page_number: 0, title: "x" });
    expect([told.status, told.body]).toEqual([403, { detail }]);
  });

  it("can be changed and replaced, also on the same page, but not moved to a page with another section", async () => {
    await begin(3);
    const target = `${sections()}${await begin(5)}/`;
    expect((await send(owner, "PATCH", target, { title: "New" })).body).toMatchObject({
      page_number: 5,
      title: "New",
    });
    expect((await send(owner, "PUT", target, { title: "Newer", page_number: 5 })).status).toBe(200);
    expect((await send(owner, "PATCH", target, {})).status).toBe(200);
    for (const method of ["PATCH", "PUT"]) {
      const { status, body } = await send(owner, method, target, { title: "x", page_number: 3 });
      expect([method, status, body]).toEqual([method, 400, taken]);
    }
    expect((await send(owner, "PATCH", target, { page_number: 9 })).body).toEqual(noPage);
    expect((await send(owner, "PUT", target, { title: "x" })).body).toEqual({
      page_number: ["This field is required."],
    });
    expect((await send(owner, "PATCH", target, { page_number: 4 })).body).toMatchObject({ page_number: 4 });
    expect((await send(null, "GET", target)).body).toMatchObject({ page_number: 4, title: "Newer" });
    await begin(3, "elsewhere", other);
  });

  it("are limited to one on each page, even if several are created at the same time", async () => {
    const asked = Array.from({ length: 8 }, () =>
      send(owner, "POST", sections(), { page_number: 1, title: "Mine" }),
    );
    const statuses = (await Promise.all(asked)).map(({ status }) => status);
    expect(statuses.toSorted((one, another) => one - another)).toEqual([201, ...Array(7).fill(400)]);
    expect(await idsAt(app, sections())).toHaveLength(1);
  });

  it("are deleted with their document", async () => {
    await begin(5);
    await send(owner, "DELETE", `/api/documents/${id}/`);
    const left = app.context.database.reader.selectFrom("sections").selectAll().where("document_id", "=", id);
    expect(await left.execute()).toEqual([]);
  });

  it("are found only under their own document", async () => {
    const section = await begin(5);
    for (const method of ["GET", "PATCH", "PUT", "DELETE"])
      expect((await send(owner, method, `${sections(other)}${section}/`)).status).toBe(404);
  });

  it("are ordered by id in their list, paged by cursors, and by page in their document", async () => {
    const pages = [4, 0, 8, 2];
    const made: number[] = [];
    for (const number of pages) made.push(await begin(number));
    expect(await idsAt(app, sections())).toEqual(made);
    expect(await walkedIds(app, `${sections()}?per_page=3`)).toEqual(made);
    const { body } = await send(null, "GET", `/api/documents/${id}/?expand=sections`);
    expect(body.sections).toEqual(
      [0, 2, 4, 8].map((page_number) => ({
        id: made[pages.indexOf(page_number)],
        page_number,
        title: "A section",
      })),
    );
  });

  it("can be expanded in lists of documents", async () => {
    const [one, two] = [await begin(1), await begin(1, "Second", other)];
    for (const query of ["expand=sections", "expand=~all"]) {
      const { body } = await send(null, "GET", `/api/documents/?id__in=${id},${other}&${query}`);
      expect(body.results.map((record: { sections: unknown }) => record.sections)).toEqual([
        [{ id: one, page_number: 1, title: "A section" }],
        [{ id: two, page_number: 1, title: "Second" }],
      ]);
    }
    const project = await addProject(app.context, {}, [id]);
    const { body } = await send(null, "GET", `/api/projects/${project}/documents/?expand=document.sections`);
    expect(body.results[0].document.sections).toMatchObject([{ id: one }]);
  });

  it("are up to date after each change, even when they were requested before", async () => {
    const target = `/api/documents/?id__in=${id}&expand=sections`;
    const titles = async (): Promise<string[]> =>
      (await send(null, "GET", target)).body.results[0].sections.map(({ title }: { title: string }) => title);
    for (let time = 0; time < 3; time++) expect(await titles()).toEqual([]);
    const section = await begin(1);
    expect(await titles()).toEqual(["A section"]);
    await send(owner, "PATCH", `${sections()}${section}/`, { title: "Another" });
    expect(await titles()).toEqual(["Another"]);
    await send(owner, "DELETE", `${sections()}${section}/`);
    expect(await titles()).toEqual([]);
  });
});

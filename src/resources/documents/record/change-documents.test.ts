import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { addDocuments, addProject } from "../../../testing/factories.ts";
import { type Person, addPerson } from "../../../testing/people.ts";
import { type Reply, sendAs } from "../../../testing/requests.ts";
import { engines, startAppOn, useApp } from "../../../testing/test-app.ts";

const required = ["This field is required."];
const notFound = { status: 404, body: { detail: "Not found." } };
const denied = { status: 403, body: { detail: "You do not have permission to perform this action." } };
const tooMany = { non_field_errors: ["Bulk API operations are limited to 25 at a time"] };
const record = (id: number): string => `/api/documents/${id}/`;
const at = (id: number, key: string): string => `${record(id)}data/${key}/`;
const all = (...ids: number[]): string => `/api/documents/?id__in=${ids.join(",")}`;
const change = (...ids: unknown[]): unknown[] => ids.map((id) => ({ id, title: `New ${String(id)}` }));

async function* pdf(): AsyncGenerator<Buffer> {
  yield Buffer.from("%PDF-");
}

describe.each(engines)("changing documents on %s", (engine) => {
  const app = useApp(engine);
  let editor: Person;
  let project: number;
  const owner = app.person("owner", { organizations: [1] });
  const member = app.person("member", { organizations: [1, 2] });
  const stranger = app.person("stranger", { organizations: [2] });
  const administrator = app.person("root", { isAdministrator: true });
  beforeAll(async () => {
    project = await addProject(app.context, {}, []);
    editor = await addPerson(app.context, { username: "editor", projects: { [project]: "edit" } });
  });
  beforeEach(async () => {
    await app.context.database.write((writer) => writer.deleteFrom("documents").execute());
  });

  const send = (
    person: Person | null,
    method: string,
    target: string,
    value?: unknown,
    headers = {},
  ): Promise<Reply> => sendAs(app, person, method, target, value, headers);
  const make = async (values: object = {}, person = owner): Promise<number> => {
    const { status, body } = await send(person, "POST", "/api/documents/", { title: "One", ...values });
    expect([status, body]).toEqual([201, expect.anything()]);
    return body.id as number;
  };

  describe("creating a document", () => {
    it("returns the record, which the list and its address then contain", async () => {
      const before = new Date().toISOString();
      const { status, body, headers } = await send(owner, "POST", "/api/documents/", {
        title: "  Ein Büro & more ",
      });
      expect(status).toBe(201);
      expect(headers.get("location")).toBe(`${app.url}${record(body.id)}`);
      expect(body).toMatchObject({
        access: "private",
        title: "Ein Büro & more",
        slug: "ein-buro-more",
        status: "nofile",
        language: "eng",
        original_extension: "pdf",
        edit_access: true,
        data: {},
        projects: [],
        page_count: 0,
        user: owner.id,
        organization: 1,
        publish_at: null,
      });
      expect(body.created_at > before).toBe(true);
      const { presigned_url: address, ...listed } = body;
      expect((await send(owner, "GET", record(body.id))).body).toMatchObject(listed);
      expect(address).toMatch(
        /\/uploads\/documents\/\d+\/ein-buro-more\.pdf\?viewer=\d+&expires=\d+&signature=/,
      );
      expect((await send(owner, "GET", "/api/documents/")).body.results).toEqual([listed]);
      expect((await send(stranger, "GET", "/api/documents/")).body.results).toEqual([]);
    });

    it("accepts every field, as JSON or as a form", async () => {
      const values = {
        title: "All of it",
        access: "public",
        data: { _tag: ["a", " b "], one: "alone" },
        description: "d",
        language: "deu",
        noindex: true,
        original_extension: "docx",
        publish_at: "2999-01-31",
        published_url: "https://example.org/a",
        related_article: "https://example.org/b?c",
        revision_control: true,
        source: "s",
        projects: [project],
      };
      const expected = {
        ...values,
        data: { _tag: ["a", "b"], one: ["alone"] },
        publish_at: "2999-01-31T00:00:00.000000Z",
      };
      expect((await send(editor, "POST", "/api/documents/", values)).status).toBe(403);
      const maker = await addPerson(app.context, {
        username: "maker",
        organizations: [1],
        projects: { [project]: "admin" },
      });
      expect((await send(maker, "POST", "/api/documents/", values)).body).toMatchObject(expected);
      const form = new FormData();
      for (const [name, value] of Object.entries({
        ...values,
        projects: project,
        data: JSON.stringify(values.data),
      })) {
        form.append(name, String(value));
      }
      const answer = await app.fetch("/api/documents/", {
        method: "POST",
        headers: maker.headers,
        body: form,
      });
      expect([answer.status, await answer.json()]).toEqual([201, expect.objectContaining(expected)]);
    });

    it("ignores fields that clients may not set", async () => {
      const id = await make({
        id: 7,
        slug: "x",
        status: "success",
        page_count: 3,
        file_hash: "f",
        user: 1,
        edit_access: false,
        nonsense: 1,
      });
      expect((await send(owner, "GET", record(id))).body).toMatchObject({
        slug: "one",
        status: "nofile",
        page_count: 0,
        user: owner.id,
      });
    });

    it("reports all errors at once", async () => {
      const { status, body } = await send(owner, "POST", "/api/documents/", {
        title: " ",
        access: "invisible",
        data: { "a b": ["x"] },
        description: "x".repeat(4001),
        language: "xyz",
        noindex: "perhaps",
        original_extension: "exe",
        publish_at: "",
        published_url: "javascript:alert(1)",
        related_article: `https://example.org/${"x".repeat(1024)}`,
        source: null,
        projects: [project],
      });
      expect(status).toBe(400);
      expect(body).toEqual({
        title: ["This field may not be blank."],
        access: ['"invisible" is not a valid choice.'],
        data: ["`data` JSON object must have alphanumeric string keys"],
        description: ["Ensure this field has no more than 4000 characters."],
        language: ['"xyz" is not a valid choice.'],
        noindex: ["Must be a valid boolean."],
        original_extension: ['"exe" is not a valid choice.'],
        publish_at: [expect.stringMatching(/^Datetime has wrong format/)],
        published_url: ["Enter a valid URL."],
        related_article: ["Ensure this field has no more than 1024 characters."],
        source: ["This field may not be null."],
      });
      const unknown = await send(owner, "POST", "/api/documents/", { title: "a", projects: [project] });
      expect([unknown.status, unknown.body]).toEqual([
        400,
        { projects: [`Invalid pk "${project}" - object does not exist.`] },
      ]);
    });

    it.each([
      [{ data: 1 }, "`data` must be a JSON object"],
      [
        { data: { a: 1 } },
        "`data` JSON object must have arrays for values of all top level object properties",
      ],
      [
        { data: { a: [1] } },
        "`data` JSON object must have strings for all values within the listsof top level object properties",
      ],
      [{ data: { a: ["x".repeat(301)] } }, "`data` JSON values must be less than 300 long"],
      [{ data: { a: ["\0"] } }, "Null characters are not allowed."],
      [{ data: { a: ["\ud800"] } }, "Surrogate characters are not allowed: U+D800."],
    ])("refuses %j", async (values, message) => {
      const { status, body } = await send(owner, "POST", "/api/documents/", { title: "a", ...values });
      expect([status, body]).toEqual([400, { data: [message] }]);
    });

    it("requires an object or a list of objects", async () => {
      for (const [sent, body] of [
        [null, { non_field_errors: ["No data provided"] }],
        ["a", { non_field_errors: ["Invalid data. Expected a dictionary, but got str."] }],
        [{}, { title: required }],
        [
          [{ title: "a" }, 1, {}],
          [
            {},
            { non_field_errors: ["Invalid data. Expected a dictionary, but got int."] },
            { title: required },
          ],
        ],
        [Array.from({ length: 26 }, () => ({ title: "a" })), tooMany],
      ] as const) {
        expect(await send(owner, "POST", "/api/documents/", sent)).toMatchObject({ status: 400, body });
      }
      expect((await send(owner, "GET", "/api/documents/")).body.results).toEqual([]);
    });

    it("creates all documents of a list in its order, or none", async () => {
      const titles = ["b", "a", "c"];
      const { status, body } = await send(
        owner,
        "POST",
        "/api/documents/",
        titles.map((title) => ({ title })),
      );
      expect([status, body.map(({ title }: { title: string }) => title)]).toEqual([201, titles]);
      expect(await send(owner, "POST", "/api/documents/", [])).toMatchObject({ status: 201, body: [] });
    });
  });

  describe("a document", () => {
    it("is changed only in the fields that are sent", async () => {
      const id = await make({ source: "s", language: "deu", access: "organization" });
      const before = (await send(owner, "GET", record(id))).body;
      const { status, body } = await send(owner, "PATCH", record(id), {
        title: "Two",
        page_count: 9,
        slug: "z",
        id: 5,
      });
      // The address for its upload changes every five minutes.
      const { updated_at, presigned_url } = body;
      expect([status, body]).toEqual([200, { ...before, title: "Two", updated_at, presigned_url }]);
      expect(body.updated_at > before.updated_at).toBe(true);
      expect((await send(member, "PATCH", record(id), { source: "m" })).body).toMatchObject({
        title: "Two",
        source: "m",
      });
    });

    it("is replaced as in DocumentCloud: access and language are reset, but its file stays", async () => {
      const id = await make({
        source: "s",
        language: "deu",
        access: "public",
        original_extension: "docx",
        data: { a: ["b"] },
      });
      expect(await send(owner, "PUT", record(id), {})).toMatchObject({
        status: 400,
        body: { title: required },
      });
      const { status, body } = await send(owner, "PUT", record(id), { title: "Two" });
      expect(status).toBe(200);
      expect(body).toMatchObject({
        title: "Two",
        access: "private",
        language: "eng",
        source: "s",
        original_extension: "docx",
        data: { a: ["b"] },
      });
    });

    it("accepts fields of new documents only if they are empty", async () => {
      const id = await make();
      const nothing = { file_url: "", projects: [], force_ocr: false, delayed_index: false, ocr_engine: "" };
      expect((await send(owner, "PATCH", record(id), { ...nothing, file_url: null })).status).toBe(200);
      expect(
        await send(owner, "PATCH", record(id), { file_url: "https://example.org/", projects: [1] }),
      ).toMatchObject({
        status: 400,
        body: {
          file_url: ["You may not update `file_url`"],
          projects: ["You may not update `projects` directly, please use the projects API"],
        },
      });
    });

    it("keeps its extension once it has a file", async () => {
      const [id = 0] = await addDocuments(app.context, [{ user_id: owner.id, organization_id: 1 }]);
      expect((await send(owner, "PATCH", record(id), { original_extension: "pdf" })).status).toBe(200);
      expect(await send(owner, "PATCH", record(id), { original_extension: "docx" })).toMatchObject({
        status: 400,
        body: { original_extension: ["It may not be changed once the document has a file."] },
      });
    });

    it("keeps its extension once its file is stored, even if it was not processed", async () => {
      const { body } = await send(owner, "POST", "/api/documents/", { title: "Sent" });
      const other = { original_extension: "txt" };
      expect((await send(owner, "PATCH", record(body.id), other)).status).toBe(200);
      const { presigned_url } = (await send(owner, "GET", record(body.id))).body;
      await fetch(presigned_url, { method: "PUT", body: "What stands there" });
      for (const [method, target, value] of [
        ["PATCH", record(body.id), { original_extension: "pdf" }],
        ["PATCH", "/api/documents/", [{ id: body.id, original_extension: "pdf" }]],
      ] as const)
        expect([method, (await send(owner, method, target, value)).status]).toEqual([method, 400]);
      expect((await send(owner, "PATCH", record(body.id), other)).status).toBe(200);
      await send(owner, "DELETE", record(body.id));
    });

    it("returns 404 to viewers who may not see it and 403 to those who may not change it", async () => {
      const id = await make();
      for (const method of ["PUT", "PATCH", "DELETE"]) {
        expect(await send(stranger, method, record(id), { title: "x" })).toMatchObject(notFound);
        expect(await send(stranger, method, record(id + 1000), { title: "x" })).toMatchObject(notFound);
        expect(await send(null, method, record(id), { title: "x" })).toMatchObject({ status: 403 });
      }
      await app.context.database.write((writer) =>
        writer.updateTable("documents").set({ access: "public", status: "success" }).execute(),
      );
      for (const method of ["PUT", "PATCH", "DELETE"]) {
        expect(await send(stranger, method, record(id), { title: "" })).toMatchObject(denied);
      }
    });

    it("cannot be changed with a read-only token", async () => {
      const id = await make({ access: "organization" });
      const reader = await addPerson(app.context, {
        username: "reader",
        organizations: [1],
        mayWrite: false,
      });
      expect((await send(reader, "GET", record(id))).body).toMatchObject({ id });
      expect(await send(reader, "PATCH", record(id), { title: "x" })).toMatchObject(denied);
    });

    it("is not changed if it has changed since it was read", async () => {
      const [id = 0] = await addDocuments(app.context, [{ user_id: owner.id }]);
      const etag = (await send(owner, "GET", record(id))).headers.get("etag") ?? "";
      const changed = await send(owner, "PATCH", record(id), { title: "Two" }, { "if-match": etag });
      expect(changed.status).toBe(200);
      for (const method of ["PUT", "PATCH", "DELETE"]) {
        const refused = await send(owner, method, record(id), { title: "Three" }, { "if-match": etag });
        expect(refused.status).toBe(412);
      }
      const now = await send(owner, "GET", record(id));
      expect(now.body).toEqual(changed.body);
      const tags = `"other", ${now.headers.get("etag")}`;
      expect((await send(owner, "DELETE", record(id), undefined, { "if-match": tags })).status).toBe(204);
    });

    it("loses no change when many arrive at once", async () => {
      const id = await make();
      const keys = Array.from({ length: 12 }, (_, index) => `key-${index}`);
      const answers = await Promise.all(
        keys.map((key, index) =>
          send(index % 2 === 0 ? owner : owner, "PUT", `${record(id)}data/${key}/`, { values: [key] }),
        ),
      );
      expect(answers.map(({ status }) => status)).toEqual(keys.map(() => 200));
      const { body } = await send(owner, "GET", `${record(id)}data/`);
      expect(body).toEqual(Object.fromEntries(keys.map((key) => [key, [key]])));
    });
  });

  describe("the owner", () => {
    it("may give it to a colleague or to one of their own organizations only", async () => {
      const id = await make();
      const colleague = { user: member.id };
      expect(await send(owner, "PATCH", record(id), { user: stranger.id, organization: 2 })).toMatchObject({
        status: 400,
        body: {
          user: [`Invalid pk "${stranger.id}" - object does not exist.`],
          organization: ['Invalid pk "2" - object does not exist.'],
        },
      });
      expect(await send(owner, "PATCH", record(id), { user: "x" })).toMatchObject({
        status: 400,
        body: { user: ["Incorrect type. Expected pk value, received str."] },
      });
      expect((await send(owner, "PATCH", record(id), colleague)).body).toMatchObject({
        user: member.id,
        edit_access: false,
      });
      expect(await send(owner, "GET", record(id))).toMatchObject(notFound);
      expect(
        (await send(member, "PATCH", record(id), { organization: 2, access: "organization" })).body,
      ).toMatchObject({ organization: 2 });
      expect((await send(stranger, "GET", record(id))).status).toBe(200);
    });

    it("is the only one who may: the field is ignored for others", async () => {
      const id = await make({ access: "organization" });
      const { status, body } = await send(member, "PATCH", record(id), { user: member.id, title: "Mine" });
      expect([status, body.user, body.title]).toEqual([200, owner.id, "Mine"]);
    });

    it("can be set to anyone by an administrator", async () => {
      const [id = 0] = await addDocuments(app.context, [{ user_id: owner.id }]);
      expect(
        (await send(administrator, "PATCH", record(id), { user: stranger.id, organization: 2 })).body,
      ).toMatchObject({
        user: stranger.id,
        organization: 2,
      });
      expect(await send(administrator, "PATCH", record(id), { organization: 99 })).toMatchObject({
        status: 400,
      });
    });
  });

  describe("several documents", () => {
    it.each(["PUT", "PATCH"])("are changed with %s, all or none", async (method) => {
      const [one, two] = [await make(), await make()];
      const foreign = await make({}, stranger);
      const missing = { status: 400, body: ["Could not find all objects to update."] };
      expect(await send(owner, method, "/api/documents/", change(one, foreign))).toMatchObject(missing);
      expect(await send(owner, method, "/api/documents/", change(one, 99_999))).toMatchObject(missing);
      expect(await send(owner, method, "/api/documents/", [{ title: "x" }, { id: "y" }])).toMatchObject({
        status: 400,
        body: [{ id: required }, { id: ["A valid integer is required."] }],
      });
      expect(
        await send(owner, method, "/api/documents/", [
          { id: one, title: "ok" },
          { id: two, title: "" },
        ]),
      ).toMatchObject({
        status: 400,
        body: [{}, { title: ["This field may not be blank."] }],
      });
      expect(await send(owner, method, "/api/documents/", { id: one })).toMatchObject({
        status: 400,
        body: { non_field_errors: ['Expected a list of items but got type "dict".'] },
      });
      const many = Array.from({ length: 26 }, (_, index) => index);
      expect(await send(owner, method, "/api/documents/", change(...many))).toMatchObject({
        status: 400,
        body: tooMany,
      });
      expect((await send(owner, "GET", record(one))).body.title).toBe("One");
      expect(await send(owner, method, "/api/documents/", [])).toMatchObject({ status: 200, body: [] });
      const { status, body } = await send(owner, method, "/api/documents/", change(String(two), one));
      expect([status, body.map(({ id, title }: { id: number; title: string }) => [id, title])]).toEqual([
        200,
        [
          [one, `New ${one}`],
          [two, `New ${two}`],
        ],
      ]);
    });

    it("keep their owners unless the person owns all of them", async () => {
      const [own, other] = [await make(), await make({ access: "organization" }, member)];
      const items = [
        { id: own, user: member.id },
        { id: other, user: owner.id },
      ];
      const { status, body } = await send(owner, "PATCH", "/api/documents/", items);
      expect([status, body.map(({ user }: { user: number }) => user)]).toEqual([200, [owner.id, member.id]]);
    });

    it("are deleted, all or none", async () => {
      const [one, two] = [await make(), await make()];
      const foreign = await make({}, stranger);
      const missing = { status: 400, body: ["Could not find all objects to delete"] };
      expect(await send(owner, "DELETE", "/api/documents/")).toMatchObject({
        status: 400,
        body: ["May not bulk delete unless you explicitly specify IDs"],
      });
      expect(await send(owner, "DELETE", all())).toMatchObject(missing);
      expect(await send(owner, "DELETE", all(one, foreign))).toMatchObject(missing);
      const [shown = 0] = await addDocuments(app.context, [{ user_id: stranger.id, organization_id: 2 }]);
      expect((await send(owner, "GET", record(shown))).status).toBe(200);
      expect(await send(owner, "DELETE", all(one, shown))).toMatchObject(missing);
      expect(
        await send(owner, "DELETE", all(...Array.from({ length: 26 }, (_, index) => index))),
      ).toMatchObject({
        status: 400,
        body: ["Bulk API operations are limited to 25 at a time"],
      });
      expect((await send(owner, "DELETE", `/api/documents/?id__in=${one},${two}.5`)).status).toBe(400);
      expect((await send(owner, "GET", record(one))).status).toBe(200);
      expect(await send(owner, "DELETE", all(one, two))).toMatchObject({ status: 204, body: null });
      expect((await send(owner, "GET", record(one))).status).toBe(404);
      expect((await send(stranger, "GET", record(foreign))).status).toBe(200);
    });

    it("are deleted only if the list with the same filters shows them all", async () => {
      const [one, two] = [await make({ title: "A" }), await make({ title: "B", access: "public" })];
      const missing = ["Could not find all objects to delete"];
      const remove = async (filters: string): Promise<[number, unknown]> => {
        const { status, body } = await send(owner, "DELETE", `${all(one, two)}${filters}`);
        return [status, body];
      };
      for (const filters of [
        "&created_at__lt=2001-01-01",
        "&access=private",
        "&page_count=77",
        "&status=error",
      ]) {
        expect([filters, ...(await remove(filters))]).toEqual([filters, 400, missing]);
      }
      expect(await remove("&user=x")).toEqual([400, { user: ["“x” is not a valid value."] }]);
      expect((await remove("&project=99999"))[0]).toBe(400);
      expect(await send(owner, "DELETE", all(one, one))).toMatchObject({ status: 400, body: missing });
      for (const id of [one, two]) expect((await send(owner, "GET", record(id))).status).toBe(200);
      expect(await remove(`&user=${owner.id}&status=nofile`)).toEqual([204, null]);
      for (const id of [one, two]) expect((await send(owner, "GET", record(id))).status).toBe(404);
    });

    it("are not deleted by those who may only edit them", async () => {
      const [id = 0] = await addDocuments(app.context, [{ user_id: owner.id, access: "private" }]);
      await app.context.database.write((writer) =>
        writer
          .insertInto("project_memberships")
          .values({ project_id: project, document_id: id, edit_access: true })
          .execute(),
      );
      expect((await send(editor, "PATCH", record(id), { title: "Edited" })).status).toBe(200);
      expect(await send(editor, "DELETE", record(id))).toMatchObject(denied);
      expect((await send(editor, "DELETE", `/api/documents/?id__in=${id}`)).status).toBe(400);
      expect((await send(editor, "GET", record(id))).body).toMatchObject({
        title: "Edited",
        projects: [project],
      });
    });
  });

  describe("deleting", () => {
    it("without a trash leaves nothing of the document", async () => {
      await using instant = await startAppOn({ ...app.context.config, trashDays: 0 });
      const [id = 0] = await addDocuments(app.context, [{ user_id: owner.id, data: '{"a":["b"]}' }]);
      const key = `documents/${id}/a-document.pdf`;
      await app.context.files.put(key, pdf());
      await addProject(app.context, {}, [id]);
      expect((await app.fetch(`/files/${key}`)).status).toBe(200);
      expect((await sendAs(instant, owner, "DELETE", record(id))).status).toBe(204);
      expect((await app.fetch(`/files/${key}`)).status).toBe(404);
      expect(await app.context.files.stat(key)).toBeNull();
      for (const table of [
        "documents",
        "document_data",
        "document_audiences",
        "project_memberships",
        "file_removals",
      ] as const) {
        expect(await app.context.database.reader.selectFrom(table).selectAll().execute()).toEqual([]);
      }
    });
  });

  describe("data", () => {
    it("can be read, replaced, extended and removed by key", async () => {
      const id = await make({ data: { a: ["1"] } });
      expect((await send(owner, "GET", at(id, "none"))).body).toEqual([]);
      expect((await send(owner, "PUT", at(id, "b"), { values: [" z ", "y", "z"] })).body).toEqual({
        a: ["1"],
        b: ["z", "y"],
      });
      expect((await send(owner, "PATCH", at(id, "b"), { values: ["x", "y"], remove: ["z"] })).body).toEqual({
        a: ["1"],
        b: ["y", "x"],
      });
      expect((await send(owner, "PATCH", at(id, "b"), { remove: ["y", "x"] })).body).toEqual({ a: ["1"] });
      expect((await send(owner, "PUT", at(id, "b"), { values: [] })).body).toEqual({ a: ["1"], b: [] });
      expect(await send(owner, "DELETE", at(id, "a"))).toMatchObject({ status: 204 });
      expect(await send(owner, "DELETE", at(id, "a"))).toMatchObject({ status: 204 });
      expect((await send(owner, "GET", `${record(id)}data/`)).body).toEqual({ b: [] });
      expect((await send(owner, "GET", record(id))).body.data).toEqual({ b: [] });
    });

    it("is limited in size, and its history contains only changed keys", async () => {
      const id = await make({ data: { kept: ["1"] } });
      await send(owner, "PUT", at(id, "k"), { values: ["v"] });
      const { body } = await send(owner, "GET", `${record(id)}history/`);
      expect(body.results[0].changes).toEqual({ data: { from: {}, to: { k: ["v"] } } });
      const values = Array.from({ length: 1000 }, (_, index) => `${index} ${"x".repeat(280)}`);
      const refused = await send(owner, "PUT", at(id, "k"), { values });
      expect([refused.status, Object.keys(refused.body)]).toEqual([400, ["data"]]);
      expect((await send(owner, "PATCH", record(id), { data: { values } })).status).toBe(400);
      expect((await send(owner, "GET", `${record(id)}data/`)).body).toEqual({ kept: ["1"], k: ["v"] });
    });

    it("refuses invalid values", async () => {
      const id = await make();
      for (const [method, value, body] of [
        ["PUT", {}, { values: required }],
        [
          "PUT",
          { values: "x" },
          { values: { non_field_errors: ['Expected a list of items but got type "str".'] } },
        ],
        [
          "PATCH",
          { values: ["a", " ", 1, true] },
          { values: [{}, ["This field may not be blank."], {}, ["Not a valid string."]] },
        ],
        [
          "PATCH",
          { remove: ["x".repeat(301)] },
          { remove: [["Ensure this field has no more than 300 characters."]] },
        ],
      ] as const) {
        expect(await send(owner, method, at(id, "k"), value)).toMatchObject({ status: 400, body });
      }
      for (const key of ["a b", "ä", "a.b", "x".repeat(51), "a%2Fb"]) {
        expect((await send(owner, "PUT", at(id, key), { values: ["v"] })).status).toBe(404);
        expect((await send(owner, "GET", at(id, key))).status).toBe(404);
      }
      expect((await send(owner, "POST", at(id, "k"), {})).status).toBe(405);
      expect((await send(null, "PUT", at(id, "k"), {})).status).toBe(403);
      expect(await send(stranger, "PUT", at(id, "k"), { values: [] })).toMatchObject(notFound);
      const [shown = 0] = await addDocuments(app.context, [{ user_id: owner.id }]);
      expect(await send(stranger, "PUT", at(shown, "k"), { values: [] })).toMatchObject({
        status: 403,
        body: { detail: "You may not edit this document" },
      });
    });
  });

  describe("the history", () => {
    it("contains who changed which fields from what to what, newest first", async () => {
      const id = await make({ access: "organization", noindex: false });
      await send(member, "PATCH", record(id), { title: "Two", source: "", noindex: true });
      await send(member, "PATCH", record(id), { title: "Two" });
      await send(owner, "PUT", `${record(id)}data/k/`, { values: ["v"] });
      const { status, body } = await send(owner, "GET", `${record(id)}history/`);
      expect(status).toBe(200);
      expect(body).toMatchObject({ next: null, previous: null });
      expect(body.results).toMatchObject([
        { user: owner.id, action: "changed", changes: { data: { from: {}, to: { k: ["v"] } } } },
        {
          user: member.id,
          action: "changed",
          changes: { title: { from: "One", to: "Two" }, noindex: { from: false, to: true } },
        },
        {
          user: owner.id,
          action: "created",
          changes: { title: { from: null, to: "One" }, access: { from: null, to: "organization" } },
        },
      ]);
      expect(Object.keys(body.results[1].changes)).toHaveLength(2);
      const first = await send(owner, "GET", `${record(id)}history/?per_page=2`);
      const rest = await send(owner, "GET", first.body.next.slice(app.url.length));
      expect([...first.body.results, ...rest.body.results]).toEqual(body.results);
    });

    it("is visible to those who may change the document, and to administrators even after it is deleted", async () => {
      const id = await make();
      const history = `${record(id)}history/`;
      expect(await send(stranger, "GET", history)).toMatchObject(notFound);
      expect(await send(null, "GET", history)).toMatchObject(notFound);
      await app.context.database.write((writer) =>
        writer.updateTable("documents").set({ access: "public", status: "success" }).execute(),
      );
      expect(await send(stranger, "GET", history)).toMatchObject(denied);
      expect((await send(null, "GET", history)).status).toBe(403);
      await send(owner, "DELETE", record(id));
      expect(await send(owner, "GET", history)).toMatchObject(notFound);
      const { body } = await send(administrator, "GET", history);
      expect(body.results[0]).toMatchObject({
        user: owner.id,
        action: "deleted",
        changes: { title: { from: "One", to: null } },
      });
      expect(await send(administrator, "GET", "/api/documents/99999/history/")).toMatchObject(notFound);
    });

    it("names no project that its reader may not know about", async () => {
      const id = await make({ access: "organization" });
      const hidden = await addProject(app.context, { private: true, user_id: owner.id }, []);
      const insider = await addPerson(app.context, {
        username: `insider-${id}`,
        organizations: [1],
        projects: { [hidden]: "admin" },
      });
      await send(insider, "POST", `/api/projects/${hidden}/documents/`, { document: id });
      const projectSeenBy = async (person: Person): Promise<unknown> =>
        (await send(person, "GET", `${record(id)}history/`)).body.results[0].changes.project;
      expect(await projectSeenBy(insider)).toEqual({ from: null, to: hidden });
      expect(await projectSeenBy(owner)).toEqual({ from: null, to: null });
    });

    it("cannot be changed, even in the database", async () => {
      await make();
      const { database } = app.context;
      await expect(
        database.write((writer) => writer.deleteFrom("document_history").execute()),
      ).rejects.toThrow(/history/);
      await expect(
        database.write((writer) => writer.updateTable("document_history").set({ user_id: 1 }).execute()),
      ).rejects.toThrow(/history/);
    });
  });
});

import { beforeEach, describe, expect, it } from "vitest";
import { addDocuments } from "../../testing/factories.ts";
import { type Person, addPerson } from "../../testing/people.ts";
import type { Reply } from "../../testing/requests.ts";
import { engines, useApp } from "../../testing/test-app.ts";

const at = (id: number): string => `/api/projects/${id}/`;
const unknown = (id: number | string): string[] => [
  `Select a valid choice. ${id} is not one of the available choices.`,
];

describe.each(engines)("projects on %s", (engine) => {
  // On a busy machine, the last of many requests at once waits for longer than a person would.
  const app = useApp(engine, {
    QUIRE_DATABASE_CONNECT_LIMIT_SECONDS: "300",
    QUIRE_DATABASE_STATEMENT_LIMIT_SECONDS: "300",
  });
  const maker = app.person("maker", { organizations: [1] });
  const other = app.person("other", { organizations: [2] });
  beforeEach(async () => {
    await app.context.database.write(async (writer) => {
      await writer.deleteFrom("documents").execute();
      await writer.deleteFrom("projects").execute();
    });
  });

  const { send } = app;
  const make = async (values: object = {}, person = maker): Promise<number> => {
    const { status, body } = await send(person, "POST", "/api/projects/", values);
    expect([status, body]).toEqual([201, expect.anything()]);
    return body.id as number;
  };
  const join = (project_id: number, { id }: Person, access: "view" | "edit" | "admin"): Promise<unknown> =>
    app.context.database.write((writer) =>
      writer.insertInto("project_collaborators").values({ project_id, user_id: id, access }).execute(),
    );
  const idsOf = async (person: Person | null, query: string): Promise<number[]> => {
    const { status, body } = await send(person, "GET", `/api/projects/?${query}`);
    expect([status, body]).toEqual([200, expect.anything()]);
    return body.results.map(({ id }: { id: number }) => id);
  };

  const visible = async (person: Person | null, document: number): Promise<unknown> => {
    const record = await send(person, "GET", `/api/documents/${document}/`);
    const list = await send(person, "GET", "/api/documents/");
    expect(list.body.results.some(({ id }: { id: number }) => id === document)).toBe(record.status === 200);
    return record.status === 200 ? record.body.projects : null;
  };
  const share = async (project_id: number): Promise<number> => {
    const [document_id = 0] = await addDocuments(app.context, [{ access: "private", user_id: maker.id }]);
    await app.context.database.write((writer) =>
      writer
        .insertInto("project_memberships")
        .values({ document_id, project_id, edit_access: true })
        .execute(),
    );
    return document_id;
  };
  const allow = (target: string): Promise<string | null> =>
    send(null, "OPTIONS", target).then(({ headers }) => headers.get("allow"));
  const page = async (person: Person, target: string): Promise<string> =>
    (await app.fetch(target, { headers: { ...person.headers, accept: "text/html" } })).text();

  describe("creating a project", () => {
    it("makes the creator an admin and pins the project for them", async () => {
      const { status, body, headers } = await send(maker, "POST", "/api/projects/", {
        title: "  Ein Büro & more ",
        pinned: false,
        slug: "mine",
        user: other.id,
      });
      expect(status).toBe(201);
      expect(headers.get("location")).toBe(`${app.url}${at(body.id)}`);
      expect(Object.entries(body)).toEqual([
        ["id", expect.any(Number)],
        ["created_at", expect.stringMatching(/^\d{4}-.*\.\d{6}Z$/)],
        ["updated_at", body.created_at],
        ["description", ""],
        ["edit_access", true],
        ["add_remove_access", true],
        ["private", false],
        ["slug", "ein-buro-more"],
        ["title", "Ein Büro & more"],
        ["user", maker.id],
        ["pinned", true],
      ]);
      expect((await send(maker, "GET", at(body.id))).body).toEqual(body);
      expect((await send(other, "GET", at(body.id))).body).toMatchObject({
        pinned: false,
        edit_access: null,
      });
      const { body: collaborators } = await send(maker, "GET", `${at(body.id)}users/`);
      expect(collaborators.results).toEqual([{ user: maker.id, access: "admin" }]);
    });

    it("accepts a form, and a blank title, which results in an empty slug", async () => {
      const { body } = await send(maker, "POST", "/api/projects/", { title: "" });
      expect(body).toMatchObject({ title: "", slug: "" });
      const answer = await app.fetch("/api/projects/", {
        method: "POST",
        headers: maker.headers,
        body: new URLSearchParams({ title: "From a form", private: "on" }),
      });
      expect(await answer.json()).toMatchObject({ title: "From a form", private: true });
    });

    it("reports all errors at once, and is refused to anonymous viewers", async () => {
      const faulty = { title: null, description: "a".repeat(1001), private: "perhaps" };
      expect(await send(maker, "POST", "/api/projects/", faulty)).toMatchObject({
        status: 400,
        body: {
          title: ["This field may not be null."],
          description: ["Ensure this field has no more than 1000 characters."],
          private: ["Must be a valid boolean."],
        },
      });
      const long = await send(maker, "POST", "/api/projects/", { title: "a".repeat(256) });
      expect(long.body).toEqual({ title: ["Ensure this field has no more than 255 characters."] });
      const list = await send(maker, "POST", "/api/projects/", []);
      expect(list.body).toEqual({
        non_field_errors: ["Invalid data. Expected a dictionary, but got list."],
      });
      expect((await send(null, "POST", "/api/projects/", {})).status).toBe(403);
      expect(await idsOf(maker, "")).toEqual([]);
    });
  });

  describe("changing a project", () => {
    it("changes the fields that are sent, by PUT and by PATCH, and never the slug", async () => {
      const id = await make({ title: "First", description: "About", private: true });
      const before = (await send(maker, "GET", at(id))).body;
      const { status, body } = await send(maker, "PATCH", at(id), { title: "Second", slug: "x", user: 1 });
      expect(status).toBe(200);
      expect(body).toEqual({ ...before, title: "Second", updated_at: body.updated_at });
      expect(body.updated_at > before.updated_at).toBe(true);
      const put = await send(maker, "PUT", at(id), {});
      expect(put.body).toEqual({ ...body, updated_at: put.body.updated_at });
      expect((await send(maker, "PUT", at(id), { title: null })).status).toBe(400);
    });

    it("pins it for the viewer without changing the project", async () => {
      const id = await make();
      const before = (await send(other, "GET", at(id))).body;
      const pin = (pinned: unknown): Promise<Reply> => send(other, "PATCH", at(id), { pinned });
      expect(await pin(true)).toMatchObject({ status: 200, body: { ...before, pinned: true } });
      expect(await pin("true")).toMatchObject({ status: 200, body: { ...before, pinned: true } });
      expect(await idsOf(other, "pinned=true")).toEqual([id]);
      await send(maker, "PATCH", at(id), { pinned: false });
      expect([await idsOf(other, "pinned=true"), await idsOf(maker, "pinned=true")]).toEqual([[id], []]);
      expect(await pin(false)).toMatchObject({ status: 200, body: before });
      expect((await pin("perhaps")).status).toBe(400);
      expect((await send(other, "PATCH", at(id), { pinned: true, title: "x" })).status).toBe(403);
      expect((await send(other, "PATCH", at(id), {})).status).toBe(403);
      expect((await send(other, "PUT", at(id), { pinned: true })).status).toBe(403);
    });

    it("with a stale entity tag returns 412 and changes nothing", async () => {
      const id = await make({ title: "First" });
      const read = await send(maker, "GET", at(id));
      const tag = { "if-match": read.headers.get("etag") ?? "" };
      const changed = await send(maker, "PATCH", at(id), { title: "Second" }, tag);
      expect([changed.status, changed.headers.get("etag")]).toEqual([200, expect.stringMatching(/^"/)]);
      for (const method of ["PATCH", "PUT", "DELETE"]) {
        const told = await send(maker, method, at(id), { title: "Third" }, tag);
        expect([method, told.status]).toEqual([method, 412]);
      }
      expect((await send(maker, "GET", at(id))).body).toEqual(changed.body);
      const now = { "if-match": changed.headers.get("etag") ?? "" };
      expect((await send(maker, "DELETE", at(id), undefined, now)).status).toBe(204);
    });
  });

  describe("its documents", () => {
    it("stay when it is deleted, but its collaborators no longer see them from the next request on", async () => {
      const project = await make();
      await join(project, other, "edit");
      const [own, open] = [await share(project), await make({ title: "Another" })];
      await app.context.database.write((writer) =>
        writer
          .insertInto("project_memberships")
          .values({ document_id: own, project_id: open, edit_access: false })
          .execute(),
      );
      expect(await visible(other, own)).toEqual([project, open]);
      expect((await send(maker, "DELETE", at(project))).status).toBe(204);
      expect(await visible(other, own)).toBe(null);
      expect(await visible(maker, own)).toEqual([open]);
      expect((await send(maker, "GET", at(project))).status).toBe(404);
      const { body } = await send(maker, "GET", `/api/documents/${own}/history/`);
      expect(body.results[0]).toMatchObject({
        action: "unshared",
        user: maker.id,
        // Only administrators see which project it was: nobody else may know about it any more.
        changes: { project: { from: null, to: null } },
      });
      const root = await addPerson(app.context, { username: `root-${own}`, isAdministrator: true });
      const told = await send(root, "GET", `/api/documents/${own}/history/`);
      expect(told.body.results[0].changes).toEqual({ project: { from: project, to: null } });
    });

    it("are hidden from a collaborator who is removed, from the next request on", async () => {
      const project = await make({ private: true });
      await join(project, other, "view");
      const document = await share(project);
      expect(await visible(other, document)).toEqual([project]);
      expect((await send(maker, "DELETE", `${at(project)}users/${other.id}/`)).status).toBe(204);
      expect(await visible(other, document)).toBe(null);
      expect((await send(other, "GET", at(project))).status).toBe(404);
    });

    it("name it only to those who may see it, from the next request after it becomes private", async () => {
      const [document = 0] = await addDocuments(app.context, [{}]);
      const project = await make();
      await app.context.database.write((writer) =>
        writer
          .insertInto("project_memberships")
          .values({ document_id: document, project_id: project, edit_access: false })
          .execute(),
      );
      const everyone = [maker, other, null];
      const seen = (): Promise<unknown[]> => Promise.all(everyone.map((person) => visible(person, document)));
      expect(await seen()).toEqual([[project], [project], [project]]);
      await send(maker, "PATCH", at(project), { private: true });
      expect(await seen()).toEqual([[project], [], []]);
      await send(maker, "PATCH", at(project), { private: false });
      expect(await seen()).toEqual([[project], [project], [project]]);
    });

    it("can be changed, shared and hidden by many requests at once without a deadlock", async () => {
      const project = await make();
      const rows = Array.from({ length: 20 }, () => ({ user_id: maker.id, access: "private" }));
      const documents = await addDocuments(app.context, rows);
      const memberships = documents.map((document) => ({ document, edit_access: true }));
      const below = `${at(project)}documents/`;
      expect((await send(maker, "PATCH", below, memberships)).status).toBe(200);
      const turn = (round: number): Promise<Reply>[] => [
        send(maker, "PATCH", at(project), { private: round % 2 === 0 }),
        send(
          maker,
          "PATCH",
          "/api/documents/",
          documents.toReversed().map((id) => ({ id, source: `${round}` })),
        ),
        send(
          maker,
          "PATCH",
          below,
          memberships.toReversed().map((one) => Object.assign({}, one, { edit_access: round % 2 === 0 })),
        ),
        send(maker, "PATCH", `/api/documents/${documents[round]}/`, { access: "organization" }),
      ];
      const told = await Promise.all(Array.from({ length: 8 }, (_, round) => turn(round)).flat());
      expect(new Set(told.map(({ status }) => status))).toEqual(new Set([200]));
      const [gone, ...others] = await Promise.all([
        send(maker, "DELETE", at(project)),
        send(
          maker,
          "PATCH",
          "/api/documents/",
          documents.map((id) => ({ id, source: "last" })),
        ),
        ...documents.map((id) => send(maker, "DELETE", `/api/documents/${id}/`)),
      ]);
      expect(gone.status).toBe(204);
      expect(others.filter(({ status }) => ![200, 204, 400].includes(status))).toEqual([]);
    });

    it("show the viewer's rights in the project when it is expanded", async () => {
      const project = await make({ title: "One" });
      const [document = 0] = await addDocuments(app.context, [{}]);
      await app.context.database.write((writer) =>
        writer
          .insertInto("project_memberships")
          .values({ document_id: document, project_id: project, edit_access: false })
          .execute(),
      );
      for (const person of [maker, other, null]) {
        const { body } = await send(person, "GET", `/api/documents/${document}/?expand=projects`);
        expect(body.projects).toEqual([(await send(person, "GET", at(project))).body]);
      }
    });
  });

  describe("the list", () => {
    it("is paged by id in both directions", async () => {
      const ids = [await make(), await make(), await make(), await make(), await make()];
      await make({ private: true });
      const first = (await send(other, "GET", "/api/projects/?per_page=2&zzz=1")).body;
      expect(Object.keys(first)).toEqual(["next", "previous", "results"]);
      const walk = async (from: string | null, way: "next" | "previous"): Promise<number[][]> => {
        if (from === null) return [];
        const { body } = await send(other, "GET", from.replace(app.url, ""));
        return [body.results.map(({ id }: { id: number }) => id), ...(await walk(body[way], way))];
      };
      const pages = [ids.slice(0, 2), ids.slice(2, 4), ids.slice(4)];
      expect(first.previous).toBe(null);
      expect(first.next).toMatch(/^http.*\/api\/projects\/\?cursor=[^&]+&per_page=2&zzz=1$/);
      expect(await walk("/api/projects/?per_page=2", "next")).toEqual(pages);
      expect(await walk("/api/projects/?per_page=2&cursor=cj0x", "previous")).toEqual([
        ids.slice(3),
        ids.slice(1, 3),
        ids.slice(0, 1),
      ]);
      expect((await send(other, "GET", "/api/projects/?cursor=bad")).body).toEqual({
        detail: "Invalid cursor",
      });
    });

    it("finds titles and descriptions ignoring case, in any alphabet", async () => {
      const id = await make({ title: "Été à МОСКВА", description: "größer" });
      for (const query of ["Été", "éTÉ", "МОСКВА", "москва", "Москва", "GRÖß"])
        expect([query, await idsOf(maker, `query=${encodeURIComponent(query)}`)]).toEqual([query, [id]]);
    });

    it("can be filtered", async () => {
      const [hidden = 0, shown = 0] = await addDocuments(app.context, [
        { access: "private", user_id: maker.id },
        {},
      ]);
      const plain = await make({ title: "Budget 100%", description: "Of the Town" });
      const secret = await make({ title: "Secret", private: true });
      const theirs = await make({ title: "Town hall" }, other);
      await join(theirs, maker, "view");
      await app.context.database.write((writer) =>
        writer
          .insertInto("project_memberships")
          .values([
            { document_id: hidden, project_id: plain, edit_access: true },
            { document_id: shown, project_id: theirs, edit_access: false },
          ])
          .execute(),
      );
      const all = [plain, secret, theirs];
      const table: [Person | null, string, number[]][] = [
        [maker, "", all],
        [maker, `user=${maker.id}`, all],
        [maker, `user=${other.id}`, [theirs]],
        [maker, `user=${other.id},${maker.id}`, all],
        [other, `user=${other.id}`, [theirs]],
        [maker, `document=${hidden}`, [plain]],
        [maker, `document=${hidden},${shown}`, [plain, theirs]],
        [other, `document=${shown}`, [theirs]],
        [null, `document=${shown}`, [theirs]],
        [maker, "query=TOWN", [plain, theirs]],
        [maker, "query=%25", [plain]],
        [maker, "query=_", []],
        [maker, "query=", all],
        [maker, "private=true", [secret]],
        [maker, "private=False", [plain, theirs]],
        [maker, "private=perhaps", all],
        [maker, "pinned=true", [plain, secret]],
        [maker, "pinned=false", [theirs]],
        [null, "pinned=true", []],
        [null, "pinned=false", [plain, theirs]],
        [maker, "is_shared=true", [theirs]],
        [maker, "is_shared=false", all],
        [other, "is_shared=true", []],
        [null, "is_shared=true", [plain, theirs]],
        [maker, "owned_by_user=true", [plain, secret]],
        [maker, "owned_by_user=false", all],
        [null, "owned_by_user=true", [plain, theirs]],
        [maker, "slug=town-hall", [theirs]],
        [maker, "title=Secret", [secret]],
        [other, "title=Secret", []],
        [maker, `id__in=${secret},${theirs},999`, [secret, theirs]],
        [other, `id__in=${secret},${theirs}`, [theirs]],
        [maker, `user=${maker.id}&query=town&private=false&pinned=true&owned_by_user=true`, [plain]],
      ];
      for (const [person, query, expected] of table) {
        const who = person?.username ?? "anonymous";
        expect([who, query, await idsOf(person, query)]).toEqual([who, query, expected]);
      }
      const refused: [Person | null, string, object][] = [
        [other, `document=${hidden}`, { document: unknown(hidden) }],
        [null, `document=${hidden}`, { document: unknown(hidden) }],
        [maker, "document=999", { document: unknown(999) }],
        [maker, "user=99999", { user: unknown(99_999) }],
        [null, `user=${other.id}`, { user: unknown(other.id) }],
        [maker, "user=1,99999999999999999999999", { user: unknown("99999999999999999999999") }],
        [maker, `document=${"9".repeat(400)}`, { document: unknown("9".repeat(400)) }],
        [maker, "document=+0999", { document: unknown("0999") }],
        [maker, "user=-1", { user: unknown(-1) }],
        [maker, "user=$%26", { user: ["“$&” is not a valid value."] }],
        [maker, "user=x", { user: ["“x” is not a valid value."] }],
        [maker, "id__in=x", { id__in: ["Enter a number."] }],
      ];
      for (const [person, query, body] of refused) {
        expect(await send(person, "GET", `/api/projects/?${query}`)).toMatchObject({ status: 400, body });
      }
    });
  });

  it("describe their fields for OPTIONS, and offer forms to those who may change them", async () => {
    const id = await make({ title: "First" });
    expect(await allow("/api/projects/")).toBe("GET, POST, HEAD, OPTIONS");
    expect(await allow(at(id))).toBe("GET, PUT, PATCH, DELETE, HEAD, OPTIONS");
    expect(await allow(`${at(id)}users/`)).toBe("GET, POST, HEAD, OPTIONS");
    expect(await allow(`${at(id)}users/1/`)).toBe("GET, PUT, PATCH, DELETE, HEAD, OPTIONS");
    for (const target of ["/api/projects/", at(id), `${at(id)}users/`, `${at(id)}users/${maker.id}/`]) {
      expect(await page(maker, target)).toContain('<form class="');
    }
    expect(await page(other, at(id))).not.toContain('name="title"');
    expect(await page(other, `${at(id)}users/`)).not.toContain("example.org");
    expect(await page(maker, `${at(id)}users/`)).not.toContain("other@example.org");
  });

  it("are found by their own id only", async () => {
    const id = await make();
    for (const odd of ["0", "x", `${id}-slug`, "1.0", "9".repeat(30), "-1"]) {
      expect([odd, (await send(maker, "GET", `/api/projects/${odd}/`)).status]).toEqual([odd, 404]);
    }
    const redirect = await app.fetch(`/api/projects/${id}?x=1`, { redirect: "manual" });
    expect([redirect.status, redirect.headers.get("location")]).toEqual([301, `/api/projects/${id}/?x=1`]);
  });
});

import { beforeAll, describe, expect, it } from "vitest";
import { addDocuments, addProject } from "../../testing/factories.ts";
import { cookieOf, guestsOf } from "../../testing/guests.ts";
import { type Person, addPerson } from "../../testing/people.ts";
import { addTexts } from "../../testing/read-documents.ts";
import { sendAs } from "../../testing/requests.ts";
import { stateOf } from "../../testing/state.ts";
import { engines, useApp } from "../../testing/test-app.ts";

/* What a guest may see with each request: see tests/guest-matrix.test.ts. */

describe.each(engines)("a guest link on %s", (engine) => {
  const app = useApp(engine);
  let maker: Person;
  let project: number;
  let documents: number[];
  beforeAll(async () => {
    documents = await addDocuments(app.context, [
      { title: "Harbour plans", access: "private", slug: "a" },
      { title: "Budget", access: "private", slug: "a" },
      { title: "Harbour letters", access: "private", slug: "a", user_id: 2 },
    ]);
    for (const id of documents) await addTexts(app.context, id, ["harbour"]);
    project = await addProject(app.context, { title: "The harbour" }, []);
    maker = await addPerson(app.context, {
      username: "maker",
      organizations: [1],
      projects: { [project]: "admin" },
    });
    await app.context.database.write(async (writer) => {
      const own = { user_id: maker.id };
      await writer.updateTable("documents").set(own).where("id", "in", documents.slice(0, 2)).execute();
      for (const document_id of documents.slice(1))
        await writer
          .insertInto("project_memberships")
          .values({ project_id: project, document_id, edit_access: true })
          .execute();
    });
  });

  const { make, open, statusAt, listed } = guestsOf(app, () => maker);

  it("is exchanged for a cookie, opens one document at addresses without the secret, and ends when it is revoked", async () => {
    const [id = 0, other = 0] = documents;
    const { secret, path } = await make({ document: id, name: "For the lawyer" });
    const welcome = await app.fetch(`/guest/?link=${secret}`);
    expect([
      welcome.status,
      welcome.headers.get("referrer-policy"),
      welcome.headers.get("cache-control"),
    ]).toEqual([200, "strict-origin", expect.stringContaining("no-store")]);
    expect(await welcome.text()).not.toContain("Harbour");
    expect((await app.fetch(`/documents/${id}-a/`)).status).toBe(404);
    const opened = await open(secret);
    expect(opened.status).toBe(303);
    const cookie = cookieOf(opened);
    expect(opened.headers.get("set-cookie")).toMatch(/; HttpOnly/);
    const target = opened.headers.get("location") ?? "";
    expect(target).toMatch(new RegExp(`/documents/${id}-`));
    const page = await app.fetch(target, { headers: { cookie } });
    const text = await page.text();
    expect([page.status, page.headers.get("cache-control"), page.headers.get("referrer-policy")]).toEqual([
      200,
      "private, no-store",
      "no-referrer",
    ]);
    expect(text).not.toContain(secret);
    expect(text).not.toContain("maker");
    expect(await statusAt(`/api/documents/${other}/`, cookie)).toBe(404);
    expect(await listed(cookie)).toEqual([String(id)]);
    // Once in the history, whatever else is read.
    await statusAt(`/api/documents/${id}/?expand=notes`, cookie);
    const history = await sendAs(app, maker, "GET", `/api/documents/${id}/history/`);
    const openings = (history.body.results as { action: string }[]).filter(
      ({ action }) => action === "opened",
    );
    expect(openings).toEqual([
      expect.objectContaining({
        user: null,
        changes: {
          guest_link: { from: null, to: expect.any(String) },
          name: { from: null, to: "For the lawyer" },
        },
      }),
    ]);
    const state = await stateOf(app);
    expect([secret, cookie.split("=")[1] ?? ""].filter((word) => state.includes(word))).toEqual([]);
    // Whoever plants a cookie does not get what is opened with it.
    const second = await open((await make({ document: other })).secret, { cookie });
    expect(await statusAt(`/api/documents/${other}/`, cookieOf(second))).toBe(200);
    expect(await statusAt(`/api/documents/${id}/`, cookieOf(second))).toBe(200);
    expect(await statusAt(`/api/documents/${id}/`, cookie)).toBe(404);
    for (let times = 0; times < 2; times += 1)
      expect((await sendAs(app, maker, "DELETE", path)).status).toBe(204);
    const { results } = (await sendAs(app, maker, "GET", `/api/documents/${id}/history/`)).body;
    const uuid = path.split("/").at(-2);
    expect(
      results.map(({ changes: { guest_link: link } }: { changes: Record<string, unknown> }) => link),
    ).toEqual([
      { from: uuid, to: null },
      { from: null, to: uuid },
      { from: null, to: uuid },
    ]);
    expect(await statusAt(`/api/documents/${id}/`, cookieOf(second))).toBe(404);
    expect(await statusAt(`/api/documents/${other}/`, cookieOf(second))).toBe(200);
    expect((await open(secret)).status).toBe(404);
  });

  it("opens what a project and a search have at this moment, as long as its maker may share it", async () => {
    const [plans = 0, budget = 0, letters = 0] = documents;
    const { database } = app.context;
    const ofProject = cookieOf(await open((await make({ project })).secret));
    const saved = { name: "Harbour", query: "harbour" };
    const { body } = await sendAs(app, maker, "POST", "/api/documents/search/saved/", saved);
    const ofSearch = cookieOf(await open((await make({ search: body.uuid })).secret));
    const seen = async (cookie: string): Promise<number[]> => {
      const found = await Promise.all(
        documents.map(async (id) => ((await statusAt(`/api/documents/${id}/`, cookie)) === 200 ? [id] : [])),
      );
      expect((await listed(cookie)).map(Number).toSorted((a, b) => a - b)).toEqual(found.flat());
      return found.flat();
    };
    expect(await seen(ofProject)).toEqual([budget, letters]);
    // What somebody else lets the maker see is not theirs to share.
    expect(await seen(ofSearch)).toEqual([plans, budget]);
    await sendAs(app, maker, "PATCH", `/api/documents/search/saved/${String(body.uuid)}/`, {
      query: "title:budget",
    });
    expect(await seen(ofSearch)).toEqual([budget]);
    await sendAs(app, maker, "DELETE", `/api/projects/${project}/documents/${budget}/`);
    expect(await seen(ofProject)).toEqual([letters]);
    const setAccess = (access: "view" | "admin") =>
      database.write((writer) =>
        writer.updateTable("project_collaborators").set({ access }).where("user_id", "=", maker.id).execute(),
      );
    await setAccess("view");
    expect(await seen(ofProject)).toEqual([]);
    await setAccess("admin");
    const setActive = (is_active: boolean) =>
      database.write((writer) =>
        writer.updateTable("users").set({ is_active }).where("id", "=", maker.id).execute(),
      );
    await setActive(false);
    expect([await seen(ofProject), await seen(ofSearch)]).toEqual([[], []]);
    await setActive(true);
    expect(await seen(ofProject)).toEqual([letters]);
    await database.write((writer) =>
      writer.updateTable("guest_links").set({ expires_at: "2001-01-01T00:00:00.000000Z" }).execute(),
    );
    expect(await seen(ofProject)).toEqual([]);
  });

  it("is opened as often as it may be, however many do it at once, and by one browser again", async () => {
    const [id = 0] = documents;
    const { secret, path } = await make({ document: id, max_uses: 3 });
    const answers = await Promise.all(Array.from({ length: 8 }, () => open(secret)));
    const opened = answers.filter(({ status }) => status === 303);
    expect([opened.length, (await sendAs(app, maker, "GET", path)).body.uses]).toEqual([3, 3]);
    const cookies = opened.map(cookieOf);
    expect(new Set(cookies).size).toBe(3);
    for (const cookie of cookies) expect((await open(secret, { cookie })).status).toBe(303);
    expect((await sendAs(app, maker, "GET", path)).body.uses).toBe(3);
  });

  it("asks for its password, and takes few guesses", async () => {
    const [id = 0] = documents;
    const { secret } = await make({ document: id, password: "a lamp beside it" });
    expect(await stateOf(app)).not.toContain("a lamp beside it");
    expect(cookieOf(await open(secret, { password: "a lamp beside it" }))).toMatch(/^quire_guest=./);
    const statuses = [];
    for (let guess = 0; guess < 11; guess++)
      statuses.push((await open(secret, { password: `guess ${guess}` })).status);
    expect(statuses).toEqual([...Array.from({ length: 10 }, () => 403), 429]);
    expect((await open(secret, { password: "a lamp beside it" })).status).toBe(429);
  });

  it("is made for what its maker may share alone", async () => {
    const [id = 0, , letters = 0] = documents;
    const refusals = [
      [{}, 400],
      [{ document: id, project }, 400],
      [{ document: letters }, 403],
      [{ document: 999_999 }, 400],
      [{ project: 999_999 }, 400],
      [{ search: crypto.randomUUID() }, 400],
      [{ document: id, password: "short" }, 400],
      [{ document: id, days: 367 }, 400],
    ] as const;
    for (const [value, expected] of refusals) {
      const { status } = await sendAs(app, maker, "POST", "/api/guest_links/", value);
      expect([value, status]).toEqual([value, expected]);
    }
  });
});

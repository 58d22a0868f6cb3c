import { beforeAll, describe, expect, it } from "vitest";
import { addDocuments, addProject } from "../../testing/factories.ts";
import { type Person, addPerson, beginSession } from "../../testing/people.ts";
import { addTexts } from "../../testing/read-documents.ts";
import { sendAs } from "../../testing/requests.ts";
import { stateOf } from "../../testing/state.ts";
import { engines, useApp } from "../../testing/test-app.ts";

/* What a guest may see with each request: see tests/guest-matrix.test.ts. */

const cookieOf = (answer: Response): string => answer.headers.get("set-cookie")?.split(";", 1)[0] ?? "";

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

  interface Made {
    uuid: string;
    secret: string;
    path: string;
  }

  async function make(value: object): Promise<Made> {
    const { status, body } = await sendAs(app, maker, "POST", "/api/guest_links/", value);
    expect([body, status]).toEqual([body, 201]);
    const link = new URL(String(body.link));
    const path = `/api/guest_links/${String(body.uuid)}/`;
    return { uuid: String(body.uuid), secret: link.searchParams.get("link") ?? "", path };
  }

  const open = (secret: string, { cookie = "", ...more }: Record<string, string> = {}): Promise<Response> =>
    app.fetch("/guest/", {
      method: "POST",
      redirect: "manual",
      headers: { cookie },
      body: new URLSearchParams({ link: secret, ...more }),
    });

  const statusAt = async (target: string, cookie: string): Promise<number> =>
    (await app.fetch(target, { headers: { cookie }, redirect: "manual" })).status;

  const listed = async (cookie: string): Promise<string[]> => {
    const page = await (await app.fetch("/guest/", { headers: { cookie } })).text();
    return [...new Set([...page.matchAll(/\/documents\/(\d+)-/g)].map(([, id]) => id ?? ""))];
  };

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

  it("is seen and ended by everyone who may share its document, and by nobody else", async () => {
    const [shared = 0] = await addDocuments(app.context, [{ access: "organization", user_id: maker.id }]);
    const { path, secret, uuid } = await make({ document: shared, name: "For the lawyer" });
    const cookie = cookieOf(await open(secret));
    expect(await statusAt(`/api/documents/${shared}/`, cookie)).toBe(200);
    const colleague = await addPerson(app.context, { username: "colleague", organizations: [1] });
    const outsider = await addPerson(app.context, { username: "outsider" });
    const all = `/api/guest_links/?document=${shared}`;
    const pageOf = async (person: Person): Promise<string> => {
      const headers = { ...(await beginSession(app.context, person)) };
      return (await app.fetch(`/account/guests/?document=${shared}`, { headers })).text();
    };
    const { body } = await sendAs(app, colleague, "GET", all);
    expect(body.results).toEqual([expect.objectContaining({ uuid, user: maker.id, document: shared })]);
    expect((await sendAs(app, colleague, "GET", "/api/guest_links/")).body.results).toEqual([]);
    expect((await sendAs(app, outsider, "GET", all)).status).toBe(400);
    const absent = await sendAs(app, outsider, "GET", all.replace(String(shared), "900000"));
    expect(absent.status).toBe(400);
    for (const method of ["GET", "DELETE"])
      expect((await sendAs(app, outsider, method, path)).status).toBe(404);
    expect(await pageOf(colleague)).toContain("made by maker");
    expect(await pageOf(outsider)).not.toContain("For the lawyer");
    expect((await sendAs(app, colleague, "DELETE", path)).status).toBe(204);
    expect(await statusAt(`/api/documents/${shared}/`, cookie)).toBe(404);
    // Its maker's links to searches and projects stay their own.
    const { path: other } = await make({ project });
    expect((await sendAs(app, colleague, "DELETE", other)).status).toBe(404);
  });

  it("is opened by a person who stays signed in, and gives their account no rights", async () => {
    const [id = 0, other = 0] = documents;
    const admin = await addPerson(app.context, { username: "root", isAdministrator: true });
    const { "x-csrftoken": csrfmiddlewaretoken, cookie: session } = await beginSession(app.context, admin);
    const { secret, path } = await make({ document: id, name: "For root", max_uses: 1 });
    const page = `/documents/${id}-a/`;
    const welcome = await app.fetch(`/guest/?link=${secret}`, { headers: { cookie: session } });
    expect(await welcome.text()).toContain(`value="${csrfmiddlewaretoken}"`);
    // A form without the token of the session, or of another site, opens nothing.
    expect((await open(secret, { cookie: session })).status).toBe(403);
    const opened = await open(secret, { cookie: session, csrfmiddlewaretoken });
    expect([opened.status, opened.headers.get("set-cookie")]).toEqual([
      303,
      expect.not.stringContaining("sessionid"),
    ]);
    const cookie = `${session}; ${cookieOf(opened)}`;
    const shown = await app.fetch(page, { headers: { cookie } });
    expect([shown.status, shown.headers.get("cache-control")]).toEqual([200, "private, no-store"]);
    const text = await shown.text();
    // The page is that of the person, with the rights of a guest.
    expect([text.includes("Sign out"), text.includes("maker")]).toEqual([true, false]);
    const writing = { cookie, "x-csrftoken": csrfmiddlewaretoken };
    const ask = (method: string, target: string, value?: object) =>
      sendAs(app, null, method, target, value, writing);
    const record = await ask("GET", `/api/documents/${id}/`);
    expect([record.status, record.body.edit_access]).toEqual([200, false]);
    expect(await statusAt(`/files/documents/${id}/a.pdf`, cookie)).toBe(404);
    const change = await ask("PATCH", `/api/documents/${id}/`, { title: "Mine" });
    expect(change.status).toBe(404);
    expect((await sendAs(app, admin, "GET", `/api/documents/${id}/`)).status).toBe(404);
    expect(await statusAt(`/api/documents/${other}/`, cookie)).toBe(404);
    expect((await ask("GET", "/api/users/me/")).body).toMatchObject({ id: admin.id });
    expect(await listed(cookie)).toEqual([String(id)]);
    // The guest's rights send nobody to sign in again.
    expect(await statusAt(`/documents/${id}/mentioned/correct/`, cookie)).toBe(404);
    const { results } = (await sendAs(app, maker, "GET", `/api/documents/${id}/history/`)).body;
    expect(results[0]).toMatchObject({
      action: "opened",
      user: admin.id,
      changes: { name: { to: "For root" } },
    });
    const leave = (token: string) =>
      app.fetch("/guest/leave/", {
        method: "POST",
        redirect: "manual",
        headers: { cookie },
        body: new URLSearchParams({ csrfmiddlewaretoken: token }),
      });
    await leave("another");
    expect(await statusAt(page, cookie)).toBe(200);
    await leave(csrfmiddlewaretoken);
    expect(await statusAt(page, cookie)).toBe(404);
    // Nothing is left of the one use; the maker, who needs no link, uses up nothing.
    expect((await open(secret, { cookie: session, csrfmiddlewaretoken })).status).toBe(404);
    const { secret: unused, path: kept } = await make({ document: id, max_uses: 1 });
    const own = await beginSession(app.context, maker);
    const needless = await open(unused, { cookie: own.cookie, csrfmiddlewaretoken: own["x-csrftoken"] });
    expect([needless.status, await needless.text()]).toEqual([
      403,
      expect.stringContaining("already shows you"),
    ]);
    expect((await sendAs(app, maker, "GET", kept)).body.uses).toBe(0);
    await sendAs(app, maker, "DELETE", path);
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

import { beforeAll, describe, expect, it } from "vitest";
import { addDocuments, addProject } from "../../testing/factories.ts";
import { cookieOf, guestsOf } from "../../testing/guests.ts";
import { type Person, addPerson, beginSession } from "../../testing/people.ts";
import { sendAs } from "../../testing/requests.ts";
import { engines, useApp } from "../../testing/test-app.ts";

/* Who else revokes a guest link, and what it gives to people who have signed in. */

describe.each(engines)("a guest link among people on %s", (engine) => {
  const app = useApp(engine);
  let maker: Person;
  let project: number;
  let documents: number[];
  beforeAll(async () => {
    await addDocuments(app.context, []);
    project = await addProject(app.context, { title: "The harbour" }, []);
    maker = await addPerson(app.context, {
      username: "maker",
      organizations: [1],
      projects: { [project]: "admin" },
    });
    const harbour = { title: "Harbour plans", access: "private", slug: "a", user_id: maker.id };
    documents = await addDocuments(app.context, [harbour, { ...harbour, title: "Budget" }]);
  });

  const { make, open, statusAt, listed } = guestsOf(app, () => maker);

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
    const { path: other } = await make({ project });
    expect((await sendAs(app, colleague, "DELETE", other)).status).toBe(404);
  });

  it("is seen and ended by the admins of its project, and by administrators, and says by whom", async () => {
    const saved = { name: "Harbour", query: "harbour" };
    const { body: search } = await sendAs(app, maker, "POST", "/api/documents/search/saved/", saved);
    const ofProject = await make({ project, name: "To the project" });
    const ofSearch = await make({ search: search.uuid, name: "To the search" });
    const openings = [cookieOf(await open(ofProject.secret)), cookieOf(await open(ofSearch.secret))];
    const other = await addPerson(app.context, { username: "other-admin", projects: { [project]: "admin" } });
    const editor = await addPerson(app.context, { username: "editor", projects: { [project]: "edit" } });
    const root = await addPerson(app.context, { username: "revoker", isAdministrator: true });
    const all = `/api/guest_links/?project=${project}`;
    const namesFor = async (person: Person | null, target: string, session = {}): Promise<unknown> => {
      const { status, body } = await sendAs(app, person, "GET", target, undefined, session);
      return status === 200 ? body.results.map(({ name }: { name: string }) => name) : status;
    };
    expect(await namesFor(other, all)).toContain("To the project");
    expect(await namesFor(other, all)).not.toContain("To the search");
    expect([await namesFor(editor, all), await namesFor(editor, "/api/guest_links/?everyone=true")]).toEqual([
      400, 403,
    ]);
    const pageOf = async (person: Person, query: string): Promise<string> => {
      const headers = { ...(await beginSession(app.context, person)) };
      return (await app.fetch(`/account/guests/${query}`, { headers })).text();
    };
    expect(await pageOf(other, `?project=${project}`)).toContain("made by maker");
    for (const query of [`?project=${project}`, "?everyone=true"])
      expect(await pageOf(editor, query)).not.toContain("To the project");
    expect(await pageOf(root, "?everyone=true")).toContain("To the search");
    for (const { path } of [ofProject, ofSearch])
      expect((await sendAs(app, editor, "DELETE", path)).status).toBe(404);
    expect((await sendAs(app, other, "DELETE", ofSearch.path)).status).toBe(404);
    expect((await sendAs(app, other, "DELETE", ofProject.path)).status).toBe(204);
    // A personal token of an administrator has no more rights than the person has otherwise.
    expect((await sendAs(app, root, "DELETE", ofSearch.path)).status).toBe(404);
    const session = { ...(await beginSession(app.context, root)) };
    expect((await sendAs(app, null, "DELETE", ofSearch.path, undefined, session)).status).toBe(204);
    for (const cookie of openings) expect(await listed(cookie)).toEqual([]);
    const audit = await sendAs(
      app,
      null,
      "GET",
      "/api/admin/audit_entries/?source=guest_link",
      undefined,
      session,
    );
    const revoked = audit.body.results.filter(({ action }: { action: string }) => action === "revoked");
    expect(
      revoked
        .slice(0, 2)
        .map(({ username, details }: never) => [username, (details as { name: string }).name]),
    ).toEqual([
      ["revoker", "To the search"],
      ["other-admin", "To the project"],
    ]);
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
});

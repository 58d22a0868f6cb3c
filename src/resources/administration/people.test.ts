import { beforeAll, describe, expect, it } from "vitest";
import { addPerson, beginSession } from "../../testing/people.ts";
import { type Reply, sendAs } from "../../testing/requests.ts";
import { engines, useApp } from "../../testing/test-app.ts";

const namesOf = ({ body }: Reply): string[] => body.results.map(({ name }: { name: string }) => name);

describe.each(engines)("users and organizations for administrators on %s", (engine) => {
  const app = useApp(engine);
  let boss: number;
  let headers: Record<string, string>;
  beforeAll(async () => {
    const person = await addPerson(app.context, {
      username: "boss",
      isAdministrator: true,
      password: "correct horse",
    });
    boss = person.id;
    headers = { ...(await beginSession(app.context, person)) };
  });

  const send = (method: string, path: string, value?: unknown): Promise<Reply> =>
    sendAs(app, null, method, `/api/admin/${path}`, value, headers);

  async function choosePassword(
    link: string,
    password = "a lamp by the harbour",
  ): Promise<Record<string, string>> {
    const token = new URL(link).searchParams.get("token") ?? "";
    const answer = await app.fetch("/set-password/", {
      method: "POST",
      body: new URLSearchParams({ token, password, repeated: password }),
      redirect: "manual",
    });
    expect(answer.status).toBe(303);
    return {
      cookie: answer.headers
        .getSetCookie()
        .map((set) => set.split(";")[0])
        .join("; "),
    };
  }
  const whoIs = async (theirs: Record<string, string>): Promise<number> =>
    (await app.fetch("/api/users/me/", { headers: theirs })).status;

  it("invites a user by a link, who then chooses a password, and resets it by another link", async () => {
    const invited = await send("POST", "users/", {
      username: "maria",
      name: "Maria Lind",
      email: "maria@harbour.example",
      organization: "Harbour Press",
    });
    expect([invited.status, invited.headers.get("cache-control")]).toEqual([201, "no-store"]);
    const { id, link, expires_at: expiresAt, ...rest } = invited.body;
    expect(rest).toMatchObject({
      username: "maria",
      name: "Maria Lind",
      is_active: true,
      is_administrator: false,
      has_password: false,
      signed_in_at: null,
      organizations: [{ name: "Harbour Press", is_admin: false }],
    });
    expect(link).toMatch(new RegExp(`^${app.url}/set-password/\\?token=[\\w-]{32}$`));
    expect(Date.parse(expiresAt)).toBeGreaterThan(Date.now());
    const first = await choosePassword(link);
    expect(await whoIs(first)).toBe(200);
    expect((await send("GET", `users/${id}/`)).body).toMatchObject({ has_password: true });

    const reset = await send("POST", `users/${id}/link/`);
    expect(reset.status).toBe(201);
    expect(await whoIs(first)).toBe(200);
    const second = await choosePassword(reset.body.link, "another lamp by the harbour");
    expect([await whoIs(first), await whoIs(second)]).toEqual([403, 200]);
  });

  it("lists users a page at a time, and finds them by a part of a name", async () => {
    for (const name of ["Ada 100%", "Béla", "Cleo"]) {
      const username = `list-${name.slice(0, 1).toLowerCase()}`;
      expect((await send("POST", "users/", { username, name })).status).toBe(201);
    }
    expect(namesOf(await send("GET", "users/?q=list-"))).toEqual(["Ada 100%", "Béla", "Cleo"]);
    expect(namesOf(await send("GET", "users/?q=%C3%89LA"))).toEqual(["Béla"]);
    expect(namesOf(await send("GET", "users/?q=0%25"))).toEqual(["Ada 100%"]);
    const page = await send("GET", "users/?q=list-&per_page=2");
    expect(namesOf(page)).toHaveLength(2);
    expect(namesOf(await send("GET", page.body.next.replace(`${app.url}/api/admin/`, "")))).toEqual(["Cleo"]);
  });

  it("disables and enables a user, and changes the role, from the next request on", async () => {
    const { body } = await send("POST", "users/", { username: "otto" });
    const theirs = await choosePassword(body.link);
    const change = (value: object): Promise<Reply> => send("PATCH", `users/${body.id}/`, value);
    expect((await change({ is_administrator: true, name: "Otto" })).body).toMatchObject({
      is_administrator: true,
      name: "Otto",
    });
    const seen = async (): Promise<number> =>
      (await app.fetch("/api/admin/users/", { headers: theirs })).status;
    expect(await seen()).toBe(200);
    expect((await change({ is_administrator: false })).status).toBe(200);
    expect(await seen()).toBe(404);
    expect((await change({ is_active: false })).body).toMatchObject({ is_active: false });
    expect(await whoIs(theirs)).toBe(403);
    expect((await send("POST", `users/${body.id}/link/`)).status).toBe(400);
    expect((await change({ is_active: true })).status).toBe(200);
    expect((await send("POST", `users/${body.id}/link/`)).status).toBe(201);
  });

  it("rejects what is invalid, by field", async () => {
    await send("POST", "users/", { username: "taken", email: "taken@example.org" });
    for (const [value, field] of [
      [{}, "username"],
      [{ username: "a b" }, "username"],
      [{ username: "TAKEN" }, "username"],
      [{ username: "fresh", email: "Taken@example.org" }, "email"],
      [{ username: "fresh", email: "nobody" }, "email"],
      [{ username: "fresh", is_administrator: "perhaps" }, "is_administrator"],
    ] as const) {
      const { status, body } = await send("POST", "users/", value);
      expect([value, status, Object.keys(body)]).toEqual([value, 400, [field]]);
    }
    for (const value of [{ is_active: false }, { is_administrator: false }]) {
      expect((await send("PATCH", `users/${boss}/`, value)).status).toBe(400);
    }
    const [taken] = (await send("GET", "users/?q=taken")).body.results;
    expect((await send("PATCH", `users/${boss}/`, { email: taken.email })).status).toBe(400);
    for (const path of [
      "users/999/",
      "users/999/link/",
      "organizations/999/",
      "organizations/999/members/",
    ]) {
      const method = path.endsWith("link/") ? "POST" : "GET";
      expect([path, (await send(method, path)).status]).toEqual([path, 404]);
    }
  });

  it("creates organizations, renames them, and manages their members", async () => {
    const created = await send("POST", "organizations/", { name: "Lighthouse" });
    expect([created.status, created.body]).toEqual([
      201,
      { id: created.body.id, name: "Lighthouse", avatar_url: "", members: 0 },
    ]);
    const path = `organizations/${created.body.id}/`;
    expect((await send("POST", "organizations/", { name: "Lighthouse" })).status).toBe(400);
    const avatar_url = "https://example.org/a.png";
    expect((await send("PATCH", path, { name: "The Lighthouse", avatar_url })).body).toMatchObject({
      name: "The Lighthouse",
      avatar_url,
    });
    expect((await send("PATCH", path, { avatar_url: "javascript:1" })).status).toBe(400);

    const { id } = (await send("POST", "users/", { username: "keeper" })).body;
    const member = { user: id, username: "keeper", name: "keeper" };
    const added = await send("POST", `${path}members/`, { user: id });
    expect([added.status, added.body]).toEqual([201, { ...member, is_admin: false }]);
    expect((await send("PATCH", `${path}members/${id}/`, { is_admin: true })).body).toEqual({
      ...member,
      is_admin: true,
    });
    expect((await send("GET", `${path}members/`)).body.results).toEqual([{ ...member, is_admin: true }]);
    expect((await send("GET", path)).body).toMatchObject({ members: 1 });
    expect((await send("POST", `${path}members/`, { user: 999 })).status).toBe(400);
    expect((await send("DELETE", `${path}members/${id}/`)).status).toBe(204);
    expect((await send("DELETE", `${path}members/${id}/`)).status).toBe(404);

    expect(namesOf(await send("GET", "organizations/"))).toEqual(
      expect.arrayContaining(["Harbour Press", "The Lighthouse"]),
    );
    // Individual organizations belong to their users.
    const { body: own } = await sendAs(
      app,
      null,
      "GET",
      "/api/organizations/?individual=true",
      undefined,
      headers,
    );
    expect((await send("GET", `organizations/${own.results[0].id}/`)).status).toBe(404);
  });
});

import { beforeAll, describe, expect, it } from "vitest";
import { type Session, addPerson, beginSession } from "../../testing/people.ts";
import { engines, useApp } from "../../testing/test-app.ts";
import { choicesIn } from "../users/notice-choices.ts";

const password = "correct horse battery";

interface Listed {
  id: string | number;
  browser?: string;
  is_current?: boolean;
  seen_at?: string | null;
}

const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

type Shown = Record<string, unknown> & { results: Listed[]; token: string; id: number };

describe.each(engines)("the account on %s", (engine) => {
  const app = useApp(engine);
  let session: Session;

  const ada = app.person("ada", { password });
  const bob = app.person("bob", { password });
  beforeAll(async () => {
    session = await beginSession(app.context, ada);
  });

  async function call(
    method: string,
    address: string,
    { body, as = session }: { body?: object; as?: object } = {},
  ) {
    const answer = await app.fetch(`/api/account/${address}`, {
      method,
      headers: { ...(as as Record<string, string>), ...(body && { "content-type": "application/json" }) },
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    return { status: answer.status, answer, json: JSON.parse(text === "" ? "{}" : text) as Shown };
  }

  it("is accessible to its user only, and not with a personal token", async () => {
    for (const address of ["", "tokens/", "sessions/"]) {
      expect((await call("GET", address)).status).toBe(200);
      expect((await call("GET", address, { as: {} })).status).toBe(403);
      expect((await call("GET", address, { as: ada.headers })).status).toBe(403);
    }
    const passwords = { current_password: password, password: "another long password" };
    for (const as of [{}, ada.headers]) {
      expect((await call("POST", "password/", { body: passwords, as })).status).toBe(403);
      expect((await call("POST", "tokens/", { body: { name: "mine" }, as })).status).toBe(403);
    }
  });

  it("revokes all tokens of its user at once, and nobody else's", async () => {
    const eve = await addPerson(app.context, { username: "eve", password });
    const own = await beginSession(app.context, eve);
    const { json } = await call("POST", "tokens/", { body: { name: "Script" }, as: own });
    expect((await call("GET", "tokens/", { as: own })).json.results).toHaveLength(2);
    expect((await call("DELETE", "tokens/", { as: own })).status).toBe(204);
    expect((await call("GET", "tokens/", { as: own })).json.results).toEqual([]);
    const me = async (headers: Record<string, string>) =>
      (await app.fetch("/api/users/me/", { headers })).status;
    expect([await me(bearer(json.token)), await me(eve.headers), await me(bob.headers)]).toEqual([
      403, 403, 200,
    ]);
  });

  it("shows and changes the name and the email address", async () => {
    const own = { username: "ada", name: "ada", email: "ada@example.org", is_administrator: false };
    const expected = { ...own, language: "", time_zone: "", mail_notices: true, ...choicesIn("{}") };
    expect((await call("GET", "")).json).toEqual(expected);
    for (const tried of [{}, { current_password: "" }, { current_password: "a wrong password" }]) {
      const body = { name: "Ada Lind", email: "Ada@press.example", ...tried };
      const refused = await call("PATCH", "", { body });
      expect([refused.status, refused.json]).toEqual([
        400,
        { current_password: ["This is not your password."] },
      ]);
    }
    expect((await call("GET", "")).json).toEqual(expected);
    const known = { current_password: password };
    const changed = await call("PATCH", "", {
      body: { name: "Ada Lind", email: "Ada@press.example", ...known },
    });
    expect(changed.json).toEqual({ ...expected, name: "Ada Lind", email: "Ada@press.example" });
    const refusals = [
      [{ email: "BOB@example.org", ...known }, "email"],
      [{ email: "nobody" }, "email"],
      [{ name: " " }, "name"],
      [{ language: "tlh" }, "language"],
      [{ time_zone: "Moon/Tranquility" }, "time_zone"],
      [{ time_zone: "+01:00" }, "time_zone"],
      [{ mail_notices: "perhaps" }, "mail_notices"],
    ] as const;
    for (const [body, field] of refusals) {
      const refused = await call("PATCH", "", { body });
      expect([refused.status, Object.keys(refused.json)]).toEqual([400, [field]]);
    }
    expect((await call("PATCH", "", { body: { email: "", ...known } })).json).toMatchObject({ email: "" });
    const chosen = { language: "de", time_zone: "Europe/Berlin", mail_notices: false };
    expect((await call("PATCH", "", { body: chosen })).json).toMatchObject(chosen);
    const none = { language: "", time_zone: "", mail_notices: true };
    expect((await call("PATCH", "", { body: none })).json).toMatchObject(none);
  });

  it("creates a token that works, shows it once, and revokes it", async () => {
    const created = await call("POST", "tokens/", { body: { name: "Nightly", may_write: true } });
    expect(created.status).toBe(201);
    const { token, ...shown } = created.json;
    expect(token).toMatch(/^quire_[\w-]{40}$/);
    expect(shown).toMatchObject({ name: "Nightly", may_write: true, expires_at: null, last_used_at: null });
    const status = async () => (await app.fetch("/api/users/me/", { headers: bearer(token) })).status;
    expect(await status()).toBe(200);
    const listed = await call("GET", "tokens/");
    expect(JSON.stringify(listed.json)).not.toContain(token);
    expect(listed.json.results).toContainEqual(expect.objectContaining({ id: shown.id, name: "Nightly" }));
    expect((await call("GET", `tokens/${shown.id}/`)).json).toMatchObject({ prefix: shown["prefix"] });
    const bobs = await beginSession(app.context, bob);
    for (const method of ["GET", "DELETE"]) {
      expect((await call(method, `tokens/${shown.id}/`, { as: bobs })).status).toBe(404);
    }
    expect((await call("DELETE", `tokens/${shown.id}/`)).status).toBe(204);
    expect(await status()).toBe(403);
    expect((await call("DELETE", `tokens/${shown.id}/`)).status).toBe(404);
    const past = await call("POST", "tokens/", {
      body: { name: "Late", expires_at: "2020-01-01T00:00:00Z" },
    });
    expect([past.status, past.json]).toEqual([400, { expires_at: ["This moment has passed."] }]);
  });

  it("lists sessions by browser, marks the current one, and ends others", async () => {
    const body = new URLSearchParams({ username: "ada", password });
    const headers = { "user-agent": "A telephone" };
    const signedIn = await app.fetch("/sign-in/", { method: "POST", body, headers, redirect: "manual" });
    const cookie = signedIn.headers.getSetCookie()[0]?.split(";")[0] ?? "";
    const { results } = (await call("GET", "sessions/")).json;
    expect(results.filter((listed) => listed.is_current)).toHaveLength(1);
    const telephone = results.find(({ browser }) => browser === "A telephone");
    const me = async () => (await app.fetch("/api/users/me/", { headers: { cookie } })).status;
    expect(await me()).toBe(200);
    const bobs = await beginSession(app.context, bob);
    for (const id of [telephone?.id, "%25", "0"]) {
      expect((await call("DELETE", `sessions/${id}/`, { as: bobs })).status).toBe(404);
    }
    expect((await call("GET", `sessions/${telephone?.id}/`)).json).toMatchObject({ is_current: false });
    expect((await call("DELETE", `sessions/${telephone?.id}/`)).status).toBe(204);
    expect(await me()).toBe(403);
  });

  it("says when a session was last used, and ends all others at once", async () => {
    const { database } = app.context;
    const others = [await beginSession(app.context, ada), await beginSession(app.context, ada)];
    const bobs = await beginSession(app.context, bob);
    const hourAgo = new Date(Date.now() - 3_600_000).toISOString().replace("Z", "000Z");
    await database.write((writer) => writer.updateTable("sessions").set({ seen_at: hourAgo }).execute());
    const seen = async () => {
      const { results } = (await call("GET", "sessions/")).json;
      return results.filter(({ is_current }) => is_current).map((listed) => listed.seen_at);
    };
    await expect.poll(seen).not.toEqual([hourAgo]);
    expect((await call("DELETE", "sessions/", { as: ada.headers })).status).toBe(403);
    expect((await call("DELETE", "sessions/")).status).toBe(204);
    expect((await call("GET", "sessions/")).json.results.map(({ is_current }) => is_current)).toEqual([true]);
    for (const other of others) expect((await call("GET", "", { as: other })).status).toBe(403);
    expect((await call("GET", "", { as: bobs })).status).toBe(200);
  });

  it("changes the password, which signs out all browsers except this one", async () => {
    const wrong = await call("POST", "password/", {
      body: { current_password: "a wrong password", password: "another long password" },
    });
    expect([wrong.status, wrong.json]).toEqual([400, { current_password: ["This is not your password."] }]);
    const short = await call("POST", "password/", {
      body: { current_password: password, password: "short" },
    });
    expect([short.status, Object.keys(short.json)]).toEqual([400, ["password"]]);
    const other = await beginSession(app.context, ada);
    const changed = await call("POST", "password/", {
      body: { current_password: password, password: "another long password" },
    });
    expect(changed.status).toBe(204);
    const cookie = changed.answer.headers.getSetCookie()[0]?.split(";")[0] ?? "";
    const status = async (headers: object) => (await call("GET", "", { as: headers })).status;
    expect(await Promise.all([status({ cookie }), status(session), status(other)])).toEqual([200, 403, 403]);
    const guess = (guessed: string) =>
      app.fetch("/api/token/", {
        method: "POST",
        body: new URLSearchParams({ username: "ada", password: guessed }),
      });
    expect((await guess(password)).status).toBe(401);
    expect((await guess("another long password")).status).toBe(200);
  });

  it("counts wrong passwords as failed attempts to sign in", async () => {
    const bobs = await beginSession(app.context, bob);
    const body = { current_password: "a wrong password", password: "another long password" };
    const statuses = [];
    for (let attempt = 0; attempt < 11; attempt++) {
      statuses.push((await call("POST", "password/", { body, as: bobs })).status);
    }
    expect(new Set(statuses.slice(0, 10))).toEqual(new Set([400]));
    expect(statuses[10]).toBe(429);
  });
});

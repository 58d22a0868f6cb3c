import { describe, expect, it } from "vitest";
import { addApiToken } from "../../resources/users/credentials/api-token-store.ts";
import { addPasswordLink } from "../../resources/users/credentials/password-link-store.ts";
import { beginSession } from "../../testing/people.ts";
import { engines, useApp } from "../../testing/test-app.ts";

const oldPassword = "correct horse battery";
const newPassword = "a lamp beside the harbour";

describe.each(engines)("setting a password with a link on %s", (engine) => {
  const app = useApp(engine);

  const ada = app.person("ada", { password: oldPassword });

  const newLink = () =>
    app.context.database.write((writer) => addPasswordLink(writer, ada.id)).then(({ token }) => token);

  const submit = (texts: Record<string, string>, headers: Record<string, string> = {}) =>
    app.fetch("/set-password/", {
      method: "POST",
      body: new URLSearchParams(texts),
      redirect: "manual",
      headers,
    });

  const choose = (token: string, password = newPassword, repeated = password) =>
    submit({ token, password, repeated });

  it("names the user on a page that is never cached, and reading it does not use up the link", async () => {
    const token = await newLink();
    for (let visit = 0; visit < 2; visit++) {
      const page = await app.fetch(`/set-password/?token=${token}`);
      expect([page.status, page.headers.get("cache-control")]).toEqual([200, "no-store"]);
      expect(await page.text()).toContain("<strong>ada</strong>");
    }
  });

  it("signs in, and ends all earlier sessions and links of the user", async () => {
    const [token, other] = [await newLink(), await newLink()];
    const session = await beginSession(app.context, ada);
    const answer = await choose(token);
    expect([answer.status, answer.headers.get("location")]).toEqual([303, "/account/?done=link#tokens"]);
    const cookie = answer.headers.getSetCookie().map((set) => set.split(";")[0]);
    const me = await app.fetch("/api/users/me/", { headers: { cookie: cookie.join("; ") } });
    expect((await me.json()) as object).toMatchObject({ username: "ada" });
    expect((await app.fetch("/api/users/me/", { headers: { cookie: session.cookie } })).status).toBe(403);
    for (const ended of [token, other]) {
      expect((await app.fetch(`/set-password/?token=${ended}`)).status).toBe(404);
      expect((await choose(ended, "another long password")).status).toBe(404);
    }
  });

  it("shows the personal tokens that still work, which can all be revoked at once", async () => {
    await app.context.database.write((writer) =>
      addApiToken(writer, ada.id, { name: "Left behind", mayWrite: true, expiresAt: null }),
    );
    const answer = await choose(await newLink());
    const cookie = answer.headers.getSetCookie().map((set) => set.split(";")[0] ?? "");
    const headers = { cookie: cookie.join("; ") };
    const page = await (await app.fetch(answer.headers.get("location") ?? "", { headers })).text();
    expect(page).toContain("Your personal tokens still work");
    expect(page).toContain("Left behind");
    const csrf = cookie.find((set) => set.startsWith("csrftoken="))?.slice("csrftoken=".length) ?? "";
    const revoked = await app.fetch("/account/tokens/revoke/", {
      method: "POST",
      redirect: "manual",
      headers,
      body: new URLSearchParams({ csrfmiddlewaretoken: csrf }),
    });
    expect([revoked.status, revoked.headers.get("location")]).toEqual([303, "/account/?done=tokens"]);
    const after = await (await app.fetch("/account/?done=tokens", { headers })).text();
    expect(after).toContain("All your tokens were revoked.");
    expect(after).not.toContain("Left behind");
    expect((await choose(await newLink())).headers.get("location")).toBe("/");
  });

  it("takes effect once, even if the form is sent twice at the same time", async () => {
    const token = await newLink();
    const answers = await Promise.all([choose(token), choose(token, "another long password")]);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([303, 404]));
  });

  it("explains why it rejects a password, and the link stays valid", async () => {
    const token = await newLink();
    for (const [texts, problem] of [
      [["short", "short"], "A password has 10 to 1000 characters"],
      [[newPassword, `${newPassword}!`], "The two passwords differ."],
    ] as const) {
      const answer = await choose(token, ...texts);
      expect(answer.status).toBe(400);
      const page = await answer.text();
      expect(page).toContain(problem);
      expect(page).not.toContain(newPassword);
    }
    expect((await choose(token)).status).toBe(303);
  });

  it("refuses forms from other sites, and unknown or expired links", async () => {
    const token = await newLink();
    const texts = { token, password: newPassword, repeated: newPassword };
    expect((await submit(texts, { "sec-fetch-site": "cross-site" })).status).toBe(403);
    await app.context.database.write((writer) =>
      writer.updateTable("password_links").set({ expires_at: "2020-01-01T00:00:00.000000Z" }).execute(),
    );
    for (const bad of [token, "", "nonsense", "%00"]) {
      expect((await app.fetch(`/set-password/?token=${bad}`)).status).toBe(404);
      expect((await choose(decodeURIComponent(bad))).status).toBe(404);
    }
  });

  it("counts unknown links by network, and after too many refuses them, but no known link", async () => {
    const token = await newLink();
    const visit = async (link: string): Promise<number> =>
      (await app.fetch(`/set-password/?token=${link}`)).status;
    // Tests before this one have tried some.
    let visits = 0;
    while ((await visit("unknown")) === 404) visits += 1;
    expect(visits).toBeGreaterThan(30);
    expect(visits).toBeLessThanOrEqual(50);
    expect([await visit("unknown"), (await choose("unknown")).status]).toEqual([429, 429]);
    expect([await visit(token), (await choose(token)).status]).toEqual([200, 303]);
    await app.context.database.write((writer) => writer.deleteFrom("sign_in_attempts").execute());
    expect(await visit("unknown")).toBe(404);
  });
});

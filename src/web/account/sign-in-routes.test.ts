import * as fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { changeActive } from "../../resources/users/change-account.ts";
import { addDocuments } from "../../testing/factories.ts";
import { addPerson, beginSession } from "../../testing/people.ts";
import { type TestApp, defaultEngines, engines, startTestApp, useApp } from "../../testing/test-app.ts";
import { localPath, nextAddress } from "./local-path.ts";
import { runs } from "../../testing/runs.ts";

const password = "correct horse battery";

const submit = (
  app: TestApp,
  target: string,
  texts: Record<string, string>,
  headers: Record<string, string> = {},
): Promise<Response> =>
  app.fetch(target, {
    method: "POST",
    body: new URLSearchParams(texts),
    redirect: "manual",
    headers,
  });

const signIn = (app: TestApp, texts: Record<string, string>, headers: Record<string, string> = {}) =>
  submit(app, "/sign-in/", { username: "ada", password, ...texts }, headers);

/** The cookies that a browser would send back. */
const cookiesOf = (answer: Response): string =>
  answer.headers
    .getSetCookie()
    .map((cookie) => cookie.split(";")[0])
    .join("; ");

describe.each(defaultEngines)("signing in on the web on %s", (engine) => {
  const app = useApp(engine, {
    QUIRE_TRUST_PROXY: "on",
    QUIRE_ALLOWED_ORIGINS: "https://www.example.org",
  });

  const ada = app.person("ada", { password, organizations: [1] });
  beforeAll(async () => {
    await addDocuments(app.context, [{}]);
    await addDocuments(app.context, [{ access: "private", user_id: ada.id, title: "Ada's own" }]);
  });

  const titles = async (headers: Record<string, string>): Promise<string[]> => {
    const { results } = (await (await app.fetch("/api/documents/", { headers })).json()) as {
      results: { title: string }[];
    };
    return results.map(({ title }) => title);
  };

  it("has a page that is never cached", async () => {
    const answer = await app.fetch("/sign-in/?next=%2Fapi%2F%3Fa%3Db");
    expect(answer.status).toBe(200);
    expect(answer.headers.get("cache-control")).toBe("no-store");
    expect(answer.headers.get("content-security-policy")).toContain("form-action 'self'");
    expect(answer.headers.getSetCookie()).toEqual([]);
    expect(await answer.text()).toContain('name="next" value="/api/?a=b"');
  });

  it("sets a session cookie and one for scripts, and shows users their own documents", async () => {
    const answer = await signIn(app, { next: "/api/documents/?per_page=1" });
    expect([answer.status, answer.headers.get("location")]).toEqual([303, "/api/documents/?per_page=1"]);
    expect(answer.headers.getSetCookie()).toEqual([
      expect.stringMatching(/^sessionid=[\w-]{43}; Path=\/; Max-Age=1209600; SameSite=Lax; HttpOnly$/),
      expect.stringMatching(/^csrftoken=[\w-]{43}; Path=\/; Max-Age=1209600; SameSite=Lax$/),
    ]);
    expect(await titles({ cookie: cookiesOf(answer) })).toContain("Ada's own");
    expect(await titles({})).not.toContain("Ada's own");
    const secure = await signIn(app, {}, { "x-forwarded-proto": "https" });
    for (const cookie of secure.headers.getSetCookie()) expect(cookie).toMatch(/; Secure$/);
  });

  it("sets secure cookies if the configured address uses HTTPS", async () => {
    await using behind = await startTestApp(engine, { QUIRE_URL: "https://quire.example" });
    await addPerson(behind.context, { username: "ada", password });
    const answer = await signIn(behind, {});
    expect(answer.status).toBe(303);
    expect(answer.headers.getSetCookie()).toHaveLength(2);
    for (const cookie of answer.headers.getSetCookie()) expect(cookie).toMatch(/; Secure$/);
  });

  it("stores only a digest of the session", async () => {
    const cookies = cookiesOf(await signIn(app, {}));
    const rows = await app.context.database.reader.selectFrom("sessions").selectAll().execute();
    expect(rows.length).toBeGreaterThan(0);
    for (const { digest } of rows) {
      expect(digest).toMatch(/^[0-9a-f]{64}$/);
      expect(cookies).not.toContain(digest);
    }
  });

  it("shows a failure in the page, with the username but not the password", async () => {
    for (const username of ["ada", "nobody", 'x"><script>']) {
      const answer = await signIn(app, { username, password: "a wrong password" });
      expect([answer.status, answer.headers.getSetCookie()]).toEqual([403, []]);
      const page = await answer.text();
      expect(page).toContain("The username or the password is wrong.");
      expect(page).not.toContain("a wrong password");
      expect(page).not.toContain(`"><script>`);
    }
    expect((await submit(app, "/sign-in/", {})).status).toBe(403);
  });

  it("does not redirect to other sites", async () => {
    for (const next of [
      "https://evil.example",
      "//evil.example",
      "/\\evil.example",
      "/.//evil.example",
      "",
    ]) {
      expect((await signIn(app, { next })).headers.get("location")).toBe("/");
    }
  });

  it("redirects to a configured origin, which the form's policy allows", async () => {
    const next = "https://www.example.org/app/?q=a%20b#here";
    const shown = await app.fetch(`/sign-in/?next=${encodeURIComponent(next)}`);
    expect(shown.headers.get("content-security-policy")).toContain(
      "form-action 'self' https://www.example.org;",
    );
    expect(await shown.text()).toContain(`name="next" value="${next}"`);
    const answer = await signIn(app, { next });
    expect([answer.status, answer.headers.get("location")]).toEqual([303, next]);
    const cookie = cookiesOf(answer);
    const csrfmiddlewaretoken = /csrftoken=([^;]+)/.exec(cookie)?.[1] ?? "";
    const out = await submit(app, "/sign-out/", { csrfmiddlewaretoken, next }, { cookie });
    expect([out.status, out.headers.get("location")]).toEqual([303, next]);
  });

  it("redirects from the addresses of DocumentCloud's accounts service to the sign-in page", async () => {
    const { cookie } = await beginSession(app.context, ada);
    const locationOf = async (target: string, headers: Record<string, string> = {}) => {
      const answer = await app.fetch(target, { redirect: "manual", headers });
      return [answer.status, answer.headers.get("location")];
    };
    const next = encodeURIComponent("https://www.example.org/app/");
    for (const path of ["/accounts/login/squarelet", "/accounts/login/", "/accounts/signup/"]) {
      expect(await locationOf(`${path}?next=${next}`)).toEqual([302, `/sign-in/?next=${next}`]);
      expect(await locationOf(`${path}?next=https://evil.example`)).toEqual([302, "/sign-in/"]);
    }
    expect(await locationOf(`/accounts/logout/?next=${next}`)).toEqual([302, "https://www.example.org/app/"]);
    expect(await locationOf("/accounts/logout/?next=https://evil.example")).toEqual([302, "/"]);
    expect(await locationOf(`/accounts/logout/?next=${next}`, { cookie })).toEqual([
      302,
      `/sign-in/?next=${next}`,
    ]);
    const stale = await app.fetch("/accounts/logout/", {
      redirect: "manual",
      headers: { cookie: "sessionid=long-gone; csrftoken=stale" },
    });
    expect(stale.headers.getSetCookie()).toHaveLength(2);
    const page = await (await app.fetch(`/sign-in/?next=${next}`, { headers: { cookie } })).text();
    expect(page).toContain('href="https://www.example.org/app/"');
    expect(page).toContain('name="next" value="https://www.example.org/app/"');
  });

  it("redirects users to the lists of people and organizations", async () => {
    const { cookie } = await beginSession(app.context, ada);
    for (const [from, to] of [
      ["/users/ada", "/api/users/?username=ada"],
      ["/users/ada/", "/api/users/?username=ada"],
      ["/users/a%26b", "/api/users/?username=a%26b"],
      ["/users/", "/api/users/"],
      ["/organizations", "/api/organizations/"],
      ["/organizations/", "/api/organizations/"],
      ["/organizations/press/", "/api/organizations/?slug=press"],
      [`/users/${"a".repeat(150)}`, `/api/users/?username=${"a".repeat(150)}`],
    ]) {
      const lead = async (headers: Record<string, string>) => {
        const answer = await app.fetch(from ?? "", { redirect: "manual", headers });
        return [answer.status, answer.headers.get("location")];
      };
      expect(await lead({ cookie })).toEqual([302, to]);
      const page = await app.fetch(to ?? "", { headers: { cookie, accept: "text/html" } });
      expect([page.status, page.headers.get("content-type")]).toEqual([200, "text/html; charset=utf-8"]);
    }
  });

  it("redirects strangers to what people and organizations have published, and knows no others", async () => {
    const publisher = await addPerson(app.context, { username: "Publisher", organizations: [1] });
    const silent = await addPerson(app.context, { username: "silent", organizations: [2] });
    await addDocuments(app.context, [
      { user_id: publisher.id, organization_id: 1 },
      { user_id: silent.id, organization_id: 2, access: "private" },
    ]);
    const lead = async (from: string) => {
      const answer = await app.fetch(from, { redirect: "manual" });
      return [answer.status, answer.headers.get("location")];
    };
    expect(await lead("/users/publisher/")).toEqual([302, `/?q=user:${publisher.id}`]);
    expect(await lead("/organizations/organization-1")).toEqual([302, "/?q=organization:1"]);
    for (const from of ["/users/", "/organizations", "/organizations/"])
      expect([from, ...(await lead(from))]).toEqual([from, 302, "/"]);
    for (const from of [
      "/users/silent",
      "/users/nobody",
      "/organizations/organization-2",
      "/organizations/x",
    ])
      expect([from, ...(await lead(from))]).toEqual([from, 404, null]);
    expect(await (await app.fetch("/users/publisher/")).text()).toContain("A document");
  });

  const varyOf = async (target: string) => (await app.fetch(target)).headers.get("vary");

  it("varies responses by origin, except for the list of documents", async () => {
    for (const target of [
      "/",
      "/api/",
      "/api/users/",
      "/api/projects/",
      "/api/documents/99/",
      "/nowhere",
      "/livez",
    ]) {
      const vary = expect.stringMatching(/^Accept, Origin(, Accept-Language)?(, Accept-Encoding)?$/);
      expect([target, await varyOf(target)]).toEqual([target, vary]);
    }
    for (const target of ["/api/documents/", "/api/documents/?cursor=bad", "/api/documents"]) {
      expect([target, await varyOf(target)]).toEqual([target, "Accept"]);
    }
  });

  it("exposes the headers that programs need to pages of other origins", async () => {
    for (const target of ["/api/documents/", "/api/users/", "/nowhere", "/uploads/tus/"]) {
      const exposed = (await app.fetch(target)).headers.get("access-control-expose-headers") ?? "";
      const names = exposed.toLowerCase().split(", ");
      for (const name of ["accept-ranges", "content-range", "etag", "location", "retry-after"]) {
        expect([target, names]).toEqual([target, expect.arrayContaining([name])]);
      }
      expect(names).toEqual(expect.arrayContaining(["www-authenticate", "x-request-id"]));
      expect(new Set(names).size).toBe(names.length);
    }
  });

  it("refuses forms from another site", async () => {
    for (const headers of [
      { origin: "https://evil.example" },
      { origin: "null" },
      { "sec-fetch-site": "cross-site" },
      { "sec-fetch-site": "same-site" },
    ] as Record<string, string>[]) {
      const answer = await signIn(app, {}, headers);
      expect([answer.status, answer.headers.getSetCookie()]).toEqual([403, []]);
    }
    const own = { origin: app.url, "sec-fetch-site": "same-origin" };
    expect((await signIn(app, {}, own)).status).toBe(303);
  });

  it("lets a session make changes only with its CSRF token", async () => {
    const session = await beginSession(app.context, ada);
    const other = await beginSession(app.context, ada);
    const change = (headers: Record<string, string>) =>
      app.fetch("/api/documents/", {
        method: "POST",
        headers: { "content-type": "application/json", ...headers },
        body: "[]",
      });
    for (const [token, reason] of [
      [undefined, "CSRF token missing."],
      ["nonsense", "CSRF token incorrect."],
      [other["x-csrftoken"], "CSRF token incorrect."],
    ] as const) {
      const headers: Record<string, string> = { cookie: session.cookie };
      if (token !== undefined) headers["x-csrftoken"] = token;
      const answer = await change(headers);
      expect([answer.status, await answer.json()]).toEqual([403, { detail: `CSRF Failed: ${reason}` }]);
    }
    expect((await change({ ...session })).status).not.toBe(403);
    expect((await change({ cookie: session.cookie, ...ada.headers })).status).not.toBe(403);
  });

  it("ends with signing out, which also needs the token", async () => {
    const signedIn = await signIn(app, {});
    const cookie = cookiesOf(signedIn);
    const token = /csrftoken=([^;]+)/.exec(cookie)?.[1] ?? "";
    expect((await submit(app, "/sign-out/", {}, { cookie })).status).toBe(403);
    expect(await titles({ cookie })).toContain("Ada's own");
    const out = await submit(app, "/sign-out/", { csrfmiddlewaretoken: token, next: "/api/" }, { cookie });
    expect([out.status, out.headers.get("location")]).toEqual([303, "/api/"]);
    expect(out.headers.getSetCookie()).toEqual([
      "sessionid=; Path=/; Max-Age=0; SameSite=Lax; HttpOnly",
      "csrftoken=; Path=/; Max-Age=0; SameSite=Lax",
    ]);
    expect(await titles({ cookie })).not.toContain("Ada's own");
    expect((await submit(app, "/sign-out/", {})).headers.get("location")).toBe("/");
  });

  it("shows the name of a user who has already signed in", async () => {
    const { cookie } = await beginSession(app.context, ada);
    const page = await (await app.fetch("/sign-in/", { headers: { cookie } })).text();
    expect(page).toContain("You are signed in");
    expect(page).toContain("csrfmiddlewaretoken");
  });

  it("treats an ended session as anonymous and clears its cookies only on the sign-in pages", async () => {
    const cookie = "a=b; sessionid=long-gone; csrftoken=stale";
    const list = await app.fetch("/api/documents/", { headers: { cookie } });
    expect([list.status, list.headers.getSetCookie()]).toEqual([200, []]);
    const page = await app.fetch("/sign-in/", { headers: { cookie } });
    expect(page.headers.getSetCookie()).toHaveLength(2);
  });

  it("expires on time, and ends when the user is disabled", async () => {
    const bob = await addPerson(app.context, { username: "bob", password });
    const old = await beginSession(app.context, bob);
    const isSignedIn = async ({ cookie }: { cookie: string }): Promise<boolean> =>
      (await (await app.fetch("/sign-in/", { headers: { cookie } })).text()).includes("You are signed in");
    expect(await isSignedIn(old)).toBe(true);
    await app.context.database.write((writer) =>
      writer
        .updateTable("sessions")
        .set({ expires_at: "2020-01-01T00:00:00.000000Z" })
        .where("user_id", "=", bob.id)
        .execute(),
    );
    expect(await isSignedIn(old)).toBe(false);
    const present = await beginSession(app.context, bob);
    const kept = await app.context.database.reader
      .selectFrom("sessions")
      .select("digest")
      .where("user_id", "=", bob.id)
      .execute();
    expect(kept).toHaveLength(1);
    await changeActive(app.context, "bob", false);
    expect(await isSignedIn(present)).toBe(false);
  });

  it("marks responses to users as private", async () => {
    const { cookie } = await beginSession(app.context, ada);
    const { results } = (await (await app.fetch("/api/documents/")).json()) as { results: { id: number }[] };
    const targets = [
      "/",
      "/api/documents/",
      "/api/documents/?per_page=1&ordering=title",
      "/api/documents/search/?q=own",
      "/api/projects/",
      "/api/documents/?format=api",
      `/api/documents/${results[0]?.id}/`,
      `/api/documents/${results[0]?.id}/notes/`,
      "/api/statistics/",
    ];
    for (const credentials of [{ cookie }, ada.headers] as Record<string, string>[]) {
      const cachingOf = async (target: string, headers: Record<string, string>) =>
        (await app.fetch(target, { headers })).headers.get("cache-control");
      for (const target of targets) {
        expect([target, await cachingOf(target, credentials)]).toEqual([target, "private, no-cache"]);
        expect([target, await cachingOf(target, {})]).toEqual([target, "no-cache"]);
      }
      expect(await cachingOf("/api/users/me/", credentials)).toBe("private, no-cache");
    }
  });

  it("shows pages of other origins only public documents", async () => {
    const { cookie } = await beginSession(app.context, ada);
    const list = async (headers: Record<string, string>) => {
      const answer = await app.fetch("/api/documents/", { headers });
      expect(answer.headers.get("vary")).toBe("Accept");
      return [
        answer.headers.get("access-control-allow-origin"),
        answer.headers.get("access-control-allow-credentials"),
      ];
    };
    const [origin, evil] = ["https://www.example.org", "https://evil.example"];
    for (const one of [origin, origin, origin, evil, evil, evil, origin]) {
      expect(await list({ origin: one })).toEqual(one === origin ? [origin, "true"] : ["*", null]);
    }
    for (const credentials of [{ cookie }, ada.headers] as Record<string, string>[]) {
      expect(await list({ ...credentials, origin: evil })).toEqual([null, null]);
      expect(await list({ ...credentials, origin })).toEqual([origin, "true"]);
      expect(await list(credentials)).toEqual([null, null]);
    }
  });
});

describe.each(defaultEngines)("cookies for a domain on %s", (engine) => {
  it("are for all its hosts, and replace those for one host", async () => {
    await using app = await startTestApp(engine, {
      QUIRE_URL: "https://api.example.org",
      QUIRE_COOKIE_DOMAIN: "example.org",
    });
    await addPerson(app.context, { username: "ada", password });
    const answer = await signIn(app, {});
    expect(answer.status).toBe(303);
    const jar = new Map<string, string>();
    for (const cookie of answer.headers.getSetCookie()) {
      const [pair = "", ...attributes] = cookie.split("; ");
      const [name = "", value = ""] = pair.split("=");
      const domain = attributes.find((one) => one.startsWith("Domain=")) ?? "this host";
      if (attributes.includes("Max-Age=0")) jar.delete(`${name} ${domain}`);
      else jar.set(`${name} ${domain}`, value);
      expect([cookie, attributes.includes("HttpOnly")]).toEqual([cookie, name === "sessionid"]);
    }
    expect([...jar.keys()]).toEqual(["sessionid Domain=example.org", "csrftoken Domain=example.org"]);
    const cookie = cookiesOf(answer)
      .split("; ")
      .filter((pair) => !pair.endsWith("="))
      .join("; ");
    const token = jar.get("csrftoken Domain=example.org") ?? "";
    const out = await submit(app, "/sign-out/", { csrfmiddlewaretoken: token }, { cookie });
    expect(out.status).toBe(303);
    const forgotten = out.headers.getSetCookie();
    expect(forgotten.filter((one) => one.includes("Domain=example.org"))).toHaveLength(2);
    expect(forgotten).toHaveLength(4);
    for (const one of forgotten) expect(one).toMatch(/^(sessionid|csrftoken)=; .*Max-Age=0/);
  });
});

const attempt = async (app: TestApp, username: string, ip: string, guess = "a wrong password") => {
  const answer = await app.fetch("/api/token/", {
    method: "POST",
    headers: { "content-type": "application/json", "x-forwarded-for": ip },
    body: JSON.stringify({ username, password: guess }),
  });
  const body = (await answer.json()) as { detail?: string };
  return { status: answer.status, retryAfter: Number(answer.headers.get("retry-after")), ...body };
};
const count = (answers: { status: number }[], status: number): number =>
  answers.filter((answer) => answer.status === status).length;

/** The counted attempts of subjects of one kind. */
async function counted({ context }: TestApp, kind: string): Promise<number> {
  const rows = await context.database.reader
    .selectFrom("sign_in_attempts")
    .select("attempts")
    .where("subject", "like", `${kind}%`)
    .execute();
  return rows.reduce((sum, { attempts }) => sum + attempts, 0);
}

async function setCounted({ context }: TestApp, kind: string, attempts: number): Promise<void> {
  await context.database.write((writer) =>
    writer.updateTable("sign_in_attempts").set({ attempts }).where("subject", "like", `${kind}%`).execute(),
  );
}

describe.each(engines)("too many attempts to sign in on %s", (engine) => {
  it("are refused by name and network, even if simultaneous, in the API and on the page", async () => {
    await using app = await startTestApp(engine, { QUIRE_TRUST_PROXY: "on" });
    await addPerson(app.context, { username: "ada", password });
    const from = "10.0.0.1";
    const answers = await Promise.all(
      Array.from({ length: 16 }, (_, index) => attempt(app, index % 2 === 0 ? "ada" : "ADA", from)),
    );
    expect([count(answers, 401), count(answers, 429)]).toEqual([10, 6]);
    const { status, retryAfter, detail } = await attempt(app, "ada", from, password);
    expect(status).toBe(429);
    expect(retryAfter).toBeGreaterThan(890);
    expect(retryAfter).toBeLessThanOrEqual(900);
    expect(detail).toBe(`Request was throttled. Expected available in ${retryAfter} seconds.`);
    const page = await signIn(app, {}, { "x-forwarded-for": from });
    expect(page.status).toBe(429);
    expect(Number(page.headers.get("retry-after"))).toBeGreaterThan(800);
    expect(await page.text()).toContain("Try again in 15 minutes.");

    // Neither the same user on another network nor other users on this network are locked out.
    expect((await attempt(app, "ada", "10.0.0.2", password)).status).toBe(200);
    expect((await attempt(app, "ben", from)).status).toBe(401);

    const old = "2020-01-01T00:00:00.000000Z";
    await app.context.database.write((writer) =>
      writer.updateTable("sign_in_attempts").set({ since: old }).execute(),
    );
    expect((await attempt(app, "ada", from, password)).status).toBe(200);
    const rows = await app.context.database.reader.selectFrom("sign_in_attempts").selectAll().execute();
    expect(rows.filter(({ since }) => since === old)).toEqual([]);
  });

  it("from many networks are refused, except from a network where the user has signed in before", async () => {
    await using app = await startTestApp(engine, { QUIRE_TRUST_PROXY: "on" });
    await addPerson(app.context, { username: "ada", password });
    const home = "10.1.0.1";
    expect((await attempt(app, "ada", home, password)).status).toBe(200);
    // A refused attempt on one network does not count against attempts from others.
    expect((await attempt(app, "ada", "10.0.0.1")).status).toBe(401);
    await setCounted(app, "both:", 9);
    const guesses = await Promise.all([1, 2, 3, 4].map(() => attempt(app, "ada", "10.0.0.1")));
    expect([count(guesses, 401), count(guesses, 429)]).toEqual([1, 3]);
    expect(await counted(app, "name:")).toBe(2);
    await setCounted(app, "name:", 49);
    expect((await attempt(app, "ada", "10.0.0.2")).status).toBe(401);
    expect((await attempt(app, "ada", "10.0.0.3")).status).toBe(429);
    expect((await attempt(app, "ada", "10.2.0.1", password)).status).toBe(429);
    expect((await attempt(app, "ada", home)).status).toBe(401);
    expect((await attempt(app, "ada", home, password)).status).toBe(200);

    const networks = await app.context.database.reader.selectFrom("known_networks").selectAll().execute();
    expect(networks).toHaveLength(1);
    expect(JSON.stringify(networks)).not.toContain(home);
  });

  it("from a network with too many attempts are refused, except to users who have signed in there before", async () => {
    await using app = await startTestApp(engine, { QUIRE_TRUST_PROXY: "on" });
    for (const username of ["ada", "ben"]) await addPerson(app.context, { username, password });
    const office = "10.0.0.1";
    expect((await attempt(app, "ada", office, password)).status).toBe(200);
    expect((await attempt(app, "anyone", office)).status).toBe(401);
    await setCounted(app, "network:", 49);
    const guesses = await Promise.all([1, 2, 3].map((index) => attempt(app, `user-${index}`, office)));
    expect([count(guesses, 401), count(guesses, 429)]).toEqual([1, 2]);
    expect((await attempt(app, "ben", office, password)).status).toBe(429);
    expect((await attempt(app, "ben", "10.0.0.2", password)).status).toBe(200);
    expect((await attempt(app, "ada", office, password)).status).toBe(200);
    // Guessing this user's password is limited there too.
    expect((await attempt(app, "ada", office)).status).toBe(401);
    await setCounted(app, "both:", 9);
    const atAda = await Promise.all([1, 2, 3].map(() => attempt(app, "ada", office)));
    expect([count(atAda, 401), count(atAda, 429)]).toEqual([1, 2]);
  });

  it("are reset by a successful sign-in", async () => {
    await using app = await startTestApp(engine, { QUIRE_TRUST_PROXY: "on" });
    await addPerson(app.context, { username: "ada", password });
    for (let round = 0; round < 2; round++) {
      for (let failure = 0; failure < 6; failure++) {
        expect((await attempt(app, "ada", "10.0.0.1")).status).toBe(401);
      }
      expect((await attempt(app, "ada", "10.0.0.1", password)).status).toBe(200);
    }
  });

  it("are refused by address, where an IPv6 network counts as one address", async () => {
    await using app = await startTestApp(engine, { QUIRE_TRUST_PROXY: "on" });
    expect((await attempt(app, "anyone", "2001:db8::1")).status).toBe(401);
    await setCounted(app, "network:", 49);
    const answers = await Promise.all(
      [1, 2, 3].map((index) => attempt(app, `user-${index}`, `2001:0db8:0::${index}`)),
    );
    expect([count(answers, 401), count(answers, 429)]).toEqual([1, 2]);
    expect((await attempt(app, "someone", "2001:db8:0:0:1::7")).status).toBe(429);
    expect((await attempt(app, "someone", "2001:db8:0:1::7")).status).toBe(401);
  });
});

const warnings = ({ logged }: TestApp): unknown[] =>
  logged.filter(({ msg }) => String(msg).includes("QUIRE_TRUST_PROXY"));

const hsts = async (environment: Record<string, string>, headers: Record<string, string>) => {
  await using app = await startTestApp("sqlite", { QUIRE_TRUST_PROXY: "on", ...environment });
  const answers = [];
  // The third response comes from the cache.
  for (let time = 0; time < 3; time++) answers.push(await app.fetch("/api/documents/", { headers }));
  const [told, ...others] = answers.map((answer) => answer.headers.get("strict-transport-security"));
  expect(others).toEqual([told, told]);
  return told;
};

describe("a proxy in front", () => {
  it.each([
    ["off", "10.0.0.1", 1],
    ["10.9.9.9", "10.0.0.1", 1],
    ["on", "10.0.0.1", 0],
    ["127.0.0.1", "10.0.0.1", 0],
  ])("that is not trusted is logged once: %s", async (trusted, forwarded, times) => {
    await using app = await startTestApp("sqlite", { QUIRE_TRUST_PROXY: trusted });
    await app.fetch("/api/");
    expect(warnings(app)).toEqual([]);
    for (let time = 0; time < 4; time++) {
      await app.fetch("/api/documents/", { headers: { "x-forwarded-for": forwarded } });
    }
    const warning = expect.objectContaining({ level: 40, address: "127.0.0.1" }) as unknown;
    expect(warnings(app)).toEqual(Array.from({ length: times }, () => warning));
  });

  it("may make browsers use HTTPS only", async () => {
    const overHttps = { "x-forwarded-proto": "https" };
    expect(await hsts({}, overHttps)).toBeNull();
    expect(await hsts({ QUIRE_HSTS_SECONDS: "600" }, {})).toBeNull();
    expect(await hsts({ QUIRE_HSTS_SECONDS: "600" }, overHttps)).toBe("max-age=600");
    const url = { QUIRE_URL: "https://quire.example" };
    expect(await hsts({ QUIRE_HSTS_SECONDS: "600", ...url }, {})).toBe("max-age=600");
  });
});

describe("the redirect target", () => {
  it("is always on this site, however it is spelled", () => {
    const part = fc.oneof(
      fc.constantFrom(
        "/",
        "\\",
        "//",
        ".",
        "..",
        "@",
        ":",
        "?",
        "#",
        "\t",
        "\n",
        "%2f",
        "evil.example",
        "https:",
      ),
      fc.string(),
    );
    fc.assert(
      fc.property(fc.array(part), (parts) => {
        for (const given of [parts.join(""), `/${parts.join("")}`]) {
          const path = localPath(given, "/home");
          expect(new URL(path, "https://quire.example/sign-in/").origin).toBe("https://quire.example");
          expect(path).toMatch(/^\/(?![/\\])[\x21-\x7e]*$/);
        }
      }),
    );
  });

  it("keeps an address unchanged", () => {
    expect(localPath("/api/documents/?title=a%20b&x=1#c", "/")).toBe("/api/documents/?title=a%20b&x=1#c");
    expect(localPath(undefined, "/otherwise")).toBe("/otherwise");
  });

  const origins = ["https://www.example.org", "http://localhost:5173"];

  const go = (given: string): string => nextAddress(given, { origins, otherwise: "/home" });

  it("may be an absolute address of a configured origin, and of no other", () => {
    for (const good of [
      "https://www.example.org/",
      "https://www.example.org/documents/?q=a@b&next=//evil.example",
      "http://localhost:5173/app",
    ]) {
      expect(go(good)).toBe(good);
    }
    expect(go("HTTPS://WWW.Example.org:443")).toBe("https://www.example.org/");
    for (const bad of [
      "https://evil.example/",
      "http://www.example.org/",
      "https://www.example.org:8443/",
      "https://www.example.org.evil.example/",
      "https://www.example.orgevil.example/",
      "https://example.org/",
      "https://www.example.org@evil.example/",
      "https://www.example.org:pass@www.example.org/",
      "https://evil.example\\@www.example.org/",
      "https://evil.example/https://www.example.org/",
      "https:www.example.org",
      "https:/www.example.org/",
      "https:///www.example.org/",
      "https:\\\\www.example.org/",
      "//www.example.org/",
      "\\\\www.example.org/",
      "/\twww.example.org",
      "//evil.example",
      "/\\evil.example",
      "///evil.example",
      "https://evil.example#@www.example.org/",
      "https://evil.example?https://www.example.org/",
      "https://www.example.org%2eevil.example/",
      "https://www.example.org\t.evil.example/",
      "https://www.example.org\n.evil.example/",
      " https://evil.example/",
      "https://www.example.org。evil.example/",
      "javascript:alert(1)//https://www.example.org/",
      "data:text/html,https://www.example.org/",
      "blob:https://www.example.org/1",
      "ftp://www.example.org/",
      "null",
      "https://",
      "",
    ]) {
      const here = "https://quire.example";
      expect([bad, new URL(go(bad), here).origin]).toEqual([bad, here]);
    }
  });

  it("is on this site or a configured origin, however it is spelled", () => {
    const part = fc.oneof(
      fc.constantFrom(
        "https:",
        "http:",
        "//",
        "/",
        "\\",
        "www.example.org",
        "evil.example",
        "@",
        ":",
        ".",
        "?",
        "#",
        "\t",
        "%2f",
        "localhost:5173",
        "。",
        "[",
        "]",
        " ",
      ),
      fc.string({ unit: "binary", maxLength: 3 }),
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 8 }), (parts) => {
        const here = "https://quire.example";
        for (const given of [
          parts.join(""),
          `https://${parts.join("")}`,
          `http://localhost:5173${parts.join("")}`,
        ]) {
          const gone = go(given);
          expect([here, ...origins]).toContain(new URL(gone, `${here}/sign-in/`).origin);
          expect(gone).toMatch(/^[\x21-\x7e]*$/);
        }
      }),
      { numRuns: runs(400) },
    );
  });
});

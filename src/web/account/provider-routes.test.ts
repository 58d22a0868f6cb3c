import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import {
  CookieJar,
  type ProviderPerson,
  type TestIdentityProvider,
  startIdentityProvider,
  testClient,
} from "../../testing/identity-provider.ts";
import { type Person, addPerson, beginSession } from "../../testing/people.ts";
import { sendAs } from "../../testing/requests.ts";
import { engines, useApp } from "../../testing/test-app.ts";

const providerList = "/api/admin/identity_providers/";

describe.each(engines)("signing in at an identity provider, on %s", (engine) => {
  const app = useApp(engine);
  let there: TestIdentityProvider;
  let administrator: Person;
  const ids: Record<string, number> = {};
  beforeAll(async () => {
    there = await startIdentityProvider(app.url);
    administrator = await addPerson(app.context, {
      username: "chief",
      password: "any",
      isAdministrator: true,
    });
    for (const name of ["Newsroom", "Archive"])
      ids[name] = (await administer("POST", "/api/admin/organizations/", { name })).id;
    await administer("POST", providerList, {
      name: "Harbour",
      issuer: there.issuer,
      ...testClient,
      scopes: "openid profile email groups",
    });
  });
  afterAll(async () => {
    await there[Symbol.asyncDispose]();
  });
  beforeEach(() =>
    change({
      creates_accounts: true,
      links_by_email: false,
      is_enabled: true,
      groups_claim: "groups",
      administrators_group: "",
      groups: [
        { group: "news", organization: ids["Newsroom"] },
        { group: "chiefs", organization: ids["Newsroom"], is_admin: true },
        { group: "archive", organization: ids["Archive"] },
      ],
    }),
  );

  async function administer(method: string, target: string, value?: object) {
    const session = await beginSession(app.context, administrator);
    const { status, body } = await sendAs(app, null, method, target, value, { ...session });
    if (status >= 400) throw new Error(`${status} ${JSON.stringify(body)}`);
    return body;
  }

  const change = (value: object) => administer("PATCH", `${providerList}1/`, value);

  /** Signs a person in with a new browser, or one that they have used before. */
  async function signIn(
    person: ProviderPerson | null,
    browser = new CookieJar(),
    query = "?next=/projects/",
  ) {
    there.person = person;
    const { response, address } = await browser.visit(`${app.url}/sign-in/with/1/${query}`);
    return { browser, status: response.status, text: await response.text(), address };
  }

  async function me(browser: CookieJar) {
    const { response } = await browser.visit(`${app.url}/api/users/me/`);
    const text = await response.text();
    return response.status === 200 ? JSON.parse(text) : null;
  }

  async function userOf(username: string) {
    const { results } = await administer("GET", `/api/admin/users/?q=${username}`);
    return results.find((user: { username: string }) => user.username === username);
  }

  const organizationsOf = async (username: string): Promise<unknown> =>
    (await userOf(username)).organizations.map(({ id, is_admin }: { id: number; is_admin: boolean }) => [
      id,
      is_admin,
    ]);

  it("is offered on the sign-in page, and leads back to where the person wanted to go", async () => {
    const page = await (await app.fetch("/sign-in/?next=/projects/")).text();
    expect(page).toContain('href="/sign-in/with/1/?next=%2Fprojects%2F"');
    expect(page).toContain("Sign in with Harbour");
    const person = { sub: "m-1", name: "Mara Quai", preferred_username: "mara", email: "mara@example.org" };
    const { browser, status, address } = await signIn({ ...person, email_verified: true });
    expect([status, address]).toEqual([200, `${app.url}/projects/`]);
    expect(await me(browser)).toMatchObject({ username: "mara", name: "Mara Quai" });
    expect(await userOf("mara")).toMatchObject({ email: "mara@example.org", has_password: false });
    const { response } = await browser.visit(`${app.url}/api/account/sessions/`);
    expect((JSON.parse(await response.text()) as { results: unknown[] }).results[0]).toMatchObject({
      provider: "Harbour",
      is_current: true,
    });
  });

  it("leads to the same account each time, whatever the person is called now", async () => {
    const first = await me((await signIn({ sub: "n-1", preferred_username: "noor" })).browser);
    const again = await me((await signIn({ sub: "n-1", preferred_username: "other" })).browser);
    expect(again.id).toBe(first.id);
    const other = await me((await signIn({ sub: "n-2", preferred_username: "noor" })).browser);
    expect([other.username, other.id === first.id]).toEqual(["noor-2", false]);
  });

  it("gives no one the account or the documents of a namesake", async () => {
    await app.context.database.write((writer) =>
      writer
        .insertInto("users")
        .values({
          uuid: "00000000-0000-4000-8000-000000000777",
          username: "recorded",
          name: "In records",
          created_at: "2026-01-01T00:00:00.000000Z",
          updated_at: "2026-01-01T00:00:00.000000Z",
        })
        .execute(),
    );
    expect((await me((await signIn({ sub: "r", preferred_username: "recorded" })).browser)).username).toBe(
      "recorded-2",
    );
    expect((await me((await signIn({ sub: "c", preferred_username: "chief" })).browser)).username).toBe(
      "chief-2",
    );
  });

  it.each([
    ["a verified address, if the setting says so", true, true, true],
    ["an unverified address", true, false, false],
    ["a verified address without the setting", false, true, false],
  ])("finds an account by %s", async (name, links, isVerified, isFound) => {
    await change({ links_by_email: links });
    const email = `${engine}-${name.length}@example.org`;
    const known = await addPerson(app.context, { username: `known-${name.length}`, password: "any" });
    await app.context.database.write((writer) =>
      writer.updateTable("users").set({ email }).where("id", "=", known.id).execute(),
    );
    const { browser } = await signIn({ sub: name, email, email_verified: isVerified });
    expect((await me(browser)).id === known.id).toBe(isFound);
  });

  it("signs nobody in to the account of a person who has entered their address", async () => {
    const email = "victim@example.org";
    const other = await addPerson(app.context, { username: "claimant", password: "any" });
    const headers = { ...(await beginSession(app.context, other)) };
    const enter = (value: string) =>
      sendAs(
        app,
        null,
        "PATCH",
        "/api/account/",
        { email: value, name: "C", current_password: "any" },
        headers,
      );
    expect((await enter("own@example.org")).status).toBe(200);
    await change({ links_by_email: true });
    expect((await enter("own@example.org")).status).toBe(200);
    expect(await enter(email)).toMatchObject({ status: 400, body: { email: [expect.any(String)] } });
    const { browser } = await signIn({ sub: "v-1", preferred_username: "vic", email, email_verified: true });
    expect((await me(browser)).username).toBe("vic");
    expect((await enter("")).status).toBe(200);
  });

  it("gives the organizations of a person's groups, and takes them at the next sign-in without them", async () => {
    const person = { sub: "g-1", preferred_username: "gina" };
    await signIn({ ...person, groups: ["chiefs", "archive", "others"] });
    const both = [
      [ids["Archive"], false],
      [ids["Newsroom"], true],
    ];
    expect(await organizationsOf("gina")).toEqual(both);
    await signIn({ ...person, groups: ["news"] });
    expect(await organizationsOf("gina")).toEqual([[ids["Newsroom"], false]]);
    const { browser } = await signIn(person);
    expect(await organizationsOf("gina")).toEqual([]);
    expect((await me(browser)).organization).not.toBe(ids["Newsroom"]);
  });

  it("leaves organizations alone that no group gives", async () => {
    const { browser } = await signIn({ sub: "l-1", preferred_username: "lia" });
    const { id } = await me(browser);
    const own = await administer("POST", "/api/admin/organizations/", { name: "By hand" });
    await administer("POST", `/api/admin/organizations/${own.id}/members/`, { user: id });
    await signIn({ sub: "l-1", groups: [] });
    expect(await organizationsOf("lia")).toEqual([[own.id, false]]);
  });

  it("refuses a person whose groups were left out, and changes nothing", async () => {
    const person = { sub: "o-1", preferred_username: "olga", groups: ["news"] };
    await signIn(person);
    const { status, text } = await signIn({ ...person, groups: undefined, _claim_names: { groups: "src1" } });
    expect([status, text.includes("left out your groups")]).toEqual([403, true]);
    expect(await organizationsOf("olga")).toEqual([[ids["Newsroom"], false]]);
  });

  it("makes administrators of a group, and ends it, but keeps the last one", async () => {
    await change({ administrators_group: "boss" });
    const person = { sub: "b-1", preferred_username: "berta" };
    await signIn({ ...person, groups: ["boss"] });
    expect((await userOf("berta")).is_administrator).toBe(true);
    await signIn({ ...person, groups: [] });
    expect((await userOf("berta")).is_administrator).toBe(false);
    const chief = new CookieJar();
    await connect(chief, administrator, { sub: "chief-1", groups: [] });
    expect((await userOf("chief")).is_administrator).toBe(true);
  });

  /** Connects the identity of a person with an account, from its account page. */
  async function connect(browser: CookieJar, account: Person, person: ProviderPerson) {
    const { cookie } = await beginSession(app.context, account);
    there.person = person;
    const begun = await browser.visit(`${app.url}/sign-in/with/1/?connect=1`, { headers: { cookie } }, (to) =>
      to.startsWith(there.issuer),
    );
    const back = await browser.visit(begun.address, {}, (to) => to.startsWith(app.url));
    const own = `${cookie}; sign_in_at=${browser.cookie(app.url, "sign_in_at")}`;
    return fetch(back.address, { headers: { cookie: own }, redirect: "manual" });
  }

  it("can be connected with an account that exists, and only with one", async () => {
    const owner = await addPerson(app.context, { username: "owner", password: "any" });
    const other = await addPerson(app.context, { username: "another", password: "any" });
    const person = { sub: "x-1", preferred_username: "x" };
    expect((await connect(new CookieJar(), owner, person)).status).toBe(303);
    expect((await me((await signIn(person)).browser)).username).toBe("owner");
    const refused = await connect(new CookieJar(), other, person);
    expect([refused.status, (await refused.text()).includes("Another account")]).toEqual([403, true]);
    const stranger = { ...(await beginSession(app.context, other)), "sec-fetch-site": "same-origin" };
    await app.fetch("/account/identities/1/", { method: "POST", headers: stranger });
    expect((await me((await signIn(person)).browser)).username).toBe("owner");
    const session = await beginSession(app.context, owner);
    const form = { method: "POST", headers: { ...session, "sec-fetch-site": "same-origin" } };
    const gone = await app.fetch("/account/identities/1/", { ...form, redirect: "manual" });
    expect(gone.headers.get("location")).toBe("/account/?done=disconnected");
    expect((await me((await signIn(person)).browser)).username).toBe("x");
  });

  it("cannot be connected by another site, which may have signed the browser in there as somebody else", async () => {
    const { cookie } = await beginSession(app.context, administrator);
    for (const site of ["cross-site", "same-site", "same-origin"]) {
      const answer = await app.fetch("/sign-in/with/1/?connect=1", {
        headers: { cookie, "sec-fetch-site": site },
        redirect: "manual",
      });
      const to = answer.headers.get("location") ?? "";
      expect([site, to === "/account/", answer.headers.getSetCookie().length]).toEqual(
        site === "same-origin" ? [site, false, 1] : [site, true, 0],
      );
    }
  });

  it("cannot be taken from an account that has no other way in", async () => {
    const { browser } = await signIn({ sub: "y-1", preferred_username: "yara" });
    const page = await (await browser.visit(`${app.url}/account/`)).response.text();
    expect(page).toContain("your only way to sign in");
    const token = browser.cookie(app.url, "csrftoken") ?? "";
    const { response } = await browser.visit(`${app.url}/account/identities/1/`, {
      method: "POST",
      headers: { "x-csrftoken": token },
    });
    expect(response.status).toBe(403);
    expect((await me((await signIn({ sub: "y-1" })).browser)).username).toBe("yara");
  });

  it("creates no account where the setting says so", async () => {
    await change({ creates_accounts: false });
    const { status, text, browser } = await signIn({ sub: "z-1", preferred_username: "zoe" });
    expect([status, text.includes("no account for you here")]).toEqual([403, true]);
    expect([await me(browser), await userOf("zoe")]).toEqual([null, undefined]);
  });

  it("lets no disabled person in", async () => {
    const { browser } = await signIn({ sub: "d-1", preferred_username: "dora" });
    await administer("PATCH", `/api/admin/users/${(await me(browser)).id}/`, { is_active: false });
    expect(await me(browser)).toBeNull();
    expect((await signIn({ sub: "d-1" }, browser)).status).toBe(403);
    expect(await me(browser)).toBeNull();
  });

  it("says in the provider's own words why it failed", async () => {
    const { status, text } = await signIn(null);
    expect(status).toBe(502);
    expect(text).toContain("Harbour did not sign you in: You are not let in &#60;today&#62;");
  });

  it("takes an answer only in the browser that asked, and only once", async () => {
    there.person = { sub: "t-1", preferred_username: "theft" };
    const browser = new CookieJar();
    const back = await browser.visit(`${app.url}/sign-in/with/1/`, {}, (to) =>
      to.startsWith(`${app.url}/sign-in/with/1/return/`),
    );
    const stolen = await new CookieJar().visit(back.address);
    expect(stolen.response.status).toBe(400);
    const forged = new URL(back.address);
    forged.searchParams.set("state", "x".repeat(43));
    const other = new CookieJar();
    await other.visit(`${app.url}/sign-in/with/1/`, {}, (to) => to.startsWith(there.issuer));
    expect((await other.visit(forged.href)).response.status).toBe(502);
    expect((await browser.visit(back.address)).response.status).toBe(200);
    expect((await browser.visit(back.address)).response.status).toBe(400);
  });

  it("leads nowhere but to this service afterwards", async () => {
    const { address } = await signIn(
      { sub: "e-1", preferred_username: "eve" },
      new CookieJar(),
      "?next=https://evil.example/",
    );
    expect(new URL(address).origin).toBe(app.url);
  });

  it("ends at the provider when the person signs out here", async () => {
    const { browser } = await signIn({ sub: "s-1", preferred_username: "sara" });
    const token = browser.cookie(app.url, "csrftoken") ?? "";
    const { response } = await browser.visit(`${app.url}/sign-out/`, {
      method: "POST",
      headers: { "x-csrftoken": token },
    });
    const page = await response.text();
    expect(page).toContain(`${there.issuer}/session/end?`);
    expect(page).toContain(encodeURIComponent(`${app.url}/sign-in/`));
    expect(await me(browser)).toBeNull();
  });

  it("ends here when the provider says so, and not when anybody else does", async () => {
    const person = { sub: "q-1", preferred_username: "quinn" };
    const [one, two] = [(await signIn(person)).browser, (await signIn(person)).browser];
    const rows = await app.context.database.reader
      .selectFrom("sessions")
      .select("provider_session")
      .where("user_id", "=", (await me(one)).id)
      .orderBy("created_at")
      .execute();
    for (const value of ["x", "", "a.b.c"]) {
      const body = new URLSearchParams({ logout_token: value });
      expect((await app.fetch("/sign-in/with/1/notice/", { method: "POST", body })).status).toBe(400);
    }
    await there.endSession("q-1", rows[0]?.provider_session ?? "");
    expect([await me(one), (await me(two))?.username]).toEqual([null, "quinn"]);
  });

  it("says that a provider cannot be reached, when it signs people in and when it sends a notice", async () => {
    const silent = { name: "Silent", issuer: "http://127.0.0.1:9/", client_id: "quire" };
    const { id } = await administer("POST", providerList, silent);
    expect((await app.fetch(`/sign-in/with/${id}/`)).status).toBe(502);
    const body = new URLSearchParams({ logout_token: "a.b.c" });
    const reply = await app.fetch(`/sign-in/with/${id}/notice/`, { method: "POST", body });
    expect([reply.status, await reply.json()]).toEqual([502, { error: "temporarily_unavailable" }]);
    await administer("DELETE", `${providerList}${id}/`);
  });

  it("is not there without an enabled provider, and sessions end with a removed one", async () => {
    await change({ is_enabled: false });
    for (const target of ["/sign-in/with/1/", "/sign-in/with/2/", "/sign-in/with/1/return/"])
      expect((await app.fetch(target, { redirect: "manual" })).status).toBe(404);
    expect(await (await app.fetch("/sign-in/")).text()).not.toContain("Harbour");
    await change({ is_enabled: true });
    const { browser } = await signIn({ sub: "end", preferred_username: "end" });
    await administer("DELETE", `${providerList}1/`);
    expect(await me(browser)).toBeNull();
  });
});

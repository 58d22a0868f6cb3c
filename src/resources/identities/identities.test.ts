import { beforeAll, describe, expect, it } from "vitest";
import { startIdentityProvider, testClient } from "../../testing/identity-provider.ts";
import { addPerson, beginSession } from "../../testing/people.ts";
import { type Reply, sendAs } from "../../testing/requests.ts";
import { defaultEngines, startTestApp, useApp, useStarted } from "../../testing/test-app.ts";

const list = "/api/admin/identity_providers/";
const needed = "This field is required.";
const whole = { name: "Harbour", issuer: "https://login.example.org/", client_id: "quire" };

describe.each(defaultEngines)("identity providers on %s", (engine) => {
  const app = useApp(engine);
  const there = useStarted(() => startIdentityProvider(app.url));
  const chief = app.person("chief", { isAdministrator: true });
  let session: Record<string, string>;
  beforeAll(async () => {
    session = { ...(await beginSession(app.context, chief)) };
  });

  const send = (method: string, target: string, value?: unknown, headers = {}): Promise<Reply> =>
    sendAs(app, null, method, target, value, { ...session, ...headers });
  const add = async (value: object): Promise<string> => {
    const { status, body } = await send("POST", list, value);
    expect([status, body]).toEqual([201, expect.anything()]);
    return `${list}${body.id}/`;
  };

  it("show what has to be entered at the provider, and never the secret", async () => {
    const target = await add({ ...whole, client_secret: "hush hush" });
    const { body } = await send("GET", target);
    expect(body).toMatchObject({
      ...whole,
      has_secret: true,
      scopes: "openid profile email",
      groups_claim: "",
      groups: [],
      creates_accounts: true,
      links_by_email: false,
      is_enabled: true,
      return_address: `${app.url}/sign-in/with/${body.id}/return/`,
      notice_address: `${app.url}/sign-in/with/${body.id}/notice/`,
    });
    const rows = await app.context.database.reader.selectFrom("identity_providers").selectAll().execute();
    expect(JSON.stringify([body, rows, (await send("GET", list)).body])).not.toContain("hush");
  });

  it.each([
    [{}, { name: [needed], issuer: [needed], client_id: [needed] }],
    [
      { ...whole, issuer: "http://login.example.org/" },
      { issuer: ["Enter an address that begins with https."] },
    ],
    [{ ...whole, issuer: "login" }, { issuer: ["Enter a valid URL."] }],
    [{ ...whole, issuer: "https://a.example/?b=c" }, { issuer: ["Enter a valid URL."] }],
    [
      { ...whole, administrators_group: "boss" },
      { groups_claim: ["Name the claim that has a person's groups."] },
    ],
    [
      { ...whole, groups_claim: "groups", groups: [{ group: "a", organization: 99_999 }] },
      { groups: ['Invalid pk "99999" - object does not exist.'] },
    ],
    [
      { ...whole, groups_claim: "groups", groups: [{ group: "a" }] },
      { groups: [{ organization: [needed] }] },
    ],
  ])("are refused as %j", async (value, faults) => {
    const { status, body } = await send("POST", list, value);
    expect(status).toBe(400);
    expect(body).toEqual(faults);
  });

  it("keep their secret from another issuer and from another client", async () => {
    const target = await add({ ...whole, client_secret: "hush" });
    for (const change of [{ issuer: "https://evil.example/" }, { client_id: "other" }]) {
      const refused = await send("PATCH", target, change);
      expect([refused.status, Object.keys(refused.body)]).toEqual([400, ["client_secret"]]);
      expect((await send("PATCH", target, { ...change, client_secret: "new" })).status).toBe(200);
    }
    expect((await send("PATCH", target, { client_secret: "" })).body.has_secret).toBe(false);
    expect((await send("PATCH", target, { issuer: "https://free.example/" })).status).toBe(200);
  });

  it("can be checked, and say why nobody can sign in", async () => {
    const working = await add({
      ...whole,
      issuer: there.issuer,
      ...testClient,
      scopes: "openid groups other",
    });
    expect((await send("GET", `${working}check/`)).body).toEqual({
      problem: null,
      can_sign_out: true,
      scopes_unknown: ["other"],
    });
    const silent = await add({ ...whole, issuer: "http://127.0.0.1:9/" });
    const { body } = await send("GET", `${silent}check/`);
    expect(body).toMatchObject({
      can_sign_out: false,
      problem: expect.stringMatching(/fetch failed|refused|bad port/),
    });
  });

  it("leave the password to administrators, if a setting says so", async () => {
    await using strict = await startTestApp(engine, { QUIRE_PASSWORD_SIGN_IN: "administrators" });
    await addPerson(strict.context, { username: "worker", password: "the right password" });
    await addPerson(strict.context, {
      username: "boss",
      password: "the right password",
      isAdministrator: true,
    });
    const signIn = (username: string): Promise<Reply> =>
      sendAs(strict, null, "POST", "/api/token/", { username, password: "the right password" });
    expect([(await signIn("worker")).status, (await signIn("boss")).status]).toEqual([401, 200]);
    expect(await (await strict.fetch("/sign-in/")).text()).toContain(
      "Only administrators sign in with a password",
    );
  });
});

import { SignJWT } from "jose/jwt/sign";
import { beforeAll, describe, expect, it, vi } from "vitest";
import { addPerson, beginSession } from "../../../testing/people.ts";
import { isInFull } from "../../../testing/runs.ts";
import {
  type TestApp,
  engines,
  startAppOn,
  startTestApp,
  testStorage,
  useApp,
} from "../../../testing/test-app.ts";
import { altered } from "../../../testing/texts.ts";
import { changeActive, changePassword } from "../change-account.ts";
import { SignedTokens } from "./signed-tokens.ts";

const password = "correct horse battery";

interface Tokens {
  access: string;
  refresh: string;
}

const post = (app: TestApp, target: string, body: unknown, headers: Record<string, string> = {}) =>
  app.fetch(target, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify(body),
  });

async function tokensOf(app: TestApp, username: string): Promise<Tokens> {
  const answer = await post(app, "/api/token/", { username, password });
  expect(answer.status).toBe(200);
  return (await answer.json()) as Tokens;
}

const read = (app: TestApp, authorization: string) =>
  app.fetch("/api/documents/", { headers: { authorization } });

const badToken = (message: string) => ({
  detail: "Given token not valid for any token type",
  code: "token_not_valid",
  messages: [{ token_class: "AccessToken", token_type: "access", message }],
});

/** A token that is signed with this service's key. */
function forge(app: TestApp, claims: Record<string, unknown>, audience = "documentcloud"): Promise<string> {
  const [{ id, key }] = app.context.secrets.keysFor("access tokens");
  return new SignJWT({
    token_type: "access",
    generation: 0,
    jti: "1",
    iss: "quire",
    aud: [audience],
    ...claims,
  })
    .setProtectedHeader({ alg: "HS256", kid: id })
    .sign(key);
}

function claimsOf(token: string): Record<string, unknown> {
  return JSON.parse(Buffer.from(token.split(".")[1] ?? "", "base64url").toString()) as Record<
    string,
    unknown
  >;
}

const life = (token: string): number => Number(claimsOf(token)["exp"]) - Number(claimsOf(token)["iat"]);

const soon = (): number => Math.floor(Date.now() / 1000) + 60;

describe.each(engines)("access and refresh tokens on %s", (engine) => {
  const app = useApp(engine);
  let uuid: string;

  const ada = app.person("Ada", { password });
  beforeAll(async () => {
    const row = await app.context.database.reader
      .selectFrom("users")
      .select("uuid")
      .where("id", "=", ada.id)
      .executeTakeFirstOrThrow();
    ({ uuid } = row);
  });

  const refreshed = async (refresh: string): Promise<[number, Tokens]> => {
    const answer = await post(app, "/api/refresh/", { refresh });
    return [answer.status, (await answer.json()) as Tokens];
  };

  it("are issued for each of many concurrent requests with the same refresh token", async () => {
    const { refresh } = await tokensOf(app, "ada");
    const answers = await Promise.all(Array.from({ length: 8 }, () => refreshed(refresh)));
    expect(answers.map(([status]) => status)).toEqual(Array.from({ length: 8 }, () => 200));
    expect(new Set(answers.map(([, tokens]) => tokens.refresh)).size).toBe(8);
  });

  it("are all revoked by a sign-out, a new password and disabling, used or not", async () => {
    const eve = await addPerson(app.context, { username: "eve", password });
    const others = await tokensOf(app, "ada");
    const endings: [string, () => Promise<unknown>][] = [
      [
        "sign-out of a browser",
        async () => {
          const session = await beginSession(app.context, eve);
          const answer = await app.fetch("/sign-out/", {
            method: "POST",
            headers: { ...session },
            body: new URLSearchParams({}),
            redirect: "manual",
          });
          expect(answer.status).toBe(303);
        },
      ],
      [
        "sign-out of a program",
        async () => {
          const { access } = await tokensOf(app, "eve");
          const headers = { authorization: `Bearer ${access}` };
          await app.fetch("/sign-out/", { method: "POST", headers, redirect: "manual" });
        },
      ],
      ["a new password", () => changePassword(app.context, "eve", password)],
      [
        "disabling",
        async () => {
          await changeActive(app.context, "eve", false);
          await changeActive(app.context, "eve", true);
        },
      ],
    ];
    for (const [name, end] of endings) {
      const first = await tokensOf(app, "eve");
      const [, second] = await refreshed(first.refresh);
      const other = await tokensOf(app, "eve");
      await end();
      for (const { refresh } of [first, second, other]) {
        const [status, body] = await refreshed(refresh);
        expect([name, status, body]).toEqual([
          name,
          401,
          { detail: "Token is invalid", code: "token_not_valid" },
        ]);
      }
    }
    expect((await refreshed(others.refresh))[0]).toBe(200);
  });

  it("are all revoked even if one is exchanged while its user signs out", async () => {
    const eve = await addPerson(app.context, { username: "race", password });
    for (let round = 0; round < 5; round++) {
      const { refresh } = await tokensOf(app, "race");
      const headers = await beginSession(app.context, eve);
      const signOut = app.fetch("/sign-out/", {
        method: "POST",
        headers: { ...headers },
        redirect: "manual",
      });
      const exchanged = await Promise.all([
        ...Array.from({ length: 4 }, () => refreshed(refresh)),
        signOut.then((): [number, Tokens] => [303, { access: "", refresh: "" }]),
      ]);
      const given = exchanged.filter(([status]) => status === 200);
      const after = await Promise.all(given.map(([, tokens]) => refreshed(tokens.refresh)));
      expect(after.map(([status]) => status)).toEqual(given.map(() => 401));
    }
  });

  it("are issued after raising the cost of a cheap password hash", async () => {
    await addPerson(app.context, { username: "cheap", password });
    await using usual = await startAppOn(app.context.config, {});
    await tokensOf(usual, "cheap");
    const { password_hash } = await app.context.database.reader
      .selectFrom("users")
      .select("password_hash")
      .where("username", "=", "cheap")
      .executeTakeFirstOrThrow();
    expect(password_hash).toMatch(/^\$scrypt\$ln=15,r=8,p=1\$/);
    await tokensOf(app, "cheap");
  });

  // Requests and tokens, which no engine can change.
  if (!isInFull(engine)) return;

  it("are issued with the claims that clients expect, for JSON and for forms", async () => {
    const answer = await post(app, "/api/token/", { username: "ada", password });
    expect(answer.headers.get("cache-control")).toBe("no-store");
    const { access, refresh } = (await answer.json()) as Tokens;
    expect(claimsOf(access)).toMatchObject({
      token_type: "access",
      user_id: uuid,
      aud: ["documentcloud"],
      iss: "quire",
      jti: expect.any(String) as string,
    });
    expect([life(access), life(refresh)]).toEqual([300, 86_400]);
    expect((await read(app, `Bearer ${access}`)).status).toBe(200);
    for (const body of [
      new URLSearchParams({ username: "ada", password }),
      formData({ username: "ada", password }),
    ]) {
      expect((await app.fetch("/api/token/", { method: "POST", body })).status).toBe(200);
    }
  });

  it("are refused with the same 401 for a wrong password, an unknown user and a user without a password", async () => {
    await addPerson(app.context, { username: "silent" });
    for (const username of ["ada", "nobody", "silent", "nobody's name"]) {
      const answer = await post(app, "/api/token/", { username, password: "wrong password" });
      expect(answer.status).toBe(401);
      expect(answer.headers.get("www-authenticate")).toBe('Bearer realm="api"');
      expect(await answer.json()).toEqual({ detail: "No active account found with the given credentials" });
    }
    for (const username of ["a\0da", "\ud800", ["ada"], null, "a".repeat(151)]) {
      expect((await post(app, "/api/token/", { username, password })).status).toBe(400);
    }
  });

  it("are refused with the names of missing fields", async () => {
    const answer = await post(app, "/api/token/", { username: "" });
    expect(answer.status).toBe(400);
    expect(await answer.json()).toEqual({
      username: ["This field may not be blank."],
      password: ["This field is required."],
    });
    const refreshing = await post(app, "/api/refresh/", {});
    expect([refreshing.status, await refreshing.json()]).toEqual([
      400,
      { refresh: ["This field is required."] },
    ]);
  });

  it("are issued even if the request has an expired token, but not for GET", async () => {
    const headers = { authorization: "Bearer nonsense", cookie: "sessionid=x" };
    expect((await post(app, "/api/token/", { username: "ada", password }, headers)).status).toBe(200);
    const { status, headers: given } = await app.fetch("/api/token/");
    expect([status, given.get("allow")]).toEqual([405, "POST, OPTIONS"]);
  });

  it("are exchanged for new ones, while the used refresh token stays valid", async () => {
    const first = await tokensOf(app, "ada");
    const [, second] = await refreshed(first.refresh);
    expect(second.refresh).not.toBe(first.refresh);
    const [, third] = await refreshed(second.refresh);
    for (const { refresh } of [first, second, third, first]) {
      const [status, { access }] = await refreshed(refresh);
      expect([status, (await read(app, `Bearer ${access}`)).status]).toEqual([200, 200]);
    }
  });

  it("are refused with the reason if the refresh token is invalid", async () => {
    const { access } = await tokensOf(app, "ada");
    const expired = await forge(app, { token_type: "refresh", user_id: uuid, exp: soon() - 120 });
    const unknown = await forge(app, { token_type: "refresh", user_id: uuid, exp: soon() });
    for (const [refresh, detail] of [
      [expired, "Token is expired"],
      [unknown, "Token is invalid"],
      ["nonsense", "Token is invalid"],
      [access, "Token has wrong type"],
    ]) {
      const answer = await post(app, "/api/refresh/", { refresh });
      expect([answer.status, await answer.json()]).toEqual([401, { detail, code: "token_not_valid" }]);
    }
  });

  it("are refused with the reason at every address if they are invalid", async () => {
    const { access, refresh } = await tokensOf(app, "ada");
    const noUser = { detail: "User not found", code: "user_not_found" };
    const malformed = {
      detail: "Authorization header must contain two space-delimited values",
      code: "bad_authorization_header",
    };
    const invalid = badToken("Token is invalid or expired");
    const unsigned = `${Buffer.from('{"alg":"none"}').toString("base64url")}.${access.split(".")[1]}.`;
    for (const [authorization, body] of [
      ["Bearer nonsense", invalid],
      ["Bearer quire_nonsense", invalid],
      [`Bearer ${unsigned}`, invalid],
      [`Bearer ${altered(access, -4)}`, invalid],
      [`Bearer ${await forge(app, { user_id: uuid, exp: soon() - 120 })}`, invalid],
      [`Bearer ${await forge(app, { user_id: uuid })}`, invalid],
      [`Bearer ${await forge(app, { user_id: uuid, exp: soon() }, "elsewhere")}`, invalid],
      [`Bearer ${await forge(app, { user_id: uuid, exp: soon(), generation: 7 })}`, invalid],
      [`Bearer ${refresh}`, badToken("Token has wrong type")],
      [`Bearer ${await forge(app, { user_id: "nobody", exp: soon() })}`, noUser],
      [`Bearer ${await forge(app, { exp: soon() })}`, noUser],
      ["Bearer", malformed],
      [`Bearer ${access} ${access}`, malformed],
    ] as const) {
      for (const target of ["/api/documents/", "/files/documents/1/a.pdf", "/"]) {
        const answer = await app.fetch(target, { headers: { authorization } });
        expect([target, authorization, answer.status]).toEqual([target, authorization, 403]);
        expect(answer.headers.get("www-authenticate")).toBe('Bearer realm="api"');
        expect(await answer.json()).toEqual(body);
      }
    }
    for (const authorization of ["Token x", "Basic x", "processing-token x", "nonsense"]) {
      expect([authorization, (await read(app, authorization)).status]).toEqual([authorization, 200]);
    }
    expect((await read(app, `bearer  ${access}`)).status).toBe(200);
  });

  it("end at once with a new password and when a user is disabled", async () => {
    const bob = await addPerson(app.context, { username: "bob", password });
    const before = await tokensOf(app, "bob");
    await changePassword(app.context, "bob", "another good one");
    const refused = await read(app, `Bearer ${before.access}`);
    expect([refused.status, await refused.json()]).toEqual([403, badToken("Token is invalid or expired")]);
    expect((await post(app, "/api/refresh/", { refresh: before.refresh })).status).toBe(401);
    expect((await post(app, "/api/token/", { username: "bob", password })).status).toBe(401);

    const again = await post(app, "/api/token/", { username: "bob", password: "another good one" });
    const { access } = (await again.json()) as Tokens;
    expect((await read(app, `Bearer ${access}`)).status).toBe(200);
    await changeActive(app.context, "bob", false);
    for (const authorization of [`Bearer ${access}`, bob.headers.authorization]) {
      const inactive = await read(app, authorization);
      expect([inactive.status, await inactive.json()]).toEqual([
        403,
        { detail: "User is inactive", code: "user_inactive" },
      ]);
    }
    const disabled = await post(app, "/api/token/", { username: "bob", password: "another good one" });
    expect(disabled.status).toBe(401);
  });
});

describe.each(engines)("personal tokens on %s", (engine) => {
  it("record their last use, but not every use", async () => {
    await using app = await startTestApp(engine);
    const ada = await addPerson(app.context, { username: "ada" });
    const lastUse = async (): Promise<string | null> => {
      const row = await app.context.database.reader
        .selectFrom("api_tokens")
        .select("last_used_at")
        .executeTakeFirstOrThrow();
      return row.last_used_at;
    };
    expect(await lastUse()).toBeNull();
    await app.fetch("/api/documents/", { headers: ada.headers });
    await expect.poll(lastUse).toMatch(/Z$/);
    const first = await lastUse();
    await app.fetch("/api/documents/", { headers: ada.headers });
    expect(await lastUse()).toBe(first);
  });

  it("work even if their use cannot be recorded, or only later", async () => {
    await using app = await startTestApp(engine);
    const ada = await addPerson(app.context, { username: "ada" });
    const { database } = app.context;
    const tokens = database.reader.selectFrom("api_tokens").select("last_used_at");
    const lastUse = async () => (await tokens.executeTakeFirstOrThrow()).last_used_at;
    const isAnswered = async () => (await app.fetch("/api/documents/", { headers: ada.headers })).ok;
    await database.write(async (writer) => {
      await writer.updateTable("api_tokens").set({ name: "held" }).execute();
      for (let time = 0; time < 3; time++) expect(await isAnswered()).toBe(true);
      expect(await lastUse()).toBeNull();
    });
    await expect.poll(lastUse).toMatch(/Z$/);

    await database.write((writer) => writer.updateTable("api_tokens").set({ last_used_at: null }).execute());
    vi.spyOn(database, "write").mockRejectedValueOnce(new Error("no room"));
    expect(await isAnswered()).toBe(true);
    await expect
      .poll(() => app.logged)
      .toContainEqual(
        expect.objectContaining({
          msg: "The use of a token or session could not be recorded",
          reason: "no room",
        }),
      );
  });
});

describe("the secrets", () => {
  it("can be rotated: tokens signed with an earlier one are valid as long as it is configured", async () => {
    const [older, newer] = ["a".repeat(32), "b".repeat(32)];
    await using storage = await testStorage("sqlite");
    const user = { uuid: "", tokenGeneration: 0 };
    const signed = async (...secrets: string[]): Promise<(text: string) => Promise<unknown>> => {
      const app = await startAppOn({ ...storage.config, secrets });
      const tokens = new SignedTokens(app.context.secrets);
      await app[Symbol.asyncDispose]();
      texts.push((await tokens.sign("access", user)).text);
      return (text) => tokens.read(text);
    };
    const texts: string[] = [];
    await signed(older);
    const both = await signed(newer, older);
    const after = await signed(newer);
    const [byOlder = "", byBoth = ""] = texts;
    expect(await both(byOlder)).toMatchObject({ type: "access" });
    expect(await after(byBoth)).toMatchObject({ type: "access" });
    expect(await after(byOlder)).toBe("invalid");
  });
});

function formData(texts: Record<string, string>): FormData {
  const form = new FormData();
  for (const [name, text] of Object.entries(texts)) form.set(name, text);
  return form;
}

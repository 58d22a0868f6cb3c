import { createHash, generateKeyPairSync, sign } from "node:crypto";
import { TOTP, Secret } from "otpauth";
import { describe, expect, it } from "vitest";
import { countRecoveryCodes } from "../../resources/users/credentials/factor-store.ts";
import {
  addFirstFactor,
  addSecondFactor,
  resetSecondFactors,
} from "../../resources/users/credentials/second-factor.ts";
import { type Person, addPerson, beginSession } from "../../testing/people.ts";
import { sendAs } from "../../testing/requests.ts";
import { type TestApp, defaultEngines, startTestApp, useApp } from "../../testing/test-app.ts";

const password = "correct horse battery";

/** A browser that keeps its cookies. */
class Browser {
  readonly #app: TestApp;
  readonly #cookies = new Map<string, string>();

  constructor(app: TestApp) {
    this.#app = app;
  }

  /** Another browser with the cookies that this one has now. */
  copied(): Browser {
    const copy = new Browser(this.#app);
    for (const [name, value] of this.#cookies) copy.#cookies.set(name, value);
    return copy;
  }

  async ask(
    target: string,
    texts?: Record<string, string>,
  ): Promise<{ status: number; to: string; page: string }> {
    const csrf = this.#cookies.get("csrftoken") ?? "";
    const answer = await this.#app.fetch(target, {
      redirect: "manual",
      headers: { cookie: [...this.#cookies].map((pair) => pair.join("=")).join("; "), accept: "text/html" },
      ...(texts !== undefined && {
        method: "POST",
        body: new URLSearchParams({ csrfmiddlewaretoken: csrf, ...texts }),
      }),
    });
    for (const cookie of answer.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
      if (value === "") this.#cookies.delete(name);
      else this.#cookies.set(name, value);
    }
    return { status: answer.status, to: answer.headers.get("location") ?? "", page: await answer.text() };
  }

  signIn(username: string, texts: Record<string, string> = {}) {
    return this.ask("/sign-in/", { username, password, next: "/notes/", ...texts });
  }

  get isSignedIn(): boolean {
    return this.#cookies.has("sessionid");
  }
}

const secretIn = (page: string): string =>
  /<code>((?:[A-Z2-7]{4} ?)+)<\/code>/.exec(page)?.[1]?.replaceAll(" ", "") ?? "";

/** The code of an app, so many half minutes from now. */
function codeIn(page: string, steps = 0): string {
  const totp = new TOTP({ secret: Secret.fromBase32(secretIn(page)) });
  return totp.generate({ timestamp: Date.now() + steps * 30_000 });
}

const codesIn = (page: string): string[] =>
  Array.from(page.matchAll(/<code>([a-z0-9]{5}-[a-z0-9]{5})<\/code>/g), ([, code = ""]) => code);

const coordinate = (text: string): string => `5820${Buffer.from(text, "base64url").toString("hex")}`;
const encoded = (bytes: Buffer): string => bytes.toString("base64url");

/** A passkey that does not count, as most of them: its public key, and what it answers to a challenge. */
function newPasskey(site: string): { publicKey: string; answer: (challenge: string) => string } {
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const { x = "", y = "" } = publicKey.export({ format: "jwk" });
  const cose = Buffer.from(`a501020326200121${coordinate(x)}22${coordinate(y)}`, "hex");
  const { origin, hostname } = new URL(site);
  const answer = (challenge: string): string => {
    const client = Buffer.from(JSON.stringify({ type: "webauthn.get", challenge, origin }));
    const data = Buffer.concat([
      createHash("sha256").update(hostname).digest(),
      Buffer.from("0100000000", "hex"),
    ]);
    const signature = sign(
      "sha256",
      Buffer.concat([data, createHash("sha256").update(client).digest()]),
      privateKey,
    );
    const response = {
      clientDataJSON: encoded(client),
      authenticatorData: encoded(data),
      signature: encoded(signature),
    };
    const about = { type: "public-key", clientExtensionResults: {} };
    return JSON.stringify({ id: "a2V5", rawId: "a2V5", ...about, response });
  };
  return { publicKey: encoded(cose), answer };
}

describe.each(defaultEngines)("the second step of signing in on %s", (engine) => {
  const app = useApp(engine, { QUIRE_SECOND_FACTOR: "organization:2" });
  const ada = app.person("ada", { password, organizations: [2] });
  app.person("ben", { password, organizations: [1] });
  const mara = app.person("mara", { password, isAdministrator: true });

  const token = (texts: object) =>
    sendAs(app, null, "POST", "/api/token/", { username: "ada", password, ...texts });
  const sessionsOf = async (browser: Person): Promise<unknown[]> => {
    const session = await beginSession(app.context, browser);
    const { body } = await sendAs(app, null, "GET", "/api/account/sessions/", undefined, { ...session });
    return body.results.map(({ method }: { method: string }) => method);
  };

  it("is not there for people who have no second factor and need none", async () => {
    const browser = new Browser(app);
    expect(await browser.signIn("ben")).toMatchObject({ status: 303, to: "/notes/" });
    expect(browser.isSignedIn).toBe(true);
  });

  it("has people who need a second factor set one up, and asks for it from then on", async () => {
    const first = new Browser(app);
    expect(await first.signIn("ada")).toMatchObject({ status: 303, to: "/sign-in/second/" });
    expect(first.isSignedIn).toBe(false);
    expect((await token({})).body).toMatchObject({ code: "second_factor_needed" });
    const { page } = await first.ask("/sign-in/second/");
    expect(page).toContain("<svg");
    expect(await first.ask("/sign-in/second/", { code: "000000" })).toMatchObject({ status: 403 });
    const accepted = codeIn(page);
    const done = await first.ask("/sign-in/second/", { code: accepted });
    expect([done.status, first.isSignedIn]).toEqual([200, true]);
    const codes = codesIn(done.page);
    expect(new Set(codes).size).toBe(10);
    const stored = await app.context.database.reader.selectFrom("second_factors").selectAll().execute();
    expect(JSON.stringify(stored)).not.toContain(secretIn(page));

    const second = new Browser(app);
    await second.signIn("ada");
    // A code works once, and a session needs it.
    const used = await second.ask("/sign-in/second/", { code: accepted });
    expect([used.status, second.isSignedIn]).toEqual([403, false]);
    expect((await second.ask("/documents/trash/")).status).toBe(302);
    const next = await second.ask("/sign-in/second/", { code: codeIn(page, 1) });
    expect([next.status, next.to, second.isSignedIn]).toEqual([303, "/notes/", true]);

    const [code = ""] = codes;
    for (const isLeft of [true, false]) {
      const browser = new Browser(app);
      await browser.signIn("ada");
      await browser.ask("/sign-in/second/", { code: ` ${code.toUpperCase()} ` });
      expect(browser.isSignedIn).toBe(isLeft);
    }
    expect(new Set(await sessionsOf(ada))).toEqual(new Set(["totp", "recovery code", "password"]));

    // Programs send the code with the password. Personal tokens need none.
    expect((await token({})).status).toBe(401);
    expect((await token({ code: "123456" })).body).toMatchObject({ code: "second_factor_wrong" });
    expect((await token({ code: codes[1] })).status).toBe(200);
    expect((await sendAs(app, ada, "GET", "/api/users/me/")).status).toBe(200);
  });

  it("lets one of two who set up the required factor at once in, and keeps that factor alone", async () => {
    const person = await addPerson(app.context, { username: "cora", password, organizations: [2] });
    const browsers = [new Browser(app), new Browser(app)] as const;
    const pages: string[] = [];
    for (const browser of browsers) {
      await browser.signIn("cora");
      pages.push((await browser.ask("/sign-in/second/")).page);
    }
    const answers = await Promise.all(
      browsers.map((browser, index) => browser.ask("/sign-in/second/", { code: codeIn(pages[index] ?? "") })),
    );
    const hasWon = answers.map(({ status }) => status === 200);
    expect(hasWon.filter(Boolean)).toHaveLength(1);
    expect(browsers.map((browser) => browser.isSignedIn)).toEqual(hasWon);
    expect(answers.map(({ page }) => codesIn(page).length)).toEqual(hasWon.map((won) => (won ? 10 : 0)));
    const lost = hasWon.indexOf(false);
    const again = new Browser(app);
    await again.signIn("cora");
    const late = codeIn(pages[lost] ?? "", 1);
    expect(await again.ask("/sign-in/second/", { code: late })).toMatchObject({ status: 403 });
    const won = codeIn(pages[1 - lost] ?? "", 1);
    expect(await again.ask("/sign-in/second/", { code: won })).toMatchObject({ status: 303, to: "/notes/" });
    const factors = await app.context.database.reader
      .selectFrom("second_factors")
      .select("id")
      .where("user_id", "=", person.id)
      .execute();
    expect(factors).toHaveLength(1);
    // Both had looked before either wrote.
    const { id } = await addPerson(app.context, { username: "dora", password, organizations: [2] });
    const factor = { kind: "totp", name: "", credential: null, counter: 1 } as const;
    const set = ["A", "B"].map((secret) => addFirstFactor(app.context, id, { ...factor, secret }));
    expect((await Promise.all(set)).filter((codes) => codes !== null)).toHaveLength(1);
  });

  it("ends when the password has changed, and after too many guesses", async () => {
    const browser = new Browser(app);
    await browser.signIn("ada");
    for (let guess = 0; guess < 10; guess++) await browser.ask("/sign-in/second/", { code: "000000" });
    expect(await browser.ask("/sign-in/second/", { code: "000000" })).toMatchObject({ status: 429 });
    await app.context.database.write((writer) =>
      writer.updateTable("users").set({ token_generation: 7 }).where("id", "=", ada.id).execute(),
    );
    expect(await browser.ask("/sign-in/second/")).toMatchObject({ status: 302, to: "/sign-in/" });
  });

  it("takes the answer of a passkey once", async () => {
    const zoe = await addPerson(app.context, { username: "zoe", password, organizations: [1] });
    const { publicKey: secret, answer } = newPasskey(app.url);
    const passkey = { kind: "passkey", name: "", credential: "a2V5", counter: 0, secret } as const;
    await addSecondFactor(app.context, zoe.id, passkey);
    const browser = new Browser(app);
    await browser.signIn("zoe");
    const { page } = await browser.ask("/sign-in/second/");
    const [, challenge = ""] = /challenge&[^;]+;:&[^;]+;([\w-]+)&/.exec(page) ?? [];
    const thief = browser.copied();
    const credential = answer(challenge);
    expect(await browser.ask("/sign-in/second/", { credential })).toMatchObject({ to: "/notes/" });
    expect(await thief.ask("/sign-in/second/", { credential })).toMatchObject({ status: 403 });
    expect([browser.isSignedIn, thief.isSignedIn]).toEqual([true, false]);
    await resetSecondFactors(app.context, zoe.id, null);
  });

  it("is managed on a page, with the password", async () => {
    const browser = new Browser(app);
    await browser.signIn("ben");
    const { page } = await browser.ask("/account/factors/app/");
    const code = codeIn(page);
    expect(await browser.ask("/account/factors/app/", { code, current_password: "wrong" })).toMatchObject({
      status: 400,
    });
    const again = (await browser.ask("/account/factors/app/")).page;
    const added = await browser.ask("/account/factors/app/", {
      code: codeIn(again),
      current_password: password,
    });
    expect(codesIn(added.page)).toHaveLength(10);
    const list = (await browser.ask("/account/factors/")).page;
    expect(list).toContain("10 are left");
    const renewed = await browser.ask("/account/factors/", { codes: "new", current_password: password });
    expect(codesIn(renewed.page)).not.toContain(codesIn(added.page)[0]);
    const [, id = ""] = /name="remove" value="(\d+)"/.exec(list) ?? [];
    expect(await browser.ask("/account/factors/", { remove: id, current_password: "wrong" })).toMatchObject({
      status: 400,
    });
    expect(await browser.ask("/account/factors/", { remove: id, current_password: password })).toMatchObject({
      status: 303,
    });
    expect((await browser.ask("/account/factors/")).page).not.toContain('name="remove"');
    expect(await new Browser(app).signIn("ben")).toMatchObject({ to: "/notes/" });
  });

  it("is reset by an administrator, which the history of the account says", async () => {
    const session = { ...(await beginSession(app.context, mara)) };
    const path = `/api/admin/users/${ada.id}/`;
    const before = await sendAs(app, null, "GET", path, undefined, session);
    expect(before.body).toMatchObject({
      second_factors: 1,
      history: [{ action: "second_factor_added", by: "ada" }],
    });
    expect((await sendAs(app, null, "DELETE", `${path}second_factors/`, undefined, session)).status).toBe(
      204,
    );
    const { body } = await sendAs(app, null, "GET", path, undefined, session);
    expect(body).toMatchObject({ second_factors: 0 });
    expect(body.history[0]).toMatchObject({ action: "second_factors_reset", by: "mara" });
    expect(await countRecoveryCodes(app.context.database.reader, ada.id)).toBe(0);
    expect(await resetSecondFactors(app.context, ada.id, null)).toBe(false);
    const kinds = (await sendAs(app, null, "GET", "/api/admin/sign-ins/", undefined, session)).body.results;
    expect(kinds.map(({ kind }: { kind: string }) => kind)).toEqual(
      expect.arrayContaining(["right password", "wrong second factor", "signed in"]),
    );
  });
});

it("does not exist while the setting is off", async () => {
  await using app = await startTestApp("sqlite");
  await addPerson(app.context, { username: "ada", password });
  const browser = new Browser(app);
  await browser.signIn("ada");
  expect((await browser.ask("/account/factors/")).status).toBe(404);
  expect((await browser.ask("/account/")).page).not.toContain("factors/");
});

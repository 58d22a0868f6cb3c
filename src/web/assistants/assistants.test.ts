import { randomBytes } from "node:crypto";
import { UnauthorizedError } from "@modelcontextprotocol/client";
import { describe, expect, it } from "vitest";
import { removeEndedAssistants } from "../../resources/users/assistants/grant.ts";
import { changeActive, changePassword } from "../../resources/users/change-account.ts";
import { AssistantSteps, challenge, redirect } from "../../testing/assistant-steps.ts";
import { addPerson, beginSession } from "../../testing/people.ts";
import { TestAssistant, TestBrowser } from "../../testing/test-assistant.ts";
import { engines, useApp } from "../../testing/test-app.ts";

const password = "correct horse battery";

const titlesOf = async (assistant: TestAssistant): Promise<string[]> => {
  const client = await assistant.connected();
  const { structuredContent } = await client.callTool({ name: "list_projects", arguments: {} });
  await client.close();
  return (structuredContent as { results: { title: string }[] }).results.map(({ title }) => title);
};

describe.each(engines)("assistants that people connect, on %s", (engine) => {
  const app = useApp(engine, { QUIRE_ASSISTANT_SIGN_IN: "offered", QUIRE_SECOND_FACTOR: "organization:2" });
  const ada = app.person("ada", { organizations: [1], password });
  const bob = app.person("bob", { organizations: [1], password });
  const steps = new AssistantSteps(app);

  it("sign a person in with the protocol's own client, act for them, refresh and are disconnected", async () => {
    await app.send(ada, "POST", "/api/projects/", { title: "Harbour", private: true });
    const assistant = new TestAssistant(app.url, { name: "<b>Claude</b>\u202e" });
    // Without a token it sees what everybody sees, and learns only from a tool of its own that a person can sign in.
    expect(await titlesOf(assistant)).toEqual([]);
    expect(assistant.sentTo).toBeNull();
    const anonymous = await assistant.connected();
    const refused = await anonymous
      .callTool({ name: "sign_in", arguments: {} })
      .catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(UnauthorizedError);
    const { href = "", searchParams } = assistant.sentTo ?? {};
    expect(Object.fromEntries(searchParams ?? [])).toMatchObject({
      resource: `${app.url}/mcp`,
      code_challenge_method: "S256",
      scope: "read write",
    });

    const browser = new TestBrowser(app.url);
    const { response } = await browser.open(href, { username: "ada", password });
    const html = await response.text();
    expect(html).toContain("&#60;b&#62;Claude&#60;/b&#62;");
    expect(html).not.toMatch(/<b>|\u202e/u);
    expect(html).toContain("assistant.example</strong>");
    const { address } = await browser.decide(html, { decision: "allow", access: "write" });
    expect(Object.fromEntries(new URL(address).searchParams)).toEqual({
      code: expect.any(String),
      state: "a state & more",
      iss: app.url,
    });
    await assistant.finish(address);
    expect(assistant.tokens()).toMatchObject({ token_type: "Bearer", expires_in: 3600, scope: "read write" });

    expect(await titlesOf(assistant)).toEqual(["Harbour"]);
    const client = await assistant.connected();
    const made = await client.callTool({ name: "create_project", arguments: { title: "By an assistant" } });
    expect(made.structuredContent).toMatchObject({ private: true });
    await client.close();
    const first = assistant.tokens()?.refresh_token;
    assistant.spoilAccess();
    expect(await titlesOf(assistant)).toEqual(expect.arrayContaining(["Harbour", "By an assistant"]));
    expect(assistant.tokens()?.refresh_token).not.toBe(first);

    const account = await (await browser.jar.visit(`${app.url}/account/`)).response.text();
    const [, path = ""] = /action="(\/account\/assistants\/\d+\/)"/.exec(account) ?? [];
    const [, token = ""] = /name="csrfmiddlewaretoken" value="([^"]+)"/.exec(account) ?? [];
    expect(account).toContain("assistant.example");
    const disconnected = await browser.jar.visit(`${app.url}${path}`, {
      method: "POST",
      body: new URLSearchParams({ csrfmiddlewaretoken: token }),
    });
    expect(await disconnected.response.text()).toContain("The assistant was disconnected.");
    await expect(titlesOf(assistant)).rejects.toThrow(UnauthorizedError);
    const history = await app.context.database.reader
      .selectFrom("account_history")
      .select(["action", "by_id", "subject"])
      .where("user_id", "=", ada.id)
      .orderBy("id")
      .execute();
    const subject = "<b>Claude</b>";
    expect(history).toEqual([
      { action: "assistant_connected", by_id: ada.id, subject },
      { action: "assistant_disconnected", by_id: ada.id, subject },
    ]);
  });

  it("use each code once: a second use ends what came of the first", async () => {
    const { body } = await steps.register();
    const code = await steps.code(ada, body.client_id);
    const { body: tokens } = await steps.exchange(body.client_id, code);
    expect(await steps.works(tokens.access_token)).toBe(true);
    expect(await steps.exchange(body.client_id, code)).toMatchObject({
      status: 400,
      body: { error: "invalid_grant" },
    });
    expect(await steps.works(tokens.access_token)).toBe(false);
    expect((await steps.refresh(body.client_id, tokens.refresh_token)).body.error).toBe("invalid_grant");
    const raced = await steps.code(ada, body.client_id);
    const answers = await Promise.all(Array.from({ length: 4 }, () => steps.exchange(body.client_id, raced)));
    expect(answers.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(1);
    const works = await Promise.all(
      answers.flatMap(({ body: { access_token } }) =>
        access_token === undefined ? [] : [steps.works(access_token)],
      ),
    );
    expect(works).not.toContain(true);
  });

  it("get nothing for a code with another proof, redirect, client or resource, or too late", async () => {
    const { body: other } = await steps.register();
    const { body: client } = await steps.register();
    const wrong: [string, Record<string, string>, string][] = [
      ["proof", { code_verifier: randomBytes(32).toString("base64url") }, "invalid_grant"],
      ["the challenge as proof", { code_verifier: challenge }, "invalid_grant"],
      ["redirect", { redirect_uri: `${redirect}/` }, "invalid_grant"],
      ["client", { client_id: other.client_id }, "invalid_grant"],
      ["resource", { resource: `${app.url}/api/` }, "invalid_target"],
      ["grant", { grant_type: "password" }, "unsupported_grant_type"],
      ["no proof", { code_verifier: "" }, "invalid_request"],
    ];
    for (const [name, changes, error] of wrong) {
      const code = await steps.code(ada, client.client_id);
      const { status, body } = await steps.exchange(client.client_id, code, changes);
      expect([name, status, body.error, body.access_token]).toEqual([name, 400, error, undefined]);
    }
    // Guessing a proof uses the code up.
    const guessed = await steps.code(ada, client.client_id);
    for (const changes of [{ code_verifier: challenge }, {}])
      expect((await steps.exchange(client.client_id, guessed, changes)).body.error).toBe("invalid_grant");
    const late = await steps.code(ada, client.client_id);
    await app.context.database.write((writer) =>
      writer.updateTable("assistant_codes").set({ expires_at: "2025-01-31T12:00:00.000000Z" }).execute(),
    );
    expect((await steps.exchange(client.client_id, late)).body.error).toBe("invalid_grant");
  });

  it("rotate refresh tokens: a second use ends the connection, and other clients cannot use them", async () => {
    const { clientId, refresh_token, access_token } = await steps.connect(ada);
    const { body: other } = await steps.register();
    expect((await steps.refresh(other.client_id, refresh_token)).body.error).toBe("invalid_grant");
    expect((await steps.refresh(clientId, access_token)).body.error).toBe("invalid_grant");
    const elsewhere = { resource: "https://elsewhere.example/mcp" };
    expect((await steps.refresh(clientId, refresh_token, elsewhere)).body.error).toBe("invalid_target");
    const { body: second } = await steps.refresh(clientId, refresh_token, { resource: `${app.url}/mcp` });
    expect(second).toMatchObject({ scope: "read write" });
    expect([await steps.works(access_token), await steps.works(second.access_token)]).toEqual([true, true]);
    expect((await steps.refresh(clientId, refresh_token)).body.error).toBe("invalid_grant");
    expect([await steps.works(access_token), await steps.works(second.access_token)]).toEqual([false, false]);
    expect((await steps.refresh(clientId, second.refresh_token)).body.error).toBe("invalid_grant");
  });

  it("have one token each of many concurrent refreshes at the most", async () => {
    const { clientId, refresh_token } = await steps.connect(ada);
    const answers = await Promise.all(
      Array.from({ length: 4 }, () => steps.refresh(clientId, refresh_token)),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.every(({ status }) => status === 200 || status === 400)).toBe(true);
  });

  it("are shut out in the midst of use: by revocation, a new password, disabling, signing out elsewhere", async () => {
    const eve = await addPerson(app.context, { username: "eve", password });
    const endings: [string, (of: { clientId: string; access_token: string }) => Promise<unknown>][] = [
      [
        "revocation",
        ({ clientId, access_token }) =>
          steps.post("/oauth/revoke/", { client_id: clientId, token: access_token }),
      ],
      ["a new password", () => changePassword(app.context, "eve", password)],
      [
        "disabling",
        async () => {
          await changeActive(app.context, "eve", false);
          await changeActive(app.context, "eve", true);
        },
      ],
      [
        "signing out elsewhere",
        async () => {
          const session = await beginSession(app.context, eve);
          await app.fetch("/account/sessions/", {
            method: "POST",
            headers: { cookie: session.cookie },
            body: new URLSearchParams({ csrfmiddlewaretoken: session["x-csrftoken"] }),
          });
        },
      ],
    ];
    const others = await steps.connect(bob);
    for (const [name, end] of endings) {
      const tokens = await steps.connect(eve);
      expect([name, await steps.works(tokens.access_token)]).toEqual([name, true]);
      const pending = await steps.code(eve, tokens.clientId);
      await end(tokens);
      expect([name, await steps.works(tokens.access_token)]).toEqual([name, false]);
      expect((await steps.refresh(tokens.clientId, tokens.refresh_token)).body.error).toBe("invalid_grant");
      const { status } = await steps.exchange(tokens.clientId, pending);
      // The person's consent was theirs; what ends all sign-ins ends it, too.
      const isOver = name !== "revocation";
      expect([name, status]).toEqual([name, isOver ? 400 : 200]);
    }
    const ended = await app.context.database.reader
      .selectFrom("account_history")
      .select("by_id")
      .where("user_id", "=", eve.id)
      .where("action", "=", "assistant_disconnected")
      .orderBy("id")
      .execute();
    expect(ended.map(({ by_id }) => by_id)).toEqual([eve.id, null, null, null, eve.id]);
    // Nobody can revoke what is another client's.
    const { body: other } = await steps.register();
    const foreign = { client_id: other.client_id, token: others.refresh_token };
    expect(await steps.post("/oauth/revoke/", foreign)).toEqual({ status: 200, body: {} });
    expect(await steps.works(others.access_token)).toBe(true);
    const mine = await beginSession(app.context, ada);
    const [row] = await app.context.database.reader
      .selectFrom("assistant_connections")
      .select("id")
      .where("user_id", "=", bob.id)
      .execute();
    await app.fetch(`/account/assistants/${row?.id}/`, {
      method: "POST",
      headers: { ...mine },
      redirect: "manual",
    });
    expect(await steps.works(others.access_token)).toBe(true);
  });

  it("cannot use their tokens anywhere but at /mcp, nor another server's there", async () => {
    const { access_token, refresh_token } = await steps.connect(ada);
    const headers = { authorization: `Bearer ${access_token}` };
    for (const path of [
      "/api/",
      "/api/users/me/",
      "/api/projects/",
      "/account/",
      "/metrics",
      "/uploads/tus/",
    ]) {
      const { status } = await app.fetch(path, { headers, redirect: "manual" });
      expect([path, status]).toEqual([path, 403]);
    }
    const forged = { ...headers, "x-quire-inside": "true" };
    expect((await app.fetch("/api/users/me/", { headers: forged })).status).toBe(403);
    expect((await app.fetch("/api/users/me/", { headers: { "x-quire-inside": "true" } })).status).toBe(403);
    expect(await steps.works(refresh_token)).toBe(false);
    await app.context.database.write((writer) =>
      writer
        .updateTable("assistant_connections")
        .set({ resource: "https://elsewhere.example/mcp" })
        .where("user_id", "=", ada.id)
        .execute(),
    );
    expect(await steps.works(access_token)).toBe(false);
    await app.context.database.write((writer) =>
      writer
        .updateTable("assistant_connections")
        .set({ resource: `${app.url}/mcp` })
        .where("user_id", "=", ada.id)
        .execute(),
    );
    expect(await steps.works(access_token)).toBe(true);
    await app.context.database.write((writer) =>
      writer
        .updateTable("assistant_tokens")
        .set({ expires_at: "2025-01-31T12:00:00.000000Z" })
        .where("kind", "=", "access")
        .execute(),
    );
    expect(await steps.works(access_token)).toBe(false);
  });

  it("need a session that began with the second factor which the account needs by now", async () => {
    const careful = await addPerson(app.context, { username: "careful", organizations: [2], password });
    const { body } = await steps.register();
    const session = await beginSession(app.context, careful);
    const refused = await steps.consent(session, body.client_id, { decision: "allow" });
    expect([refused.status, refused.headers.get("location")]).toEqual([403, null]);
    await app.context.database.write((writer) =>
      writer.updateTable("sessions").set({ method: "totp" }).where("user_id", "=", careful.id).execute(),
    );
    expect((await steps.consent(session, body.client_id, { decision: "allow" })).status).toBe(303);
  });

  it("are removed when they are over: codes, tokens, connections, and clients that nobody has connected", async () => {
    const { database } = app.context;
    const old = "2025-01-31T12:00:00.000000Z";
    const { body: unused } = await steps.register();
    const { body: young } = await steps.register();
    const kept = await steps.connect(bob);
    const ended = await steps.connect(bob);
    await steps.code(ada, kept.clientId);
    const idOf = (client: string) =>
      database.reader.selectFrom("assistant_clients").select("id").where("client_id", "=", client);
    await database.write(async (writer) => {
      await writer.updateTable("assistant_codes").set({ expires_at: old }).execute();
      const clients = [unused.client_id, kept.clientId, ended.clientId];
      await writer
        .updateTable("assistant_clients")
        .set({ created_at: old })
        .where("client_id", "in", clients)
        .execute();
      await writer
        .updateTable("assistant_clients")
        .set({ used_at: old })
        .where("client_id", "=", ended.clientId)
        .execute();
      await writer
        .updateTable("assistant_connections")
        .set({ expires_at: old })
        .where("client_id", "=", idOf(ended.clientId))
        .execute();
    });
    await removeEndedAssistants(app.context);
    const clients = await database.reader
      .selectFrom("assistant_clients")
      .select("client_id")
      .where(
        "client_id",
        "in",
        [unused, young, kept, ended].map((one) => ("clientId" in one ? one.clientId : one.client_id)),
      )
      .orderBy("id")
      .execute();
    expect(clients.map(({ client_id }) => client_id)).toEqual([young.client_id, kept.clientId]);
    expect(await steps.works(kept.access_token)).toBe(true);
    expect(await steps.works(ended.access_token)).toBe(false);
    expect(await database.reader.selectFrom("assistant_codes").select("digest").execute()).toEqual([]);
  });
});

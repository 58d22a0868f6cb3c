import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { addDocuments } from "../../testing/factories.ts";
import { TestMailServer } from "../../testing/mail-server.ts";
import { type Person, addPerson } from "../../testing/people.ts";
import { sendAs } from "../../testing/requests.ts";
import { type TestApp, engines, startTestApp } from "../../testing/test-app.ts";
import { buildWorker } from "../../worker.ts";

const url = "https://quire.example";

describe.each(engines)("mails about mentions on %s", (engine) => {
  const server = new TestMailServer();
  let app: TestApp;
  let ada: Person;
  let bob: Person;
  let id: number;
  beforeAll(async () => {
    app = await startTestApp(engine, {
      QUIRE_URL: url,
      QUIRE_MAIL_URL: await server.start(),
      QUIRE_MAIL_FROM: "Quire <quire@quire.example>",
    });
    await addDocuments(app.context, []);
    ada = await addPerson(app.context, { username: "ada", organizations: [1], password: "any" });
    bob = await addPerson(app.context, { username: "bob", organizations: [2], password: "any" });
    const row = { user_id: ada.id, organization_id: 1, access: "public", page_count: 1 } as const;
    [id = 0] = await addDocuments(app.context, [row]);
  });
  afterAll(async () => {
    await app[Symbol.asyncDispose]();
    await server.stop();
  });

  const mention = async (access: string): Promise<void> => {
    const note = { title: "Secret words", page_number: 0, content: "@bob", access };
    expect((await sendAs(app, ada, "POST", `/api/documents/${id}/notes/`, note)).status).toBe(201);
  };

  /** Sends the mails that wait, as if their time had come. */
  async function sent(): Promise<string[]> {
    server.received.length = 0;
    await app.context.database.write((writer) =>
      writer.updateTable("jobs").set({ due_at: "2025-01-01T00:00:00.000000Z" }).execute(),
    );
    const worker = buildWorker(app.context, { backoffSeconds: () => 0 });
    worker.start();
    await worker.drain();
    await worker.stop();
    return server.received.map(({ text }) => text);
  }

  it("count what was not read, and are declined at one click, without signing in", async () => {
    await mention("public");
    await mention("public");
    await mention("private");
    const [text = "", ...others] = await sent();
    expect(others).toEqual([]);
    expect(text).toMatch(/^Subject: 2 notes mention you\r?$/m);
    expect(text).toContain(`${url}/notifications/`);
    expect(text).not.toContain("Secret words");

    // Quire sends no mail about a mention that was read.
    await mention("public");
    await sendAs(app, bob, "PATCH", "/api/account/notifications/", {});
    expect(await sent()).toEqual([]);

    expect(text).toMatch(/^List-Unsubscribe-Post: List-Unsubscribe=One-Click\r?$/m);
    const [, path = ""] =
      /List-Unsubscribe:\s+<https:\/\/quire\.example(\/unsubscribe\/[^>]+)>/.exec(text) ?? [];
    const forged = path.replace(`notices-${bob.id}`, `notices-${ada.id}`);
    expect(forged).not.toBe(path);
    const click = (target: string): Promise<Response> =>
      app.fetch(target, { method: "POST", body: new URLSearchParams({ "List-Unsubscribe": "One-Click" }) });
    const wanted = async (person: Person): Promise<unknown> => {
      const reader = app.context.database.reader.selectFrom("users").select("mail_notices");
      return Boolean((await reader.where("id", "=", person.id).executeTakeFirstOrThrow()).mail_notices);
    };
    expect((await click(forged)).status).toBe(404);
    expect(await (await app.fetch(path)).text()).toContain("No more notices by mail");
    expect([await wanted(ada), await wanted(bob)]).toEqual([true, true]);
    expect((await click(path)).status).toBe(200);
    expect([await wanted(ada), await wanted(bob)]).toEqual([true, false]);
    await mention("public");
    expect(await sent()).toEqual([]);
    const { body } = await sendAs(app, bob, "GET", "/api/account/notifications/");
    expect(body.unread).toBe(1);
  });
});

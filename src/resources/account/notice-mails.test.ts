import { beforeAll, describe, expect, it } from "vitest";
import type { Notifications } from "../../contract/notification.ts";
import { addDocuments } from "../../testing/factories.ts";
import { useMailServer } from "../../testing/mail-server.ts";
import { type Person, addPerson, beginSession } from "../../testing/people.ts";
import { sendAs } from "../../testing/requests.ts";
import { engines, useApp } from "../../testing/test-app.ts";
import { runJobs } from "../../testing/use-worker.ts";

const url = "https://quire.example";

const unsubscribePath = (text: string): string =>
  /List-Unsubscribe:\s+<https:\/\/quire\.example(\/unsubscribe\/[^>]+)>/.exec(text)?.[1] ?? "";

describe.each(engines)("mails about notices on %s", (engine) => {
  const server = useMailServer();
  const app = useApp(engine, () => server.settings);
  const ada = app.person("ada", { organizations: [1], password: "any" });
  const bob = app.person("bob", { organizations: [2], password: "any" });
  let id: number;
  beforeAll(async () => {
    const row = { user_id: ada.id, organization_id: 1, access: "public", page_count: 1 } as const;
    [id = 0] = await addDocuments(app.context, [row]);
  });

  const mention = async (access: string): Promise<number> => {
    const note = { title: "Secret words", page_number: 0, content: "@bob", access };
    const { status, body } = await sendAs(app, ada, "POST", `/api/documents/${id}/notes/`, note);
    expect(status).toBe(201);
    return (body as { id: number }).id;
  };

  /** Sends the mails that wait, as if their time had come. */
  async function sent(): Promise<string[]> {
    server.received.length = 0;
    await app.context.database.write((writer) =>
      writer.updateTable("jobs").set({ due_at: "2025-01-01T00:00:00.000000Z" }).execute(),
    );
    await runJobs(app.context, { backoffSeconds: () => 0 });
    return server.received.map(({ text }) => text);
  }

  const click = (target: string): Promise<Response> =>
    app.fetch(target, { method: "POST", body: new URLSearchParams({ "List-Unsubscribe": "One-Click" }) });
  async function choose(person: Person, choices: Record<string, unknown>): Promise<Record<string, unknown>> {
    const session = await beginSession(app.context, person);
    const answer = await sendAs(app, null, "PATCH", "/api/account/", choices, { ...session });
    expect(answer.status).toBe(200);
    return answer.body;
  }

  it("count mentions that were not read and may be seen, and are declined by kind at one click", async () => {
    await mention("public");
    await mention("public");
    await mention("private");
    const gone = await mention("public");
    await sendAs(app, ada, "DELETE", `/api/documents/${id}/notes/${gone}/`);
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
    const path = unsubscribePath(text);
    const forged = path.replace(`notices-${bob.id}`, `notices-${ada.id}`);
    const ofOtherKind = path.replace("-mentioned.", "-shared.");
    for (const wrong of [forged, ofOtherKind]) {
      expect(wrong).not.toBe(path);
      expect((await click(wrong)).status).toBe(404);
    }
    expect(await (await app.fetch(path)).text()).toContain("A note mentions me");
    expect(await choose(bob, {})).toMatchObject({ notice_mentioned: "mail" });
    expect((await click(path)).status).toBe(200);
    const chosen = { mail_notices: true, notice_mentioned: "page", notice_shared: "mail" };
    expect(await choose(bob, {})).toMatchObject(chosen);
    await mention("public");
    expect(await sent()).toEqual([]);
    const { body } = await sendAs(app, bob, "GET", "/api/account/notifications/");
    expect(body.unread).toBe(1);
  });

  it("tell a document's people what others do with it, as each has chosen", async () => {
    const { body: made } = await sendAs(app, ada, "POST", "/api/projects/", { title: "The harbour" });
    const project = made.id as number;
    const cara = await addPerson(app.context, { username: "cara", password: "any" });
    for (const person of [bob, cara])
      await sendAs(app, ada, "POST", `/api/projects/${project}/users/`, {
        email: `${person.username}@example.org`,
        access: "edit",
      });
    const row = {
      user_id: bob.id,
      organization_id: 2,
      access: "private",
      page_count: 1,
      title: "Minutes",
    } as const;
    const [document = 0] = await addDocuments(app.context, [row]);
    for (const kind of ["annotated", "opened"])
      for (const person of [ada, bob]) await choose(person, { [`notice_${kind}`]: "mail" });
    await choose(cara, { notice_annotated: "off", notice_opened: "page", mail_notices: false });
    await sent();
    const told = async (person: Person): Promise<string[]> => {
      const { body } = await sendAs(app, person, "GET", "/api/account/notifications/");
      await sendAs(app, person, "PATCH", "/api/account/notifications/", {});
      const { results } = body as Notifications;
      return results
        .filter(({ is_new }) => is_new)
        .map(({ kind, count, title }) => `${kind} ${count} ${title}`);
    };
    for (const person of [ada, bob, cara]) await told(person);

    await sendAs(app, bob, "POST", `/api/projects/${project}/documents/`, { document });
    const mailed = await sent();
    expect(mailed.map((text) => /^(?:Subject|To): .*$/gm.exec(text)?.[0])).toHaveLength(1);
    expect(mailed[0]).toContain(`${url}/documents/${document}`);
    expect(mailed[0]).toMatch(/^Subject: A document was shared\r?$/m);
    expect(unsubscribePath(mailed[0] ?? "")).toContain(`notices-${ada.id}-opened.`);
    expect([await told(ada), await told(bob), await told(cara)]).toEqual([
      ["opened 1 Minutes"],
      [],
      ["opened 1 Minutes"],
    ]);

    // Of three notes, the others learn of the two that they may see. Ada reads them first, so only Bob gets a mail.
    for (const access of ["public", "organization", "private"]) {
      const note = { title: "A note", page_number: 0, access };
      const { status } = await sendAs(app, cara, "POST", `/api/documents/${document}/notes/`, note);
      expect(status).toBe(201);
    }
    expect([await told(ada), await told(cara)]).toEqual([["annotated 2 Minutes"], []]);
    const [toBob = "", ...more] = await sent();
    expect(more).toEqual([]);
    expect(toBob).toMatch(/^Subject: A document has new notes\r?$/m);
    expect(toBob).toContain("bob@");
    expect(await told(bob)).toEqual(["annotated 2 Minutes"]);

    // A person who can no longer see the document when the mail is sent is not told.
    await sendAs(app, cara, "POST", `/api/documents/${document}/notes/`, {
      title: "Late",
      page_number: 0,
      access: "public",
    });
    await sendAs(app, bob, "DELETE", `/api/projects/${project}/documents/${document}/`);
    expect((await sent()).map((text) => /^To: (.*?)\r?$/m.exec(text)?.[1])).toEqual(["bob@example.org"]);
  });
});

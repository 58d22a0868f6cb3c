import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { useMailServer } from "../../testing/mail-server.ts";
import { type Person, addPerson, beginSession } from "../../testing/people.ts";
import { type Reply, sendAs } from "../../testing/requests.ts";
import { isInFull } from "../../testing/runs.ts";
import { engines, startTestApp, useApp } from "../../testing/test-app.ts";
import { runJobs } from "../../testing/use-worker.ts";
import { buildWorker } from "../../worker.ts";

const linkIn = ({ text }: { text: string }): string =>
  /https:\/\/quire\.example\/set-password\/\?token=[\w-]+/.exec(text)?.[0] ?? "";

const url = "https://quire.example";

describe.each(engines)("mails on %s", (engine) => {
  const server = useMailServer();
  const app = useApp(engine, () => server.settings);
  const boss = app.person("boss", { isAdministrator: true, password: "any" });
  const maria = app.person("maria", { password: "any" });
  let headers: Record<string, string>;
  beforeAll(async () => {
    headers = { ...(await beginSession(app.context, boss)) };
  });
  beforeEach(async () => {
    server.received.length = 0;
    server.refusal = null;
    await app.context.database.write((writer) => writer.deleteFrom("sign_in_attempts").execute());
  });

  const send = (method: string, path: string, value?: unknown): Promise<Reply> =>
    app.send(null, method, `/api/admin/${path}`, value, headers);

  const work = (): Promise<void> => runJobs(app.context, { backoffSeconds: () => 0 });

  const ask = (name: string, more: Record<string, string> = {}): Promise<Response> =>
    app.fetch("/forgot-password/", { method: "POST", body: new URLSearchParams({ name }), headers: more });

  const statusOf = async (link: string): Promise<number> => (await app.fetch(link.slice(url.length))).status;

  it("invite a user, and reset a password, without showing the link to the administrator", async () => {
    const user = { username: "otto", name: "Otto\r\nBcc: x@example.org", email: "otto@example.org" };
    const invited = await send("POST", "users/", { ...user, send_mail: true });
    expect([invited.status, invited.body.link]).toEqual([201, null]);
    expect(server.received).toEqual([]);
    await work();
    const [mail] = server.received;
    expect(mail?.to).toBe("otto@example.org");
    expect(mail?.text).toMatch(/^From: Quire <quire@quire\.example>\r?$/m);
    expect(mail?.text).not.toMatch(/^Bcc:/m);
    expect(mail?.text).toContain("Your username is otto.");
    expect(await statusOf(linkIn(mail ?? { text: "" }))).toBe(200);
    const [listed] = (await send("GET", "mails/")).body.results;
    expect(listed).toMatchObject({ kind: "invitation", username: "otto", state: "sent", problem: null });

    const reset = await send("POST", `users/${maria.id}/link/`, { send_mail: true });
    expect([reset.status, reset.body.link]).toEqual([201, null]);
    await work();
    expect(server.received.at(-1)?.to).toBe("maria@example.org");
    expect((await send("POST", "users/", { username: "anna", send_mail: true })).status).toBe(400);
  });

  it("are tried again when the server is busy, and given up when it refuses, and leave no link", async () => {
    const { reader } = app.context.database;
    const linksOf = async (id: number): Promise<number> =>
      (await reader.selectFrom("password_links").select("digest").where("user_id", "=", id).execute()).length;
    const { id } = (await send("POST", "users/", { username: "ida", email: "ida@example.org" })).body;
    const before = await linksOf(id);
    for (const [refusal, attempts] of [
      [451, 6],
      [550, 1],
    ] as const) {
      server.refusal = refusal;
      const logged = app.logged.length;
      await send("POST", `users/${id}/link/`, { send_mail: true });
      await work();
      const tried = app.logged.slice(logged).filter(({ job }) => job === "send mail");
      expect([refusal, tried.length]).toEqual([refusal, attempts]);
      const [listed] = (await send("GET", "mails/")).body.results;
      expect(listed).toMatchObject({ state: "failed", problem: expect.stringContaining("Refused") });
      expect(await linksOf(id)).toBe(before);
    }
    server.refusal = null;
    const [failed] = (await send("GET", "mails/")).body.results;
    expect((await send("POST", `mails/${failed.id}/`)).status).toBe(204);
    await work();
    expect(server.received).toHaveLength(1);
    expect((await send("POST", `mails/${failed.id}/`)).status).toBe(400);
    expect((await send("DELETE", `mails/${failed.id}/`)).status).toBe(204);
    expect((await send("DELETE", `mails/${failed.id}/`)).status).toBe(404);
  });

  it("reset a forgotten password, with the same answer and the same writes whoever asks", async () => {
    expect(await (await app.fetch("/sign-in/")).text()).toContain("Forgot your password?");
    const pages = new Set<string>();
    for (const name of ["maria", "MARIA@example.org", "nobody", "nobody@example.org", "a b\0c"]) {
      const before = await app.context.database.reader.selectFrom("jobs").select("id").execute();
      const answer = await ask(name);
      expect([name, answer.status]).toEqual([name, 200]);
      pages.add(await answer.text());
      const after = await app.context.database.reader.selectFrom("jobs").select("id").execute();
      expect([name, after.length - before.length]).toEqual([name, 1]);
    }
    expect(pages.size).toBe(1);
    await work();
    expect(server.received.map(({ to }) => to)).toEqual(["maria@example.org", "maria@example.org"]);
    const link = linkIn(server.received[0] ?? { text: "" });
    const password = "a lamp by the harbour";
    const token = new URL(link).searchParams.get("token") ?? "";
    const answer = await app.fetch("/set-password/", {
      method: "POST",
      body: new URLSearchParams({ token, password, repeated: password }),
      redirect: "manual",
    });
    expect(answer.status).toBe(303);
    expect(await statusOf(linkIn(server.received[1] ?? { text: "" }))).toBe(404);
    const kept = await app.context.database.reader
      .selectFrom("mails")
      .select("id")
      .where("user_id", "is", null)
      .execute();
    expect(kept).toEqual([]);
  });

  it("are limited: three resets for a name, ten from a network, and none from another site", async () => {
    for (let times = 0; times < 5; times++) expect((await ask("maria")).status).toBe(200);
    await work();
    expect(server.received).toHaveLength(3);
    for (let times = 5; times < 10; times++) expect((await ask(`other-${times}`)).status).toBe(200);
    expect((await ask("maria")).status).toBe(429);
    expect((await ask("maria", { origin: "https://evil.example" })).status).toBe(403);
    await work();
  });

  /** Ends the time in which a notice collects failures. */
  async function goOn(): Promise<void> {
    await app.context.database.write((writer) =>
      writer
        .updateTable("jobs")
        .set({ due_at: "2025-01-01T00:00:00.000000Z" })
        .where("kind", "=", "send mail")
        .execute(),
    );
    await work();
  }

  describe("about shared projects", () => {
    let owner: Person;
    let reader: Person;
    let number = 0;
    beforeEach(async () => {
      number += 1;
      owner = await addPerson(app.context, { username: `owner${number}`, organizations: [1] });
      reader = await addPerson(app.context, { username: `reader${number}`, password: "any" });
    });

    async function share(title: string, by = owner): Promise<number> {
      const { id } = (await sendAs(app, by, "POST", "/api/projects/", { title })).body;
      const email = `${reader.username}@example.org`;
      expect((await sendAs(app, by, "POST", `/api/projects/${id}/users/`, { email })).status).toBe(201);
      return id;
    }

    it("come as one mail, whose subject has no words of other people", async () => {
      const titles = Array.from({ length: 40 }, (_, index) => `Harbour “dues” ${index + 1}`);
      const ids: number[] = [];
      for (const title of titles) ids.push(await share(title));
      expect(server.received).toEqual([]);
      await sendAs(app, owner, "DELETE", `/api/projects/${ids[1]}/users/${reader.id}/`);
      await goOn();
      expect(server.received.map(({ to }) => to)).toEqual([`${reader.username}@example.org`]);
      const text = server.received[0]?.text ?? "";
      expect(text).toMatch(/^Subject: 39 projects were shared with you\r?$/m);
      expect(text).toContain(`owner${number} has shared the project “Harbour “dues” 1” with you`);
      expect(text).toContain(`${url}/projects/${ids[0]}-harbour-dues-1/`);
      expect(text).toContain("And 20 more.");
      expect(text).not.toMatch(/dues” (2|21)”/);
    });

    it("are at most four a day, and the next one tells of all that was shared meanwhile", async () => {
      for (const title of ["One", "Two", "Three", "Four"]) {
        await share(title);
        await goOn();
      }
      expect(server.received).toHaveLength(4);
      expect(server.received[3]?.text).toMatch(/^Subject: A project was shared with you\r?$/m);
      const other = await addPerson(app.context, { username: `other${number}`, organizations: [1] });
      await share("Five");
      await share("Six", other);
      const { due_at: due } = await app.context.database.reader
        .selectFrom("jobs")
        .select("due_at")
        .where("kind", "=", "send mail")
        .executeTakeFirstOrThrow();
      expect(Date.parse(due) - Date.now()).toBeGreaterThan(23 * 3_600_000);
      await goOn();
      expect(server.received).toHaveLength(5);
      expect(server.received[4]?.text).toMatch(/Five[^]*Six/);
    });

    // These are about what the mail server gets, and write nothing else.
    if (!isInFull(engine)) return;

    it("stop for a person who shares more than a hundred times within a quarter of an hour", async () => {
      await app.context.database.write((writer) =>
        writer
          .insertInto("sign_in_attempts")
          .values({ subject: `share:${owner.id}`, attempts: 99, since: new Date().toISOString() })
          .execute(),
      );
      await share("The hundredth");
      await share("One more");
      await goOn();
      expect(server.received).toHaveLength(1);
      expect(server.received[0]?.text).not.toContain("One more");
      await share("Nobody hears of it");
      await goOn();
      expect(server.received).toHaveLength(1);
    });

    it("are not sent to people who want none, nor about projects that are not shared any more", async () => {
      const id = await share("Taken back");
      await sendAs(app, owner, "DELETE", `/api/projects/${id}/users/${reader.id}/`);
      await goOn();
      const session = await beginSession(app.context, reader);
      await sendAs(app, null, "PATCH", "/api/account/", { mail_notices: false }, { ...session });
      await share("Unwanted");
      await goOn();
      expect(server.received).toEqual([]);
    });
  });

  describe("about documents that could not be processed", () => {
    let olive: Person;
    let session: Record<string, string>;
    let number = 0;
    beforeEach(async () => {
      number += 1;
      olive = await addPerson(app.context, {
        username: `olive${number}`,
        organizations: [1],
        password: "any",
      });
      session = { ...(await beginSession(app.context, olive)) };
    });

    /** Uploads files that are no PDFs, and lets them fail. Returns the ids of the documents. */
    async function fail(...titles: readonly string[]): Promise<number[]> {
      const ids: number[] = [];
      for (const title of titles) {
        const { body } = await sendAs(app, olive, "POST", "/api/documents/", { title });
        await app.fetch(new URL(body.presigned_url).pathname + new URL(body.presigned_url).search, {
          method: "PUT",
          body: "not a PDF",
        });
        await sendAs(app, olive, "POST", `/api/documents/${body.id}/process/`, {});
        ids.push(body.id);
      }
      // The notice waits in the queue, so the queue does not become empty. Each stream ends with the work on its
      // document.
      const worker = buildWorker(app.context, { backoffSeconds: () => 0 });
      worker.start();
      for (const id of ids) {
        const events = `/api/documents/${id}/process/events/`;
        await (await app.fetch(events, { headers: olive.headers })).text();
      }
      await worker.stop();
      return ids;
    }

    const choose = (value: object): Promise<Reply> =>
      sendAs(app, null, "PATCH", "/api/account/", value, session);

    it("come as one mail, in the language of the person, and later failures in another one", async () => {
      await choose({ language: "de" });
      const ids = await fail("Hafen", "Kosten", "Rest");
      expect(server.received).toEqual([]);
      await goOn();
      expect(server.received.map(({ to }) => to)).toEqual([`olive${number}@example.org`]);
      const text = server.received[0]?.text ?? "";
      for (const id of ids) expect(text).toContain(`${url}/documents/${id}`);
      expect(text).toContain("Quire konnte 3 Ihrer Dokumente nicht verarbeiten");
      expect(text).toContain(`${url}/account/`);
      await fail("Another one");
      await goOn();
      expect(server.received).toHaveLength(2);
    });

    // Its statements are those of the test above, of the trash and of the account.
    if (!isInFull(engine)) return;

    it("are not sent to people who want none, nor about documents that are gone", async () => {
      const [id] = await fail("Minutes");
      await sendAs(app, olive, "DELETE", `/api/documents/${id}/`);
      await goOn();
      await fail("Report");
      expect((await choose({ mail_notices: false })).status).toBe(200);
      await goOn();
      await fail("Another report");
      await goOn();
      expect(server.received).toEqual([]);
      const waiting = await app.context.database.reader
        .selectFrom("mails")
        .select("id")
        .where("user_id", "=", olive.id)
        .execute();
      expect(waiting).toEqual([]);
      const account = await (await app.fetch("/account/", { headers: session })).text();
      expect(account).toMatch(/name="mail_notices"\s+type="checkbox"\s+value="true"\s+\/>/);
      for (const form of [{ mail_notices: "true" }, {}]) {
        const body = new URLSearchParams({ ...form, csrfmiddlewaretoken: session["x-csrftoken"] ?? "" });
        const { cookie = "" } = session;
        const answer = await app.fetch("/account/notices/", {
          method: "POST",
          body,
          headers: { cookie },
          redirect: "manual",
        });
        expect(answer.status).toBe(303);
        const { body: own } = await sendAs(app, null, "GET", "/api/account/", undefined, session);
        expect(own.mail_notices).toBe("mail_notices" in form);
      }
    });
  });

  it("are not offered without a mail server", async () => {
    await using without = await startTestApp("sqlite");
    expect((await without.fetch("/forgot-password/")).status).toBe(404);
    expect(await (await without.fetch("/sign-in/")).text()).not.toContain("Forgot");
  });
});

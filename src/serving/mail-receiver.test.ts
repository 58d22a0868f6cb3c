import { once } from "node:events";
import { createConnection } from "node:net";
import { createTransport } from "nodemailer";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { JobRunner } from "../jobs/runner.ts";
import { addPerson, beginSession } from "../testing/people.ts";
import { sendAs } from "../testing/requests.ts";
import { defaultEngines, useApp } from "../testing/test-app.ts";
import { buildWorker } from "../worker.ts";
import { type MailReceiver, startMailReceiver } from "./mail-receiver.ts";

const domain = "in.quire.example";

describe.each(defaultEngines)("mails by SMTP on %s", (engine) => {
  const app = useApp(engine, {
    QUIRE_MAIL_IN_DOMAIN: domain,
    QUIRE_MAIL_IN_PORT: "0",
    QUIRE_MAIL_IN_MAX_MB: "1",
  });
  let receiver: MailReceiver;
  let worker: JobRunner;
  let session: Record<string, string>;
  const maria = app.person("maria", { organizations: [1], password: "any" });
  beforeAll(async () => {
    const started = await startMailReceiver(app.context);
    if (started === null) throw new Error("The receiver did not start");
    receiver = started;
    worker = buildWorker(app.context);
    const boss = await addPerson(app.context, { username: "boss", isAdministrator: true, password: "any" });
    session = { ...(await beginSession(app.context, boss)) };
  });
  afterAll(async () => {
    await worker.stop();
    await receiver[Symbol.asyncDispose]();
  });

  const attachments = [
    { filename: "minutes.txt", content: "The council met." },
    { filename: "a.csv", content: "1,2" },
  ];
  const mailOf = (subject: string, more: object = {}) => ({
    from: "press@sender.example",
    subject,
    text: "Please see the attachments.",
    attachments,
    messageId: `<${subject.replaceAll(/\W/g, "")}@sender.example>`,
    date: new Date(0),
    baseBoundary: "quire",
    ...more,
  });

  /** Sends a mail as another server does. Returns the code and the words of the answer. */
  async function send(key: string | readonly string[], mail: object): Promise<[number, string]> {
    const transport = createTransport({ host: "127.0.0.1", port: receiver.address.port, secure: false });
    const to = [key].flat().map((each) => `${each}@${domain}`);
    try {
      const { response } = await transport.sendMail({
        ...mail,
        envelope: { from: "press@sender.example", to },
      });
      return [Number(response.slice(0, 3)), response.slice(4)];
    } catch (error) {
      const { responseCode = 0, response = "" } = error as { responseCode?: number; response?: string };
      return [responseCode, response.slice(4)];
    } finally {
      transport.close();
    }
  }

  async function newKey(): Promise<string> {
    const { body } = await sendAs(app, maria, "POST", "/api/users/mailkey/", {});
    return (body as { mailkey: string }).mailkey;
  }

  interface Shown {
    id: number;
    title: string;
    access: string;
    projects: number[];
  }
  const documents = async (): Promise<Shown[]> =>
    (await sendAs(app, maria, "GET", "/api/documents/?ordering=id")).body["results"] as Shown[];

  const refusals = async (): Promise<unknown[]> => {
    const { body } = await sendAs(app, null, "GET", "/api/admin/refused_mails/", undefined, session);
    return (body["results"] as Record<string, unknown>[]).map(({ username, reason, times }) => [
      username,
      reason,
      times,
    ]);
  };

  it("become families of the key's owner, once each", async () => {
    const key = await newKey();
    const mail = mailOf("Réunion du conseil");
    expect(await send(key, mail)).toEqual([250, "OK: recorded"]);
    // The sender has not heard the answer.
    expect(await send(key, mail)).toEqual([250, "OK: recorded"]);
    const raw = { raw: "Message-ID: <1@x>\r\nSubject: Twice\r\n\r\nOne\r\n" };
    await Promise.all([send(key, raw), send(key, raw), send([key, key], raw)]);
    worker.start();
    await worker.drain();
    await worker.stop();
    const found = await documents();
    expect(found.filter(({ title }) => title === "Twice")).toHaveLength(1);
    const [first, ...others] = found.filter(({ title }) => title === "Réunion du conseil");
    expect(others).toEqual([]);
    expect(first).toMatchObject({ access: "private", projects: [] });
    const family = await sendAs(app, maria, "GET", `/api/documents/${first?.id}/family/`);
    expect(JSON.stringify(family.body)).toContain("minutes.txt");
    const history = await sendAs(app, maria, "GET", `/api/documents/${first?.id}/history/`);
    expect(JSON.stringify(history.body)).toContain("press@sender.example");
    expect((await sendAs(app, null, "GET", `/api/documents/${first?.id}/`)).status).toBe(404);
  });

  it("join the project of the key, with its access, for as long as its owner may add documents", async () => {
    const project = await sendAs(app, maria, "POST", "/api/projects/", { title: "Council" });
    const { id } = project.body as { id: number };
    const headers = await beginSession(app.context, maria);
    const form = new URLSearchParams({ project: String(id), access: "organization" });
    const page = await app.fetch("/account/mail/", { method: "POST", body: form, headers: { ...headers } });
    const [, key = ""] =
      /<code class="token">([\da-f-]{36})@in\.quire\.example</.exec(await page.text()) ?? [];
    expect((await send(key, mailOf("For the project")))[0]).toBe(250);
    const shown = (await documents()).find(({ title }) => title === "For the project");
    expect(shown).toMatchObject({ projects: [id], access: "organization" });
    await app.context.database.write((writer) =>
      writer
        .updateTable("project_collaborators")
        .set({ access: "view" })
        .where("project_id", "=", id)
        .execute(),
    );
    for (const subject of ["Late", "Later"])
      expect(await send(key, mailOf(subject))).toEqual([550, "No such address"]);
    expect(await refusals()).toEqual([
      ["maria", "The owner of the address may not add documents to the project any more", 2],
    ]);
  });

  it("are refused with the same words for a key that never was, one that was revoked, and a disabled owner", async () => {
    const revoked = await newKey();
    expect((await sendAs(app, maria, "DELETE", "/api/users/mailkey/")).status).toBe(204);
    const replaced = await newKey();
    const key = await newKey();
    const unknown = "00000000-0000-4000-8000-000000000000";
    const before = (await documents()).length;
    const answers = new Set<string>();
    for (const each of [revoked, replaced, unknown, "maria"])
      answers.add(String(await send(each, mailOf("Refused"))));
    await app.context.database.write((writer) =>
      writer.updateTable("users").set({ is_active: false }).where("id", "=", maria.id).execute(),
    );
    answers.add(String(await send(key, mailOf("Refused"))));
    await app.context.database.write((writer) =>
      writer.updateTable("users").set({ is_active: true }).where("id", "=", maria.id).execute(),
    );
    expect([...answers]).toEqual(["550,No such address"]);
    expect(await documents()).toHaveLength(before);
  });

  it("leave nothing behind if they are cut or too large", async () => {
    const key = await newKey();
    const before = (await documents()).length;
    const socket = createConnection({ host: "127.0.0.1", port: receiver.address.port });
    const words = ["EHLO x", "MAIL FROM:<a@b.example>", `RCPT TO:<${key}@${domain}>`, "DATA"];
    for (const word of ["", ...words]) {
      if (word !== "") socket.write(`${word}\r\n`);
      await once(socket, "data");
    }
    socket.write("Subject: Cut\r\n\r\nThe beginning of");
    const ended = once(socket, "close");
    socket.end();
    await ended;
    const large = mailOf("Large", { text: "x".repeat(1_500_000) });
    expect((await send(key, large))[0]).toBe(552);
    // A client that does not say the size beforehand.
    const { code } = await spoken(
      key,
      `Subject: Large\r\n\r\n${"x".repeat(78).concat("\r\n").repeat(16_000)}.\r\n`,
    );
    expect(code).toBe("552");
    expect(await documents()).toHaveLength(before);
    expect(JSON.stringify(await refusals())).toContain("The mail is larger than 1 MB");
  });

  async function spoken(key: string, data: string): Promise<{ code: string }> {
    const socket = createConnection({ host: "127.0.0.1", port: receiver.address.port });
    let heard = "";
    const words = ["EHLO x", "MAIL FROM:<a@b.example>", `RCPT TO:<${key}@${domain}>`, "DATA", data];
    for (const word of ["", ...words]) {
      if (word !== "") socket.write(word.endsWith("\n") ? word : `${word}\r\n`);
      [heard] = (await once(socket, "data")).map(String) as [string];
    }
    socket.destroy();
    return { code: heard.slice(0, 3) };
  }
});

import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { TestImapServer } from "../../testing/imap-server.ts";
import { beginSession } from "../../testing/people.ts";
import { type Reply, sendAs } from "../../testing/requests.ts";
import { engines, useApp } from "../../testing/test-app.ts";
import { runJobs } from "../../testing/use-worker.ts";
import { queueFetching } from "./fetch-mails.ts";
import { findMailKeys } from "./store.ts";

const domain = "in.quire.example";

const mailOf = (subject: string, to: string, text = "Words") =>
  `Delivered-To: ${to}\r\nFrom: Press <press@sender.example>\r\nTo: x@y.example\r\n` +
  `Message-ID: <${subject}@sender.example>\r\nSubject: ${subject}\r\n\r\n${text}\r\n`;

describe.each(engines)("mails by IMAP on %s", (engine) => {
  const mailbox = new TestImapServer();
  let address: string;
  beforeAll(async () => {
    address = await mailbox.start();
  });
  afterAll(() => mailbox.stop());
  const app = useApp(engine, () => ({
    QUIRE_MAIL_IN_DOMAIN: domain,
    QUIRE_MAIL_IN_IMAP: address,
    QUIRE_MAIL_IN_MAX_MB: "1",
  }));
  const maria = app.person("maria", { organizations: [1], password: "any" });
  const boss = app.person("boss", { isAdministrator: true, password: "any" });
  let session: Record<string, string>;
  beforeAll(async () => {
    session = { ...(await beginSession(app.context, boss)) };
  });

  async function fetchAll(): Promise<void> {
    await queueFetching(app.context);
    await runJobs(app.context, { backoffSeconds: () => 0 });
  }

  const titles = async (): Promise<string[]> => {
    const { body } = await sendAs(app, maria, "GET", "/api/documents/?ordering=id");
    return (body["results"] as { title: string }[]).map(({ title }) => title).toSorted();
  };
  const reasons = async (): Promise<string[]> => {
    const { body } = await sendAs(app, null, "GET", "/api/admin/refused_mails/", undefined, session);
    return (body["results"] as { reason: string }[]).map(({ reason }) => reason);
  };

  it("become documents once, whatever breaks, and what is refused is listed", async () => {
    const { body } = await sendAs(app, maria, "POST", "/api/users/mailkey/", {});
    const { mailkey: key } = body as { mailkey: string };
    const mine = `${key.toUpperCase()}@${domain}`;
    mailbox.mails.set(3, mailOf("First", mine));
    mailbox.mails.set(5, mailOf("Elsewhere", "somebody@in.quire.example"));
    mailbox.mails.set(6, mailOf("Large", mine, "x".repeat(1_200_000)));
    mailbox.mails.set(9, mailOf("Second", mine, "y".repeat(200_000)));
    mailbox.breaksAfterBytes = 50_000;
    await fetchAll();
    expect(await titles()).toEqual(["First"]);
    expect(await reasons()).toContain("No such address");
    expect((await reasons()).join(" ")).toMatch(/The mailbox was not read to its end/);

    mailbox.breaksAfterBytes = Infinity;
    await fetchAll();
    await fetchAll();
    expect(await titles()).toEqual(["First", "Second"]);
    expect(mailbox.sent.filter((uid) => uid === 3)).toHaveLength(1);
    expect(await reasons()).toContain("The mail is larger than 1 MB");

    // The mailbox was made again: its UIDs name other mails, or the same ones again.
    mailbox.uidValidity = 8;
    mailbox.mails.set(10, mailOf("Third", mine));
    await fetchAll();
    expect(await titles()).toEqual(["First", "Second", "Third"]);
    expect(mailbox.sent.filter((uid) => uid === 3)).toHaveLength(2);
  });

  it("are taken in although one before them has headers that are too long to be parsed", async () => {
    const { body } = await sendAs(app, maria, "POST", "/api/users/mailkey/", {});
    const mine = `${(body as { mailkey: string }).mailkey}@${domain}`;
    const long = `X-Long: ${"x".repeat(70)}\r\n`.repeat(20_000);
    mailbox.mails.set(20, mailOf("Endless", mine).replace("Message-ID", `${long}Message-ID`));
    mailbox.mails.set(21, mailOf("Behind it", mine));
    await fetchAll();
    expect(await titles()).toContain("Behind it");
  });

  it("have one address, the last one, when several are made at once", async () => {
    const make = (): Promise<Reply> => sendAs(app, maria, "POST", "/api/users/mailkey/", {});
    const made = await Promise.all(Array.from({ length: 6 }, make));
    expect(made.map(({ status }) => status)).toEqual(made.map(() => 200));
    const keys = await findMailKeys(app.context.database.reader, maria.id);
    expect(keys).toHaveLength(1);
  });
});

import { Readable } from "node:stream";
import sharp from "sharp";
import { describe, expect, it } from "vitest";
import { decodeCursor } from "../../src/http/request/cursor.ts";
import { enqueue } from "../../src/jobs/queue.ts";
import { listQueue } from "../../src/resources/administration/queue-store.ts";
import { addReceipt } from "../../src/resources/documents/receipt-store.ts";
import { addDocuments } from "../../src/testing/factories.ts";
import { buildPdf } from "../../src/testing/pdf.ts";
import { useMailServer } from "../../src/testing/mail-server.ts";
import { addPerson } from "../../src/testing/people.ts";
import { startTestApp, useApp } from "../../src/testing/test-app.ts";
import { runJobs } from "../../src/testing/use-worker.ts";
import { buildWorker } from "../../src/worker.ts";
import { focusedName, looksRight, workAs } from "./desk.ts";
import { open, useBrowser } from "./reader.ts";
import { shareInWindow, viewers } from "./viewer.ts";
import { ownMenu } from "./signed-in.ts";

const start = decodeCursor(undefined, null);

const browser = useBrowser();

describe("the pages for administrators", () => {
  const app = useApp("sqlite");
  const boss = app.person("boss", { isAdministrator: true, password: "any" });

  it.each(viewers)(
    "invite people, and manage them and their organizations, by $width pixels",
    async (reader) => {
      const name = `maria-${reader.width}`;
      const person = { browser, app, person: boss, reader };
      let link = "";
      await workAs(person, "/", async (page) => {
        await (await ownMenu(page)).getByRole("link", { name: "Administration" }).click();
        const pages = page.getByRole("navigation", { name: "Administration" });
        await pages.getByRole("link", { name: "People" }).click();
        await page.getByText("Invite someone").click();
        const form = page.getByRole("form", { name: "Invite someone" });
        await form.getByLabel("Username").fill("boss");
        await form.getByRole("button", { name: "Create the account" }).click();
        const refusal = page.getByRole("alert").getByText("There is a user boss already");
        await refusal.waitFor();
        // The form is long on a phone: the message is where the person is.
        await expect.poll(() => shareInWindow(refusal)).toBe(1);
        await expect.poll(() => focusedName(page)).toBe("Username");
        await form.getByLabel("Username").fill(name);
        await form.getByLabel("Name", { exact: true }).fill("Maria Lind");
        await form.getByLabel("Email").fill(`${name}@example.org`);
        await form.getByLabel("Organization").fill(`Harbour Press ${reader.width}`);
        await looksRight(page, reader, "admin-invite");
        await form.getByRole("button", { name: "Create the account" }).click();
        const made = page.getByRole("dialog", { name: `Password link for ${name}` });
        link = await made.getByLabel("Link").inputValue();
        await looksRight(page, reader, "admin-link");
        await made.getByRole("button", { name: "Close" }).click();

        await page.getByLabel("Find people").fill(name);
        await page.keyboard.press("Enter");
        const row = page.getByRole("listitem", { name: "Maria Lind" });
        await row.getByText("Has not chosen a password yet").waitFor();
        await row.getByRole("button", { name: `Edit: ${name}` }).click();
        const edit = page.getByRole("dialog", { name: `Edit: ${name}` });
        await edit.getByLabel("Name", { exact: true }).fill("Maria Voss");
        await edit.getByLabel("Administrator").check();
        await edit.getByRole("button", { name: "Save" }).click();
        const renamed = page.getByRole("listitem", { name: "Maria Voss" });
        await renamed.getByText("Administrator", { exact: true }).waitFor();
        await renamed.getByRole("button", { name: `Disable: ${name}` }).click();
        await looksRight(page, reader, "admin-disable");
        const ask = page.getByRole("dialog", { name: `Disable ${name}?` });
        await ask.getByRole("button", { name: "Disable" }).click();
        await page.getByRole("status").getByText(`${name} is disabled.`).waitFor();
        await renamed.getByRole("button", { name: `Enable: ${name}` }).click();
        await page.getByRole("status").getByText(`${name} is enabled.`).waitFor();
        await renamed.getByRole("button", { name: `New password link: ${name}` }).click();
        const again = page.getByRole("dialog", { name: `Password link for ${name}` });
        link = await again.getByLabel("Link").inputValue();
        await again.getByRole("button", { name: "Close" }).click();

        await pages.getByRole("link", { name: "Organizations" }).click();
        await page.getByText("New organization").click();
        const creation = page.getByRole("form", { name: "New organization" });
        await creation.getByLabel("Name").fill(`Lighthouse ${reader.width}`);
        await creation.getByRole("button", { name: "Create the organization" }).click();
        const lighthouse = page.getByRole("listitem", { name: `Lighthouse ${reader.width}` });
        await lighthouse.getByRole("button", { name: /^Members: / }).click();
        const members = page.getByRole("dialog", { name: `Members of Lighthouse ${reader.width}` });
        await members.getByLabel("Username").fill("nobody");
        await members.getByRole("button", { name: "Add a member" }).click();
        await members.getByText("There is no account with the username nobody.").waitFor();
        await members.getByLabel("Username").fill(name.toUpperCase());
        await members.getByRole("button", { name: "Add a member" }).click();
        await members.getByRole("button", { name: `Make admin: ${name}` }).click();
        await members.getByRole("button", { name: `Make member: ${name}` }).waitFor();
        await looksRight(page, reader, "admin-members");
        await members.getByRole("button", { name: `Remove: ${name}` }).click();
        await members.getByText("Nothing to show.").waitFor();
        await members.getByRole("button", { name: "Close" }).click();
        await lighthouse.getByRole("button", { name: /^Edit: / }).click();
        const editing = page.getByRole("dialog", { name: `Edit: Lighthouse ${reader.width}` });
        await editing.getByLabel("Name").fill(`The Lighthouse ${reader.width}`);
        await editing.getByRole("button", { name: "Save" }).click();
        await page.getByRole("heading", { name: `The Lighthouse ${reader.width}` }).waitFor();
        await looksRight(page, reader, "admin-organizations");
        // A session that has ended looks like an address that does not exist.
        await page.context().clearCookies();
        await lighthouse.getByRole("button", { name: /^Edit: / }).click();
        const late = page.getByRole("dialog");
        await late.getByRole("button", { name: "Save" }).click();
        await late.getByRole("alert").getByText("or you are signed out").waitFor();
      });
      // The person whom the administrator has sent the link.
      await browser.read(reader, async (page) => {
        await open(page, link);
        await page.getByLabel("New password").fill("a lamp by the harbour");
        await page.getByLabel("Repeat the password").fill("a lamp by the harbour");
        await page.getByRole("button", { name: "Set the password" }).click();
        await page.getByRole("button", { name: "Your menu, Maria Voss" }).waitFor();
        await page.context().clearCookies();
        expect((await open(page, `${app.url}/admin/`)).status()).toBe(404);
      });
    },
  );

  it.each(viewers)(
    "show the queue, storage, checks, sign-ins and settings, by $width pixels",
    async (reader) => {
      const { context } = app;
      const owner = await addPerson(context, { username: `owner-${reader.width}`, password: "any" });
      const [busy = 0, failed = 0] = await addDocuments(context, [
        { status: "pending", user_id: owner.id, access: "private" },
        { status: "error", user_id: owner.id, access: "private" },
      ]);
      const pdf = buildPdf({ pages: [{ width: 200, height: 200, lines: ["harbour"] }] });
      await context.files.put(`documents/${failed}/a-document.pdf`, Readable.from([Buffer.from(pdf)]));
      const message = `broken: page 3 of ${reader.width} cannot be read`;
      const receipt = { step: "read", outcome: "failed", milliseconds: 0, details: { message } } as const;
      await context.database.write(async (writer) => {
        await enqueue(writer, {
          kind: "process document",
          subject: busy,
          owner: owner.id,
          afterSeconds: 9999,
        });
        await addReceipt(writer, { ...receipt, documentId: failed });
      });
      await app.fetch("/sign-in/", {
        method: "POST",
        body: new URLSearchParams({ username: owner.username, password: "a wrong guess" }),
      });
      const worker = buildWorker(context);
      const work = async (): Promise<void> => {
        worker.start();
        await expect
          .poll(async () =>
            (await listQueue(context.database, "all", start, 100)).rows.map(({ kind }) => kind),
          )
          .not.toContainEqual(expect.stringMatching(/examine|measure/));
        await worker.stop();
      };
      const person = { browser, app, person: boss, reader };
      await workAs(person, "/admin/", async (page) => {
        await page.getByText("SQLite: ok").waitFor();
        await looksRight(page, reader, "admin-overview");
        const pages = page.getByRole("navigation", { name: "Administration" });
        const go = (name: string): Promise<void> => pages.getByRole("link", { name, exact: true }).click();

        await go("Queue");
        const jobs = page.getByRole("region", { name: "Jobs" });
        const job = jobs.getByRole("listitem", { name: `Process a document: Document ${busy}` });
        await job.getByText(`for owner-${reader.width}`).waitFor();
        const failure = page
          .getByRole("listitem", { name: "The file is broken, or of another type than its name says." })
          .filter({ hasText: message });
        await failure.getByText("Message").click();
        await failure.getByText(message).waitFor();
        await failure.getByText("1 document", { exact: true }).waitFor();
        await failure.getByText(`Number ${failed}`, { exact: true }).waitFor();
        await page
          .getByRole("region", { name: "What happens by itself" })
          .getByRole("listitem", { name: "Remove uploads that nobody has continued" })
          .getByText("Every 60 minutes", { exact: true })
          .waitFor();
        await looksRight(page, reader, "admin-queue");
        await failure.getByRole("button", { name: /^Process again/ }).click();
        await page.getByRole("status").getByText("1 document is processed again.").waitFor();
        await jobs.getByRole("listitem", { name: `Document ${failed}` }).waitFor();
        await job.getByRole("button", { name: /^Cancel/ }).press("Enter");
        await page.getByRole("status").getByText("The job was cancelled.").waitFor();
        await expect.poll(() => focusedName(page)).not.toBe("");
        await page.getByRole("listitem", { name: "The processing was cancelled." }).waitFor();

        await go("Storage");
        await page.getByRole("button", { name: "Measure now" }).click();
        await page.getByText("A measurement was requested.").waitFor();
        await work();
        const people = page.getByRole("region", { name: "By person" });
        await people.getByRole("listitem", { name: owner.username }).getByText("2 documents").waitFor();
        await looksRight(page, reader, "admin-storage");

        await go("Checks");
        await page.getByRole("button", { name: "Check and repair" }).click();
        await page.getByText(/A check is under way/).waitFor();
        await work();
        // The page follows the work by itself.
        await page.getByText(/The last check ended/).waitFor();
        await looksRight(page, reader, "admin-checks");

        await go("Sign-ins");
        await page.getByLabel("Show").selectOption("Wrong password");
        await page.getByRole("listitem", { name: `Wrong password: ${owner.username}` }).waitFor();
        await looksRight(page, reader, "admin-sign-ins");

        await go("Settings");
        await page.getByLabel("Only settings that differ from their default").check();
        const samples = page.getByRole("listitem", { name: "QUIRE_SAMPLES" });
        await samples.getByText("off", { exact: true }).waitFor();
        await looksRight(page, reader, "admin-settings");
      });
    },
  );
});

describe("the appearance of the site", () => {
  it.each(viewers)("is what administrators say, by $width pixels", async (reader) => {
    await using app = await startTestApp("sqlite", { QUIRE_PRIVACY_URL: "https://example.org/privacy" });
    const person = await addPerson(app.context, { username: "painter", isAdministrator: true });
    await workAs({ browser, app, person, reader }, "/admin/branding/", async (page) => {
      const form = page.getByRole("form", { name: "Appearance" });
      await expect.poll(() => form.getByLabel("Address of the privacy notice").isDisabled()).toBe(true);
      await form.getByText("The setting QUIRE_PRIVACY_URL of the server says it.").waitFor();
      await form.getByLabel("Name", { exact: true }).fill("Harbour News");
      await form.getByLabel("Colour", { exact: true }).fill("yellow");
      const buffer = await sharp({ create: { width: 60, height: 60, channels: 3, background: "#8a1c2b" } })
        .png()
        .toBuffer();
      await form.getByLabel("Logo").setInputFiles({ name: "logo.png", mimeType: "image/png", buffer });
      await form.getByRole("button", { name: "Save" }).click();
      await form.getByText("Enter a colour such as #8a1c2b.").waitFor();
      await expect.poll(() => focusedName(page)).toBe("Colour");
      // It is far too light for a text on white.
      await form.getByLabel("Colour", { exact: true }).fill("#ffe000");
      await form.getByRole("button", { name: "Save" }).click();
      await page.getByText("The appearance was saved.").waitFor();
      await looksRight(page, reader, "admin-branding");
      const shownLogo = (): Promise<number> =>
        page.evaluate<number>(`(async () => {
          const image = document.querySelector(".brand img");
          await image.decode();
          return image.naturalWidth;
        })()`);
      expect(await shownLogo()).toBe(60);
      await open(page, `${app.url}/`);
      await page.getByRole("link", { name: "Harbour News", exact: true }).waitFor();
      expect([await shownLogo(), await page.title()]).toEqual([60, "Documents – Harbour News"]);
      await looksRight(page, reader, "branded-landing");
    });
  });
});

describe("mail in the browser", () => {
  const url = "http://quire.example";
  const server = useMailServer();
  const app = useApp("sqlite", () => ({ ...server.settings, QUIRE_URL: url }));
  const boss = app.person("boss", { isAdministrator: true, password: "any" });

  it.each(viewers)("invites people and resets forgotten passwords, by $width pixels", async (reader) => {
    const name = `otto-${reader.width}`;
    const person = { browser, app, person: boss, reader };
    await workAs(person, "/admin/people/", async (page) => {
      await page.getByText("Invite someone").click();
      const form = page.getByRole("form", { name: "Invite someone" });
      await form.getByLabel("Username").fill(name);
      await form.getByLabel("Email").fill(`${name}@example.org`);
      await expect.poll(() => form.getByLabel("Send the link by mail").isChecked()).toBe(true);
      await form.getByRole("button", { name: "Create the account" }).click();
      await page.getByRole("status").getByText(`A mail with a link is on its way to ${name}.`).waitFor();
      server.refusal = 550;
      await runJobs(app.context);
      server.refusal = null;
      await page.getByRole("link", { name: "Mail", exact: true }).click();
      const mail = page.getByRole("listitem", { name: `Invitation: ${name}` });
      await mail.getByText("Not sent").waitFor();
      await looksRight(page, reader, "admin-mail");
      await mail.getByRole("button", { name: /^Send again/ }).click();
      await page.getByText("The mail is sent as soon as a worker is free.").waitFor();
      await runJobs(app.context);
    });
    expect(server.received.pop()?.to).toBe(`${name}@example.org`);
    await browser.read(reader, async (page) => {
      await open(page, `${app.url}/sign-in/`);
      await page.getByRole("link", { name: "Forgot your password?" }).click();
      await looksRight(page, reader, "forgot-password");
      await page.getByLabel("Username or email address").fill(`${name}@example.org`);
      await page.getByRole("button", { name: "Send me a link" }).click();
      await page.getByRole("heading", { name: "Look into your mail" }).waitFor();
      await runJobs(app.context);
      const link = /http:\/\/quire\.example(\/set-password\/\S+)/.exec(
        server.received.pop()?.text ?? "",
      )?.[1];
      await open(page, `${app.url}${link}`);
      await page.getByLabel("New password").fill("a lamp by the harbour");
      await page.getByLabel("Repeat the password").fill("a lamp by the harbour");
      await page.getByRole("button", { name: "Set the password" }).click();
      await page.getByRole("button", { name: `Your menu, ${name}` }).waitFor();
      await page.context().clearCookies();
    });
  });
});

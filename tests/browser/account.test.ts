import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import type { JobRunner } from "../../src/jobs/runner.ts";
import { enqueue } from "../../src/jobs/queue.ts";
import { processJob } from "../../src/resources/documents/file-facts-store.ts";
import { addPasswordLink } from "../../src/resources/users/credentials/password-link-store.ts";
import { addDocuments } from "../../src/testing/factories.ts";
import { addPerson, beginSession } from "../../src/testing/people.ts";
import { sendAs } from "../../src/testing/requests.ts";
import { useApp } from "../../src/testing/test-app.ts";
import { buildWorker } from "../../src/worker.ts";
import { looksRight, workAs } from "./desk.ts";
import { keepScreenshot, open, readers, tooWide, useBrowser } from "./reader.ts";
import { ownMenu } from "./signed-in.ts";
import { viewers } from "./viewer.ts";

const password = "correct horse battery";
const browser = useBrowser();
const app = useApp("sqlite");
let worker: JobRunner;

beforeAll(async () => {
  worker = buildWorker(app.context, { lookEverySeconds: 0.05 });
  worker.start();
  await addDocuments(app.context, []);
});
afterAll(async () => {
  await worker.stop();
});

describe.each(viewers)("the bell, by $width pixels", (reader) => {
  it("counts what is new, leads to it, and counts nothing once it is read", async () => {
    await addDocuments(app.context, []);
    const [writer, reads] = [`otto-${reader.width}`, `maria-${reader.width}`];
    const otto = await addPerson(app.context, { username: writer, organizations: [1], password });
    const maria = await addPerson(app.context, { username: reads, organizations: [1], password });
    const row = { user_id: otto.id, organization_id: 1, access: "public" as const, title: "Tide tables" };
    const [id = 0] = await addDocuments(app.context, [{ ...row, page_count: 1 }]);
    const note = { title: "Look", page_number: 0, access: "public", content: `@${reads}, is this right?` };
    await sendAs(app, otto, "POST", `/api/documents/${id}/notes/`, note);
    await workAs({ browser, app, person: maria, reader }, "/projects/", async (page) => {
      await page.getByRole("link", { name: "Notifications, 1 new" }).click();
      await page.getByText(`${writer} mentions you in a note.`).waitFor();
      await looksRight(page, reader, "notifications");
      await page.getByRole("button", { name: "Mark 1 as read" }).click();
      await page.getByRole("link", { name: "Notifications", exact: true }).waitFor();
      const link = page.getByRole("main").getByRole("link", { name: "Tide tables" });
      await expect.poll(() => link.getAttribute("href")).toMatch(/#document\/p1\/a\d+$/);
    });
  });
});

describe.each(viewers)("the tray of running work, by $width pixels", (reader) => {
  it("follows what runs, stays open from page to page, and says that it has ended", async () => {
    const username = `rosa-${reader.width}`;
    const rosa = await addPerson(app.context, { username, organizations: [1], password });
    const row = { user_id: rosa.id, organization_id: 1, title: "Tide tables" };
    const [id = 0] = await addDocuments(app.context, [
      { ...row, status: "pending", created_at: new Date().toISOString() },
    ]);
    const job = { kind: processJob, subject: id, owner: rosa.id, afterSeconds: 3600 };
    await app.context.database.write((writer) => enqueue(writer, job));
    await workAs({ browser, app, person: rosa, reader }, "/projects/", async (page) => {
      const tray = page.getByRole("complementary", { name: "Running work" });
      await tray.getByText("0 of 1 read").click();
      await tray.getByText("waits to be read").waitFor();
      await looksRight(page, reader, "tray");
      await open(page, `${app.url}/notes/`);
      await expect
        .poll(() => tray.getByRole("link", { name: "Tide tables" }).getAttribute("href"))
        .toContain(`/${id}`);
      await app.context.database.write(async (writer) => {
        await writer.deleteFrom("jobs").where("subject", "=", id).execute();
        await writer.updateTable("documents").set({ status: "success" }).where("id", "=", id).execute();
      });
      await page.getByRole("status").getByText("Nothing runs for you.").waitFor({ state: "attached" });
      await open(page, `${app.url}/projects/`);
      await expect.poll(() => tray.count()).toBe(0);
    });
  });
});

describe.each(readers)("the account page, by $width pixels, scripts $scripts", (reader) => {
  const username = `ada-${reader.width}`;

  it("lets a user choose a password, then change name, password, tokens and sessions", async () => {
    const ada = await addPerson(app.context, { username, password });
    const { token } = await app.context.database.write((writer) => addPasswordLink(writer, ada.id));
    await beginSession(app.context, ada);
    await browser.read(reader, async (page) => {
      await open(page, `${app.url}/set-password/?token=${token}`);
      await page.getByLabel("New password").fill("a lamp by the harbour");
      await page.getByLabel("Repeat the password").fill("a lamp by the harbour");
      await page.getByRole("button", { name: "Set the password" }).click();
      await beginSession(app.context, ada);
      await (await ownMenu(page)).getByRole("link", { name: "Your account" }).click();
      await page.getByRole("heading", { name: "Your account" }).waitFor();

      await page.getByLabel("Name that others see").fill("Ada Lind");
      await page.getByRole("button", { name: "Save name and email" }).click();
      await page.getByText("Your name and email were saved.").waitFor();
      await page.getByRole("button", { name: "Your menu, Ada Lind" }).waitFor();
      const profile = page.getByRole("region", { name: "Name and email" });
      await profile.getByLabel("Email (optional)").fill(`ada-${reader.width}@press.example`);
      await page.getByRole("button", { name: "Save name and email" }).click();
      await page.getByText("This is not your password.").waitFor();
      await profile.getByLabel("Current password").fill("a lamp by the harbour");
      await page.getByRole("button", { name: "Save name and email" }).click();
      await page.getByText("Your name and email were saved.").waitFor();

      await page
        .getByRole("region", { name: "Password" })
        .getByLabel("Current password")
        .fill("not the password");
      await page.getByLabel("New password").fill("another lamp by the harbour");
      await page.getByRole("button", { name: "Change the password" }).click();
      await page.getByRole("alert").filter({ hasText: "This is not your password." }).waitFor();

      await page.getByLabel("Purpose of a new token").fill("Nightly import");
      await page.getByRole("button", { name: "Create a token" }).click();
      const created = await page
        .getByRole("status")
        .getByText(/^quire_/)
        .textContent();
      const status = async () =>
        (await app.fetch("/api/users/me/", { headers: { authorization: `Bearer ${created}` } })).status;
      expect(await status()).toBe(200);
      // The address of the form leads back, where a reload would create another token.
      await open(page, page.url());
      expect(page.url()).toBe(`${app.url}/account/`);
      await page.getByRole("button", { name: "Revoke the token Nightly import" }).click();
      await page.getByText("The token was revoked.").waitFor();
      expect(await status()).toBe(403);

      await page.getByRole("button", { name: "Sign out An unknown program" }).click();
      await page.getByText("That browser was signed out.").waitFor();
      await page.getByText("This browser", { exact: true }).waitFor();
      await beginSession(app.context, ada);
      await page.reload();
      await page.getByRole("button", { name: "Sign out everywhere else" }).click();
      await page.getByText("You are signed out everywhere else.").waitFor();
      await expect.poll(() => page.getByRole("button", { name: "Sign out everywhere else" }).count()).toBe(0);

      await page.getByLabel("Language of pages").selectOption("Deutsch");
      await page.getByLabel("Time zone of dates and times").selectOption("Europe/Berlin");
      await page.getByRole("button", { name: "Save language and time zone" }).click();
      await page.getByText("Ihre Sprache und Ihre Zeitzone wurden gespeichert.").waitFor();
      await page.getByRole("button", { name: "Ihr Menü, Ada Lind" }).waitFor();
      await page
        .getByText(/ MES?Z/)
        .first()
        .waitFor();
      expect(await tooWide(page)).toBe(0);
      await keepScreenshot(page, `account-${reader.width}`);
      await page.getByLabel("Sprache der Seiten").selectOption("English");
      await page.getByRole("button", { name: "Sprache und Zeitzone speichern" }).click();
      const menu = await ownMenu(page);
      await menu.getByRole("link", { name: "Shared with you" }).waitFor();
      await page.keyboard.press("Escape");

      await page
        .getByRole("region", { name: "Password" })
        .getByLabel("Current password")
        .fill("a lamp by the harbour");
      await page.getByLabel("New password").fill("another lamp by the harbour");
      await page.getByRole("button", { name: "Change the password" }).click();
      await page.getByText("Your password was changed. You are signed out everywhere else.").waitFor();
      await (await ownMenu(page)).getByRole("button", { name: "Sign out" }).click();
      await open(page, `${app.url}/account/`);
      await page.getByRole("heading", { name: "Sign in" }).waitFor();
    });
  });

  it("lets a user save a search, and see what it newly finds", async () => {
    const name = `searcher-${reader.width}`;
    const ada = await addPerson(app.context, { username: name, password, organizations: [1] });
    const word = `lighthouse${reader.width}`;
    const create = (title: string) => sendAs(app, ada, "POST", "/api/documents/", { title });
    await create(`${word} of old`);
    await browser.read(reader, async (page) => {
      await open(page, `${app.url}/account/searches/?q=${word}`);
      await page.getByLabel("Username").fill(name);
      await page.getByLabel("Password").fill(password);
      await page.getByRole("button", { name: "Sign in" }).click();
      await page.getByText("You have no saved searches.").waitFor();
      await open(page, `${app.url}/?q=${word}`);
      await page.getByRole("link", { name: "Save this search" }).click();
      await expect.poll(() => page.getByLabel("Query").inputValue()).toBe(word);
      await page.getByLabel("Name").fill(" ");
      await page.getByRole("button", { name: "Save a search" }).click();
      await page.getByRole("alert").filter({ hasText: "This field may not be blank." }).waitFor();
      await page.getByLabel("Name").fill("Lights");
      await page.getByLabel("Alert").selectOption("By mail, once a day");
      await page.getByRole("button", { name: "Save a search" }).click();
      await page.getByText("Nothing has been found since the alert began.").waitFor();
      await create(`${word} of today`);
      const saved = new URL(page.url()).pathname.replace(
        "/account/searches/",
        "/api/documents/search/saved/",
      );
      const countNew = async () => (await sendAs(app, ada, "GET", saved)).body.new as number;
      await vi.waitFor(async () => expect(await countNew()).toBe(1), { timeout: 60_000, interval: 50 });
      await open(page, page.url());
      await page.getByText("Alert: By mail, once a day · 1 new document").waitFor();
      expect(await tooWide(page)).toBe(0);
      await keepScreenshot(page, `saved-search-${reader.width}`);
      await expect.poll(() => page.getByRole("link", { name: `${word} of old` }).count()).toBe(0);
      await page.getByRole("button", { name: "Mark all as seen" }).click();
      await page.getByText("Everything is marked as seen.").waitFor();
      await page.getByRole("link", { name: `${word} of today` }).click();
      await page.getByRole("heading", { name: `${word} of today` }).waitFor();
      await open(page, `${app.url}/account/searches/`);
      await page.getByText("Alert: By mail, once a day · nothing new").waitFor();
      expect(await tooWide(page)).toBe(0);
      await page.getByRole("link", { name: "Finds and settings of Lights" }).click();
      await page.getByLabel("Alert").selectOption("None");
      await page.getByRole("button", { name: "Save", exact: true }).click();
      await page.getByText("The search was saved.").waitFor();
      await page.getByRole("button", { name: "Delete the search" }).click();
      await page.getByText("The search was deleted.").waitFor();
      await (await ownMenu(page)).getByRole("button", { name: "Sign out" }).click();
      await open(page, `${app.url}/account/`);
      await page.getByRole("heading", { name: "Sign in" }).waitFor();
    });
  });

  it("opens a document to a guest by a link, until it is revoked", async () => {
    const name = `gives-${reader.width}`;
    const user_id = (await addPerson(app.context, { username: name, password, organizations: [1] })).id;
    const colleague = `reads-${reader.width}`;
    await addPerson(app.context, { username: colleague, password });
    const [id = 0] = await addDocuments(app.context, [
      { user_id, access: "private", title: "Harbour plans", slug: "plans" },
    ]);
    await browser.read(reader, async (page) => {
      await open(page, `${app.url}/account/guests/?document=${id}`);
      await page.getByLabel("Username").fill(name);
      await page.getByLabel("Password").fill(password);
      await page.getByRole("button", { name: "Sign in" }).click();
      await page.getByText("There are no guest links to this document.").waitFor();
      await page.getByLabel("Name").fill("Lawyer");
      await page.getByLabel("Password").fill("short");
      await page.getByRole("button", { name: "Make a guest link" }).click();
      await page.getByRole("alert").filter({ hasText: "at least 8 characters" }).waitFor();
      await page.getByLabel("Password").fill("a lamp beside it");
      await page.getByRole("button", { name: "Make a guest link" }).click();
      const link = (await page.getByText(/\/guest\/\?link=/).textContent()) ?? "";
      expect(await tooWide(page)).toBe(0);
      await keepScreenshot(page, `guest-links-${reader.width}`);
      await browser.read({ ...reader }, async (guest) => {
        await open(guest, link);
        await keepScreenshot(guest, `guest-welcome-${reader.width}`);
        expect(await tooWide(guest)).toBe(0);
        await guest.getByLabel("Password").fill("not this one");
        await guest.getByRole("button", { name: "Open" }).click();
        await guest.getByText("That is not the password.").waitFor();
        await guest.getByLabel("Password").fill("a lamp beside it");
        await guest.getByRole("button", { name: "Open" }).click();
        await guest.getByRole("heading", { name: "Harbour plans" }).first().waitFor();
        expect(guest.url()).not.toContain("link=");
        await open(guest, `${app.url}/guest/`);
        await guest.getByRole("link", { name: "Harbour plans" }).waitFor();
        expect(await tooWide(guest)).toBe(0);
        await keepScreenshot(guest, `guest-landing-${reader.width}`);
        await open(guest, `${app.url}/account/`);
        await guest.getByLabel("Username").fill(colleague);
        await guest.getByLabel("Password").fill(password);
        await guest.getByRole("button", { name: "Sign in" }).click();
        await guest.getByRole("heading", { name: "Your account" }).waitFor();
        await open(guest, `${app.url}/documents/${id}-plans/`);
        await guest.getByRole("heading", { name: "Harbour plans" }).first().waitFor();
        await (await ownMenu(guest)).getByRole("button", { name: "Sign out" }).waitFor();
        await keepScreenshot(guest, `guest-signed-in-${reader.width}`);
        await open(guest, link);
        await guest.getByText(`You have signed in as ${colleague}.`).waitFor();
        await keepScreenshot(guest, `guest-welcome-signed-in-${reader.width}`);
        await open(page, `${app.url}/account/guests/`);
        await page.getByText("opened in 1 browser").waitFor();
        await page.getByRole("button", { name: "Revoke: Lawyer" }).click();
        await page.getByText("The link was revoked.").waitFor();
        await open(guest, `${app.url}/guest/`);
        await guest.getByText("No link is open in this browser.").waitFor();
        const closed = await guest.context().request.get(`${app.url}/documents/${id}-plans/`);
        expect(closed.status()).toBe(404);
      });
      await page.context().clearCookies();
    });
  });

  it("lets a user set up a webhook, replace its secret, and see what it was told", async () => {
    const name = `hooks-${reader.width}`;
    const ada = await addPerson(app.context, { username: name, password });
    await browser.read(reader, async (page) => {
      await open(page, `${app.url}/account/webhooks/`);
      await page.getByLabel("Username").fill(name);
      await page.getByLabel("Password").fill(password);
      await page.getByRole("button", { name: "Sign in" }).click();
      await page.getByText("You have no webhooks.").waitFor();
      await page.getByLabel("Address").fill("https://name:word@hooks.example.org/");
      await page.getByRole("button", { name: "Add a webhook" }).click();
      await page.getByRole("alert").filter({ hasText: "Enter an address that begins with" }).waitFor();
      await page.getByLabel("Address").fill("https://hooks.invalid.example/quire");
      await page.getByLabel(/^Name/).fill("Chat");
      await page.getByText("Only these types").click();
      await page.getByLabel("A project was created").check();
      await page.getByRole("button", { name: "Add a webhook" }).click();
      await page.getByText(/^whsec_/).waitFor();
      expect(await tooWide(page)).toBe(0);
      await page.getByRole("link", { name: "Settings and deliveries of Chat" }).click();
      await page.getByText("Nothing has been sent yet.").waitFor();
      await expect.poll(() => page.getByLabel("A project was created").isChecked()).toBe(true);
      await page.getByLabel("Send messages").uncheck();
      await page.getByRole("button", { name: "Save" }).click();
      await page.getByText("The webhook was saved.").waitFor();
      await page.getByText("Off.").waitFor();
      const before = await page.getByText(/^whsec_/).count();
      await page.getByRole("button", { name: "Replace the secret" }).click();
      await page.getByText(/^whsec_/).waitFor();
      expect(before).toBe(0);
      await tell(ada.id);
      await open(page, page.url().replace("secret/", ""));
      await page.getByText("A project was created: project 7").waitFor();
      await page.getByText(/Given up · sent .* · 10 attempts · answer 500 after 12 ms/).waitFor();
      await page.getByRole("button", { name: "Send again: A project was created: project 7" }).click();
      await page.getByText("The message is sent again.").waitFor();
      expect(await tooWide(page)).toBe(0);
      await keepScreenshot(page, `webhook-${reader.width}`);
      await page.getByRole("button", { name: "Delete the webhook" }).click();
      await page.getByText("The webhook was deleted.").waitFor();
      await page.getByText("You have no webhooks.").waitFor();
    });
  });
});

/** Adds a delivery that was given up to the webhook of a person. */
async function tell(user: number): Promise<void> {
  const at = "2026-11-26T08:12:09.318000Z";
  await app.context.database.write(async (writer) => {
    const { id } = await writer
      .selectFrom("webhooks")
      .select("id")
      .where("user_id", "=", user)
      .executeTakeFirstOrThrow();
    const event = { event_id: 1, happened_at: at, type: "project.created", project_id: 7 };
    await writer
      .insertInto("webhook_deliveries")
      .values({
        ...event,
        webhook_id: id,
        document_id: null,
        object_id: null,
        seen_by: null,
        subject: "project 7",
        state: "failed",
        attempts: 10,
        due_at: at,
        created_at: at,
        at,
        status: 500,
        milliseconds: 12,
        problem: "It was answered with an error",
      })
      .execute();
  });
}

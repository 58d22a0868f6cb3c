import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Person, addPerson } from "../../src/testing/people.ts";
import { type TestApp, engines, startTestApp } from "../../src/testing/test-app.ts";
import { looksRight, workAs } from "./desk.ts";
import { TestBrowser, atDesk, open } from "./reader.ts";
import { viewers } from "./viewer.ts";

let browser: TestBrowser;
beforeAll(async () => {
  browser = await TestBrowser.open();
});
afterAll(() => browser.close());

describe.each(engines)("the pages for administrators on %s", (engine) => {
  let app: TestApp;
  let boss: Person;
  beforeAll(async () => {
    app = await startTestApp(engine);
    boss = await addPerson(app.context, { username: "boss", isAdministrator: true, password: "any" });
  });
  afterAll(() => app[Symbol.asyncDispose]());

  it.each(engine === "sqlite" ? viewers : [atDesk])(
    "invite people, and manage them and their organizations, by $width pixels",
    async (reader) => {
      const name = `maria-${reader.width}`;
      const person = { browser, app, person: boss, reader };
      let link = "";
      await workAs(person, "/", async (page) => {
        await page.getByRole("link", { name: "Admin", exact: true }).click();
        const pages = page.getByRole("navigation", { name: "Administration" });
        await pages.getByRole("link", { name: "People" }).click();
        await page.getByText("Invite someone").click();
        const form = page.getByRole("form", { name: "Invite someone" });
        await form.getByLabel("Username").fill("boss");
        await form.getByRole("button", { name: "Create the account" }).click();
        await page.getByRole("alert").getByText("There is a user boss already").waitFor();
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
      });
      // The person whom the administrator has sent the link.
      await browser.read(reader, async (page) => {
        await open(page, link);
        await page.getByLabel("New password").fill("a lamp by the harbour");
        await page.getByLabel("Repeat the password").fill("a lamp by the harbour");
        await page.getByRole("button", { name: "Set the password" }).click();
        await page.getByRole("link", { name: "Signed in as Maria Voss" }).waitFor();
        await page.context().clearCookies();
        expect((await open(page, `${app.url}/admin/`)).status()).toBe(404);
      });
    },
  );
});

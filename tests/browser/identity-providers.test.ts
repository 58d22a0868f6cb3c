import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  type TestIdentityProvider,
  startIdentityProvider,
  testClient,
} from "../../src/testing/identity-provider.ts";
import { useApp } from "../../src/testing/test-app.ts";
import { looksRight, workAs } from "./desk.ts";
import { open, useBrowser } from "./reader.ts";
import { viewers } from "./viewer.ts";

const browser = useBrowser();

describe.each(viewers)("an identity provider, by $width pixels", (reader) => {
  const app = useApp("sqlite");
  let there: TestIdentityProvider;
  const boss = app.person("boss", { isAdministrator: true, password: "any" });
  beforeAll(async () => {
    there = await startIdentityProvider(app.url);
  });
  afterAll(async () => {
    await there[Symbol.asyncDispose]();
  });

  it("is set up by an administrator, and signs people in and out", async () => {
    await workAs({ browser, app, person: boss, reader }, "/admin/organizations/", async (page) => {
      await page.getByText("New organization").click();
      const creation = page.getByRole("form", { name: "New organization" });
      await creation.getByLabel("Name").fill("Newsroom");
      await creation.getByRole("button", { name: "Create the organization" }).click();
      await page.getByRole("heading", { name: "Newsroom" }).waitFor();
      const pages = page.getByRole("navigation", { name: "Administration" });
      await pages.getByRole("link", { name: "Identity providers" }).click();
      await page.getByText("New identity provider").click();
      const form = page.getByRole("form", { name: "New identity provider" });
      await form.getByLabel("Name").fill("Harbour");
      await form.getByLabel("Issuer").fill("http://login.example.org/");
      await form.getByLabel("Client id").fill(testClient.client_id);
      await form.getByLabel("Client secret").fill("not this one");
      await form.getByRole("button", { name: "Add the provider" }).click();
      await form.getByText("Enter an address that begins with https.").waitFor();
      await looksRight(page, reader, "admin-new-provider");
      await form.getByLabel("Issuer").fill(there.issuer);
      await form.getByRole("button", { name: "Add the provider" }).click();
      const row = page.getByRole("listitem", { name: "Harbour" });
      await row.getByText("Addresses to enter at the provider").click();
      await row.getByText(`${app.url}/sign-in/with/1/return/`).waitFor();
      await row.getByRole("button", { name: "Check: Harbour" }).click();
      await page.getByText("Harbour answers, and people can sign in there.").waitFor();
      await looksRight(page, reader, "admin-providers");
      await row.getByRole("button", { name: "Edit: Harbour" }).click();
      const dialog = page.getByRole("dialog", { name: "Edit: Harbour" });
      await dialog.getByLabel("Client secret").fill(testClient.client_secret);
      await dialog.getByLabel("Scopes").fill("openid profile email groups");
      await dialog.getByLabel("Groups claim").fill("groups");
      await dialog.getByRole("button", { name: "Add a group" }).click();
      const role = dialog.getByRole("group", { name: "Group 1" });
      await role.getByLabel("Group", { exact: true }).fill("news");
      await role.getByLabel("Organization").selectOption("Newsroom");
      await role.getByLabel("As an admin").check();
      await looksRight(page, reader, "admin-edit-provider");
      await dialog.getByRole("button", { name: "Save" }).click();
      await page.getByText("Harbour was saved.").waitFor();
    });

    there.person = { sub: "m-1", name: "Mara Quai", preferred_username: "mara", groups: ["news"] };
    await browser.read(reader, async (page) => {
      await open(page, `${app.url}/sign-in/?next=/projects/`);
      await looksRight(page, reader, "sign-in-with-provider");
      await page.getByRole("link", { name: "Sign in with Harbour" }).click();
      await page.waitForURL(`${app.url}/projects/`);
      await page.getByRole("button", { name: "Your menu, Mara Quai" }).click();
      await page.getByRole("link", { name: "Your account" }).click();
      await page.getByText("Connected. It is your only way to sign in.").waitFor();
      await page.getByText("with Harbour").waitFor();
      await looksRight(page, reader, "account-with-provider");
      await open(page, `${app.url}/sign-in/`);
      await page.getByRole("button", { name: "Sign out" }).click();
      await page.waitForURL(`${there.issuer}/session/end*`);
    });

    there.person = null;
    await browser.read(reader, async (page) => {
      await page.context().clearCookies();
      await open(page, `${app.url}/sign-in/`);
      await page.getByRole("link", { name: "Sign in with Harbour" }).click();
      await page.getByText("Harbour did not sign you in: You are not let in <today>").waitFor();
      await looksRight(page, reader, "sign-in-refused");
      await page.getByRole("link", { name: "Back to signing in" }).click();
      await page.getByLabel("Username").waitFor();
    });

    await workAs({ browser, app, person: boss, reader }, "/admin/providers/", async (page) => {
      await page.getByRole("button", { name: "Remove: Harbour" }).click();
      const dialog = page.getByRole("dialog", { name: "Remove Harbour?" });
      await looksRight(page, reader, "admin-remove-provider");
      await dialog.getByRole("button", { name: "Remove" }).click();
      await page.getByText("Harbour was removed.").waitFor();
    });
    expect(await (await app.fetch("/sign-in/")).text()).not.toContain("Harbour");
  });
});

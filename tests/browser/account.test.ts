import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { addPasswordLink } from "../../src/resources/users/credentials/password-link-store.ts";
import { addPerson, beginSession } from "../../src/testing/people.ts";
import { type TestApp, startTestApp } from "../../src/testing/test-app.ts";
import { TestBrowser, keepScreenshot, open, readers, tooWide } from "./reader.ts";

const password = "correct horse battery";
let browser: TestBrowser;
let app: TestApp;

beforeAll(async () => {
  [browser, app] = await Promise.all([TestBrowser.open(), startTestApp("sqlite")]);
});
afterAll(async () => {
  await browser.close();
  await app[Symbol.asyncDispose]();
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
      await page.getByRole("link", { name: `Signed in as ${username}` }).click();
      await page.getByRole("heading", { name: "Your account" }).waitFor();

      await page.getByLabel("Name that others see").fill("Ada Lind");
      await page.getByRole("button", { name: "Save name and email" }).click();
      await page.getByText("Your name and email were saved.").waitFor();
      await page.getByRole("link", { name: "Signed in as Ada Lind" }).waitFor();

      await page.getByLabel("Current password").fill("not the password");
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
      expect(await page.getByRole("button", { name: "Sign out everywhere else" }).count()).toBe(0);

      await page.getByLabel("Language of pages").selectOption("Deutsch");
      await page.getByLabel("Time zone of dates and times").selectOption("Europe/Berlin");
      await page.getByRole("button", { name: "Save language and time zone" }).click();
      await page.getByText("Ihre Sprache und Ihre Zeitzone wurden gespeichert.").waitFor();
      await page.getByRole("link", { name: "Mit Ihnen geteilt" }).waitFor();
      await page
        .getByText(/ MES?Z/)
        .first()
        .waitFor();
      expect(await tooWide(page)).toBe(0);
      await keepScreenshot(page, `account-${reader.width}`);
      await page.getByLabel("Sprache der Seiten").selectOption("English");
      await page.getByRole("button", { name: "Sprache und Zeitzone speichern" }).click();
      await page.getByRole("link", { name: "Shared with you" }).waitFor();

      await page.getByLabel("Current password").fill("a lamp by the harbour");
      await page.getByLabel("New password").fill("another lamp by the harbour");
      await page.getByRole("button", { name: "Change the password" }).click();
      await page.getByText("Your password was changed. You are signed out everywhere else.").waitFor();
      await page.getByRole("button", { name: "Sign out", exact: true }).first().click();
      await open(page, `${app.url}/account/`);
      await page.getByRole("heading", { name: "Sign in" }).waitFor();
    });
  });
});

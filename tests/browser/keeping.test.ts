import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { addDocuments } from "../../src/testing/factories.ts";
import { type Person, addPerson } from "../../src/testing/people.ts";
import { sendAs } from "../../src/testing/requests.ts";
import { type TestApp, startTestApp } from "../../src/testing/test-app.ts";
import { focusedName, looksRight, workAs } from "./desk.ts";
import { TestBrowser } from "./reader.ts";
import { viewers } from "./viewer.ts";

let browser: TestBrowser;
let app: TestApp;
let boss: Person;
beforeAll(async () => {
  browser = await TestBrowser.open();
  app = await startTestApp("sqlite");
  await addDocuments(app.context, []);
  boss = await addPerson(app.context, { username: "boss", organizations: [1], isAdministrator: true });
});
afterAll(async () => {
  await browser.close();
  await app[Symbol.asyncDispose]();
});

describe("the page of legal holds", () => {
  it.each(viewers)("sets a hold and releases it, by $width pixels", async (reader) => {
    const [id = 0] = await addDocuments(app.context, [{ title: `Harbour ${reader.width}` }]);
    const remove = async (): Promise<number> =>
      (await sendAs(app, boss, "DELETE", `/api/documents/${id}/`)).status;
    await workAs({ browser, app, person: boss, reader }, "/admin/", async (page) => {
      await page.getByRole("link", { name: "Legal holds" }).click();
      await page.getByText("New hold").click();
      const form = page.getByRole("form", { name: "New hold" });
      await form.getByLabel("Name").fill("Inquiry");
      await form.getByLabel("Reason").fill("Letter of the court");
      await form.getByLabel("It covers").selectOption("Single documents");
      await form.getByLabel("Numbers of the documents").fill("999999");
      await form.getByRole("button", { name: "Set the hold" }).click();
      await form.getByText("object does not exist").waitFor();
      expect(await focusedName(page)).toBe("Numbers of the documents");
      await looksRight(page, reader, "admin-hold");
      await form.getByLabel("It covers").selectOption("What a search finds");
      await form.getByLabel("Search").fill(`title:${reader.width}`);
      await form.getByRole("button", { name: "Set the hold" }).click();
      await page.getByRole("status").getByText("Inquiry is in force.").waitFor();
      const hold = page
        .getByRole("listitem", { name: "Inquiry" })
        .filter({ hasText: `title:${reader.width}` });
      await hold.getByText("1 document that you may see").waitFor();
      expect(await remove()).toBe(409);
      await looksRight(page, reader, "admin-holds");
      await hold.getByRole("button", { name: /^Release/ }).click();
      const dialog = page.getByRole("dialog", { name: "Release Inquiry?" });
      await looksRight(page, reader, "admin-release");
      await dialog.getByRole("button", { name: "Release" }).click();
      await page.getByRole("status").getByText("Inquiry was released.").waitFor();
      await hold.getByText(/^Released/).waitFor();
      expect(await remove()).toBe(204);
    });
  });
});

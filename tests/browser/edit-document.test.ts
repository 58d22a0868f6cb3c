import type { Locator, Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { addDocuments } from "../../src/testing/factories.ts";
import { sendAs } from "../../src/testing/requests.ts";
import { useApp } from "../../src/testing/test-app.ts";
import { looksRight, workAs } from "./desk.ts";
import { atDesk, useBrowser } from "./reader.ts";
import { onPhoneWithScripts, openPanel } from "./viewer.ts";

const browser = useBrowser();

const button = (page: Page | Locator, name: string): Locator =>
  page.getByRole("button", { name, exact: true });

async function openAbout(page: Page): Promise<void> {
  const panel = page.getByRole("complementary", { name: "About" });
  if (!(await panel.isVisible())) await openPanel(page, "About");
  await panel.waitFor();
}

async function chooseInMenu(page: Page, name: string): Promise<void> {
  await button(page, "More").click();
  await button(page, name).click();
}
const editDetails = (page: Page): Promise<void> => chooseInMenu(page, "Title, details and access");

describe.each([
  { engine: "sqlite", reader: atDesk },
  { engine: "postgres", reader: onPhoneWithScripts },
] as const)(
  "a document's record in the viewer, by $reader.width pixels, on $engine",
  ({ engine, reader }) => {
    const app = useApp(engine);
    const owner = app.person("Olive", { organizations: [1] });
    const member = app.person("Max", { organizations: [1] });

    it("is edited in place, beside others who edit it, and has a history in words", async () => {
      const [id = 0] = await addDocuments(app.context, [
        {
          title: "Minutes",
          slug: "minutes",
          user_id: owner.id,
          access: "organization",
          data: '{"box":["12"]}',
        },
      ]);
      const record = `/api/documents/${id}/`;
      const change = (fields: object) => sendAs(app, member, "PATCH", record, fields);
      await workAs({ browser, app, person: owner, reader }, `/documents/${id}-minutes/`, async (page) => {
        await page.evaluate("globalThis.isSamePage = true");
        await editDetails(page);
        const form = page.getByRole("complementary", { name: "Edit the document" });
        const title = form.getByLabel("Title");
        await title.fill(" ");
        await button(form, "Save").click();
        await form.getByText("A document needs a title.").waitFor();
        await expect.poll(() => title.getAttribute("aria-invalid")).toBe("true");
        await title.fill("Council minutes");
        await form.getByLabel("Description").fill("What the council decided");
        await form.getByLabel("Related article").fill("nowhere");
        await form.getByLabel("Language").selectOption("German");
        await form.getByLabel("Who can see it").selectOption("Private");
        await form
          .getByText("Only its owner and the people of projects that it is shared with will see it.")
          .waitFor();
        await form.getByLabel("Make it public at").fill("2999-01-31T10:30");
        await form
          .getByText(/^Until 31 January 2999, 10:30[^,]*, only .* From then on, everyone will see it/)
          .waitFor();
        await button(form, "Add a tag").click();
        await form.getByRole("textbox", { name: "Tag 1" }).fill("harbour");
        await button(form, "Add a key and a value").click();
        await form.getByRole("textbox", { name: "Key 2" }).fill("city");
        await form.getByRole("textbox", { name: "Value 2" }).fill("Nine Elms");
        await looksRight(page, reader, "edit-document");
        // A window that becomes narrow shows the form, not the panel that was beside it.
        const size = page.viewportSize();
        await title.focus();
        await page.setViewportSize({ width: 390, height: 844 });
        await page.getByRole("complementary", { name: "About" }).waitFor({ state: "detached" });
        await expect.poll(() => title.evaluate((one) => one.matches(":focus"))).toBe(true);
        if (size !== null) await page.setViewportSize(size);
        await button(form, "Save").click();
        await form.getByText("Enter a valid URL.").waitFor();
        await expect
          .poll(() => form.getByLabel("Related article").evaluate((one) => one.matches(":focus")))
          .toBe(true);

        // Somebody else changes another field and the same one.
        expect((await change({ source: "The clerk", title: "Minutes of June" })).status).toBe(200);
        await form.getByLabel("Related article").fill("https://example.org/a");
        await button(form, "Save").click();
        await form.getByText("Somebody else changed this meanwhile to “Minutes of June”.").waitFor();
        await expect.poll(() => title.inputValue()).toBe("Council minutes");
        await expect.poll(() => form.getByLabel("Source").inputValue()).toBe("The clerk");
        await button(form, "Save").click();
        await page.getByRole("heading", { level: 1, name: "Council minutes" }).waitFor();
        await form.waitFor({ state: "detached" });
        await openAbout(page);
        await page.getByRole("complementary", { name: "About" }).getByText("Nine Elms").waitFor();
        expect(await page.evaluate("globalThis.isSamePage")).toBe(true);
        expect((await sendAs(app, owner, "GET", record)).body).toMatchObject({
          title: "Council minutes",
          description: "What the council decided",
          source: "The clerk",
          related_article: "https://example.org/a",
          language: "deu",
          access: "private",
          data: { box: ["12"], city: ["Nine Elms"], _tag: ["harbour"] },
          publish_at: expect.stringMatching(/^2999-01-31T/),
        });

        // What was typed is not lost by mistake.
        await editDetails(page);
        await form.getByLabel("Who can see it").selectOption("Public");
        await form.getByText("Everyone will see it, without signing in.").waitFor();
        await button(form, "Cancel").click();
        await form.getByText("Your changes are not saved. Cancel again to discard them.").waitFor();
        await button(form, "Discard").click();
        await form.waitFor({ state: "detached" });

        const { body: project } = await sendAs(app, owner, "POST", "/api/projects/", { title: "Harbour" });
        await sendAs(app, owner, "PATCH", `/api/projects/${project.id}/documents/`, [{ document: id }]);
        await chooseInMenu(page, "History");
        const history = page.getByRole("complementary", { name: "History" });
        await history.getByText("Max changed several fields").waitFor();
        await history.getByText("changed the title from “Minutes of June” to “Council minutes”").waitFor();
        await history.getByText("set the tags to “harbour”").waitFor();
        await history.getByText("made it private").waitFor();
        await history.getByText("Olive added it to the project “Harbour”").waitFor();
        await looksRight(page, reader, "history");
        await button(history, "Close").click();
      });
    }, 300_000);
  },
);

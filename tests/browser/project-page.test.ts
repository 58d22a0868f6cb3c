import type { Page } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import { addDocuments } from "../../src/testing/factories.ts";
import { type Person, addPerson } from "../../src/testing/people.ts";
import { sendAs } from "../../src/testing/requests.ts";
import { useApp } from "../../src/testing/test-app.ts";
import { focusedName, looksRight, workAs } from "./desk.ts";
import { type Reader, open, useBrowser } from "./reader.ts";
import { axeFindings, viewers } from "./viewer.ts";
import { ownMenu } from "./signed-in.ts";

const browser = useBrowser();

const said = (page: Page, text: string | RegExp): Promise<void> =>
  page.getByRole("status").getByText(text).waitFor();
const titles = (page: Page): Promise<string[]> =>
  page
    .getByRole("region", { name: "Documents of the project" })
    .getByRole("heading", { level: 3 })
    .allInnerTexts();

describe("the page of a project", () => {
  const app = useApp("sqlite");
  beforeAll(async () => {
    await addDocuments(app.context, [
      { title: "Somebody else’s dues", user_id: 2, page_count: 0, page_spec: "" },
    ]);
  });

  /** Two people of one organization; the first has three private documents without pages. */
  async function addPeople(name: string): Promise<{ owner: Person; colleague: Person }> {
    const owner = await addPerson(app.context, { username: `mara-${name}`, organizations: [1] });
    const colleague = await addPerson(app.context, { username: `noor-${name}`, organizations: [1] });
    const row = { user_id: owner.id, access: "private", page_count: 0, page_spec: "" };
    await addDocuments(
      app.context,
      ["Harbour dues", "Lighthouse log", "Tide tables"].map((title) => Object.assign({ title }, row)),
    );
    return { owner, colleague };
  }
  const work = (person: Person, reader: Reader, path: string, body: (page: Page) => Promise<void>) =>
    workAs({ browser, app, person, reader }, path, body);

  it.each(viewers)(
    "is where people fill, describe, share and delete it, by $width pixels",
    async (reader) => {
      const { owner, colleague } = await addPeople(String(reader.width));
      let address = "";
      await work(owner, reader, "/projects/", async (page) => {
        await page.getByText("New project").click();
        await page.getByLabel("Title").fill("  ");
        await page.keyboard.press("Enter");
        await expect
          .poll(() => page.getByLabel("Title").evaluate((field) => field.matches(":invalid")))
          .toBe(true);
        await page.getByLabel("Title").fill("Council");
        await looksRight(page, reader, "projects-new");
        await page.getByRole("button", { name: "Create the project" }).click();
        await page.getByRole("heading", { level: 1, name: "Council" }).waitFor();
        address = new URL(page.url()).pathname;
        await page.getByText("There are no documents in this project yet.").waitFor();
        await page.getByText("Private", { exact: true }).waitFor();

        await page.getByRole("button", { name: "Add documents" }).click();
        const dialog = page.getByRole("dialog", { name: "Add documents to the project" });
        await dialog.getByLabel("Select Lighthouse log").check();
        await dialog.getByLabel("Select Tide tables").check();
        expect(await axeFindings(page)).toEqual([]);
        await dialog.getByRole("button", { name: "Add 2 documents" }).press("Enter");
        await expect.poll(() => focusedName(page)).toBe("Add documents");
        await said(page, "2 documents are in the project.");
        await page.getByRole("button", { name: "Add documents" }).click();
        await dialog.getByLabel("Only my documents").uncheck();
        await dialog.getByLabel("Words to search for").fill("dues");
        await dialog.getByRole("button", { name: "Search" }).click();
        await dialog.getByRole("button", { name: /^Add all \d found/ }).click();
        await said(page, /^\d documents are in the project\.$/);
        await expect.poll(() => titles(page)).toContain("Harbour dues");
        await expect.poll(() => titles(page)).toContain("Somebody else’s dues");

        const inside = page.getByRole("searchbox", { name: "Search in this project" });
        await inside.fill("lighthouse");
        await page.keyboard.press("Enter");
        await expect.poll(() => titles(page)).toEqual(["Lighthouse log"]);
        await page.getByLabel("Select Lighthouse log").check();
        await page.getByRole("button", { name: "Remove 1 document from the project" }).click();
        await said(page, "1 document is no longer in the project. It was not deleted.");
        await page.getByRole("button", { name: "Show all" }).click();
        await expect.poll(() => titles(page)).toContain("Tide tables");
        await expect.poll(() => titles(page)).not.toContain("Lighthouse log");

        await page.getByRole("button", { name: "Edit title and description" }).click();
        await page.getByLabel("Title").fill("The council");
        await page.getByLabel("Description").fill("What it decided.");
        await page.getByLabel("Who can see the project").selectOption("Public: everyone");
        await page.getByRole("button", { name: "Save" }).click();
        await said(page, "The project was saved.");
        await page.getByRole("heading", { level: 1, name: "The council" }).waitFor();
        await page.getByRole("button", { name: "Unpin" }).click();
        await said(page, "The project is no longer pinned.");

        await page.getByLabel("Name or email address").fill("noor-nobody");
        await page.getByRole("button", { name: "Add to the project" }).click();
        await page
          .getByRole("alert")
          .getByText(/Use the email address/)
          .waitFor();
        await page.getByLabel("Name or email address").fill(colleague.username);
        await page.getByLabel("Rights", { exact: true }).selectOption("edit");
        await page.getByRole("button", { name: "Add to the project" }).click();
        await said(page, `${colleague.username} is a collaborator now`);
        await page.getByLabel(`Rights of ${owner.username}`).selectOption("view");
        await page
          .getByRole("alert")
          .getByText("Access: You may not demote the only admin in a project")
          .waitFor();

        await page.getByText("Embed this project").click();
        const code = page.getByLabel("Code for your page");
        await expect.poll(() => code.inputValue()).toContain(`${app.url}${address}?embed=1`);
        const frame = page.frameLocator("iframe");
        await frame.getByRole("searchbox", { name: "Search in this project" }).fill("harbour");
        await frame.getByRole("button", { name: "Search" }).click();
        await frame.getByText("All documents of the project").waitFor();
        await looksRight(page, reader, "project");
      });

      await work(colleague, reader, "/", async (page) => {
        await (await ownMenu(page)).getByRole("link", { name: "Shared with you" }).click();
        await page.getByText(`Shared by ${owner.username} on`).waitFor();
        await page.getByText("You can change its shared documents, and add and remove documents").waitFor();
        await page.getByRole("link", { name: "Tide tables" }).waitFor();
        await looksRight(page, reader, "shared");
        await page.getByRole("link", { name: "The council" }).click();
        await page.getByRole("button", { name: "Add documents" }).waitFor();
        await expect.poll(() => page.getByRole("button", { name: "Delete the project" }).count()).toBe(0);
        await page.getByRole("button", { name: "Pin", exact: true }).click();
        await said(page, "The project is pinned");
        await open(page, `${app.url}/projects/`);
        await page
          .getByRole("region", { name: "Pinned" })
          .getByRole("link", { name: "The council" })
          .waitFor();
        await looksRight(page, reader, "projects-groups");
      });

      const before = (await sendAs(app, owner, "GET", `/api/documents/?user=${owner.id}`)).body.results;
      await work(owner, reader, address, async (page) => {
        await page.getByRole("button", { name: `Remove ${colleague.username}` }).click();
        await said(page, `${colleague.username} is no longer a collaborator.`);
        await page.getByRole("button", { name: "Delete the project" }).click();
        const dialog = page.getByRole("dialog", { name: "Delete the project The council?" });
        await dialog.getByText("Its documents stay.").waitFor();
        await dialog.getByRole("button", { name: "Delete the project permanently" }).click();
        await page.getByRole("heading", { level: 1, name: "Projects" }).waitFor();
        await expect.poll(() => page.getByRole("link", { name: "The council" }).count()).toBe(0);
      });
      const after = (await sendAs(app, owner, "GET", `/api/documents/?user=${owner.id}`)).body.results;
      expect([before.length, after.length]).toEqual([3, 3]);
    },
    300_000,
  );
});

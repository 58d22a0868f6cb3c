import { readFile } from "node:fs/promises";
import type { Locator, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { JobRunner } from "../../src/jobs/runner.ts";
import { addDocuments } from "../../src/testing/factories.ts";
import { buildPdf } from "../../src/testing/pdf.ts";
import { type Person, addPerson } from "../../src/testing/people.ts";
import { sendAs } from "../../src/testing/requests.ts";
import { useApp } from "../../src/testing/test-app.ts";
import { buildWorker } from "../../src/worker.ts";
import { focusedName, looksRight, workAs } from "./desk.ts";
import { type Reader, atDesk, useBrowser } from "./reader.ts";
import { viewers } from "./viewer.ts";

const browser = useBrowser();

const countLoadedImages = `Array.from(document.images)
  .filter(({ src, naturalHeight }) => src.includes("-p1-small") && naturalHeight > 0).length`;
const titles = (page: Page): Promise<string[]> =>
  page.getByRole("region", { name: "Documents" }).getByRole("heading", { level: 2 }).allInnerTexts();
/** The checkboxes of a property by which the list can be filtered. */
const filters = (page: Page, property: string): Locator =>
  page.getByRole("group", { name: property, exact: true });
/** On a phone, the filters are folded up at first. */
const openFilters = async (page: Page, reader: Reader): Promise<void> => {
  if (reader === atDesk || (await page.getByRole("group", { name: "Access" }).isVisible())) return;
  await page.getByText(/^Filters/).click();
};
const said = (page: Page, text: string): Promise<void> => page.getByRole("status").getByText(text).waitFor();

describe("the page for managing documents", () => {
  const app = useApp("sqlite");
  let worker: JobRunner;
  beforeAll(async () => {
    worker = buildWorker(app.context);
    worker.start();
    await addDocuments(app.context, [
      { title: "By somebody else", organization_id: 2, page_count: 0, page_spec: "" },
    ]);
  });
  afterAll(async () => {
    await worker.stop();
  });

  /** Adds a user with a project and three documents that are ready. */
  async function addWriter(name: string): Promise<{ person: Person; project: number }> {
    const person = await addPerson(app.context, { username: name, organizations: [1] });
    for (const title of ["Harbour dues", "Lighthouse log", "Tide tables"]) {
      const form = new FormData();
      form.set("title", title);
      const pdf = buildPdf({ pages: [{ width: 612, height: 792, lines: [title, name] }] });
      form.set("file", new Blob([new Uint8Array(pdf)]), "a.pdf");
      await app.fetch("/api/documents/", { method: "POST", headers: person.headers, body: form });
    }
    await worker.drain();
    const { body } = await sendAs(app, person, "POST", "/api/projects/", { title: "Council" });
    return { person, project: body.id };
  }
  const work = (person: Person, reader: Reader, body: (page: Page) => Promise<void>): Promise<void> =>
    workAs({ browser, app, person, reader }, `/documents/?user=${person.id}&sort=created_at`, body);
  const recordsOf = async (person: Person): Promise<Record<string, unknown>[]> =>
    (await sendAs(app, person, "GET", `/api/documents/?user=${person.id}&ordering=title`)).body.results;

  it.each(viewers)("hands selected documents over with Bates numbers, by $width pixels", async (reader) => {
    const { person } = await addWriter(`producer-${reader.width}`);
    await work(person, reader, async (page) => {
      await page.getByLabel("Select Harbour dues").check();
      await page.getByLabel("Select Tide tables").check();
      await page.getByRole("link", { name: "Produce with numbers" }).click();
      await page.getByText("2 documents that you have selected.").waitFor();
      await page.getByLabel("Prefix of the numbers").fill("A1");
      await page.getByRole("button", { name: "Make a production" }).click();
      await page.getByRole("alert").waitFor();
      await expect.poll(() => focusedName(page)).toBe("Prefix of the numbers");
      await page.getByLabel("Prefix of the numbers").fill(`P${reader.width}-`);
      await page.getByLabel("Endorsement").fill("CONFIDENTIAL");
      await looksRight(page, reader, "new-production");
      await page.getByRole("button", { name: "Make a production" }).click();
      const link = page.getByRole("link", { name: "Download (ZIP)" });
      await link.waitFor();
      await looksRight(page, reader, "production");
      const [download] = await Promise.all([page.waitForEvent("download"), link.click()]);
      const archive = await readFile(await download.path());
      expect(archive.includes(`VOL001/IMAGES/0001/P${reader.width}-0000002.tif`)).toBe(true);
      const address = await page.getByRole("link", { name: "Harbour dues" }).getAttribute("href");
      const shown = await page.request.get(address ?? "");
      expect(await shown.text()).toMatch(new RegExp(`Bates numbers:\\s*P${reader.width}-000000[12]\\b`));
    });
  });

  it.each(viewers)(
    "finds, sorts and changes many at once, by $width pixels",
    async (reader) => {
      const { person } = await addWriter(`manager-${reader.width}`);
      await work(person, reader, async (page) => {
        await said(page, "3 documents.");
        await expect.poll(() => titles(page)).toEqual(["Tide tables", "Lighthouse log", "Harbour dues"]);
        // Images of private documents, which come with the session.
        await expect.poll(() => page.evaluate<number>(countLoadedImages)).toBe(3);
        await page.getByLabel("Sort by").selectOption("Title");
        await expect.poll(() => titles(page)).toEqual(["Harbour dues", "Lighthouse log", "Tide tables"]);
        await page.getByLabel("Select Harbour dues").focus();
        await page.keyboard.press("Space");
        await page.getByLabel("Select Tide tables").check();
        const bulk = page.getByRole("form", { name: "With the selected documents" });
        await bulk.getByText("2 documents selected").waitFor();
        const [download] = await Promise.all([
          page.waitForEvent("download"),
          bulk.getByRole("link", { name: "Download (ZIP)" }).click(),
        ]);
        expect(download.suggestedFilename()).toBe("documents.zip");
        const archive = await readFile(await download.path());
        expect(["Harbour dues.pdf", "Tide tables.pdf"].map((name) => archive.includes(name))).toEqual([
          true,
          true,
        ]);
        expect([archive.includes("Lighthouse log.pdf"), archive.includes("Left out.txt")]).toEqual([
          false,
          false,
        ]);
        await bulk.getByLabel("Who can see it").selectOption("Public: everyone");
        await bulk.getByText("Everyone will see them, without signing in.").waitFor();
        await looksRight(page, reader, "manage");
        await bulk.getByRole("button", { name: "Apply" }).press("Enter");
        await said(page, "2 documents changed.");
        // The form is gone, and the focus is not lost with it.
        await expect.poll(() => focusedName(page)).toBe("2 documents changed.");
        expect((await recordsOf(person)).map(({ access }) => access)).toEqual([
          "public",
          "private",
          "public",
        ]);

        await openFilters(page, reader);
        await filters(page, "Access").getByLabel("Private 1").check();
        await expect.poll(() => titles(page)).toEqual(["Lighthouse log"]);
        await filters(page, "Access").getByLabel("Public 2").check();
        await said(page, "3 documents.");
        await page.goBack();
        await expect.poll(() => titles(page)).toEqual(["Lighthouse log"]);
        await page.goForward();
        await said(page, "3 documents.");
        await page.getByRole("button", { name: "Remove the filter Access: Public" }).press("Enter");
        await expect.poll(() => titles(page)).toEqual(["Lighthouse log"]);
        await expect.poll(() => focusedName(page)).toBe("Remove the filter Access: Private");
        // The address has all of it, for a bookmark or a colleague.
        await page.reload();
        await expect.poll(() => titles(page)).toEqual(["Lighthouse log"]);
        await expect.poll(() => page.getByLabel("Sort by").inputValue()).toBe("title");
        await page.getByRole("button", { name: "Remove all filters" }).click();
        await page.getByLabel("Select By somebody else").check();
        await bulk.getByText("You may not change 1 of them, which is left out.").waitFor();
        await expect.poll(() => bulk.getByRole("button", { name: "Apply" }).isDisabled()).toBe(true);
        await bulk.getByRole("button", { name: "Deselect all" }).click();
        await openFilters(page, reader);
        await filters(page, "Owner").getByLabel(`${person.username} (you) 3`).check();
        await said(page, "3 documents.");

        await page.getByRole("status").first().click();
        await page.keyboard.press("?");
        await looksRight(page, reader, "manage-keys");
        await page.getByRole("dialog", { name: "Keyboard shortcuts" }).getByText("Next document").waitFor();
        await page.keyboard.press("Escape");
        for (const key of "jjx") await page.keyboard.press(key);
        await expect.poll(() => page.getByLabel("Select Lighthouse log").isChecked()).toBe(true);
        await page.keyboard.press("k");
        await page.keyboard.press("e");
        const edit = page.getByRole("dialog", { name: "Edit: Harbour dues" });
        await edit.getByRole("button", { name: "Close" }).press("Enter");
        await expect.poll(() => focusedName(page)).toBe("Select Harbour dues");
        await page.keyboard.press("u");
        await bulk.waitFor({ state: "detached" });
        await page.keyboard.press("/");

        await page.getByText("How to search").click();
        await page.getByRole("button", { name: "Write harbour AND dredging into the search box" }).click();
        await looksRight(page, reader, "manage-help");
        await page.getByText("How to search").click();
        const search = page.getByRole("searchbox", { name: "Search" });
        await expect.poll(() => search.inputValue()).toBe("harbour AND dredging");
        await search.fill("author:smith (");
        await page.keyboard.press("Enter");
        await said(page, "There is no field “author”, so it was searched for as text.");
        await said(page, "Part of the query is not valid");
        await search.fill("lighthuose");
        await page.keyboard.press("Enter");
        await page.getByRole("button", { name: "Search for “lighthouse” instead" }).click();
        await expect.poll(() => titles(page)).toEqual(["Lighthouse log"]);

        await page
          .getByRole("main")
          .getByText(/^Saved searches/)
          .click();
        await page.getByLabel("Name for this search").fill("Lights");
        await page.getByRole("button", { name: "Save this search" }).click();
        await said(page, "Lights was saved.");
        await page.getByRole("button", { name: "Rename: Lights" }).press("Enter");
        await expect.poll(() => focusedName(page)).toBe("New name: Lights");
        await page.getByLabel("New name: Lights").fill("Lighthouses AND logs");
        await page.getByRole("button", { name: "Save", exact: true }).click();
        await page.getByRole("button", { name: "Remove the filter Owner" }).click();
        await search.fill("");
        await page.keyboard.press("Enter");
        await expect.poll(() => titles(page)).toContain("By somebody else");
        await page.getByRole("link", { name: "Lighthouses AND logs" }).click();
        await expect.poll(() => titles(page)).toEqual(["Lighthouse log"]);
        await expect.poll(() => search.inputValue()).toBe("lighthouse");
        await page.getByRole("button", { name: "Remove the filter Owner" }).waitFor();
        await looksRight(page, reader, "manage-saved");
        await page.getByRole("button", { name: "Delete: Lighthouses AND logs" }).click();
        const asked = page.getByRole("dialog", { name: "Delete the saved search Lighthouses AND logs?" });
        await asked.getByRole("button", { name: "Delete the search" }).click();
        await said(page, "Lighthouses AND logs was deleted.");
        await expect.poll(() => page.getByRole("link", { name: "Lighthouses AND logs" }).count()).toBe(0);

        await page.getByLabel("Select Lighthouse log").check();
        await bulk.getByLabel("With the selected documents").selectOption("Delete");
        await bulk.getByRole("button", { name: "Apply" }).click();
        const dialog = page.getByRole("dialog", { name: "Delete 1 document?" });
        await looksRight(page, reader, "manage-delete");
        await dialog.getByRole("button", { name: "Close" }).click();
        await expect.poll(() => recordsOf(person)).toHaveLength(3);
        await bulk.getByRole("button", { name: "Apply" }).click();
        await dialog.getByText("You can bring them back from the trash for 30 days.").waitFor();
        await dialog.getByRole("button", { name: "Delete" }).click();
        await said(page, "1 document deleted.");
        await said(page, "No documents match.");
        expect((await recordsOf(person)).map(({ title }) => title)).toEqual(["Harbour dues", "Tide tables"]);
        await page.getByRole("button", { name: "Undo" }).click();
        await said(page, "1 document is back.");
        await expect.poll(() => titles(page)).toEqual(["Lighthouse log"]);

        await page.getByRole("searchbox", { name: "Search" }).fill("");
        await page.keyboard.press("Enter");
        await said(page, "3 documents.");
        await page.getByLabel("Select all on this page").check();
        await bulk.getByLabel("With the selected documents").selectOption("Delete");
        await bulk.getByRole("button", { name: "Apply" }).click();
        await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
        await said(page, "3 documents deleted.");
        await page.getByRole("link", { name: "Trash" }).click();
        await said(page, "3 deleted documents.");
        const row = page.getByRole("listitem").filter({ hasText: "Lighthouse log" });
        await row.getByText("30 days left").waitFor();
        await page.getByLabel("Select Tide tables").check();
        await page.getByLabel("Select Lighthouse log").check();
        await page.getByText("2 documents selected").waitFor();
        await looksRight(page, reader, "trash");
        const chosen = page.getByRole("group", { name: "With the selected documents" });
        await chosen.getByRole("button", { name: "Restore" }).click();
        await said(page, "2 documents are back.");
        expect((await recordsOf(person)).map(({ title }) => title)).toEqual([
          "Lighthouse log",
          "Tide tables",
        ]);
        const ids = (await recordsOf(person)).map(({ id }) => id).join(",");
        await sendAs(app, person, "DELETE", `/api/documents/?id__in=${ids}`);
        await page.reload();
        await said(page, "3 deleted documents.");
        await page.getByRole("button", { name: "Restore: Lighthouse log" }).click();
        await said(page, "Lighthouse log is back.");
        await page.getByRole("button", { name: "Delete permanently: Tide tables" }).click();
        await page
          .getByRole("dialog", { name: "Delete Tide tables permanently?" })
          .getByRole("button", { name: "Delete permanently" })
          .click();
        await said(page, "Tide tables was deleted permanently.");
        await page.getByLabel("Select all on this page").check();
        await chosen.getByRole("button", { name: "Delete permanently" }).click();
        await page
          .getByRole("dialog", { name: "Delete 1 document permanently?" })
          .getByRole("button", { name: "Delete permanently" })
          .click();
        await said(page, "1 document was deleted permanently.");
        await said(page, "The trash is empty.");
      });
      expect((await recordsOf(person)).map(({ title }) => title)).toEqual(["Lighthouse log"]);
    },
    300_000,
  );

  it("sets fields of many documents, processes files again, and edits a document in place", async () => {
    const { person, project } = await addWriter("sorter");
    await work(person, atDesk, async (page) => {
      await said(page, "3 documents.");
      const bulk = page.getByRole("form", { name: "With the selected documents" });
      const start = async (action: string): Promise<void> => {
        await page.getByLabel("Select all on this page").check();
        await bulk.getByLabel("With the selected documents").selectOption(action);
      };
      const apply = async (): Promise<void> => {
        await bulk.getByRole("button", { name: "Apply" }).click();
        await bulk.waitFor({ state: "detached" });
        await said(page, "3 documents changed.");
      };
      await start("Add data");
      await bulk.getByText("Only the letters a to z and A to Z, digits, - and _").waitFor();
      await bulk.getByLabel("Key").fill("topic");
      await bulk.getByLabel("Value").fill("harbour");
      await apply();
      await page.getByRole("button", { name: "Remove the filter Owner" }).click();
      await filters(page, "topic").getByLabel("harbour 3").check();
      await said(page, "3 documents.");
      await start("Set the source");
      await bulk.getByLabel("Source").fill("Harbour office");
      await apply();
      await start("Set the description");
      await bulk.getByLabel("Description").fill("What the harbour costs.\nAnd who pays.");
      await apply();
      await start("Set the related article");
      await bulk.getByLabel("Related article").fill("https://example.org/harbour");
      await apply();
      await start("Add a tag");
      await bulk.getByLabel("Tag").fill("dues");
      await apply();
      await start("Set the language");
      await bulk.getByLabel("Language").selectOption("German");
      await apply();
      await start("Plan their publication");
      await bulk.getByLabel("Make them public at").fill("2001-02-03T04:05");
      await bulk.getByRole("button", { name: "Apply" }).click();
      await bulk.getByRole("alert").getByText("This moment has passed.").waitFor();
      await looksRight(page, atDesk, "manage-plan");
      await bulk.getByLabel("Make them public at").fill("2999-02-03T04:05");
      await apply();
      await start("Add to a project");
      await bulk.getByLabel("Project").selectOption("Council");
      await apply();
      await start("Process them again");
      await apply();
      await worker.drain();
      await expect.poll(() => page.getByText("Being processed", { exact: true }).count()).toBe(0);

      await page.getByRole("button", { name: "Edit: Harbour dues" }).click();
      const dialog = page.getByRole("dialog", { name: "Edit: Harbour dues" });
      await dialog.getByLabel("Title").fill("Dues of the harbour");
      await dialog.getByLabel("Description").fill("What ships pay for the harbour.");
      await dialog.getByLabel("Published at this address").fill("nowhere");
      await looksRight(page, atDesk, "manage-edit");
      // The reason is at its field, which has the focus, and what was written is not lost by mistake.
      await dialog.getByRole("button", { name: "Save" }).click();
      await dialog.getByRole("alert").getByText("Enter a valid URL.").waitFor();
      await expect.poll(() => focusedName(page)).toBe("Published at this address");
      const described = await dialog.getByLabel("Published at this address").getAttribute("aria-describedby");
      await expect.poll(() => page.locator(`[id="${described}"]`).innerText()).toBe("Enter a valid URL.");
      await page.keyboard.press("Escape");
      await dialog.getByText("Your changes are not saved. Cancel again to discard them.").waitFor();
      await dialog.getByLabel("Published at this address").fill("");
      // Others change the document meanwhile: another field, then the same one.
      const edited = (await recordsOf(person)).find(({ title }) => title === "Harbour dues");
      await sendAs(app, person, "PATCH", `/api/documents/${Number(edited?.["id"])}/`, {
        source: "The harbour master",
        title: "Dues",
      });
      await dialog.getByRole("button", { name: "Save" }).click();
      await dialog.getByText("Somebody else changed this meanwhile to “Dues”.").waitFor();
      await expect.poll(() => dialog.getByLabel("Source").inputValue()).toBe("The harbour master");
      await dialog.getByRole("button", { name: "Save" }).click();
      await said(page, "Dues of the harbour was saved.");
      await expect.poll(() => titles(page)).toContain("Dues of the harbour");
    });
    const records = await recordsOf(person);
    expect(records).toHaveLength(3);
    for (const record of records)
      expect(record).toMatchObject({
        source: record === records[0] ? "The harbour master" : "Harbour office",
        description: expect.stringContaining("harbour"),
        related_article: "https://example.org/harbour",
        data: { topic: ["harbour"], _tag: ["dues"] },
        language: "deu",
        publish_at: expect.stringMatching(/^2999-02-0[234]T/),
        projects: [project],
        status: "success",
        access: "private",
      });
    expect(records[0]).toMatchObject({
      title: "Dues of the harbour",
      description: "What ships pay for the harbour.",
    });
  });

  it("leads from a row to the forms that are on the document's page", async () => {
    const { person } = await addWriter("giver");
    await work(person, atDesk, async (page) => {
      // The menu of the last row has no room below it.
      await page.setViewportSize({ width: 1280, height: 560 });
      for (const [item, button] of [
        ["Give to a person", "Give"],
        ["Duplicate", "Duplicate"],
      ] as const) {
        await page.getByRole("button", { name: "More: Tide tables" }).click();
        await page.getByRole("button", { name: item, exact: true }).click();
        const tool = page.getByRole("complementary", { name: item });
        await tool.getByRole("button", { name: button, exact: true }).waitFor();
        await page.goBack();
      }
      await page.getByRole("link", { name: "Tide tables" }).click();
      await page.getByRole("searchbox", { name: "Search in this document" }).waitFor();
      await expect.poll(() => page.getByRole("complementary", { name: "Duplicate" }).count()).toBe(0);
    });
  });

  it("says that a document was saved when the list shows it, also if the list is being loaded", async () => {
    const { person } = await addWriter("saver");
    await work(person, atDesk, async (page) => {
      await said(page, "3 documents.");
      const asked = Promise.withResolvers<void>();
      const saved = Promise.withResolvers<void>();
      await page.route("**/documents/search/**", async (route) => {
        const response = await route.fetch();
        asked.resolve();
        await saved.promise;
        await route.fulfill({ response });
      });
      await page.getByLabel("Select Tide tables").check();
      const bulk = page.getByRole("form", { name: "With the selected documents" });
      await bulk.getByLabel("Who can see it").selectOption("Public: everyone");
      await bulk.getByRole("button", { name: "Apply" }).click();
      await asked.promise;
      await page.getByRole("button", { name: "Edit: Harbour dues" }).click();
      const dialog = page.getByRole("dialog", { name: "Edit: Harbour dues" });
      await dialog.getByLabel("Title").fill("Dues of the harbour");
      const shownThen = page.evaluate<string>(`new Promise((resolve) => {
        new MutationObserver(() => {
          if (!document.body.innerText.includes("Dues of the harbour was saved.")) return;
          resolve(document.querySelector("[aria-label=Documents]").innerText);
        }).observe(document.body, { subtree: true, childList: true, characterData: true });
      })`);
      const answer = page.waitForResponse((response) => response.request().method() === "PATCH");
      await dialog.getByRole("button", { name: "Save" }).click();
      await (await answer).finished();
      saved.resolve();
      expect(await shownThen).toContain("Dues of the harbour");
    });
  });

  it("tells people without documents or projects where to begin", async () => {
    const person = await addPerson(app.context, { username: "beginner", organizations: [1] });
    await work(person, atDesk, async (page) => {
      await page.getByText("You have no documents yet.").waitFor();
      await page.getByRole("button", { name: "Remove the filter Owner: beginner (you)" }).waitFor();
      await page.getByRole("main").getByRole("link", { name: "Upload some" }).waitFor();
      await addDocuments(app.context, [
        { title: "The first", user_id: person.id, page_count: 0, page_spec: "" },
      ]);
      await page.reload();
      await page.getByLabel("Select The first").check();
      const bulk = page.getByRole("form", { name: "With the selected documents" });
      await bulk.getByLabel("With the selected documents").selectOption("Add to a project");
      await bulk.getByRole("link", { name: "New project" }).click();
      await page.getByRole("heading", { level: 1, name: "Projects" }).waitFor();
      expect(page.url()).toBe(`${app.url}/projects/`);
    });
  });
});

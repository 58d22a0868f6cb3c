import { readFile } from "node:fs/promises";
import { Readable } from "node:stream";
import type { Locator, Page } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import { documentFileKey } from "../../src/files/keys.ts";
import { addDocuments } from "../../src/testing/factories.ts";
import { buildPdf } from "../../src/testing/pdf.ts";
import type { Person } from "../../src/testing/people.ts";
import { sendAs } from "../../src/testing/requests.ts";
import { useApp } from "../../src/testing/test-app.ts";
import { looksRight, workAs } from "./desk.ts";
import { type Reader, atDesk, open, useBrowser } from "./reader.ts";
import { pageRegion, viewers, openPanel } from "./viewer.ts";
import { followSiteLink } from "./signed-in.ts";

const browser = useBrowser();
const app = useApp("sqlite");

const owner = app.person("owner", { organizations: [1] });
const visitor = app.person("visitor");
beforeAll(async () => {
  // Documents come with organizations.
  await addDocuments(app.context, [{}]);
});

/** Adds a public document of the owner with three pages. Returns its id. */
async function addLogbook(): Promise<number> {
  const row = {
    title: "Logbook",
    slug: "logbook",
    page_count: 3,
    page_spec: "612x792:0-2",
    user_id: owner.id,
  };
  const [id = 0] = await addDocuments(app.context, [row]);
  const pages = [1, 2, 3].map((page) => ({ width: 612, height: 792, lines: [`Logbook, page ${page}`] }));
  await app.context.files.put(documentFileKey(id, "logbook", "pdf"), Readable.from([buildPdf({ pages })]));
  return id;
}

const work = (
  person: Person,
  reader: Reader,
  id: number,
  body: (page: Page) => Promise<void>,
): Promise<void> => workAs({ browser, app, person, reader }, `/documents/${id}-logbook/`, body);

const notesOf = async (id: number, person: Person = owner): Promise<Record<string, unknown>[]> =>
  (await sendAs(app, person, "GET", `/api/documents/${id}/notes/`)).body.results;

const said = (page: Page, text: string): Promise<void> =>
  page.getByRole("status").filter({ hasText: text }).first().waitFor({ state: "attached" });

const button = (page: Page | Locator, name: string): Locator =>
  page.getByRole("button", { name, exact: true });

async function openForm(page: Page): Promise<Locator> {
  await button(page, "Notes")
    .or(page.getByRole("button", { name: /^Notes \d/ }))
    .first()
    .click();
  await button(page, "Add a note").click();
  const form = page.getByRole("complementary", { name: "Add a note" });
  await form.waitFor();
  return form;
}

/** Drags over a page as it is shown, in fractions of it, with the mouse or with a finger. */
async function drag(
  page: Page,
  target: Locator,
  [from, to]: readonly [readonly [number, number], readonly [number, number]],
  how: "mouse" | "finger",
): Promise<void> {
  const { x = 0, y = 0, width = 1, height = 1 } = (await target.boundingBox()) ?? {};
  const at = ([right, down]: readonly [number, number]) => ({ x: x + right * width, y: y + down * height });
  const [start, end] = [at(from), at(to)];
  if (how === "mouse") {
    await page.mouse.move(start.x, start.y);
    await page.mouse.down();
    await page.mouse.move((start.x + end.x) / 2, (start.y + end.y) / 2);
    await page.mouse.move(end.x, end.y);
    await page.mouse.up();
    return;
  }
  const session = await page.context().newCDPSession(page);
  await session.send("Input.dispatchTouchEvent", { type: "touchStart", touchPoints: [start] });
  await session.send("Input.dispatchTouchEvent", { type: "touchMove", touchPoints: [end] });
  await session.send("Input.dispatchTouchEvent", { type: "touchEnd", touchPoints: [] });
  await session.detach();
}

describe.each(viewers)("notes in the viewer, by $width pixels", (reader) => {
  const how = reader === atDesk ? "mouse" : "finger";

  it("are drawn, written, changed and deleted in place by people who may edit the document", async () => {
    const id = await addLogbook();
    await work(owner, reader, id, async (page) => {
      // On a page that is rotated, and larger than usual.
      await button(page, "View").click();
      await button(page, "Fit width").click();
      await button(page, "View").click();
      await button(page, "Rotate clockwise").click();
      const form = await openForm(page);
      await drag(
        page,
        pageRegion(page, 1),
        [
          [0.2, 0.1],
          [0.6, 0.3],
        ],
        how,
      );
      const box = page.getByRole("application", { name: "Box of the note on page 1" });
      await box.waitFor();
      await form.getByLabel("Title").fill("The first entry");
      await form.getByLabel("Text").fill("Line one\nLine two, 1 < 2");
      await form.getByLabel("Public.").check();
      await looksRight(page, reader, "note-form");

      // Signed out in the meantime: nothing is lost.
      const refusal = { detail: "CSRF Failed: CSRF token incorrect." };
      await page.route("**/notes/", (route) => route.fulfill({ status: 403, json: refusal }));
      await button(form, "Save the note").click();
      await expect.poll(() => form.getByRole("alert").innerText()).toContain("You are signed out");
      await expect.poll(() => form.getByLabel("Title").inputValue()).toBe("The first entry");
      await page.unroute("**/notes/");
      await button(form, "Save the note").click();
      const card = page.getByRole("group", { name: "The first entry" });
      await card.waitFor();
      await expect.poll(() => card.locator(".note-content").innerText()).toBe("Line one\nLine two, 1 < 2");
      const [saved] = await notesOf(id);
      expect(saved).toMatchObject({ title: "The first entry", access: "public", page_number: 0 });
      // Rotated by a quarter clockwise, the left edge of the page is above.
      const edges = { x1: 0.1, x2: 0.3, y1: 0.4, y2: 0.8 };
      for (const [name, value] of Object.entries(edges)) expect(saved?.[name]).toBeCloseTo(value, 2);

      await button(card, "Change").click();
      const change = page.getByRole("complementary", { name: "Change the note" });
      await change.getByLabel("Title").fill("An entry");
      // Somebody else changes the title meanwhile.
      const target = `/api/documents/${id}/notes/${Number(saved?.["id"])}/`;
      await sendAs(app, owner, "PATCH", target, { title: "Their entry" });
      await button(change, "Save the note").click();
      await change
        .getByRole("alert")
        .getByText("Somebody else changed this meanwhile to “Their entry”.", { exact: false })
        .waitFor();
      await expect.poll(() => change.getByLabel("Title").inputValue()).toBe("An entry");
      await expect.poll(() => change.getByLabel("Title").getAttribute("aria-invalid")).toBe("true");
      await box.focus();
      for (let times = 0; times < 5; times++) await page.keyboard.press("ArrowDown");
      for (let times = 0; times < 5; times++) await page.keyboard.press("Shift+ArrowRight");
      await button(change, "Save the note").click();
      await page.getByRole("group", { name: "An entry" }).waitFor();
      const [changed] = await notesOf(id);
      expect(changed).toMatchObject({ title: "An entry", content: saved?.["content"], id: saved?.["id"] });
      // Down on the screen is to the right on the page, and the right edge on the screen is the upper one.
      expect(changed?.["x1"]).toBeGreaterThan(Number(saved?.["x1"]));
      expect(changed?.["y1"]).toBeLessThan(Number(saved?.["y1"]));
      expect(changed?.["y2"]).toBeCloseTo(Number(saved?.["y2"]), 6);

      await button(page.getByRole("group", { name: "An entry" }), "Delete").click();
      await button(page.getByRole("complementary", { name: "Delete the note" }), "Delete the note").click();
      await said(page, "The note is deleted");
      await expect.poll(() => page.getByRole("button", { name: "Note: An entry" }).count()).toBe(0);
      await expect.poll(() => notesOf(id)).toEqual([]);
    });
  });

  it("are placed by keyboard, or about a whole page, and cancelled with Escape", async () => {
    const id = await addLogbook();
    await work(owner, reader, id, async (page) => {
      const form = await openForm(page);
      const draw = form.getByRole("button", { name: "Draw a box" });
      await expect.poll(() => draw.getAttribute("aria-pressed")).toBe("true");
      await page.keyboard.press("Escape");
      await said(page, "Drawing cancelled");
      await expect.poll(() => draw.getAttribute("aria-pressed")).toBe("false");

      await button(form, "Place a box with the keyboard").press("Enter");
      const box = page.getByRole("application", { name: "Box of the note on page 1" });
      await expect.poll(() => box.evaluate("document.activeElement.dataset.box !== undefined")).toBe(true);
      const before = await box.boundingBox();
      // Escape in the middle of a drag puts the box back.
      const { x = 0, y = 0 } = before ?? {};
      await page.mouse.move(x + 20, y + 20);
      await page.mouse.down();
      await page.mouse.move(x + 60, y + 50);
      expect((await box.boundingBox())?.x).toBeCloseTo(x + 40, 0);
      await page.keyboard.press("Escape");
      expect(await box.boundingBox()).toEqual(before);
      await page.mouse.up();
      expect(await box.boundingBox()).toEqual(before);
      // A handle moves an edge.
      await page.mouse.move(x + (before?.width ?? 0), y + (before?.height ?? 0));
      await page.mouse.down();
      await page.mouse.move(x + (before?.width ?? 0) + 20, y + (before?.height ?? 0) + 10);
      await page.mouse.up();
      expect((await box.boundingBox())?.width).toBeCloseTo((before?.width ?? 0) + 20, 0);

      await box.press("Delete");
      await expect.poll(() => box.count()).toBe(0);
      await form.getByLabel("Page").fill("3");
      await form.getByLabel("Page").press("Tab");
      await button(form, "Save the note").click();
      await expect.poll(() => form.getByRole("alert").innerText()).toBe("A note needs a title.");
      await form.getByLabel("Title").fill("All of it");
      await form.getByLabel("Title").press("Enter");
      await page.getByRole("group", { name: "All of it" }).waitFor();
      await expect.poll(() => notesOf(id)).toMatchObject([{ page_number: 2, x1: null, access: "private" }]);
    });
  });
});

describe.each(viewers)("sections in the viewer, by $width pixels", (reader) => {
  it("are added, renamed, moved and deleted by people who may edit the document", async () => {
    const id = await addLogbook();
    await work(owner, reader, id, async (page) => {
      await openPanel(page, "Contents");
      const panel = page.getByRole("complementary", { name: "Contents" });
      await button(panel, "Edit sections").click();
      const add = async (title: string, at: string): Promise<void> => {
        await panel.getByLabel("Title").fill(title);
        await panel.getByLabel("Begins on page").fill(at);
        await button(panel, "Add the section").click();
      };
      await add("Winter", "1");
      await button(panel, "Change Winter").waitFor();
      await add("Summer", "1");
      await expect
        .poll(() => panel.getByRole("alert").innerText())
        .toBe("“Winter” already begins on page 1.");
      await add("Summer", "2");
      await button(panel, "Change Summer").click();
      const row = panel.getByRole("listitem").filter({ has: page.getByLabel("Title") });
      await row.getByLabel("Title").fill("High summer");
      await row.getByLabel("Begins on page").fill("3");
      await button(row, "Save the section").click();
      await button(panel, "Delete Winter").click();
      await looksRight(page, reader, "section-editor");
      await button(panel, "Delete the section").click();
      await button(panel, "Delete Winter").waitFor({ state: "detached" });
      await button(panel, "Edit sections").click();
      const list = panel.getByRole("navigation", { name: "Sections" });
      await expect.poll(() => list.getByRole("link").allInnerTexts()).toEqual(["High summer page 3"]);
      const { body } = await sendAs(app, owner, "GET", `/api/documents/${id}/sections/`);
      expect(body.results).toMatchObject([{ title: "High summer", page_number: 2 }]);
    });
  });
});

describe.each(viewers)("the list of all notes, by $width pixels", (reader) => {
  it("is filtered by project, search, person and access, and downloaded as a file", async () => {
    const [id, other] = [await addLogbook(), await addLogbook()];
    const title = `Logs for ${reader.width} pixels`;
    const { body: project } = await sendAs(app, owner, "POST", "/api/projects/", { title });
    await sendAs(app, owner, "POST", `/api/projects/${project.id}/documents/`, { document: id });
    const write = async (person: Person, document: number, note: object): Promise<void> => {
      const whole = { page_number: 1, content: "First line\nsecond line", ...note };
      await sendAs(app, person, "POST", `/api/documents/${document}/notes/`, whole);
    };
    await write(owner, id, { title: "In the project", access: "public" });
    await write(owner, id, { title: "A secret", access: "private" });
    await write(visitor, id, { title: "By a visitor", access: "private" });
    await write(owner, other, { title: "Elsewhere", access: "organization" });
    await workAs({ browser, app, person: owner, reader }, "/projects/", async (page) => {
      await followSiteLink(page, "Notes");
      const titles = page.getByRole("main").getByRole("heading", { level: 2 });
      expect((await titles.allInnerTexts()).slice(0, 3)).toEqual(["Elsewhere", "A secret", "In the project"]);
      await page.getByLabel("In the project").selectOption(title);
      await button(page, "Show").click();
      await expect.poll(() => titles.allInnerTexts()).toEqual(["A secret", "In the project"]);
      await looksRight(page, reader, "notes");
      // From a search to the notes on the documents that it finds.
      await open(page, `${app.url}/?q=id:${id}`);
      await page.getByRole("link", { name: "Notes on these documents" }).click();
      await expect.poll(() => page.getByLabel("On documents that match").inputValue()).toBe(`id:${id}`);
      await page.getByLabel("Seen by").selectOption("Private: only their author");
      await page.getByLabel("By", { exact: true }).selectOption("Me");
      await button(page, "Show").click();
      await expect.poll(() => titles.allInnerTexts()).toEqual(["A secret"]);
      const [file] = await Promise.all([
        page.waitForEvent("download"),
        page.getByRole("link", { name: "Download all as CSV" }).click(),
      ]);
      expect(file.suggestedFilename()).toBe("notes.csv");
      const lines = (await readFile(await file.path(), "utf8")).split("\r\n");
      expect(lines).toHaveLength(3);
      expect(lines[1]).toContain(`Logbook,2,A secret,"First line\nsecond line",private`);
      await page.getByRole("link", { name: "A secret" }).click();
      await page.getByRole("group", { name: "A secret" }).waitFor();
    });
  });
});

describe("notes in the viewer", () => {
  it("are private for people who may not edit the document, who change only their own", async () => {
    const id = await addLogbook();
    const theirs = { title: "From the owner", page_number: 0, access: "public" };
    await sendAs(app, owner, "POST", `/api/documents/${id}/notes/`, theirs);
    await work(visitor, atDesk, id, async (page) => {
      await openPanel(page, "Contents");
      await page.getByText("This document has no sections.").waitFor();
      await expect.poll(() => button(page, "Edit sections").count()).toBe(0);
      const form = await openForm(page);
      await expect.poll(() => form.getByRole("radio").count()).toBe(1);
      await expect.poll(() => form.innerText()).toContain("Only people who may edit the document");
      await form.getByLabel("Title").fill("For myself");
      await button(form, "Cancel").click();
      await expect.poll(() => form.getByRole("alert").innerText()).toContain("are not saved");
      await button(form, "Save the note").click();
      const list = page.getByRole("complementary", { name: "Notes" }).getByRole("listitem");
      await list.filter({ hasText: "For myself" }).waitFor();
      await expect.poll(() => button(list.filter({ hasText: "For myself" }), "Change").count()).toBe(1);
      await expect.poll(() => button(list.filter({ hasText: "From the owner" }), "Change").count()).toBe(0);
      await expect.poll(() => notesOf(id)).toHaveLength(1);
      await expect
        .poll(() => notesOf(id, visitor))
        .toMatchObject([{}, { title: "For myself", access: "private" }]);
    });
  });
});

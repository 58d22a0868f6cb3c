import type { Locator, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { JobRunner } from "../../src/jobs/runner.ts";
import { buildPdf } from "../../src/testing/pdf.ts";
import { sendAs } from "../../src/testing/requests.ts";
import { useApp } from "../../src/testing/test-app.ts";
import { buildWorker } from "../../src/worker.ts";
import { looksRight, workAs } from "./desk.ts";
import { atDesk, useBrowser } from "./reader.ts";
import { onPhoneWithScripts, pageRegion, viewers, openPanel } from "./viewer.ts";

const browser = useBrowser();
const app = useApp("sqlite");
let worker: JobRunner;

const owner = app.person("owner", { organizations: [1] });
beforeAll(async () => {
  worker = buildWorker(app.context);
  worker.start();
});
afterAll(async () => {
  await worker.stop();
});

/** Uploads a document with these lines on small pages, and reads it. `drawing` is on the last page. Returns its id. */
async function processed(title: string, lines: readonly string[][], drawing = ""): Promise<number> {
  const { body } = await sendAs(app, owner, "POST", "/api/documents/", { title, access: "public" });
  const pages = lines.map((one, page) => ({
    width: 400,
    height: 200,
    lines: one,
    drawing: page === lines.length - 1 ? drawing : "",
  }));
  await fetch(body.presigned_url, { method: "PUT", body: buildPdf({ pages }) as never });
  await sendAs(app, owner, "POST", `/api/documents/${body.id}/process/`, {});
  await worker.drain();
  return body.id as number;
}

const file = async (id: number, name: string): Promise<Buffer> =>
  Buffer.from(
    await (await app.fetch(`/files/documents/${id}/${name}`, { headers: owner.headers })).arrayBuffer(),
  );

/** Sets a document's status, as if somebody else had begun or ended work on its file. */
const setStatus = (id: number, status: string): Promise<unknown> =>
  app.context.database.write((writer) =>
    writer.updateTable("documents").set({ status }).where("id", "=", id).execute(),
  );

const mentionsOf = async (id: number, words: string): Promise<unknown[]> =>
  (await sendAs(app, owner, "GET", `/api/documents/${id}/mentions/?q=${words}`)).body.results;

const button = (scope: Page | Locator, name: string): Locator =>
  scope.getByRole("button", { name, exact: true });

async function edit(page: Page, name: string): Promise<void> {
  await button(page, "More").click();
  await button(page, name).click();
}

describe.each(viewers)("redacting and arranging, by $width pixels", (reader) => {
  const titled = (title: string): string => `${title} ${reader.width}`;
  const work = (path: string, body: (page: Page) => Promise<void>): Promise<void> =>
    workAs({ browser, app, person: owner, reader }, path, body);

  it("hides every ticked place of a name and a drawn box, and says what was checked", async () => {
    const id = await processed("Holloway minutes", [
      ["Mr HOLLOWAY met Ada", "Holloway at the quay"],
      ["Nothing to see"],
      ["A toast to Ada", "Holloway, said he"],
    ]);
    await work(`/documents/${id}/`, async (page) => {
      await edit(page, "Redact");
      const tool = page.getByRole("complementary", { name: "Redact" });
      await button(tool, "Find all").click();
      await tool.getByText("Type the words that should be redacted.").waitFor();
      await tool.getByLabel("Words to redact everywhere").fill("holloway");
      await tool.getByLabel("Words to redact everywhere").press("Enter");
      await tool.getByText("3 places on 2 pages, 3 ticked").waitFor();
      const third = tool.getByRole("group", { name: "Page 3" });
      await third.getByRole("checkbox", { name: "A toast to Ada Holloway, said he" }).uncheck();
      await tool.getByText("3 places on 2 pages, 2 ticked").waitFor();
      // A phrase goes over the end of a line.
      await tool.getByLabel("Words to redact everywhere").fill("toast to ada holloway");
      await button(tool, "Find all").click();
      await tool
        .getByRole("region", { name: "“toast to ada holloway”" })
        .getByText("1 place on 1 page")
        .waitFor();
      await button(tool, "Remove “toast to ada holloway” from the list").click();
      await button(tool, "Show place 1 on page 1").click();
      await button(tool, "Add a box").click();
      const box = page.getByRole("application", { name: "Box to redact on page 1" });
      await box.press("ArrowDown");
      await tool.getByText("Marked: 3 places on 1 page").waitFor();
      await looksRight(page, reader, "redact-marked");
      await button(tool, "Preview").click();
      await pageRegion(page, 1).locator(".redaction-layer.preview").waitFor({ state: "attached" });
      // Closing the tool keeps the marks.
      await button(tool, "Close").click();
      await edit(page, "Redact");
      await tool.getByText("Marked: 3 places on 1 page").waitFor();
      await button(tool, "Redact…").click();
      const dialog = page.getByRole("dialog", { name: "Redact 3 places on 1 page?" });
      await dialog.waitFor();
      await dialog.getByRole("radio", { name: "This document" }).check();
      await looksRight(page, reader, "redact-asked");
      await button(dialog, "Redact permanently").click();
      const result = tool.getByRole("region", { name: "Result" });
      await result.getByText(/^Redacted: .* on page 1\.$/).waitFor();
      await result.getByText("Redacted words can still be seen on page 3.").waitFor();
      await result
        .getByText("“holloway” is still found in 1 place on 1 page, which were not ticked.")
        .waitFor();
      await result.getByText("“holloway” is still in the title.", { exact: false }).waitFor();
      await result.getByText("What was checked").click();
      await result.getByText("Every pixel under a box is black.").waitFor();
      await looksRight(page, reader, "redact-result");
    });
    const text = (await file(id, "holloway-minutes.txt")).toString();
    expect(text.match(/holloway/gi)).toHaveLength(1);
    expect((await file(id, "pages/holloway-minutes-p1.txt")).toString()).not.toMatch(/holloway/i);
    expect((await file(id, "pages/holloway-minutes-p1.position.json")).toString()).not.toMatch(/holloway/i);
    expect((await file(id, "holloway-minutes.pdf")).toString("latin1")).not.toContain("HOLLOWAY");
    await expect.poll(() => mentionsOf(id, "holloway")).toMatchObject([{ page_number: 2, mentions: [{}] }]);
  });

  it("suggests numbers and addresses, and hides those that stay ticked", async () => {
    const title = `Form ${reader.width}`;
    const id = await processed(title, [
      ["Call +49 30 1234567 or write to", "ada@example.org, IBAN DE89 3704", "0044 0532 0130 00, order 4711"],
      ["Tel. 0171 2345678"],
    ]);
    await work(`/documents/${id}/`, async (page) => {
      await edit(page, "Redact");
      const tool = page.getByRole("complementary", { name: "Redact" });
      await tool.getByText("Numbers and addresses", { exact: true }).click();
      for (const kind of ["E-mail addresses", "Account numbers (IBAN)", "Telephone numbers"])
        await tool.getByRole("checkbox", { name: kind }).check();
      await looksRight(page, reader, "redact-kinds");
      await button(tool, "Find these").click();
      const phones = tool.getByRole("region", { name: "Telephone numbers" });
      await phones.getByText("2 places on 2 pages, 2 ticked").waitFor();
      await phones.getByRole("group", { name: "Page 2" }).getByRole("checkbox").uncheck();
      await tool
        .getByRole("region", { name: "Account numbers (IBAN)" })
        .getByText("DE89 3704 0044 0532 0130 00,", { exact: true })
        .waitFor();
      await tool.getByText("Marked: 3 places on 1 page").waitFor();
      await looksRight(page, reader, "redact-suggested");
      await button(tool, "Redact…").click();
      await button(page.getByRole("dialog"), "Make a redacted copy").click();
      await tool.getByRole("link", { name: "Open the copy" }).waitFor();
    });
    await worker.drain();
    const { body } = await sendAs(app, owner, "GET", `/api/documents/${id}/redacted_copies/`);
    const [copy = 0] = body.copies as number[];
    const text = (await file(copy, `form-${reader.width}-redacted.txt`)).toString();
    expect(text).toMatch(/0171 2345678/);
    expect(text).not.toMatch(/1234567|example|DE89|0130/);
  });

  it("makes a redacted copy with its reasons, and leaves the document as it is", async () => {
    const title = `A statement ${reader.width}`;
    const id = await processed(title, [["The witness is Wrexford"], ["The second page"]]);
    await work(`/documents/${id}/`, async (page) => {
      await edit(page, "Redact");
      const tool = page.getByRole("complementary", { name: "Redact" });
      await tool.getByLabel("Words to redact everywhere").fill("wrexford");
      await tool.getByLabel("Words to redact everywhere").press("Enter");
      await tool.getByText("Marked: 1 place on 1 page").waitFor();
      await tool.getByLabel("Reason", { exact: true }).selectOption("(b)(6): Personal privacy");
      await button(tool, "Add a box").click();
      await tool.getByLabel(/^Reason for Page 1/).selectOption("GDPR 9: Special categories of personal data");
      await button(tool, "Redact…").click();
      const dialog = page.getByRole("dialog", { name: "Redact 2 places on 1 page?" });
      await dialog.getByLabel("Who can see the copy").selectOption("Public");
      await expect.poll(() => dialog.getByLabel("Show the reasons on the boxes").isChecked()).toBe(true);
      await dialog.getByLabel("Add a last page that lists what was withheld").check();
      await looksRight(page, reader, "redact-copy-asked");
      await button(dialog, "Make a redacted copy").click();
      await tool.getByText("The redacted copy is being made and checked.", { exact: false }).waitFor();
      await tool.getByText("Marked: 2 places on 1 page").waitFor();
      await looksRight(page, reader, "redact-copy-made");
      await worker.drain();
      await tool.getByRole("link", { name: "Open the copy" }).click();
      await page
        .getByRole("heading", { name: `${title} (redacted)` })
        .first()
        .waitFor();
      await page.getByText("of 3", { exact: true }).waitFor();
      // A phone has it in the menu.
      if (reader.width < 600) await edit(page, "About");
      else await button(page, "About").click();
      await page.getByRole("link", { name: title, exact: true }).waitFor();
      for (const reason of ["GDPR 9: Special categories of personal data", "(b)(6): Personal privacy"])
        await page.getByText(reason).first().waitFor();
    });
    await expect.poll(() => mentionsOf(id, "wrexford")).toMatchObject([{ page_number: 0, mentions: [{}] }]);
    const { body } = await sendAs(app, owner, "GET", `/api/documents/${id}/redacted_copies/`);
    const [copy = 0] = body.copies as number[];
    await expect.poll(() => mentionsOf(copy, "wrexford")).toEqual([]);
    const list = (await file(copy, `pages/a-statement-${reader.width}-redacted-p3.txt`)).toString();
    expect(list).toContain("Page 1: 1 place, (b)(6): Personal privacy");
  });

  it("hides a name in several documents, and says what became of each", async () => {
    const first = await processed(titled("First letter"), [["Dear Ms Wrenfield,"]]);
    await processed(titled("Second letter"), [["Nobody is here"]]);
    const busy = await processed(titled("Busy letter"), [["To Wrenfield"]]);
    await processed(titled("A scan"), [[]]);
    await app.context.database.write((writer) =>
      writer.updateTable("documents").set({ original_extension: "docx" }).where("id", "=", first).execute(),
    );
    await work("/documents/", async (page) => {
      for (const title of ["First letter", "Second letter", "Busy letter", "A scan"])
        await page.getByRole("checkbox", { name: `Select ${titled(title)}`, exact: true }).check();
      await page
        .getByRole("combobox", { name: "With the selected documents" })
        .selectOption("Redact words in them");
      await button(page, "Apply").click();
      await page.getByText("4 documents", { exact: true }).waitFor();
      await page.getByLabel("Words to redact in all these documents").fill("wrenfield");
      await button(page, "Find all").click();
      await page.getByText("Ticked: 2 places in 2 documents").waitFor();
      const letter = page.getByRole("region", { name: titled("First letter") });
      await letter.getByRole("checkbox", { name: /Wrenfield/ }).waitFor();
      const nothing = page.getByRole("region", { name: "Nothing was found in" });
      await nothing.getByRole("link", { name: titled("Second letter") }).waitFor();
      await nothing
        .getByText("Page 1 has no text, so nothing can be found there.", { exact: false })
        .waitFor();
      await looksRight(page, reader, "redact-several");
      await setStatus(busy, "pending");
      await button(page, "Redact…").click();
      const dialog = page.getByRole("dialog", { name: "Redact 2 places in 2 documents?" });
      await dialog.getByText("The documents stay as they are", { exact: false }).waitFor();
      await looksRight(page, reader, "redact-several-asked");
      await dialog.getByRole("radio", { name: "The documents themselves" }).check();
      await dialog
        .getByText("The uploaded file of 1 document (1 DOCX) is removed.", { exact: false })
        .waitFor();
      await button(dialog, "Redact permanently").click();
      await page
        .getByRole("region", { name: titled("Busy letter") })
        .getByText("Refused: Already processing")
        .waitFor();
      await letter.getByText("Redacted: 1 word under the boxes on page 1.").waitFor();
      await looksRight(page, reader, "redact-several-done");
    });
    await setStatus(busy, "success");
    const text = await file(first, `first-letter-${reader.width}.txt`);
    expect(text.toString()).toMatch(/dear/i);
    expect(text.toString()).not.toMatch(/wrenfield/i);
  });

  it("makes copies of several documents, and shows which are under way, which can be cancelled", async () => {
    const ids = [
      await processed(titled("Third letter"), [Array.from({ length: 8 }, () => "Wrenfield, dear Wrenfield")]),
      await processed(titled("Fourth letter"), [
        Array.from({ length: 8 }, () => "Wrenfield, dear Wrenfield"),
      ]),
    ];
    await work(`/redact/?ids=${ids.join(",")}`, async (page) => {
      await page.getByText("2 documents", { exact: true }).waitFor();
      await page.getByLabel("Words to redact in all these documents").fill("wrenfield");
      await button(page, "Find all").click();
      await page.getByText("Ticked: 32 places in 2 documents").waitFor();
      // So many places are folded, by document.
      const letter = page.getByRole("region", { name: titled("Third letter") });
      await letter.getByText("16 places, 16 ticked", { exact: true }).waitFor();
      await expect.poll(() => letter.getByRole("checkbox").first().isVisible()).toBe(false);
      await letter.getByText("16 places, 16 ticked", { exact: true }).click();
      await letter.getByRole("checkbox").first().uncheck();
      await letter.getByText("16 places, 15 ticked", { exact: true }).waitFor();
      await looksRight(page, reader, "redact-folded");
      await worker.stop();
      await button(page, "Redact…").click();
      const dialog = page.getByRole("dialog", { name: "Redact 31 places in 2 documents?" });
      await dialog.getByLabel("Who can see the copies").selectOption("Public");
      await button(dialog, "Make redacted copies").click();
      const list = page.getByRole("region", { name: "Redactions under way" });
      await list.getByText("0 running, 2 waiting, 0 ended").waitFor();
      await looksRight(page, reader, "redact-under-way");
    });
    // The page was left: the list is there again.
    await work("/redact/", async (page) => {
      const list = page.getByRole("region", { name: "Redactions under way" });
      await list.getByText("0 running, 2 waiting, 0 ended").waitFor();
      await button(list, `Cancel: ${titled("Fourth letter")} (redacted)`).click();
      const dialog = page.getByRole("dialog", { name: "Cancel the redaction?" });
      await dialog.getByText("A document stays as it was", { exact: false }).waitFor();
      await button(dialog, "Cancel the redaction").click();
      await list.getByText("0 running, 1 waiting, 1 ended").waitFor();
      worker.start();
      await list.getByText("0 running, 0 waiting, 2 ended").waitFor();
      await list.getByText("Redacted and checked.").waitFor();
      await looksRight(page, reader, "redact-ended");
    });
    for (const id of ids) await expect.poll(() => mentionsOf(id, "wrenfield")).toHaveLength(1);
    const { body } = await sendAs(app, owner, "GET", `/api/documents/${ids[0]}/redacted_copies/`);
    const [copy = 0] = body.copies as number[];
    await expect.poll(() => mentionsOf(copy, "wrenfield")).toMatchObject([{ mentions: [{}] }]);
  });

  it("moves, turns, removes and inserts pages", async () => {
    const id = await processed("Logbook", [["alpha"], ["beta"], ["gamma"], ["delta"]]);
    await processed(`Annex ${reader.width}`, [["omega"], ["psi"]]);
    await work(`/documents/${id}/`, async (page) => {
      await edit(page, "Arrange pages");
      const tool = page.getByRole("complementary", { name: "Arrange pages" });
      const grid = tool.getByRole("region", { name: "Pages in the new order" });
      const box = (name: string): Locator => grid.getByRole("checkbox", { name, exact: true });
      await button(tool, "Turn right").click();
      await tool.getByText("Select the pages first.").waitFor();
      await box("2").press("Space");
      await button(tool, "Turn right").click();
      await box("2 turned right").press("Alt+ArrowRight");
      await box("3 was 2, turned right").press("Alt+ArrowRight");
      await box("4 was 2, turned right").press("Space");
      if (reader === atDesk) {
        await grid.getByText("1", { exact: true }).dragTo(box("3 was 4"));
        await box("2 was 1").waitFor();
        await button(tool, "Undo").click();
      }
      await box("1").press("Delete");
      await button(tool, "Insert pages…").click();
      const dialog = page.getByRole("dialog", { name: "Insert pages of another document" });
      await dialog.getByLabel("Find the document").fill(`annex ${reader.width}`);
      await button(dialog, "Search").click();
      await dialog.getByRole("radio", { name: `Annex ${reader.width}` }).check();
      await dialog.getByLabel("Pages", { exact: true }).fill("3");
      await button(dialog, "Insert").click();
      await dialog.getByText("Write page numbers from 1 to 2, such as 1-3, 7.").waitFor();
      await dialog.getByLabel("Pages", { exact: true }).fill("2");
      await looksRight(page, reader, "arrange-insert");
      await button(dialog, "Insert").click();
      const summary = `4 pages: order changed, page 2 turned, page 1 removed, 1 page of “Annex ${reader.width}” inserted`;
      await tool.getByText(summary).waitFor();
      await looksRight(page, reader, "arrange");
      // Somebody else is changing the document: nothing changes, and the order is kept.
      await setStatus(id, "pending");
      await button(tool, "Apply…").click();
      await button(page.getByRole("dialog", { name: "Change the pages?" }), "Change the pages").click();
      await tool.getByText("Already processing", { exact: false }).waitFor();
      await tool.getByText("The document is as it was, and your new order is still here.").waitFor();
      await setStatus(id, "success");
      await button(tool, "Apply…").click();
      await button(page.getByRole("dialog", { name: "Change the pages?" }), "Change the pages").click();
      await tool.getByText(`Done: order changed, page 2 turned, page 1 removed`, { exact: false }).waitFor();
      await button(tool, "Close").click();
      await page.getByText("of 4", { exact: true }).waitFor();
    });
    const texts = await Promise.all(
      [1, 2, 3, 4].map(async (number) => (await file(id, `pages/logbook-p${number}.txt`)).toString().trim()),
    );
    expect(texts).toEqual(["gamma", "delta", "beta", "psi"]);
  });
});

describe("a redaction that does not pass its check", () => {
  it("says in words what is left where, what became of the document, and what to do", async () => {
    const invisible = "BT 3 Tr /F1 14 Tf 40 60 Td (Alexandrova) Tj ET";
    const id = await processed("Witnesses", [["The witness is Alexandrova"], ["Another page"]], invisible);
    const isPublic = async (): Promise<boolean> => (await app.fetch(`/api/documents/${id}/`)).status === 200;
    expect(await isPublic()).toBe(true);
    const reader = onPhoneWithScripts;
    await workAs({ browser, app, person: owner, reader }, `/documents/${id}/`, async (page) => {
      await edit(page, "Redact");
      const tool = page.getByRole("complementary", { name: "Redact" });
      await tool.getByLabel("Words to redact everywhere").fill("alexandrova");
      await tool.getByLabel("Words to redact everywhere").press("Enter");
      // Nothing can be seen at the place on page 2, so the person leaves it out.
      await tool.getByText("2 places on 2 pages, 2 ticked").waitFor();
      await tool.getByRole("group", { name: "Page 2" }).getByRole("checkbox").uncheck();
      await button(tool, "Redact…").click();
      await page.getByRole("dialog").getByRole("radio", { name: "This document" }).check();
      await button(page.getByRole("dialog"), "Redact permanently").click();
      const result = tool.getByRole("region", { name: "Result" });
      await result
        .getByText("The redaction failed. The document still has everything that you wanted to hide.")
        .waitFor();
      await result
        .getByText("Hidden content of page 1 can still be found in text that cannot be seen, on page 2", {
          exact: false,
        })
        .waitFor();
      await result.getByText("Redact the pages that the message names, too.", { exact: false }).waitFor();
      await result.getByText("The document is as it was", { exact: false }).waitFor();
      await looksRight(page, reader, "redact-failed");
      // The marks are still there, for another attempt with the place on page 2.
      await tool.getByText("2 places on 2 pages, 1 ticked").waitFor();
      await openPanel(page, "About");
      await page.getByRole("heading", { name: "What went wrong" }).waitFor();
    });
    expect(await isPublic()).toBe(true);
  });
});

import { beforeAll, describe, expect, it } from "vitest";
import { addDocuments } from "../../src/testing/factories.ts";
import { addTexts } from "../../src/testing/read-documents.ts";
import { useApp } from "../../src/testing/test-app.ts";
import { type Reader, atDesk, keepScreenshot, onPhone, open, tooWide, useBrowser } from "./reader.ts";

const browser = useBrowser();
const app = useApp("sqlite");

/** A folder with mails and an archive, a second folder, and a document that nobody but its owner sees. */
async function fill(): Promise<void> {
  const paths = [
    "Leak/Mails/first letter.pdf",
    "Leak/Mails/2019/second.pdf",
    "Leak/box.zip",
    "Leak/secret/a.pdf",
  ];
  const ids = await addDocuments(app.context, [
    ...paths.map((path, index) => ({
      title: path.split("/").at(-1) ?? "",
      data: JSON.stringify({ path: [path] }),
      original_extension: path.split(".").at(-1) ?? "",
      access: index === 3 ? "private" : "public",
    })),
    { title: "In the box" },
    { title: "In no folder" },
  ]);
  const [first = 0, , box = 0, , part = 0, loose = 0] = ids;
  await app.context.database.write(async (writer) => {
    const at = { position: 0, depth: 1, path: "docs/inner report.pdf", bytes: 1, taken_from: "zip" };
    await writer
      .insertInto("document_children")
      .values({ child_id: part, parent_id: box, root_id: box, ...at })
      .execute();
  });
  for (const id of [first, part, loose]) await addTexts(app.context, id, ["harbour"]);
}

beforeAll(async () => {
  await fill();
});

const readers: readonly Reader[] = [{ ...atDesk, scripts: "off" }, onPhone];

describe.each(readers)("the tree, by $width pixels, $colors", (reader) => {
  it("leads down to a document and up again, and to a search that stays in a branch until it is left", async () => {
    await browser.read(reader, async (page) => {
      await open(page, `${app.url}/tree/`);
      const entries = page.locator(".tree > li");
      await expect
        .poll(() => entries.allInnerTexts())
        .toEqual([expect.stringMatching(/^Leak\s+Folder\s+4 documents$/)]);
      await page.getByRole("link", { name: "Leak" }).click();
      await expect.poll(() => page.locator(".tree h2").allInnerTexts()).toEqual(["Mails", "box.zip"]);
      expect(await tooWide(page)).toBe(0);
      await keepScreenshot(page, `tree-${reader.width}-${reader.colors}`);
      await page.getByRole("link", { name: "1 document in it" }).click();
      await expect.poll(() => page.getByRole("heading", { level: 1 }).innerText()).toBe("box.zip");
      await page.getByRole("link", { name: "docs" }).click();
      await expect.poll(() => page.locator(".tree h2").allInnerTexts()).toEqual(["inner report.pdf"]);
      const up = page.getByRole("navigation", { name: "The way up" });
      await expect.poll(() => up.getByRole("link").allInnerTexts()).toEqual(["Folders", "Leak", "box.zip"]);
      await up.getByRole("link", { name: "Leak" }).click();
      await page.getByRole("searchbox", { name: "Search in Leak" }).fill("harbour");
      await page.getByRole("button", { name: "Search", exact: true }).click();
      await expect.poll(() => page.getByRole("status").innerText()).toBe("2 documents.");
      await expect.poll(() => page.locator(".searched-branch").innerText()).toMatch(/^Only in\s+Leak/);
      await keepScreenshot(page, `tree-search-${reader.width}-${reader.colors}`);
      await page.getByRole("link", { name: "Search everywhere" }).click();
      await expect.poll(() => page.getByRole("status").innerText()).toBe("3 documents.");
    });
  });

  it("is reached from the page of a document", async () => {
    await browser.read(reader, async (page) => {
      await open(page, `${app.url}/documents/1/`);
      await page.getByRole("link", { name: "Leak / Mails" }).click();
      await expect.poll(() => page.locator(".tree h2").allInnerTexts()).toEqual(["2019", "first letter.pdf"]);
    });
  });
});

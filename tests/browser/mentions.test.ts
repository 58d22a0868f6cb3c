import { beforeAll, describe, expect, it } from "vitest";
import { addReadDocuments } from "../../src/testing/read-documents.ts";
import { useApp } from "../../src/testing/test-app.ts";
import { type Account, addMara, readAs } from "./signed-in.ts";
import { type Reader, atDesk, keepScreenshot, onPhone, open, tooWide, useBrowser } from "./reader.ts";

const browser = useBrowser();
const app = useApp("sqlite");
let mara: Account;
let owned: number;

/** One more than a page of values has. */
const addresses = Array.from({ length: 101 }, (_, index) => `writer${index}@example.org`);

beforeAll(async () => {
  const row = { access: "public", slug: "letter" };
  await addReadDocuments(app.context, [
    {
      ...row,
      title: "A letter",
      pages: ["Dredging", "To ada@example.org, DE89 3704 0044 0532 0130 00, +49 30 1234567, €1,250,000"],
    },
    { ...row, title: "An answer", pages: ["Dredging, says ada@example.org on 9 March 2024"] },
    { ...row, title: "A long list", pages: [addresses.join("\n")] },
  ]);
  mara = await addMara(app);
  const own = { user_id: mara.id, access: "private", slug: "own", title: "Owned" };
  [owned = 0] = await addReadDocuments(app.context, [{ ...own, pages: ["Call 030 123456-78"] }]);
});

const readers: readonly Reader[] = [{ ...atDesk, scripts: "off" }, onPhone];

/** By how many pixels a table is wider than what one sees of it. */
const cutOff =
  "Math.max(...Array.from(document.querySelectorAll('.table-scroll'), (e) => e.scrollWidth - e.clientWidth))";

describe.each(readers)("what documents mention, by $width pixels, $colors", (reader) => {
  it("leads from a search to its values, to their documents and to the page where a value stands", async () => {
    await browser.read(reader, async (page) => {
      await open(page, `${app.url}/mentioned/`);
      await page.getByRole("searchbox", { name: "Search the documents" }).fill("dredging");
      await page.getByRole("button", { name: "Search", exact: true }).click();
      await expect
        .poll(() => page.getByRole("row").allInnerTexts())
        .toEqual([
          expect.stringMatching(/^E-mail addresses\s+Documents$/),
          expect.stringMatching(/^ada@example.org\s+2$/),
        ]);
      await page.getByRole("link", { name: "Account numbers" }).click();
      await expect
        .poll(() => page.getByRole("row").nth(1).innerText())
        .toMatch(/^DE89370400440532013000\s+1$/);
      expect(await tooWide(page)).toBe(0);
      await keepScreenshot(page, `mentioned-${reader.width}-${reader.colors}`);
      await page.getByRole("link", { name: "DE89370400440532013000" }).click();
      await expect.poll(() => page.getByRole("status").innerText()).toBe("One document.");
      await page.getByRole("link", { name: "A letter" }).first().click();
      await page.getByRole("link", { name: "What this document mentions" }).click();
      await expect
        .poll(() => page.getByRole("columnheader").allInnerTexts())
        .toEqual(["As it stands there", "Kind", "Page", "Documents that mention it"]);
      await expect.poll(() => page.getByRole("row").count()).toBe(5);
      expect(await page.evaluate(cutOff)).toBe(0);
      await keepScreenshot(page, `mentioned-document-${reader.width}-${reader.colors}`);
      const mention = page.getByRole("row").filter({ hasText: "+49 30 1234567" });
      await expect
        .poll(() => mention.getByRole("link", { name: "Page 2" }).getAttribute("href"))
        .toMatch(/#document\/p2$/);
      await mention.getByRole("link", { name: "+49301234567" }).click();
      await expect.poll(() => page.getByRole("status").innerText()).toBe("One document.");
    });
  });

  it("is corrected by people who may change a document, and that is undone", async () => {
    const path = `/documents/${owned}/mentioned/`;
    await readAs({ browser, app, account: mara, reader }, path, async (page) => {
      await page.getByRole("link", { name: "Correct 03012345678" }).click();
      await page.getByLabel("It is the same as").fill("none");
      await page.getByRole("button", { name: "Save" }).click();
      await expect.poll(() => page.getByRole("alert").innerText()).toBe("This is no value of this kind.");
      await page.getByLabel("It is the same as").fill("+49 30 12345678");
      expect(await tooWide(page)).toBe(0);
      await keepScreenshot(page, `mention-correct-${reader.width}-${reader.colors}`);
      await page.getByRole("button", { name: "Save" }).click();
      expect(page.url()).toBe(app.url + path);
      await expect
        .poll(() => page.getByRole("row").nth(1).innerText())
        .toMatch(/030 123456-78.*\+493012345678/s);
      await keepScreenshot(page, `mention-corrections-${reader.width}-${reader.colors}`);
      expect(await page.evaluate(cutOff)).toBe(0);
      await page.getByRole("button", { name: "Undo the correction of 03012345678" }).click();
      await expect.poll(() => page.getByRole("heading", { name: "Corrections" }).count()).toBe(0);
      await open(page, `${app.url}/mentioned/?kind=phone&q=owned`);
      await page.getByRole("link", { name: "Correct 03012345678" }).click();
      await expect.poll(() => page.getByText("In one document of the search").count()).toBe(1);
      await page.getByRole("button", { name: "This is wrong" }).click();
      await expect.poll(() => page.getByRole("status").innerText()).toBe("Corrected in one document.");
      await page.getByRole("button", { name: "As recognised again" }).click();
      await expect.poll(() => page.getByRole("status").innerText()).toBe("Corrected in one document.");
      await page.getByRole("link", { name: "Back to the list" }).click();
      await expect.poll(() => page.getByRole("link", { name: "03012345678", exact: true }).count()).toBe(1);
    });
  });

  it("is a timeline, whose bars lead by the keyboard to a year, a month and the documents of a day", async () => {
    await browser.read(reader, async (page) => {
      await open(page, `${app.url}/?q=dredging`);
      await page.getByRole("link", { name: "Timeline" }).click();
      const bars = page.getByRole("group", { name: "The number of documents by date" }).getByRole("link");
      await bars.getByText("2024: one document").waitFor({ state: "attached" });
      await page.getByRole("link", { name: "Skip the picture" }).focus();
      await page.keyboard.press("Tab");
      await page.keyboard.press("Enter");
      await page.getByText("March 2024", { exact: true }).first().waitFor();
      expect(await tooWide(page)).toBe(0);
      await keepScreenshot(page, `timeline-${reader.width}-${reader.colors}`);
      await page.getByRole("row").getByRole("link", { name: "March 2024", exact: true }).click();
      await page.getByRole("row").getByRole("link", { name: "9 March 2024: one document" }).click();
      await expect.poll(() => page.getByRole("status").innerText()).toBe("One document.");
      await expect.poll(() => page.getByRole("link", { name: "An answer" }).count()).toBeGreaterThan(0);
    });
  });

  it("has all values of many, a page at a time", async () => {
    await browser.read(reader, async (page) => {
      await open(page, `${app.url}/mentioned/?q=writer0`);
      await expect.poll(() => page.getByRole("status").innerText()).toBe(`${addresses.length} values.`);
      await expect.poll(() => page.getByRole("row").count()).toBe(101);
      await page.getByRole("link", { name: "Next" }).click();
      await expect.poll(() => page.getByRole("row").count()).toBe(2);
      await expect.poll(() => page.getByRole("status").innerText()).toBe(`${addresses.length} values.`);
    });
  });
});

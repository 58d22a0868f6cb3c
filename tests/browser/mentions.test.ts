import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { addReadDocuments } from "../../src/testing/read-documents.ts";
import { type TestApp, startTestApp } from "../../src/testing/test-app.ts";
import { type Reader, TestBrowser, atDesk, keepScreenshot, onPhone, open, tooWide } from "./reader.ts";

let browser: TestBrowser;
let app: TestApp;

/** One more than a page of values has. */
const addresses = Array.from({ length: 101 }, (_, index) => `writer${index}@example.org`);

beforeAll(async () => {
  [browser, app] = await Promise.all([TestBrowser.open(), startTestApp("sqlite")]);
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
});
afterAll(async () => {
  await browser.close();
  await app[Symbol.asyncDispose]();
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
      expect(await page.getByRole("row").allInnerTexts()).toEqual([
        expect.stringMatching(/^E-mail addresses\s+Documents$/),
        expect.stringMatching(/^ada@example.org\s+2$/),
      ]);
      await page.getByRole("link", { name: "Account numbers" }).click();
      expect(await page.getByRole("row").nth(1).innerText()).toMatch(/^DE89370400440532013000\s+1$/);
      expect(await tooWide(page)).toBe(0);
      await keepScreenshot(page, `mentioned-${reader.width}-${reader.colors}`);
      await page.getByRole("link", { name: "DE89370400440532013000" }).click();
      expect(await page.getByRole("status").innerText()).toBe("One document.");
      await page.getByRole("link", { name: "A letter" }).first().click();
      await page.getByRole("link", { name: "What this document mentions" }).click();
      expect(await page.getByRole("columnheader").allInnerTexts()).toEqual([
        "As it stands there",
        "Kind",
        "Page",
        "Documents that mention it",
      ]);
      expect(await page.getByRole("row").count()).toBe(5);
      expect(await page.evaluate(cutOff)).toBe(0);
      await keepScreenshot(page, `mentioned-document-${reader.width}-${reader.colors}`);
      const mention = page.getByRole("row").filter({ hasText: "+49 30 1234567" });
      expect(await mention.getByRole("link", { name: "Page 2" }).getAttribute("href")).toMatch(
        /#document\/p2$/,
      );
      await mention.getByRole("link", { name: "+49301234567" }).click();
      expect(await page.getByRole("status").innerText()).toBe("One document.");
    });
  });

  it("has all values of many, a page at a time", async () => {
    await browser.read(reader, async (page) => {
      await open(page, `${app.url}/mentioned/?q=writer0`);
      expect(await page.getByRole("status").innerText()).toBe(`${addresses.length} values.`);
      expect(await page.getByRole("row").count()).toBe(101);
      await page.getByRole("link", { name: "Next" }).click();
      expect(await page.getByRole("row").count()).toBe(2);
      expect(await page.getByRole("status").innerText()).toBe(`${addresses.length} values.`);
    });
  });
});

import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { startTestApp } from "../../src/testing/test-app.ts";
import { useLibrary } from "./library.ts";
import { useBrowser, keepScreenshot, atDesk, onPhone, open, readers, tooWide } from "./reader.ts";
import { followSiteLink } from "./signed-in.ts";

const browser = useBrowser();
const library = useLibrary();

const titles = (page: Page): Promise<string[]> => page.locator(".documents h2").allInnerTexts();

describe.each(readers)("the list for people, by $width pixels, scripts $scripts, $colors", (reader) => {
  it("has title, date and pages of each document, and leads to its page", async () => {
    await browser.read(reader, async (page) => {
      await open(page, library.app.url);
      expect(await page.title()).toBe("Documents – Quire");
      const report = page.locator(".documents > li", { hasText: "Annual report" });
      await expect
        .poll(() => report.getByRole("listitem").allInnerTexts())
        .toEqual(["31 March 2025", "3 pages", "PDF", "Harbour office", "Organization 1"]);
      expect(await page.locator("body").innerText()).not.toContain("A secret");
      await report.getByRole("link").click();
      expect(page.url()).toBe(
        `${library.app.url}/documents/${library.ids.report}-annual-report-of-the-harbour-office/`,
      );
      await followSiteLink(page, "Documents");
      expect(page.url()).toBe(`${library.app.url}/documents/`);
    });
  });
});

describe("the list for people", () => {
  it("can be paged through, newest first", async () => {
    await browser.read(onPhone, async (page) => {
      await open(page, `${library.app.url}/documents/`);
      const first = await titles(page);
      expect(first[0]).toBe("Annual report of the harbour office");
      expect(first.slice(-2)).toEqual(["Letter 17", "Letter 16"]);
      await expect.poll(() => page.getByRole("link", { name: "Previous" }).count()).toBe(0);
      await page.getByRole("link", { name: "Next" }).click();
      const second = await titles(page);
      expect(second).toEqual(Array.from({ length: 15 }, (_, index) => `Letter ${15 - index}`));
      await expect.poll(() => page.getByRole("link", { name: "Next" }).count()).toBe(0);
      await page.getByRole("link", { name: "Previous" }).click();
      await expect.poll(() => titles(page)).toEqual(first);
    });
  });

  it("says what to do if there are no documents yet", async () => {
    await using app = await startTestApp("sqlite");
    await browser.read(onPhone, async (page) => {
      await open(page, app.url);
      await expect.poll(() => page.locator("h2").innerText()).toBe("There are no documents yet");
      await page.getByText("For the administrator of this server").click();
      await expect.poll(() => page.locator("main").innerText()).toContain("npm run quire -- import");
      await expect.poll(() => page.locator("nav.pages").count()).toBe(0);
      expect(await tooWide(page)).toBe(0);
      await keepScreenshot(page, "home-empty-390-dark");
    });
  });

  it("has a search box, which finds the pages that contain the words", async () => {
    await browser.read(onPhone, async (page) => {
      await open(page, `${library.app.url}/documents/`);
      await page
        .getByRole("searchbox", { name: "Search the documents" })
        .fill('title:harbour -"no such words"');
      await page.keyboard.press("Enter");
      await page.waitForURL("**/documents/?q=*");
      await expect
        .poll(() => page.getByRole("status").innerText())
        .toMatch(/^(One document|\d+ documents)\.$/);
      await expect
        .poll(() => page.getByRole("searchbox").inputValue())
        .toBe('title:harbour -"no such words"');
      await page.getByRole("link", { name: "Annual report of the harbour office" }).first().click();
      await page.waitForURL("**/documents/*/");
    });
  });

  it("can be used with a keyboard alone", async () => {
    await browser.read(onPhone, async (page) => {
      await open(page, library.app.url);
      await page.keyboard.press("Tab");
      const skip = page.getByRole("link", { name: "Skip to the content" });
      expect((await skip.boundingBox())?.y).toBeGreaterThanOrEqual(0);
      await page.keyboard.press("Enter");
      await page.keyboard.press("Tab");
      await expect.poll(() => page.locator(":focus").getAttribute("aria-label")).toBe("Search the documents");
      await page.keyboard.press("Tab");
      await page.keyboard.press("Tab");
      await expect.poll(() => page.locator(":focus").innerText()).toBe("All documents");
      await page.keyboard.press("Tab");
      await expect.poll(() => page.locator(":focus").innerText()).toBe("Annual report of the harbour office");
      await page.keyboard.press("Enter");
      await page.waitForURL("**/documents/*/");
      await expect.poll(() => page.locator("h1").innerText()).toBe("Annual report of the harbour office");
    });
  });

  it("has the cursor in the search box after a slash, as every page has", async () => {
    await browser.read(atDesk, async (page) => {
      const focused = (): Promise<string | null> => page.locator(":focus").getAttribute("aria-label");
      await open(page, library.app.url);
      await page.keyboard.press("/");
      await expect.poll(() => focused()).toBe("Search the documents");
      await page.keyboard.type("a/b");
      await expect.poll(() => page.locator(":focus").inputValue()).toBe("a/b");
      await open(page, `${library.app.url}/projects/`);
      await page.keyboard.press("/");
      await page.waitForURL("**/documents/#search");
      await expect.poll(() => focused()).toBe("Search the documents");
    });
  });
});

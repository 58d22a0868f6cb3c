import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { useLibrary } from "./library.ts";
import { type Reader, useBrowser, atDesk, keepScreenshot, onPhone, open, tooWide } from "./reader.ts";

const browser = useBrowser();
const library = useLibrary();

const readers: readonly Reader[] = [{ ...atDesk, scripts: "off" }, onPhone];
const status = (page: Page): Promise<string> => page.getByRole("status").innerText();

describe.each(readers)("the search page, by $width pixels, without scripts, $colors", (reader) => {
  it("narrows the results by links", async () => {
    await browser.read(reader, async (page) => {
      await open(page, `${library.app.url}/?q=letter+OR+harbour+OR+ship`);
      await expect.poll(() => status(page)).toBe("33 documents.");
      const links = page.getByRole("navigation", { name: "Narrow the results" });
      await expect.poll(() => links.getByRole("listitem").allInnerTexts()).toEqual(["PDF\n32", "XLSX\n1"]);
      expect(await tooWide(page)).toBe(0);
      await keepScreenshot(page, `search-facets-${reader.width}-${reader.colors}`);
      await links.getByRole("link", { name: "XLSX" }).click();
      await expect.poll(() => status(page)).toBe("One document.");
      await expect
        .poll(() => page.locator(".documents h2").allInnerTexts())
        .toEqual(["Ship arrivals by month"]);
      await keepScreenshot(page, `search-narrowed-${reader.width}-${reader.colors}`);
      await links.getByRole("link", { name: "Show all of Type" }).click();
      await expect.poll(() => status(page)).toBe("33 documents.");
    });
  });

  it("links to another spelling if nothing is found", async () => {
    await browser.read(reader, async (page) => {
      await open(page, `${library.app.url}/?q=%2Bhabrour+%2Banual`);
      await expect.poll(() => status(page)).toBe("Nothing was found.");
      expect(await tooWide(page)).toBe(0);
      await keepScreenshot(page, `search-suggestion-${reader.width}-${reader.colors}`);
      await page.getByRole("link", { name: "+harbour +annual" }).click();
      await expect.poll(() => status(page)).toBe("One document.");
      await expect.poll(() => page.getByRole("searchbox").inputValue()).toBe("+harbour +annual");
    });
  });
});

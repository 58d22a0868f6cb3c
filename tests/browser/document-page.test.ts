import { readFile } from "node:fs/promises";
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { useLibrary } from "./library.ts";
import { type Reader, useBrowser, atDesk, open, readers } from "./reader.ts";
import { imageShown, openViewer, pageRegion } from "./viewer.ts";

const browser = useBrowser();
const library = useLibrary();

const addressOf = (name: "report" | "sheet" | "elsewhere" | "lost" | "noindex", slug: string): string =>
  `${library.app.url}/documents/${library.ids[name]}-${slug}/`;

const report = (): string => addressOf("report", "annual-report-of-the-harbour-office");

/** Opens a document, and its panel "About" if the reader has scripts. */
async function openAbout(page: Page, { scripts }: Reader, address: string): Promise<void> {
  if (scripts === "off") {
    await open(page, address);
    return;
  }
  await openViewer(page, address);
  const about = page.getByRole("button", { name: "About" });
  if ((await about.getAttribute("aria-expanded")) === "false") await about.click();
}

describe.each(readers)("the page of a document, by $width pixels, scripts $scripts, $colors", (reader) => {
  it("shows title and facts", async () => {
    await browser.read(reader, async (page) => {
      await openAbout(page, reader, report());
      expect(await page.title()).toBe("Annual report of the harbour office – Quire");
      await expect.poll(() => page.locator("h1").innerText()).toBe("Annual report of the harbour office");
      await expect.poll(() => page.locator(".description").innerText()).toContain("What came and went");
      const names = await page.locator("dl.facts dt").allInnerTexts();
      const values = await page.locator("dl.facts dd").allInnerTexts();
      const facts = Object.fromEntries(names.map((name, index) => [name, values[index]]));
      expect(facts).toMatchObject({
        Pages: "3 pages",
        "Page size": "A4, 210 × 297 mm: 2 pages\nA4 landscape, 297 × 210 mm: 1 page",
        Language: "English",
        email: "one@example.org\ntwo@example.org",
      });
      expect(facts["Added"]).toContain("31 March 2025, 12:00 UTC");
      const links = page.locator("dl.facts a");
      await expect
        .poll(() => links.allInnerTexts())
        .toContain("https://news.example.org/2024/harbour?utm=a&b=c");
      await expect.poll(() => page.locator("meta[name=robots]").count()).toBe(0);
    });
  });

  it("offers the document for download", async () => {
    await browser.read(reader, async (page) => {
      await openAbout(page, reader, report());
      const [download] = await Promise.all([
        page.waitForEvent("download"),
        page.getByRole("link", { name: "Download PDF" }).click(),
      ]);
      expect(download.suggestedFilename()).toBe("annual-report-of-the-harbour-office.pdf");
      expect((await readFile(await download.path())).subarray(0, 5).toString()).toBe("%PDF-");
    });
  });

  it("offers a file that the browser cannot show", async () => {
    await browser.read(reader, async (page) => {
      await openAbout(page, reader, addressOf("sheet", "ship-arrivals-by-month"));
      await expect.poll(() => page.locator(".notice").innerText()).toContain("This file has no pages here");
      for (const name of ["Download XLSX", "Open or download the file"]) {
        const [download] = await Promise.all([
          page.waitForEvent("download"),
          page.getByRole("link", { name }).click(),
        ]);
        expect(download.suggestedFilename()).toBe("ship-arrivals-by-month.xlsx");
      }
    });
  });
});

describe("the page of a document", () => {
  it("loads the images of a document whose file is elsewhere from that server", async () => {
    await browser.read(atDesk, async (page) => {
      const image = `${library.elsewhere}/documents/${library.ids.elsewhere}/pages/kept-elsewhere-p1-large.gif`;
      const [request] = await Promise.all([
        page.waitForRequest((one) => one.url().startsWith(image)),
        openViewer(page, addressOf("elsewhere", "kept-elsewhere")),
      ]);
      expect(request.resourceType()).toBe("image");
      await imageShown(page, 1);
    });
  });

  it("redirects from a wrong slug to the right one, and links to the record", async () => {
    await browser.read(atDesk, async (page) => {
      await openAbout(page, atDesk, `${library.app.url}/documents/${library.ids.report}-a-wrong-name/`);
      expect(page.url()).toContain(report());
      await page.getByRole("link", { name: "Record in the browsable API" }).click();
      await expect.poll(() => page.locator("h1").innerText()).toBe("Document Instance");
      await page.locator("pre.response a", { hasText: "/documents/" }).first().click();
      await pageRegion(page, 1).waitFor();
      expect(page.url()).toContain(report());
    });
  });

  it("asks search engines to leave it out if the document has noindex", async () => {
    await browser.read(atDesk, async (page) => {
      const response = await open(page, addressOf("noindex", "not-for-search-engines"));
      expect(response.headers()["x-robots-tag"]).toBe("noindex");
      await expect.poll(() => page.locator("meta[name=robots]").getAttribute("content")).toBe("noindex");
    });
  });

  it("says that there is no file", async () => {
    await browser.read(atDesk, async (page) => {
      await openAbout(page, atDesk, addressOf("lost", "without-its-file"));
      await expect
        .poll(() => page.locator(".notice").innerText())
        .toBe("There is no file for this document here.");
      await expect.poll(() => page.getByRole("link", { name: "Download" }).count()).toBe(0);
      await expect.poll(() => pageRegion(page, 1).innerText()).toContain("There is no image of this page.");
    });
  });
});

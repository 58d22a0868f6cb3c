import { readFile } from "node:fs/promises";
import type { Page, Response } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Library, openLibrary } from "./library.ts";
import { expectPdfDrawn } from "./drawn-pdf.ts";
import { type Reader, TestBrowser, atDesk, keepScreenshot, open, readers, withoutPdfs } from "./reader.ts";

let browser: TestBrowser;
let library: Library;

beforeAll(async () => {
  [browser, library] = await Promise.all([TestBrowser.open(), openLibrary()]);
});
afterAll(async () => {
  await browser.close();
  await library[Symbol.asyncDispose]();
});

const addressOf = (name: "report" | "sheet" | "elsewhere" | "lost" | "noindex", slug: string): string =>
  `${library.app.url}/documents/${library.ids[name]}-${slug}/`;

const report = (): string => addressOf("report", "annual-report-of-the-harbour-office");

/** Goes to a page and waits until the browser has the PDF in it. */
async function openWithPdf(page: Page, address: string, file: string): Promise<Response> {
  const [response] = await Promise.all([
    page.waitForResponse((one) => one.url().startsWith(file) && "content-type" in one.headers()),
    open(page, address),
  ]);
  return response;
}

/** The browser has made a document of its own for the PDF, and drawn its paper in place of what stands in for it. */
async function expectPdfShown(page: Page, { scripts }: Reader, file: string): Promise<void> {
  await expect
    .poll(() => page.frames().filter((frame) => frame.url().startsWith(file)).length)
    .toBeGreaterThan(0);
  expect(await page.locator("object .notice").isVisible()).toBe(false);
  expect((await page.locator("object").boundingBox())?.height).toBeGreaterThan(400);
  // The view is drawn with scripts of its own, which the emulation of a browser without any takes from it as well.
  if (scripts === "on") await expectPdfDrawn(page);
}

describe.each(readers)("the page of a document, by $width pixels, scripts $scripts, $colors", (reader) => {
  it("shows the document in the browser's own view", async () => {
    await browser.read(reader, async (page) => {
      const file = `${library.app.url}/files/documents/${library.ids.report}/annual-report-of-the-harbour-office.pdf`;
      const response = await openWithPdf(page, report(), file);
      expect([200, 206]).toContain(response.status());
      expect(response.headers()["content-type"]).toBe("application/pdf");
      await expectPdfShown(page, reader, file);
      await keepScreenshot(page, `document-shown-${reader.width}-${reader.colors}`, "window");
    });
  });

  it("names title and facts", async () => {
    await browser.read(reader, async (page) => {
      await withoutPdfs(page);
      await open(page, report());
      expect(await page.title()).toBe("Annual report of the harbour office – Quire");
      expect(await page.locator("h1").innerText()).toBe("Annual report of the harbour office");
      expect(await page.locator(".description").innerText()).toContain("What came and went");
      const names = await page.locator("dl.facts dt").allInnerTexts();
      const values = await page.locator("dl.facts dd").allInnerTexts();
      expect(Object.fromEntries(names.map((name, index) => [name, values[index]]))).toMatchObject({
        Pages: "3 pages",
        "Page size": "A4, 210 × 297 mm: 2 pages\nA4 landscape, 297 × 210 mm: 1 page",
        Language: "English",
        Added: "31 March 2025, 12:00 UTC",
        email: "one@example.org\ntwo@example.org",
      });
      const links = page.locator("dl.facts a");
      expect(await links.allInnerTexts()).toContain("https://news.example.org/2024/harbour?utm=a&b=c");
      expect(await page.locator("meta[name=robots]").count()).toBe(0);
    });
  });

  it("gives the document to keep", async () => {
    await browser.read(reader, async (page) => {
      await open(page, report());
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
      await open(page, addressOf("sheet", "ship-arrivals-by-month"));
      expect(await page.locator("object").count()).toBe(0);
      expect(await page.locator(".reader").innerText()).toContain("cannot be read in the browser");
      for (const name of ["Download XLSX", "Open or download the file"]) {
        const [download] = await Promise.all([
          page.waitForEvent("download"),
          page.getByRole("link", { name }).click(),
        ]);
        expect(download.suggestedFilename()).toBe("ship-arrivals-by-month.xlsx");
      }
    });
  });

  it("shows a document whose file is elsewhere", async () => {
    await browser.read(reader, async (page) => {
      const file = `${library.elsewhere}/documents/${library.ids.elsewhere}/kept-elsewhere.pdf`;
      const response = await openWithPdf(page, addressOf("elsewhere", "kept-elsewhere"), file);
      expect([response.status(), response.headers()["content-type"]]).toEqual([200, "application/pdf"]);
      await expectPdfShown(page, reader, file);
    });
  });
});

describe("the page of a document", () => {
  it("leads from a wrong name to the right one, and to the record", async () => {
    await browser.read(atDesk, async (page) => {
      await withoutPdfs(page);
      await open(page, `${library.app.url}/documents/${library.ids.report}-a-wrong-name/`);
      expect(page.url()).toBe(report());
      await page.getByRole("link", { name: "Record in the browsable API" }).click();
      expect(await page.locator("h1").innerText()).toBe("Document Instance");
      await page.locator("pre.response a", { hasText: "/documents/" }).first().click();
      expect(page.url()).toBe(report());
    });
  });

  it("says to search engines to leave it where the document does", async () => {
    await browser.read(atDesk, async (page) => {
      const response = await open(page, addressOf("noindex", "not-for-search-engines"));
      expect(response.headers()["x-robots-tag"]).toBe("noindex");
      expect(await page.locator("meta[name=robots]").getAttribute("content")).toBe("noindex");
    });
  });

  it("says that there is no file", async () => {
    await browser.read(atDesk, async (page) => {
      await open(page, addressOf("lost", "without-its-file"));
      expect(await page.locator(".reader").innerText()).toBe("There is no file for this document here.");
      expect(await page.getByRole("link", { name: "Download" }).count()).toBe(0);
    });
  });

  it("says what to do in a browser that shows no PDF", async () => {
    await browser.read(atDesk, async (page) => {
      await withoutPdfs(page);
      await open(page, report());
      const notice = page.locator("object .notice");
      await notice.waitFor({ state: "visible" });
      expect(await notice.innerText()).toContain("This browser does not show PDFs within a page.");
    });
  });
});

import type { Page } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import { addReadDocument } from "../../src/testing/read-documents.ts";
import { useApp } from "../../src/testing/test-app.ts";
import { keepScreenshot, useBrowser } from "./reader.ts";
import { openViewer, viewers } from "./viewer.ts";

const browser = useBrowser();
const app = useApp("sqlite");
let log: string;

const pageCount = 10_000;

beforeAll(async () => {
  const pages = Array<string>(pageCount).fill("A whale was seen, and another whale.");
  const id = await addReadDocument(app.context, { title: "Logbook", slug: "logbook", pages });
  log = `${app.url}/documents/${id}-logbook/`;
});

const status = (page: Page): Promise<string> => page.getByRole("status").first().innerText();

describe.each(viewers)("hits on 10,000 pages, by $width pixels, $colors", (reader) => {
  it("are all counted and listed, loaded as the reader scrolls, with few in the document tree at a time", async () => {
    await browser.read(reader, async (page) => {
      await openViewer(page, `${log}?q=whale#document/p9650`);
      const count = page.getByRole("button", { name: "hits, list them" });
      await expect.poll(() => count.innerText()).toMatch(/^9,650 \/ 10,000/);
      if ((await count.getAttribute("aria-expanded")) === "false") await count.click();
      const panel = page.getByRole("complementary", { name: "Hits" });
      await panel.getByText("Hits on 10,000 pages").waitFor();
      const last = panel.getByText("Page 10000", { exact: true });
      await expect
        .poll(async () => {
          await panel.evaluate((one) => {
            const scroller = one as unknown as { scrollTop: number; scrollHeight: number };
            scroller.scrollTop = scroller.scrollHeight;
          });
          return last.count();
        })
        .toBe(1);
      await expect.poll(() => panel.locator("li").count()).toBeLessThanOrEqual(400);
      await expect.poll(() => panel.getByText("Loading…").count()).toBe(0);
      await keepScreenshot(page, `viewer-many-hits-${reader.width}-${reader.colors}`, "window");
      await panel.getByRole("button", { name: "Earlier pages" }).click();
      await panel.getByText("Page 9550", { exact: true }).waitFor({ state: "attached" });
      await panel.getByText("Page 9550", { exact: true }).click();
      await expect.poll(() => count.innerText()).toMatch(/^9,550 \/ 10,000/);
    });
  });

  it("can be stepped through from any page, and around the ends", async () => {
    await browser.read(reader, async (page) => {
      await openViewer(page, `${log}?q=whale#document/p5300`);
      const next = page.getByRole("button", { name: "Next hit" });
      await next.click();
      await next.click();
      await expect.poll(() => status(page)).toBe("Page 5301, 5,301 of 10,000 pages with hits");
      await page.getByLabel("Page", { exact: true }).fill("1");
      await page.getByLabel("Page", { exact: true }).press("Enter");
      await page.getByLabel("Search in this document").fill("another");
      await page.getByLabel("Search in this document").press("Enter");
      await expect.poll(() => status(page)).toBe("Hits on 10,000 pages");
      await page.getByRole("button", { name: "Previous hit" }).click();
      await expect.poll(() => status(page)).toBe("Page 10000, 10,000 of 10,000 pages with hits");
      await next.click();
      await expect.poll(() => status(page)).toBe("Page 1, 1 of 10,000 pages with hits");
    });
  });
});

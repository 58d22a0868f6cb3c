import { beforeAll, describe, expect, it } from "vitest";
import type { Page } from "playwright-core";
import { buildPdf } from "../../src/testing/pdf.ts";
import { addReadDocument } from "../../src/testing/read-documents.ts";
import { useApp } from "../../src/testing/test-app.ts";
import { keepScreenshot, tooWide, useBrowser } from "./reader.ts";
import { axeFindings, openViewer, pageRegion, viewers } from "./viewer.ts";

const browser = useBrowser();
const app = useApp("sqlite");
const addresses: Record<string, string> = {};

/** The words of two scans in reading order, each with its left and right edge. */
const scans = {
  // From right to left: the first word is on the right.
  heb: {
    title: "דו״ח נמל חיפה",
    words: [
      ["הספינה", 0.7, 0.85],
      ["עזבה", 0.55, 0.68],
      ["את", 0.47, 0.53],
      ["הנמל", 0.35, 0.45],
    ],
    separator: " ",
  },
  // A line without spaces is one word.
  zho: { title: "市场计划", words: [["新市场的广场计划", 0.1, 0.5]], separator: "" },
} as const;

beforeAll(async () => {
  for (const [language, { title, words, separator }] of Object.entries(scans)) {
    const pdf = buildPdf({ pages: [{ width: 612, height: 792, drawing: "100 100 200 200 re f" }] });
    const direction = language === "heb" ? (-1 as const) : (1 as const);
    const line = { y1: 0.2, y2: 0.23, upright: true, direction };
    const recognised = {
      engine: "tess4",
      confidence: 90,
      layer: "",
      words: words.map(([text, x1, x2]) => ({ text, x1, x2, ...line })),
    };
    const text = words.map(([word]) => word).join(separator);
    const pages = [{ text, recognised }];
    const id = await addReadDocument(app.context, { title, slug: "a", language, pages, pdf });
    addresses[language] = `${app.url}/documents/${id}-a/`;
  }
});

/** The left and right edge of the current hit, as fractions of the page's width. */
async function litBox(page: Page): Promise<{ left: number; right: number }> {
  const lit = page.locator(".hits .hit.current");
  await lit.waitFor();
  const [box, sheet] = [await lit.boundingBox(), await pageRegion(page, 1).boundingBox()];
  const width = sheet?.width ?? 1;
  const left = ((box?.x ?? 0) - (sheet?.x ?? 0)) / width;
  return { left, right: left + (box?.width ?? 0) / width };
}

const styleOf = (page: Page, selector: string, name: string): Promise<string> =>
  page.evaluate<string>(
    `getComputedStyle(document.querySelector(${JSON.stringify(selector)}))[${JSON.stringify(name)}]`,
  );

describe.each(viewers)("the viewer, by $width pixels, $colors", (reader) => {
  it("shows and highlights text from right to left", async () => {
    await browser.read(reader, async (page) => {
      await openViewer(page, `${addresses["heb"]}?q=עזבה`);
      const { left, right } = await litBox(page);
      expect(left).toBeCloseTo(0.55, 1);
      expect(right).toBeCloseTo(0.68, 1);
      const layer = pageRegion(page, 1).locator(".text-layer");
      await expect.poll(() => layer.getAttribute("lang")).toBe("he");
      // The order for screen readers and for copying.
      expect((await layer.innerText()).replaceAll(/\s+/g, " ").trim()).toBe("הספינה עזבה את הנמל");
      expect(await styleOf(page, "h1", "direction")).toBe("rtl");
      expect(await tooWide(page)).toBe(0);
      expect(await axeFindings(page)).toEqual([]);
      await page.keyboard.press("Escape");
      await page.locator(".pages").focus();
      await page.keyboard.press("x");
      await page.getByRole("region", { name: "Text" }).getByText("הספינה").waitFor();
      expect(await styleOf(page, ".text-view .page-text", "direction")).toBe("rtl");
      await keepScreenshot(page, `viewer-hebrew-${reader.width}-${reader.colors}`, "window");
    });
  });

  it("highlights a part of a line of Chinese", async () => {
    await browser.read(reader, async (page) => {
      await openViewer(page, `${addresses["zho"]}?q=广场`);
      const { left, right } = await litBox(page);
      // The fifth and the sixth of eight characters.
      expect(left).toBeCloseTo(0.1 + 0.4 * (4 / 8), 1);
      expect(right).toBeCloseTo(0.1 + 0.4 * (6 / 8), 1);
      await expect.poll(() => pageRegion(page, 1).locator(".text-layer").getAttribute("lang")).toMatch(/^zh/);
      await keepScreenshot(page, `viewer-chinese-${reader.width}-${reader.colors}`, "window");
      expect(await axeFindings(page)).toEqual([]);
    });
  });
});

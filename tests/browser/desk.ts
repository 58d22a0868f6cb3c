import type { Page } from "playwright-core";
import { expect } from "vitest";
import { type Person, beginSession } from "../../src/testing/people.ts";
import type { TestApp } from "../../src/testing/test-app.ts";
import { faintTexts } from "./faint-texts.ts";
import { type Reader, type UsedBrowser, keepScreenshot, open, tooWide } from "./reader.ts";
import { axeFindings } from "./viewer.ts";

/** Runs a test on a page of the desk, as a signed-in user. */
export async function workAs(
  {
    browser,
    app,
    person,
    reader,
  }: { browser: UsedBrowser; app: TestApp; person: Pick<Person, "id">; reader: Reader },
  path: string,
  body: (page: Page) => Promise<void>,
): Promise<void> {
  await browser.read(reader, async (page) => {
    const { cookie } = await beginSession(app.context, person);
    const cookies = cookie.split("; ").map((pair) => {
      const [name = "", value = ""] = pair.split("=");
      return { name, value, url: app.url };
    });
    await page.context().addCookies(cookies);
    try {
      await open(page, `${app.url}${path}`);
      await body(page);
    } finally {
      await page.context().clearCookies();
    }
  });
}

/** The control that has the focus, by its name or its text; empty if none has. */
export function focusedName(page: Page): Promise<string> {
  return page.evaluate<string>(`(() => {
    const { activeElement: one, body } = document;
    if (one === null || one === body) return "";
    return one.getAttribute("aria-label") ?? one.labels?.[0]?.textContent ?? one.textContent.trim();
  })()`);
}

/**
 * Expects that the page fits, that axe-core finds nothing, and that every text has contrast, in light and dark mode. A
 * test that runs for one reader alone names the widths of the windows in which the page has to fit.
 */
export async function looksRight(
  page: Page,
  reader: Reader,
  name: string,
  widths: readonly number[] = [reader.width],
): Promise<void> {
  const own = page.viewportSize();
  for (const width of widths) {
    if (width !== reader.width) await page.setViewportSize({ width, height: own?.height ?? 0 });
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme });
      expect([name, width, await tooWide(page)]).toEqual([name, width, 0]);
      expect([name, width, await faintTexts(page)]).toEqual([name, width, []]);
      await keepScreenshot(page, `${name}-${width}-${colorScheme}`);
    }
    if (width !== reader.width && own !== null) await page.setViewportSize(own);
  }
  await page.emulateMedia({ colorScheme: reader.colors });
  expect([name, await axeFindings(page, { hasContrast: true })]).toEqual([name, []]);
}

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Locator, Page } from "playwright-core";
import { type Reader, atDesk, onPhone, open } from "./reader.ts";

/** Readers of the viewer, which needs scripts. */
export const onPhoneWithScripts: Reader = { ...onPhone, scripts: "on" };
export const viewers: readonly Reader[] = [atDesk, onPhoneWithScripts];

/** Opens a document and waits until the viewer is there. */
export async function openViewer(page: Page, address: string): Promise<void> {
  await open(page, "about:blank").catch(() => undefined);
  await open(page, address);
  await page.getByRole("toolbar", { name: "Document" }).waitFor();
}

/** Opens a panel of the viewer: by its button, or by the menu where there is no room for one. */
export async function openPanel(page: Page, name: string, menu = "More"): Promise<void> {
  const button = page.getByRole("toolbar").getByRole("button", { name });
  if (!(await button.isVisible())) await page.getByRole("button", { name: menu, exact: true }).click();
  await page.getByRole("button", { name }).click();
}

/** A page of the document, if it is in the document tree. */
export function pageRegion(page: Page, number: number): Locator {
  return page.getByRole("region", { name: `Page ${number}`, exact: true });
}

/** Waits until the image of a page is drawn. */
export async function imageShown(page: Page, number: number): Promise<void> {
  await page.locator(`[data-page="${number}"][data-image="shown"]`).waitFor();
}

/** The part of an element that is in the window, from 0 to 1. */
export function shareInWindow(element: Locator): Promise<number> {
  return element.evaluate((one) => {
    const box = (
      one as unknown as { getBoundingClientRect(): Record<string, number> }
    ).getBoundingClientRect();
    const { top = 0, bottom = 0, height = 1 } = box;
    const windowHeight = (globalThis as unknown as { innerHeight: number }).innerHeight;
    return Math.max(0, Math.min(bottom, windowHeight) - Math.max(top, 0)) / height;
  });
}

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/**
 * What axe-core finds wrong on the page: the rule, and the first element that breaks it. `hasContrast` says that the
 * test looks for faint texts itself, which takes axe-core as long as everything else.
 */
export async function axeFindings(page: Page, { hasContrast = false } = {}): Promise<string[]> {
  // The library is large: a document gets it once.
  if (!(await page.evaluate<boolean>(`"axe" in globalThis`))) await page.evaluate(`${axe}; undefined`);
  return page.evaluate<string[]>(
    `axe.run(document, {
       resultTypes: ["violations"],
       rules: { "color-contrast": { enabled: ${!hasContrast} } },
     }).then(({ violations }) =>
       violations.map(({ id, nodes }) => id + ": " + nodes[0].html.slice(0, 200) + " " + (nodes[0].failureSummary ?? "").slice(0, 200)))`,
  );
}

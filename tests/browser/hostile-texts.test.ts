import { describe, expect, it } from "vitest";
import { hebrewTitle, hostileTitle, useLibrary, turningTitle } from "./library.ts";
import { useBrowser, atDesk, open, readers, tooWide } from "./reader.ts";
import { shownJson } from "./shown-exchange.ts";
import { openPanel } from "./viewer.ts";

const browser = useBrowser();
const library = useLibrary();

/** The elements that can only come from a hostile text. */
const foreign =
  "script:not([src^='/static/viewer-'], body > script), img:not(.brand img, .thumb img), b:not(pre.request b), [onerror]";

describe.each(readers)("a hostile text, by $width pixels, scripts $scripts, $colors", (reader) => {
  it("is text in the list for people", async () => {
    await browser.read(reader, async (page) => {
      await open(page, `${library.app.url}/documents/`);
      const titles = await page.locator(".documents h2").allTextContents();
      expect(titles).toEqual(expect.arrayContaining([hostileTitle, hebrewTitle, turningTitle]));
      await expect.poll(() => page.locator(foreign).count()).toBe(0);
      expect(await tooWide(page)).toBe(0);
    });
  });

  it("is text in the page of its document", async () => {
    await browser.read(reader, async (page) => {
      await open(page, `${library.app.url}/documents/${library.ids.hostile}-script/`);
      expect(await page.title()).toBe(`${hostileTitle} – Quire`);
      await expect.poll(() => page.locator("h1").textContent()).toBe(hostileTitle);
      if (reader.scripts === "on") await openPanel(page, "About");
      // A description may have formatting, so only its text is left.
      expect((await page.locator(".description").textContent())?.trim()).toBe('"><b>');
      await expect
        .poll(() => page.locator("dl.facts dt", { hasText: "alert(1)" }).textContent())
        .toBe(hostileTitle);
      const facts = await page.locator("dl.facts dd").allInnerTexts();
      expect(facts).toEqual(expect.arrayContaining([hostileTitle, "javascript:alert(3)"]));
      await expect.poll(() => page.locator(`[href^="javascript" i]`).count()).toBe(0);
      await expect.poll(() => page.locator(foreign).count()).toBe(0);
      expect(await tooWide(page)).toBe(0);
    });
  });

  it("is text in the browsable list and record", async () => {
    await browser.read(reader, async (page) => {
      const { report, hostile, hebrew, turning } = library.ids;
      await open(page, `${library.app.url}/api/documents/?id__in=${hostile},${hebrew},${turning},${report}`);
      const { results } = JSON.parse(await shownJson(page)) as { results: { id: number; title: string }[] };
      expect(results.map(({ title }) => title)).toContain(hostileTitle);
      expect(results.map(({ title }) => title)).toContain(turningTitle);
      await expect.poll(() => page.locator(foreign).count()).toBe(0);
      expect(await tooWide(page)).toBe(0);
      await open(page, `${library.app.url}/api/documents/${hostile}/?x=${encodeURIComponent(hostileTitle)}`);
      expect(JSON.parse(await shownJson(page))).toMatchObject({ id: hostile, title: hostileTitle });
      await expect.poll(() => page.locator(`[href^="javascript" i]`).count()).toBe(0);
      await expect.poll(() => page.locator(foreign).count()).toBe(0);
    });
  });
});

describe("a text from right to left", () => {
  it("does not reverse the text around it", async () => {
    await browser.read(atDesk, async (page) => {
      for (const name of ["hebrew", "turning"] as const) {
        await open(page, `${library.app.url}/api/documents/${library.ids[name]}/`);
        // On its line, the key stays before the value and the comma after it.
        const offsets = await page.evaluate<{ key: number; value: [number, number]; comma: number }>(`(() => {
          const keys = [...document.querySelectorAll("pre.response .key")];
          const key = keys.find((one) => one.textContent === '"title"');
          const value = key.nextElementSibling;
          const range = document.createRange();
          range.setStart(value.nextSibling, 0);
          range.setEnd(value.nextSibling, 1);
          const [before, text, behind] = [key, value, range].map((one) => one.getBoundingClientRect());
          return { key: before.right, value: [text.left, text.right], comma: behind.left };
        })()`);
        expect(offsets.key).toBeLessThan(offsets.value[0]);
        expect(offsets.comma).toBeGreaterThan(offsets.value[1] - 1);
      }
    });
  });
});

import type { Locator, Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { useLibrary } from "./library.ts";
import { useBrowser, onPhone, open } from "./reader.ts";
import { shownExchange, shownJson } from "./shown-exchange.ts";

const browser = useBrowser();
const library = useLibrary();

const field = (page: Page, label: string): Locator => page.locator("form").getByLabel(label, { exact: true });

/** Fills in the form of a list and sends it. */
async function ask(page: Page, values: Record<string, string>): Promise<URLSearchParams> {
  const summary = page.getByText("Filter and order");
  if (!(await field(page, "Ids").isVisible())) await summary.click();
  for (const [label, value] of Object.entries(values)) {
    if (["Order", "Access", "Status"].includes(label)) await field(page, label).selectOption(value);
    else await field(page, label).fill(value);
  }
  await page.getByRole("button", { name: "Apply" }).click();
  return new URL(page.url()).searchParams;
}

const pageCounts = async (page: Page): Promise<number[]> =>
  (JSON.parse(await shownJson(page)) as { results: { page_count: number }[] }).results.map(
    (record) => record.page_count,
  );

const numberInUse = (page: Page): Promise<string> => page.locator("summary .count").innerText();

// Every visitor gets the same pages, without scripts. How they look is tested in appearance.test.ts.
describe("the filters", () => {
  it("narrow the list by one value or several, and order it", async () => {
    await browser.read(onPhone, async (page) => {
      await open(page, `${library.app.url}/api/documents/?per_page=4&format=api`);
      await expect.poll(() => page.locator("summary .count").count()).toBe(0);
      await ask(page, { "Pages, more than": "28" });
      await expect.poll(() => pageCounts(page)).toEqual([29, 30, 31]);
      await expect.poll(() => numberInUse(page)).toMatch(/^1\b/);

      const asked = await ask(page, { "Pages, fewer than": "31", Order: "-page_count", Access: "public" });
      await expect.poll(() => pageCounts(page)).toEqual([30, 29]);
      await expect.poll(() => numberInUse(page)).toMatch(/^4\b/);
      expect([asked.get("per_page"), asked.get("format"), asked.get("page_count__gt")]).toEqual([
        "4",
        "api",
        "28",
      ]);

      await ask(page, { "Pages, more than": "", "Pages, fewer than": "" });
      await expect.poll(() => pageCounts(page)).toEqual([31, 30, 29, 28]);
      await page.locator("nav.pages").first().getByText("Next").click();
      await expect.poll(() => pageCounts(page)).toEqual([27, 26, 25, 24]);
      // A cursor is not valid in another list.
      expect(
        (await ask(page, { Ids: `${library.ids.plain[0]}, ${library.ids.plain[1]}` })).has("cursor"),
      ).toBe(false);
      await expect.poll(() => pageCounts(page)).toEqual([2, 1]);

      await page.getByText("Filter and order").click();
      await page.getByRole("link", { name: "Clear all" }).click();
      expect(new URL(page.url()).search).toBe("?format=api&per_page=4");
      await expect.poll(() => pageCounts(page)).toHaveLength(4);
      await expect.poll(() => page.locator("summary .count").count()).toBe(0);
    });
  });

  it("do nothing if they are left empty", async () => {
    await browser.read(onPhone, async (page) => {
      const address = `${library.app.url}/api/documents/`;
      await open(page, address);
      const { results } = JSON.parse(await shownJson(page)) as { results: unknown[] };
      await ask(page, {});
      expect((await shownExchange(page)).status).toBe("HTTP 200 OK");
      expect((JSON.parse(await shownJson(page)) as { results: unknown[] }).results).toEqual(results);
      await expect.poll(() => page.locator("summary .count").count()).toBe(0);
    });
  });

  it("show in the same frame what is wrong with a value, and keep it", async () => {
    await browser.read(onPhone, async (page) => {
      await open(page, `${library.app.url}/api/documents/?per_page=3`);
      await ask(page, { User: `"><script>alert(1)</script>`, Pages: "many", Order: "title" });
      const { request, status, headers, body } = await shownExchange(page);
      expect(request).toMatch(/^GET \/api\/documents\/\?per_page=3&/);
      expect(status).toBe("HTTP 400 Bad Request");
      expect(headers).toContain("Content-Type: application/json");
      expect(Object.keys(JSON.parse(body) as object)).toEqual(["user", "page_count"]);
      await expect.poll(() => page.locator("h1").textContent()).toBe("Document List");
      await expect.poll(() => field(page, "User").isVisible()).toBe(true);
      await expect.poll(() => field(page, "User").inputValue()).toBe(`"><script>alert(1)</script>`);
      await expect.poll(() => field(page, "Pages").inputValue()).toBe("many");
      await expect.poll(() => field(page, "Order").inputValue()).toBe("title");

      await ask(page, { User: "1", Pages: "7" });
      await expect.poll(() => pageCounts(page)).toEqual([7]);
    });
  });
});

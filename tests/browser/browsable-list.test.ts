import type { Page } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import { useLibrary } from "./library.ts";
import { useBrowser, onPhone, open } from "./reader.ts";
import { shownExchange, shownJson, squeezed } from "./shown-exchange.ts";

const browser = useBrowser();
const library = useLibrary();
let list: string;

beforeAll(async () => {
  list = `${library.app.url}/api/documents/`;
});

/** The body that a program gets from the same address. */
async function asProgram(address: string, method = "GET"): Promise<string> {
  return (await fetch(address, { method, headers: { accept: "application/json" } })).text();
}

const idsOn = async (page: Page): Promise<number[]> =>
  (JSON.parse(await shownJson(page)) as { results: { id: number }[] }).results.map(({ id }) => id);

/** Every string in a JSON value. */
function stringsIn(value: unknown): string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(stringsIn) : [];
}

// Every visitor gets the same pages, without scripts. How they look is tested in appearance.test.ts.
describe("the browsable list", () => {
  it("is a page of the operation, with exactly the answer that a program gets", async () => {
    await browser.read(onPhone, async (page) => {
      const address = `${list}?per_page=9&unknown=%3Cb%3E`;
      const response = await open(page, address);
      expect(response.status()).toBe(200);
      expect(response.headers()["content-type"]).toBe("text/html; charset=utf-8");
      expect(await page.title()).toBe("Document List – Quire");
      await expect.poll(() => page.locator("h1").textContent()).toBe("Document List");
      await expect
        .poll(() => page.locator("p.description").textContent())
        .toContain("The documents that you may see");

      const { request, status, headers, body } = await shownExchange(page);
      expect(request).toBe("GET /api/documents/?per_page=9&unknown=%3Cb%3E");
      expect(status).toBe("HTTP 200 OK");
      expect(headers).toEqual([
        "Allow: GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS",
        "Cache-Control: no-cache",
        "Content-Type: application/json",
        "Vary: Accept",
      ]);
      expect(squeezed(body)).toBe(await asProgram(address));
    });
  });

  it("shows the same under format=api, except for the format in its links", async () => {
    await browser.read(onPhone, async (page) => {
      await open(page, `${list}?format=api&per_page=2`);
      expect(squeezed(await shownJson(page)).replaceAll("format=api", "format=json")).toBe(
        await asProgram(`${list}?format=json&per_page=2`),
      );
    });
  });

  it("makes every address in the answer a link", async () => {
    await browser.read(onPhone, async (page) => {
      await open(page, `${list}?per_page=10`);
      const links = await page.locator("pre.response a").all();
      const linked: string[] = [];
      for (const link of links) {
        await expect.poll(() => link.getAttribute("href")).toBe(await link.textContent());
        linked.push((await link.getAttribute("href")) ?? "");
      }
      const texts = stringsIn(JSON.parse(await shownJson(page))).join("\n");
      // Every address in the library's texts ends at a space or a comma.
      expect(linked.length).toBeGreaterThan(20);
      expect(linked).toEqual(texts.match(/https?:\/\/[^\s,]+/g));
      expect(linked).toContain("https://news.example.org/2024/harbour?utm=a&b=c");
    });
  });

  it("can be walked along next and back along previous", async () => {
    await browser.read(onPhone, async (page) => {
      const pages: number[][] = [];
      await open(page, `${list}?per_page=15`);
      for (;;) {
        pages.push(await idsOn(page));
        const { next } = JSON.parse(await shownJson(page)) as { next: string | null };
        if (next === null) break;
        await page.locator("pre.response a").first().click();
        expect(page.url()).toBe(next);
      }
      const { ids } = library;
      expect(pages.flat()).toEqual(
        Object.values(ids)
          .flat()
          .toSorted((one, other) => one - other),
      );
      expect(pages.map(({ length }) => length)).toEqual([15, 15, 10]);
      for (const before of pages.slice(0, -1).toReversed()) {
        await page.locator("nav.pages").first().getByText("Previous").click();
        await expect.poll(() => idsOn(page)).toEqual(before);
      }
      await page.locator("nav.pages").last().getByText("Next").click();
      await expect.poll(() => idsOn(page)).toEqual(pages[1]);
    });
  });

  it("links up to the root, down to the list and a record, and back up", async () => {
    await browser.read(onPhone, async (page) => {
      await open(page, `${list}?per_page=1`);
      await page.getByRole("link", { name: "Api Root" }).click();
      expect(page.url()).toBe(`${library.app.url}/api/`);
      await expect.poll(() => page.locator("h1").textContent()).toBe("Api Root");
      expect(squeezed(await shownJson(page))).toBe(await asProgram(page.url()));
      await page.locator("pre.response a").first().click();
      expect(page.url()).toBe(list);

      await open(page, `${list}${library.ids.report}/`);
      await expect.poll(() => page.locator("h1").textContent()).toBe("Document Instance");
      expect(squeezed(await shownJson(page))).toBe(await asProgram(page.url()));
      const trail = page.getByRole("navigation", { name: "Breadcrumbs" }).getByRole("listitem");
      await expect
        .poll(() => trail.allTextContents())
        .toEqual(["Api Root", "Document List", "Document Instance"]);
      await page.getByRole("link", { name: "Document List" }).click();
      expect(page.url()).toBe(list);
    });
  });

  it("links to itself, to JSON and to the page by format", async () => {
    await browser.read(onPhone, async (page) => {
      const address = `${list}?per_page=2&user=1`;
      await open(page, address);
      await page.getByRole("link", { name: "GET", exact: true }).click();
      expect(page.url()).toBe(address);
      expect((await idsOn(page)).length).toBe(2);
      await page.getByRole("link", { name: "GET as api" }).click();
      expect(page.url()).toBe(`${list}?format=api&per_page=2&user=1`);
      expect((await shownExchange(page)).request).toBe("GET /api/documents/?format=api&per_page=2&user=1");

      const [response] = await Promise.all([
        page.waitForResponse(`${list}?format=json&per_page=2&user=1`),
        page.getByRole("link", { name: "GET as json" }).click(),
      ]);
      expect(response.headers()["content-type"]).toBe("application/json");
      expect(await response.text()).toBe(await asProgram(response.url()));
      await page.goBack();
      await expect.poll(() => page.locator("h1").textContent()).toBe("Document List");
    });
  });

  it("can show the answer to OPTIONS", async () => {
    await browser.read(onPhone, async (page) => {
      await open(page, list);
      const answer = page.locator("pre.json", { hasText: "renders" });
      await expect.poll(() => answer.isVisible()).toBe(false);
      await page.getByText("OPTIONS", { exact: true }).click();
      await expect.poll(() => answer.isVisible()).toBe(true);
      expect(squeezed((await answer.textContent()) ?? "")).toBe(await asProgram(list, "OPTIONS"));
    });
  });
});

import { describe, expect, it } from "vitest";
import { useLibrary } from "./library.ts";
import { useBrowser, onPhone, open } from "./reader.ts";
import { shownExchange } from "./shown-exchange.ts";

const browser = useBrowser();
const library = useLibrary();

// Every visitor gets the same pages, without scripts. How they look is tested in appearance.test.ts.
describe("a refusal", () => {
  it("is shown in the frame of the operation", async () => {
    await browser.read(onPhone, async (page) => {
      for (const [path, name, detail] of [
        ["/api/documents/999999/", "Document Instance", "Not found."],
        ["/api/documents/none/", "Document Instance", "Not found."],
        ["/api/documents/?cursor=none", "Document List", "Invalid cursor"],
        ["/api/documents/?format=api&cursor=none", "Document List", "Invalid cursor"],
      ] as const) {
        const response = await open(page, `${library.app.url}${path}`);
        const { request, status, headers, body } = await shownExchange(page);
        expect([response.status(), status, request]).toEqual([404, "HTTP 404 Not Found", `GET ${path}`]);
        await expect.poll(() => page.locator("h1").textContent()).toBe(name);
        expect(headers).toContain("Content-Type: application/json");
        expect(JSON.parse(body)).toEqual({ detail });
        await expect.poll(() => page.locator("nav.pages").count()).toBe(0);
      }
      await page.getByRole("link", { name: "Api Root" }).click();
      await expect.poll(() => page.locator("h1").textContent()).toBe("Api Root");
    });
  });

  it("is JSON if the client does not accept HTML", async () => {
    await browser.read(onPhone, async (page) => {
      await page.route("**/*", (route) =>
        route.continue({ headers: { ...route.request().headers(), accept: "image/png" } }),
      );
      const response = await open(page, `${library.app.url}/api/documents/`);
      expect([response.status(), await response.json()]).toEqual([
        406,
        { detail: "Could not satisfy the request Accept header." },
      ]);
    });
  });

  it("is a page with a link to the front page, outside the API", async () => {
    await browser.read(onPhone, async (page) => {
      const response = await open(page, `${library.app.url}/documents/999999-none/`);
      expect(response.status()).toBe(404);
      await expect.poll(() => page.locator("h1").textContent()).toBe("Page not found");
      await page.getByRole("link", { name: "All documents" }).click();
      expect(page.url()).toBe(`${library.app.url}/`);
    });
  });
});

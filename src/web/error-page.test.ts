import { describe, expect, it } from "vitest";
import { testSite } from "../testing/site.ts";
import { renderErrorPage } from "./error-page.ts";

describe("the error page", () => {
  it("explains the error and links back to the documents", () => {
    const site = { ...testSite, home: "/home" };
    const page = renderErrorPage({ site, status: 404, title: "Page not found", message: "No <b> here." });
    expect(page).toContain("<title>Page not found – Quire</title>");
    expect(page).toContain("<h1>Page not found</h1>");
    expect(page).toContain("No &#60;b&#62; here.");
    expect(page).toContain(`<a class="button" href="/home">`);
    expect(page).toContain(`<meta name="robots" content="noindex" />`);
  });
});

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

  it("offers visitors without a session to sign in, where that may help", () => {
    const visitor = {
      name: null,
      mayUpload: false,
      unread: 0,
      hasWork: false,
      isAdministrator: false,
      csrfToken: null,
      here: "/a/?b=1",
    };
    const pageFor = (status: number, name: string | null): string =>
      renderErrorPage({
        site: { ...testSite, visitor: { ...visitor, name } },
        status,
        title: "",
        message: "",
      });
    const offer = "you may see and do more";
    expect(pageFor(404, null)).toContain(offer);
    expect(pageFor(404, null)).toContain("?next=%2Fa%2F%3Fb%3D1");
    expect(pageFor(403, null)).toContain(offer);
    expect(pageFor(404, "Ada")).not.toContain(offer);
    expect(pageFor(500, null)).not.toContain(offer);
  });
});

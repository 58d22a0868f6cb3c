import type { Page } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import { faintTexts } from "./faint-texts.ts";
import { hostileTitle, useLibrary } from "./library.ts";
import {
  type Reader,
  useBrowser,
  atDesk,
  keepScreenshot,
  onPhone,
  open,
  readers,
  tooWide,
} from "./reader.ts";
import { shownExchange, shownJson } from "./shown-exchange.ts";
import { type Account, addMara, panel, readAs, signInAndRead, ownMenu } from "./signed-in.ts";

const browser = useBrowser();
const library = useLibrary();
let mara: Account;

beforeAll(async () => {
  mara = await addMara(library.app);
});

const readSignedIn = (reader: Reader, path: string, body: (page: Page) => Promise<void>): Promise<void> =>
  readAs({ browser, app: library.app, account: mara, reader }, path, body);

const record = (id: number): string => `/api/documents/${id}/?format=api`;
const recordOn = async (page: Page): Promise<Record<string, unknown>> =>
  JSON.parse(await shownJson(page)) as Record<string, unknown>;

describe.each(readers)("someone signed in, by $width pixels, scripts $scripts, $colors", (reader) => {
  it("is named on every page and can sign out", async () => {
    const visit = { browser, app: library.app, account: mara, reader };
    await signInAndRead(visit, "/api/documents/?per_page=1", async (page) => {
      for (const path of ["/", "/nowhere/", "/api/", "/api/schema/docs/"]) {
        await open(page, `${library.app.url}${path}`);
        await page.getByRole("banner").getByRole("button", { name: "Your menu, Mara Voss" }).waitFor();
      }
      await (await ownMenu(page)).getByRole("button", { name: "Sign out" }).click();
      expect(new URL(page.url()).pathname).toBe("/api/schema/docs/");
      await expect
        .poll(() => page.getByRole("banner").getByRole("link", { name: "Sign in" }).count())
        .toBe(1);
    });
  });

  it("adds by the form, and gets it back with the errors", async () => {
    await readSignedIn(reader, "/api/documents/?format=api", async (page) => {
      const form = await panel(page, "Add one", "Form");
      await form.getByLabel("Published URL").fill(`"><script>alert(1)</script>`);
      await form.getByLabel("Access").selectOption("public");
      await form.getByLabel("Noindex").check();
      await form.getByLabel(/^Data/).fill("[1]");
      await form.getByRole("button", { name: "POST" }).click();

      expect((await shownExchange(page)).status).toBe("HTTP 400 Bad Request");
      const again = await panel(page, "Add one", "Form");
      const title = again.getByLabel(/^Title/);
      await expect.poll(() => title.getAttribute("aria-invalid")).toBe("true");
      await expect
        .poll(() => again.locator("#post-title-messages").innerText())
        .toBe("This field may not be blank.");
      await expect
        .poll(() => again.locator("#post-published_url-messages").innerText())
        .toBe("Enter a valid URL.");
      await expect
        .poll(() => again.getByLabel("Published URL").inputValue())
        .toBe(`"><script>alert(1)</script>`);
      await expect.poll(() => again.getByLabel("Access").inputValue()).toBe("public");
      await expect.poll(() => again.getByLabel("Noindex").isChecked()).toBe(true);
      await expect.poll(() => again.getByLabel(/^Data/).inputValue()).toBe("[1]");
      expect(await tooWide(page)).toBe(0);
      expect(await faintTexts(page)).toEqual([]);
      await keepScreenshot(page, `form-refused-${reader.width}-${reader.colors}`);

      await title.fill("Minutes of the board");
      await again.getByLabel("Published URL").fill("");
      await again.getByLabel(/^Data/).fill(`{"topic": ["board"]}`);
      await again.getByRole("button", { name: "POST" }).click();
      expect((await shownExchange(page)).status).toBe("HTTP 201 Created");
      await page.getByRole("link", { name: "Go to it" }).click();
      await expect
        .poll(() => recordOn(page))
        .toMatchObject({
          title: "Minutes of the board",
          access: "public",
          noindex: true,
          data: { topic: ["board"] },
        });
      await page.evaluate(`for (const one of document.querySelectorAll("details")) one.open = true`);
      expect(await tooWide(page)).toBe(0);
      expect(await faintTexts(page)).toEqual([]);
      await keepScreenshot(page, `form-change-${reader.width}-${reader.colors}`);
    });
  });
});

describe("with scripts", () => {
  it("sends only the changed fields of the form, and shows errors at their fields", async () => {
    const { report } = library.ids;
    await readSignedIn(atDesk, record(report), async (page) => {
      const before = await recordOn(page);
      const form = await panel(page, "Change this", "Form");
      await form.getByLabel(/^Title/).fill("");
      await form.getByLabel(/^Data/).fill("{");
      await form.getByRole("button", { name: "PATCH" }).click();
      await form.getByText("The form was not sent.").waitFor();
      await expect.poll(() => form.locator("#change-data-messages").innerText()).toBe("This is not JSON.");
      await form.getByLabel(/^Data/).fill(JSON.stringify(before["data"]));
      await form.getByRole("button", { name: "PATCH" }).click();
      await form.getByText("HTTP 400 Bad Request").waitFor();
      await expect
        .poll(() => form.locator("#change-title-messages").innerText())
        .toBe("This field may not be blank.");
      await expect.poll(() => page.evaluate(`document.activeElement.dataset.part`)).toBe("answer");
      await keepScreenshot(page, "form-script-refused", "window");

      await form.getByLabel(/^Title/).fill("Another title");
      await Promise.all([page.waitForNavigation(), form.getByRole("button", { name: "PATCH" }).click()]);
      const { updated_at: _, ...after } = await recordOn(page);
      expect(after).toMatchObject({ title: "Another title", data: before["data"], source: before["source"] });
    });
  });

  it("refuses to replace an object that has changed since the page was opened", async () => {
    const [id = 0] = library.ids.plain;
    await readSignedIn(atDesk, record(id), async (page) => {
      const stale = await page.context().newPage();
      await stale.goto(page.url());
      const form = await panel(page, "Change this", "Form");
      await form.getByLabel("Source").fill("Registry");
      await Promise.all([page.waitForNavigation(), form.getByRole("button", { name: "PUT" }).click()]);
      await expect.poll(() => recordOn(page)).toMatchObject({ source: "Registry", access: "public" });

      const late = await panel(stale, "Change this", "Form");
      await late.getByRole("button", { name: "PUT" }).click();
      await late.getByText("HTTP 412 Precondition Failed").waitFor();
      await stale.close();
    });
  });

  it("sends raw data, and shows messages with the names of their fields", async () => {
    await readSignedIn(atDesk, "/api/documents/?format=api", async (page) => {
      const raw = await panel(page, "Add one", "Raw data");
      const content = raw.getByLabel("Content");
      expect(JSON.parse(await content.inputValue())).toMatchObject({ title: "", access: "private" });
      await content.fill(`{"access": "nobody"}`);
      await raw.getByRole("button", { name: "POST" }).click();
      await raw.getByText(`access: "nobody" is not a valid choice.`).waitFor();
      await raw.getByText("title: This field is required.").waitFor();
      await content.fill("{");
      await raw.getByRole("button", { name: "POST" }).click();
      await raw.getByText(/JSON parse error/).waitFor();
      await content.fill(`{"title": "From raw data"}`);
      await Promise.all([page.waitForNavigation(), raw.getByRole("button", { name: "POST" }).click()]);
      await expect.poll(() => recordOn(page)).toMatchObject({ title: "From raw data" });
    });
  });

  it("shows a secret that is returned only once, and links to a page that can be read", async () => {
    await readSignedIn(atDesk, "/api/account/tokens/?format=api", async (page) => {
      const raw = await panel(page, "Add one", "Raw data");
      await raw.getByLabel("Content").fill(`{"name": "Nightly import"}`);
      await raw.getByRole("button", { name: "Send (POST)" }).click();
      const answer = raw.getByRole("alert");
      await answer.getByText(/"token": "quire_/).waitFor();
      await Promise.all([page.waitForNavigation(), answer.getByRole("link", { name: "Continue" }).click()]);
      expect((await shownExchange(page)).status).toBe("HTTP 200 OK");
    });
  });

  it("leads from every page to the documentation of the API", async () => {
    await readSignedIn(atDesk, "/api/documents/?format=api", async (page) => {
      await page.getByRole("contentinfo").getByRole("link", { name: "API documentation" }).click();
      await page.getByRole("heading", { level: 1 }).waitFor();
      expect(new URL(page.url()).pathname).toBe("/api/schema/docs/");
    });
  });

  it("deletes after a question that names the object", async () => {
    const { hostile } = library.ids;
    await readSignedIn(atDesk, record(hostile), async (page) => {
      const question = page.getByRole("dialog");
      await page.getByRole("button", { name: "DELETE" }).click();
      await expect.poll(() => question.getByRole("heading").innerText()).toBe(`Delete “${hostileTitle}”?`);
      await keepScreenshot(page, "form-delete", "window");
      await question.getByRole("button", { name: "Cancel" }).click();
      await expect.poll(() => question.isVisible()).toBe(false);
      await page.getByRole("button", { name: "DELETE" }).click();
      await Promise.all([page.waitForNavigation(), question.getByRole("button", { name: "Delete" }).click()]);
      expect(new URL(page.url()).pathname).toBe("/api/documents/");
      const gone = await open(page, `${library.app.url}${record(hostile)}`);
      expect(gone.status()).toBe(404);
    });
  });
});

describe("without scripts", () => {
  it("says that changes need scripts, and shows no button that would do nothing", async () => {
    await readSignedIn(onPhone, record(library.ids.sheet), async (page) => {
      await expect.poll(() => page.getByText(/^Changing, deleting and sending/).isVisible()).toBe(true);
      await expect.poll(() => page.locator("button[data-method]:not([disabled], dialog *)").count()).toBe(0);
      await expect.poll(() => page.getByRole("button", { name: "DELETE" }).isDisabled()).toBe(true);
    });
  });
});

describe("an anonymous visitor", () => {
  it("gets a link to sign in, and no forms", async () => {
    await browser.read(atDesk, async (page) => {
      const answer = await open(page, `${library.app.url}/api/documents/?per_page=1`);
      const link = page.getByRole("banner").getByRole("link", { name: "Sign in" });
      await expect
        .poll(() => link.getAttribute("href"))
        .toBe("/sign-in/?next=%2Fapi%2Fdocuments%2F%3Fper_page%3D1");
      await expect.poll(() => page.locator("section.forms, script[src]").count()).toBe(0);
      // The one script in the page has the slash put the cursor into the search box.
      expect(answer.headers()["content-security-policy"]).toMatch(/script-src 'sha256-[^' ;]+'(?:;|$)/);
    });
  });
});

import type { Locator, Page } from "playwright-core";
import { expect } from "vitest";
import { addUser } from "../../src/resources/users/add-user.ts";
import type { Library } from "./library.ts";
import { type Reader, type TestBrowser, open } from "./reader.ts";

const password = "correct horse battery staple";

/** An administrator of the library, who may change every document. */
export async function addMara(library: Library): Promise<void> {
  await addUser(library.app.context, {
    username: "mara",
    password,
    name: "Mara Voss",
    email: null,
    organization: null,
    isAdministrator: true,
  });
}

/** Runs a test as Mara, who signs in on the way to the page, and out at the end. */
export function readAsMara(
  browser: TestBrowser,
  library: Library,
  reader: Reader,
  path: string,
  body: (page: Page) => Promise<void>,
): Promise<void> {
  return browser.read(reader, async (page) => {
    await open(page, `${library.app.url}${path}`);
    await page.getByRole("banner").getByRole("link", { name: "Sign in" }).click();
    await page.getByLabel("Username").fill("mara");
    await page.getByLabel("Password").fill(password);
    await page.getByRole("main").getByRole("button", { name: "Sign in" }).click();
    expect(new URL(page.url()).pathname + new URL(page.url()).search).toBe(path);
    try {
      await body(page);
    } finally {
      await page.context().clearCookies();
    }
  });
}

/** Opens the panel of a form, and returns its content. */
export async function panel(page: Page, group: string, name: string): Promise<Locator> {
  const region = page.getByRole("region", { name: group, exact: true });
  const found = region.locator("details").filter({ has: page.locator("summary", { hasText: name }) });
  if ((await found.getAttribute("open")) === null) await found.locator("summary").click();
  return found;
}

import type { Locator, Page } from "playwright-core";
import { expect } from "vitest";
import { addUser } from "../../src/resources/users/add-user.ts";
import type { TestApp } from "../../src/testing/test-app.ts";
import { workAs } from "./desk.ts";
import { type Reader, type UsedBrowser, open } from "./reader.ts";

const password = "correct horse battery staple";

/** A user who can sign in. */
export interface Account {
  id: number;
  username: string;
}

/** Adds an administrator, who may change every document. */
export async function addMara(app: TestApp): Promise<Account> {
  const username = "mara";
  const about = { password, name: "Mara Voss", email: null, organization: null, isAdministrator: true };
  const id = await addUser(app.context, { username, ...about });
  if (id === null) throw new Error("somebody has an account already");
  return { id, username };
}

interface Visit {
  browser: UsedBrowser;
  app: TestApp;
  account: Account;
  reader: Reader;
}

/** Runs a test as a user with a session. */
export function readAs(
  { account, ...visit }: Visit,
  path: string,
  body: (page: Page) => Promise<void>,
): Promise<void> {
  return workAs({ ...visit, person: account }, path, body);
}

/** Runs a test as a user who signs in on the way to the page, and out at the end. */
export function signInAndRead(
  { browser, app, account, reader }: Visit,
  path: string,
  body: (page: Page) => Promise<void>,
): Promise<void> {
  return browser.read(reader, async (page) => {
    await open(page, `${app.url}${path}`);
    await page.getByRole("banner").getByRole("link", { name: "Sign in" }).click();
    await page.getByLabel("Username").fill(account.username);
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

/** Opens the menu behind the person's name, and returns it. */
export async function ownMenu(page: Page): Promise<Locator> {
  await page
    .getByRole("banner")
    .getByRole("button", { name: /^Your menu/ })
    .click();
  return page.locator("#own-menu");
}

/** Follows a link of the site's menu, which narrow windows have behind a button. */
export async function followSiteLink(page: Page, name: string): Promise<void> {
  const link = page.getByRole("navigation", { name: "Site" }).getByRole("link", { name });
  if (!(await link.isVisible()))
    await page.getByRole("banner").getByRole("button", { name: "Menu", exact: true }).click();
  await link.click();
}

/** Opens the panel of a form, and returns its content. */
export async function panel(page: Page, group: string, name: string): Promise<Locator> {
  const region = page.getByRole("region", { name: group, exact: true });
  const found = region.locator("details").filter({ has: page.locator("summary", { hasText: name }) });
  if ((await found.getAttribute("open")) === null) await found.locator("summary").click();
  return found;
}

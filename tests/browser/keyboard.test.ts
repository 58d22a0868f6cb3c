import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { adminPageNames } from "../../src/contract/page-options.ts";
import { everyRoute, useApp } from "../../src/testing/test-app.ts";
import { workAs } from "./desk.ts";
import { atDesk, open, useBrowser } from "./reader.ts";

const password = "correct horse battery";
const browser = useBrowser();

/** The pages of a person's account. */
const accountPages = ["", "factors/", "guests/", "searches/", "webhooks/", "addons/", "mail/"];

/*
 * In the page: what people may use there, and which of it has the focus. Of a group of radio buttons, Tab reaches one.
 */
const markControls = `(() => {
  const all = [...document.querySelectorAll(
    "main :is(a[href], button, input, select, textarea, summary, [tabindex='0'])")];
  const usable = all.filter((one) =>
    one.checkVisibility({ visibilityProperty: true }) && !one.matches(":disabled, [type=hidden]") &&
    one.closest("[inert], details:not([open]) > :not(summary)") === null);
  const groups = new Set();
  return usable.filter((one) => {
    if (one.type !== "radio") return true;
    const isFirst = !groups.has(one.name);
    groups.add(one.name);
    return isFirst;
  }).map((one, index) => {
    one.dataset.control = String(index);
    return (one.labels?.[0]?.textContent ?? one.getAttribute("aria-label") ?? one.textContent).trim();
  });
})()`;

const focused = `(() => {
  const one = document.activeElement;
  const of = (element) => element.dataset.control ??
    document.querySelector("input[type=radio][data-control][name='" + element.name + "']")?.dataset.control;
  const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(one);
  const isMarked = (outlineStyle !== "none" && outlineWidth !== "0px") || boxShadow !== "none";
  return [one === document.body ? null : (of(one) ?? ""), isMarked];
})()`;

/** The controls of the page that Tab does not reach, or that do not show that they have the focus. */
async function unreachable(page: Page): Promise<string[]> {
  const names = await page.evaluate<string[]>(markControls);
  const missing = new Set(names.keys());
  // Of a date, Tab reaches the parts one by one, and the last of them marks itself.
  const faint = new Set<number>();
  const marked = new Set<number>();
  for (let presses = 0; presses < names.length + 60 && missing.size > 0; presses++) {
    await page.keyboard.press("Tab");
    const [control, isMarked] = await page.evaluate<[string | null, boolean]>(focused);
    if (control === null || control === "") continue;
    missing.delete(Number(control));
    (isMarked ? marked : faint).add(Number(control));
  }
  return [...missing, ...[...faint].filter((index) => !marked.has(index))].map((index) => names[index] ?? "");
}

describe("by keyboard alone", () => {
  const app = useApp("sqlite", { ...everyRoute, QUIRE_SECOND_FACTOR: "optional" });
  const chief = app.person("chief", {
    organizations: [1],
    administers: [1],
    isAdministrator: true,
    password,
  });

  it.each([
    ...accountPages.map((name) => `/account/${name}`),
    ...adminPageNames.map((name) => (name === "" ? "/admin/" : `/admin/${name}/`)),
  ])("everything on %s is reached, and shows that it has the focus", async (path) => {
    await workAs({ browser, app, person: chief, reader: atDesk }, path, async (page) => {
      await page.getByRole("heading", { level: 1 }).waitFor();
      await page.waitForLoadState("networkidle");
      expect([path, await unreachable(page)]).toEqual([path, []]);
    });
  });

  it("a token is made and revoked", async () => {
    await workAs({ browser, app, person: chief, reader: atDesk }, "/account/", async (page) => {
      const main = page.getByRole("main");
      const tabTo = async (role: "button" | "textbox", name: string): Promise<void> => {
        const wanted = main.getByRole(role, { name, exact: true });
        for (let presses = 0; presses < 100; presses++) {
          if (await wanted.evaluate((element) => element.matches(":focus"))) return;
          await page.keyboard.press("Tab");
        }
        throw new Error(`Tab does not reach ${name}`);
      };
      await tabTo("textbox", "Purpose of a new token");
      await page.keyboard.type("Nightly backup");
      await page.keyboard.press("Enter");
      await page.getByText("Nightly backup").waitFor();
      await tabTo("button", "Revoke the token Nightly backup");
      await page.keyboard.press("Enter");
      await page.getByText("The token was revoked.").waitFor();
      await open(page, `${app.url}/account/`);
      await expect.poll(() => page.getByText("Nightly backup").count()).toBe(0);
    });
  });
});

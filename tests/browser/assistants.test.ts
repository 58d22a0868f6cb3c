import { once } from "node:events";
import http from "node:http";
import type { AddressInfo } from "node:net";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { TestAssistant } from "../../src/testing/test-assistant.ts";
import { useApp } from "../../src/testing/test-app.ts";
import { looksRight } from "./desk.ts";
import { open, useBrowser } from "./reader.ts";
import { viewers } from "./viewer.ts";

const password = "correct horse battery";
const browser = useBrowser();

/** Reaches a control by the Tab key alone. */
async function tabTo(page: Page, role: "button" | "radio" | "textbox", name: string): Promise<void> {
  const wanted = page.getByRole("main").getByRole(role, { name, exact: true });
  for (let presses = 0; presses < 60; presses++) {
    if (await wanted.evaluate((element) => element.matches(":focus"))) return;
    await page.keyboard.press("Tab");
  }
  throw new Error(`Tab does not reach ${name}`);
}

describe.each(viewers)("an assistant, by $width pixels", (reader) => {
  const app = useApp("sqlite", { QUIRE_ASSISTANT_SIGN_IN: "required", QUIRE_SITE_NAME: "The archive" });
  app.person(`ada-${reader.width}`, { organizations: [1], password });
  /** The program on the person's device to which the browser comes back. */
  const program = http.createServer((_request, response) => {
    response.writeHead(200, { "content-type": "text/html" });
    response.end(
      "<!doctype html><title>Back</title><link rel=icon href='data:,'><p>You can close this window.",
    );
  });
  let redirect = "";
  beforeAll(async () => {
    program.listen(0, "127.0.0.1");
    await once(program, "listening");
    redirect = `http://127.0.0.1:${(program.address() as AddressInfo).port}/back`;
  });
  afterAll(() => {
    program.closeAllConnections();
    program.close();
  });

  it("is connected by keyboard alone, and disconnected on the account page", async () => {
    const assistant = new TestAssistant(app.url, { name: "Claude", redirect });
    await expect(assistant.connected()).rejects.toThrow("Unauthorized");
    await browser.read(reader, async (page) => {
      await open(page, assistant.sentTo?.href ?? "");
      await tabTo(page, "textbox", "Username");
      await page.keyboard.type(`ada-${reader.width}`);
      await page.keyboard.press("Tab");
      await page.keyboard.type(password);
      await page.keyboard.press("Enter");
      await page.getByRole("heading", { name: "Connect an assistant" }).waitFor();
      await page.getByText("A program that calls itself Claude wants to use The archive").waitFor();
      await page.getByText(new URL(redirect).origin).waitFor();
      await looksRight(page, reader, "assistant-consent");
      expect(await page.getByLabel("No, only search and read").isChecked()).toBe(true);
      await tabTo(page, "radio", "No, only search and read");
      await page.keyboard.press("ArrowDown");
      expect(await page.getByLabel("Yes, also write").isChecked()).toBe(true);
      await tabTo(page, "button", "Allow");
      await page.keyboard.press("Enter");
      await page.getByText("You can close this window.").waitFor();
      await assistant.finish(page.url());
      const client = await assistant.connected();
      await client.callTool({ name: "list_projects", arguments: {} });
      await client.close();

      await open(page, `${app.url}/account/`);
      const list = page.getByRole("region", { name: "Connected assistants" });
      const item = list.getByRole("listitem").filter({ hasText: "Claude" });
      await item.getByText("reads and writes").waitFor();
      await looksRight(page, reader, "assistant-account");
      await tabTo(page, "button", "Disconnect Claude");
      await page.keyboard.press("Enter");
      await page.getByText("The assistant was disconnected.").waitFor();
      await expect.poll(() => item.count()).toBe(0);
      await expect(assistant.connected()).rejects.toThrow("Unauthorized");
      await page.context().clearCookies();
    });
  });

  it("is refused, and one that asks wrongly is explained", async () => {
    const assistant = new TestAssistant(app.url, { name: "Somebody", redirect });
    await expect(assistant.connected()).rejects.toThrow("Unauthorized");
    const wrong = new URL(assistant.sentTo?.href ?? "");
    wrong.searchParams.set("code_challenge_method", "plain");
    await browser.read(reader, async (page) => {
      await open(page, wrong.href);
      await page.getByLabel("Username").fill(`ada-${reader.width}`);
      await page.getByLabel("Password").fill(password);
      await page.getByRole("main").getByRole("button", { name: "Sign in" }).click();
      await page.getByRole("heading", { name: "The assistant was not connected" }).waitFor();
      await looksRight(page, reader, "assistant-problem");
      await page.getByRole("link", { name: "Back to the program" }).click();
      await page.getByText("You can close this window.").waitFor();
      expect(new URL(page.url()).searchParams.get("error")).toBe("invalid_request");
      await open(page, assistant.sentTo?.href ?? "");
      await page.getByRole("button", { name: "Refuse" }).click();
      await page.getByText("You can close this window.").waitFor();
      expect(new URL(page.url()).searchParams.get("error")).toBe("access_denied");
      await page.context().clearCookies();
    });
  });
});

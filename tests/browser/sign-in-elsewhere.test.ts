import { describe, expect, it } from "vitest";
import { startRemoteServer } from "../../src/testing/remote-server.ts";
import { useApp, useStarted } from "../../src/testing/test-app.ts";
import { open, readers, useBrowser } from "./reader.ts";

const password = "correct horse battery";
const browser = useBrowser();
/** A page of another origin, like a front end. */
const elsewhere = useStarted(() =>
  startRemoteServer((_request, response) => {
    response.setHeader("content-type", "text/html; charset=utf-8");
    response.end("<!doctype html><html lang='en'><title>Elsewhere</title><h1>The front end</h1></html>");
  }),
);
const app = useApp("sqlite", () => ({ QUIRE_ALLOWED_ORIGINS: elsewhere.url }));
app.person("ada", { password });

describe.each(readers)("a front end at another origin, by $width pixels, scripts $scripts", (reader) => {
  it("signs people in and out here, and gets them back", async () => {
    await browser.read(reader, async (page) => {
      const next = `${elsewhere.url}/app/?q=a`;
      await open(page, `${app.url}/accounts/login/squarelet?next=${encodeURIComponent(next)}`);
      await page.getByLabel("Username").fill("ada");
      await page.getByLabel("Password").fill(password);
      await page.getByRole("button", { name: "Sign in" }).click();
      await page.getByRole("heading", { name: "The front end" }).waitFor();
      expect(page.url()).toBe(next);
      await open(page, `${app.url}/accounts/logout/?next=${encodeURIComponent(next)}`);
      await page.getByRole("button", { name: "Sign out" }).click();
      await page.getByRole("heading", { name: "The front end" }).waitFor();
      expect(page.url()).toBe(next);
      expect(await page.context().cookies(app.url)).toEqual([]);
    });
  });
});

import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { addPerson } from "../../src/testing/people.ts";
import { type TestApp, startTestApp } from "../../src/testing/test-app.ts";
import { open, readers, useBrowser } from "./reader.ts";

/** A page of another origin, like a front end. */
const elsewhere = createServer((_request, response) => {
  response.setHeader("content-type", "text/html; charset=utf-8");
  response.end("<!doctype html><html lang='en'><title>Elsewhere</title><h1>The front end</h1></html>");
});

const password = "correct horse battery";
const browser = useBrowser();
let app: TestApp;
let origin: string;

beforeAll(async () => {
  await new Promise<void>((listening) => elsewhere.listen(0, "127.0.0.1", listening));
  origin = `http://127.0.0.1:${(elsewhere.address() as AddressInfo).port}`;
  app = await startTestApp("sqlite", { QUIRE_ALLOWED_ORIGINS: origin });
  await addPerson(app.context, { username: "ada", password });
});
afterAll(async () => {
  await app[Symbol.asyncDispose]();
  await new Promise((closed) => elsewhere.close(closed).closeAllConnections());
});

describe.each(readers)("a front end at another origin, by $width pixels, scripts $scripts", (reader) => {
  it("signs people in and out here, and gets them back", async () => {
    await browser.read(reader, async (page) => {
      const next = `${origin}/app/?q=a`;
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

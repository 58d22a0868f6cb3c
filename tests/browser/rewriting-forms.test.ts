import type { Locator, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { JobRunner } from "../../src/jobs/runner.ts";
import { buildPdf } from "../../src/testing/pdf.ts";
import { sendAs } from "../../src/testing/requests.ts";
import { addOwner, sendFile } from "../../src/testing/sent-files.ts";
import { useApp } from "../../src/testing/test-app.ts";
import { buildWorker } from "../../src/worker.ts";
import { faintTexts } from "./faint-texts.ts";
import { type Reader, keepScreenshot, tooWide, useBrowser } from "./reader.ts";
import { shownExchange, shownJson } from "./shown-exchange.ts";
import { type Account, addMara, panel, readAs } from "./signed-in.ts";

const browser = useBrowser();
const app = useApp("sqlite");
let worker: JobRunner;
let mara: Account;
/** A document with three small pages. */
let report: number;

beforeAll(async () => {
  const owner = await addOwner(app.context);
  mara = await addMara(app);
  worker = buildWorker(app.context);
  worker.start();
  const pages = [1, 2, 3].map((page) => ({ width: 240, height: 120, lines: [`Page ${page}`] }));
  report = await sendFile(app, owner, { extension: "pdf", bytes: buildPdf({ pages }) }, "Report");
  await worker.drain();
  // Administrators may change what they can see.
  await sendAs(app, owner, "PATCH", `/api/documents/${report}/`, { access: "public" });
});
afterAll(async () => {
  await worker.stop();
});

const readers: readonly Reader[] = [
  { scripts: "on", width: 1280, colors: "light" },
  { scripts: "on", width: 390, colors: "dark" },
];

const own = (rest: string): string => `/api/documents/${report}/${rest}`;

const shown = async (page: Page): Promise<Record<string, unknown>> =>
  JSON.parse(await shownJson(page)) as Record<string, unknown>;

describe.each(readers)("forms that process a file, by $width pixels, $colors", (reader) => {
  const read = (path: string, body: (page: Page) => Promise<void>): Promise<void> =>
    readAs({ browser, app, account: mara, reader }, path, body);
  /** Sends an accepted request, waits for the work, and follows the page's link. Returns the path of its target. */
  async function accepted(page: Page, form: Locator, name: string): Promise<string> {
    await form.getByRole("button", { name: "POST" }).click();
    const link = form
      .getByRole("alert")
      .getByText("this was accepted")
      .getByRole("link", { name: "Continue" });
    await link.waitFor();
    await looksRight(page, name);
    await worker.drain();
    await Promise.all([page.waitForNavigation(), link.click()]);
    expect((await shownExchange(page)).status).toBe("HTTP 200 OK");
    return new URL(page.url()).pathname;
  }

  async function looksRight(page: Page, name: string): Promise<void> {
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme });
      expect(await tooWide(page)).toBe(0);
      expect(await faintTexts(page)).toEqual([]);
      await keepScreenshot(page, `${name}-${reader.width}-${colorScheme}`);
    }
    await page.emulateMedia({ colorScheme: reader.colors });
  }

  it("redact by fields, with errors at the fields, and lead to the document", async () => {
    await read(own("redactions/?format=api"), async (page) => {
      const form = await panel(page, "Add one", "Form");
      await form.getByLabel("x1").fill("0.9");
      await form.getByLabel("x2").fill("two");
      await form.getByLabel("y1").fill("0.05");
      await form.getByLabel("y2").fill("0.2");
      await form.getByRole("button", { name: "POST" }).click();
      await form.getByText("HTTP 400 Bad Request").waitFor();
      await expect
        .poll(() => form.locator("#post-x2-messages").innerText())
        .toBe("A valid number is required.");
      await expect
        .poll(() => form.locator("#post-page_number-messages").innerText())
        .toBe("This field is required.");
      await looksRight(page, "redaction-refused");
      await form.getByLabel("x2").fill("0.8");
      await form.getByLabel("Page number").fill("1");
      await form.getByRole("button", { name: "POST" }).click();
      await form.getByText("`x1` must be less than `x2`").waitFor();
      await form.getByLabel("x1").fill("0.05");
      expect(await accepted(page, form, "redaction-sent")).toBe(own(""));
      expect(await shown(page)).toMatchObject({ status: "success", page_count: 3 });
    });
  });

  it("redact by raw data", async () => {
    await read(own("redactions/?format=api"), async (page) => {
      const raw = await panel(page, "Add one", "Raw data");
      const content = raw.getByLabel("Content");
      const [blank] = JSON.parse(await content.inputValue()) as [Record<string, unknown>];
      expect(Object.keys(blank)).toEqual(["x1", "x2", "y1", "y2", "page_number", "reason"]);
      const box = { x1: 0.1, x2: 0.2, y1: 0.5, y2: 0.6, page_number: 0 };
      await content.fill(JSON.stringify([box, { ...box, page_number: 77 }]));
      await raw.getByRole("button", { name: "POST" }).click();
      await raw.getByText("2: page_number: Must be a valid page for the document").waitFor();
      await content.fill(JSON.stringify([box]));
      expect(await accepted(page, raw, "redaction-raw-sent")).toBe(own(""));
      expect(await shown(page)).toMatchObject({ status: "success" });
    });
  });

  it("move pages by fields and by raw data", async () => {
    await read(own("modifications/?format=api"), async (page) => {
      const form = await panel(page, "Add one", "Form");
      await form.getByLabel(/^Pages/).fill("0-9");
      await form.getByRole("button", { name: "POST" }).click();
      await form.getByText(/Must be a valid page for the document/).waitFor();
      await looksRight(page, "modification-refused");
      await form.getByLabel(/^Pages/).fill("0-2");
      expect(await accepted(page, form, "modification-sent")).toBe(own(""));
      expect(await shown(page)).toMatchObject({ status: "success", page_count: 3 });
      await page.goto(`${app.url}${own("modifications/?format=api")}`);
      const raw = await panel(page, "Add one", "Raw data");
      await raw.getByLabel("Content").fill(`[{"page": "2"}, {"page": "0-1"}]`);
      expect(await accepted(page, raw, "modification-raw-sent")).toBe(own(""));
      expect(await shown(page)).toMatchObject({ status: "success", page_count: 3 });
    });
  });

  it("process one document, by the form and by raw data", async () => {
    for (const name of ["Form", "Raw data"]) {
      await read(own("process/?format=api"), async (page) => {
        const form = await panel(page, "Send", name);
        await Promise.all([page.waitForNavigation(), form.getByRole("button", { name: "POST" }).click()]);
        expect((await shownExchange(page)).status).toBe("HTTP 200 OK");
        await worker.drain();
        await page.goto(`${app.url}${own("process/?format=api")}`);
        expect(JSON.parse(await shownJson(page))).toMatchObject({ status: "success" });
      });
    }
  });

  it("process several documents, only by raw data", async () => {
    await read("/api/documents/process/?format=api", async (page) => {
      await expect.poll(() => page.getByText("Lists are not supported").count()).toBe(0);
      const raw = await panel(page, "Send", "Raw data");
      await raw.getByLabel("Content").fill("{");
      await raw.getByRole("button", { name: "POST" }).click();
      await raw.getByText(/JSON parse error/).waitFor();
      await raw.getByLabel("Content").fill(JSON.stringify({ ids: [report] }));
      expect(await accepted(page, raw, "bulk-process-sent")).toBe("/api/documents/");
    });
  });
});

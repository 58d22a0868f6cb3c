import type { Locator, Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { buildPdf } from "../../src/testing/pdf.ts";
import { sendAs } from "../../src/testing/requests.ts";
import { useApp } from "../../src/testing/test-app.ts";
import { useWorker } from "../../src/testing/use-worker.ts";
import { looksRight, workAs } from "./desk.ts";
import { useBrowser } from "./reader.ts";
import { viewers } from "./viewer.ts";

const password = "open sesame";
const pages = [{ width: 400, height: 200, lines: ["The tide tables"] }];
const locked = buildPdf({ pages, encrypted: { kind: "aes-256", userPassword: password } });
const broken = Buffer.from("%PDF-1.7 and nothing else");

const browser = useBrowser();
const app = useApp("sqlite");

const owner = app.person("owner", { organizations: [1] });
const worker = useWorker(app);

async function uploaded(title: string, file: Uint8Array): Promise<number> {
  const { body } = await sendAs(app, owner, "POST", "/api/documents/", { title });
  await fetch(body.presigned_url, { method: "PUT", body: file as never });
  await sendAs(app, owner, "POST", `/api/documents/${body.id}/process/`, {});
  await worker.drain();
  return body.id as number;
}

const button = (scope: Page | Locator, name: string): Locator =>
  scope.getByRole("button", { name, exact: true });

describe.each(viewers)("a file that could not be read, by $width pixels", (reader) => {
  const work = (path: string, body: (page: Page) => Promise<void>): Promise<void> =>
    workAs({ browser, app, person: owner, reader }, path, body);

  it("is opened with its password where its pages would be", async () => {
    const id = await uploaded("Tides", locked);
    await work(`/documents/${id}/`, async (page) => {
      const trouble = page.getByRole("region", { name: "There are no pages to read" });
      await trouble.getByText("This PDF needs a password.").waitFor();
      await looksRight(page, reader, "trouble-locked");
      await trouble.getByLabel("Password").fill("wrong");
      await button(trouble, "Open the PDF").click();
      await trouble.getByText("This password is wrong.").waitFor();
      await trouble.getByLabel("Password").fill(password);
      await button(trouble, "Open the PDF").click();
      await page.getByText("of 1", { exact: true }).waitFor();
      await expect.poll(() => trouble.isVisible()).toBe(false);
    });
  });

  it("says why, can be read again and replaced, and its one menu has the rest", async () => {
    const id = await uploaded("Broken tides", broken);
    await work(`/documents/${id}/`, async (page) => {
      const trouble = page.getByRole("region", { name: "There are no pages to read" });
      await trouble.getByText(/^The file cannot be read: .* Save it again in the program/).waitFor();
      await looksRight(page, reader, "trouble-broken");
      await button(page, "More").click();
      for (const name of ["Title, details and access", "History", "Process again", "Replace the file"])
        await button(page, name).waitFor();
      await page.keyboard.press("Escape");
      await button(trouble, "Try again").click();
      await trouble.getByText(/^The file cannot be read: /).waitFor();
      await expect
        .poll(() => trouble.getByRole("link", { name: "Replace the file" }).getAttribute("href"))
        .toBe(`/upload/?replace=${id}`);
    });
  });

  it("is mended in its row of the list", async () => {
    const title = `Low tides ${reader.width}`;
    const id = await uploaded(title, locked);
    await work(`/documents/?q=${encodeURIComponent(`id:${id}`)}`, async (page) => {
      const row = page.getByRole("listitem", { name: title, exact: true });
      await row.getByText("This PDF needs a password.").waitFor();
      await looksRight(page, reader, "trouble-row");
      await row.getByLabel(`Password: ${title}`).fill(password);
      await button(row, "Open the PDF").click();
      await row.getByText("1 page", { exact: true }).waitFor();
      await expect.poll(() => row.getByText("This PDF needs a password.").isVisible()).toBe(false);
    });
  });
});

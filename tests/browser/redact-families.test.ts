import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { buildPdfWithFiles } from "../../src/testing/inserted-files.ts";
import { sendAs } from "../../src/testing/requests.ts";
import { sendFile } from "../../src/testing/sent-files.ts";
import { useApp } from "../../src/testing/test-app.ts";
import { useWorker } from "../../src/testing/use-worker.ts";
import { looksRight, workAs } from "./desk.ts";
import { useBrowser } from "./reader.ts";
import { viewers } from "./viewer.ts";

const browser = useBrowser();
const app = useApp("sqlite");

const owner = app.person("owner", { organizations: [1] });
const worker = useWorker(app);

const mail = [
  "From: Ada <ada@example.org>",
  "Subject: The witness",
  "MIME-Version: 1.0",
  'Content-Type: multipart/mixed; boundary="x"',
  "",
  "--x",
  "Content-Type: text/plain",
  "",
  "The witness is Okonkwo.",
  "--x",
  'Content-Disposition: attachment; filename="statement.txt"',
  "",
  "Okonkwo was at the quay.",
  "--x--",
].join("\r\n");

async function processed(extension: string, bytes: Buffer, title: string): Promise<number> {
  const id = await sendFile(app, owner, { extension, bytes }, title);
  await worker.drain();
  return id;
}

async function openTool(page: Page): Promise<void> {
  await page.getByRole("button", { name: "More", exact: true }).click();
  await page.getByRole("button", { name: "Redact", exact: true }).click();
}

describe.each(viewers)("redacting a document that others are part of, by $width pixels", (reader) => {
  const work = (path: string, body: (page: Page) => Promise<void>): Promise<void> =>
    workAs({ browser, app, person: owner, reader }, path, body);

  it("says before what becomes of them, and leads afterwards to those that still have the words", async () => {
    const files = buildPdfWithFiles({ attached: { "a.txt": "One", "b.txt": "Two" } });
    const withFiles = await processed("pdf", files, "With files");
    await work(`/documents/${withFiles}/`, async (page) => {
      await openTool(page);
      await page.getByRole("button", { name: "Add a box", exact: true }).click();
      await page.getByRole("button", { name: "Redact…", exact: true }).click();
      await page.getByRole("radio", { name: "This document" }).check();
      await page.getByText("2 files are attached to this PDF.", { exact: false }).waitFor();
      await looksRight(page, reader, "redact-attached");
    });
    const id = await processed("eml", Buffer.from(mail), "A mail");
    await work(`/documents/${id}/`, async (page) => {
      await openTool(page);
      const tool = page.getByRole("complementary", { name: "Redact" });
      await tool.getByLabel("Words to redact everywhere").fill("okonkwo");
      await tool.getByLabel("Words to redact everywhere").press("Enter");
      await tool.getByText("1 place on 1 page, 1 ticked").waitFor();
      await page.getByRole("button", { name: "Redact…", exact: true }).click();
      await page.getByRole("radio", { name: "This document" }).check();
      await page.getByText("1 document is part of this one. It stays as it is", { exact: false }).waitFor();
      await page.getByRole("button", { name: "Redact permanently", exact: true }).click();
      const result = tool.getByRole("region", { name: "Result" });
      await result.getByText("1 document that is part of this one still has redacted words:").waitFor();
      await result.getByRole("link", { name: "statement" }).waitFor();
      await looksRight(page, reader, "redact-parts-left");
      await result.getByRole("link", { name: "Redact it too" }).click();
      await page.getByText("Ticked: 1 place in 1 document").waitFor();
      await page.getByRole("button", { name: "Redact…", exact: true }).click();
      await page.getByRole("radio", { name: "The documents themselves" }).check();
      await page.getByRole("button", { name: "Redact permanently", exact: true }).click();
      await page.getByText("Done.", { exact: true }).waitFor();
    });
    const found = await sendAs(app, owner, "GET", `/api/documents/search/?q=okonkwo+parent:${id}`);
    expect(found.body.results).toEqual([]);
  });
});

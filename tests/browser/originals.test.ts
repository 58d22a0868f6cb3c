import { Readable } from "node:stream";
import { beforeAll, describe, expect, it } from "vitest";
import { addDocuments } from "../../src/testing/factories.ts";
import { buildXlsx } from "../../src/testing/office.ts";
import { useApp } from "../../src/testing/test-app.ts";
import { keepScreenshot, tooWide, useBrowser } from "./reader.ts";
import { axeFindings, openViewer, pageRegion, viewers, openPanel } from "./viewer.ts";

const browser = useBrowser();
const app = useApp("sqlite");
/** The addresses of documents, by the extension of their originals. */
const addresses: Record<string, string> = {};

const rowCount = 3000;
const csv = [
  "Ship,Tons,Remarks",
  ...Array.from({ length: rowCount }, (_, row) => `Ship ${row + 1},${(row * 7919) % 5003},"seen, and noted"`),
].join("\n");
const row = (number: number, texts: readonly string[]): string =>
  `<row r="${number}">${texts.map((text) => `<c t="inlineStr"><is><t>${text}</t></is></c>`).join("")}</row>`;
const workbook = buildXlsx("Arrivals", row(1, ["Month", "Ships"]) + row(2, ["May", "31"]), [], {
  Departures: row(1, ["Month", "Gone"]) + row(2, ["June", "12"]),
});
const mail = [
  "From: Ada <ada@example.org>",
  "To: crew@example.org",
  "Subject: Arrivals",
  "Date: Fri, 31 Jan 2025 12:00:00 +0000",
  "X-Harbour: yes",
  "MIME-Version: 1.0",
  'Content-Type: multipart/mixed; boundary="b"',
  "",
  "--b",
  "Content-Type: text/plain",
  "",
  "Hello",
  "--b",
  'Content-Type: text/csv; name="ships.csv"',
  'Content-Disposition: attachment; filename="ships.csv"',
  "",
  "a,b",
  "--b--",
  "",
].join("\r\n");

beforeAll(async () => {
  for (const [name, extension, bytes] of [
    ["csv", "csv", csv],
    ["xlsx", "xlsx", workbook],
    ["eml", "eml", mail],
    ["broken", "xlsx", "not a workbook"],
  ] as const) {
    const [id = 0] = await addDocuments(app.context, [
      {
        title: `A ${extension}`,
        slug: "a",
        original_extension: extension,
        page_count: 2,
        page_spec: "612x792:0-1",
      },
    ]);
    await app.context.files.put(
      `documents/${id}/original/a.${extension}`,
      Readable.from([Buffer.from(bytes)]),
    );
    addresses[name] = `${app.url}/documents/${id}-a/`;
  }
});

describe.each(viewers)("an original, by $width pixels, $colors", (reader) => {
  it("that is a CSV file is a table beside the pages, loaded as the reader scrolls, and can be sorted", async () => {
    await browser.read(reader, async (page) => {
      await openViewer(page, addresses["csv"] ?? "");
      await page.getByRole("button", { name: "Table", exact: true }).click();
      const table = page.getByRole("table");
      await table.getByRole("cell", { name: "Ship 1", exact: true }).waitFor();
      await expect.poll(() => table.getByRole("row").count()).toBeLessThan(80);
      await keepScreenshot(page, `viewer-table-${reader.width}-${reader.colors}`, "window");
      expect(await tooWide(page)).toBe(0);
      expect(await axeFindings(page)).toEqual([]);
      const region = page.getByRole("region", { name: "Table" });
      await expect
        .poll(async () => {
          await region.evaluate((one) => {
            const scroller = one as unknown as { scrollTop: number; scrollHeight: number };
            scroller.scrollTop = scroller.scrollHeight;
          });
          return table.getByRole("cell", { name: `Ship ${rowCount}`, exact: true }).count();
        })
        .toBe(1);
      await expect.poll(() => table.getByRole("row").count()).toBeLessThan(80);
      const top = await region.boundingBox();
      const header = table.getByRole("columnheader", { name: "Tons" });
      expect((await header.boundingBox())?.y).toBeCloseTo(top?.y ?? 0, 0);
      await header.getByRole("button").click();
      await expect.poll(() => header.getAttribute("aria-sort")).toBe("ascending");
      await header.getByRole("button").click();
      await expect.poll(() => header.getAttribute("aria-sort")).toBe("descending");
      await region.evaluate((one) => {
        (one as unknown as { scrollTop: number }).scrollTop = 0;
      });
      const largest = Math.max(...Array.from({ length: rowCount }, (_, index) => (index * 7919) % 5003));
      await table
        .getByRole("row")
        .nth(1)
        .getByRole("cell", { name: String(largest), exact: true })
        .waitFor();
      await table.getByRole("row").nth(1).getByRole("button", { name: /^Row/ }).click();
      const dialog = page.getByRole("dialog");
      await expect.poll(() => dialog.innerText()).toContain("seen, and noted");
      await dialog.getByRole("button", { name: "Close" }).click();
      await page.getByRole("button", { name: "Table", exact: true }).click();
      await pageRegion(page, 1).waitFor();
    });
  });

  it("that is a workbook has a table for each sheet", async () => {
    await browser.read(reader, async (page) => {
      await openViewer(page, addresses["xlsx"] ?? "");
      await page.keyboard.press("b");
      await page.getByRole("cell", { name: "31", exact: true }).waitFor();
      await page.getByRole("button", { name: "Departures" }).click();
      await page.getByRole("cell", { name: "12", exact: true }).waitFor();
      await page.getByRole("columnheader", { name: "Gone" }).waitFor();
      await expect.poll(() => page.getByRole("cell", { name: "31", exact: true }).count()).toBe(0);
      await keepScreenshot(page, `viewer-workbook-${reader.width}-${reader.colors}`, "window");
      expect(await axeFindings(page)).toEqual([]);
    });
  });

  it("that is a mail has its headers and attachments beside the pages", async () => {
    await browser.read(reader, async (page) => {
      await openViewer(page, addresses["eml"] ?? "");
      await openPanel(page, "Mail");
      const panel = page.getByRole("complementary", { name: "Mail" });
      await panel.getByText("Ada <ada@example.org>", { exact: true }).first().waitFor();
      await panel.getByText("ships.csv").first().waitFor();
      await keepScreenshot(page, `viewer-mail-${reader.width}-${reader.colors}`, "window");
      await panel.getByText("All headers").click();
      await panel.getByText("X-Harbour").waitFor();
      expect(await axeFindings(page)).toEqual([]);
      await pageRegion(page, 1).waitFor();
    });
  });

  it("that cannot be read says why", async () => {
    await browser.read(reader, async (page) => {
      await openViewer(page, addresses["broken"] ?? "");
      await page.getByRole("button", { name: "Table", exact: true }).click();
      const alert = page.getByRole("alert");
      await alert.waitFor();
      await expect.poll(() => alert.innerText()).toMatch(/^The table cannot be read: \S+/);
    });
  });
});

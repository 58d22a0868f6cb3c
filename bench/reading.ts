import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { Readable } from "node:stream";
import pino from "pino";
import { type Browser, type CDPSession, type Page, chromium } from "playwright-core";
import { readConfig } from "../src/config.ts";
import { openContext } from "../src/context.ts";
import { documentFileKey } from "../src/files/keys.ts";
import { findChromium } from "../src/testing/chromium.ts";
import { addDocuments } from "../src/testing/factories.ts";
import { buildPdf } from "../src/testing/pdf.ts";
import { readOptions } from "./options.ts";
import { processorMilliseconds } from "./processor-time.ts";
import { drawn, isDrawn, pdfjsAddress, servePdfjs } from "./pdfjs.ts";
import { startQuire } from "./quire-server.ts";

/*
 * Measures reading a long document in a browser: the bytes before the first page is readable, the time until a page
 * appears after a jump to it, the server's processor time for both, and the memory of the tab after the reader has gone
 * through the whole document. On a busy machine only the processor time can be compared.
 *
 *   npm run bench:reading [-- --pages 30000 --jumps 40 --pdfjs node_modules/pdfjs-dist]
 *
 * With the folder of the package `pdfjs-dist`, which is no dependency of Quire, it also measures the viewer of pdf.js.
 * The browser is the one of the browser tests.
 */

const {
  pages = 30_000,
  jumps = 40,
  pdfjs,
} = readOptions(process.argv.slice(2), {
  pages: "number",
  jumps: "number",
  pdfjs: "text",
});
const chromiumPath = findChromium();
const print = (line: string): void => void process.stdout.write(`${line}\n`);

const twoFrames = `new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve(true))))`;

/**
 * A viewer to measure: where it opens a document, and what tells and does what. The texts are expressions in the tab.
 */
interface Viewer {
  name: string;
  addressOf(id: number): string;
  shown(page: Page, number: number): Promise<void>;
  isShown(number: number): string;
  goTo(number: number): string;
  pagesInTree: string;
}

const folder = await mkdtemp(path.join(tmpdir(), "quire-bench-"));
try {
  const dataFolder = path.join(folder, "data");
  const ids = await fill(dataFolder);
  const server = await startQuire({ dataFolder, databaseUrl: null });
  const browser = await chromium.launch({
    executablePath: chromiumPath,
    args: ["--headless", "--no-sandbox", "--disable-gpu", "--enable-precise-memory-info"],
  });
  const quire: Viewer = {
    name: "Quire",
    addressOf: (id) => `${server.url}/documents/${id}-a-document/`,
    // A locator, because the element that `waitForSelector` returns would keep its whole page in memory.
    shown: (page, number) => page.locator(`[data-page="${number}"][data-image="shown"]`).waitFor(),
    isShown: (number) => `document.querySelector('[data-page="${number}"][data-image="shown"]') !== null`,
    goTo: (number) => `location.hash = "#document/p${number}"`,
    pagesInTree: `document.querySelectorAll("[data-page]").length`,
  };
  const pdfjsViewer: Viewer = {
    name: "pdf.js",
    addressOf: (id) =>
      pdfjsAddress(server.url, `${server.url}/files/${documentFileKey(id, "a-document", "pdf")}`),
    shown: drawn,
    isShown: isDrawn,
    goTo: (number) => `pdfViewer.currentPageNumber = ${number}`,
    pagesInTree: `document.querySelectorAll("[data-page-number]").length`,
  };
  try {
    const worked = (): number => processorMilliseconds([server.process.pid]);
    await measure(browser, quire, worked, ids);
    if (pdfjs !== undefined) await measure(browser, pdfjsViewer, worked, ids);
  } finally {
    await browser.close();
    await server.process.stop();
  }
} finally {
  await rm(folder, { recursive: true, force: true });
}

/** @param worked the server's processor time so far, in milliseconds */
async function measure(
  browser: Browser,
  viewer: Viewer,
  worked: () => number,
  [long = 0, short = 0]: number[],
): Promise<void> {
  const say = (line: string): void => print(`${viewer.name}: ${line}`);
  for (const [name, id] of [
    ["1 page", short],
    [`${pages} pages`, long],
  ] as const) {
    const before = worked();
    const { bytes, milliseconds } = await opening(browser, viewer, id);
    say(
      `first page of ${name} readable after ${milliseconds.toFixed(0)} ms and ` +
        `${(bytes / 1000).toFixed(0)} kB; ${(worked() - before).toFixed(0)} ms of the server's ` +
        "processor time",
    );
  }
  const page = await openTab(browser);
  const session = await page.context().newCDPSession(page);
  await page.goto(viewer.addressOf(long));
  await viewer.shown(page, 1);
  const targets = Array.from(
    { length: jumps },
    (_, index) => 2 + Math.floor(((index * 0.618) % 1) * (pages - 2)),
  );
  for (const state of ["drawn for the first time", "drawn before"]) {
    const before = worked();
    const times = await jumpsTo(page, viewer, targets);
    const each = ((worked() - before) / jumps).toFixed(0);
    say(`page-in, ${state}: ${inWords(times)}; ${each} ms of the server's processor time for each`);
  }
  let maxPages = 0;
  for (let step = 1; step <= 200; step++) {
    const number = Math.ceil((step * pages) / 200);
    await page.evaluate(viewer.goTo(number));
    await page.waitForFunction(twoFrames);
    maxPages = Math.max(maxPages, await page.evaluate<number>(viewer.pagesInTree));
  }
  await viewer.shown(page, pages);
  const { heapMb, nodes } = await held(session);
  const inTree = await page.evaluate<number>(
    "{ let count = 0; for (const walk = document.createTreeWalker(document); walk.nextNode() !== " +
      "null; ) count++; count }",
  );
  say(
    `after 200 jumps to the end: ${heapMb.toFixed(1)} MB of heap, ${inTree} nodes in the tree and ` +
      `${nodes} in memory, at most ${maxPages} pages in the tree`,
  );
  await page.context().close();
}

async function openTab(browser: Browser): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
  if (pdfjs !== undefined) await servePdfjs(context, pdfjs);
  return context.newPage();
}

async function opening(
  browser: Browser,
  viewer: Viewer,
  id: number,
): Promise<{ bytes: number; milliseconds: number }> {
  const page = await openTab(browser);
  const network = await page.context().newCDPSession(page);
  await network.send("Network.enable");
  let bytes = 0;
  network.on("Network.loadingFinished", ({ encodedDataLength }) => {
    bytes += encodedDataLength;
  });
  const started = performance.now();
  await page.goto(viewer.addressOf(id), { waitUntil: "commit" });
  await viewer.shown(page, 1);
  const milliseconds = performance.now() - started;
  const found = { bytes, milliseconds };
  await page.context().close();
  return found;
}

/** Adds a document of many pages and one of a single page, with their PDFs. Returns their ids. */
async function fill(dataFolder: string): Promise<number[]> {
  const read = readConfig({ QUIRE_DATA: dataFolder });
  if ("problems" in read) throw new Error(read.problems.join("\n"));
  const context = await openContext(read.config, pino({ level: "silent" }));
  try {
    const counts = [pages, 1];
    const ids = await addDocuments(
      context,
      counts.map((count) => ({ page_count: count, page_spec: `612x792:0-${count - 1}` })),
    );
    for (const [index, count] of counts.entries()) {
      const pdf = buildPdf({ pages: Array.from({ length: count }, (_, page) => pageOf(page + 1)) });
      await context.files.put(documentFileKey(ids[index] ?? 0, "a-document", "pdf"), Readable.from([pdf]));
    }
    return ids;
  } finally {
    await context.close();
  }
}

function pageOf(page: number): { width: number; height: number; lines: string[] } {
  const lines = Array.from(
    { length: 40 },
    (_, line) =>
      `Page ${page}, line ${line + 1}: the harbour council counted ${page * line} ships in winter.`,
  );
  return { width: 612, height: 792, lines };
}

/** Milliseconds from each jump until the page's image is drawn, measured in the browser. */
async function jumpsTo(page: Page, viewer: Viewer, targets: readonly number[]): Promise<number[]> {
  const times: number[] = [];
  for (const number of targets) {
    const time = page.evaluate<number>(`new Promise((resolve, reject) => {
      const started = performance.now();
      setTimeout(() => reject(new Error("page ${number} does not appear at " + location.hash)), 60000);
      const look = () => ${viewer.isShown(number)} ? resolve(performance.now() - started) : requestAnimationFrame(look);
      ${viewer.goTo(number)};
      requestAnimationFrame(look);
    })`);
    times.push(await time);
  }
  return times;
}

function inWords(times: readonly number[]): string {
  const sorted = times.toSorted((left, right) => left - right);
  const at = (share: number): string => (sorted[Math.ceil(share * sorted.length) - 1] ?? 0).toFixed(0);
  return `p50 ${at(0.5)} ms, p95 ${at(0.95)} ms`;
}

async function held(session: CDPSession): Promise<{ heapMb: number; nodes: number }> {
  // Objects that the first collection releases may hold nodes, which the next one collects.
  for (let round = 1; round <= 3; round++) await session.send("HeapProfiler.collectGarbage");
  await session.send("Performance.enable");
  const { metrics } = await session.send("Performance.getMetrics");
  const valueOf = (name: string): number => metrics.find((metric) => metric.name === name)?.value ?? 0;
  return { heapMb: valueOf("JSHeapUsedSize") / 1e6, nodes: valueOf("Nodes") };
}

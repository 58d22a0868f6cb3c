import { readFile } from "node:fs/promises";
import path from "node:path";
import type { BrowserContext, Page } from "playwright-core";

/*
 * The viewer component of pdf.js, to compare Quire's own viewer with. It is opened at an address of the server that
 * has the PDF, so that it may ask for ranges of it.
 */

const prefix = "/pdfjs/";

/** `folder` is that of the package `pdfjs-dist`. Its files are served to every page of the context. */
export async function servePdfjs(context: BrowserContext, folder: string): Promise<void> {
  await context.route(`**${prefix}**`, async (route) => {
    const { pathname } = new URL(route.request().url());
    const name = pathname.slice(pathname.indexOf(prefix) + prefix.length);
    const body = name === "" ? viewer : await readFile(path.join(folder, path.normalize(`/${name}`)));
    await route.fulfill({ body, contentType: typeOf(name) });
  });
}

function typeOf(name: string): string {
  if (name === "") return "text/html";
  return name.endsWith(".css") ? "text/css" : "text/javascript";
}

/** The address at which a PDF of this server opens in pdf.js. */
export function pdfjsAddress(server: string, pdf: string): string {
  return `${server}${prefix}?file=${encodeURIComponent(pdf)}`;
}

const viewer = `<!doctype html>
<link rel="stylesheet" href="web/pdf_viewer.css">
<div id="container" style="position: absolute; inset: 0; overflow: auto"><div class="pdfViewer"></div></div>
<script type="module">
  import * as pdfjsLib from "./build/pdf.min.mjs";
  globalThis.pdfjsLib = pdfjsLib;
  const { EventBus, PDFLinkService, PDFViewer } = await import("./web/pdf_viewer.mjs");
  pdfjsLib.GlobalWorkerOptions.workerSrc = new URL("build/pdf.worker.min.mjs", document.baseURI).href;
  const eventBus = new EventBus();
  const linkService = new PDFLinkService({ eventBus });
  const container = document.getElementById("container");
  globalThis.pdfViewer = new PDFViewer({ container, eventBus, linkService });
  const url = new URLSearchParams(location.search).get("file");
  pdfViewer.setDocument(await pdfjsLib.getDocument({ url }).promise);
</script>`;

/** Whether a page is drawn, as an expression in the tab. */
export function isDrawn(number: number): string {
  return `globalThis.pdfViewer?.getPageView(${number} - 1)?.renderingState === 3`;
}

/** Resolves when the page is drawn. */
export async function drawn(page: Page, number: number): Promise<void> {
  await page.waitForFunction(isDrawn(number), undefined, { timeout: 300_000 });
}

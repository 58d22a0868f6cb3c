import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { type Server, createServer } from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { fastify } from "fastify";
import { type CDPSession, type Page, chromium } from "playwright-core";
import sharp from "sharp";
import { readConfig } from "../../src/config.ts";
import { findChromium } from "../../src/testing/chromium.ts";
import { noBranding } from "../../src/resources/branding/branding-store.ts";
import { SiteBrand } from "../../src/web/style/site-brand.ts";
import { siteOf } from "../../src/web/site.ts";
import { readStaticFiles } from "../../src/web/static-routes.ts";
import { galleryPage } from "./page.ts";

/*
 * npm run gallery: draws every component in each of its states, light and dark, in two widths, and compares the pictures
 * with those that are kept. `npm run gallery -- --update` keeps new ones, so that a review sees what has changed. The
 * pictures are from one platform (Chromium of Debian on Linux): on another, only `--update` makes sense.
 */

const folder = path.join(import.meta.dirname, "pictures");
const widths = [390, 1280];
/** The share of pixels that may differ by more than a little. */
const maxShare = 0.001;

async function serve(): Promise<{ url: string; server: Server }> {
  const read = readConfig({});
  if ("problems" in read) throw new Error(read.problems.join("\n"));
  const files = readStaticFiles();
  const brand = new SiteBrand(read.config, { stored: noBranding, read: async () => undefined });
  const visitor = {
    name: "Ana Pohl",
    mayUpload: true,
    unread: 0,
    hasWork: false,
    isAdministrator: true,
    csrfToken: "x",
    here: "/",
  };
  const page = galleryPage({ ...siteOf(read.config, files, brand), visitor });
  const app = fastify();
  files.register(app, brand);
  app.get("/", (_request, reply) => reply.type("text/html; charset=utf-8").send(page));
  await app.ready();
  const server = createServer((request, response) => app.routing(request, response));
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, server };
}

/** Puts the elements with a `data-state` into it, as if a person had. */
async function forceStates(page: Page, session: CDPSession): Promise<void> {
  await session.send("DOM.enable");
  await session.send("CSS.enable");
  const { root } = await session.send("DOM.getDocument", { depth: -1 });
  const pseudo = { hover: ["hover"], focus: ["focus", "focus-visible"], active: ["hover", "active"] };
  for (const [state, classes] of Object.entries(pseudo)) {
    const { nodeIds } = await session.send("DOM.querySelectorAll", {
      nodeId: root.nodeId,
      selector: `[data-state="${state}"]`,
    });
    for (const nodeId of nodeIds)
      await session.send("CSS.forcePseudoState", { nodeId, forcedPseudoClasses: classes });
  }
  await page.evaluate("document.fonts.ready.then(() => undefined)");
}

/** The share of pixels that differ; 1 if the sizes do. */
async function difference(kept: Buffer, drawn: Buffer): Promise<number> {
  const [one, other] = await Promise.all(
    [kept, drawn].map((png) => sharp(png).removeAlpha().raw().toBuffer({ resolveWithObject: true })),
  );
  if (one === undefined || other === undefined || one.data.length !== other.data.length) return 1;
  let different = 0;
  for (let at = 0; at < one.data.length; at += 3) {
    const distance = [0, 1, 2].map((channel) =>
      Math.abs((one.data[at + channel] ?? 0) - (other.data[at + channel] ?? 0)),
    );
    if (Math.max(...distance) > 24) different++;
  }
  return different / (one.data.length / 3);
}

async function run(isUpdate: boolean): Promise<number> {
  const { url, server } = await serve();
  const browser = await chromium.launch({
    executablePath: findChromium(),
    args: ["--no-sandbox", "--disable-gpu"],
  });
  let failed = 0;
  mkdirSync(folder, { recursive: true });
  for (const width of widths)
    for (const colorScheme of ["light", "dark"] as const) {
      const context = await browser.newContext({
        viewport: { width, height: 900 },
        colorScheme,
        reducedMotion: "reduce",
      });
      const page = await context.newPage();
      await page.goto(url);
      await page.addStyleTag({
        content:
          "main section { margin-block: 1.5rem } .in-place { position: static; display: block; margin: 0 }",
      });
      await forceStates(page, await context.newCDPSession(page));
      const png = await page.screenshot({ fullPage: true });
      const drawn = await sharp(png).png({ palette: true, colours: 64 }).toBuffer();
      const name = `${width}-${colorScheme}.png`;
      const file = path.join(folder, name);
      const share = existsSync(file) ? await difference(readFileSync(file), drawn) : 1;
      const isSame = share <= maxShare;
      console.log(`${name}: ${(share * 100).toFixed(2)} % differs${isSame ? "" : isUpdate ? ", kept" : ""}`);
      if (!isSame && isUpdate) writeFileSync(file, drawn);
      if (!isSame && !isUpdate) {
        failed++;
        writeFileSync(file.replace(/\.png$/, ".new.png"), drawn);
      }
      await context.close();
    }
  await browser.close();
  server.close();
  return failed;
}

process.exitCode = (await run(process.argv.includes("--update"))) === 0 ? 0 : 1;

import path from "node:path";
import { type Browser, type Page, type Response, chromium } from "playwright-core";
import { inject } from "vitest";

/** How someone comes to the pages. */
export interface Reader {
  scripts: "on" | "off";
  /** Of the window, in CSS pixels. */
  width: number;
  colors: "light" | "dark";
}

export const atDesk: Reader = { scripts: "on", width: 1280, colors: "light" };
export const onPhone: Reader = { scripts: "off", width: 390, colors: "dark" };

/** Two who differ in everything: `describe.each(readers)("… by $width pixels, scripts $scripts", (reader) => …)`. */
export const readers: readonly Reader[] = [atDesk, onPhone];

/** A browser that has never been anywhere, and in it a page for each reader, who goes from one place to the next. */
export class TestBrowser {
  readonly #browser: Browser;
  readonly #desks = new Map<Reader, Desk>();

  private constructor(browser: Browser) {
    this.#browser = browser;
  }

  static async open(): Promise<TestBrowser> {
    const browser = await chromium.launch({
      executablePath: inject("chromiumPath"),
      args: [
        "--headless",
        "--no-sandbox",
        "--disable-gpu",
        "--disable-quic",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
      ],
    });
    return new TestBrowser(browser);
  }

  /**
   * Does something on a page as this reader, and expects at the end that nothing went wrong on the way: no dialog, no
   * error on the console, nothing that a Content-Security-Policy refused, nothing within a page that failed to load.
   */
  async read(reader: Reader, body: (page: Page) => Promise<void>): Promise<void> {
    const { page, faults } = await this.#deskOf(reader);
    try {
      await body(page);
      if (faults.length > 0) throw new Error(["On the way, this went wrong:", ...faults].join("\n"));
    } finally {
      await page.unrouteAll();
      await page.goto("about:blank");
      faults.length = 0;
    }
  }

  close(): Promise<void> {
    return this.#browser.close();
  }

  /** Pages are used again, since each that is opened takes as long as a few tests. */
  async #deskOf(reader: Reader): Promise<Desk> {
    const known = this.#desks.get(reader);
    if (known !== undefined) return known;
    const { scripts, width, colors } = reader;
    const context = await this.#browser.newContext({
      javaScriptEnabled: scripts === "on",
      viewport: { width, height: width < 600 ? 844 : 900 },
      colorScheme: colors,
    });
    // Reported to the console, which is listened to anyway and has a policy's refusals also without scripts.
    await context.addInitScript(
      `addEventListener("securitypolicyviolation", ({ violatedDirective, blockedURI }) =>
         console.error("refused by the policy", violatedDirective, blockedURI));`,
    );
    const page = await context.newPage();
    const desk = { page, faults: faultsOf(page) };
    this.#desks.set(reader, desk);
    return desk;
  }
}

interface Desk {
  page: Page;
  /** What went wrong since the reader last came to it. */
  faults: string[];
}

/** Fills with what goes wrong on a page from now on. */
function faultsOf(page: Page): string[] {
  const faults: string[] = [];
  const refused = new Set<string>();
  page.on("dialog", (dialog) => {
    faults.push(`a dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on("console", (message) => {
    const { url } = message.location();
    // Of a page that is itself an answer of 404, say, Chromium tells there too; and it looks for the icon of a file.
    if (refused.has(url) || url.endsWith("/favicon.ico")) return;
    if (["error", "warning"].includes(message.type())) faults.push(`${message.type()}: ${message.text()}`);
  });
  page.on("pageerror", (error) => faults.push(`thrown: ${error.message}`));
  page.on("response", (response) => {
    if (response.status() < 400) return;
    // What a script of ours is refused, its page has to show.
    const isAskedByScript = ["fetch", "xhr"].includes(response.request().resourceType());
    if (isAskedByScript || isOfPageItself(response, page)) refused.add(response.url());
    else faults.push(`${response.status()}: ${response.url()}`);
  });
  return faults;
}

function isOfPageItself(response: Response, page: Page): boolean {
  const request = response.request();
  return request.isNavigationRequest() && request.frame() === page.mainFrame();
}

/** Goes to an address as if it were typed. */
export async function open(page: Page, address: string): Promise<Response> {
  const response = await page.goto(address);
  if (response === null) throw new Error(`nothing came from ${address}`);
  return response;
}

/** By how many pixels the page is wider than the window. */
export function tooWide(page: Page): Promise<number> {
  const root = "document.documentElement";
  return page.evaluate<number>(`${root}.scrollWidth - ${root}.clientWidth`);
}

/** Keeps what the page looks like, all of it or what is in the window, if QUIRE_SCREENSHOTS names a folder for it. */
export async function keepScreenshot(
  page: Page,
  name: string,
  part: "page" | "window" = "page",
): Promise<void> {
  const folder = process.env["QUIRE_SCREENSHOTS"];
  if (folder === undefined || folder === "") return;
  await page.screenshot({ path: path.join(folder, `${name}.png`), fullPage: part === "page" });
}

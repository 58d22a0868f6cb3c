import path from "node:path";
import {
  type Browser,
  type BrowserContext,
  type Locator,
  type Page,
  type Response,
  chromium,
} from "playwright-core";
import { afterAll, beforeAll, inject } from "vitest";

/** The browser of a reader. */
export interface Reader {
  scripts: "on" | "off";
  /** The width of the window, in CSS pixels. */
  width: number;
  colors: "light" | "dark";
}

export const atDesk: Reader = { scripts: "on", width: 1280, colors: "light" };
export const onPhone: Reader = { scripts: "off", width: 390, colors: "dark" };

/** Two readers who differ in everything: `describe.each(readers)("… by $width pixels, scripts $scripts", …)`. */
export const readers: readonly Reader[] = [atDesk, onPhone];

/**
 * The browser of this process. Its test files share it, since starting one takes as long as a few tests. It ends with
 * the process.
 */
let launched: Promise<Browser> | null = null;

async function launch(): Promise<Browser> {
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
  browser.once("disconnected", () => (launched = null));
  return browser;
}

/**
 * A browser with one page for each reader, who goes from one address to the next. It shares no cookies, storage or
 * cache with the browsers of other test files.
 */
export class TestBrowser {
  readonly #browser: Browser;
  readonly #desks = new Map<Reader, Desk>();

  private constructor(browser: Browser) {
    this.#browser = browser;
  }

  static async open(): Promise<TestBrowser> {
    launched ??= launch();
    return new TestBrowser(await launched);
  }

  /**
   * Runs a test on a page as this reader, and expects at the end that nothing went wrong: no dialog, no error on the
   * console, no violation of a Content-Security-Policy, no part of a page that failed to load.
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

  async close(): Promise<void> {
    await Promise.all(Array.from(this.#desks.values(), ({ context }) => context.close()));
  }

  /** Pages are reused, because opening one takes as long as a few tests. */
  async #deskOf(reader: Reader): Promise<Desk> {
    const known = this.#desks.get(reader);
    if (known !== undefined) return known;
    const { scripts, width, colors } = reader;
    const context = await this.#browser.newContext({
      javaScriptEnabled: scripts === "on",
      viewport: { width, height: width < 600 ? 844 : 900 },
      colorScheme: colors,
    });
    // A page that is slow on a busy machine is not wrong.
    context.setDefaultTimeout(100_000);
    // Violations go to the console, to which the test listens anyway, and which has them even without scripts.
    await context.addInitScript(
      `addEventListener("securitypolicyviolation", ({ violatedDirective, blockedURI }) =>
         console.error("refused by the policy", violatedDirective, blockedURI));`,
    );
    const page = await context.newPage();
    waitAfterClicks(page);
    const desk = { context, page, faults: faultsOf(page) };
    this.#desks.set(reader, desk);
    return desk;
  }
}

/** A browser that the tests of a file share. */
export type UsedBrowser = Pick<TestBrowser, "read">;

export function useBrowser(): UsedBrowser {
  let browser: TestBrowser;
  beforeAll(async () => {
    browser = await TestBrowser.open();
  });
  afterAll(() => browser.close());
  return { read: (reader, body) => browser.read(reader, body) };
}

/** The locators whose clicks wait. All pages have the same kind. */
const waiting = new WeakSet<object>();

/**
 * A click on a link is over when the next page begins to arrive, and a test that reads the page then may find half of
 * it. Makes clicks wait until all of it is there.
 */
function waitAfterClicks(page: Page): void {
  const locators = Object.getPrototypeOf(page.locator("html")) as Locator;
  if (waiting.has(locators)) return;
  waiting.add(locators);
  const click = Object.getOwnPropertyDescriptor(locators, "click")?.value as Locator["click"];
  locators.click = async function clickAndWait(this: Locator, ...options) {
    await click.apply(this, options);
    if (!this.page().isClosed()) await this.page().waitForLoadState("domcontentloaded");
  };
}

interface Desk {
  context: BrowserContext;
  page: Page;
  /** The problems since the reader last used the page. */
  faults: string[];
}

/** Collects the problems on a page from now on. */
function faultsOf(page: Page): string[] {
  const faults: string[] = [];
  const refused = new Set<string>();
  page.on("dialog", (dialog) => {
    // A test that fails may leave something unsaved. The next one needs the page.
    if (dialog.type() === "beforeunload") {
      void dialog.accept();
      return;
    }
    faults.push(`a dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on("console", (message) => {
    const { url } = message.location();
    // Chromium also reports a page that is itself an error such as 404, and it requests an icon for a file.
    if (refused.has(url) || url.endsWith("/favicon.ico")) return;
    if (["error", "warning"].includes(message.type())) faults.push(`${message.type()}: ${message.text()}`);
  });
  page.on("pageerror", (error) => faults.push(`thrown: ${error.message}`));
  page.on("response", (response) => {
    if (response.status() < 400) return;
    // If a request of a script is refused, its page has to show that.
    // Documents that a test has made without a file have no image of their first page, and their lists show none.
    const isSmallImage = /-p1-small\.gif(\?|$)/.test(response.url());
    const isAskedByScript = ["fetch", "xhr"].includes(response.request().resourceType());
    if (isAskedByScript || isSmallImage || isOfPageItself(response, page)) refused.add(response.url());
    else faults.push(`${response.status()}: ${response.url()}`);
  });
  return faults;
}

function isOfPageItself(response: Response, page: Page): boolean {
  const request = response.request();
  return request.isNavigationRequest() && request.frame() === page.mainFrame();
}

/** Opens an address as if the reader had typed it. */
export async function open(page: Page, address: string): Promise<Response> {
  const response = await page.goto(address);
  if (response === null) throw new Error(`nothing came from ${address}`);
  return response;
}

/** The number of pixels by which the page is wider than the window. */
export function tooWide(page: Page): Promise<number> {
  const root = "document.documentElement";
  return page.evaluate<number>(`${root}.scrollWidth - ${root}.clientWidth`);
}

/** Saves a screenshot of the whole page or of the window, if QUIRE_SCREENSHOTS names a folder. */
export async function keepScreenshot(
  page: Page,
  name: string,
  part: "page" | "window" = "page",
): Promise<void> {
  const folder = process.env["QUIRE_SCREENSHOTS"];
  if (folder === undefined || folder === "") return;
  await page.screenshot({ path: path.join(folder, `${name}.png`), fullPage: part === "page" });
}

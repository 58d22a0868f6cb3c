import type { DocumentProgress } from "../contract/work.ts";
import { OptionsError, type ViewerOptions, readViewerOptions, stageOf } from "../contract/page-options.ts";
import { localiseTimes } from "./local-times.ts";
import type { ViewerState } from "./state/viewer-state.ts";
import type { EventStream } from "./model/send.ts";
import { texts } from "./texts/texts.ts";

const retryMilliseconds = 10_000;

/**
 * Keeps the page of a document that is being processed up to date, without a reload. The counts come from the server's
 * events. When the next step begins, the script fetches and replaces the parts of the page that the server renders
 * (title, facts, history of the file), and reads the record again, so that pages appear when they are ready. The focus
 * and the reading position stay. `options` are those of the page; `parts` are in its article, or wherever the viewer
 * has put them.
 */
export function followProgress(
  options: ViewerOptions,
  parts: readonly HTMLElement[],
  viewer: ViewerState,
): void {
  const follower = new Follower(options, parts, viewer);
  viewer.followWork = () => {
    // The first event is news, whatever the page said before.
    follower.stage = null;
    viewer.record.value = { ...viewer.record.value, status: "pending" };
    follower.follow();
  };
  viewer.refreshPage = async () => void (await follower.refresh());
  if (options.events) follower.follow();
}

class Follower {
  /** The stage that the page shows; null if that is out of date. */
  stage: string | null;
  #said: string | null;
  readonly #parts: readonly HTMLElement[];
  readonly #viewer: ViewerState;
  #isRefreshing = false;

  constructor({ stage, said }: ViewerOptions, parts: readonly HTMLElement[], viewer: ViewerState) {
    this.stage = stage;
    this.#said = said;
    this.#parts = parts;
    this.#viewer = viewer;
  }

  /** The browser reconnects automatically when the server ends the stream, but not when the server refuses it. */
  follow(): void {
    const source = this.#viewer.api.network.openEvents(this.#viewer.api.eventsAddress);
    source.addEventListener("progress", ({ data }) => {
      void this.#onProgress(JSON.parse(data as string) as DocumentProgress, source);
    });
    source.addEventListener("error", () => {
      if (source.readyState !== source.CLOSED) return;
      setTimeout(() => {
        void this.refresh().then((isBusy) => isBusy && this.follow());
      }, retryMilliseconds);
    });
  }

  async #onProgress({ status, step, pages_done: done, pages }: DocumentProgress, source: EventStream) {
    if (this.stage === stageOf(status, step)) {
      if (done !== null && pages !== null) this.#count(done, pages);
      return;
    }
    if (this.#isRefreshing) return;
    this.#isRefreshing = true;
    const isBusy = await this.refresh();
    this.#isRefreshing = false;
    if (isBusy) return;
    this.#viewer.progress.value = null;
    source.close();
  }

  #count(done: number, pages: number): void {
    this.#viewer.progress.value = { done, pages };
    for (const part of this.#parts) {
      const bar = part.querySelector("progress");
      const words = part.querySelector("[data-count]");
      if (bar === null || words === null) continue;
      bar.max = pages;
      bar.value = done;
      words.textContent = texts.pagesDone(done, pages);
    }
  }

  /** Updates the page. True if the document is still being processed, or if the page cannot be fetched now. */
  async refresh(): Promise<boolean> {
    const answer = await this.#viewer.api.network
      .fetch(location.pathname, { headers: { accept: "text/html" } })
      .catch(() => null);
    if (answer === null || answer.status >= 500) return true;
    if (!answer.ok) return false;
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    const fresh = page.querySelector<HTMLElement>("article.document");
    const options = fresh === null ? null : optionsOf(fresh);
    if (fresh === null || options === null) return false;
    document.title = page.title;
    for (const part of this.#parts) {
      const changed = page.querySelector(`[data-part="${part.dataset["part"]}"]`);
      if (changed === null) continue;
      localiseTimes(changed);
      if (changed.innerHTML !== part.innerHTML) replaceContent(part, changed);
    }
    const hasNewStatus = this.#said !== options.said;
    this.stage = options.stage;
    this.#said = options.said;
    await this.#readAgain(options.images);
    if (hasNewStatus) this.#viewer.announcement.value = options.said ?? "";
    return options.events;
  }

  async #readAgain(imageType: string | null): Promise<void> {
    const viewer = this.#viewer;
    const record = await viewer.api.record().catch(() => null);
    if (record === null) return;
    viewer.api.imageType = imageType;
    viewer.scrolling.rearrange(() => {
      viewer.record.value = record;
    });
  }
}

/** The options of a page; null if a newer server wrote others, which only the script of that page can read. */
function optionsOf(article: HTMLElement): ViewerOptions | null {
  try {
    return readViewerOptions(article.dataset);
  } catch (error) {
    if (error instanceof OptionsError) return null;
    throw error;
  }
}

/** Replaces the content of a part. Restores the focus if an element like the focused one still exists. */
function replaceContent(part: Element, changed: Element): void {
  const focused = part.contains(document.activeElement) ? document.activeElement : null;
  part.replaceChildren(...document.importNode(changed, true).childNodes);
  if (focused === null) return;
  const alike = Array.from(part.querySelectorAll<HTMLElement>(focused.localName));
  const same =
    alike.find(({ textContent }) => textContent === focused.textContent) ??
    alike.find((element) => element.className === focused.className);
  same?.focus({ preventScroll: true });
}

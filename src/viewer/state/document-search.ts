import { type ReadonlySignal, type Signal, computed, effect, signal } from "@preact/signals";
import type { Api, DocumentRecord } from "../model/api.ts";
import { FoundPages } from "../model/found-pages.ts";
import type { HitBox, PageHits } from "../model/hits.ts";
import { RefusedError } from "../model/send.ts";
import { texts } from "../texts/texts.ts";
import type { Scrolling } from "./scrolling.ts";

/** The state of a search within the document. */
export interface Search {
  query: string;
  state: "running" | "done" | "failed";
  /** Null until it is done. */
  found: FoundPages | null;
}

/** One hit: the page, counting from 1, and the hit's number on it, counting from 0. */
export interface HitPosition {
  page: number;
  index: number;
}

/** What a search needs of the viewer. */
interface SearchedDocument {
  readonly api: Pick<Api, "search">;
  readonly record: ReadonlySignal<DocumentRecord>;
  readonly scrolling: Scrolling;
  /** The latest message for screen readers. */
  readonly announcement: Signal<string>;
  /** Which view of the document is shown. */
  readonly view: { value: "pages" | "grid" | "text" | "table" };
}

/** The search within the document, and the hit to which the reader went last. */
export class DocumentSearch {
  /** Null before the first search, and after the last one has ended. */
  readonly current = signal<Search | null>(null);
  readonly currentHit = signal<HitPosition | null>(null);
  readonly #document: SearchedDocument;
  readonly #scrolling: Scrolling;
  #searching: AbortController | null = null;
  /** The hit to scroll into view as soon as the words of its page are loaded. */
  #awaited: HitPosition | null = null;

  /** The number of the current hit among all hits, counting from 1; 0 if there is no current hit. */
  readonly hitNumber = computed(() => {
    const hit = this.currentHit.value;
    if (hit === null) return 0;
    const before = (this.current.value?.found?.findChunk(0) ?? [])
      .filter(({ page }) => page < hit.page)
      .reduce((sum, { count }) => sum + count, 0);
    return before + hit.index + 1;
  });
  /** The number of the current hit's page among the matching pages, counting from 1; 0 if there is no current hit. */
  readonly hitPageNumber = computed(() => {
    const { currentHit, current } = this;
    const found = current.value?.found?.findPage(currentHit.value?.page ?? 0);
    return found === undefined ? 0 : found.rank + 1;
  });

  constructor(document: SearchedDocument) {
    this.#document = document;
    this.#scrolling = document.scrolling;
  }

  /** Searches, and goes to the first hit on or after a page. An empty query ends the search. */
  async find(query: string, fromPage = this.#scrolling.page.peek()): Promise<void> {
    this.#searching?.abort();
    const searching = new AbortController();
    this.#searching = searching;
    this.currentHit.value = null;
    if (query.trim() === "") {
      this.current.value = null;
      return;
    }
    this.current.value = { query, state: "running", found: null };
    try {
      const found = await FoundPages.open((chunk) =>
        this.#document.api.search(query, chunk, searching.signal),
      );
      const rank = await found.rankFrom(fromPage, this.#document.record.peek().page_count);
      const first = await found.getRanked(rank < found.count ? rank : 0);
      this.current.value = { query, state: "done", found };
      this.#document.announcement.value = found.count === 0 ? texts.nothingFound : hitsInWords(found);
      if (first !== undefined) this.goToHit({ page: first.page, index: 0 });
    } catch (error) {
      if (searching.signal.aborted) return;
      this.current.value = { query, state: "failed", found: null };
      this.#document.announcement.value =
        error instanceof RefusedError && error.status === 400 ? texts.searchInvalid : texts.searchFailed;
    }
  }

  /** Fetches the hits of the pages in view as the reader scrolls. Returns a function that stops this. */
  lightHits(): () => void {
    return effect(() => {
      const found = this.current.value?.found;
      const { first, last } = this.#scrolling.shown.value;
      if (found === undefined || found === null || this.#scrolling.isRushing.value || last < first) return;
      for (const page of [first, last]) {
        if (found.covers(page)) continue;
        // If the request fails, these hits are not highlighted until the reader scrolls on.
        found.rankFrom(page, this.#document.record.peek().page_count).catch(() => undefined);
        return;
      }
    });
  }

  /** The hits of a page, if they have been fetched. */
  hitsOn(page: number): PageHits | undefined {
    return this.current.value?.found?.findPage(page)?.hits;
  }

  goToHit(hit: HitPosition): void {
    this.#document.view.value = "pages";
    this.currentHit.value = hit;
    this.#awaited = hit;
    // A page in the DOM scrolls to the hit itself, in hitsPlaced.
    const { first, last } = this.#scrolling.shown.peek();
    if (hit.page < first || hit.page > last) this.#scrolling.goTo(hit.page);
    else this.#scrolling.touch();
  }

  /** Called by a page with the boxes of its hits. */
  hitsPlaced(page: number, boxes: readonly (readonly HitBox[])[]): void {
    const awaited = this.#awaited;
    if (awaited === null || awaited.page !== page) return;
    this.#awaited = null;
    const box = boxes[awaited.index]?.[0];
    if (box === undefined) this.#scrolling.goTo(page);
    else if (!this.#isHitInWindow(page, box))
      this.#scrolling.goTo(page, this.#scrolling.turnedShare(box.y1, box.x1));
  }

  #isHitInWindow(page: number, { x1, y1, y2 }: HitBox): boolean {
    const { top, height } = this.#scrolling.layout.peek().boxOf(page - 1);
    const { top: windowTop, bottom } = this.#scrolling.windowEdges();
    const from = top + this.#scrolling.turnedShare(y1, x1) * height;
    return from > windowTop + 20 && from + (y2 - y1) * height < bottom - 20;
  }

  /** Goes to the next hit, or to the previous one with -1. After the last hit follows the first. */
  async step(direction: 1 | -1): Promise<void> {
    const found = this.current.peek()?.found;
    if (found === undefined || found === null || found.count === 0) return;
    const hit = this.currentHit.peek() ?? {
      page: this.#scrolling.page.peek(),
      index: direction === 1 ? -1 : 0,
    };
    const next = await this.#hitBeside(found, hit, direction).catch(() => null);
    if (this.current.peek()?.found !== found) return;
    if (next === null) {
      this.#document.announcement.value = texts.nextHitNotLoaded;
      return;
    }
    this.goToHit(next);
    const { page } = next;
    this.#document.announcement.value =
      found.hitCount === null
        ? texts.hitPage(page, this.hitPageNumber.value, found.count)
        : texts.hit(this.hitNumber.value, found.hitCount, page);
  }

  async #hitBeside(found: FoundPages, hit: HitPosition, direction: 1 | -1): Promise<HitPosition | null> {
    const rank = await found.rankFrom(hit.page, this.#document.record.peek().page_count);
    const here = found.findPage(hit.page);
    const index = hit.index + direction;
    if (index >= 0 && index < (here?.hits.count ?? 0)) return { page: hit.page, index };
    const beside = direction === -1 ? rank - 1 : here === undefined ? rank : rank + 1;
    const next = await found.getRanked((beside + found.count) % found.count);
    if (next === undefined) return null;
    return { page: next.page, index: direction === 1 ? 0 : Math.max(0, next.count - 1) };
  }
}

/** "3 hits on 2 pages", or "Hits on 250 pages" if the number of hits is unknown. */
export function hitsInWords({ count, hitCount }: FoundPages): string {
  return hitCount === null ? texts.hitsOnPages(count) : texts.hits(hitCount, count);
}

import { batch, computed, effect, signal } from "@preact/signals";
import type { ComponentType } from "preact";
import type { Note } from "../../contract/note.ts";
import type { Api, DocumentRecord } from "./api.ts";
import { FoundPages } from "./found-pages.ts";
import type { HitBox, PageHits } from "./hits.ts";
import { closeWhereNarrow } from "./narrow.ts";
import { type Layout, type Zoom, gap, layOut } from "./layout.ts";
import { pageSizesOf } from "./page-sizes.ts";
import { type Place, formatPlace, readPlace } from "./place.ts";
import { RefusedError } from "./send.ts";
import { ScrollScale } from "./scroll-scale.ts";
import { texts } from "../texts/texts.ts";

export type PanelName = "search" | "contents" | "notes" | "mail" | "about";
export type ViewName = "pages" | "grid" | "text" | "table";

/** The state of a search within the document. */
export interface Search {
  query: string;
  state: "running" | "done" | "failed";
  /** Null until it is done. */
  found: FoundPages | null;
}

interface ReadingOptions {
  isEmbedded?: boolean;
  start?: Place | null;
}

/** One hit: the page, counting from 1, and the hit's number on it, counting from 0. */
export interface HitPlace {
  page: number;
  index: number;
}

const zoomSteps = [0.25, 0.33, 0.5, 0.67, 0.8, 1, 1.25, 1.5, 2, 2.5, 3, 4, 5];
/** The maximum zoom for showing a note in a frame: beyond it, the image of a page is no longer sharp. */
const maxFramedZoom = 1.5;
/** The maximum number of pages in the DOM. */
const maxPagesShown = 40;

/** The state of the viewer for one document, and the actions on it. Pages are counted from 1 here. */
export class Reading {
  readonly api: Api;
  readonly record = signal<DocumentRecord>(null as unknown as DocumentRecord);
  /** Whether the viewer is in a frame of another site: it is smaller, and does not change its own address. */
  readonly isEmbedded: boolean;
  /** The initial place, unless the fragment of the address names another. */
  readonly start: Place | null;

  readonly view = signal<ViewName>("pages");
  readonly panel = signal<PanelName | null>(null);
  readonly zoom = signal<Zoom>("auto");
  readonly quarterTurns = signal<0 | 1 | 2 | 3>(0);
  readonly isTwoUp = signal(false);
  readonly search = signal<Search | null>(null);
  readonly currentHit = signal<HitPlace | null>(null);
  /** The id of the open note. */
  readonly openNote = signal<number | null>(null);
  /** The tool beside the pages, such as the form of a note; null for none. */
  readonly tool = signal<ComponentType | null>(null);
  /** The id of the note that is being changed: its box is drawn by the tool instead. */
  readonly changedNote = signal<number | null>(null);
  /** What is shown over every page, such as a surface to draw on; null for nothing. Pages count from 1. */
  readonly overlay = signal<ComponentType<{ page: number }> | null>(null);
  /** The progress of the work on the document's file, where its pages are counted. */
  readonly progress = signal<{ done: number; pages: number } | null>(null);
  /** Called when work on the document's file has been queued. Keeps the page up to date until that has ended. */
  followWork: () => void = () => undefined;
  /** The latest message for screen readers. */
  readonly announcement = signal("");
  /** Whether the reader is scrolling fast: then nothing is loaded that would be out of sight before it arrives. */
  readonly isRushing = signal(false);
  /** The number of pages in the window whose images are not loaded yet. */
  readonly awaitedPages = signal(0);

  /** The size of the scroll area, in CSS pixels. */
  readonly window = signal({ width: 0, height: 0 });
  /** Changes whenever the scroll position changes. */
  readonly #moved = signal(0);
  #scale = new ScrollScale(0, 0);
  #scroller: HTMLElement | null = null;
  #settling: ReturnType<typeof setTimeout> | undefined;
  /** The page that the reader went to, and the scroll position then. */
  #chosen: { page: number; top: number } | null = null;
  /** The note to which the view is zoomed, as long as the reader stays there. */
  #framed: Note | null = null;
  #searching: AbortController | null = null;
  /** The hit to scroll into view as soon as the words of its page are loaded. */
  #sought: HitPlace | null = null;

  readonly sizes = computed(() => pageSizesOf(this.record.value.page_spec, this.record.value.page_count));
  readonly layout = computed<Layout>(() =>
    layOut(this.sizes.value, {
      zoom: this.zoom.value,
      window: this.window.value,
      quarterTurns: this.quarterTurns.value,
      isTwoUp: this.isTwoUp.value,
    }),
  );
  /** The pages in the DOM. */
  readonly shown = computed(() => {
    const { top, bottom } = this.#windowEdges();
    const margin = (bottom - top) * 0.75;
    const { first, last } = this.layout.value.pagesBetween(top - margin, bottom + margin);
    return { first: first + 1, last: Math.min(last + 1, first + maxPagesShown) };
  });
  /**
   * The current page. After a jump to a page this is that page, until the reader scrolls. Then it is the page at a
   * third of the height of the window or, if pages are small, the first page whose middle is in the window.
   */
  readonly page = computed(() => {
    const { top, bottom } = this.#windowEdges();
    const layout = this.layout.value;
    const count = this.record.value.page_count;
    if (this.#chosen !== null && Math.abs(this.#chosen.top - top) < 2)
      return Math.min(count, this.#chosen.page);
    const first = layout.pagesBetween(top + gap, top + gap).first;
    if (first < 0 || count === 0) return 1;
    const line = top + Math.min((bottom - top) / 3, layout.boxOf(Math.min(first, count - 1)).height / 2);
    return Math.max(1, Math.min(count, layout.pagesBetween(line, line).first + 1));
  });
  readonly noteById = computed(() => new Map(this.record.value.notes.map((note) => [note.id, note])));
  readonly notesByPage = computed(() => Map.groupBy(this.record.value.notes, (note) => note.page_number + 1));
  readonly sectionsByPage = computed(() =>
    Map.groupBy(this.record.value.sections, (section) => section.page_number + 1),
  );
  /** The number of the current hit among all hits, counting from 1; 0 if there is no current hit. */
  readonly hitNumber = computed(() => {
    const hit = this.currentHit.value;
    if (hit === null) return 0;
    const before = (this.search.value?.found?.findChunk(0) ?? [])
      .filter(({ page }) => page < hit.page)
      .reduce((sum, { count }) => sum + count, 0);
    return before + hit.index + 1;
  });
  /** The number of the current hit's page among the matching pages, counting from 1; 0 if there is no current hit. */
  readonly hitPageNumber = computed(() => {
    const { currentHit, search } = this;
    const found = search.value?.found?.findPage(currentHit.value?.page ?? 0);
    return found === undefined ? 0 : found.rank + 1;
  });

  constructor(api: Api, record: DocumentRecord, { isEmbedded = false, start = null }: ReadingOptions = {}) {
    this.api = api;
    this.record.value = record;
    this.isEmbedded = isEmbedded;
    this.start = start;
    // The frame of an embedded page has the same aspect ratio as the page.
    if (isEmbedded && start !== null && start.note === null) this.zoom.value = "page";
  }

  /** The CSRF token of a reader who has signed in and may write; null for everyone else. */
  get csrfToken(): string | null {
    return this.api.mayWrite ? this.api.csrfToken : null;
  }

  // Tools

  /** Brings the parts of the page that the server renders, and the record, up to date: see progress.ts. */
  refreshPage: () => Promise<void> = () => Promise.resolve();

  /**
   * Shows a tool beside the pages. While another tool is open, this moves the focus to that one instead, so that
   * nothing that was typed there is lost. The panel closes where it would cover the pages.
   */
  openTool(tool: ComponentType): void {
    closeWhereNarrow(this);
    if (this.tool.value !== null) {
      document.querySelector<HTMLElement>(".viewer-tool h2")?.focus();
      this.announcement.value = texts.finishFirst;
      return;
    }
    batch(() => {
      this.openNote.value = null;
      if (this.view.value !== "pages") this.view.value = "pages";
      this.tool.value = tool;
    });
  }

  closeTool(): void {
    this.tool.value = null;
  }

  /** Adds a note to the record or, if it is there, replaces it. */
  putNote(note: Note): void {
    const others = this.record.value.notes.filter(({ id }) => id !== note.id);
    this.record.value = { ...this.record.value, notes: [...others, note] };
  }

  dropNote(note: Note): void {
    if (this.openNote.value === note.id) this.openNote.value = null;
    const notes = this.record.value.notes.filter(({ id }) => id !== note.id);
    this.record.value = { ...this.record.value, notes };
  }

  // Scrolling

  /** Called when the scroll area appears and when its size changes. */
  attach(scroller: HTMLElement, window: { width: number; height: number }): void {
    const position = this.position();
    this.#scroller = scroller;
    this.window.value = window;
    const framed = this.#isAtChosen() ? this.#framed : null;
    this.#relay(position);
    if (framed !== null) this.#frame(framed);
  }

  detach(): void {
    this.#scroller = null;
  }

  /** The reading position, independent of the zoom. `share` is the fraction of the page above the top of the window. */
  position(): { page: number; share: number } {
    const layout = this.layout.peek();
    const top = this.#scale.top;
    const first = layout.pagesBetween(top + gap, top + gap).first;
    if (this.record.peek().page_count === 0) return { page: 1, share: 0 };
    const box = layout.boxOf(Math.max(0, first));
    return { page: first + 1, share: Math.max(0, (top - box.top) / box.height) };
  }

  /** Runs a change of the layout, and keeps the reading position. */
  rearrange(change: () => void): void {
    const position = this.position();
    batch(change);
    this.#relay(position);
  }

  #isAtChosen(): boolean {
    return this.#chosen !== null && Math.abs(this.#chosen.top - this.#scale.top) < 2;
  }

  #relay({ page, share }: { page: number; share: number }): void {
    const layout = this.layout.peek();
    const chosen = this.#isAtChosen() ? this.#chosen?.page : undefined;
    this.#scale = new ScrollScale(layout.height, this.window.peek().height);
    if (this.record.peek().page_count === 0) return;
    const box = layout.boxOf(page - 1);
    this.#moveTo(share === 0 ? box.top - gap : box.top + share * box.height, chosen);
    this.#centre();
  }

  /** The height of the element that contains the pages: see {@link ScrollScale}. */
  get elementHeight(): number {
    return this.#scale.elementHeight;
  }

  /** The position in that element for a vertical position in the document. */
  elementPositionOf(position: number): number {
    // Reading the signal makes the components that use the result render again.
    void this.#moved.value;
    return this.#scale.elementPositionOf(position);
  }

  scrolled(scrollTop: number): void {
    const before = this.#scale.top;
    this.#scale.scrolled(scrollTop);
    const distance = Math.abs(this.#scale.top - before);
    batch(() => {
      this.isRushing.value = distance > this.window.value.height * 0.7;
      this.#moved.value += 1;
    });
    clearTimeout(this.#settling);
    this.#settling = setTimeout(() => this.#settle(), 120);
  }

  #settle(): void {
    this.isRushing.value = false;
    if (this.#scroller === null) return;
    const before = this.#scroller.scrollTop;
    // The reader has scrolled on, but the scroll event has not arrived yet.
    if (Math.abs(before - this.#scale.scrollTop) > 1) {
      this.scrolled(before);
      return;
    }
    const truly = Math.round(this.#scale.settle());
    if (Math.abs(truly - before) > 1) {
      this.#scale.moveTo(this.#scale.top);
      this.#applyScroll(truly);
    } else this.#scale.scrolled(before);
    this.#moved.value += 1;
  }

  #moveTo(position: number, chosen?: number): void {
    clearTimeout(this.#settling);
    // Before the scroll area appears, the scale stores the position for it.
    if (this.#scroller === null)
      this.#scale = new ScrollScale(this.layout.peek().height, this.window.peek().height);
    this.isRushing.value = false;
    const scrollTop = this.#scale.moveTo(position);
    this.#chosen = chosen === undefined ? null : { page: chosen, top: this.#scale.top };
    this.#applyScroll(scrollTop);
    this.#moved.value += 1;
  }

  #applyScroll(scrollTop: number): void {
    const scroller = this.#scroller;
    if (scroller === null) return;
    // Rendering sets the new height only later, and until then the element could not scroll far enough.
    const paper = scroller.firstElementChild as HTMLElement | null;
    if (paper !== null) {
      paper.style.height = `${this.elementHeight}px`;
      paper.style.width = `${this.layout.peek().width}px`;
    }
    scroller.scrollTop = scrollTop;
  }

  #centre(): void {
    const scroller = this.#scroller;
    if (scroller !== null) scroller.scrollLeft = (this.layout.peek().width - this.window.peek().width) / 2;
  }

  #windowEdges(): { top: number; bottom: number } {
    void this.#moved.value;
    return { top: this.#scale.top, bottom: this.#scale.top + this.window.value.height };
  }

  /** Whether any part of a page is in the window. */
  isInWindow(page: number): boolean {
    const { top, height } = this.layout.value.boxOf(page - 1);
    const edges = this.#windowEdges();
    return top < edges.bottom && top + height > edges.top;
  }

  /** Scrolls to the top of a page, or to a height on it, in fractions of the page as it is shown. */
  goTo(page: number, share: number | null = null): void {
    const { page_count } = this.record.peek();
    if (page_count === 0) return;
    const number = Math.max(1, Math.min(page_count, Math.trunc(page) || 1));
    const box = this.layout.peek().boxOf(number - 1);
    const height = this.window.peek().height;
    this.#moveTo(share === null ? box.top - gap / 2 : box.top + share * box.height - height / 3, number);
  }

  /** Zooms to a note as far as the window allows, since a whole page would be too small to read in a frame. */
  #frame(note: Note): void {
    const { x1, x2, y1, y2 } = note;
    const { width, height } = this.window.peek();
    const { widths, heights } = this.sizes.peek();
    const [pageWidth = 0, pageHeight = 0] = [widths[note.page_number], heights[note.page_number]];
    if (width === 0 || pageWidth === 0 || x1 === null || x2 === null || y1 === null || y2 === null) return;
    this.rearrange(() => {
      this.zoom.value = "auto";
      const whole = (this.layout.value.scale(note.page_number) * 72) / 96;
      const fitted = Math.min(
        (width - 4 * gap) / ((x2 - x1) * pageWidth),
        (height - 2 * gap) / ((y2 - y1) * pageHeight),
      );
      this.zoom.value = Math.max(whole, Math.min((fitted * 72) / 96, maxFramedZoom));
    });
    const box = this.layout.peek().boxOf(note.page_number);
    this.#moveTo(box.top + y1 * box.height - gap, note.page_number + 1);
    if (this.#scroller !== null)
      this.#scroller.scrollLeft = box.left + ((x1 + x2) / 2) * box.width - width / 2;
  }

  /** Switches from the thumbnails or the text to a page. */
  showPages(page: number): void {
    this.view.value = "pages";
    this.goTo(page);
  }

  /** Goes to the next row of pages, or to the previous one with -1. */
  turn(direction: 1 | -1): void {
    this.goTo(this.page.peek() + direction * (this.isTwoUp.peek() ? 2 : 1));
  }

  goToPlace({ page, note }: Place): void {
    const found = note === null ? undefined : this.noteById.peek().get(note);
    if (found === undefined) this.goTo(page);
    else this.showNote(found);
  }

  showNote(note: Note): void {
    this.openNote.value = note.id;
    if (this.view.peek() !== "pages") this.view.value = "pages";
    this.goTo(note.page_number + 1, note.y1 === null ? null : this.#turnedShare(note.y1, note.x1 ?? 0));
    if (!this.isEmbedded || this.quarterTurns.peek() !== 0) return;
    this.#framed = note;
    this.#frame(note);
  }

  /** The height of a point of the page in the rotated view. All values are fractions of the page. */
  #turnedShare(y: number, x: number): number {
    return [y, x, 1 - y, 1 - x][this.quarterTurns.peek()] ?? y;
  }

  // Size and orientation

  zoomBy(direction: 1 | -1): void {
    const scale = this.currentZoom();
    const steps = direction === 1 ? zoomSteps : zoomSteps.toReversed();
    const next = steps.find((step) => (direction === 1 ? step > scale * 1.02 : step < scale * 0.98));
    if (next !== undefined) this.setZoom(next);
  }

  /** The scale of the current page. 1 shows an inch as 96 CSS pixels. */
  currentZoom(): number {
    return (this.layout.value.scale(Math.max(0, this.page.value - 1)) * 72) / 96;
  }

  setZoom(zoom: Zoom): void {
    this.rearrange(() => {
      this.zoom.value = typeof zoom === "number" ? Math.max(0.2, Math.min(6, zoom)) : zoom;
    });
  }

  rotate(): void {
    this.rearrange(() => {
      this.quarterTurns.value = ((this.quarterTurns.value + 1) % 4) as 0 | 1 | 2 | 3;
    });
    this.announcement.value = texts.rotated(this.quarterTurns.value * 90);
  }

  toggleTwoUp(): void {
    this.rearrange(() => {
      this.isTwoUp.value = !this.isTwoUp.value;
    });
  }

  // Search

  /** Searches, and goes to the first hit on or after a page. An empty query ends the search. */
  async find(query: string, fromPage = this.page.peek()): Promise<void> {
    this.#searching?.abort();
    const searching = new AbortController();
    this.#searching = searching;
    this.currentHit.value = null;
    if (query.trim() === "") {
      this.search.value = null;
      return;
    }
    this.search.value = { query, state: "running", found: null };
    try {
      const found = await FoundPages.open((chunk) => this.api.search(query, chunk, searching.signal));
      const rank = await found.rankFrom(fromPage, this.record.peek().page_count);
      const first = await found.getRanked(rank < found.count ? rank : 0);
      this.search.value = { query, state: "done", found };
      this.announcement.value = found.count === 0 ? texts.nothingFound : hitsInWords(found);
      if (first !== undefined) this.goToHit({ page: first.page, index: 0 });
    } catch (error) {
      if (searching.signal.aborted) return;
      this.search.value = { query, state: "failed", found: null };
      this.announcement.value =
        error instanceof RefusedError && error.status === 400 ? texts.searchInvalid : texts.searchFailed;
    }
  }

  /** Fetches the hits of the pages in view as the reader scrolls. Returns a function that stops this. */
  lightHits(): () => void {
    return effect(() => {
      const found = this.search.value?.found;
      const { first, last } = this.shown.value;
      if (found === undefined || found === null || this.isRushing.value || last < first) return;
      for (const page of [first, last]) {
        if (found.covers(page)) continue;
        // If the request fails, these hits are not highlighted until the reader scrolls on.
        found.rankFrom(page, this.record.peek().page_count).catch(() => undefined);
        return;
      }
    });
  }

  /** The hits of a page, if they have been fetched. */
  hitsOn(page: number): PageHits | undefined {
    return this.search.value?.found?.findPage(page)?.hits;
  }

  goToHit(hit: HitPlace): void {
    this.view.value = "pages";
    this.currentHit.value = hit;
    this.#sought = hit;
    // A page in the DOM scrolls to the hit itself, in hitsPlaced.
    const { first, last } = this.shown.peek();
    if (hit.page < first || hit.page > last) this.goTo(hit.page);
    else this.#moved.value += 1;
  }

  /** Called by a page with the boxes of its hits. */
  hitsPlaced(page: number, boxes: readonly (readonly HitBox[])[]): void {
    const sought = this.#sought;
    if (sought === null || sought.page !== page) return;
    this.#sought = null;
    const box = boxes[sought.index]?.[0];
    if (box === undefined) this.goTo(page);
    else if (!this.#isHitInWindow(page, box)) this.goTo(page, this.#turnedShare(box.y1, box.x1));
  }

  #isHitInWindow(page: number, { x1, y1, y2 }: HitBox): boolean {
    const { top, height } = this.layout.peek().boxOf(page - 1);
    const { top: windowTop, bottom } = this.#windowEdges();
    const from = top + this.#turnedShare(y1, x1) * height;
    return from > windowTop + 20 && from + (y2 - y1) * height < bottom - 20;
  }

  /** Goes to the next hit, or to the previous one with -1. After the last hit follows the first. */
  async step(direction: 1 | -1): Promise<void> {
    const found = this.search.peek()?.found;
    if (found === undefined || found === null || found.count === 0) return;
    const hit = this.currentHit.peek() ?? { page: this.page.peek(), index: direction === 1 ? -1 : 0 };
    const next = await this.#hitBeside(found, hit, direction).catch(() => null);
    if (this.search.peek()?.found !== found) return;
    if (next === null) {
      this.announcement.value = texts.nextHitNotLoaded;
      return;
    }
    this.goToHit(next);
    const { page } = next;
    this.announcement.value =
      found.hitCount === null
        ? texts.hitPage(page, this.hitPageNumber.value, found.count)
        : texts.hit(this.hitNumber.value, found.hitCount, page);
  }

  async #hitBeside(found: FoundPages, hit: HitPlace, direction: 1 | -1): Promise<HitPlace | null> {
    const rank = await found.rankFrom(hit.page, this.record.peek().page_count);
    const here = found.findPage(hit.page);
    const index = hit.index + direction;
    if (index >= 0 && index < (here?.hits.count ?? 0)) return { page: hit.page, index };
    const beside = direction === -1 ? rank - 1 : here === undefined ? rank : rank + 1;
    const next = await found.getRanked((beside + found.count) % found.count);
    if (next === undefined) return null;
    return { page: next.page, index: direction === 1 ? 0 : Math.max(0, next.count - 1) };
  }

  // The address

  /** Keeps the viewer and the address of the page in step. Returns a function that stops this. */
  followAddress(): () => void {
    const onHashChange = ({ newURL }: HashChangeEvent): void => {
      // location.hash may have been rewritten since the event.
      const place = readPlace(new URL(newURL).hash);
      if (place !== null) this.goToPlace(place);
    };
    addEventListener("hashchange", onHashChange);
    // Nobody sees the address of a frame, so it is not updated.
    if (this.isEmbedded) return () => removeEventListener("hashchange", onHashChange);
    let writing: ReturnType<typeof setTimeout> | undefined;
    let isFirst = true;
    const stop = effect(() => {
      const page = this.page.value;
      const query = this.search.value?.query ?? null;
      const open = this.openNote.value;
      if (isFirst) {
        isFirst = false;
        return;
      }
      clearTimeout(writing);
      // Waits, since browsers refuse more than a hundred changes in half a minute.
      writing = setTimeout(() => {
        const note = open === null ? undefined : this.noteById.peek().get(open);
        const isOnPage = note !== undefined && note.page_number + 1 === page;
        const address = new URL(location.href);
        if (query === null) address.searchParams.delete("q");
        else address.searchParams.set("q", query);
        address.searchParams.delete("page");
        address.hash = formatPlace({ page, note: isOnPage ? note.id : null });
        if (address.href !== location.href) history.replaceState(history.state, "", address);
      }, 350);
    });
    return () => {
      stop();
      clearTimeout(writing);
      removeEventListener("hashchange", onHashChange);
    };
  }
}

/** "3 hits on 2 pages", or "Hits on 250 pages" if the number of hits is unknown. */
export function hitsInWords({ count, hitCount }: FoundPages): string {
  return hitCount === null ? texts.hitsOnPages(count) : texts.hits(hitCount, count);
}

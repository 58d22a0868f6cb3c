import { type ReadonlySignal, batch, computed, signal } from "@preact/signals";
import type { Note } from "../../contract/note.ts";
import type { DocumentRecord } from "../model/api.ts";
import { type Layout, type Zoom, gap, layOut } from "../model/layout.ts";
import { pageSizesOf } from "../model/page-sizes.ts";
import { ScrollScale } from "../model/scroll-scale.ts";

const zoomSteps = [0.25, 0.33, 0.5, 0.67, 0.8, 1, 1.25, 1.5, 2, 2.5, 3, 4, 5];
/** The maximum zoom for showing a note in a frame: beyond it, the image of a page is no longer sharp. */
const maxFramedZoom = 1.5;
/** The maximum number of pages in the DOM. */
const maxPagesShown = 40;

/** The position of the reader in the pages, and the size and orientation of the pages. They are counted from 1 here. */
export class Scrolling {
  readonly zoom = signal<Zoom>("auto");
  readonly quarterTurns = signal<0 | 1 | 2 | 3>(0);
  readonly isTwoUp = signal(false);
  /** Whether the reader is scrolling fast: then nothing is loaded that would be out of sight before it arrives. */
  readonly isRushing = signal(false);
  /** The size of the scroll area, in CSS pixels. */
  readonly window = signal({ width: 0, height: 0 });
  readonly #record: ReadonlySignal<DocumentRecord>;
  /** Changes whenever the scroll position changes. */
  readonly #moved = signal(0);
  #scale = new ScrollScale(0, 0);
  #scroller: HTMLElement | null = null;
  #settling: ReturnType<typeof setTimeout> | undefined;
  /** The page that the reader went to, and the scroll position then. */
  #chosen: { page: number; top: number } | null = null;
  /** The note to which the view is zoomed, as long as the reader stays there. */
  #framed: Note | null = null;

  constructor(record: ReadonlySignal<DocumentRecord>) {
    this.#record = record;
  }

  readonly sizes = computed(() => pageSizesOf(this.#record.value.page_spec, this.#record.value.page_count));
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
    const { top, bottom } = this.windowEdges();
    const margin = (bottom - top) * 0.75;
    const { first, last } = this.layout.value.pagesBetween(top - margin, bottom + margin);
    return { first: first + 1, last: Math.min(last + 1, first + maxPagesShown) };
  });
  /**
   * The current page. After a jump to a page this is that page, until the reader scrolls. Then it is the page at a
   * third of the height of the window or, if pages are small, the first page whose middle is in the window.
   */
  readonly page = computed(() => {
    const { top, bottom } = this.windowEdges();
    const layout = this.layout.value;
    const count = this.#record.value.page_count;
    if (this.#chosen !== null && Math.abs(this.#chosen.top - top) < 2)
      return Math.min(count, this.#chosen.page);
    const first = layout.pagesBetween(top + gap, top + gap).first;
    if (first < 0 || count === 0) return 1;
    const line = top + Math.min((bottom - top) / 3, layout.boxOf(Math.min(first, count - 1)).height / 2);
    return Math.max(1, Math.min(count, layout.pagesBetween(line, line).first + 1));
  });

  /** Called when the scroll area appears and when its size changes. */
  attach(scroller: HTMLElement, window: { width: number; height: number }): void {
    const position = this.position();
    this.#scroller = scroller;
    this.window.value = window;
    const framed = this.#isAtChosen() ? this.#framed : null;
    this.#relay(position);
    if (framed !== null) this.frame(framed);
  }

  detach(): void {
    this.#scroller = null;
  }

  /** The reading position, independent of the zoom. `share` is the fraction of the page above the top of the window. */
  position(): { page: number; share: number } {
    const layout = this.layout.peek();
    const top = this.#scale.top;
    const first = layout.pagesBetween(top + gap, top + gap).first;
    if (this.#record.peek().page_count === 0) return { page: 1, share: 0 };
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
    if (this.#record.peek().page_count === 0) return;
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

  /** The edges of the window, as positions in the document. */
  windowEdges(): { top: number; bottom: number } {
    void this.#moved.value;
    return { top: this.#scale.top, bottom: this.#scale.top + this.window.value.height };
  }

  /** Renders the pages again that depend on the scroll position, although it is the same. */
  touch(): void {
    this.#moved.value += 1;
  }

  /** Whether any part of a page is in the window. */
  isInWindow(page: number): boolean {
    const { top, height } = this.layout.value.boxOf(page - 1);
    const edges = this.windowEdges();
    return top < edges.bottom && top + height > edges.top;
  }

  /** Scrolls to the top of a page, or to a height on it, in fractions of the page as it is shown. */
  goTo(page: number, share: number | null = null): void {
    const { page_count } = this.#record.peek();
    if (page_count === 0) return;
    const number = Math.max(1, Math.min(page_count, Math.trunc(page) || 1));
    const box = this.layout.peek().boxOf(number - 1);
    const height = this.window.peek().height;
    this.#moveTo(share === null ? box.top - gap / 2 : box.top + share * box.height - height / 3, number);
  }

  /** Zooms to a note as far as the window allows, since a whole page would be too small to read in a frame. */
  frame(note: Note): void {
    this.#framed = note;
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

  /** Goes to the next row of pages, or to the previous one with -1. */
  turn(direction: 1 | -1): void {
    this.goTo(this.page.peek() + direction * (this.isTwoUp.peek() ? 2 : 1));
  }

  /** The height of a point of the page in the rotated view. All values are fractions of the page. */
  turnedShare(y: number, x: number): number {
    return [y, x, 1 - y, 1 - x][this.quarterTurns.peek()] ?? y;
  }

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

  toggleTwoUp(): void {
    this.rearrange(() => {
      this.isTwoUp.value = !this.isTwoUp.value;
    });
  }
}

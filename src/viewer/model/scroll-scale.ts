/*
 * A browser limits the height of an element (Firefox to about 17.8 million pixels, Chromium and WebKit to 33.5
 * million); 30,000 pages at a high zoom are taller. So the element that scrolls has a height of its own: the true one
 * up to the limit, else the limit. No virtual list that we know of does this, and with every height known in advance
 * this is all of a virtual list that is needed.
 *
 * Near both ends a pixel scrolled is a pixel of the document. In between, positions are compressed: where the scroll
 * bar is dragged to decides which part of the document is shown. Small movements still count one to one, wherever they
 * happen; when the reader rests, the scroll bar is put where the position belongs ({@link ScrollScale.settle}).
 */

export const maxElementHeight = 6_000_000;

/** At both ends, where nothing is compressed. */
const plainHeight = 500_000;

export class ScrollScale {
  /** Heights in CSS pixels. */
  readonly #whole: number;
  readonly #window: number;
  readonly elementHeight: number;
  #scrollTop = 0;
  #top = 0;

  constructor(wholeHeight: number, windowHeight: number) {
    this.#window = windowHeight;
    this.#whole = Math.max(wholeHeight, windowHeight);
    this.elementHeight = Math.min(this.#whole, maxElementHeight);
  }

  /** The position in the document of what is at the top of the window. */
  get top(): number {
    return this.#top;
  }

  /** Where a position in the document is in the element, while the window is where it is. */
  elementPositionOf(position: number): number {
    return position - this.#top + this.#scrollTop;
  }

  /** Shows another position; returns the `scrollTop` that the element is to have. */
  moveTo(position: number): number {
    this.#top = Math.max(0, Math.min(position, this.#whole - this.#window));
    this.#scrollTop = this.#scrollTopOf(this.#top);
    return this.#scrollTop;
  }

  /** The element was scrolled. */
  scrolled(scrollTop: number): void {
    const movement = scrollTop - this.#scrollTop;
    if (movement === 0) return;
    const isSmall = Math.abs(movement) <= 2 * this.#window;
    this.#scrollTop = scrollTop;
    const top = isSmall && this.#isCompressed ? this.#top + movement : this.#topOf(scrollTop);
    this.#top = Math.max(0, Math.min(top, this.#whole - this.#window));
  }

  /** The `scrollTop` at which a scroll bar shows the position truly. */
  settle(): number {
    this.#scrollTop = this.#scrollTopOf(this.#top);
    return this.#scrollTop;
  }

  get #isCompressed(): boolean {
    return this.elementHeight < this.#whole;
  }

  #scrollTopOf(top: number): number {
    return between(
      top,
      this.#knots.map(([from, to]) => [from, to]),
    );
  }

  #topOf(scrollTop: number): number {
    return between(
      scrollTop,
      this.#knots.map(([from, to]) => [to, from]),
    );
  }

  /** Positions in the document, and the `scrollTop` of each; straight lines in between. */
  get #knots(): (readonly [top: number, scrollTop: number])[] {
    const end = this.#whole - this.#window;
    const scrollEnd = this.elementHeight - this.#window;
    if (!this.#isCompressed)
      return [
        [0, 0],
        [end, scrollEnd],
      ];
    return [
      [0, 0],
      [plainHeight, plainHeight],
      [end - plainHeight, scrollEnd - plainHeight],
      [end, scrollEnd],
    ];
  }
}

function between(x: number, knots: readonly (readonly [number, number])[]): number {
  for (let index = 1; index < knots.length; index++) {
    const [x0, y0] = knots[index - 1] as readonly [number, number];
    const [x1, y1] = knots[index] as readonly [number, number];
    if (x <= x1 || index === knots.length - 1) {
      if (x1 === x0) return y0;
      const share = Math.max(0, Math.min(1, (x - x0) / (x1 - x0)));
      return y0 + share * (y1 - y0);
    }
  }
  return 0;
}

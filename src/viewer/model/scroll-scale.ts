/*
 * A browser limits the height of an element (Firefox to about 17.8 million pixels, Chromium and WebKit to 33.5
 * million); 30,000 pages at a high zoom are taller. So the scrolled element is as high as the document, but never
 * higher than a limit. We know of no virtual list that does this. No other part of a virtual list is needed, because
 * every height is known in advance.
 *
 * Near both ends, scrolling by a pixel moves the document by a pixel. In between, positions are compressed: the
 * position of a dragged scroll bar decides which part of the document is shown. Small movements still move the document
 * one to one everywhere. When the reader stops, the scroll bar moves to the exact position: see
 * {@link ScrollScale.settle}.
 */

export const maxElementHeight = 6_000_000;

/** The height at each end that is not compressed, in CSS pixels. */
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

  /** The position in the document at the top of the window. */
  get top(): number {
    return this.#top;
  }

  /** The last known `scrollTop` of the element. */
  get scrollTop(): number {
    return this.#scrollTop;
  }

  /** The position in the element for a position in the document, at the current scroll position. */
  elementPositionOf(position: number): number {
    return position - this.#top + this.#scrollTop;
  }

  /** Moves to another position in the document. Returns the `scrollTop` to set. */
  moveTo(position: number): number {
    this.#top = Math.max(0, Math.min(position, this.#whole - this.#window));
    this.#scrollTop = this.#scrollTopOf(this.#top);
    return this.#scrollTop;
  }

  /** Called when the element has been scrolled. */
  scrolled(scrollTop: number): void {
    const movement = scrollTop - this.#scrollTop;
    if (movement === 0) return;
    const isSmall = Math.abs(movement) <= 2 * this.#window;
    this.#scrollTop = scrollTop;
    const top = isSmall && this.#isCompressed ? this.#top + movement : this.#topOf(scrollTop);
    this.#top = Math.max(0, Math.min(top, this.#whole - this.#window));
  }

  /** Returns the `scrollTop` that shows the exact position on the scroll bar. */
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

  /** Positions in the document with the `scrollTop` of each. Between them the mapping is linear. */
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

import type { PageSizes } from "./page-sizes.ts";

/**
 * The size of pages on the screen: `auto` fits the width of the window up to a readable size, `width` always fits it,
 * `page` fits the whole page, and a number is the scale (1 shows an inch as 96 CSS pixels).
 */
export type Zoom = "auto" | "width" | "page" | number;

export interface LayoutOptions {
  zoom: Zoom;
  /** The size of the scroll area, in CSS pixels. */
  window: { width: number; height: number };
  /** Clockwise. */
  quarterTurns: 0 | 1 | 2 | 3;
  isTwoUp: boolean;
}

/** In CSS pixels, from the upper left corner of the document. */
export interface Box {
  left: number;
  top: number;
  width: number;
  height: number;
}

/** The positions of all pages. They depend on the page sizes alone, so nothing moves when pages load. */
export interface Layout {
  readonly width: number;
  readonly height: number;
  readonly scale: (page: number) => number;
  boxOf(page: number): Box;
  /** The first and the last page in the rows between two vertical positions, both inclusive. Pages count from 0. */
  pagesBetween(top: number, bottom: number): { first: number; last: number };
}

/** The space between pages, and around all of them, in CSS pixels. */
export const gap = 16;
const readableWidth = 960;
/** CSS pixels in a point. */
const pixelsPerPoint = 96 / 72;

export function layOut({ count, widths, heights }: PageSizes, options: LayoutOptions): Layout {
  const { zoom, window, quarterTurns, isTwoUp } = options;
  const isOnSide = quarterTurns % 2 === 1;
  const columns = isTwoUp ? 2 : 1;
  const wide = (page: number): number => (isOnSide ? heights[page] : widths[page]) ?? 1;
  const high = (page: number): number => (isOnSide ? widths[page] : heights[page]) ?? 1;
  const space = Math.max(50, (window.width - gap * (columns + 1)) / columns);
  const scale = (page: number): number => {
    if (typeof zoom === "number") return zoom * pixelsPerPoint;
    const fitted = space / wide(page);
    if (zoom === "width") return fitted;
    if (zoom === "page") return Math.min(fitted, Math.max(50, window.height - 2 * gap) / high(page));
    // The last limit keeps a narrow receipt from being enlarged to the width of a sheet.
    return Math.min(fitted, readableWidth / columns / wide(page), pixelsPerPoint * 2.5);
  };
  const rows = Math.ceil(count / columns);
  const tops = new Float64Array(rows + 1);
  let widest = 0;
  tops[0] = gap;
  for (let row = 0; row < rows; row++) {
    let height = 0;
    let width = gap;
    for (let page = row * columns; page < Math.min(count, (row + 1) * columns); page++) {
      height = Math.max(height, Math.round(high(page) * scale(page)));
      width += Math.round(wide(page) * scale(page)) + gap;
    }
    widest = Math.max(widest, width);
    tops[row + 1] = (tops[row] ?? 0) + height + gap;
  }
  const width = Math.max(widest, window.width);
  const rowAt = (y: number): number => {
    let low = 0;
    let past = rows;
    while (past - low > 1) {
      const middle = (low + past) >> 1;
      if ((tops[middle] ?? 0) <= y) low = middle;
      else past = middle;
    }
    return low;
  };
  return {
    width,
    height: tops[rows] ?? 0,
    scale,
    boxOf(page) {
      const row = Math.floor(page / columns);
      const box = {
        top: tops[row] ?? 0,
        width: Math.round(wide(page) * scale(page)),
        height: Math.round(high(page) * scale(page)),
      };
      if (!isTwoUp) return { ...box, left: Math.round((width - box.width) / 2) };
      const middle = Math.round(width / 2);
      return { ...box, left: page % 2 === 0 ? middle - gap / 2 - box.width : middle + gap / 2 };
    },
    pagesBetween(top, bottom) {
      if (count === 0) return { first: 0, last: -1 };
      const first = rowAt(top) * columns;
      return { first, last: Math.min(count - 1, (rowAt(bottom) + 1) * columns - 1) };
    },
  };
}

import type { HitBox } from "./hits.ts";

/** A rectangle in fractions of a page: `x1 < x2`, `y1 < y2`, all from 0 to 1. */
export type Box = HitBox;

/** A box on a page, which counts from 1. */
export interface PageBox {
  page: number;
  box: Box;
}

/** A point in fractions of a page. */
export interface Point {
  x: number;
  y: number;
}

/** The edges of a box that a handle moves: -1 the left or upper edge, 1 the right or lower one, 0 neither. */
export interface Handle {
  x: -1 | 0 | 1;
  y: -1 | 0 | 1;
}

export const handles: readonly Handle[] = [
  { x: -1, y: -1 },
  { x: 0, y: -1 },
  { x: 1, y: -1 },
  { x: 1, y: 0 },
  { x: 1, y: 1 },
  { x: 0, y: 1 },
  { x: -1, y: 1 },
  { x: -1, y: 0 },
];

/** The position of a box when the page is rotated clockwise, in fractions of the rotated page. */
export function turnedBox({ x1, x2, y1, y2 }: Box, quarterTurns: number): Box {
  if (quarterTurns === 1) return { x1: 1 - y2, x2: 1 - y1, y1: x1, y2: x2 };
  if (quarterTurns === 2) return { x1: 1 - x2, x2: 1 - x1, y1: 1 - y2, y2: 1 - y1 };
  if (quarterTurns === 3) return { x1: y1, x2: y2, y1: 1 - x2, y2: 1 - x1 };
  return { x1, x2, y1, y2 };
}

/** The position on the unrotated page of a box on the rotated one. */
export function turnedBackBox(box: Box, quarterTurns: number): Box {
  return turnedBox(box, (4 - quarterTurns) % 4);
}

/** The box between two opposite corners, cut off at the edges of the page. */
export function boxBetween(one: Point, other: Point): Box {
  const [x1, x2] = ordered(onPage(one.x), onPage(other.x));
  const [y1, y2] = ordered(onPage(one.y), onPage(other.y));
  return { x1, x2, y1, y2 };
}

/** The box moved by a distance, or as far as the page allows. */
export function movedBox({ x1, x2, y1, y2 }: Box, by: Point): Box {
  const x = Math.max(-x1, Math.min(1 - x2, by.x));
  const y = Math.max(-y1, Math.min(1 - y2, by.y));
  return { x1: onPage(x1 + x), x2: onPage(x2 + x), y1: onPage(y1 + y), y2: onPage(y2 + y) };
}

/** The box with the edges of a handle moved. No edge passes the opposite one: the box keeps a minimum size. */
export function resizedBox({ x1, x2, y1, y2 }: Box, handle: Handle, by: Point, min: Point): Box {
  return {
    x1: handle.x === -1 ? Math.max(0, Math.min(x1 + by.x, Math.max(0, x2 - min.x))) : x1,
    x2: handle.x === 1 ? Math.min(1, Math.max(x2 + by.x, Math.min(1, x1 + min.x))) : x2,
    y1: handle.y === -1 ? Math.max(0, Math.min(y1 + by.y, Math.max(0, y2 - min.y))) : y1,
    y2: handle.y === 1 ? Math.min(1, Math.max(y2 + by.y, Math.min(1, y1 + min.y))) : y2,
  };
}

/** The box of a size around a point, moved onto the page where it would extend beyond it. */
export function boxAround(middle: Point, size: Point): Box {
  const width = Math.min(1, size.x);
  const height = Math.min(1, size.y);
  const x1 = Math.max(0, Math.min(1 - width, middle.x - width / 2));
  const y1 = Math.max(0, Math.min(1 - height, middle.y - height / 2));
  return { x1, x2: onPage(x1 + width), y1, y2: onPage(y1 + height) };
}

function onPage(share: number): number {
  return Math.max(0, Math.min(1, share));
}

function ordered(one: number, other: number): readonly [number, number] {
  return one <= other ? [one, other] : [other, one];
}

import type { TrueTypeFont } from "./true-type.ts";

/*
 * Draws letters as shapes. A PDF that has them contains no text there: nothing extracts them, nothing searches them.
 */

/** A point of an outline; a point that is not on the curve bends it. */
interface Point {
  x: number;
  y: number;
  isOn: boolean;
}

type Contour = readonly Point[];

/** Positions within a font's unit square, mapped to points of the page. */
type Mapping = (x: number, y: number) => readonly [x: number, y: number];

/** In sizes of the font. */
export function widthOfText(font: TrueTypeFont, text: string): number {
  let width = 0;
  for (const character of text) width += font.widthOf(glyphIn(font, character));
  return width / font.unitsPerEm;
}

/** The operators that draw a line of text, filled with the present colour, from the left end of its base line. */
export function textPath(
  font: TrueTypeFont,
  text: string,
  { x, y, size }: { x: number; y: number; size: number },
): string {
  const scale = size / font.unitsPerEm;
  const operators: string[] = [];
  let left = x;
  for (const character of text) {
    const glyph = glyphIn(font, character);
    const map: Mapping = (at, up) => [left + at * scale, y + up * scale];
    for (const contour of contoursOf(font, glyph)) operators.push(contourPath(contour, map));
    left += font.widthOf(glyph) * scale;
  }
  return operators.length === 0 ? "" : `${operators.join(" ")} f`;
}

const glyphIn = (font: TrueTypeFont, character: string): number =>
  font.glyphOf(character.codePointAt(0) ?? 0x20);

/** A quadratic curve becomes a cubic one. Between two points beside the curve, there is one on it in the middle. */
function contourPath(contour: Contour, map: Mapping): string {
  const first = contour.findIndex(({ isOn }) => isOn);
  const points = first < 0 ? [midpoint(contour.at(-1), contour[0]), ...contour] : rotated(contour, first);
  const [start] = points;
  if (start === undefined) return "";
  const at = (x: number, y: number): string => map(x, y).map(short).join(" ");
  let operators = `${at(start.x, start.y)} m`;
  let from = start;
  for (let index = 1; index <= points.length; index++) {
    const point = points[index] ?? start;
    if (point.isOn) {
      operators += ` ${at(point.x, point.y)} l`;
      from = point;
      continue;
    }
    const next = points[index + 1] ?? start;
    const to = next.isOn ? next : midpoint(point, next);
    const one = at(towards(from.x, point.x), towards(from.y, point.y));
    const other = at(towards(to.x, point.x), towards(to.y, point.y));
    operators += ` ${one} ${other} ${at(to.x, to.y)} c`;
    from = to;
    if (next.isOn) index += 1;
  }
  return `${operators} h`;
}

/** The point after two thirds of the way. */
const towards = (one: number, other: number): number => one + (2 / 3) * (other - one);

const rotated = (contour: Contour, first: number): Contour => [
  ...contour.slice(first),
  ...contour.slice(0, first),
];

function midpoint(one: Point | undefined, other: Point | undefined): Point {
  const [x1 = 0, y1 = 0, x2 = 0, y2 = 0] = [one?.x, one?.y, other?.x, other?.y];
  return { x: (x1 + x2) / 2, y: (y1 + y2) / 2, isOn: true };
}

const short = (length: number): string => length.toFixed(3);

function contoursOf(font: TrueTypeFont, glyph: number): Contour[] {
  const outline = font.outline(glyph);
  if (outline.length < 10) return [];
  const count = outline.readInt16BE(0);
  return count < 0 ? partsOf(font, outline) : simpleContours(outline, count);
}

/** A glyph that is composed of others, such as a letter with its accent. */
function partsOf(font: TrueTypeFont, outline: Buffer): Contour[] {
  const contours: Contour[] = [];
  for (let at = 10; ;) {
    const flags = outline.readUInt16BE(at);
    const glyph = outline.readUInt16BE(at + 2);
    at += 4;
    const isWide = (flags & 1) !== 0;
    const [dx, dy] = isWide
      ? [outline.readInt16BE(at), outline.readInt16BE(at + 2)]
      : [outline.readInt8(at), outline.readInt8(at + 1)];
    at += isWide ? 4 : 2;
    const part = (index: number): number => outline.readInt16BE(at + 2 * index) / 16_384;
    let [a, b, c, d] = [1, 0, 0, 1];
    if ((flags & 0x08) !== 0) {
      a = d = part(0);
      at += 2;
    } else if ((flags & 0x40) !== 0) {
      [a, d] = [part(0), part(1)];
      at += 4;
    } else if ((flags & 0x80) !== 0) {
      [a, b, c, d] = [part(0), part(1), part(2), part(3)];
      at += 8;
    }
    const moved = ({ x, y, isOn }: Point): Point => ({ x: a * x + c * y + dx, y: b * x + d * y + dy, isOn });
    for (const contour of contoursOf(font, glyph)) contours.push(contour.map(moved));
    if ((flags & 0x20) === 0) return contours;
  }
}

function simpleContours(outline: Buffer, count: number): Contour[] {
  const ends = Array.from({ length: count }, (_, index) => outline.readUInt16BE(10 + 2 * index));
  const length = (ends.at(-1) ?? -1) + 1;
  let at = 10 + 2 * count;
  at += 2 + outline.readUInt16BE(at);
  const flags: number[] = [];
  while (flags.length < length) {
    const flag = outline.readUInt8(at++);
    const repeats = (flag & 8) === 0 ? 0 : outline.readUInt8(at++);
    for (let time = 0; time <= repeats; time++) flags.push(flag);
  }
  /** Each coordinate is the distance from the one before. */
  const coordinates = (isByte: number, isSame: number): number[] => {
    let value = 0;
    return flags.map((flag) => {
      if ((flag & isByte) !== 0)
        value += (flag & isSame) === 0 ? -outline.readUInt8(at++) : outline.readUInt8(at++);
      else if ((flag & isSame) === 0) {
        value += outline.readInt16BE(at);
        at += 2;
      }
      return value;
    });
  };
  const across = coordinates(2, 16);
  const up = coordinates(4, 32);
  const points = flags.map((flag, index): Point => {
    return { x: across[index] ?? 0, y: up[index] ?? 0, isOn: (flag & 1) !== 0 };
  });
  return ends.map((end, index) => points.slice(index === 0 ? 0 : (ends[index - 1] ?? 0) + 1, end + 1));
}

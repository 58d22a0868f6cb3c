import type { PaletteImage, Pixels } from "../pdfium/palette.ts";

/*
 * Most pages are drawn, not photographed: areas of one colour, and lines and letters with soft edges. Sixteen steps
 * from black to white are enough for these edges, and then such a page has few colours. Areas keep their exact colours.
 */

const maxColors = 256;
/** The channels of the colours of edges have this many values, with equal distances from 0 to 255. */
const stepCount = 16;
const stepSize = 255 / (stepCount - 1);
/** The smallest number of pixels side by side that make an area, if the row above has the same colour there. */
const minAreaWidth = 8;
/** Channels that differ by no more than this are part of a shading. */
const maxShadeStep = 8;
/**
 * The share of pixels that may be part of one. Text has up to 0.2 % of such pixels at sizes for reading, a photograph
 * 15 % and more. So a stamp may be shaded, or a small portrait.
 */
const maxShaded = 0.005;
/** The distance between the rows in which shadings are looked for. */
const sampleRows = 4;

/** Null for a page with shadings, such as a photograph or a scan, or with too many colours. */
export function toFewColors(pixels: Pixels): PaletteImage | null {
  const { buffer, byteOffset, byteLength } = pixels.bytes;
  const values = new Uint32Array(buffer, byteOffset, byteLength >> 2);
  return isShaded(values, pixels.width) ? null : fewColors(values, pixels.width);
}

/**
 * Whether many pixels differ slightly from those to the left and above. At edges they differ much, or are almost white
 * or black beside pixels that are. In areas they do not differ at all.
 */
export function isShaded(values: Uint32Array, width: number): boolean {
  let seen = 0;
  let shaded = 0;
  for (let row = width * sampleRows; row < values.length; row += width * sampleRows) {
    seen += width - 1;
    for (let at = row + 1; at < row + width; at++) {
      const value = values[at] ?? 0;
      const left = values[at - 1] ?? 0;
      const above = values[at - width] ?? 0;
      if (value === left && value === above) continue;
      if (isExtreme(value) || isExtreme(left) || isExtreme(above)) continue;
      if (isNear(value, left) && isNear(value, above)) shaded += 1;
    }
  }
  return shaded > seen * maxShaded;
}

function isExtreme(value: number): boolean {
  const color = value & 0xffffff;
  return color === 0 || color === 0xffffff;
}

function isNear(one: number, other: number): boolean {
  return (
    Math.abs((one & 0xff) - (other & 0xff)) <= maxShadeStep &&
    Math.abs(((one >> 8) & 0xff) - ((other >> 8) & 0xff)) <= maxShadeStep &&
    Math.abs(((one >> 16) & 0xff) - ((other >> 16) & 0xff)) <= maxShadeStep
  );
}

/** The nearest step of a channel, counting from 0. */
const stepOf = Uint8Array.from({ length: 256 }, (_, value) => Math.round(value / stepSize));

function fewColors(values: Uint32Array, width: number): PaletteImage | null {
  const indexes = new Uint8Array(values.length);
  /** For each colour of steps, its index counting from 1; 0 if it has none. */
  const indexOfSteps = new Uint16Array(stepCount ** 3);
  const further = new Map<number, number>();
  const colors: number[] = [];
  /** For each colour, whether it is the exact one of an area. */
  const isExact: boolean[] = [];
  for (let at = 0; at < values.length;) {
    const value = values[at] ?? 0;
    let end = at + 1;
    while (end < values.length && values[end] === value) end++;
    const red = stepOf[(value >> 16) & 0xff] ?? 0;
    const green = stepOf[(value >> 8) & 0xff] ?? 0;
    const blue = stepOf[value & 0xff] ?? 0;
    const steps = (red * stepCount + green) * stepCount + blue;
    let index = (indexOfSteps[steps] ?? 0) - 1;
    if (index < 0) {
      index = colors.push(((red << 16) | (green << 8) | blue) * stepSize) - 1;
      indexOfSteps[steps] = index + 1;
    }
    if (end - at >= minAreaWidth && values[at - width] === value && values[end - 1 - width] === value) {
      const color = value & 0xffffff;
      // The first area of these steps gives them its colour. Another one has its own.
      if (isExact[index] === true && colors[index] !== color) {
        index = further.get(color) ?? colors.length;
        further.set(color, index);
      }
      colors[index] = color;
      isExact[index] = true;
    }
    if (colors.length > maxColors) return null;
    if (index > 0) for (let pixel = at; pixel < end; pixel++) indexes[pixel] = index;
    at = end;
  }
  return {
    colors: colors.flatMap((color) => [color >> 16, (color >> 8) & 0xff, color & 0xff]),
    indexes,
  };
}

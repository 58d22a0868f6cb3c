/*
 * The white strip that a stamped page has more at its lower edge, so that nothing is ever written over the page: the
 * number of the page at the right, and what all pages say at the left.
 */

/** In points. */
export const strip = { height: 26, margin: 18, size: 10 };

/** What a strip says. */
export interface StripWords {
  left: string;
  right: string;
}

/** A text in a strip, in points from the page's left edge and from the strip's lower edge. */
export interface StripText {
  text: string;
  x: number;
  y: number;
  size: number;
}

/**
 * Where the words stand. If they would meet on a narrow page, all of them are smaller.
 *
 * @param widthOf the width of a text, in sizes of the font
 */
export function stripTexts(
  { left, right }: StripWords,
  pageWidth: number,
  widthOf: (text: string) => number,
): StripText[] {
  const margin = Math.min(strip.margin, pageWidth / 20);
  const between = left === "" ? 0 : 1;
  const needed = widthOf(left) + widthOf(right) + between;
  const size = Math.min(strip.size, (pageWidth - 2 * margin) / Math.max(needed, 0.01));
  const y = (strip.height - 0.73 * size) / 2;
  const texts = [
    { text: left, x: margin, y, size },
    { text: right, x: pageWidth - margin - widthOf(right) * size, y, size },
  ];
  return texts.filter(({ text }) => text !== "");
}

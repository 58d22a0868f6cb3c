import type { PdfFont } from "../fonts/pdf-font.ts";
import { visualOrder } from "../fonts/visual-order.ts";
import { type PageFrame, type PageWord, turnsOfWord } from "../pdfium/page-words.ts";
import { type PlacedWord, linesOf } from "./placed-words.ts";

/** A rectangle in points on the page as it is shown, y upwards from its lower edge. */
interface Box {
  left: number;
  bottom: number;
  right: number;
  top: number;
}

/** The baseline's position within the height of a line, as in {@link PdfFont}'s fonts. */
const descent = 0.2;
/** A line whose boxes are together this many times as high as its highest word is not straight. */
const maxHeights = 1.6;

/**
 * The operators that write words onto a page so that they can be found and copied, but not seen. Each word fills its
 * box. The words of a line have the same size and baseline, by which programs recognise a line.
 *
 * @param fontName its name in the page's resources
 */
export function invisibleWords(
  words: readonly PlacedWord[],
  frame: PageFrame,
  font: Pick<PdfFont, "codeOf" | "widthOf">,
  fontName: string,
): string {
  const size = shownSize(frame);
  const operators = linesOf(words).flatMap((line) => operatorsOfLine(line, size, font, fontName));
  return `q ${matrixOf(frame).map(written).join(" ")} cm BT 3 Tr\n${operators.join("\n")}\nET Q\n`;
}

/** The page as it is shown, in points. */
export function shownSize({ left, top, right, bottom, quarterTurns }: PageFrame): {
  width: number;
  height: number;
} {
  const [width, height] = [right - left, top - bottom];
  return (quarterTurns & 1) === 0 ? { width, height } : { width: height, height: width };
}

/** Leads from the page as it is shown to the page's own coordinates. */
export function matrixOf({ left, top, right, bottom, quarterTurns }: PageFrame): number[] {
  switch (quarterTurns & 3) {
    case 1:
      return [0, 1, -1, 0, right, bottom];
    case 2:
      return [-1, 0, 0, -1, right, top];
    case 3:
      return [0, -1, 1, 0, left, top];
    default:
      return [1, 0, 0, 1, left, bottom];
  }
}

function operatorsOfLine(
  line: readonly PlacedWord[],
  page: { width: number; height: number },
  font: Pick<PdfFont, "codeOf" | "widthOf">,
  fontName: string,
): string[] {
  const turns = line.map(({ word }) => turnsOfWord(word));
  const boxes = line.map(({ word }, index) => turned(boxOf(word, page), turns[index] ?? 0));
  const height = Math.max(...boxes.map(({ bottom, top }) => top - bottom));
  const bottom = Math.min(...boxes.map((box) => box.bottom));
  const isStraight = Math.max(...boxes.map(({ top }) => top)) - bottom <= height * maxHeights;
  return line.flatMap(({ word }, index) => {
    const box = boxes[index]!;
    const own = {
      box,
      turns: turns[index] ?? 0,
      baseline: (isStraight ? bottom : box.bottom) + height * descent,
    };
    const next = turns[index + 1] === own.turns ? boxes[index + 1] : undefined;
    const isGlued = line[index + 1]?.after === "nothing";
    const shown = [piece(visualOrder(word.text), isGlued && next ? joined(box, next) : box)];
    const gap = next === undefined || isGlued ? null : gapBetween(box, next);
    if (gap !== null) shown.push(piece(" ", gap));
    return shown.filter((operators) => operators !== "");

    function piece(text: string, { left, right }: Box): string {
      const characters = Array.from(text, (character) => character.codePointAt(0) ?? 0);
      const width = characters.reduce((sum, character) => sum + font.widthOf(character), 0) / 1000;
      if (width === 0 || height <= 0 || right <= left) return "";
      const scale = ((right - left) / (width * height)) * 100;
      const at = turnedBack(left, own.baseline, own.turns).map(written).join(" ");
      const codes = characters.map((character) => font.codeOf(character)).join("");
      return `/${fontName} ${written(height)} Tf ${written(scale)} Tz ${at} Tm <${codes}> Tj`;
    }
  });
}

function boxOf({ x1, x2, y1, y2 }: PageWord, { width, height }: { width: number; height: number }): Box {
  return { left: x1 * width, right: x2 * width, bottom: (1 - y2) * height, top: (1 - y1) * height };
}

/** The box after the page has been turned against the letters' rotation, about its lower left corner. */
function turned({ left, bottom, right, top }: Box, quarterTurns: number): Box {
  switch (quarterTurns & 3) {
    case 1:
      return { left: -top, right: -bottom, bottom: left, top: right };
    case 2:
      return { left: -right, right: -left, bottom: -top, top: -bottom };
    case 3:
      return { left: bottom, right: top, bottom: -right, top: -left };
    default:
      return { left, bottom, right, top };
  }
}

/** The text matrix for a point of a box that was {@link turned}. */
function turnedBack(x: number, y: number, quarterTurns: number): number[] {
  switch (quarterTurns & 3) {
    case 1:
      return [0, -1, 1, 0, y, -x];
    case 2:
      return [-1, 0, 0, -1, -x, -y];
    case 3:
      return [0, 1, -1, 0, -y, x];
    default:
      return [1, 0, 0, 1, x, y];
  }
}

/** Reaches up to the next word, which no blank divides from this one. */
function joined(box: Box, next: Box): Box {
  if (next.left > box.right) return { ...box, right: next.left };
  return next.right < box.left ? { ...box, left: next.right } : box;
}

/** The space between two words, to whichever side the next one is. */
function gapBetween(box: Box, next: Box): Box | null {
  if (next.left > box.right) return { ...box, left: box.right, right: next.left };
  return next.right < box.left ? { ...box, left: next.right, right: box.left } : null;
}

const written = (value: number): string => String(Number(value.toFixed(3)));

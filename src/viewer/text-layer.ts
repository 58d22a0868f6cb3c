import { type Line, type PageWord, isJoined, linesOf } from "./model/words.ts";

/*
 * The words of a page as invisible text over its image, in reading order. Readers can select and copy it, the browser's
 * own search finds it, and screen readers read it. A line is one element with its words inline, so that the browser
 * finds phrases. Letter spacing stretches each word to its width. All lengths are relative to the page (`cqh` is a
 * hundredth of its height), so a change of zoom changes nothing here.
 */

/** The font in which widths are measured: the one that the stylesheet sets for `.text-layer`. */
const fontFamily = 'Arial, "Liberation Sans", sans-serif';

/** The font size as a fraction of the line's height, approximately. */
const fontShare = 0.86;

let measuring: CanvasRenderingContext2D | null | undefined;

/** The width of a text in ems, without letter spacing. */
function naturalWidth(text: string): number {
  measuring ??= document.createElement("canvas").getContext("2d");
  if (!measuring) return text.length / 2;
  measuring.font = `100px ${fontFamily}`;
  return measuring.measureText(text).width / 100;
}

/** The lines of a page. `shape` is the width of the page divided by its height. */
export function textLayer(words: readonly PageWord[], shape: number): DocumentFragment {
  const layer = document.createDocumentFragment();
  for (const line of linesOf(words)) {
    layer.append(elementOf(line, shape), document.createElement("br"));
  }
  return layer;
}

function elementOf(line: Line, shape: number): HTMLElement {
  const element = document.createElement("span");
  const fontHeight = Math.max(0.001, (line.y2 - line.y1) * fontShare);
  const style = element.style;
  style.top = `${line.y1 * 100}%`;
  if (line.isToLeft) {
    element.dir = "rtl";
    style.right = `${(1 - line.x2) * 100}%`;
  } else style.left = `${line.x1 * 100}%`;
  style.fontSize = `${fontHeight * 100}cqh`;
  line.words.forEach((word, index) => {
    const next = line.words[index + 1];
    const text = next === undefined || isJoined(word, next) ? word.text : `${word.text} `;
    // The distance from the start of this word to the start of the next.
    const extent =
      next === undefined ? word.x2 - word.x1 : line.isToLeft ? word.x2 - next.x2 : next.x1 - word.x1;
    const ems = (extent * shape) / fontHeight;
    const part = document.createElement("span");
    part.textContent = text;
    part.style.letterSpacing = `${((ems - naturalWidth(text)) / Array.from(text).length).toFixed(4)}em`;
    element.append(part);
  });
  return element;
}

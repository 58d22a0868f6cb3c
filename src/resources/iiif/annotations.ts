import { html, markupFrom } from "../../http/text/html.ts";
import type { Addresses } from "../../http/text/addresses.ts";
import type { PageWord } from "../../processing/pdfium/page-words.ts";
import type { NoteRow } from "../notes/store.ts";
import { canvasId } from "./canvas.ts";

/** A rectangle, in fractions of the page. */
export interface Area {
  x1: number;
  x2: number;
  y1: number;
  y2: number;
}

/** A line of words on the page as it is displayed. */
export interface TextLine extends Area {
  text: string;
}

/** A page of a document, counting from 0, with the size of its canvas in pixels. */
export interface AnnotatedPage {
  addresses: Addresses;
  document: number;
  page: number;
  canvas: { width: number; height: number };
}

/**
 * Joins words to lines. A word belongs to the preceding line if it runs the same way, is at mostly the same height, and
 * is no further than {@link maxGap} to the left or right of it.
 */
export function linesOf(words: readonly PageWord[]): TextLine[] {
  const lines: TextLine[] = [];
  let isLineUpright = true;
  for (const { text, upright, x1, x2, y1, y2 } of words) {
    const line = lines.at(-1);
    if (line === undefined || upright !== isLineUpright || !isInLine(line, { x1, x2, y1, y2 }, upright)) {
      lines.push({ text, x1, x2, y1, y2 });
      isLineUpright = upright;
      continue;
    }
    line.text += ` ${text}`;
    line.x1 = Math.min(line.x1, x1);
    line.x2 = Math.max(line.x2, x2);
    line.y1 = Math.min(line.y1, y1);
    line.y2 = Math.max(line.y2, y2);
  }
  return lines;
}

/** The maximum distance between a word and its line, as a multiple of the line's height. */
const maxGap = 3;

function isInLine(line: Area, word: Area, isUpright: boolean): boolean {
  if (!isUpright) return isInLine(turned(line), turned(word), true);
  const shared = Math.min(line.y2, word.y2) - Math.max(line.y1, word.y1);
  const height = Math.min(line.y2 - line.y1, word.y2 - word.y1);
  const gap = Math.max(word.x1 - line.x2, line.x1 - word.x2);
  return shared > height / 2 && gap < maxGap * (line.y2 - line.y1);
}

const turned = ({ x1, x2, y1, y2 }: Area): Area => ({ x1: y1, x2: y2, y1: x1, y2: x2 });

/** The lines of a page as an annotation page. */
export function textAnnotations(at: AnnotatedPage, lines: readonly TextLine[]): object {
  const id = annotationPage(at, "text");
  const items = lines.map(({ text, ...area }, index) => ({
    id: `${id}#${index + 1}`,
    type: "Annotation",
    motivation: "supplementing",
    body: { type: "TextualBody", value: text, format: "text/plain" },
    target: targetOf(at, area),
  }));
  return pageOf(id, items);
}

/** Notes as an annotation page. A note without coordinates is about the whole page. */
export function noteAnnotations(at: AnnotatedPage, notes: readonly NoteRow[]): object {
  const id = annotationPage(at, "notes");
  const items = notes.map(({ id: note, title, content_html, x1, x2, y1, y2 }) => ({
    id: `${id}#${note}`,
    type: "Annotation",
    motivation: "commenting",
    body: {
      type: "TextualBody",
      value: [html`<p><b>${title}</b></p>`, markupFrom(content_html)].join(""),
      format: "text/html",
    },
    target:
      x1 === null || x2 === null || y1 === null || y2 === null
        ? canvasId(at.addresses, at.document, at.page)
        : targetOf(at, { x1, x2, y1, y2 }),
  }));
  return pageOf(id, items);
}

const annotationPage = ({ addresses, document, page }: AnnotatedPage, kind: "text" | "notes"): string =>
  `${addresses.api}/iiif/${document}/${kind}/${page + 1}.json`;

const pageOf = (id: string, items: readonly object[]): object => ({
  "@context": "http://iiif.io/api/presentation/3/context.json",
  id,
  type: "AnnotationPage",
  items,
});

/** The part of the canvas that an area covers, in whole pixels and not empty. */
export function targetOf(
  { addresses, document, page, canvas }: AnnotatedPage,
  { x1, x2, y1, y2 }: Area,
): string {
  const { width, height } = canvas;
  const left = clamp(Math.floor(x1 * width), width - 1);
  const top = clamp(Math.floor(y1 * height), height - 1);
  const across = Math.max(1, clamp(Math.ceil(x2 * width), width) - left);
  const down = Math.max(1, clamp(Math.ceil(y2 * height), height) - top);
  return `${canvasId(addresses, document, page)}#xywh=${left},${top},${across},${down}`;
}

const clamp = (value: number, highest: number): number => Math.max(0, Math.min(highest, value));

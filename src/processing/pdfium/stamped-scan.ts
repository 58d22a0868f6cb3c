import type { PdfiumExports } from "./pdfium-exports.ts";
import type { PageFrame } from "./page-words.ts";

/*
 * Courts print the number of the case on each page of a scan, archives and lawyers print Bates numbers, and offices
 * print the reasons of redactions. The text layer of such a page is these few words, and says nothing of the picture.
 */

/** From fpdf_edit.h: the types of objects. */
const [textType, imageType, formType] = [1, 3, 5];
/** From fpdf_edit.h: the render modes of text that is invisible or only a clipping path. */
const unpaintedModes = new Set([3, 7]);
/** Images cover at least this share of a scanned page. */
const minCovered = 0.75;
const maxObjects = 2_000;
const maxDepth = 16;

/** More visible characters than this are a text of their own. */
const maxStampLength = 500;

/** Whether a page's text is short enough for a stamp. */
export function mayBeStamp(text: string): boolean {
  return text.length <= 2 * maxStampLength && text.replaceAll(/\s/g, "").length <= maxStampLength;
}

/**
 * Whether the page is a picture, and all of its text was printed on that: none is invisible or painted over, as
 * programs that recognise text write it.
 */
export function isStampedScan(
  pdfium: PdfiumExports,
  page: number,
  frame: PageFrame,
  rectangle: number,
): boolean {
  const size = (frame.right - frame.left) * (frame.top - frame.bottom);
  const count = pdfium.FPDFPage_CountObjects(page);
  if (count > maxObjects) return false;
  let covered = 0;
  for (let index = 0; index < count; index++) {
    const object = pdfium.FPDFPage_GetObject(page, index);
    const { hasText, hasHiddenText, hasImage } = partsOf(pdfium, object, 0);
    if (hasHiddenText || (hasText && covered < minCovered * size)) return false;
    if (hasImage) covered += areaWithin(pdfium, object, frame, rectangle);
  }
  return covered >= minCovered * size;
}

interface Parts {
  hasText: boolean;
  hasHiddenText: boolean;
  hasImage: boolean;
}

/** The kinds of objects in an object of the page, which may be a form with others in it. */
function partsOf(pdfium: PdfiumExports, object: number, depth: number): Parts {
  const type = pdfium.FPDFPageObj_GetType(object);
  const hasText = type === textType;
  const parts = {
    hasText,
    hasHiddenText: hasText && unpaintedModes.has(pdfium.FPDFTextObj_GetTextRenderMode(object)),
    hasImage: type === imageType,
  };
  if (type !== formType || depth > maxDepth) return parts;
  const count = Math.min(maxObjects, pdfium.FPDFFormObj_CountObjects(object));
  for (let index = 0; index < count; index++) {
    const inner = partsOf(pdfium, pdfium.FPDFFormObj_GetObject(object, index), depth + 1);
    parts.hasText ||= inner.hasText;
    parts.hasHiddenText ||= inner.hasHiddenText;
    parts.hasImage ||= inner.hasImage;
  }
  return parts;
}

function areaWithin(pdfium: PdfiumExports, object: number, frame: PageFrame, rectangle: number): number {
  const at = [0, 4, 8, 12].map((offset) => rectangle + offset) as [number, number, number, number];
  if (pdfium.FPDFPageObj_GetBounds(object, ...at) === 0) return 0;
  const [left = 0, bottom = 0, right = 0, top = 0] = new Float32Array(pdfium.memory.buffer, rectangle, 4);
  const width = Math.min(right, frame.right) - Math.max(left, frame.left);
  const height = Math.min(top, frame.top) - Math.max(bottom, frame.bottom);
  return Math.max(0, width) * Math.max(0, height);
}

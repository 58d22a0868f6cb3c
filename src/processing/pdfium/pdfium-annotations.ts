import type { PdfiumExports } from "./pdfium-exports.ts";
import type { UndrawnText } from "./undrawn-text.ts";

/** From fpdf_annot.h, fpdf_flatten.h and fpdfview.h. */
const link = 2;
const freeText = 3;
const popup = 16;
const fileAttachment = 17;
const widget = 20;
const invisibleFlag = 1;
const hiddenFlag = 2;
const noViewFlag = 32;
const forDisplay = 0;
const textObject = 1;
const pathObject = 2;
const formObject = 5;

/** The nesting of forms within forms. */
const maxDepth = 16;

export interface AnnotationKinds {
  /** Any annotation that draws something and is not a link. */
  hasDrawn: boolean;
  hasFields: boolean;
  /** A file that is pinned to the page. */
  hasFiles: boolean;
  /** Texts of which nothing is drawn. */
  undrawn: UndrawnText[];
}

/**
 * Whether the layer of the annotation with this index is switched off. It is called only for annotations on a layer.
 */
export type IsLayerOff = (index: number) => boolean;

/**
 * Prepares the annotations of a page to be drawn as a screen shows them, and returns their kinds. Those for print only,
 * on a layer that is switched off, or of no size get the flag "hidden", the only one that all functions of pdfium
 * respect. Text that was written on the page without saying how it looks (FreeText) is drawn, as other viewers do, if
 * pdfium's own fonts have its letters.
 */
export function prepareAnnotations(
  pdfium: PdfiumExports,
  page: number,
  isLayerOff: IsLayerOff,
): AnnotationKinds {
  const count = pdfium.FPDFPage_GetAnnotCount(page);
  const kinds: AnnotationKinds = { hasDrawn: false, hasFields: false, hasFiles: false, undrawn: [] };
  if (count <= 0) return kinds;
  const rectangle = pdfium.malloc(16);
  const layerKey = keyIn(pdfium, "OC");
  const appearanceKey = keyIn(pdfium, "AP");
  const contentsKey = keyIn(pdfium, "Contents");
  for (let index = 0; index < count; index++) {
    const annotation = pdfium.FPDFPage_GetAnnot(page, index);
    if (annotation === 0) continue;
    const subtype = pdfium.FPDFAnnot_GetSubtype(annotation);
    const flags = pdfium.FPDFAnnot_GetFlags(annotation);
    const isSeen =
      (flags & (hiddenFlag | noViewFlag)) === 0 &&
      // The flag means nothing for standard annotation types, but pdfium hides fields that have it.
      !(subtype === widget && (flags & invisibleFlag) !== 0) &&
      hasSize(pdfium, annotation, rectangle) &&
      !(pdfium.FPDFAnnot_HasKey(annotation, layerKey) !== 0 && isLayerOff(index));
    const marked = isSeen ? flags & ~invisibleFlag : flags | hiddenFlag;
    if (marked !== flags) pdfium.FPDFAnnot_SetFlags(annotation, marked);
    const has = (key: number): boolean => pdfium.FPDFAnnot_HasKey(annotation, key) !== 0;
    if (isSeen && subtype === freeText && has(contentsKey) && !has(appearanceKey)) {
      const text = stringOf(pdfium, annotation, contentsKey);
      if (isWestern(text)) pdfium.EPDFAnnot_GenerateAppearance(annotation);
      else kinds.undrawn.push({ text, box: boxOf(pdfium, annotation, rectangle) ?? [0, 0, 0, 0] });
    }
    pdfium.FPDFPage_CloseAnnot(annotation);
    if (subtype === fileAttachment) kinds.hasFiles = true;
    if (!isSeen || subtype === popup) continue;
    if (subtype === widget) kinds.hasFields = true;
    if (subtype !== link) kinds.hasDrawn = true;
  }
  for (const pointer of [rectangle, layerKey, appearanceKey, contentsKey]) pdfium.free(pointer);
  return kinds;
}

/** A pointer to the name of a member, which ends in a zero. */
function keyIn(pdfium: PdfiumExports, name: string): number {
  const bytes = Buffer.from(`${name}\0`);
  const pointer = pdfium.malloc(bytes.length);
  new Uint8Array(pdfium.memory.buffer, pointer >>> 0, bytes.length).set(bytes);
  return pointer;
}

/** The letters of pdfium's own fonts. */
const western = new Set(
  new TextDecoder("windows-1252").decode(Uint8Array.from({ length: 256 }, (_, byte) => byte)),
);

const isWestern = (text: string): boolean => Array.from(text).every((letter) => western.has(letter));

/** Longer texts are left out. */
const maxStringBytes = 64 * 1024;

/** The text of a member of an annotation. */
function stringOf(pdfium: PdfiumExports, annotation: number, key: number): string {
  const buffer = pdfium.malloc(maxStringBytes);
  const length = pdfium.FPDFAnnot_GetStringValue(annotation, key, buffer, maxStringBytes);
  const bytes = length > maxStringBytes ? 0 : Math.max(0, length - 2);
  const text = Buffer.from(pdfium.memory.buffer, buffer >>> 0, bytes).toString("utf16le");
  pdfium.free(buffer);
  return text;
}

/** Left, top, right, bottom; null if the annotation has no rectangle. */
function boxOf(pdfium: PdfiumExports, annotation: number, rectangle: number): UndrawnText["box"] | null {
  if (pdfium.FPDFAnnot_GetRect(annotation, rectangle) === 0) return null;
  const [left = 0, top = 0, right = 0, bottom = 0] = new Float32Array(
    pdfium.memory.buffer,
    rectangle >>> 0,
    4,
  );
  return [left, top, right, bottom];
}

function hasSize(pdfium: PdfiumExports, annotation: number, rectangle: number): boolean {
  const box = boxOf(pdfium, annotation, rectangle);
  return box === null || (box[0] !== box[2] && box[1] !== box[3]);
}

/** Makes the annotations of a page, including filled-in fields, part of its content. Load the page again to read it. */
export function flattenAnnotations(pdfium: PdfiumExports, page: number, forms: number): void {
  if (forms !== 0) pdfium.FORM_OnAfterLoadPage(page, forms);
  pdfium.FPDFPage_Flatten(page, forDisplay);
  if (forms !== 0) pdfium.FORM_OnBeforeClosePage(page, forms);
}

/** The text objects of a flattened page that come from its annotations, each with the number of its annotation. */
export function textOfAnnotations(
  pdfium: PdfiumExports,
  page: number,
  ownObjects: number,
): Map<number, number> {
  const found = new Map<number, number>();
  const gather = (object: number, annotation: number, depth: number): void => {
    const type = pdfium.FPDFPageObj_GetType(object);
    if (type === textObject) found.set(object, annotation);
    if (type !== formObject || depth > maxDepth) return;
    const parts = pdfium.FPDFFormObj_CountObjects(object);
    for (let index = 0; index < parts; index++) {
      gather(pdfium.FPDFFormObj_GetObject(object, index), annotation, depth + 1);
    }
  };
  // Flattening adds one form after all other objects, which contains a form for each annotation.
  let annotation = 0;
  for (let object = ownObjects; object < pdfium.FPDFPage_CountObjects(page); object++) {
    const flattened = pdfium.FPDFPage_GetObject(page, object);
    if (pdfium.FPDFPageObj_GetType(flattened) !== formObject) continue;
    const parts = pdfium.FPDFFormObj_CountObjects(flattened);
    for (let index = 0; index < parts; index++) {
      gather(pdfium.FPDFFormObj_GetObject(flattened, index), annotation++, 0);
    }
  }
  return found;
}

/** A word of outlined letters has more segments than this, and the frames of a form fewer. */
const maxSegmentsOfFrames = 64;

/**
 * Whether the first objects of a page, its own, may show letters that are no text: an image, a drawing, or shapes of
 * more than some frames and lines.
 */
export function mayShowLetters(pdfium: PdfiumExports, page: number, ownObjects: number): boolean {
  let segments = 0;
  for (let object = 0; object < ownObjects; object++) {
    const own = pdfium.FPDFPage_GetObject(page, object);
    const type = pdfium.FPDFPageObj_GetType(own);
    if (type === pathObject) segments += Math.max(0, pdfium.FPDFPath_CountSegments(own));
    else if (type !== textObject) return true;
    if (segments > maxSegmentsOfFrames) return true;
  }
  return false;
}

import { appendFileSync } from "node:fs";
import { hiddenLayers } from "./layer-states.ts";
import { PdfObjects } from "./pdf-objects.ts";
import { type PdfDictionary, writtenMembers } from "./pdf-values.ts";

/*
 * Layers (optional content groups). The catalog of a file states which of them are switched off, but it is not copied
 * when pages are imported into another file. So each layer that is off is marked before, and the new catalog is made
 * from the marks afterwards. pdfium drops neither the layers nor the marks.
 */

/** A member that no other program uses. */
const hiddenMark = "QuireHidden";

/** Whether pages of a file that pdfium wrote have layers at all. */
export function hasLayers(path: string): boolean {
  const objects = new PdfObjects(path);
  try {
    for (const number of objects.numbers) {
      if (isLayer(objects.dictionary({ object: number }))) return true;
    }
    return false;
  } finally {
    objects.close();
  }
}

/** In a file that pdfium wrote, marks the layers that are switched off. */
export function markHiddenLayers(path: string): void {
  const objects = new PdfObjects(path);
  try {
    const marked = hiddenLayers(objects).flatMap((number) => {
      const layer = objects.dictionary({ object: number });
      return layer === null ? [] : [[number, new Map(layer).set(hiddenMark, "true")] as const];
    });
    if (marked.length > 0) appendObjects(path, objects, marked);
  } finally {
    objects.close();
  }
}

export function isLayer(members: PdfDictionary | null): boolean {
  return members?.get("Type") === "/OCG";
}

export function isMarkedHidden(layer: PdfDictionary): boolean {
  return layer.get(hiddenMark) === "true";
}

/**
 * The members of a layer that are kept. Its name is dropped because it may be confidential. Its print and export states
 * are dropped so that it is never shown where it was hidden.
 */
export const bareLayer = "<< /Type /OCG /Name (Layer) >>";

/** The member of the catalog for these layers, by their numbers. */
export function layerProperties(all: readonly number[], hidden: readonly number[]): string {
  if (all.length === 0) return "";
  return `/OCProperties << /OCGs [${list(all)}] /D << /BaseState /ON /OFF [${list(hidden)}] >> >>`;
}

const list = (numbers: readonly number[]): string => numbers.map((number) => `${number} 0 R`).join(" ");

/** Appends new versions of these objects as an incremental update. */
function appendObjects(
  path: string,
  objects: PdfObjects,
  replaced: readonly (readonly [number: number, members: PdfDictionary])[],
): void {
  let text = "\n";
  let table = "xref\n";
  for (const [number, members] of replaced) {
    const offset = objects.size + text.length;
    table += `${number} 1\n${String(offset).padStart(10, "0")} 00000 n \n`;
    text += `${number} 0 obj\n<< ${writtenMembers(members)} >>\nendobj\n`;
  }
  const start = objects.size + text.length;
  const trailer = new Map(objects.trailer).set("Prev", String(objects.tableOffset));
  text += `${table}trailer\n<< ${writtenMembers(trailer)} >>\nstartxref\n${start}\n%%EOF\n`;
  appendFileSync(path, Buffer.from(text, "latin1"));
}

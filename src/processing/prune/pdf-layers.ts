import { appendFileSync } from "node:fs";
import { PdfObjects } from "./pdf-objects.ts";
import { type PdfDictionary, type PdfValue, writtenMembers } from "./pdf-values.ts";

/*
 * Layers (optional content groups). The catalog of a file states which of them are switched off, but it is not copied when
 * pages are imported into another file. So each layer that is off is marked before, and the new catalog is made from the
 * marks afterwards. pdfium drops neither the layers nor the marks.
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
 * The members of a layer that are kept. Its name is dropped because it may be confidential. Its print and export states are
 * dropped so that it is never shown where it was hidden.
 */
export const bareLayer = "<< /Type /OCG /Name (Layer) >>";

/** The member of the catalog for these layers, by their numbers. */
export function layerProperties(all: readonly number[], hidden: readonly number[]): string {
  if (all.length === 0) return "";
  return `/OCProperties << /OCGs [${list(all)}] /D << /BaseState /ON /OFF [${list(hidden)}] >> >>`;
}

const list = (numbers: readonly number[]): string => numbers.map((number) => `${number} 0 R`).join(" ");

/** The states of the layers when the file is opened on a screen. If programs differ, a layer that one of them hides is hidden. */
function hiddenLayers(objects: PdfObjects): number[] {
  const catalog = objects.dictionary(objects.trailer.get("Root"));
  const properties = objects.dictionary(catalog?.get("OCProperties"));
  const setting = objects.dictionary(properties?.get("D"));
  if (properties === null) return [];
  const on = new Set(referencesIn(objects, setting?.get("ON")));
  const off = new Set(referencesIn(objects, setting?.get("OFF")));
  const automatic = new Set(automaticLayers(objects, setting));
  const isOffAtFirst = objects.resolve(setting?.get("BaseState")) === "/OFF";
  const isHidden = (number: number): boolean => {
    const layer = objects.dictionary({ object: number });
    if (!isForViewing(objects, layer?.get("Intent"))) return false;
    const view = objects.dictionary(objects.dictionary(layer?.get("Usage"))?.get("View"));
    const usage = objects.resolve(view?.get("ViewState"));
    if (usage !== undefined && automatic.has(number)) return usage === "/OFF";
    return off.has(number) || (isOffAtFirst && !on.has(number)) || usage === "/OFF";
  };
  const all = new Set([...referencesIn(objects, properties.get("OCGs")), ...off]);
  return [...all].filter(isHidden);
}

function isForViewing(objects: PdfObjects, value: PdfValue | undefined): boolean {
  const intent = objects.resolve(value) ?? "/View";
  const intents = Array.isArray(intent) ? intent.map((one) => objects.resolve(one)) : [intent];
  return intents.some((one) => one === "/View" || one === "/All");
}

/** The layers whose usage dictionary decides their state whenever the file is shown. */
function automaticLayers(objects: PdfObjects, setting: PdfDictionary | null): number[] {
  const rules = objects.resolve(setting?.get("AS"));
  if (!Array.isArray(rules)) return [];
  return rules.flatMap((rule) => {
    const members = objects.dictionary(rule);
    const isForView = objects.resolve(members?.get("Event")) === "/View";
    return isForView ? referencesIn(objects, members?.get("OCGs")) : [];
  });
}

function referencesIn(objects: PdfObjects, value: PdfValue | undefined): number[] {
  const found = objects.resolve(value);
  if (!Array.isArray(found)) return [];
  return found.flatMap((one) => (typeof one !== "string" && "object" in one ? [one.object] : []));
}

/** Appends new versions of these objects as an incremental update. */
function appendObjects(
  path: string,
  objects: PdfObjects,
  replaced: readonly (readonly [number: number, members: PdfDictionary])[],
): void {
  let text = "\n";
  let table = "xref\n";
  for (const [number, members] of replaced) {
    const place = objects.size + text.length;
    table += `${number} 1\n${String(place).padStart(10, "0")} 00000 n \n`;
    text += `${number} 0 obj\n<< ${writtenMembers(members)} >>\nendobj\n`;
  }
  const start = objects.size + text.length;
  const trailer = new Map(objects.trailer).set("Prev", String(objects.tablePlace));
  text += `${table}trailer\n<< ${writtenMembers(trailer)} >>\nstartxref\n${start}\n%%EOF\n`;
  appendFileSync(path, Buffer.from(text, "latin1"));
}

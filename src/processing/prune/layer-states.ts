import type { PdfObjects } from "./pdf-objects.ts";
import type { PdfDictionary, PdfValue } from "./pdf-values.ts";

/** For each page, the indexes of the annotations on layers that are switched off when the file is opened. */
export function annotationsOnHiddenLayers(objects: PdfObjects): Set<number>[] {
  const catalog = objects.dictionary(objects.trailer.get("Root"));
  const isOffByNumber = layerIsOff(objects);
  const isOff = (layer: PdfValue): boolean =>
    typeof layer !== "string" && "object" in layer && isOffByNumber(layer.object);
  return [...pagesIn(objects, catalog?.get("Pages"))].map((page) => {
    const annotations = objects.resolve(page.get("Annots"));
    const hidden = new Set<number>();
    for (const [index, annotation] of (Array.isArray(annotations) ? annotations : []).entries()) {
      if (isHidden(objects, objects.dictionary(annotation)?.get("OC"), isOff)) hidden.add(index);
    }
    return hidden;
  });
}

type IsOff = (layer: PdfValue) => boolean;

/** The numbers of the layers that the file lists and that are switched off when it is opened on a screen. */
export function hiddenLayers(objects: PdfObjects): number[] {
  const properties = layerProperties(objects);
  const setting = objects.dictionary(properties?.get("D"));
  const listed = [properties?.get("OCGs"), setting?.get("OFF")].flatMap((list) =>
    referencesIn(objects, list),
  );
  return [...new Set(listed)].filter(layerIsOff(objects));
}

function layerProperties(objects: PdfObjects): PdfDictionary | null {
  const catalog = objects.dictionary(objects.trailer.get("Root"));
  return objects.dictionary(catalog?.get("OCProperties"));
}

/**
 * Whether a layer is switched off when the file is opened on a screen. If programs differ, a layer that one of them
 * hides is hidden.
 */
function layerIsOff(objects: PdfObjects): (number: number) => boolean {
  const setting = objects.dictionary(layerProperties(objects)?.get("D"));
  const on = new Set(referencesIn(objects, setting?.get("ON")));
  const off = new Set(referencesIn(objects, setting?.get("OFF")));
  const automatic = new Set(automaticLayers(objects, setting));
  const isOffAtFirst = objects.resolve(setting?.get("BaseState")) === "/OFF";
  return (number) => {
    const layer = objects.dictionary({ object: number });
    if (!isForViewing(objects, layer?.get("Intent"))) return false;
    const view = objects.dictionary(objects.dictionary(layer?.get("Usage"))?.get("View"));
    const usage = objects.resolve(view?.get("ViewState"));
    if (usage !== undefined && automatic.has(number)) return usage === "/OFF";
    return off.has(number) || (isOffAtFirst && !on.has(number)) || usage === "/OFF";
  };
}

function isForViewing(objects: PdfObjects, value: PdfValue | undefined): boolean {
  const intent = objects.resolve(value) ?? "/View";
  const intents = Array.isArray(intent) ? intent.map((item) => objects.resolve(item)) : [intent];
  return intents.some((name) => name === "/View" || name === "/All");
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
  return found.flatMap((item) => (typeof item !== "string" && "object" in item ? [item.object] : []));
}

/** @param layer a layer, or a membership dictionary that combines several */
function isHidden(objects: PdfObjects, layer: PdfValue | undefined, isOff: IsOff): boolean {
  const members = objects.dictionary(layer);
  if (layer === undefined || members === null) return false;
  if (objects.resolve(members.get("Type")) !== "/OCMD") return isOff(layer);
  const given = members.get("OCGs");
  const resolved = objects.resolve(given);
  const layers = Array.isArray(resolved) ? resolved : given === undefined ? [] : [given];
  if (layers.length === 0) return false;
  switch (objects.resolve(members.get("P"))) {
    case "/AllOn":
      return layers.some(isOff);
    case "/AnyOff":
      return !layers.some(isOff);
    case "/AllOff":
      return !layers.every(isOff);
    case undefined:
    default:
      return layers.every(isOff);
  }
}

const maxDepth = 30;

function* pagesIn(objects: PdfObjects, tree: PdfValue | undefined, depth = 0): Generator<PdfDictionary> {
  const kids = objects.resolve(objects.dictionary(tree)?.get("Kids"));
  if (!Array.isArray(kids) || depth > maxDepth) return;
  for (const kid of kids) {
    const members = objects.dictionary(kid);
    if (members?.has("Kids") === true) yield* pagesIn(objects, kid, depth + 1);
    else yield members ?? new Map<string, PdfValue>();
  }
}

import type { PdfObjects } from "./pdf-objects.ts";
import type { PdfDictionary, PdfValue } from "./pdf-values.ts";

/** For each page, the indexes of the annotations on layers that are switched off when the file is opened. */
export function annotationsOnHiddenLayers(objects: PdfObjects): Set<number>[] {
  const catalog = objects.dictionary(objects.trailer.get("Root"));
  const isOff = layersOff(objects, catalog);
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

function layersOff(objects: PdfObjects, catalog: PdfDictionary | null): IsOff {
  const properties = objects.dictionary(catalog?.get("OCProperties"));
  const initial = objects.dictionary(properties?.get("D"));
  const listed = (name: string): Set<number> => {
    const list = objects.resolve(initial?.get(name));
    return new Set((Array.isArray(list) ? list : []).map(numberOf));
  };
  const [on, off] = [listed("ON"), listed("OFF")];
  const isUsuallyOff = objects.resolve(initial?.get("BaseState")) === "/OFF";
  return (layer) => off.has(numberOf(layer)) || (isUsuallyOff && !on.has(numberOf(layer)));
}

const numberOf = (value: PdfValue): number =>
  typeof value === "string" || Array.isArray(value) || value instanceof Map ? -1 : value.object;

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

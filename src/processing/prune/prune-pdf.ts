import { bareLayer, isLayer, isMarkedHidden, layerProperties } from "./pdf-layers.ts";
import { PdfFile } from "../pdf-file.ts";
import { PdfObjects } from "./pdf-objects.ts";
import { type PdfDictionary, type PdfValue, plainName, writtenMembers, writtenValue } from "./pdf-values.ts";
import { UnreadableFileError } from "../unreadable-file.ts";

/*
 * A page brings along more than it shows: pages share one list of images and fonts, forms are connected across pages,
 * and programs store private data. So a page that was removed or blackened may still be in the file, referenced by
 * others. This module rewrites a file from its pages and copies only what they show. It leaves out every image that no
 * page draws by name, and every object that is not known to be visible.
 */

/** The members of a page that are kept. */
const pageMembers = new Set([
  ..."MediaBox CropBox BleedBox TrimBox ArtBox Rotate UserUnit".split(" "),
  ..."Resources Contents Group Annots".split(" "),
]);

/** Members that are never kept in any object: they refer to other objects, or hold data for programs. */
const dropped = new Set(
  "StructParent StructParents Metadata PieceInfo LastModified Thumb Alternates OPI EF RF".split(" "),
);

/** Members by which an annotation refers to other objects. */
const droppedOfAnnotation = new Set("Parent P AA IRT Popup".split(" "));

/** Dictionaries whose keys are chosen by the file and have no standard meaning. */
const ownNames = new Set(
  "Font XObject ExtGState ColorSpace Pattern Shading Properties CharProcs N D R".split(" "),
);

/** Annotations that carry files, or that are only part of another annotation. */
const droppedAnnotations = new Set(
  "/FileAttachment /Sound /Movie /Screen /RichMedia /3D /Popup /Widget".split(" "),
);

/**
 * @param strictly Fail if it cannot be determined what a page shows. Otherwise everything that such a page may show is
 *   kept.
 * @throws {UnreadableFileError}
 */
export function prunePdf(from: string, to: string, { strictly }: { strictly: boolean }): void {
  const source = new PdfObjects(from);
  const target = new PdfFile(to);
  try {
    target.end(new Pruning(source, target, strictly).run());
  } catch (error) {
    target.close();
    throw error;
  } finally {
    source.close();
  }
}

class Pruning {
  readonly #source: PdfObjects;
  readonly #target: PdfFile;
  readonly #isStrict: boolean;
  /** The numbers of objects in the target, by their numbers in the source. */
  readonly #numbers = new Map<number, number>();
  readonly #waiting: number[] = [];
  /** The numbers of the layers in the target. */
  readonly #layers: number[] = [];
  readonly #hiddenLayers: number[] = [];

  constructor(source: PdfObjects, target: PdfFile, isStrict: boolean) {
    this.#source = source;
    this.#target = target;
    this.#isStrict = isStrict;
  }

  /** The members of the catalog besides the pages. */
  run(): string {
    const catalog = this.#source.dictionary(this.#source.trailer.get("Root"));
    const pages = [...this.#pagesIn(catalog?.get("Pages"))];
    for (const page of pages) this.#numbers.set(page, this.#target.reserve());
    for (const [index, page] of pages.entries()) this.#addPage(page, index);
    for (let number = this.#waiting.pop(); number !== undefined; number = this.#waiting.pop()) {
      this.#addObject(number);
    }
    return layerProperties(this.#layers, this.#hiddenLayers);
  }

  *#pagesIn(tree: PdfValue | undefined, depth = 0): Generator<number> {
    const kids = this.#source.resolve(this.#source.dictionary(tree)?.get("Kids"));
    if (!Array.isArray(kids) || depth > 30) return;
    for (const kid of kids) {
      if (typeof kid === "string" || !("object" in kid)) continue;
      if (this.#source.dictionary(kid)?.has("Kids") === true) yield* this.#pagesIn(kid, depth + 1);
      else yield kid.object;
    }
  }

  #addPage(number: number, index: number): void {
    const page = this.#source.dictionary({ object: number }) ?? new Map<string, PdfValue>();
    const kept: PdfDictionary = new Map([...page].filter(([name]) => pageMembers.has(name)));
    const resources = this.#source.dictionary(page.get("Resources"));
    if (resources !== null) {
      const names = this.#namesOnPage(page, resources);
      if (names === null && this.#isStrict) {
        const reason = `page ${index + 1} is packed in a way that does not tell what it shows`;
        throw new UnreadableFileError("broken", `broken: ${reason}`);
      }
      kept.set("Resources", this.#pruned(resources, names));
    }
    const annotations = this.#source.resolve(page.get("Annots"));
    kept.delete("Annots");
    if (Array.isArray(annotations)) {
      const shown = annotations.filter((one) => this.#isKept(one));
      if (shown.length > 0) kept.set("Annots", shown);
    }
    this.#target.addPageOf(writtenMembers(this.#renumbered(kept)), this.#numbers.get(number));
  }

  #isKept(annotation: PdfValue): boolean {
    const subtype = this.#source.resolve(this.#source.dictionary(annotation)?.get("Subtype"));
    return typeof subtype === "string" && !droppedAnnotations.has(subtype);
  }

  #addObject(number: number): void {
    const target = this.#numbers.get(number);
    if (target === undefined) return;
    const found = this.#source.find(number);
    const members = found?.value instanceof Map ? found.value : null;
    const type = members?.get("Type");
    if (found === null || type === "/Catalog" || (found.stream === null && isOfPageTree(members))) {
      this.#target.add("null", target);
    } else if (members !== null && isLayer(members)) {
      this.#layers.push(target);
      if (isMarkedHidden(members)) this.#hiddenLayers.push(target);
      this.#target.add(bareLayer, target);
    } else if (found.stream === null || members === null) {
      const value = members?.has("CharProcs") === true ? this.#drawnFont(members) : found.value;
      this.#target.add(writtenValue(this.#renumberedValue(value)), target);
    } else {
      const own = this.#source.dictionary(members.get("Resources"));
      const shown = new Map(members);
      if (own !== null) shown.set("Resources", this.#pruned(own, this.#namesIn(number, own)));
      shown.delete("Length");
      const written = writtenMembers(this.#renumbered(shown));
      this.#target.addStream(written, found.stream.length, this.#source.chunks(found.stream), target);
    }
  }

  /** The names that the page's content uses. Null if they cannot be determined. */
  #namesOnPage(page: PdfDictionary, resources: PdfDictionary): Set<string> | null {
    const contents = page.get("Contents");
    const parts = this.#source.resolve(contents);
    const names = new Set<string>();
    for (const part of Array.isArray(parts) ? parts : [contents]) {
      if (part === undefined) continue;
      if (!this.#gather(part, resources, names, new Set())) return null;
    }
    return names;
  }

  /** A Type 3 font with only the resources that its glyphs draw. Such glyphs are drawn like pages. */
  #drawnFont(font: PdfDictionary): PdfDictionary {
    const letters = this.#source.dictionary(font.get("CharProcs")) ?? new Map<string, PdfValue>();
    const shown = new Map(font).set("CharProcs", letters);
    const resources = this.#source.dictionary(font.get("Resources"));
    if (resources === null) return shown;
    const names = new Set<string>();
    const areKnown = [...letters.values()].every((one) => this.#gather(one, resources, names, new Set()));
    return shown.set("Resources", this.#pruned(resources, areKnown ? names : null));
  }

  #namesIn(number: number, resources: PdfDictionary): Set<string> | null {
    const names = new Set<string>();
    return this.#gather({ object: number }, resources, names, new Set()) ? names : null;
  }

  /**
   * Adds the names that a stream uses, and those of the forms that it draws. A form without resources uses those of the
   * page or form that draws it. Returns false if a stream cannot be decoded.
   */
  #gather(stream: PdfValue, resources: PdfDictionary, names: Set<string>, seen: Set<number>): boolean {
    if (typeof stream === "string" || !("object" in stream) || seen.has(stream.object)) return true;
    seen.add(stream.object);
    const found = this.#source.find(stream.object);
    if (found === null) return true;
    const bytes = this.#source.decoded(found);
    if (bytes === null) return found.stream === null;
    const forms = this.#source.dictionary(resources.get("XObject"));
    for (const [written] of bytes.toString("latin1").matchAll(/\/[^\0\t\n\f\r ()<>[\]{}/%]*/g)) {
      const name = plainName(written);
      if (names.has(name)) continue;
      names.add(name);
      const form = forms?.get(name);
      const members = this.#source.dictionary(form);
      const isOpen = this.#source.resolve(members?.get("Subtype")) === "/Form" && !members?.has("Resources");
      if (form !== undefined && isOpen && !this.#gather(form, resources, names, seen)) return false;
    }
    return true;
  }

  /** The resources that have one of these names. Null keeps all of them. */
  #pruned(resources: PdfDictionary, names: ReadonlySet<string> | null): PdfDictionary {
    const pruned: PdfDictionary = new Map();
    for (const [kind, value] of resources) {
      const entries = this.#source.dictionary(value);
      if (names === null || entries === null) pruned.set(kind, value);
      else pruned.set(kind, new Map([...entries].filter(([name]) => names.has(name))));
    }
    return pruned;
  }

  #renumbered(members: PdfDictionary, areOwnNames = false): PdfDictionary {
    const isAnnotation = members.has("Rect") && members.has("Subtype");
    const kept = [...members].filter(
      ([name]) => areOwnNames || !(dropped.has(name) || (isAnnotation && droppedOfAnnotation.has(name))),
    );
    return new Map(kept.map(([name, value]) => [name, this.#renumberedValue(value, ownNames.has(name))]));
  }

  #renumberedValue(value: PdfValue, areOwnNames = false): PdfValue {
    if (typeof value === "string") return value;
    if (Array.isArray(value)) return value.map((one) => this.#renumberedValue(one));
    if (value instanceof Map) return this.#renumbered(value, areOwnNames);
    let number = this.#numbers.get(value.object);
    if (number === undefined) {
      number = this.#target.reserve();
      this.#numbers.set(value.object, number);
      this.#waiting.push(value.object);
    }
    return { object: number };
  }
}

/** Recognises a page even without a type, because a page that a link leads to must not be copied. */
function isOfPageTree(members: PdfDictionary | null): boolean {
  if (members === null) return false;
  const type = members.get("Type");
  if (type === "/Page" || type === "/Pages" || members.has("MediaBox") || members.has("Kids")) return true;
  return members.has("Contents") && !members.has("Subtype");
}

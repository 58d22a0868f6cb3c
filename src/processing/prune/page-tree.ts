import type { PdfObjects } from "./pdf-objects.ts";
import type { PdfDictionary, PdfValue } from "./pdf-values.ts";

/** A page of a PDF, with what it inherits from the tree that it is in. */
export interface TreePage {
  /** The number of its object. */
  object: number;
  members: PdfDictionary;
}

const inherited = ["Resources", "MediaBox", "CropBox", "Rotate"];
const maxDepth = 30;

/** The pages of a PDF, one after another. */
export function* pagesOf(source: PdfObjects): Generator<TreePage> {
  yield* pagesBelow(source, source.dictionary(source.trailer.get("Root"))?.get("Pages"), new Map(), 0);
}

function* pagesBelow(
  source: PdfObjects,
  node: PdfValue | undefined,
  above: PdfDictionary,
  depth: number,
): Generator<TreePage> {
  const members = source.dictionary(node);
  const kids = source.resolve(members?.get("Kids"));
  if (members === null || !Array.isArray(kids) || depth > maxDepth) return;
  const passedOn = withInherited(members, above);
  for (const kid of kids) {
    if (typeof kid === "string" || !("object" in kid)) continue;
    const page = source.dictionary(kid);
    if (page?.has("Kids") === true) yield* pagesBelow(source, kid, passedOn, depth + 1);
    else if (page !== null) yield { object: kid.object, members: new Map([...passedOn, ...page]) };
  }
}

function withInherited(node: PdfDictionary, above: PdfDictionary): PdfDictionary {
  const own = inherited.flatMap((name): [string, PdfValue][] => {
    const value = node.get(name);
    return value === undefined ? [] : [[name, value]];
  });
  return new Map([...above, ...own]);
}

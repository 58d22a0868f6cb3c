import { setImmediate } from "node:timers/promises";
import { documentFileKey, documentFolder } from "../../files/keys.ts";
import type { Addresses } from "../../http/text/addresses.ts";
import { type PageSize, pageSizes, storedPageSpec } from "../../processing/page-spec.ts";
import { documentAddress } from "../documents/present.ts";
import type { DocumentRow } from "../documents/store.ts";
import { canvasId, canvasSize } from "./canvas.ts";
import { searchServicesOf } from "./content-search.ts";
import { hasImageServices, imageServiceOf } from "./image-service.ts";

/*
 * Documents as IIIF Presentation 3 manifests: a canvas for each page, with its image, and references to the annotation
 * pages that have its text and notes. For 30,000 pages a manifest has 23 MB, so it is written a few canvases at a time,
 * and other requests are served in between.
 */

export const manifestType = `application/ld+json;profile="http://iiif.io/api/presentation/3/context.json"`;

/** The languages whose books open from the right. */
const rightToLeft = new Set(["ara", "heb", "fas", "per", "urd", "yid", "syr", "uig", "pus"]);

const thumbnailWidth = 180;
const canvasesAtOnce = 100;
const rangesAtOnce = 500;
/** A document with more pages has no manifest. */
const maxCanvases = 50_000;

/** Whether a document has a manifest. It needs a canvas. */
export function hasManifest({ page_count }: Pick<DocumentRow, "page_count">): boolean {
  return page_count > 0 && page_count <= maxCanvases;
}

/** The values that a manifest shows besides the document's row. */
export interface ManifestParts {
  /** The pages that have notes which the viewer may see, counting from 0. */
  notedPages: ReadonlySet<number>;
  sections: readonly { title: string; page_number: number }[];
  /** The name of the document's organization; empty if it has none. */
  organization: string;
  /** Plain text. */
  description: string;
}

/** The address of a document's manifest. */
export function manifestAddress({ api }: Addresses, id: number): string {
  return `${api}/iiif/${id}/manifest.json`;
}

/** The sizes of all pages, one after the other; undefined if the record does not contain a size. */
export function* sizesOf({ page_spec, page_count }: DocumentRow): Generator<PageSize | undefined> {
  yield* pageSizes(storedPageSpec(page_spec), page_count);
}

/** The manifest as JSON, in parts, of a document for which {@link hasManifest} is true. */
export async function* writeManifest(
  addresses: Addresses,
  document: DocumentRow,
  parts: ManifestParts,
): AsyncGenerator<Buffer> {
  const head = JSON.stringify(headOf(addresses, document, parts)).slice(0, -1);
  yield Buffer.from(head);
  for (let from = 0; from < parts.sections.length; from += rangesAtOnce) {
    const ranges = rangesOf(addresses, document, parts.sections.slice(from, from + rangesAtOnce), from);
    yield Buffer.from(`${from === 0 ? ',"structures":[' : ","}${JSON.stringify(ranges).slice(1, -1)}`);
    await setImmediate();
  }
  let text = `${parts.sections.length === 0 ? "" : "]"},"items":[`;
  let page = 0;
  for (const size of sizesOf(document)) {
    const canvas = canvasOf(addresses, document, { page, size, hasNotes: parts.notedPages.has(page) });
    text += (page === 0 ? "" : ",") + JSON.stringify(canvas);
    page += 1;
    if (page % canvasesAtOnce > 0) continue;
    yield Buffer.from(text);
    await setImmediate();
    text = "";
  }
  yield Buffer.from(`${text}]}`);
}

/** A text whose language is not stated. */
const said = (text: string): { none: string[] } => ({ none: [text] });
const named = (text: string): { en: string[] } => ({ en: [text] });

function headOf(addresses: Addresses, document: DocumentRow, parts: ManifestParts): object {
  const { id, title, source, language, slug, asset_url, created_at } = document;
  const facts: [string, string][] = [
    ["Source", source],
    ["Organization", parts.organization],
    ["Language", language],
    ["Added", created_at.slice(0, 10)],
  ];
  const pdf = `${asset_url ?? addresses.assets}${documentFileKey(id, encoded(slug), "pdf")}`;
  return {
    "@context": "http://iiif.io/api/presentation/3/context.json",
    id: manifestAddress(addresses, id),
    type: "Manifest",
    label: said(title === "" ? "Untitled" : title),
    ...(parts.description !== "" && { summary: said(parts.description) }),
    metadata: facts
      .filter(([, value]) => value !== "")
      .map(([name, value]) => ({ label: named(name), value: said(value) })),
    ...(rightToLeft.has(language) && { viewingDirection: "right-to-left" }),
    thumbnail: [imageOf(addresses, document, { page: 0, size: "small", width: thumbnailWidth })],
    homepage: [
      {
        id: documentAddress(addresses.web, document),
        type: "Text",
        label: said(title === "" ? "Untitled" : title),
        format: "text/html",
      },
    ],
    rendering: [{ id: pdf, type: "Text", label: named("PDF"), format: "application/pdf" }],
    ...(parts.organization !== "" && { provider: [providerOf(addresses, document, parts.organization)] }),
    service: searchServicesOf(addresses, id),
    seeAlso: [
      {
        id: `${addresses.api}/api/documents/${id}/`,
        type: "Dataset",
        label: named("The record"),
        format: "application/json",
      },
    ],
  };
}

/** The organization of a document, with its documents here. */
function providerOf({ api, web }: Addresses, { organization_id }: DocumentRow, name: string): object {
  return {
    id: `${api}/api/organizations/${organization_id}/`,
    type: "Agent",
    label: said(name),
    homepage: [
      {
        id: `${web}/?organization=${organization_id}`,
        type: "Text",
        label: said(name),
        format: "text/html",
      },
    ],
  };
}

/** A range for each section, which begins at its page. `before` is the number of sections before these. */
function rangesOf(
  addresses: Addresses,
  { id }: DocumentRow,
  sections: ManifestParts["sections"],
  before: number,
): object[] {
  return sections.map(({ title, page_number }, index) => ({
    id: `${addresses.api}/iiif/${id}/range/${before + index + 1}`,
    type: "Range",
    label: said(title),
    items: [{ id: canvasId(addresses, id, page_number), type: "Canvas" }],
  }));
}

function canvasOf(
  addresses: Addresses,
  document: DocumentRow,
  { page, size, hasNotes }: { page: number; size: PageSize | undefined; hasNotes: boolean },
): object {
  const id = canvasId(addresses, document.id, page);
  const { width, height } = canvasSize(size);
  const annotations = `${addresses.api}/iiif/${document.id}`;
  const painting = {
    id: `${id}/image`,
    type: "Annotation",
    motivation: "painting",
    target: id,
    body: {
      ...imageOf(addresses, document, { page, size: "xlarge" }),
      width,
      height,
      ...(hasImageServices(document) && { service: [imageServiceOf(addresses, document.id, page)] }),
    },
  };
  const references = [
    { id: `${annotations}/text/${page + 1}.json`, type: "AnnotationPage", label: named("Text") },
  ];
  if (hasNotes) {
    references.push({
      id: `${annotations}/notes/${page + 1}.json`,
      type: "AnnotationPage",
      label: named("Notes"),
    });
  }
  return {
    id,
    type: "Canvas",
    label: said(String(page + 1)),
    width,
    height,
    thumbnail: [imageOf(addresses, document, { page, size: "small", width: thumbnailWidth }, height / width)],
    items: [{ id: `${id}/images`, type: "AnnotationPage", items: [painting] }],
    annotations: references,
  };
}

/** The address of a page's image. If the files of an imported record are on another server, there are only GIFs. */
export function imageAddress(
  { assets }: Addresses,
  { id, slug, asset_url }: DocumentRow,
  page: number,
  size: string,
): string {
  const extension = asset_url === null ? "webp" : "gif";
  return `${asset_url ?? assets}${documentFolder(id)}/pages/${encoded(slug)}-p${page + 1}-${size}.${extension}`;
}

/** An image of a page. */
function imageOf(
  addresses: Addresses,
  document: DocumentRow,
  { page, size, width }: { page: number; size: string; width?: number },
  shape?: number,
): object {
  return {
    id: imageAddress(addresses, document, page, size),
    // Without a `format`: Universal Viewer 4 offers images of any format but JPEG and PNG for download only, even if
    // they have an image service.
    type: "Image",
    ...(width !== undefined &&
      shape !== undefined && { width, height: Math.max(1, Math.round(width * shape)) }),
  };
}

const encoded = (slug: string): string => encodeURIComponent(slug.toWellFormed());

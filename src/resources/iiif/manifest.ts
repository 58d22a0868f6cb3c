import { documentFileKey, documentFolder } from "../../files/keys.ts";
import type { Addresses } from "../../http/text/addresses.ts";
import { type PageSize, PageSpecError, pageSizes, parsePageSpec } from "../../processing/page-spec.ts";
import { documentAddress } from "../documents/present.ts";
import type { DocumentRow } from "../documents/store.ts";

/*
 * Documents as IIIF Presentation 3 manifests: a canvas for each page, with its image, and references to the annotation
 * pages that have its text and notes. A manifest is streamed a few canvases at a time: for 30,000 pages it has 30 MB.
 */

export const manifestType = `application/ld+json;profile="http://iiif.io/api/presentation/3/context.json"`;

/** The languages whose books open from the right. */
const rightToLeft = new Set(["ara", "heb", "fas", "per", "urd", "yid", "syr", "uig", "pus"]);

/** In pixels. A canvas is as large as the largest image of its page. */
const canvasWidth = 2000;
const thumbnailWidth = 180;
const canvasesAtOnce = 100;

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

/** The canvas of a page, counting from 0. It is only an identifier: no route answers at this address. */
export function canvasId({ api }: Addresses, id: number, page: number): string {
  return `${api}/iiif/${id}/canvas/${page + 1}`;
}

/** The size of the canvas of a page, in pixels. A page of unknown size counts as letter paper. */
export function canvasSize(size: PageSize | undefined): { width: number; height: number } {
  const [width, height] = [Number(size?.width ?? 612), Number(size?.height ?? 792)];
  const shape = width > 0 && height > 0 ? height / width : 792 / 612;
  return { width: canvasWidth, height: Math.max(1, Math.round(canvasWidth * shape)) };
}

/** The sizes of all pages, one after the other; undefined if the record does not contain a size. */
export function* sizesOf({ page_spec, page_count }: DocumentRow): Generator<PageSize | undefined> {
  yield* pageSizes(groupsOf(page_spec), page_count);
}

function groupsOf(pageSpec: string): ReturnType<typeof parsePageSpec> {
  try {
    return parsePageSpec(pageSpec);
  } catch (error) {
    if (error instanceof PageSpecError) return [];
    throw error;
  }
}

/** The manifest as JSON, in parts. The document must have at least one page, since a manifest needs a canvas. */
export async function* writeManifest(
  addresses: Addresses,
  document: DocumentRow,
  parts: ManifestParts,
): AsyncGenerator<Buffer> {
  const head = JSON.stringify(headOf(addresses, document, parts));
  const structures = structuresOf(addresses, document, parts);
  const more = structures.length === 0 ? "" : `,"structures":${JSON.stringify(structures)}`;
  let text = `${head.slice(0, -1)}${more},"items":[`;
  let page = 0;
  for (const size of sizesOf(document)) {
    const canvas = canvasOf(addresses, document, { page, size, hasNotes: parts.notedPages.has(page) });
    text += (page === 0 ? "" : ",") + JSON.stringify(canvas);
    page += 1;
    if (page % canvasesAtOnce > 0) continue;
    yield Buffer.from(text);
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

/** A range for each section, which begins at its page. */
function structuresOf(addresses: Addresses, { id }: DocumentRow, { sections }: ManifestParts): object[] {
  return sections.map(({ title, page_number }, index) => ({
    id: `${addresses.api}/iiif/${id}/range/${index + 1}`,
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
    body: { ...imageOf(addresses, document, { page, size: "xlarge" }), width, height },
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

/** An image of a page. If the files of an imported record are on another server, there are only GIFs. */
function imageOf(
  { assets }: Addresses,
  { id, slug, asset_url }: DocumentRow,
  { page, size, width }: { page: number; size: string; width?: number },
  shape?: number,
): object {
  const extension = asset_url === null ? "webp" : "gif";
  return {
    id: `${asset_url ?? assets}${documentFolder(id)}/pages/${encoded(slug)}-p${page + 1}-${size}.${extension}`,
    // Without a `format`: Universal Viewer 4 offers images of any format but JPEG and PNG for download only.
    type: "Image",
    ...(width !== undefined &&
      shape !== undefined && { width, height: Math.max(1, Math.round(width * shape)) }),
  };
}

const encoded = (slug: string): string => encodeURIComponent(slug.toWellFormed());

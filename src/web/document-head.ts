import type { Site } from "../http/browsable/page-shell.ts";
import { pageTexts } from "../texts/pages.ts";
import { documentFolder } from "../files/keys.ts";
import type { Addresses } from "../http/text/addresses.ts";
import { type Html, html } from "../http/text/html.ts";
import { isWebAddress } from "../http/text/web-address.ts";
import { isPublic } from "../resources/document-states.ts";
import { documentAddress } from "../resources/documents/present.ts";
import type { DocumentRow } from "../resources/documents/store.ts";
import { oembedLink } from "../resources/embeds/discovery.ts";
import { sizeOf } from "../resources/embeds/find-embedded.ts";
import { hasManifest, manifestAddress } from "../resources/iiif/manifest.ts";
import { renderDescription } from "./description.ts";
import { feedLink } from "./feeds/feed.ts";
import { plainText, shortened } from "../resources/documents/record/plain-text.ts";

/** The width of the images named `large`, in pixels. */
const imageWidth = 1000;
/** In characters. Sites that show a card cut longer descriptions themselves. */
const maxDescription = 300;

/**
 * The elements in the head of a document's page by which other programs find its oEmbed endpoint, its IIIF manifest and
 * the feed. For a public document they include the card that sites show when someone shares its address.
 * `destination` is the page, counting from 1, and the note to which the address belongs; null for the whole document.
 */
export async function documentHead(
  addresses: Addresses,
  document: DocumentRow,
  destination: { page: number; note: { id: number; title: string } | null } | null,
  site: Pick<Site, "language" | "timeZone" | "brand">,
): Promise<Html> {
  const embedded = embeddedPart(document, destination);
  const page = destination?.page ?? 1;
  return html`${oembedLink(addresses, embedded.path, embedded.title)}
  ${
    hasManifest(document) &&
    html`<link
      rel="alternate"
      type='application/ld+json;profile="http://iiif.io/api/presentation/3/context.json"'
      href="${manifestAddress(addresses, document.id)}"
      title="IIIF manifest"
    />`
  }
  ${feedLink(addresses)}
  ${isPublic(document) && (await card(addresses, document, { page, path: embedded.path }, site))}`;
}

function embeddedPart(
  document: DocumentRow,
  destination: Parameters<typeof documentHead>[2],
): { path: string; title: string } {
  if (destination === null) return { path: documentAddress("", document), title: document.title };
  const { page, note } = destination;
  if (note === null) return { path: `/documents/${document.id}/pages/${page}/`, title: document.title };
  return { path: `/documents/${document.id}/annotations/${note.id}/`, title: note.title };
}

/** `path` is the path of the web page, and `page` the page of the document that the card shows. */
async function card(
  { web, assets }: Addresses,
  document: DocumentRow,
  { page, path }: { page: number; path: string },
  site: Pick<Site, "language" | "timeZone" | "brand">,
): Promise<Html> {
  const texts = pageTexts(site);
  const title = document.title === "" ? texts.untitled : document.title;
  const rendered = await renderDescription(document.description);
  const description = shortened(await plainText(rendered.toString()), maxDescription);
  const folder = `${document.asset_url ?? assets}${documentFolder(document.id)}`;
  const image = `${folder}/pages/${encodeURIComponent(document.slug.toWellFormed())}-p${page}-large.gif`;
  const { width, height } = sizeOf(document, page - 1);
  const hasImage = document.page_count > 0 && width > 0 && isWebAddress(image);
  return html`<meta property="og:type" content="article" />
    <meta property="og:site_name" content="${site.brand.name}" />
    <meta property="og:title" content="${title}" />
    <meta property="og:url" content="${web}${path}" />
    ${description !== "" && html`<meta property="og:description" content="${description}" />`}
    ${description !== "" && html`<meta name="description" content="${description}" />`}
    <meta property="article:published_time" content="${document.created_at}" />
    <meta property="article:modified_time" content="${document.updated_at}" />
    ${
      hasImage &&
      html`<meta property="og:image" content="${image}" />
        <meta property="og:image:type" content="image/gif" />
        <meta property="og:image:width" content="${imageWidth}" />
        <meta property="og:image:height" content="${Math.round((imageWidth * height) / width)}" />
        <meta
          property="og:image:alt"
          content="${page === 1 ? texts.document.firstPageOf(title) : texts.document.imageOfTitle(page, title)}"
        />`
    }
    <meta name="twitter:card" content="${hasImage ? "summary_large_image" : "summary"}" />`;
}

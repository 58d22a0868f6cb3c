import type { DocumentRow } from "../resources/documents/store.ts";
import { describingTexts } from "../contract/describing-fields.ts";
import { embeddedAt } from "../resources/embeds/oembed.ts";
import type { ShownDocument } from "./document-facts.ts";

/** A row as the document's page shows it. */
export function shownDocument(
  row: DocumentRow,
  {
    organizations,
    contributor,
    language,
    ...linked
  }: {
    organizations: ReadonlyMap<number, string>;
    contributor: string;
    /** That of its texts. */
    language: string;
  } & Pick<ShownDocument, "projects" | "original" | "copies" | "withheld">,
): ShownDocument {
  return {
    id: row.id,
    title: row.title,
    texts: describingTexts(row),
    organization: organizations.get(row.organization_id) ?? "",
    contributor,
    ...linked,
    language,
    pageCount: row.page_count,
    pageSpec: row.page_spec,
    originalExtension: row.original_extension,
    fileHash: row.file_hash,
    access: row.access,
    status: row.status,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    data: JSON.parse(row.data) as Record<string, string[]>,
    noindex: Boolean(row.noindex),
    adminNoindex: Boolean(row.admin_noindex),
  };
}

/**
 * The address of a page of a document, or of a note on it, with the words of a query highlighted. Browsers without
 * scripts show the page that the `page` parameter names.
 */
export function readingAddress(canonical: string, query: string, page: number, note?: number): string {
  const parameters = new URLSearchParams({ q: query, page: String(page) }).toString();
  return `${canonical}?${parameters}#document/p${page}${note === undefined ? "" : `/a${note}`}`;
}

/**
 * The canonical address of the web page for a part of a document (a page or a note), from any of its spellings: with
 * the slug, with `.html` or without the final slash. Null if the address does not name a page or a note.
 */
export function partAddress(url: string): string | null {
  const [path = "", query] = url.split(/\?(.*)/s);
  const part = embeddedAt(path);
  if (part?.kind !== "page" && part?.kind !== "note") return null;
  const partPath = part.kind === "page" ? `pages/${part.page}` : `annotations/${part.note}`;
  return `/documents/${part.document}/${partPath}/${query === undefined ? "" : `?${query}`}`;
}

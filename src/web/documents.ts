import { documentFileKey } from "../files/keys.ts";
import type { DocumentRow } from "../resources/documents/store.ts";
import type { FoundRecord } from "../resources/documents/search/present-found.ts";
import { documentAddress } from "../resources/documents/present.ts";
import type { ShownDocument } from "./document-facts.ts";
import type { ListedDocument } from "./home-page.ts";
import type { FoundPage, FoundView } from "./search-page.ts";

/** A row as an item of the list. */
export function listedDocument(
  row: DocumentRow,
  web: string,
  organizations: ReadonlyMap<number, string>,
): ListedDocument {
  return {
    title: row.title,
    href: documentAddress(web, row),
    createdAt: row.created_at,
    pageCount: row.page_count,
    source: row.source,
    organization: organizations.get(row.organization_id) ?? "",
    language: row.language,
    extension: row.original_extension,
    access: row.access,
    status: row.status,
  };
}

/** A row as the document's page shows it. */
export function shownDocument(row: DocumentRow, organizations: ReadonlyMap<number, string>): ShownDocument {
  return {
    id: row.id,
    title: row.title,
    description: row.description,
    source: row.source,
    organization: organizations.get(row.organization_id) ?? "",
    language: row.language,
    pageCount: row.page_count,
    pageSpec: row.page_spec,
    originalExtension: row.original_extension,
    fileHash: row.file_hash,
    access: row.access,
    status: row.status,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    relatedArticle: row.related_article,
    publishedUrl: row.published_url,
    data: JSON.parse(row.data) as Record<string, string[]>,
    noindex: Boolean(row.noindex),
    adminNoindex: Boolean(row.admin_noindex),
  };
}

/** The address of a page within the document's file. */
export function pageOfFile(file: string, page: number): string {
  return `${file}#page=${page}`;
}

/** A search result for the search page; `searchOf` is the query string for all its matching pages. */
export function foundDocument(
  { id, notes, highlights, note_highlights, ...result }: FoundRecord,
  matchingPages: number,
  searchOf: string,
): FoundView {
  const { title, slug, canonical_url, created_at, page_count, source, asset_url } = result as {
    [Name in "title" | "slug" | "canonical_url" | "created_at" | "source" | "asset_url"]: string;
  } & { page_count: number };
  const file = `${asset_url}${documentFileKey(Number(id), encodeURIComponent(slug), "pdf")}`;
  const on = (page: number, fragment: string): FoundPage => ({
    page,
    href: pageOfFile(file, page),
    fragment,
  });
  const pages = Object.entries(highlights ?? {}).flatMap(([name, fragments]) => {
    const page = Number(name.slice("page_no_".length));
    return fragments.map((fragment) => on(page, fragment));
  });
  return {
    title,
    href: canonical_url,
    createdAt: created_at,
    pageCount: page_count,
    source,
    pages,
    more: { count: matchingPages - pages.length, href: `${canonical_url}search/${searchOf}` },
    notes: notes.flatMap((note) => {
      const { title: titles = [], description = [] } = note_highlights?.[note.id] ?? {};
      const pieces = [...titles, ...description];
      return pieces.length === 0 ? [] : [on(note.page_number + 1, pieces.join(" · "))];
    }),
  };
}

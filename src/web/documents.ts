import type { DocumentRow } from "../resources/documents/store.ts";
import { describingTexts } from "../contract/describing-fields.ts";
import type { FoundDocument } from "../contract/search.ts";
import { documentAddress } from "../resources/documents/present.ts";
import type { ShownDocument } from "./document-facts.ts";
import type { ListedDocument } from "./home-page.ts";
import type { FoundPage, FoundView } from "./search-page.ts";

/** The path of a project's page. */
export function projectPath({ id, slug }: { id: number; slug: string }): string {
  return `/projects/${id}${slug === "" ? "" : `-${encodeURIComponent(slug)}`}/`;
}

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
export function shownDocument(
  row: DocumentRow,
  {
    organizations,
    contributor,
    ...linked
  }: {
    organizations: ReadonlyMap<number, string>;
    contributor: string;
  } & Pick<ShownDocument, "projects" | "original" | "copies" | "withheld">,
): ShownDocument {
  return {
    id: row.id,
    title: row.title,
    texts: describingTexts(row),
    organization: organizations.get(row.organization_id) ?? "",
    contributor,
    ...linked,
    language: row.language,
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
 * A search result for the search page. `query` is the text of the search, and `searchOf` the query string of the page
 * that lists all matching pages of the document.
 */
export function foundDocument(
  result: FoundDocument,
  matchingPages: number,
  query: string,
  searchOf: string,
): FoundView {
  const { title, canonical_url, created_at, page_count, source, notes, highlights, note_highlights } = result;
  const on = (page: number, fragment: string, note?: number): FoundPage => ({
    page,
    href: readingAddress(canonical_url, query, page, note),
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
      return pieces.length === 0 ? [] : [on(note.page_number + 1, pieces.join(" · "), Number(note.id))];
    }),
  };
}

import type { Database } from "../../../database/database.ts";
import type { Viewer } from "../../../http/request/viewer.ts";
import { rangesOfMatches } from "../../../search/fragments.ts";
import { type WordsPlan, inLanguage, planSearch } from "../../../search/plan.ts";
import { usualLanguage } from "../../../search/stems.ts";
import { type NoteCondition, findLanguages, findPagesWithin } from "./page-store.ts";
import {
  type MatchingPage,
  byPageName,
  fragmentsOfPages,
  isFieldOf,
  orUnavailable,
  timeLimitSeconds,
} from "./search-documents.ts";
import type { SearchRequest } from "./search-request.ts";

/** The maximum number of fragments for each page. */
export const maxFragments = 25;
const maxPages = 1000;

/** The fragments of a document's pages that contain the words, by `page_no_<n>`, if the document matches the query. */
export async function searchWithin(
  database: Database,
  viewer: Viewer,
  documentId: number,
  request: SearchRequest,
  notes: NoteCondition,
): Promise<Record<string, string[]>> {
  const range = { offset: 0, limit: maxPages, fragments: maxFragments };
  return byPageName((await searchPages(database, viewer, documentId, request, notes, range)).pages);
}

/** Some of a document's pages that contain the words, and their total number, if the document matches the query. */
export async function searchPages(
  database: Database,
  viewer: Viewer,
  documentId: number,
  { query }: SearchRequest,
  notes: NoteCondition,
  { offset, limit, fragments }: { offset: number; limit: number; fragments: number },
): Promise<{ total: number; pages: MatchingPage[] }> {
  const { total, pages, words } = await findPages(database, viewer, documentId, query, notes, {
    offset,
    limit,
  });
  return { total, pages: await fragmentsOfPages(database, documentId, pages, words, fragments) };
}

/** Some of a document's pages that contain the words, and where their texts match. */
export interface PagesFound {
  /** The number of pages that contain the words. */
  total: number;
  /** Counting from 0. */
  pages: number[];
  /** The ranges of a text of the page that match. */
  matchesOn: (page: number, text: string) => { start: number; end: number }[];
}

/** Finds pages as {@link searchPages} does, for callers that have their texts. */
export async function searchPageTexts(
  database: Database,
  viewer: Viewer,
  documentId: number,
  query: SearchRequest["query"],
  notes: NoteCondition,
  range: { offset: number; limit: number },
): Promise<PagesFound> {
  const { total, pages, words } = await findPages(database, viewer, documentId, query, notes, range);
  const matchesOn: PagesFound["matchesOn"] = (page, text) =>
    rangesOfMatches(
      text,
      words.filter(({ field }) => isFieldOf(field, page)),
    );
  return { total, pages, matchesOn };
}

async function findPages(
  database: Database,
  viewer: Viewer,
  documentId: number,
  query: SearchRequest["query"],
  notes: NoteCondition,
  range: { offset: number; limit: number },
): Promise<{ total: number; pages: number[]; words: WordsPlan[] }> {
  return orUnavailable(async () => {
    const plan = await planSearch(query);
    const { total, pages } = await findPagesWithin(
      database,
      viewer,
      notes,
      plan,
      documentId,
      range,
      timeLimitSeconds,
    );
    const language = (await findLanguages(database, [documentId])).get(documentId) ?? usualLanguage;
    const words = plan.words.filter(({ isLookedFor }) => isLookedFor);
    return { total, pages, words: inLanguage(words, language) };
  });
}

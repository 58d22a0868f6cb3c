import { setImmediate } from "node:timers/promises";
import type { Document } from "../../../contract/document.ts";
import type { Note } from "../../../contract/note.ts";
import type { FoundNote, FoundDocument as FoundRecord } from "../../../contract/search.ts";
import { TooSlowError } from "../../../database/read-worker.ts";
import type { Database } from "../../../database/database.ts";
import { ApiError } from "../../../errors.ts";
import type { Expansion } from "../../../http/request/expansion.ts";
import type { Viewer } from "../../../http/request/viewer.ts";
import { passagesOf } from "../../../processing/embedding/passages.ts";
import { fragmentsOf } from "../../../search/fragments.ts";
import { type SearchPlan, type WordsPlan, inLanguage, planSearch } from "../../../search/plan.ts";
import { usualLanguage } from "../../../search/stems.ts";
import { TooBusyError } from "../../../semaphore.ts";
import type { Passage } from "../embeddings/sort-by-meaning.ts";
import { type DocumentPart, expandedRecords } from "../record/expand.ts";
import type { BaseUrls } from "../present.ts";
import { plainText } from "../pages/note-texts.ts";
import { type FoundFacet, labelled } from "./present-facets.ts";
import { presentFound } from "./present-found.ts";
import { findVisibleDocuments } from "../store.ts";
import type { SearchRequest } from "./search-request.ts";
import { type NoteCondition, findLanguages, findMatchingPages, findPageTexts } from "./page-store.ts";
import { type Completion, completeQuery, correctQuery } from "./suggestions.ts";
import { findPage } from "./page-of-results.ts";
import { type FoundDocument, type Position, countedOf } from "./position-store.ts";
import { searchDocuments } from "./statement-store.ts";

/** The time limit of each statement of a request. */
export const timeLimitSeconds = 20;

export interface SearchAnswer {
  total: number;
  results: FoundRecord[];
  /** The facets that the request asks for, in its order. */
  facets: FoundFacet[];
  /** If nothing was found: the query with other spellings, which finds something. Null if there is none. */
  suggestion: string | null;
  /** The last document of the page, if there is another page. */
  last: Position | null;
  /** Whether the order is rough, because the words of some documents are still to be counted. */
  isRough: boolean;
  /** By document: the number of pages that contain the words. Empty unless the request asks for highlights. */
  matchingPages: ReadonlyMap<number, number>;
}

/** Limits on the pages of a document that are highlighted. */
export interface HighlightLimits {
  /** The maximum number of pages. */
  pages: number;
  /** The number of the last page, counting from 1. */
  lastPage: number;
}

/** DocumentCloud finds later pages but does not highlight them. */
const usualHighlights: HighlightLimits = { pages: 150, lastPage: 150 };

/** Access to notes, passed in because notes are a resource above documents. */
export interface SearchedNotes {
  /** Selects the notes that are searched. */
  condition: NoteCondition;
  /** Finds the notes of some documents, as results show them. */
  shown: DocumentPart;
}

/** One page of results, and their total number. Throws 503 if the search takes too long. */
export async function answerSearch(
  database: Database,
  viewer: Viewer,
  request: SearchRequest,
  baseUrls: BaseUrls,
  {
    expansion,
    notes,
    highlights = usualHighlights,
    model = null,
  }: {
    expansion: Expansion;
    notes: SearchedNotes;
    highlights?: HighlightLimits;
    /** The folder of the model by which results are sorted as well. */
    model?: string | null;
  },
): Promise<SearchAnswer> {
  return orUnavailable(async () => {
    const plan = await planSearch(request.query);
    const { start, perPage, ordering, facets: asked } = request;
    const at =
      "page" in start
        ? { after: null, offset: (start.page - 1) * perPage }
        : { after: start.after, offset: 0 };
    const search = {
      viewer,
      notes: notes.condition,
      plan,
      ordering,
      ...at,
      limit: perPage,
      facets: asked,
    };
    const sentence = model === null || request.meaning === null ? null : { model, text: request.meaning };
    const page = await findPage(database, search, {
      query: request.query,
      sentence,
      timeLimitSeconds,
    });
    const { total, isRough, facets } = page;
    const results = await presented(database, viewer, page.documents, baseUrls, expansion, notes.shown);
    for (const result of results) await addNearest(database, result, page.passages);
    const matchingPages = request.isHighlighted
      ? await highlight(database, results, plan, highlights)
      : new Map<number, number>();
    const isLookingForWords = plan.words.some(({ isLookedFor }) => isLookedFor);
    const counted = isLookingForWords ? null : { total, of: countedOf(viewer, plan) };
    const last = page.last === null ? null : { ...page.last, counted };
    const suggestion = total > 0 ? null : await suggest(database, viewer, request, notes.condition);
    const found = { total, results, facets: await labelled(database, viewer, facets) };
    return { ...found, suggestion, last, isRough, matchingPages };
  });
}

/** The query with other spellings, if that finds something. */
async function suggest(
  database: Database,
  viewer: Viewer,
  { spelling, ordering }: SearchRequest,
  notes: NoteCondition,
): Promise<string | null> {
  if (spelling === null) return null;
  const corrected = await correctQuery(database, viewer, spelling.text, timeLimitSeconds);
  if (corrected === null) return null;
  const plan = await planSearch(spelling.read(corrected).query);
  const search = { viewer, notes, plan, ordering, after: null, offset: 0, limit: 1, facets: [] };
  return (await searchDocuments(database, search, timeLimitSeconds)).total > 0 ? corrected : null;
}

/** Completes the last word of a query from what the viewer finds. Throws 503 if it takes too long. */
export async function suggestCompletions(
  database: Database,
  viewer: Viewer,
  text: string,
): Promise<Completion[]> {
  return orUnavailable(() => completeQuery(database, viewer, text, timeLimitSeconds));
}

/** Leaves out documents that were deleted or hidden since they were found. */
async function presented(
  database: Database,
  viewer: Viewer,
  found: readonly FoundDocument[],
  baseUrls: BaseUrls,
  expansion: Expansion,
  notesOf: DocumentPart,
): Promise<FoundRecord[]> {
  const ids = found.map(({ id }) => id);
  const rows = await findVisibleDocuments(database, viewer, ids);
  const selection = { of: (record: Record<string, unknown>) => record, isWhole: true };
  const records = await expandedRecords(database, viewer, rows, baseUrls, {
    expansion,
    selection,
    inDetail: false,
  });
  const byId = new Map((records as Document[]).map((record) => [record.id, record]));
  const notesById = await notesOf(viewer, rows, expansion.within("notes"));
  return ids.flatMap((id) => {
    const record = byId.get(id);
    return record === undefined ? [] : [presentFound(record, (notesById.get(id) ?? []) as readonly Note[])];
  });
}

/** Adds the passage that is nearest to the query, if the document was sorted by it and still has it. */
async function addNearest(
  database: Database,
  result: FoundRecord,
  passages: ReadonlyMap<number, Passage>,
): Promise<void> {
  const { page, index } = passages.get(Number(result.id)) ?? {};
  if (page === undefined || index === undefined) return;
  const [read] = await findPageTexts(database, Number(result.id), [page]);
  const text = passagesOf(read?.text ?? "")[index];
  if (text !== undefined) result.nearest_passage = { page_number: page, text };
}

/** Adds highlights to the results. Returns the number of matching pages of each document. */
async function highlight(
  database: Database,
  results: readonly FoundRecord[],
  plan: SearchPlan,
  limits: HighlightLimits,
): Promise<Map<number, number>> {
  const words = plan.words.filter(({ isLookedFor }) => isLookedFor);
  const documentIds = results.map(({ id }) => Number(id));
  const pageQuery = { documentIds, words, limit: limits.pages };
  const matching = await findMatchingPages(database, pageQuery, timeLimitSeconds);
  const languages = await findLanguages(database, documentIds);
  for (const result of results) {
    const id = Number(result.id);
    const { pages = [] } = matching.get(id) ?? {};
    const highlightedPages = pages.filter((page) => page < limits.lastPage);
    const inItsLanguage = inLanguage(words, languages.get(id) ?? usualLanguage);
    const found = await fragmentsOfPages(database, id, highlightedPages, inItsLanguage, 1);
    result.highlights = byPageName(found);
    result.note_highlights = highlightedNotes(result.notes, inItsLanguage);
  }
  return new Map([...matching].map(([id, { total }]) => [id, total]));
}

function highlightedNotes(
  notes: readonly FoundNote[],
  words: readonly WordsPlan[],
): NonNullable<FoundRecord["note_highlights"]> {
  const anywhere = words.filter(({ field }) => field === null);
  const fragmentsIn = (text: string): string[] => fragmentsOf(text, anywhere, 1);
  const highlights = notes.map(({ id, title, content_html }) => {
    return [id, { title: fragmentsIn(title), description: fragmentsIn(plainText(content_html)) }] as const;
  });
  return Object.fromEntries(
    highlights.filter(([, { title, description }]) => title.length + description.length > 0),
  );
}

/** A page that contains the words. */
export interface MatchingPage {
  /** Counts from 0. */
  page: number;
  /** May be empty, because the index can match words that the fragments do not find. */
  fragments: string[];
}

/** Yields to other requests after each page. */
export async function fragmentsOfPages(
  database: Database,
  documentId: number,
  pages: readonly number[],
  words: readonly WordsPlan[],
  max: number,
): Promise<MatchingPage[]> {
  const found: MatchingPage[] = [];
  if (pages.length === 0) return found;
  for (const { page, text } of await findPageTexts(database, documentId, pages)) {
    const ofPage = words.filter(({ field }) => isFieldOf(field, page));
    found.push({ page, fragments: fragmentsOf(text, ofPage, max) });
    await setImmediate();
  }
  return found;
}

export function byPageName(pages: readonly MatchingPage[]): Record<string, string[]> {
  const highlighted = pages.filter(({ fragments }) => fragments.length > 0);
  return Object.fromEntries(highlighted.map(({ page, fragments }) => [`page_no_${page + 1}`, fragments]));
}

export function isFieldOf(field: WordsPlan["field"], page: number): boolean {
  if (typeof field === "object" && field !== null) return field.page === page + 1;
  return field === null || field === "text";
}

/** Reports searches that take too long in DocumentCloud's words. */
export async function orUnavailable<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const code = error instanceof TooSlowError ? "time out" : error instanceof TooBusyError ? "other" : null;
    if (code === null) throw error;
    const body = { error: "There has been an error with your search query", code };
    throw new ApiError(503, body, { "retry-after": "5" });
  }
}

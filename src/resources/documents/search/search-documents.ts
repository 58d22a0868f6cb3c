import { setImmediate } from "node:timers/promises";
import { TooSlowError } from "../../../database/read-worker.ts";
import type { Database } from "../../../database/database.ts";
import { ApiError } from "../../../errors.ts";
import type { Expansion } from "../../../http/request/expansion.ts";
import type { Viewer } from "../../../http/request/viewer.ts";
import { fragmentsOf } from "../../../search/fragments.ts";
import { type SearchPlan, type WordsPlan, planSearch } from "../../../search/plan.ts";
import { TooBusyError } from "../../../semaphore.ts";
import { mayView } from "../access.ts";
import { type DocumentPart, expandedRecords } from "../record/expand.ts";
import type { Bases } from "../record/present.ts";
import { plainText } from "../pages/note-texts.ts";
import { type FoundNote, type FoundRecord, presentFound } from "./present-found.ts";
import { accessFacts, findDocumentRows } from "../store.ts";
import type { SearchRequest } from "./search-request.ts";
import { findMatchingPages, findPageTexts } from "./page-store.ts";
import { type FoundDocument, type NoteCondition, isFound, searchDocuments } from "./statement-store.ts";

/** Of all that is done for one request. */
const timeLimitSeconds = 20;

export interface SearchAnswer {
  total: number;
  results: FoundRecord[];
  /** The last of the page, if there may be more after it. */
  last: FoundDocument | null;
  /** By document, how many of its pages hold the words; only where pieces of them were asked for. */
  matchingPages: ReadonlyMap<number, number>;
}

/** Of which pages of a document pieces are shown. */
export interface HighlightLimits {
  /** How many pages. */
  pages: number;
  /** The number of the last one, from 1. */
  lastPage: number;
}

/** DocumentCloud finds later pages, but shows nothing of them. */
const usualHighlights: HighlightLimits = { pages: 150, lastPage: 150 };

/** Notes are further up than documents are. */
export interface SearchedNotes {
  /** Those that are searched. */
  condition: NoteCondition;
  /** Those of some documents, as results show them. */
  shown: DocumentPart;
}

/** One page of what was found, and how much was; 503 where it takes too long. */
export async function answerSearch(
  database: Database,
  viewer: Viewer,
  request: SearchRequest,
  bases: Bases,
  {
    expansion,
    notes,
    highlights = usualHighlights,
  }: { expansion: Expansion; notes: SearchedNotes; highlights?: HighlightLimits },
): Promise<SearchAnswer> {
  return orUnavailable(async () => {
    const plan = planSearch(request.query);
    const { start, perPage, ordering } = request;
    const at =
      "page" in start
        ? { after: null, offset: (start.page - 1) * perPage }
        : { after: start.after, offset: 0 };
    const search = { viewer, notes: notes.condition, plan, ordering, ...at, limit: perPage + 1 };
    const { total, documents } = await searchDocuments(database, search, timeLimitSeconds);
    const page = documents.slice(0, perPage);
    const results = await presented(database, viewer, page, bases, expansion, notes.shown);
    const matchingPages = request.isHighlighted
      ? await highlight(database, results, plan, highlights)
      : new Map<number, number>();
    const last = documents.length > perPage ? (page.at(-1) ?? null) : null;
    return { total, results, last, matchingPages };
  });
}

/** What may have gone, or become hidden, since it was found is left out. */
async function presented(
  database: Database,
  viewer: Viewer,
  found: readonly FoundDocument[],
  bases: Bases,
  expansion: Expansion,
  notesOf: DocumentPart,
): Promise<FoundRecord[]> {
  const ids = found.map(({ id }) => id);
  const rows = (await findDocumentRows(database, viewer, ids)).filter((row) =>
    mayView(viewer, accessFacts(row)),
  );
  const selection = { of: (record: Record<string, unknown>) => record, isWhole: true };
  const records = await expandedRecords(database, viewer, rows, bases, {
    expansion,
    selection,
    inDetail: false,
  });
  const byId = new Map<unknown, Record<string, unknown>>(records.map((record) => [record["id"], record]));
  const notesById = await notesOf(viewer, rows, expansion.within("notes"));
  return ids.flatMap((id) => {
    const record = byId.get(id);
    return record === undefined ? [] : [presentFound(record, notesById.get(id) ?? [])];
  });
}

/** Gives the results their pieces of text, and says how many pages of each hold the words. */
async function highlight(
  database: Database,
  results: readonly FoundRecord[],
  plan: SearchPlan,
  limits: HighlightLimits,
): Promise<Map<number, number>> {
  const words = plan.words.filter(({ isLookedFor }) => isLookedFor);
  const documentIds = results.map(({ id }) => Number(id));
  const asked = { documentIds, words, offset: 0, limit: limits.pages };
  const matching = await findMatchingPages(database, asked, timeLimitSeconds);
  for (const result of results) {
    const { pages = [] } = matching.get(Number(result.id)) ?? {};
    const shown = pages.filter((page) => page < limits.lastPage);
    const found = await fragmentsOfPages(database, Number(result.id), shown, words, 1);
    result.highlights = byPageName(found);
    result.note_highlights = highlightedNotes(result.notes, words);
  }
  return new Map([...matching].map(([id, { total }]) => [id, total]));
}

function highlightedNotes(
  notes: readonly FoundNote[],
  words: readonly WordsPlan[],
): NonNullable<FoundRecord["note_highlights"]> {
  const anywhere = words.filter(({ field }) => field === null);
  const piecesOf = (text: string): string[] => fragmentsOf(text, anywhere, 1);
  const pieces = notes.map(({ id, title, content_html }) => {
    return [id, { title: piecesOf(title), description: piecesOf(plainText(content_html)) }] as const;
  });
  return Object.fromEntries(
    pieces.filter(([, { title, description }]) => title.length + description.length > 0),
  );
}

/** How many pieces of one page are shown. */
const maxFragments = 25;
const maxPages = 1000;

/** A page that holds what was looked for; it counts from 0. A piece may be missing where the index knows better. */
export interface MatchingPage {
  page: number;
  fragments: string[];
}

/** Where in one document the words are, if it is what is asked for: pieces of its pages, by `page_no_<n>`. */
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

/** Some of the pages of one document that hold the words, if it is what is asked for, and how many do. */
export async function searchPages(
  database: Database,
  viewer: Viewer,
  documentId: number,
  { query }: SearchRequest,
  notes: NoteCondition,
  { offset, limit, fragments }: { offset: number; limit: number; fragments: number },
): Promise<{ total: number; pages: MatchingPage[] }> {
  return orUnavailable(async () => {
    const nothing = { total: 0, pages: [] };
    const plan = planSearch(query);
    if (!(await isFound(database, viewer, notes, plan, documentId, timeLimitSeconds))) return nothing;
    const words = plan.words.filter(({ isLookedFor }) => isLookedFor);
    const asked = { documentIds: [documentId], words, offset, limit };
    const matching = (await findMatchingPages(database, asked, timeLimitSeconds)).get(documentId);
    if (matching === undefined) return nothing;
    const pages = await fragmentsOfPages(database, documentId, matching.pages, words, fragments);
    return { total: matching.total, pages };
  });
}

/** Lets other requests be answered after each page. */
async function fragmentsOfPages(
  database: Database,
  documentId: number,
  pages: readonly number[],
  words: readonly WordsPlan[],
  most: number,
): Promise<MatchingPage[]> {
  const found: MatchingPage[] = [];
  if (pages.length === 0) return found;
  for (const { page, text } of await findPageTexts(database, documentId, pages)) {
    const ofPage = words.filter(({ field }) => isFieldOf(field, page));
    found.push({ page, fragments: fragmentsOf(text, ofPage, most) });
    await setImmediate();
  }
  return found;
}

function byPageName(pages: readonly MatchingPage[]): Record<string, string[]> {
  const shown = pages.filter(({ fragments }) => fragments.length > 0);
  return Object.fromEntries(shown.map(({ page, fragments }) => [`page_no_${page + 1}`, fragments]));
}

function isFieldOf(field: WordsPlan["field"], page: number): boolean {
  if (typeof field === "object" && field !== null) return field.page === page + 1;
  return field === null || field === "text";
}

/** In that API's words. */
async function orUnavailable<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const code = error instanceof TooSlowError ? "time out" : error instanceof TooBusyError ? "other" : null;
    if (code === null) throw error;
    const body = { error: "There has been an error with your search query", code };
    throw new ApiError(503, body, { "retry-after": "5" });
  }
}

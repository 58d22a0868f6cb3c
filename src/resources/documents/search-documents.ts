import { setImmediate } from "node:timers/promises";
import { TooSlowError } from "../../database/aside-reader.ts";
import type { Database } from "../../database/database.ts";
import { ApiError } from "../../errors.ts";
import type { Expansion } from "../../http/expansion.ts";
import type { Viewer } from "../../http/viewer.ts";
import { fragmentsOf } from "../../search/fragments.ts";
import { type SearchPlan, type WordsPlan, planSearch } from "../../search/plan.ts";
import { TooMuchAskedError } from "../../search/query-limits.ts";
import { TooBusyError } from "../../semaphore.ts";
import { mayView } from "./access.ts";
import { type DocumentPart, expandedRecords } from "./expand.ts";
import type { Bases } from "./present.ts";
import { plainText } from "./note-texts.ts";
import { type FoundNote, type FoundRecord, presentFound } from "./present-found.ts";
import { accessFacts, findDocumentRows } from "./row-store.ts";
import { type SearchRequest, tooMuchAsked } from "./search-request.ts";
import {
  type FoundDocument,
  type NoteCondition,
  findPagesWith,
  isFound,
  searchDocuments,
} from "./search-store.ts";

/** Of all that is done for one request. */
const timeLimitSeconds = 20;

export interface SearchAnswer {
  total: number;
  results: FoundRecord[];
  /** The last of the page, if there may be more after it. */
  last: FoundDocument | null;
}

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
  { expansion, notes }: { expansion: Expansion; notes: SearchedNotes },
): Promise<SearchAnswer> {
  return orUnavailable(async () => {
    const plan = await planSearch(database, request.query, timeLimitSeconds);
    const { start, perPage, ordering } = request;
    const at =
      "page" in start
        ? { after: null, offset: (start.page - 1) * perPage }
        : { after: start.after, offset: 0 };
    const search = { viewer, notes: notes.condition, plan, ordering, ...at, limit: perPage + 1 };
    const { total, documents } = await searchDocuments(database, search, timeLimitSeconds);
    const page = documents.slice(0, perPage);
    const results = await presented(database, viewer, page, bases, expansion, notes.shown);
    if (request.isHighlighted) await highlight(database, results, plan);
    return { total, results, last: documents.length > perPage ? (page.at(-1) ?? null) : null };
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

/** As in that API: pages beyond it are found, but not shown. */
const lastPageHighlighted = 150;

async function highlight(
  database: Database,
  results: readonly FoundRecord[],
  plan: SearchPlan,
): Promise<void> {
  const words = plan.words.filter(({ isLookedFor }) => isLookedFor);
  for (const result of results) {
    const pages = await findPagesWith(
      database,
      Number(result.id),
      words,
      lastPageHighlighted,
      timeLimitSeconds,
    );
    const shown = pages.filter(({ page }) => page < lastPageHighlighted);
    result.highlights = await fragmentsByPage(shown, words, 1);
    result.note_highlights = highlightedNotes(result.notes, words);
  }
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
const mostFragments = 25;
const mostPages = 1000;

/** Where in one document the words are, if it is what is asked for: pieces of its pages, by `page_no_<n>`. */
export async function searchWithin(
  database: Database,
  viewer: Viewer,
  documentId: number,
  { query }: SearchRequest,
  notes: NoteCondition,
): Promise<Record<string, string[]>> {
  return orUnavailable(async () => {
    const plan = await planSearch(database, query, timeLimitSeconds);
    const looked = plan.words.filter(({ isLookedFor }) => isLookedFor);
    if (!(await isFound(database, viewer, notes, plan, documentId, timeLimitSeconds))) return {};
    const pages = await findPagesWith(database, documentId, looked, mostPages, timeLimitSeconds);
    return fragmentsByPage(pages, looked, mostFragments);
  });
}

/** Lets others have their turn after each page. */
async function fragmentsByPage(
  pages: readonly { page: number; text: string }[],
  words: readonly WordsPlan[],
  most: number,
): Promise<Record<string, string[]>> {
  const byPage: Record<string, string[]> = {};
  for (const { page, text } of pages) {
    const ofPage = words.filter(({ field }) => isFieldOf(field, page));
    const fragments = fragmentsOf(text, ofPage, most);
    if (fragments.length > 0) byPage[`page_no_${page + 1}`] = fragments;
    await setImmediate();
  }
  return byPage;
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
    if (error instanceof TooMuchAskedError) throw tooMuchAsked(error);
    if (code === null) throw error;
    const body = { error: "There has been an error with your search query", code };
    throw new ApiError(503, body, { "retry-after": "5" });
  }
}

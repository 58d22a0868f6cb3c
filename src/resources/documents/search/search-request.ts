import { pageLimits, searchLimits } from "../../../contract/limits.ts";
import { ApiError, invalidCursor } from "../../../errors.ts";
import type { Query } from "../../../http/request/query.ts";
import type { Viewer } from "../../../http/request/viewer.ts";
import { parseQuery } from "../../../search/parse-query.ts";
import type { ParsedQuery, Query as Tree } from "../../../search/query-tree.ts";
import { fieldNamed } from "../../../search/query-fields.ts";
import { TooMuchAskedError } from "../../../search/query-limits.ts";
import { type Facet, readFacets } from "./facets.ts";
import { type SearchOrdering, readSearchOrdering } from "./orderings.ts";
import { type Position, sortedByMeaning } from "./position-store.ts";

/** The parameters of a search. */
export interface SearchRequest extends ParsedQuery {
  /** The query as it was sent, without the parameters beside it. */
  text: string;
  ordering: SearchOrdering;
  isHighlighted: boolean;
  perPage: number;
  facets: readonly Facet[];
  /**
   * The text to correct if nothing is found, and how a corrected text is read; null if the request does not ask for it.
   */
  spelling: { text: string; read: (text: string) => ParsedQuery } | null;
  /** The query may contain `NOW`, so its results may change with time. */
  mayDependOnTime: boolean;
  /** What the query means as a sentence; null if it is more exact than that. */
  meaning: string | null;
  /** Where the page begins: after a document, or (as in version 1 of DocumentCloud's search) a page number from 1. */
  start: { after: Position | null } | { page: number };
}

/**
 * A query in plain words, without its conditions on fields. A query with quotes, operators or wildcards means just what
 * it says.
 */
function meaningOf(text: string): string | null {
  const words = text
    .replaceAll(/(?<!\S)[+-]?\w+:(?:"[^"]*"|\([^)]*\)|[[{][^\]}]*[\]}]|[^\s"([{]+)/g, " ")
    .trim();
  const isExact = /["*~^\\()[\]{}]|(?:^|\s)[+!-]\S|&&|\|\||\b(?:AND|OR|NOT)\b/.test(words);
  return isExact || !/\p{L}/u.test(words) ? null : words;
}

/** A numbered page of the hits in one document. */
export interface HitsRequest {
  /** From 1. */
  page: number;
  perPage: number;
}

/** Reads the parameters of a paged search within a document; null if it is not paged. */
export function readHits(query: Query): HitsRequest | null {
  if (query.last("paged")?.toLowerCase() !== "true") return null;
  const page = /^0*([1-9]\d{0,8})$/.exec(query.last("page") ?? "")?.[1] ?? "1";
  return { page: Number(page), perPage: perPageOf(query, searchLimits.hitsPerPage) };
}

/**
 * Reads a search request. Throws 400 if it exceeds a limit or asks for an unknown facet, and 404 for an invalid cursor.
 */
export function readSearch(query: Query, viewer: Viewer): SearchRequest {
  const parsed = parsedQuery(query, viewer);
  const isNumbered = query.last("version") === "1.0";
  const sort = query.last("sort") ?? query.last("order") ?? parsed.sort ?? undefined;
  const isHighlighted = (query.last("hl") ?? parsed.highlighted ?? "").toLowerCase() === "true";
  const maxPerPage =
    viewer.kind === "anonymous" ? 25 : isNumbered || isHighlighted ? 100 : searchLimits.perPage;
  return {
    ...parsed,
    text: query.last("q") ?? "",
    meaning: meaningOf(query.last("q") ?? ""),
    ordering: readSearchOrdering(sort),
    isHighlighted,
    mayDependOnTime: namesNow(query),
    perPage: perPageOf(query, maxPerPage),
    facets: readFacets(query),
    spelling:
      query.last("suggest")?.toLowerCase() === "true" && !isOfRun(viewer)
        ? { text: query.last("q") ?? "", read: (text) => parsedQuery(query.with("q", text), viewer) }
        : null,
    start: isNumbered
      ? { page: pageOf(query, viewer.kind === "anonymous" ? 100 : searchLimits.page) }
      : { after: decodeSearchCursor(query.last("cursor")) },
  };
}

/** Corrections are words of all documents that a person may see. */
const isOfRun = (viewer: Viewer): boolean => viewer.kind === "user" && viewer.run !== undefined;

function parsedQuery(query: Query, viewer: Viewer): ParsedQuery {
  const parameters = [...query.entries()].flatMap(([name, values]) =>
    isField(name) ? values.map((value) => [name, value] as const) : [],
  );
  for (const [name, value] of parameters) {
    // Clients know this code from DocumentCloud.
    const error = `Syntax error in input: \`${name}=${value}\``;
    if (name === "id" && /^[\s()]*$/.test(value)) throw new ApiError(400, { error, code: "max_page" });
  }
  return readQueryText(query.last("q") ?? "", viewer, parameters);
}

/** Reads a search query. Throws 400 if it exceeds a limit. */
export function readQueryText(
  text: string,
  viewer: Viewer,
  parameters: readonly (readonly [name: string, value: string])[] = [],
): ParsedQuery {
  const hasPatterns = viewer.kind === "user";
  try {
    const parsed = parseQuery(text, { parameters, hasPatterns, now: new Date() });
    return { ...parsed, query: withinRun(parsed.query, viewer) };
  } catch (error) {
    throw error instanceof TooMuchAskedError ? tooMuchAsked(error) : error;
  }
}

/** The same query, among the documents of a run for the token of that run. */
function withinRun(query: Tree, viewer: Viewer): Tree {
  if (viewer.kind === "anonymous" || viewer.run === undefined) return query;
  const of = [...viewer.run.documents].map((value): Tree => {
    const bound = { value, isIncluded: true };
    return { kind: "range", field: "id", from: bound, to: bound };
  });
  return { kind: "and", of: [query, { kind: "or", of }] };
}

/**
 * Looks for `NOW` in any parameter, ignoring the backslashes that the query language removes. It may be just a word.
 */
function namesNow(query: Query): boolean {
  return [...query.entries()].some(([, values]) =>
    values.some((value) => value.replaceAll("\\", "").includes("NOW")),
  );
}

function tooMuchAsked({ message }: TooMuchAskedError): ApiError {
  return new ApiError(400, { error: message, code: "too_much" });
}

function isField(name: string): boolean {
  return fieldNamed(name.replace(/^-/, "")) !== null;
}

function perPageOf(query: Query, max: number): number {
  const text = query.last("per_page") ?? "";
  return /^\d+$/.test(text) && Number(text) > 0 ? Math.min(Number(text), max) : pageLimits.usual;
}

function pageOf(query: Query, last: number): number {
  const text = query.last("page") ?? "";
  const page = /^\d+$/.test(text) ? Math.max(1, Number(text)) : 1;
  if (page <= last) return page;
  // Repeats the text that was sent: a long number would lose its last digits.
  const error = `The selected \`page\` value of ${text.replace(/^0+/, "")} is over the limit of ${last}`;
  throw new ApiError(400, { error, code: "max_page" });
}

/** Encodes a document's position in the results as a cursor. */
export function encodeSearchCursor({ value, created_at, id, totals, counted, ahead }: Position): string {
  const parts: unknown[] = [value, created_at, id];
  if (totals !== null || counted !== null) parts.push(totals);
  if (counted !== null) parts.push(counted.total, counted.of);
  else if (ahead.length > 0) parts.push(null, null, ahead);
  return Buffer.from(JSON.stringify(parts)).toString("base64url");
}

/** `*` means the start, as in DocumentCloud. */
function decodeSearchCursor(cursor: string | undefined): Position | null {
  if (cursor === undefined || cursor === "" || cursor === "*") return null;
  let parts: unknown;
  try {
    parts = JSON.parse(Buffer.from(cursor, "base64url").toString());
  } catch {
    throw invalidCursor();
  }
  const [value, created_at, id, totals = null, total, of, ahead = []] = Array.isArray(parts)
    ? (parts as unknown[])
    : [];
  const isValue =
    value === null || Number.isSafeInteger(value) || (typeof value === "string" && isStorable(value));
  const isMoment = typeof created_at === "string" && /^[\d:.TZ-]{1,40}$/.test(created_at);
  if (!isValue || !isMoment || !Number.isSafeInteger(id)) throw invalidCursor();
  if (!areTotals(totals) || !areAhead(ahead)) throw invalidCursor();
  const isCounted = isCount(total) && typeof of === "string";
  const counted = isCounted ? { total, of } : null;
  return { value: value as Position["value"], created_at, id: id as number, totals, counted, ahead };
}

function areAhead(value: unknown): value is Position["ahead"] {
  return Array.isArray(value) && value.length <= sortedByMeaning && value.every(isAhead);
}

function isAhead(value: unknown): boolean {
  return Array.isArray(value) && (value.length === 1 || value.length === 3) && value.every(isCount);
}

function areTotals(value: unknown): value is Position["totals"] {
  return value === null || (Array.isArray(value) && value.every(isCount));
}

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0;

/** PostgreSQL's text type cannot contain NUL. */
function isStorable(text: string): boolean {
  return !text.includes("\0") && text.isWellFormed();
}

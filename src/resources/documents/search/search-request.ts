import { ApiError, invalidCursor } from "../../../errors.ts";
import type { Query } from "../../../http/request/query.ts";
import type { Viewer } from "../../../http/request/viewer.ts";
import { type ParsedQuery, parseQuery } from "../../../search/parse-query.ts";
import { fieldNamed } from "../../../search/query-fields.ts";
import { TooMuchAskedError } from "../../../search/query-limits.ts";
import { type SearchOrdering, readSearchOrdering } from "./orderings.ts";
import type { FoundDocument } from "./statement-store.ts";

/** A search as it was asked for. */
export interface SearchRequest extends ParsedQuery {
  ordering: SearchOrdering;
  isHighlighted: boolean;
  perPage: number;
  /** It may name a moment by `NOW`: another time it may be answered in another way. */
  mayDependOnTime: boolean;
  /** Where the page begins: after a document, or (as in version 1 of that API) by its number, from 1. */
  start: { after: FoundDocument | null } | { page: number };
}

const defaultPerPage = 25;

/** Reads what a client asks for; 400 where it is more than is answered, 404 for a cursor that is none. */
export function readSearch(query: Query, viewer: Viewer): SearchRequest {
  const parsed = parsedQuery(query, viewer);
  const isNumbered = query.last("version") === "1.0";
  const asked = query.last("sort") ?? query.last("order") ?? parsed.sort ?? undefined;
  const isHighlighted = (query.last("hl") ?? parsed.highlighted ?? "").toLowerCase() === "true";
  const maxPerPage = viewer.kind === "anonymous" ? 25 : isNumbered || isHighlighted ? 100 : 1000;
  return {
    ...parsed,
    ordering: readSearchOrdering(asked),
    isHighlighted,
    mayDependOnTime: namesNow(query),
    perPage: perPageOf(query, maxPerPage),
    start: isNumbered
      ? { page: pageOf(query, viewer.kind === "anonymous" ? 100 : 1000) }
      : { after: decodePlace(query.last("cursor")) },
  };
}

function parsedQuery(query: Query, viewer: Viewer): ParsedQuery {
  const parameters = [...query.entries()].flatMap(([name, values]) =>
    isField(name) ? values.map((value) => [name, value] as const) : [],
  );
  for (const [name, value] of parameters) {
    // The code is that API's, which clients know.
    const error = `Syntax error in input: \`${name}=${value}\``;
    if (name === "id" && /^[\s()]*$/.test(value)) throw new ApiError(400, { error, code: "max_page" });
  }
  const hasPatterns = viewer.kind === "user";
  try {
    return parseQuery(query.last("q") ?? "", { parameters, hasPatterns, now: new Date() });
  } catch (error) {
    throw error instanceof TooMuchAskedError ? tooMuchAsked(error) : error;
  }
}

/** In any parameter, with or without the backslashes that the language takes away; also where it is just a word. */
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

function perPageOf(query: Query, most: number): number {
  const text = query.last("per_page") ?? "";
  return /^\d+$/.test(text) && Number(text) > 0 ? Math.min(Number(text), most) : defaultPerPage;
}

function pageOf(query: Query, last: number): number {
  const text = query.last("page") ?? "";
  const page = /^\d+$/.test(text) ? Math.max(1, Number(text)) : 1;
  if (page <= last) return page;
  // As it was sent: a number may be too long for its last digits to be known.
  const error = `The selected \`page\` value of ${text.replace(/^0+/, "")} is over the limit of ${last}`;
  throw new ApiError(400, { error, code: "max_page" });
}

/** A place in the order of what was found, for a link. */
export function encodePlace({ value, created_at, id }: FoundDocument): string {
  return Buffer.from(JSON.stringify([value, created_at, id])).toString("base64url");
}

/** `*` is the start, as in that API. */
function decodePlace(cursor: string | undefined): FoundDocument | null {
  if (cursor === undefined || cursor === "" || cursor === "*") return null;
  let parts: unknown;
  try {
    parts = JSON.parse(Buffer.from(cursor, "base64url").toString());
  } catch {
    throw invalidCursor();
  }
  const [value, created_at, id] = Array.isArray(parts) ? (parts as unknown[]) : [];
  const isValue =
    value === null || Number.isSafeInteger(value) || (typeof value === "string" && isStorable(value));
  const isMoment = typeof created_at === "string" && /^[\d:.TZ-]{1,40}$/.test(created_at);
  if (!isValue || !isMoment || !Number.isSafeInteger(id)) throw invalidCursor();
  return { value: value as FoundDocument["value"], created_at, id: id as number };
}

/** PostgreSQL's text holds no NUL. */
function isStorable(text: string): boolean {
  return !text.includes("\0") && text.isWellFormed();
}

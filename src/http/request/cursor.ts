import { invalidCursor } from "../../errors.ts";

/**
 * A place between two rows of an ordered list, and which way to read from it. `key` is the sort key of the row
 * beside that place, whole: the ordering's own value, if it has one besides the id, and the id. No key: the
 * list's end that the direction starts from.
 */
export interface Cursor {
  reverse: boolean;
  /** Rows to pass over, counted from the place. That API's cursors may hold one. */
  offset: number;
  /** Which ordering the key belongs to; null is the default one, by id. */
  ordering: string | null;
  key: CursorKey | null;
}

export interface CursorKey {
  id: number;
  /** The value the ordering sorts by; absent in the default ordering, null for a row that has none. */
  value?: string | number | null;
}

export const listStart: Cursor = { reverse: false, offset: 0, ordering: null, key: null };

const offsetLimit = 1000;

/**
 * In the default ordering a cursor is written as Django REST framework's CursorPagination writes one for a unique
 * key (base64 of `o=<offset>&r=1&p=<id>`, empty parts left out), so that cursors which clients have stored stay
 * good. Other orderings, which that API does not have, are base64 of a JSON array.
 */
export function encodeCursor({ reverse, offset, ordering, key }: Cursor): string {
  if (ordering !== null) return toBase64(JSON.stringify([ordering, reverse ? 1 : 0, key?.id, key?.value]));
  const parts = [];
  if (offset !== 0) parts.push(`o=${offset}`);
  if (reverse) parts.push("r=1");
  if (key !== null) parts.push(`p=${key.id}`);
  return toBase64(parts.join("&"));
}

/** The cursor in a `cursor` parameter; the list's start when there is none. Throws "Invalid cursor" (404). */
export function decodeCursor(encoded: string | undefined, ordering: string | null): Cursor {
  if (encoded === undefined || encoded === "") return { ...listStart, ordering };
  const text = fromBase64(encoded);
  if (text === null) throw invalidCursor();
  if (text === "") return { ...listStart, ordering };
  const cursor = text.startsWith("[") ? decodeOrdered(text) : decodeDefault(text);
  // The last page (`r=1`) and the first need no key, and so belong to every ordering.
  if (cursor.key === null && cursor.ordering === null) return { ...cursor, ordering };
  if (cursor.ordering !== ordering) throw invalidCursor();
  return cursor;
}

function decodeDefault(text: string): Cursor {
  const parts = new URLSearchParams(text);
  const offset = parts.get("o") ?? "0";
  // That API reads any number as a direction, by its truth.
  const reverse = parts.get("r") ?? "0";
  if (!isAscii(text) || !/^\d{1,15}$/.test(offset) || !/^-?\d{1,15}$/.test(reverse)) throw invalidCursor();
  const position = parts.get("p");
  const key = position === null ? null : { id: readId(position) };
  return {
    reverse: Number(reverse) !== 0,
    offset: Math.min(Number(offset), offsetLimit),
    ordering: null,
    key,
  };
}

function readId(text: string): number {
  if (!/^-?\d{1,19}$/.test(text)) throw invalidCursor();
  return Math.max(-Number.MAX_SAFE_INTEGER, Math.min(Number(text), Number.MAX_SAFE_INTEGER));
}

function decodeOrdered(text: string): Cursor {
  const parts = parseArray(text);
  const [ordering, reverse, id, value] = parts;
  const wellFormed =
    parts.length === 4 &&
    typeof ordering === "string" &&
    (reverse === 0 || reverse === 1) &&
    Number.isSafeInteger(id) &&
    (value === null || Number.isSafeInteger(value) || isStorable(value));
  if (!wellFormed) throw invalidCursor();
  const key: CursorKey = { id: id as number, value: value as string | number | null };
  return { reverse: reverse === 1, offset: 0, ordering, key };
}

/** PostgreSQL's text holds no NUL. */
function isStorable(value: unknown): boolean {
  return typeof value === "string" && !value.includes("\0") && value.isWellFormed();
}

function parseArray(text: string): unknown[] {
  try {
    const parsed: unknown = JSON.parse(text);
    return Array.isArray(parsed) ? parsed : [];
  } catch {
    return [];
  }
}

function isAscii(text: string): boolean {
  return /^\p{ASCII}*$/u.test(text);
}

function toBase64(text: string): string {
  return Buffer.from(text).toString("base64");
}

/**
 * As Python's lenient decoder: ASCII that is not a letter of base64 is passed over, padding ends the text, and a
 * length that cannot be is an error (null).
 */
function fromBase64(encoded: string): string | null {
  if (!isAscii(encoded)) return null;
  const letters = encoded.replaceAll(/[^A-Za-z0-9+/=]/g, "");
  const padding = letters.search(/=/);
  const body = padding === -1 ? letters : letters.slice(0, padding);
  const missing = (4 - (body.length % 4)) % 4;
  const padded = padding === -1 ? 0 : letters.slice(padding).replaceAll(/[^=]/g, "").length;
  if (missing === 3 || missing > padded) return null;
  return Buffer.from(body, "base64").toString();
}

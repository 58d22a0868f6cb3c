import { invalidCursor } from "../../errors.ts";

/**
 * A position between two rows of an ordered list, and the direction in which to read from it. `key` is the full sort
 * key of the row beside that position: the ordering's own value, if it has one besides the id, and the id. Without a
 * key, the position is the end of the list from which the direction starts.
 */
export interface Cursor {
  reverse: boolean;
  /** The number of rows to skip from that position. DocumentCloud's cursors may hold one. */
  offset: number;
  /** The ordering to which the key belongs; null is the default one, by id. */
  ordering: string | null;
  key: CursorKey | null;
}

export interface CursorKey {
  id: number;
  /** The value that the ordering sorts by; absent in the default ordering, null if the row has no value. */
  value?: string | number | null;
}

export const listStart: Cursor = { reverse: false, offset: 0, ordering: null, key: null };

const offsetLimit = 1000;

/**
 * In the default ordering a cursor has the format of Django REST framework's CursorPagination for a unique key
 * (base64 of `o=<offset>&r=1&p=<id>`, empty parts left out), so that cursors which clients have stored remain valid.
 * Cursors of other orderings, which DocumentCloud does not have, are base64 of a JSON array.
 */
export function encodeCursor({ reverse, offset, ordering, key }: Cursor): string {
  if (ordering !== null) return toBase64(JSON.stringify([ordering, reverse ? 1 : 0, key?.id, key?.value]));
  const parts = [];
  if (offset !== 0) parts.push(`o=${offset}`);
  if (reverse) parts.push("r=1");
  if (key !== null) parts.push(`p=${key.id}`);
  return toBase64(parts.join("&"));
}

/** An ordering that cursors name. */
export interface CursorOrdering {
  name: string;
  /** Whether a row may have this value. */
  mayHave(value: CursorKey["value"]): boolean;
}

/**
 * Decodes a `cursor` parameter; the start of the list if there is none. `ordering` is null for the default one. Throws
 * "Invalid cursor" (404).
 */
export function decodeCursor(encoded: string | undefined, ordering: CursorOrdering | null): Cursor {
  const name = ordering?.name ?? null;
  if (encoded === undefined || encoded === "") return { ...listStart, ordering: name };
  const text = fromBase64(encoded);
  if (text === null) throw invalidCursor();
  if (text === "") return { ...listStart, ordering: name };
  const cursor = text.startsWith("[") ? decodeOrdered(text) : decodeDefault(text);
  // The cursors of the first and the last page (`r=1`) need no key, so they are valid in every ordering.
  if (cursor.key === null && cursor.ordering === null) return { ...cursor, ordering: name };
  if (cursor.ordering !== name || ordering?.mayHave(cursor.key?.value) === false) throw invalidCursor();
  return cursor;
}

const plainPosition = /^p=(\d{1,15})$/;

function decodeDefault(text: string): Cursor {
  const [, id] = plainPosition.exec(text) ?? [];
  if (id !== undefined) return { ...listStart, key: { id: Number(id) } };
  const parts = new URLSearchParams(text);
  const offset = parts.get("o") ?? "0";
  // Django REST framework accepts any number here: all but 0 mean reverse.
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

/** PostgreSQL cannot store NUL in a text. */
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
 * Decodes as Python's lenient decoder does: ASCII outside the base64 alphabet is skipped, padding ends the text, and
 * an impossible length is an error (null).
 */
function fromBase64(encoded: string): string | null {
  if (encoded.length % 4 === 0 && /^[A-Za-z0-9+/]+={0,2}$/.test(encoded)) {
    return Buffer.from(encoded, "base64").toString();
  }
  if (!isAscii(encoded)) return null;
  const letters = encoded.replaceAll(/[^A-Za-z0-9+/=]/g, "");
  const padding = letters.search(/=/);
  const body = padding === -1 ? letters : letters.slice(0, padding);
  const missing = (4 - (body.length % 4)) % 4;
  const padded = padding === -1 ? 0 : letters.slice(padding).replaceAll(/[^=]/g, "").length;
  if (missing === 3 || missing > padded) return null;
  return Buffer.from(body, "base64").toString();
}

import { ApiError } from "../errors.ts";
import { readFields } from "../http/fields/fields.ts";
import { timestampNow } from "../http/text/timestamp.ts";
import type { NewRow } from "../database/transfer/added-rows.ts";
import {
  type Fields,
  RecordError,
  countIn,
  expected,
  idIn,
  isFields,
  isId,
  momentIn,
  textIn,
} from "../import/record-fields.ts";
import { firstNotePart, partOfPage } from "../search/parts.ts";
import { maxWordsOfPage } from "../processing/pdfium/page-words.ts";
import { type Correction, isCorrection } from "../resources/documents/pages/correction-store.ts";
import { newOccurrenceFields } from "../resources/entities/fields.ts";
import type { DocumentDetails } from "./archive-files.ts";

/** An upper bound for the text of any page. */
const maxTextLength = 32 * 1024 * 1024;

/** The result of `read`; null if the value is not valid. */
export function unlessInvalid<T>(value: unknown, read: (fields: Fields) => T): T | null {
  try {
    return isFields(value) ? read(value) : null;
  } catch (error) {
    if (error instanceof RecordError || error instanceof ApiError) return null;
    throw error;
  }
}

/** @throws {RecordError} */
export function readDetails(fields: Fields): DocumentDetails {
  const shared: unknown = fields["shared_projects"] ?? [];
  if (!Array.isArray(shared) || !shared.every(isId)) throw expected("shared_projects", "an array of ids");
  const { asset_url, received } = fields;
  if (asset_url !== null && typeof asset_url !== "string") throw expected("asset_url", "an address or null");
  return { asset_url, shared_projects: shared, received: isFields(received) ? receivedIn(received) : null };
}

function receivedIn(fields: Fields): DocumentDetails["received"] {
  const sha1 = textIn(fields, "sha1", 40);
  if (!/^[0-9a-f]{40}$/.test(sha1)) throw expected("sha1", "40 hexadecimal digits in lower case");
  return { sha1, extension: textIn(fields, "extension", 50) };
}

/** A page of a document with this id and number of pages, as a row. */
export function readPage(
  fields: Fields,
  document: { id: number; page_count: number },
): NewRow & { document_id: number; page: number; text: string } {
  const page = countIn(fields, "page", 0);
  if (page >= document.page_count || partOfPage(page) >= firstNotePart)
    throw expected("page", `a number below ${document.page_count}`);
  const words: unknown = fields["words"] ?? null;
  if (words !== null && !(Array.isArray(words) && words.length <= maxWordsOfPage && words.every(isPageWord)))
    throw expected("words", "positions");
  return {
    document_id: document.id,
    page,
    text: textIn(fields, "text", maxTextLength),
    ocr: textOrNullIn(fields, "ocr", 100),
    confidence: confidenceIn(fields),
    ocr_language: textOrNullIn(fields, "ocr_language", 100),
    layer: textOrNullIn(fields, "layer", maxTextLength),
    words: words === null ? null : JSON.stringify(words),
    fault: textOrNullIn(fields, "fault", 10_000),
  };
}

function isPageWord(value: unknown): boolean {
  if (!isFields(value)) return false;
  const { text, upright, direction } = value;
  return (
    typeof text === "string" &&
    typeof upright === "boolean" &&
    (direction === 1 || direction === -1) &&
    ["x1", "x2", "y1", "y2"].every((name) => Number.isFinite(value[name]))
  );
}

function confidenceIn(fields: Fields): number | null {
  const value = fields["confidence"] ?? null;
  if (value === null || (typeof value === "number" && value >= 0 && value <= 100)) return value;
  throw expected("confidence", "a number from 0 to 100");
}

function textOrNullIn(fields: Fields, name: string, maxLength: number): string | null {
  return (fields[name] ?? null) === null ? null : textIn(fields, name, maxLength);
}

/** An entity of a document with this id and number of pages, as a row. */
export function readOccurrence(
  fields: Fields,
  document: { id: number; page_count: number },
): NewRow & { entity_id: number } {
  const table = newOccurrenceFields(document);
  const {
    entity = 0,
    relevance = 0,
    occurrences = [],
  } = readFields(table, new Map(Object.entries(fields)), "whole");
  return { document_id: document.id, entity_id: entity, relevance, occurrences: JSON.stringify(occurrences) };
}

/** A correction of what a document mentions, as a row. */
export function readCorrection(fields: Fields, document_id: number): NewRow & Correction {
  const { kind, value, becomes = null } = fields;
  const correction = { kind, value, becomes };
  if (!isCorrection(correction)) throw new RecordError("expected a correction of mentions");
  return { document_id, ...correction };
}

const isPair = (change: unknown): boolean => Array.isArray(change) && change.length === 2;

/** An entry of a document's history, as a row. */
export function readHistory(fields: Fields, documentId: number): NewRow & { user_id: number | null } {
  const changes = fields["changes"] ?? {};
  if (!isFields(changes) || !Object.values(changes).every(isPair))
    throw expected("changes", "pairs of values");
  return {
    document_id: documentId,
    at: momentIn(fields, "at") ?? timestampNow(),
    user_id: fields["user"] === null ? null : idIn(fields, "user"),
    action: textIn(fields, "action", 100),
    changes: JSON.stringify(changes),
  };
}

/** A receipt of what happened to a document's file, as a row. */
export function readReceipt(fields: Fields, documentId: number): NewRow {
  const { outcome, details = {} } = fields;
  if (outcome !== "done" && outcome !== "failed") throw expected("outcome", "done or failed");
  if (!isFields(details)) throw expected("details", "an object");
  return {
    document_id: documentId,
    step: textIn(fields, "step", 100),
    outcome,
    at: momentIn(fields, "at") ?? timestampNow(),
    milliseconds: countIn(fields, "milliseconds", 0),
    details: JSON.stringify(details),
  };
}

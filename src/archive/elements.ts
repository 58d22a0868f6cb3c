import type { CopiedRow } from "../database/transfer/snapshot.ts";

/* The elements of an archive's lists, made from rows of the database. */

export const parsed = (text: unknown): unknown => JSON.parse(String(text));

/** The row without its null members. */
function withoutNulls(row: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null));
}

export function pageElement({
  page,
  text,
  ocr,
  confidence,
  ocr_language,
  layer,
  words,
  fault,
}: CopiedRow): unknown {
  const positions = words === null ? null : parsed(words);
  return withoutNulls({ page, text, ocr, confidence, ocr_language, layer, words: positions, fault });
}

export function noteElement(row: CopiedRow): unknown {
  const { id, user_id: user, organization_id: organization, page_number, access, title, content } = row;
  const { x1, x2, y1, y2, created_at, updated_at } = row;
  const facts = { id, user, organization, page_number, access, title, content };
  return { ...facts, x1, x2, y1, y2, created_at, updated_at };
}

export const sectionElement = ({ id, page_number, title }: CopiedRow): unknown => ({
  id,
  page_number,
  title,
});

export const correctionElement = ({ kind, value, becomes }: CopiedRow): unknown => ({ kind, value, becomes });

/** `hasHashes`: whether it may name the hashes of earlier files. */
export function historyElement({ at, user_id, action, changes }: CopiedRow, hasHashes: boolean): unknown {
  return { at, user: user_id, action, changes: parsedWithout(changes, hasHashes ? [] : ["file_hash"]) };
}

/** `hasHashes`: whether it may name the hashes of the files that arrived and were read. */
export function receiptElement(
  { at, step, outcome, milliseconds, details }: CopiedRow,
  hasHashes: boolean,
): unknown {
  return {
    at,
    step,
    outcome,
    milliseconds,
    details: parsedWithout(details, hasHashes ? [] : ["sha1", "sha256"]),
  };
}

function parsedWithout(text: unknown, names: readonly string[]): unknown {
  const members = Object.entries(parsed(text) as object);
  return Object.fromEntries(members.filter(([name]) => !names.includes(name)));
}

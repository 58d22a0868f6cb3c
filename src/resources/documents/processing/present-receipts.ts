import type { PendingDocument } from "../file-facts-store.ts";
import type { ReceiptRow } from "../receipt-store.ts";

/** What happened to a document's file, as the API shows it. */
export function presentReceipt({
  id,
  step,
  outcome,
  at,
  milliseconds,
  details: text,
}: ReceiptRow): Record<string, unknown> {
  const details = JSON.parse(text) as Record<string, unknown>;
  // A page without an image, or without its text, does not keep the others from being found.
  const goesOn = outcome === "done" || step === "recognised" || step === "rendered";
  const next = goesOn ? stepAfter(step, details) : null;
  return { id, at, step, outcome, milliseconds, next, ...details };
}

/** Null where nothing follows by itself. */
function stepAfter(step: string, { of, next }: Readonly<Record<string, unknown>>): string | null {
  if (step === "received" || step === "fetched") return "stored";
  if (step === "stored") return typeof next === "string" ? next : null;
  if (step === "converted") return "read";
  if (step === "read" || step === "recognised" || step === "rendered") return "indexed";
  return step === "postponed" && typeof of === "string" ? of : null;
}

/**
 * What is left to do for a document, as clients of DocumentCloud read it: null is not known yet. They draw their progress
 * from all three numbers. Images and positions are made when they are asked for, so a page counts in all three until its
 * text is there.
 */
export function presentPending({
  id,
  status,
  page_count,
  done,
  total,
}: PendingDocument): Record<string, unknown> {
  const isKnown = status === "readable";
  const pages = Math.max(page_count, total ?? 0);
  const left = total === null ? pages : Math.max(0, total - (done ?? 0));
  const shown = isKnown ? left : null;
  return { doc_id: id, images: shown, texts: shown, text_positions: shown, pages: isKnown ? pages : null };
}

/** A step that failed, as clients of that API read errors. */
export function presentError({ id, at, details }: ReceiptRow): Record<string, unknown> {
  const { message } = JSON.parse(details) as { message?: string };
  return { id, created_at: at, message: message ?? "" };
}

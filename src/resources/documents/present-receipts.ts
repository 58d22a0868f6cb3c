import type { ReceiptRow } from "./receipt-store.ts";

/** What happened to a document's file, as the API shows it. */
export function presentReceipt({
  id,
  step,
  outcome,
  at,
  milliseconds,
  details,
}: ReceiptRow): Record<string, unknown> {
  return { id, at, step, outcome, milliseconds, ...(JSON.parse(details) as Record<string, unknown>) };
}

/** A step that failed, as clients of that API read errors. */
export function presentError({ id, at, details }: ReceiptRow): Record<string, unknown> {
  const { message } = JSON.parse(details) as { message?: string };
  return { id, created_at: at, message: message ?? "" };
}

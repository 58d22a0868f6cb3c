import type { DocumentError, Receipt } from "../../../contract/work.ts";
import type { LeftOut } from "../../../processing/unpack/unpacking.ts";
import type { PendingDocument } from "../file-facts-store.ts";
import type { ReceiptRow } from "../receipt-store.ts";

/** A receipt of what happened to a document's file, as the API shows it. */
export function presentReceipt({ id, step, outcome, at, milliseconds, details: text }: ReceiptRow): Receipt {
  const details = JSON.parse(text) as Record<string, unknown>;
  // A page without an image or text does not keep the others from being indexed.
  const goesOn = outcome === "done" || step === "recognised" || step === "rendered";
  const next = goesOn ? stepAfter(step, details) : null;
  return { id, at, step, outcome, milliseconds, next, ...details };
}

/** The step that follows by itself; null if none does. */
function stepAfter(step: string, { of, next }: Readonly<Record<string, unknown>>): string | null {
  if (step === "received" || step === "fetched") return "stored";
  if (step === "stored") return typeof next === "string" ? next : null;
  if (step === "converted") return "read";
  if (step === "read" || step === "recognised" || step === "rendered") return "indexed";
  return step === "postponed" && typeof of === "string" ? of : null;
}

/**
 * The remaining work on a document, in DocumentCloud's form; null means not yet known. Clients draw their progress bar
 * from all three numbers. Quire makes images and positions on demand, so a page counts in all three until its text is
 * ready.
 */
export function presentPending({
  id,
  status,
  page_count,
  done,
  total,
}: PendingDocument): Record<string, unknown> {
  const isKnown = total !== null || status === "readable";
  const pages = Math.max(page_count, total ?? 0);
  const left = total === null ? pages : Math.max(0, total - (done ?? 0));
  const remaining = isKnown ? left : null;
  return {
    doc_id: id,
    images: remaining,
    texts: remaining,
    text_positions: remaining,
    pages: isKnown ? pages : null,
  };
}

/** A step that failed, or that failed for some files of a container, in DocumentCloud's form of an error. */
export function presentError({ id, at, details }: ReceiptRow): DocumentError {
  const { message = "", ...unpacked } = JSON.parse(details) as { message?: string } & UnpackedDetails;
  const parts = [message, leftOutInWords(unpacked)].filter((part) => part !== "");
  return { id, created_at: at, message: parts.join(". ") };
}

interface UnpackedDetails {
  left_out?: readonly LeftOut[];
  left_out_count?: number;
}

/** How many files an error names; the receipt has more of them. */
const maxNamed = 10;

function leftOutInWords({
  left_out: files = [],
  left_out_count: count = files.length,
}: UnpackedDetails): string {
  if (count === 0) return "";
  const named = files.slice(0, maxNamed).map(({ path, reason }) => `${path} (${reason})`);
  const more = count > named.length ? `, and ${count - named.length} more` : "";
  const head = count === 1 ? "1 file in it was left out" : `${count} files in it were left out`;
  return `${head}: ${named.join(", ")}${more}`;
}

import type { Quotation, QuotedDocument } from "../../contract/quotation.ts";
import type { Context } from "../../context.ts";
import { notFound, tooBusy } from "../../errors.ts";
import type { Viewer } from "../../http/request/viewer.ts";
import type { PdfReadings } from "../documents/files/pdf-reading-queue.ts";
import { documentAddress } from "../documents/present.ts";
import type { NoteCondition } from "../documents/search/page-store.ts";
import { type DocumentRow, findDocument } from "../documents/store.ts";
import type { QuotationTest } from "./find-quotation.ts";
import { findPagesWithPhrase } from "./phrase-pages.ts";
import { type FoundOnPages, findOnPages, findPossiblePages } from "./quoted-pages.ts";
import { findRedactions, latest } from "./redaction-store.ts";

/** Where a quotation is looked for. */
export type QuotationScope = "anywhere" | { document: number; page: number | null };

export interface QuotationRequest {
  quotation: QuotationTest;
  scope: QuotationScope;
  viewer: Viewer;
  /** The base URL of pages for people. */
  web: string;
  notes: NoteCondition;
}

/** If the place of a passage is not given, it is looked for in so many documents, and on so many pages of each. */
const anywhere = { documents: 25, pages: 10 };
/** A document that changes while it is checked is checked again. */
const maxAttempts = 5;

/** Whether a quotation stands where the request says, as its viewer may see it now. */
export async function checkQuotation(
  context: Pick<Context, "database" | "files">,
  pdfs: PdfReadings,
  request: QuotationRequest,
): Promise<Quotation> {
  const { quotation, scope, viewer } = request;
  if (scope !== "anywhere") {
    const checked = await checkIn(context, pdfs, request, scope.document, scope.page);
    if (checked === null) throw notFound();
    const { document, hasText } = checked;
    const isVerified = document.matches.length > 0;
    const reason = !hasText ? "no_text" : document.redacted_at === null ? "not_found" : "redacted";
    return { verified: isVerified, reason: isVerified ? null : reason, documents: [document] };
  }
  const found = await findPagesWithPhrase(context.database, viewer, quotation.phrase, {
    notes: request.notes,
    ...anywhere,
  });
  const documents: QuotedDocument[] = [];
  for (const { document, pages } of found) {
    const checked = await checkIn(context, pdfs, request, document, pages);
    if (checked !== null && checked.document.matches.length > 0) documents.push(checked.document);
  }
  const isVerified = documents.length > 0;
  return { verified: isVerified, reason: isVerified ? null : "not_found", documents };
}

/** What a document has of a quotation, on one page, on some, or on all (null). Null if the viewer may not see it. */
async function checkIn(
  context: Pick<Context, "database" | "files">,
  pdfs: PdfReadings,
  { quotation, viewer, web }: QuotationRequest,
  id: number,
  where: number | readonly number[] | null,
): Promise<{ document: QuotedDocument; hasText: boolean } | null> {
  for (let attempt = 0; attempt < maxAttempts; attempt++) {
    const row = await findDocument(context.database, viewer, id);
    if (row === null) return null;
    const possible = where === null ? await findPossiblePages(context, id, quotation) : null;
    const pages = possible?.pages ?? [where].flat().filter((page): page is number => page !== null);
    const found = await findOnPages(context, pdfs, row, quotation, pages);
    const redactions = await findRedactions(context.database.reader, id);
    const after = await findDocument(context.database, viewer, id);
    if (after === null) return null;
    if (after.revision !== row.revision) continue;
    const ofPages =
      where === null ? [...redactions.pages.values()] : pages.map((page) => redactions.pages.get(page));
    const redacted = latest([redactions.somewhere, ...ofPages.map((at) => at ?? null)]);
    const hasText = possible?.hasText ?? found.hasText;
    return { document: presentQuoted(row, web, quotation, found, redacted), hasText };
  }
  throw tooBusy(1);
}

function presentQuoted(
  row: DocumentRow,
  web: string,
  { phrase }: QuotationTest,
  { matches }: FoundOnPages,
  redacted: string | null,
): QuotedDocument {
  const canonical_url = documentAddress(web, row);
  return {
    id: row.id,
    title: row.title,
    canonical_url,
    file_hash: row.file_hash,
    revision: row.revision,
    redacted_at: redacted,
    matches: matches.map(({ page, text, boxes }) => ({
      page_number: page,
      text,
      boxes,
      canonical_url: `${canonical_url}?q=${encodeURIComponent(`"${phrase}"`)}#document/p${page + 1}`,
    })),
  };
}

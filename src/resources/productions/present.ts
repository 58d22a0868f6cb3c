import type { BatesRange, ProducedDocument, Production } from "./shapes.ts";
import { documentAddress } from "../documents/present.ts";
import type { DocumentRow } from "../documents/store.ts";
import { lastNumber, written } from "./numbers.ts";
import type { NumbersRow, ProducedCounts, ProducedRow, ProductionRow } from "./store.ts";

/** `api` is the address of the service. */
export function presentProduction(row: ProductionRow, counts: ProducedCounts, api: string): Production {
  const { id, name, prefix, digits, volume, endorsement, images, state, reason } = row;
  return {
    id,
    name,
    user: row.user_id,
    prefix,
    digits,
    begin: written(row, row.first_number),
    end: written(row, row.last_number),
    volume,
    endorsement,
    images,
    texts: Boolean(row.has_texts),
    natives: Boolean(row.has_natives),
    bom: Boolean(row.has_mark),
    state,
    reason,
    created_at: row.created_at,
    ended_at: row.ended_at,
    expires_at: row.expires_at,
    documents: row.documents,
    waiting: counts.waiting,
    made: counts.made,
    slip_sheets: counts.slip,
    withheld: counts.withheld,
    left_out: row.left_out,
    pages: row.last_number - row.first_number + 1,
    zip_url: state === "done" ? `${api}/api/productions/${id}/zip/` : null,
  };
}

/** `document` is the document, if the viewer may see it. */
export function presentProduced(
  row: ProducedRow,
  { production, document, web }: { production: ProductionRow; document: DocumentRow | null; web: string },
): ProducedDocument {
  return {
    id: row.id,
    document: row.document_id,
    title: document?.title ?? null,
    canonical_url: document === null ? null : documentAddress(web, document),
    begin: written(production, row.first_number),
    end: written(production, lastNumber(row)),
    pages: row.pages,
    state: row.state,
    reason: row.reason,
  };
}

export function presentNumbers(row: NumbersRow): BatesRange {
  return {
    id: row.id,
    production: row.production_id,
    begin: written(row, row.first_number),
    end: written(row, lastNumber(row)),
    pages: row.pages,
    produced_at: row.created_at,
  };
}

import type { Selectable } from "kysely";
import type { Withheld } from "../../../contract/withheld.ts";
import { BulkInsert } from "../../../database/bulk-insert.ts";
import type { Reader, Writer } from "../../../database/database.ts";
import { removeRows } from "../../../database/rows.ts";
import type { RedactedBoxesTable } from "../../../database/tables.ts";
import { timestampNow } from "../../../http/text/timestamp.ts";
import type { Box } from "../../../processing/pdf/flat-page.ts";
import type { PlannedPage } from "../pages/planned-page.ts";
import { turnBox } from "../pages/turn-page.ts";

/*
 * The boxes that redactions have blackened, each with the reason that was given. Everyone who sees the document sees
 * them as black places on its pages, so they are no secret.
 */

/** A box on a page, with the reason why it is blackened. Pages count from 0. */
export interface BoxWithReason extends Box {
  page: number;
  reason?: { code: string; label: string };
}

type Row = Omit<Selectable<RedactedBoxesTable>, "id">;

const insertion = new BulkInsert<Row>("redacted_boxes", [
  "document_id",
  "page",
  "x1",
  "x2",
  "y1",
  "y2",
  "code",
  "label",
  "redacted_at",
]);

/** Notes the boxes of a redaction. */
export async function addRedactedBoxes(
  writer: Writer,
  documentId: number,
  boxes: readonly BoxWithReason[],
): Promise<void> {
  const redacted_at = timestampNow();
  const rows = boxes.map(({ page, x1, x2, y1, y2, reason }): Row => {
    const { code = null, label = null } = reason ?? {};
    return { document_id: documentId, page, x1, x2, y1, y2, code, label, redacted_at };
  });
  await insertion.run(writer, rows);
}

/** Gives a redacted copy the boxes that its original had already. */
export async function copyRedactedBoxes(writer: Writer, from: number, to: number): Promise<void> {
  const rows = await findRows(writer, [from]);
  await insertion.run(
    writer,
    rows.map((row) => Object.assign(row, { document_id: to })),
  );
}

/** Forgets the boxes of a document whose file has been replaced. */
export async function removeRedactedBoxes(writer: Writer, documentId: number): Promise<void> {
  await removeRows(writer, "redacted_boxes", { document_id: documentId });
}

/** The boxes beyond this number are left out when a page with boxes is used thousands of times. */
const maxMoved = 100_000;

/** Moves and copies boxes with their pages. Must run in the transaction that gives the document its new pages. */
export async function moveRedactedBoxes(
  writer: Writer,
  documentId: number,
  pages: readonly PlannedPage[],
): Promise<void> {
  const rows = await findRows(writer, [...new Set([documentId, ...pages.map(({ document }) => document)])]);
  if (rows.length === 0) return;
  const on = Map.groupBy(rows, ({ document_id, page }) => `${document_id} ${page}`);
  const moved: Row[] = [];
  for (const [index, { document, page, quarterTurns }] of pages.entries()) {
    for (const row of on.get(`${document} ${page}`) ?? []) {
      if (moved.length < maxMoved)
        moved.push({ ...row, document_id: documentId, page: index, ...turnBox(row, quarterTurns) });
    }
  }
  await removeRedactedBoxes(writer, documentId);
  await insertion.run(writer, moved);
}

async function findRows(reader: Pick<Reader, "selectFrom">, documents: readonly number[]): Promise<Row[]> {
  return reader
    .selectFrom("redacted_boxes")
    .select(["document_id", "page", "x1", "x2", "y1", "y2", "code", "label", "redacted_at"])
    .where("document_id", "in", documents)
    .orderBy("page")
    .orderBy("id")
    .execute();
}

/** What redactions have withheld in a document, by page and reason. */
export async function findWithheld(
  reader: Pick<Reader, "selectFrom">,
  documentId: number,
): Promise<Withheld[]> {
  return withheldBy((await findRows(reader, [documentId])).map(boxOf));
}

function boxOf({ page, x1, x2, y1, y2, code, label }: Row): BoxWithReason {
  const box = { page, x1, x2, y1, y2 };
  return code === null ? box : { ...box, reason: { code, label: label ?? "" } };
}

/** Groups boxes by page and reason, in the order of pages. */
export function withheldBy(boxes: readonly BoxWithReason[]): Withheld[] {
  const groups = Map.groupBy(boxes, ({ page, reason }) => `${page} ${reason?.code ?? ""}`);
  return [...groups.values()]
    .map((group): Withheld => {
      const { page = 0, reason } = group[0] ?? {};
      return {
        page_number: page,
        reason: reason?.code ?? null,
        label: reason?.label ?? null,
        boxes: group.map(({ x1, x2, y1, y2 }) => ({ x1, x2, y1, y2 })),
      };
    })
    .toSorted((one, other) => one.page_number - other.page_number);
}

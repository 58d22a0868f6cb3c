import type { BatesRange, ProducedDocument, Production } from "./shapes.ts";
import type { Context } from "../../context.ts";
import { actionRefused, notFound, permissionDenied } from "../../errors.ts";
import { listStart } from "../../http/request/cursor.ts";
import type { SignedInViewer } from "../../http/request/viewer.ts";
import { mayEdit } from "../documents/access.ts";
import { accessFacts, findDocument, findVisibleDocuments } from "../documents/store.ts";
import { presentNumbers, presentProduced, presentProduction } from "./present.ts";
import { isComplete } from "./missing-files.ts";
import { isUnchanged } from "./production-zip.ts";
import { type ProducedRow, type ProductionRow, countProduced, listNumbers, ownProductions } from "./store.ts";

export async function presentProductions(
  { database }: Pick<Context, "database">,
  rows: readonly ProductionRow[],
  api: string,
): Promise<Production[]> {
  const counts = await countProduced(
    database.reader,
    database,
    rows.map(({ id }) => id),
  );
  const none = { waiting: 0, made: 0, slip: 0, withheld: 0 };
  return rows.map((row) => presentProduction(row, counts.get(row.id) ?? none, api));
}

/** The production as it is now: withdrawn as soon as one of its documents is another one. */
export async function presentNow(
  context: Pick<Context, "database">,
  viewer: SignedInViewer,
  row: ProductionRow,
  api: string,
): Promise<Production> {
  const isWithdrawn = row.state === "done" && !(await isUnchanged(context, viewer, row));
  const [shown] = await presentProductions(
    context,
    [isWithdrawn ? { ...row, state: "withdrawn" } : row],
    api,
  );
  if (shown === undefined) throw notFound();
  return shown;
}

/** The production, if its files may be sent. */
export async function getReadyProduction(
  context: Pick<Context, "database" | "files">,
  viewer: SignedInViewer,
  id: number,
): Promise<ProductionRow> {
  const row = await ownProductions.get(context.database, viewer, { id });
  if (row.state !== "done" || !(await isComplete(context, id)))
    throw actionRefused("The production has no files: it is not done, or they were removed");
  if (await isUnchanged(context, viewer, row)) return row;
  throw actionRefused(
    "A document of the production was redacted, replaced, hidden or deleted since it was made",
  );
}

export async function presentDocuments(
  { database }: Pick<Context, "database">,
  viewer: SignedInViewer,
  { production, web }: { production: ProductionRow; web: string },
  rows: readonly ProducedRow[],
): Promise<ProducedDocument[]> {
  const ids = rows.map(({ document_id }) => document_id);
  const documents = new Map((await findVisibleDocuments(database, viewer, ids)).map((row) => [row.id, row]));
  return rows.map((row) =>
    presentProduced(row, { production, document: documents.get(row.document_id) ?? null, web }),
  );
}

/** Throws unless the viewer may edit the document: whom it was produced for is the business of those who may. */
export async function checkNumbersShown(
  { database }: Pick<Context, "database">,
  viewer: SignedInViewer,
  documentId: number,
): Promise<void> {
  const document = await findDocument(database, viewer, documentId);
  if (document === null) throw notFound();
  if (!mayEdit(viewer, accessFacts(document))) throw permissionDenied();
}

const maxNumbers = 20;

/** The numbers that a document got last, for those who may edit it. */
export async function findLastNumbers(
  database: Context["database"],
  documentId: number,
): Promise<BatesRange[]> {
  const last = { ...listStart, reverse: true };
  return (await listNumbers(database, documentId, last, maxNumbers)).rows.map(presentNumbers);
}

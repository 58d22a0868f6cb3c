import type { Context } from "../../../context.ts";
import type { Writer } from "../../../database/database.ts";
import { actionRefused, invalidRequest } from "../../../errors.ts";
import type { SignedInViewer } from "../../../http/request/viewer.ts";
import { mayView } from "../access.ts";
import { lockEditable } from "../record/change-documents.ts";
import { checkCopies } from "../pages/page-parts-store.ts";
import { refuseRedacting } from "../families/refusals.ts";
import { setStatus } from "../file-facts-store.ts";
import { refuseHeld } from "../holds/held-documents.ts";
import { filesThere } from "../files/files-there.ts";
import { isFileInWork } from "../processing/file-work-store.ts";
import { readRedactions } from "./redaction-fields.ts";
import { type PageSource, documentsNamed, readModifications } from "./rewrite-fields.ts";
import { addRewrite } from "../processing/rewrite-store.ts";
import type { BoxWithReason } from "../withheld/box-store.ts";
import { findReasons } from "../withheld/reason-store.ts";
import { type DocumentRow, accessFacts, lockDocumentRows } from "../store.ts";

/** The largest number of documents that one request may import pages from. */
const maxSources = 25;

/** Queues a redaction, and returns its boxes. */
export async function startRedacting(
  context: Pick<Context, "database" | "files" | "jobs">,
  viewer: SignedInViewer,
  id: number,
  value: unknown,
): Promise<BoxWithReason[]> {
  const isThere = await filesThere(context, viewer, [id], "pdf");
  const boxes = await context.database.write(async (writer) => {
    const row = await lockIdle(context, writer, viewer, id);
    const plan = readRedactions(value, { ...row, reasons: await findReasons(writer) });
    await refuseRedacting(writer, id);
    await refuseHeld(writer, [id]);
    if (!isThere(row)) throw withoutPdf(row);
    await setStatus(writer, id, { to: "pending" });
    await addRewrite(writer, id, { kind: "redact", userId: viewer.id, plan, statusBefore: statusOf(row) });
    return plan.boxes;
  });
  context.jobs.notify();
  return boxes;
}

/** Queues a modification of a document's pages, and returns the list as it was understood. */
export async function startModifying(
  context: Pick<Context, "database" | "files" | "jobs">,
  viewer: SignedInViewer,
  id: number,
  value: unknown,
): Promise<Record<string, unknown>[]> {
  const { database } = context;
  const named = documentsNamed(value).filter((other) => other !== id);
  if (named.length > maxSources) {
    throw invalidRequest(`Pages can be taken from ${maxSources} documents at a time`);
  }
  const isThere = await filesThere(context, viewer, [id, ...named], "pdf");
  const items = await database.write(async (writer) => {
    const own = await lockIdle(context, writer, viewer, id);
    await refuseHeld(writer, [id]);
    const others = (await lockDocumentRows(writer, database.dialect, viewer, named)).filter((row) =>
      mayView(viewer, accessFacts(row)),
    );
    const sources = new Map<number, PageSource>([own, ...others].map((row) => [row.id, row]));
    const read = readModifications(value, own, sources);
    for (const row of [own, ...others]) {
      if (!isThere(row)) throw withoutPdf(row);
    }
    for (const row of others) {
      if (row.status !== "success" || (await isFileInWork(writer, row)))
        throw actionRefused(`Document ${row.id} is not ready to take pages from`);
    }
    const plan = read.flatMap(({ pages }) => pages);
    await checkCopies(writer, id, plan, viewer.id);
    await setStatus(writer, id, { to: "pending" });
    await addRewrite(writer, id, { kind: "modify", userId: viewer.id, plan, statusBefore: statusOf(own) });
    return read;
  });
  context.jobs.notify();
  return items.map(({ shown }) => shown);
}

/** Locks a document. The viewer must be able to edit it, and no job may be working on its file. */
export async function lockIdle(
  context: Pick<Context, "database">,
  writer: Writer,
  viewer: SignedInViewer,
  id: number,
): Promise<DocumentRow> {
  const row = await lockEditable(writer, context, viewer, id, null, notEditable);
  if (await isFileInWork(writer, row)) throw actionRefused("Already processing");
  return row;
}

const statusOf = ({ status }: DocumentRow): "success" | "error" => (status === "success" ? status : "error");

export const notEditable = "You may not edit this document";

export function withoutPdf({ id }: DocumentRow): Error {
  return actionRefused(`Document ${id} has no PDF to change`);
}

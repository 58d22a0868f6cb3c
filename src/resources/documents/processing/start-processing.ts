import { busyStatuses } from "../../document-states.ts";
import type { Context } from "../../../context.ts";
import type { Writer } from "../../../database/database.ts";
import { type ApiError, invalidRequest, notFound, permissionDenied, actionRefused } from "../../../errors.ts";
import { readFields, readList } from "../../../http/fields/fields.ts";
import type { SignedInViewer } from "../../../http/request/viewer.ts";
import { type NewJob, enqueue } from "../../../jobs/queue.ts";
import { mayEdit, mayShare, mayView } from "../access.ts";
import { bulkProcessItem } from "../record/fields.ts";
import { sealPassword } from "./file-passwords.ts";
import { dropWaitingChildren } from "../families/new-children-store.ts";
import { findHeld, refuseHeld } from "../holds/held-documents.ts";
import { filesThere } from "../files/files-there.ts";
import { hasArrived } from "../files/received-file-store.ts";
import { cancelFileWork, isFileInWork } from "./file-work-store.ts";
import { processJob, setStatus } from "../file-facts-store.ts";
import { countPages } from "../pages/page-store.ts";
import { notifyWorkEnded } from "../../mails/notify-people.ts";
import { endProgress } from "./progress-store.ts";
import { addReceipt } from "../receipt-store.ts";
import { hasRemoteFile, removeRemoteFile } from "../files/remote-file-store.ts";
import { cancelRewrite, isBeingReplaced } from "./rewrite-store.ts";
import { type DocumentRow, accessFacts, lockDocumentRows } from "../store.ts";

/** How to process a file. */
export interface ProcessOptions {
  /** Recognise the text of every page, even where the file has a text layer. */
  force_ocr?: boolean | undefined;
  /** The OCR engine that the client asked for. */
  ocr_engine?: string | undefined;
  /** The password that opens the file, if it needs one. */
  password?: string | undefined;
}

/** Queues a document's file for processing. Throws 404 or 400 if it cannot be processed. */
export async function startProcessing(
  context: Pick<Context, "database" | "files" | "secrets" | "jobs">,
  viewer: SignedInViewer,
  id: number,
  options: ProcessOptions = {},
): Promise<void> {
  const { database, files, jobs } = context;
  const isThere = await filesThere({ database, files }, viewer, [id], "original");
  await database.write(async (writer) => {
    const [row] = await lockDocumentRows(writer, database.dialect, viewer, [id]);
    if (row === undefined || !mayView(viewer, accessFacts(row))) throw notFound();
    if (!mayEdit(viewer, accessFacts(row))) {
      throw actionRefused(`You do not have permission to edit document ${id}`);
    }
    if (await isFileInWork(writer, row)) throw actionRefused(`Already processing: ${id}`);
    if (!isThere(row)) throw actionRefused(`Document ${id} has no file to process`);
    await refuseHeld(writer, await findRead(writer, [row]));
    await start(writer, row, sealed(context, id, options), "urgent");
  });
  jobs.notify();
}

/**
 * Queues the files of several documents for processing. A document that never had a file gets the status `error`, so it
 * does not hold up the others. If the file of a readable document is missing, the request is refused and the document
 * stays readable. A document whose file is still being fetched is processed when the file arrives.
 */
export async function startProcessingSeveral(
  context: Pick<Context, "database" | "files" | "secrets" | "jobs">,
  viewer: SignedInViewer,
  value: unknown,
): Promise<void> {
  const { database, files, jobs } = context;
  const options = documentsToProcess(value);
  const ids = [...options.keys()];
  const isThere = await filesThere({ database, files }, viewer, ids, "original");
  await database.write(async (writer) => {
    const rows = await lockDocumentRows(writer, database.dialect, viewer, ids);
    const isWhole = rows.length === ids.length && rows.every((row) => mayEdit(viewer, accessFacts(row)));
    if (!isWhole) throw notAllFound();
    for (const row of rows) if (await isFileInWork(writer, row)) throw notAllFound();
    const readable = rows.filter((row) => !isThere(row) && !["nofile", "error"].includes(row.status));
    if (readable.length > 0) {
      const names = readable.map((row) => row.id).join(", ");
      throw invalidRequest(`These documents have no file to process: ${names}`);
    }
    await refuseHeld(writer, await findRead(writer, rows));
    for (const row of rows) {
      // A file may have arrived since the store was checked.
      if (isThere(row) || (await hasArrived(writer, row.id))) {
        await start(writer, row, sealed(context, row.id, options.get(row.id) ?? {}));
      } else if (!(await hasRemoteFile(writer, row.id))) await endWithoutFile(writer, row.id);
    }
  });
  jobs.notify();
}

async function endWithoutFile(writer: Writer, documentId: number): Promise<void> {
  await setStatus(writer, documentId, { to: "error" });
  const details = { message: "There is no file to process: none was uploaded, or it was empty" };
  await addReceipt(writer, { documentId, step: "read", outcome: "failed", milliseconds: 0, details });
}

/**
 * Cancels the processing of a document, or the fetching of its file. The document's error says that it was cancelled.
 */
export async function cancelProcessing(
  context: Pick<Context, "config" | "database" | "jobs">,
  viewer: SignedInViewer,
  id: number,
): Promise<void> {
  const { database, jobs } = context;
  await database.write(async (writer) => {
    const [row] = await lockDocumentRows(writer, database.dialect, viewer, [id]);
    if (row === undefined || !mayView(viewer, accessFacts(row))) throw notFound();
    if (!mayShare(viewer, accessFacts(row))) throw permissionDenied();
    await cancelWork(context, writer, row, viewer);
  });
  // Workers check for cancelled jobs when they are signalled.
  jobs.notify();
}

/**
 * Cancels the work on a document's file, and tells its owner and the person who asked for the work, unless they did it
 * themselves. The caller has locked the document's row, and checks permission.
 *
 * @throws {ApiError} 400 if no work is queued or running, or if it is too late.
 */
export async function cancelWork(
  context: Pick<Context, "config" | "database">,
  writer: Writer,
  { id, status }: Pick<DocumentRow, "id" | "status">,
  viewer: Pick<SignedInViewer, "id">,
): Promise<void> {
  const isFetched = status === "nofile" && (await removeRemoteFile(writer, id));
  if (!isFetched && !busyStatuses.includes(status)) throw actionRefused("Not processing");
  if (await isBeingReplaced(writer, id)) throw actionRefused("Too late: the new file is being put in place");
  await cancelFileWork(writer, id);
  await dropWaitingChildren(writer, id);
  const { status: statusAfter, receipt, userId } = await cancelRewrite(writer, id);
  await setStatus(writer, id, { to: statusAfter });
  await endProgress(writer, id);
  await addReceipt(writer, { documentId: id, ...receipt });
  await notifyWorkEnded(context, writer, id, "failed", { by: userId, actorId: viewer.id });
}

/**
 * Queues failed documents for processing on behalf of an administrator, who need not own them. Returns the number of
 * queued documents.
 */
export async function restartFailed(
  context: Pick<Context, "database" | "files" | "jobs">,
  viewer: SignedInViewer,
  ids: readonly number[],
): Promise<number> {
  return restart(context, viewer, { ids, mayStart: ({ status }) => status === "error" });
}

/**
 * Queues those of the documents for which `mayStart`. Those whose file is not here or in work are left out, and so are
 * those under a hold that have texts. `also` belongs to the same transaction. Returns the number of queued documents.
 */
export async function restart(
  { database, files, jobs }: Pick<Context, "database" | "files" | "jobs">,
  viewer: SignedInViewer,
  {
    ids,
    mayStart,
    also,
  }: {
    ids: readonly number[];
    mayStart: (row: DocumentRow) => boolean;
    also?: (writer: Writer) => Promise<void>;
  },
): Promise<number> {
  const isThere = await filesThere({ database, files }, viewer, ids, "original");
  let restarted = 0;
  await database.write(async (writer) => {
    restarted = 0;
    const rows = await lockDocumentRows(writer, database.dialect, viewer, ids);
    const held = new Set(await findHeld(writer, await findRead(writer, rows)));
    for (const row of rows) {
      if (held.has(row.id) || !mayStart(row) || !isThere(row) || (await isFileInWork(writer, row))) continue;
      await start(writer, row, {}, "bulk");
      restarted += 1;
    }
    await also?.(writer);
  });
  jobs.notify();
  return restarted;
}

/** Those of the documents that have texts, which they lose when their files are read again. */
async function findRead(writer: Writer, rows: readonly Pick<DocumentRow, "id">[]): Promise<number[]> {
  const read: number[] = [];
  for (const { id } of rows) if ((await countPages(writer, id)) > 0) read.push(id);
  return read;
}

/** Also thrown when a document is named twice. */
function notAllFound(): ApiError {
  return invalidRequest("Could not find all documents to process.");
}

/** Reads a list of objects with an `id` and process options, or an object with a list of `ids`. */
function documentsToProcess(value: unknown): Map<number, ProcessOptions> {
  const ids = typeof value === "object" && value !== null && "ids" in value ? value.ids : null;
  const items = Array.isArray(ids) ? ids.map((id: unknown) => ({ id })) : value;
  const read = readList(items, (members) => {
    const { id, force_ocr, ocr_engine, password } = readFields(bulkProcessItem, members, "whole");
    return [id as number, { force_ocr, ocr_engine, password }] as const;
  });
  const options = new Map(read);
  if (options.size < read.length) throw notAllFound();
  return options;
}

/** Process options as a job stores them, with the password sealed. */
export interface JobOptions {
  force_ocr?: boolean | undefined;
  ocr_engine?: string | undefined;
  sealedPassword?: string;
}

export function sealed(
  context: Pick<Context, "secrets">,
  id: number,
  { password = "", ...options }: ProcessOptions,
): JobOptions {
  return { ...options, ...(password !== "" && { sealedPassword: sealPassword(context, id, password) }) };
}

/**
 * Queues a document's file for processing in the caller's transaction. A readable document stays readable: it keeps its
 * current page texts until all the new ones are ready.
 */
export async function start(
  writer: Writer,
  row: Pick<DocumentRow, "id" | "status" | "user_id">,
  { force_ocr = false, ocr_engine, sealedPassword }: JobOptions = {},
  urgency?: NewJob["urgency"],
): Promise<void> {
  const isReadAgain = (await countPages(writer, row.id)) > 0;
  await setStatus(writer, row.id, { to: isReadAgain && row.status === "success" ? "readable" : "pending" });
  await enqueue(writer, {
    kind: processJob,
    subject: row.id,
    options: { force_ocr, anew: isReadAgain, ocr_engine, sealedPassword },
    owner: row.user_id,
    ...(urgency !== undefined && { urgency }),
  });
}

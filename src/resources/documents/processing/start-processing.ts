import { busyStatuses } from "../../document-states.ts";
import type { Context } from "../../../context.ts";
import type { Writer } from "../../../database/database.ts";
import { type ApiError, invalidRequest, notFound, permissionDenied, actionRefused } from "../../../errors.ts";
import { readFields, readList } from "../../../http/fields/fields.ts";
import type { SignedInViewer } from "../../../http/request/viewer.ts";
import { enqueue } from "../../../jobs/queue.ts";
import { mayEdit, mayShare, mayView } from "../access.ts";
import { bulkProcessItem } from "../record/fields.ts";
import { sealPassword } from "./file-passwords.ts";
import { filesThere } from "../files/files-there.ts";
import { hasArrived } from "../files/received-file-store.ts";
import { cancelFileWork, isFileInWork } from "./file-work-store.ts";
import { processJob, setStatus } from "../file-facts-store.ts";
import { countPages } from "../pages/page-store.ts";
import { endProgress } from "./progress-store.ts";
import { addReceipt } from "../receipt-store.ts";
import { hasRemoteFile, removeRemoteFile } from "../files/remote-file-store.ts";
import { cancelRewrite, isBeingReplaced } from "./rewrite-store.ts";
import { type DocumentRow, accessFacts, lockDocumentRows } from "../store.ts";

/** How a file is to be processed. */
export interface ProcessOptions {
  /** Recognise the text of every page, whatever the file says of it. */
  force_ocr?: boolean | undefined;
  /** What the client would have its text recognised with. */
  ocr_engine?: string | undefined;
  /** Of the file, if it opens with one only. */
  password?: string | undefined;
}

type Storage = Pick<Context, "database" | "files" | "jobs" | "secrets">;

/** Has the file of a document read, which may take a while; 404 or 400 where that cannot be. */
export async function startProcessing(
  context: Storage,
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
    if (!isThere(row)) throw actionRefused(`There is no file of document ${id} to process`);
    await start(writer, row, sealed(context, id, options));
  });
  jobs.notify();
}

/**
 * Has the files of several documents read. One that never had a file ends as an error of its own, so that it keeps none of
 * the others waiting; one that can be read although its file is not here stays so, and the request is refused; one whose file is being fetched is read when that has come.
 */
export async function startProcessingSeveral(
  context: Storage,
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
      const named = readable.map((row) => row.id).join(", ");
      throw invalidRequest(`There is no file to process of these documents: ${named}`);
    }
    for (const row of rows) {
      // A file may have come since the store was asked.
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

/** Stops the processing of a document, or the fetching of its file, which then says so as its error. */
export async function cancelProcessing(
  { database, jobs }: Pick<Storage, "database" | "jobs">,
  viewer: SignedInViewer,
  id: number,
): Promise<void> {
  await database.write(async (writer) => {
    const [row] = await lockDocumentRows(writer, database.dialect, viewer, [id]);
    if (row === undefined || !mayView(viewer, accessFacts(row))) throw notFound();
    if (!mayShare(viewer, accessFacts(row))) throw permissionDenied();
    const isFetched = row.status === "nofile" && (await removeRemoteFile(writer, id));
    if (!isFetched && !busyStatuses.includes(row.status)) throw actionRefused("Not processing");
    if (await isBeingReplaced(writer, id))
      throw actionRefused("Too late: the new file is being put in place");
    await cancelFileWork(writer, id);
    await cancelRewrite(writer, id);
    await setStatus(writer, id, { to: "error" });
    await endProgress(writer, id);
    const details = { message: "Processing was cancelled" };
    await addReceipt(writer, {
      documentId: id,
      step: "cancelled",
      outcome: "failed",
      milliseconds: 0,
      details,
    });
  });
  // Whoever is at it looks.
  jobs.notify();
}

/** Also of one that is named twice. */
function notAllFound(): ApiError {
  return invalidRequest("Could not find all documents to process.");
}

/** A list of objects with an `id` and how it is to be processed, or an object with a list of `ids`. */
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

/** As a job may have it. */
interface JobOptions {
  force_ocr?: boolean | undefined;
  ocr_engine?: string | undefined;
  sealedPassword?: string;
}

function sealed(context: Storage, id: number, { password = "", ...options }: ProcessOptions): JobOptions {
  return { ...options, ...(password !== "" && { sealedPassword: sealPassword(context, id, password) }) };
}

/**
 * Has a document's file read, in the transaction of whoever asks for it. One that can be read stays so: what it has of
 * texts by now is there until all the new ones are.
 */
export async function start(
  writer: Writer,
  row: Pick<DocumentRow, "id" | "status" | "user_id">,
  { force_ocr = false, ocr_engine, sealedPassword }: JobOptions = {},
): Promise<void> {
  const anew = (await countPages(writer, row.id)) > 0;
  await setStatus(writer, row.id, { to: anew && row.status === "success" ? "readable" : "pending" });
  await enqueue(writer, {
    kind: processJob,
    subject: row.id,
    options: { force_ocr, anew, ocr_engine, sealedPassword },
    owner: row.user_id,
  });
}

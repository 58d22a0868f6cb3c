import { open, stat } from "node:fs/promises";
import path from "node:path";
import type { Context } from "../../../context.ts";
import { invalidFields, invalidRequest, notFound, permissionDenied } from "../../../errors.ts";
import type { Members } from "../../../http/request/body.ts";
import { readFields } from "../../../http/fields/fields.ts";
import type { SignedInViewer } from "../../../http/request/viewer.ts";
import { enqueue, remove } from "../../../jobs/queue.ts";
import { mayEdit, mayView } from "../access.ts";
import { type NewDocument, createDocuments, readNewDocument } from "../record/create-documents.ts";
import { processFields } from "../record/fields.ts";
import { noteArrival } from "../files/received-file-store.ts";
import { addHistory } from "../history-store.ts";
import type { Publisher } from "../record/publisher.ts";
import { receiveFile } from "./receive-file.ts";
import { removeFilesOf } from "../record/remove-files.ts";
import { accessFacts, lockDocumentRows } from "../store.ts";
import { type ProcessOptions, start } from "../processing/start-processing.ts";
import { deleteUnfilled } from "./unfilled-store.ts";

/*
 * A document made of a file that has come whole: its row, its file in the store, and the job that reads it, all or
 * nothing. The store's key needs the row's id, so the row comes first, and with it, in one transaction, a job for later
 * that removes it if it has no file by then. It is taken out when all is done: so it only ever finds something where
 * the process died in between, or could not tidy up after a failure.
 */

/** The job that removes what a process left halfway. */
export const discardJob = "discard document without file";

/** Longer than it takes to copy the largest file to the slowest store. */
const discardedAfterSeconds = 3600;

type Storage = Pick<Context, "config" | "database" | "files" | "jobs" | "log">;

/** What is to be made of a file. */
export interface DocumentOfFile {
  document: NewDocument;
  processOptions: ProcessOptions;
}

/** What is said of a new document, with what the name of its file says for what is left away; 400 with every fault. */
export function readDocumentOfFile(
  viewer: SignedInViewer,
  members: Members,
  fileName: string,
): DocumentOfFile {
  if ((members.get("file_url") ?? "") !== "") {
    throw invalidFields({ file_url: ["Send a file, or say where it is: not both."] });
  }
  const { name, ext } = path.parse(fileName);
  const whole = new Map(members);
  if ((members.get("title") ?? "") === "") whole.set("title", name);
  if ((members.get("original_extension") ?? "") === "") {
    whole.set("original_extension", ext.slice(1).toLowerCase());
  }
  const processOptions = readProcessOptions(whole);
  for (const option of Object.keys(processFields)) whole.delete(option);
  return { document: readNewDocument(viewer, whole), processOptions };
}

/** How a file is to be read that is sent. */
export function readProcessOptions(members: Members): ProcessOptions {
  return readFields(processFields, members, "part");
}

/** Makes the document, gives it the file at `place`, and has that read; its id. */
export async function makeDocumentOfFile(
  context: Storage,
  publisher: Publisher,
  viewer: SignedInViewer,
  { document, processOptions }: DocumentOfFile,
  place: string,
  beforeFilling: (id: number) => Promise<void> = () => Promise.resolve(),
): Promise<number> {
  // Refused anyway, but then the history would tell of a document that came and went.
  if ((await stat(place)).size === 0) throw invalidRequest("The file is empty.");
  const job = { kind: discardJob, afterSeconds: discardedAfterSeconds };
  const rows = await createDocuments(context, publisher, viewer, [document], (writer, id) =>
    enqueue(writer, { ...job, subject: id }),
  );
  const [id = 0] = rows.map((row) => row.id);
  try {
    await beforeFilling(id);
    await fillDocument(context, viewer, id, place, processOptions);
  } catch (error) {
    await discardUnfilled(context, id);
    throw error;
  }
  return id;
}

/** Gives a document that waits for its file the one at `place`, and has that read and no other. */
export async function fillDocument(
  context: Storage,
  viewer: SignedInViewer,
  id: number,
  place: string,
  processOptions: ProcessOptions,
): Promise<void> {
  const { database, jobs } = context;
  await using handle = await open(place);
  const { size } = await handle.stat();
  const bytes = handle.createReadStream({ highWaterMark: 1024 * 1024, autoClose: false });
  try {
    await receiveFile(context, id, bytes, size, async (writer, file) => {
      const [row] = await lockDocumentRows(writer, database.dialect, viewer, [id]);
      if (row === undefined || !mayView(viewer, accessFacts(row))) throw notFound();
      if (!mayEdit(viewer, accessFacts(row))) throw permissionDenied();
      await noteArrival(writer, id, file, { isRead: true });
      await start(writer, row, processOptions);
      await remove(writer, { kind: discardJob, subject: id });
    });
  } finally {
    bytes.destroy();
  }
  jobs.notify();
}

/** Removes a document that was made for a file which it has not got. */
export async function discardUnfilled(
  context: Pick<Context, "database" | "files" | "log">,
  id: number,
): Promise<void> {
  const { database } = context;
  const isGone = await database.write(async (writer) => {
    const isDeleted = await deleteUnfilled(writer, database.dialect, id);
    const changes = { status: ["nofile", null] } as const;
    if (isDeleted) await addHistory(writer, [{ documentId: id, userId: null, action: "deleted", changes }]);
    await remove(writer, { kind: discardJob, subject: id });
    return isDeleted;
  });
  if (isGone) await removeFilesOf(context, [id]);
}

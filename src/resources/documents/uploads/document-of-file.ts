import { randomUUID } from "node:crypto";
import { open, stat } from "node:fs/promises";
import path from "node:path";
import type { Context } from "../../../context.ts";
import { invalidFields, invalidRequest, notFound, permissionDenied } from "../../../errors.ts";
import type { Members, SentFile } from "../../../http/request/body.ts";
import { readFields } from "../../../http/fields/fields.ts";
import type { SignedInViewer } from "../../../http/request/viewer.ts";
import { enqueue, remove } from "../../../jobs/queue.ts";
import { mayEdit, mayView } from "../access.ts";
import { type NewDocument, createDocuments, readNewDocument } from "../record/create-documents.ts";
import { processFields } from "../record/fields.ts";
import type { Writer } from "../../../database/database.ts";
import { acquireFileLock } from "../files/file-lock-store.ts";
import { type ArrivedFile, noteArrival } from "../files/received-file-store.ts";
import { addHistory } from "../history-store.ts";
import type { Publisher } from "../record/publisher.ts";
import { receiveFile } from "./receive-file.ts";
import { readLocalFile } from "./read-local-file.ts";
import { removeFilesOf } from "../record/remove-files.ts";
import { accessFacts, lockDocumentRows } from "../store.ts";
import { type ProcessOptions, start } from "../processing/start-processing.ts";
import { deleteUnfilled } from "./unfilled-store.ts";

/*
 * Creates a document from a complete file: its row, its file in the store, and the job that processes it, all or
 * nothing. The store's key needs the row's id, so the row is created first. The same transaction takes the document's
 * file lock, and queues a delayed job that removes the document if it still has no file. A second transaction, after
 * the file is stored, notes the file, queues its processing and removes that job. So the job only finds something to
 * remove if the process died in between, or could not clean up after a failure.
 */

/** The job that removes a half-created document. */
export const discardJob = "discard document without file";

/** Longer than it takes to copy the largest file to the slowest store. */
const discardedAfterSeconds = 3600;

/** The document to create from a file, and how to process the file. */
export interface DocumentOfFile {
  document: NewDocument;
  processOptions: ProcessOptions;
}

/**
 * Reads the fields of a new document. The file name supplies a missing title and extension. Throws 400 with every
 * fault.
 */
export function readDocumentOfFile(
  viewer: SignedInViewer,
  members: Members,
  fileName: string,
): DocumentOfFile {
  if ((members.get("file_url") ?? "") !== "") {
    throw invalidFields({ file_url: ["Send either a file or its address, not both."] });
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

/** Creates a document from a form: its fields, and the file, which is removed from the uploads. Returns the id. */
export async function makeDocumentOfForm(
  context: Pick<Context, "config" | "database" | "files" | "uploads" | "jobs" | "log">,
  publisher: Publisher,
  viewer: SignedInViewer,
  members: Members,
  file: SentFile,
): Promise<number> {
  const document = readDocumentOfFile(viewer, members, file.name);
  const id = await makeDocumentOfFile(context, publisher, viewer, document, file.path);
  await context.uploads.drop(file.path);
  return id;
}

/** Reads how to process an uploaded file. */
export function readProcessOptions(members: Members): ProcessOptions {
  return readFields(processFields, members, "part");
}

/** Creates a document, stores the local file as its file, and queues it for processing. Returns the document's id. */
export async function makeDocumentOfFile(
  context: Pick<Context, "config" | "database" | "files" | "jobs" | "log">,
  publisher: Publisher,
  viewer: SignedInViewer,
  { document, processOptions }: DocumentOfFile,
  localFile: string,
  beforeFilling: (id: number) => Promise<void> = () => Promise.resolve(),
): Promise<number> {
  // An empty file is refused later anyway, but then the history would show a document created and deleted.
  if ((await stat(localFile)).size === 0) throw invalidRequest("The file is empty.");
  const job = { kind: discardJob, afterSeconds: discardedAfterSeconds };
  const lockHolder = randomUUID();
  const rows = await createDocuments(context, publisher, viewer, [document], async (writer, id) => {
    await enqueue(writer, { ...job, subject: id });
    await acquireFileLock(writer, id, lockHolder);
  });
  const [id = 0] = rows.map((row) => row.id);
  try {
    await beforeFilling(id);
    await fillDocument(context, viewer, id, { localFile, processOptions, lockHolder });
  } catch (error) {
    await discardUnfilled(context, id);
    throw error;
  }
  return id;
}

export interface FileToFill {
  localFile: string;
  processOptions: ProcessOptions;
  /** If the caller has the file lock of the document. */
  lockHolder?: string | null;
}

/** Stores the local file as the file of a document that waits for one, and queues exactly this file for processing. */
export async function fillDocument(
  context: Pick<Context, "config" | "database" | "files" | "jobs" | "log">,
  viewer: SignedInViewer,
  id: number,
  { localFile, processOptions, lockHolder = null }: FileToFill,
): Promise<void> {
  const { database, jobs } = context;
  await using handle = await open(localFile);
  const { size } = await handle.stat();
  const bytes = readLocalFile(handle, size);
  try {
    const note = async (writer: Writer, file: ArrivedFile): Promise<void> => {
      const [row] = await lockDocumentRows(writer, database.dialect, viewer, [id]);
      if (row === undefined || !mayView(viewer, accessFacts(row))) throw notFound();
      if (!mayEdit(viewer, accessFacts(row))) throw permissionDenied();
      await noteArrival(writer, id, file, { isRead: true });
      await start(writer, row, processOptions, "urgent");
      await remove(writer, { kind: discardJob, subject: id });
    };
    await receiveFile(context, id, bytes, size, note, lockHolder);
  } finally {
    bytes.destroy();
  }
  jobs.notify();
}

/** Removes a document whose file never arrived. */
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

import { notifyWorkEnded } from "../../mails/notify-people.ts";
import type { Context } from "../../../context.ts";
import type { Job } from "../../../jobs/running-job.ts";
import { noteArrival } from "../files/received-file-store.ts";
import { findFileFacts, setStatus } from "../file-facts-store.ts";
import { addReceipt } from "../receipt-store.ts";
import { fetchFile } from "./fetch-file.ts";
import { receiveFile } from "./receive-file.ts";
import { extensionOfRemote } from "../files/remote-extension.ts";
import { findRemoteFile, removeRemoteFile, setExtension } from "../files/remote-file-store.ts";
import { start } from "../processing/start-processing.ts";

/**
 * Fetches the file of a document from its `file_url`, stores it like an upload, and queues it for processing. The
 * commit that queues it also completes this job, so a fetch that is taken over never takes effect twice. A document
 * that has been deleted or cancelled, or has its file by now, is left alone.
 *
 * @throws {RemoteError} with a reason for a person.
 */
export async function fetchDocument(
  context: Pick<Context, "config" | "database" | "files" | "log">,
  job: Job,
  signal: AbortSignal,
): Promise<void> {
  const remote = await findRemoteFile(context.database, job.subject);
  if (remote === null) return nothingToDo(context, job);
  const { database } = context;
  const documentId = job.subject;
  const isTaken = await fetchFile(context, remote.address, signal, async (file) => {
    if (!remote.extensionIsKnown) {
      const extension = extensionOfRemote(file);
      await database.write((writer) => setExtension(writer, documentId, extension));
    }
    await receiveFile(context, documentId, file.bytes, file.length, async (writer, arrived) => {
      // The document's row comes first: all transactions lock these rows in this order.
      if (await setStatus(writer, documentId, { to: "pending", from: ["nofile"] })) {
        await noteArrival(writer, documentId, arrived, { host: file.url.host, isRead: true });
        const owner = (await findFileFacts(writer, documentId))?.owner ?? 0;
        await start(writer, { id: documentId, status: "nofile", user_id: owner }, remote.processOptions);
      }
      await removeRemoteFile(writer, documentId);
      await job.complete(writer);
    });
  });
  // The document was deleted, cancelled or given another file in the meantime.
  if (!isTaken) await nothingToDo(context, job);
}

/** Records that a document's file could not be fetched, and why. */
export async function fetchingFailed(
  { config, database }: Pick<Context, "config" | "database">,
  job: Job,
  message: string,
): Promise<void> {
  const documentId = job.subject;
  await database.write(async (writer) => {
    const isFailed = await setStatus(writer, documentId, { to: "error", from: ["nofile"] });
    if (isFailed) {
      const details = { message };
      await addReceipt(writer, { documentId, step: "fetched", outcome: "failed", milliseconds: 0, details });
    }
    await removeRemoteFile(writer, documentId);
    await job.complete(writer);
    if (isFailed) await notifyWorkEnded({ config, database }, writer, documentId, "failed");
  });
}

async function nothingToDo({ database }: Pick<Context, "database">, job: Job): Promise<void> {
  await database.write(async (writer) => {
    await removeRemoteFile(writer, job.subject);
    await job.complete(writer);
  });
}

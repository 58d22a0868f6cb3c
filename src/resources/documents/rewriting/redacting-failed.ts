import type { Context } from "../../../context.ts";
import { documentFileKey, redactionFolder } from "../../../files/keys.ts";
import type { Job } from "../../../jobs/running-job.ts";
import { busyStatuses } from "../../document-states.ts";
import { type FileFacts, findFileFacts, setStatus } from "../file-facts-store.ts";
import { notifyWorkEnded } from "../../mails/notify-people.ts";
import { endRereading } from "../pages/reread-store.ts";
import { endProgress } from "../processing/progress-store.ts";
import {
  endRewrite,
  findRewrite,
  lockBusy,
  setExtensionToPdf,
  statusAfterFailure,
  withhold,
} from "../processing/rewrite-store.ts";
import { addReceipt } from "../receipt-store.ts";

/**
 * Records that a document could not be redacted, and why. A document that still has its old file gets its status back.
 * Any other becomes private.
 */
export async function redactingFailed(
  context: Pick<Context, "config" | "database" | "files">,
  job: Job,
  message: string,
): Promise<void> {
  const { database } = context;
  const documentId = job.subject;
  const known = await findFileFacts(database.reader, documentId);
  const isOriginalLeft = known !== null && (await isOriginalThere(context, documentId, known));
  await database.write(async (writer) => {
    await lockBusy(writer, documentId);
    const rewrite = await findRewrite(writer, documentId, "redact");
    if (rewrite !== null) {
      const isReplaced = rewrite.resultHash !== null;
      if (isReplaced) await withhold(writer, documentId);
      await setStatus(writer, documentId, {
        to: statusAfterFailure(rewrite),
        from: [...busyStatuses, "success"],
      });
      // The PDF is all that is left of the file, so processing the document again has to read that.
      if (isReplaced && !isOriginalLeft) await setExtensionToPdf(writer, documentId);
      await addReceipt(writer, {
        documentId,
        step: "redacted",
        outcome: "failed",
        milliseconds: 0,
        details: { message, ...(isReplaced && { withheld: true }) },
      });
    }
    await endRewrite(writer, documentId);
    await endRereading(writer, documentId);
    await endProgress(writer, documentId);
    await job.complete(writer);
    if (rewrite !== null)
      await notifyWorkEnded(context, writer, documentId, "failed", { by: rewrite.userId });
  });
  await context.files.deleteFolder(redactionFolder(documentId));
}

/** Whether the file that the PDF was made from is still in the store. */
export async function isOriginalThere(
  { files }: Pick<Context, "files">,
  id: number,
  { slug, extension }: FileFacts,
): Promise<boolean> {
  return (await files.stat(documentFileKey(id, slug, extension))) !== null;
}

import { busyStatuses } from "../../document-states.ts";
import type { Reader, Writer } from "../../../database/database.ts";
import type { Dialect } from "../../../database/dialect.ts";
import { cancelJob, hasJobs, isCancelled } from "../../../jobs/queue.ts";
import { isFileLocked } from "../files/file-lock-store.ts";
import { processJob } from "../file-facts-store.ts";
import { fetchJob } from "../files/remote-file-store.ts";
import { endRereading } from "../pages/reread-store.ts";
import { fetchReplacementJob, hasRewrite, modifyJob, redactJob, replaceJob } from "./rewrite-store.ts";

/*
 * Only one job at a time works on a document's file: it is read, redacted, modified or replaced. The status alone does
 * not show that. A document that `doctor` has read again stays `success` meanwhile, and a cancelled job may still be
 * storing a file until its worker notices. While a file is being fetched, another one may be uploaded and read instead.
 */

/** Whether another job is working on the document's file. The caller has locked the document's row. */
export async function isFileInWork(
  writer: Pick<Reader, "selectFrom">,
  { id, status }: { id: number; status: string },
): Promise<boolean> {
  if (busyStatuses.includes(status)) return true;
  // A job that has replaced the file may still be removing what is left of the old one.
  if (await hasJobs(writer, { kinds: [processJob, replaceJob], subject: id })) return true;
  // A file that has arrived may be about to replace the present one.
  if (await isFileLocked(writer, id)) return true;
  if (await isCancelled(writer, { kinds: fileJobs, subject: id })) return true;
  return hasRewrite(writer, id);
}

const fileJobs = [processJob, redactJob, modifyJob, fetchReplacementJob, replaceJob];

/** Whether a document's file waits to be read and no job has begun. No job begins until the transaction ends. */
export async function isReadingUnbegun(writer: Writer, dialect: Dialect, subject: number): Promise<boolean> {
  const waiting = await writer
    .selectFrom("jobs")
    .select("id")
    .where("kind", "=", processJob)
    .where("subject", "=", subject)
    .where("attempts", "=", 0)
    .where("lease", "is", null)
    .modifyEnd(dialect.forUpdate)
    .executeTakeFirst();
  return waiting !== undefined;
}

/** Cancels all jobs for a document's file, queued and running. */
export async function cancelFileWork(writer: Writer, subject: number): Promise<void> {
  for (const kind of [fetchJob, ...fileJobs]) await cancelJob(writer, { kind, subject });
  await endRereading(writer, subject);
}

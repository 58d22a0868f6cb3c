import { busyStatuses } from "../../document-states.ts";
import type { Reader, Writer } from "../../../database/database.ts";
import { cancelJob, hasJobs, isCancelled } from "../../../jobs/queue.ts";
import { isFileLocked } from "../files/file-lock-store.ts";
import { processJob } from "../file-facts-store.ts";
import { fetchJob } from "../files/remote-file-store.ts";
import { endRereading } from "../pages/reread-store.ts";
import { modifyJob, redactJob } from "./rewrite-store.ts";

/*
 * One thing at a time is done with a document's file: it is read, redacted or modified. The status alone does not say
 * so: what `doctor` has read anew is `success` meanwhile, and cancelled work may still be storing a file until its worker
 * knows. While a file is fetched, another one may come and be read instead.
 */

/** Of a document whose row is the transaction's: whether its file is not to be touched by anybody else now. */
export async function isFileInWork(
  writer: Pick<Reader, "selectFrom">,
  { id, status }: { id: number; status: string },
): Promise<boolean> {
  if (busyStatuses.includes(status)) return true;
  if (await hasJobs(writer, { kinds: [processJob], subject: id })) return true;
  // A file that has arrived may be about to replace the present one.
  if (await isFileLocked(writer, id)) return true;
  if (await isCancelled(writer, { kinds: [processJob, redactJob, modifyJob], subject: id })) return true;
  const rewrite = await writer
    .selectFrom("document_rewrites")
    .select("document_id")
    .where("document_id", "=", id)
    .executeTakeFirst();
  return rewrite !== undefined;
}

/** Has whoever is at a document's file stop, and nobody begin. */
export async function cancelFileWork(writer: Writer, subject: number): Promise<void> {
  for (const kind of [fetchJob, processJob, redactJob, modifyJob]) await cancelJob(writer, { kind, subject });
  await endRereading(writer, subject);
}

import { busyStatuses } from "../../document-states.ts";
import { sql } from "kysely";
import type { Reader, Writer } from "../../../database/database.ts";
import { dialectOf } from "../../../database/dialects.ts";
import { timestampNow } from "../../../http/text/timestamp.ts";
import { enqueue, remove } from "../../../jobs/queue.ts";
import type { ArrivedFile } from "../files/received-file-store.ts";
import type { PlannedPage } from "../pages/planned-page.ts";
import type { BoxWithReason } from "../withheld/box-store.ts";
import { addHistory } from "../history-store.ts";
import { endIfHeld } from "../holds/held-documents.ts";
import type { ReceiptOfOne } from "../receipt-store.ts";
import { hasRow, removeRows, setRows } from "../../../database/rows.ts";

/** The jobs that rewrite or replace a document's file. */
export const redactJob = "redact document";
export const modifyJob = "modify document";
export const replaceJob = "replace file of document";
/** The job that fetches the file with which {@link replaceJob} then replaces a document's own. */
export const fetchReplacementJob = "fetch replacement of file";

/** What a redaction blackens, and what it draws besides that. */
export interface RedactionPlan {
  boxes: BoxWithReason[];
  /** Whether boxes show the codes of their reasons. */
  showsReasons?: boolean;
  /** Whether the document gets a last page that lists what was withheld. */
  addsIndex?: boolean;
}

/** A file that has arrived to replace a document's file. */
export interface Replacement extends ArrivedFile {
  /** The host from which it was fetched. */
  host?: string;
}

/** A file that is still to be fetched, and then replaces a document's file. */
export interface RemoteReplacement {
  address: string;
  /** Null if it is taken from the response. */
  extension: string | null;
}

export function isRemote(plan: Plans[keyof Plans]): plan is RemoteReplacement {
  return "address" in plan;
}

/** A document whose file is rewritten was ready, or could not be read. */
type StatusBefore = "success" | "error";

export interface Rewrite<Plan> {
  userId: number;
  plan: Plan;
  resultHash: string | null;
  statusBefore: StatusBefore;
}

interface Plans {
  redact: RedactionPlan;
  modify: PlannedPage[];
  replace: Replacement | RemoteReplacement;
}

const jobs = { redact: redactJob, modify: modifyJob, replace: replaceJob } as const;

interface NewRewrite<Kind extends keyof Plans> {
  kind: Kind;
  userId: number;
  plan: Plans[Kind];
  statusBefore: StatusBefore;
  options?: Readonly<Record<string, unknown>>;
}

/**
 * Queues a rewrite of a document's file: stores its plan, and adds the job that carries it out, or that prepares it.
 */
export async function addRewrite<Kind extends keyof Plans>(
  writer: Writer,
  documentId: number,
  { kind, userId, plan, statusBefore, options = {} }: NewRewrite<Kind>,
): Promise<void> {
  await endRewrite(writer, documentId);
  const row = { document_id: documentId, kind, user_id: userId, status_before: statusBefore };
  await writer
    .insertInto("document_rewrites")
    .values({ ...row, plan: JSON.stringify(plan) })
    .execute();
  const job = isRemote(plan) ? fetchReplacementJob : jobs[kind];
  const isLong = kind === "redact" && pagesIn(plan as RedactionPlan) > maxRedactedOfShort;
  if (kind === "redact") await endRemoval(writer, redactJob, documentId);
  await enqueue(writer, { kind: job, subject: documentId, options, owner: userId, isLong });
}

/** Each page with a box is drawn and recognised. A redaction of more pages leaves a slot to others. */
const maxRedactedOfShort = 4;

const pagesIn = ({ boxes }: RedactionPlan): number => new Set(boxes.map(({ page }) => page)).size;

export async function findRewrite<Kind extends keyof Plans>(
  reader: Pick<Reader, "selectFrom">,
  documentId: number,
  kind: Kind,
): Promise<Rewrite<Plans[Kind]> | null> {
  const row = await reader
    .selectFrom("document_rewrites")
    .select(["user_id", "plan", "result_hash", "status_before"])
    .where("document_id", "=", documentId)
    .where("kind", "=", kind)
    .executeTakeFirst();
  if (row === undefined) return null;
  return {
    userId: row.user_id,
    plan: JSON.parse(row.plan) as Plans[Kind],
    resultHash: row.result_hash,
    statusBefore: row.status_before,
  };
}

/**
 * Records the hash of the new PDF before it takes the place of the old one.
 *
 * @throws {UnreadableFileError} if a hold covers the document, and no hash was recorded before it was set.
 */
export async function noteResult(writer: Writer, documentId: number, resultHash: string): Promise<void> {
  if (!(await isBeingReplaced(writer, documentId))) await endIfHeld(writer, documentId);
  await setRows(writer, "document_rewrites", { document_id: documentId }, { result_hash: resultHash });
}

export async function endRewrite(writer: Writer, documentId: number): Promise<void> {
  await removeRows(writer, "document_rewrites", { document_id: documentId });
}

/** Whether the new PDF of a document is replacing the old one. From then on, the rewrite cannot be cancelled. */
export async function isBeingReplaced(
  reader: Pick<Reader, "selectFrom">,
  documentId: number,
): Promise<boolean> {
  const row = await reader
    .selectFrom("document_rewrites")
    .select("document_id")
    .where("document_id", "=", documentId)
    .where("result_hash", "is not", null)
    .executeTakeFirst();
  return row !== undefined;
}

/** Whether a rewrite of the document's PDF is queued or running. */
export async function hasRewrite(reader: Pick<Reader, "selectFrom">, documentId: number): Promise<boolean> {
  return hasRow(reader, "document_rewrites", { document_id: documentId });
}

/**
 * Cancels the work on a document's file, which has not been replaced yet. Returns the status that the document has
 * afterwards, the receipt that says so, and the user who asked for a rewrite. A document whose file was to be rewritten
 * gets its status back.
 */
export async function cancelRewrite(
  writer: Writer,
  documentId: number,
): Promise<{ status: string; receipt: ReceiptOfOne; userId: number | null }> {
  const rewrite = await writer
    .selectFrom("document_rewrites")
    .select(["kind", "status_before", "user_id"])
    .where("document_id", "=", documentId)
    .executeTakeFirst();
  await endRewrite(writer, documentId);
  if (rewrite?.kind === "replace") await removeReplacement(writer, documentId);
  if (rewrite?.kind === "redact") await endRedacting(writer, documentId);
  const step = rewrite?.kind === "replace" ? "replaced" : "cancelled";
  const details = { message: "Processing was cancelled" };
  return {
    status: rewrite?.status_before ?? "error",
    receipt: { step, outcome: "failed", milliseconds: 0, details },
    userId: rewrite?.user_id ?? null,
  };
}

/** The status that a document has when the rewrite of its file has failed: its own, if it still has its old file. */
export const statusAfterFailure = ({ resultHash, statusBefore }: Rewrite<unknown>): StatusBefore =>
  resultHash === null ? statusBefore : "error";

/**
 * Queues the removal of the file that was to replace a document's own. The job that replaces files does this: without a
 * plan, it only removes what is left.
 */
export async function removeReplacement(writer: Writer, documentId: number, afterSeconds = 0): Promise<void> {
  await endRemoval(writer, replaceJob, documentId);
  await enqueue(writer, { kind: replaceJob, subject: documentId, afterSeconds });
}

/** Queues the removal of what a cancelled redaction has made so far. The job that redacts documents does this. */
async function endRedacting(writer: Writer, documentId: number): Promise<void> {
  await enqueue(writer, { kind: redactJob, subject: documentId, options: { cancelled: true } });
}

/** Removes a job that was queued to remove what is left of an earlier rewrite of this kind. */
export async function endRemoval(
  writer: Writer,
  kind: typeof replaceJob | typeof redactJob,
  documentId: number,
): Promise<void> {
  await remove(writer, { kind, subject: documentId });
}

/**
 * Makes a document private when its redaction failed while its file was being replaced, because the content to hide may
 * still be in it. Otherwise processing it again, or its scheduled publication, would show that content to everyone.
 */
export async function withhold(writer: Writer, documentId: number): Promise<void> {
  const before = await writer
    .selectFrom("documents")
    .select(["access", "publish_at"])
    .where("id", "=", documentId)
    .executeTakeFirst();
  if (before === undefined || before.access === "invisible") return;
  const { access, publish_at } = before;
  if (access === "private" && publish_at === null) return;
  await writer
    .updateTable("documents")
    .set({ access: "private", publish_at: null, updated_at: timestampNow() })
    .where("id", "=", documentId)
    .execute();
  const changes = {
    ...(access !== "private" && { access: [access, "private"] as const }),
    ...(publish_at !== null && { publish_at: [publish_at, null] as const }),
  };
  await addHistory(writer, [{ documentId, userId: null, action: "changed", changes }]);
}

/** Locks the document's row for the transaction; false if the document is no longer being processed. */
export async function lockBusy(writer: Writer, documentId: number): Promise<boolean> {
  const { rows } = await sql<{ status: string }>`
    select status from documents where id = ${documentId} ${dialectOf(writer).forUpdate}`.execute(writer);
  return rows.some(({ status }) => busyStatuses.includes(status));
}

export interface RewrittenFacts {
  page_count: number;
  page_spec: string;
  file_hash: string;
}

/** Marks the document as `success` with its new PDF, which is now its original file unless another type is given. */
export async function setRewritten(
  writer: Writer,
  documentId: number,
  facts: RewrittenFacts | null,
  extension = "pdf",
): Promise<void> {
  await setRows(
    writer,
    "documents",
    { id: documentId },
    {
      status: "success",
      updated_at: timestampNow(),
      ...(facts !== null && { ...facts, original_extension: extension }),
    },
  );
}

export async function setExtensionToPdf(writer: Writer, documentId: number): Promise<void> {
  await setRows(writer, "documents", { id: documentId }, { original_extension: "pdf" });
}

export async function setFileHash(writer: Writer, documentId: number, hash: string): Promise<void> {
  await setRows(writer, "documents", { id: documentId }, { file_hash: hash });
}

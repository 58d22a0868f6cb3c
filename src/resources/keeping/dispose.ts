import type { Context } from "../../context.ts";
import type { Writer } from "../../database/database.ts";
import type { Dialect } from "../../database/dialect.ts";
import { timestampNow } from "../../http/text/timestamp.ts";
import type { Job } from "../../jobs/running-job.ts";
import { addHistory } from "../documents/history-store.ts";
import { findHeld, planOf } from "../documents/holds/held-documents.ts";
import { findMatchingAmong } from "../documents/holds/hold-store.ts";
import { deleteDocument } from "../documents/record/change-store.ts";
import { removeFilesOf } from "../documents/record/remove-files.ts";
import { lockDocument } from "../documents/store.ts";
import { dueDate } from "./due-date.ts";
import {
  type CertificateChanges,
  type RuleRow,
  findCandidate,
  findFamilyFacts,
  findNextApproved,
  findPublished,
  lockRule,
  withdraw,
} from "./retention-store.ts";

/** The job that deletes the documents whose deletion was approved. */
export const disposeJob = "dispose of documents";

type Approved = NonNullable<Awaited<ReturnType<typeof findNextApproved>>>;

/**
 * Deletes what was approved, for good, and leaves a certificate in the history. Whatever is under a legal hold by now,
 * or has not run out any more, stays, and is not approved any more.
 */
export async function disposeOfApproved(
  context: Pick<Context, "database" | "files" | "log">,
  job: Job,
  signal: AbortSignal,
): Promise<void> {
  const { database } = context;
  let last: Approved | null = null;
  for (;;) {
    signal.throwIfAborted();
    const next: Approved | null = await findNextApproved(database.reader, last?.id ?? 0);
    if (next === null) break;
    last = next;
    await removeFilesOf(context, await database.write((writer) => dispose(writer, database.dialect, next)));
  }
  await database.write((writer) => job.complete(writer));
}

/** Returns the ids of the documents whose files must be removed afterwards. */
async function dispose(writer: Writer, dialect: Dialect, approved: Approved): Promise<number[]> {
  const { id, document_id: documentId, due_at } = approved;
  const rule = await lockRule(writer, approved.rule_id);
  if (rule === null || !(await lockDocument(writer, dialect, documentId))) return [];
  const isHeld = (await findHeld(writer, [documentId])).length > 0;
  if (isHeld || !(await hasRunOut(writer, dialect, rule, documentId))) {
    await withdraw(writer, id);
    return [];
  }
  const family = await findFamilyFacts(writer, documentId);
  const gone = await deleteDocument(writer, documentId);
  const { decided_by: approver, decided_at: approvedAt } = approved;
  await addHistory(
    writer,
    family.map(({ id: member, title, file_hash, page_count }) => ({
      documentId: member,
      userId: approver,
      action: "disposed",
      changes: {
        title: [title, null],
        file_hash: [file_hash, null],
        page_count: [page_count, null],
        rule: [null, rule.name],
        due_at: [null, due_at],
        approved_by: [null, approver ?? 0],
        approved_at: [null, approvedAt ?? ""],
      } satisfies CertificateChanges,
    })),
  );
  return gone;
}

async function hasRunOut(writer: Writer, dialect: Dialect, rule: RuleRow, id: number): Promise<boolean> {
  const candidate = await findCandidate(writer, rule, id);
  if (candidate === null) return false;
  if (rule.query !== null) {
    const plan = await planOf(rule.query);
    if (plan === null || (await findMatchingAmong(writer, dialect, plan, [id])).length === 0) return false;
  }
  const published = rule.starts === "published" ? await findPublished(writer, dialect, [id]) : null;
  const due = dueDate(rule, candidate, published?.get(id));
  return due !== null && due <= timestampNow();
}

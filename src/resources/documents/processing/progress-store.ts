import { sql } from "kysely";
import type { Database, Reader, Writer } from "../../../database/database.ts";
import { timestampNow } from "../../../http/text/timestamp.ts";
import type { Job } from "../../../jobs/running-job.ts";
import { isUnfinishedAfter } from "./is-unfinished-after.ts";
import { removeRows } from "../../../database/rows.ts";

export interface ProgressRow {
  step: string;
  /** The number of pages that are done. */
  done: number;
  /** Null while it is unknown. */
  total: number | null;
  at: string;
}

/** Work that is done sooner records no progress. */
export const minMilliseconds = 500;

/** Records the progress of a job; at most twice a second, because each record is a transaction. */
export class Progress {
  readonly #database: Database;
  readonly #job: Job;
  #notedAt = -Infinity;

  constructor(database: Database, job: Job) {
    this.#database = database;
    this.#job = job;
  }

  /** @throws {LeaseLostError} if this worker no longer holds the job. */
  async note(step: string, done = 0, total: number | null = null): Promise<void> {
    if (performance.now() - this.#notedAt < minMilliseconds) return;
    await this.#database.write((writer) => this.noteIn(writer, step, done, total));
  }

  /** Waits for work, and records its step if it takes long. A record that cannot be written does not end the work. */
  async noteDuring<T>(step: string, work: Promise<T>): Promise<T> {
    if (await isUnfinishedAfter(minMilliseconds, work)) await this.note(step).catch(() => undefined);
    return work;
  }

  /**
   * Records the progress in the caller's transaction, however recent the last record is.
   *
   * @throws {LeaseLostError} if this worker no longer holds the job.
   */
  async noteIn(writer: Writer, step: string, done: number, total: number | null): Promise<void> {
    this.#notedAt = performance.now();
    const at = timestampNow();
    // Inserts nothing if the document has been deleted meanwhile.
    await sql`insert into document_progress (document_id, step, done, total, at)
      select id, cast(${step} as text), cast(${done} as bigint), cast(${total} as bigint), cast(${at} as text)
      from documents where id = ${this.#job.subject}
      on conflict (document_id) do update
      set step = excluded.step, done = excluded.done, total = excluded.total, at = excluded.at`.execute(
      writer,
    );
    await this.#job.hold(writer);
  }
}

/** Must be called in the transaction that completes the job. */
export async function endProgress(writer: Writer, documentId: number): Promise<void> {
  await removeRows(writer, "document_progress", { document_id: documentId });
}

export async function findProgress(
  { reader }: { reader: Pick<Reader, "selectFrom"> },
  documentId: number,
): Promise<ProgressRow | null> {
  const row = await reader
    .selectFrom("document_progress")
    .select(["step", "done", "total", "at"])
    .where("document_id", "=", documentId)
    .executeTakeFirst();
  return row ?? null;
}

/** The progress of the documents that have any, by document id. */
export async function findProgressAmong(
  { reader }: Pick<Database, "reader">,
  documentIds: readonly number[],
): Promise<Map<number, ProgressRow>> {
  if (documentIds.length === 0) return new Map();
  const rows = await reader
    .selectFrom("document_progress")
    .select(["document_id", "step", "done", "total", "at"])
    .where("document_id", "in", documentIds)
    .execute();
  return new Map(rows.map(({ document_id, ...row }) => [document_id, row]));
}

/** The latest progress entry of all documents, with the document's title. */
export async function findLatestProgress({
  reader,
}: Database): Promise<(Pick<ProgressRow, "step" | "done" | "total"> & { title: string }) | null> {
  const row = await reader
    .selectFrom("document_progress")
    .innerJoin("documents", "documents.id", "document_progress.document_id")
    .select(["documents.title", "step", "done", "total"])
    .orderBy("document_progress.at", "desc")
    .limit(1)
    .executeTakeFirst();
  return row ?? null;
}

import { sql } from "kysely";
import type { Database, Writer } from "../../../database/database.ts";
import { dialectOf } from "../../../database/dialects.ts";
import { enqueue } from "../../../jobs/queue.ts";
import type { Job } from "../../../jobs/running-job.ts";
import { workInBatches } from "../../../jobs/work-in-batches.ts";
import { type Fingerprint, FingerprintMaker, bandsOf } from "./fingerprints.ts";
import { textsOf } from "./page-texts.ts";

/** The job that makes the fingerprints that are missing. */
export const fingerprintJob = "make fingerprints";

/**
 * Removes the fingerprints of documents in the transaction that changes their texts, and leaves it to the job to make
 * them again.
 */
export async function fingerprintLater(writer: Writer, documentIds: readonly number[]): Promise<void> {
  if (documentIds.length === 0) return;
  const dialect = dialectOf(writer);
  const ids = sql`${dialect.list([...new Set(documentIds)])}`;
  await sql`delete from fingerprint_bands where ${dialect.isAmong(sql.ref("document_id"), ids)}`.execute(
    writer,
  );
  await sql`insert into document_fingerprints (document_id, requests)
    select value, 1 from (${dialect.valuesOf(ids)}) as documents where true
    on conflict (document_id) do update
    set requests = document_fingerprints.requests + 1, words = null, hashes = null`.execute(writer);
  await enqueue(writer, { kind: fingerprintJob, subject: 0 });
}

/** Keeps the fingerprint of a text that has just been written in the same transaction. */
export async function putFingerprint(writer: Writer, documentId: number, made: Fingerprint): Promise<void> {
  const { words, hashes } = made;
  await writer
    .insertInto("document_fingerprints")
    .values({ document_id: documentId, requests: 1, words, hashes })
    .onConflict((conflict) => conflict.column("document_id").doUpdateSet({ words, hashes }))
    .execute();
  await putBands(writer, documentId, hashes);
}

async function putBands(writer: Writer, documentId: number, hashes: string | null): Promise<void> {
  await writer.deleteFrom("fingerprint_bands").where("document_id", "=", documentId).execute();
  if (hashes === null) return;
  const rows = bandsOf(hashes).map((band) => ({ band, document_id: documentId }));
  await writer.insertInto("fingerprint_bands").values(rows).execute();
}

/** Makes the fingerprints that are missing, one by one. It may be interrupted at any time. */
export async function makeFingerprints(
  database: Pick<Database, "reader" | "write">,
  job: Pick<Job, "complete">,
  signal: AbortSignal,
): Promise<void> {
  await workInBatches(database, job, signal, () => makeNext(database, signal));
}

/** Returns false if no fingerprint is missing. */
async function makeNext(database: Pick<Database, "reader" | "write">, signal: AbortSignal): Promise<boolean> {
  const { reader } = database;
  const next = await reader
    .selectFrom("document_fingerprints")
    .select(["document_id", "requests"])
    .where("words", "is", null)
    .orderBy("document_id")
    .limit(1)
    .executeTakeFirst();
  if (next === undefined) return false;
  const { document_id: id, requests } = next;
  const maker = new FingerprintMaker();
  for await (const pages of textsOf(reader, id)) {
    signal.throwIfAborted();
    for (const { text } of pages) maker.add(text);
  }
  const { words, hashes } = maker.end();
  await database.write(async (writer) => {
    // If the text has changed meanwhile, the document is the next one again.
    const { numUpdatedRows } = await writer
      .updateTable("document_fingerprints")
      .set({ words, hashes })
      .where("document_id", "=", id)
      .where("requests", "=", requests)
      .executeTakeFirst();
    if (numUpdatedRows > 0n) await putBands(writer, id, hashes);
  });
  return true;
}

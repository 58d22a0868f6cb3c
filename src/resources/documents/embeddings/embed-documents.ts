import type { Context } from "../../../context.ts";
import type { PageEmbeddingsTable } from "../../../database/tables.ts";
import type { Job, JobKind } from "../../../jobs/running-job.ts";
import { workInBatches } from "../../../jobs/work-in-batches.ts";
import { EmbeddingError, embed } from "../../../processing/embedding/embedder.ts";
import { passagesOf } from "../../../processing/embedding/passages.ts";
import { packed } from "../../../processing/embedding/vectors.ts";
import { textsOf } from "../pages/page-texts.ts";
import {
  type PageText,
  areVectorsMissing,
  embedJob,
  embedLater,
  findUnembedded,
  putEmbeddings,
} from "./embedding-store.ts";

/** The passages of a document. The pages after them are found by their words alone. */
const maxPassages = 512;

interface Embedding extends Pick<Context, "database"> {
  config: Pick<Context["config"], "embeddingModel">;
}

/** The databases for which this process has queued the job. */
const queued = new WeakSet<object>();

/** Queues the job if a document has no vectors, and once at the start: the model may be another one. */
export async function queueEmbedding({ database, jobs }: Pick<Context, "database" | "jobs">): Promise<void> {
  if (queued.has(database) && !(await areVectorsMissing(database))) return;
  queued.add(database);
  await database.write(embedLater);
  jobs.notify();
}

/** The job, as a runner has it. Searches are correct without it. */
export const embeddingJobs = (
  context: Embedding,
  common: Pick<JobKind, "failed" | "isPassing" | "attemptsAtMost">,
) => ({
  [embedJob]: {
    ...common,
    run: (job, signal) => embedDocuments(context, job, signal),
    isFinal: (error) => error instanceof EmbeddingError,
    // A separate slot, so that documents are read meanwhile.
    ownSlots: 1,
  } satisfies JobKind,
});

/** Embeds the documents that have no vectors of the model, one by one. It may be interrupted at any time. */
export async function embedDocuments(
  { config, database }: Embedding,
  job: Pick<Job, "complete">,
  signal: AbortSignal,
): Promise<void> {
  const { embeddingModel: folder } = config;
  let after: number | null = 0;
  await workInBatches(database, job, signal, async () => {
    if (folder === null) return false;
    const { model } = await embed(folder, { text: "", as: "passage" });
    after = await findUnembedded(database, model, after ?? 0);
    if (after !== null) await embedDocument({ database, folder, model }, after, signal);
    return after !== null;
  });
}

async function embedDocument(
  { database, folder, model }: Pick<Context, "database"> & { folder: string; model: string },
  documentId: number,
  signal: AbortSignal,
): Promise<void> {
  const texts: PageText[] = [];
  const rows: PageEmbeddingsTable[] = [];
  let count = 0;
  for await (const pages of textsOf(database.reader, documentId)) {
    for (const { page, text } of pages) {
      if (count >= maxPassages) break;
      texts.push({ page, text });
      const vectors: Float32Array[] = [];
      for (const passage of passagesOf(text)) {
        signal.throwIfAborted();
        vectors.push((await embed(folder, { text: passage, as: "passage" })).vector);
      }
      count += vectors.length;
      if (vectors.length > 0) {
        rows.push({ document_id: documentId, page, model, vectors: packed(vectors) });
      }
    }
    if (count >= maxPassages) break;
  }
  // If the texts have changed meanwhile, the document is embedded with the next job.
  const made = { texts, isWhole: count < maxPassages, rows };
  await database.write((writer) => putEmbeddings(writer, documentId, model, made));
}

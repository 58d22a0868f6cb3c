import type { Context } from "../../context.ts";
import { enqueue } from "../../jobs/queue.ts";
import type { Job } from "../../jobs/running-job.ts";
import {
  type Figures,
  type StoredFigures,
  documentsAfter,
  fileReceipts,
  findLastReceipt,
  membershipsIn,
  storeFigures,
} from "./storage-store.ts";

/** The job that adds up the storage of each user and project. There is one, with the subject 0. */
export const measureJob = "measure storage";

/** Queues the job. */
export async function requestMeasuring({
  database,
  jobs,
}: Pick<Context, "database" | "jobs">): Promise<void> {
  await database.write((writer) => enqueue(writer, { kind: measureJob, subject: 0 }));
  jobs.notify();
}

/**
 * Adds up the documents, pages and bytes of each user and of each project. The size of a file comes from the receipt of
 * its arrival, because asking a store for the size of every file can take hours.
 */
export async function measureStorage(
  { database }: Pick<Context, "database">,
  job: Job,
  signal: AbortSignal,
): Promise<void> {
  const figures = new Map<string, StoredFigures>();
  const count = (
    kind: StoredFigures["kind"],
    subject: number,
    { documents, pages, bytes }: Figures,
  ): void => {
    const key = `${kind} ${subject}`;
    const known = figures.get(key) ?? { kind, subject, documents: 0, pages: 0, bytes: 0 };
    known.documents += documents;
    known.pages += pages;
    known.bytes += bytes;
    figures.set(key, known);
  };
  const lastReceipt = await findLastReceipt(database);
  count("all", 0, { documents: 0, pages: 0, bytes: 0 });
  for (let after = 0; ;) {
    signal.throwIfAborted();
    const documents = await documentsAfter(database, after);
    const [first, last] = [documents[0], documents.at(-1)];
    if (first === undefined || last === undefined) break;
    const range = { from: first.id, to: last.id };
    const sizes = new Map<number, number>();
    for (const { document_id, details } of await fileReceipts(database, range)) {
      const { bytes } = JSON.parse(details) as { bytes?: unknown };
      if (typeof bytes === "number") sizes.set(document_id, bytes);
    }
    const ofDocuments = new Map<number, Figures>();
    for (const { id, user_id, organization_id, page_count: pages } of documents) {
      const own = { documents: 1, pages, bytes: sizes.get(id) ?? 0 };
      ofDocuments.set(id, own);
      count("all", 0, own);
      count("user", user_id, own);
      count("organization", organization_id, own);
    }
    for (const { document_id, project_id } of await membershipsIn(database, range)) {
      const own = ofDocuments.get(document_id);
      if (own !== undefined) count("project", project_id, own);
    }
    after = last.id;
  }
  await database.write(async (writer) => {
    await storeFigures(writer, [...figures.values()], lastReceipt);
    await job.complete(writer);
  });
}

import type { Context } from "../../context.ts";
import { conflict, reasonOf } from "../../errors.ts";
import { enqueue, hasJobs } from "../../jobs/queue.ts";
import type { Job } from "../../jobs/running-job.ts";
import { examineDocuments } from "../documents/processing/examine-documents.ts";
import {
  addExamination,
  addFinding,
  beginExamination,
  endExamination,
  noteExamined,
} from "./examination-store.ts";

/** The job that does what `quire doctor` does. Its subject is the id of an examination. */
export const examineJob = "examine";

/** So many findings are stored; the others are counted. */
const maxFindings = 500;

/** Queues an examination. @throws {ApiError} 409 if one is waiting or running. */
export async function requestExamination(
  { database, jobs }: Pick<Context, "database" | "jobs">,
  options: { repairs: boolean; hashes: boolean },
): Promise<void> {
  await database.write(async (writer) => {
    if (await hasJobs(writer, { kinds: [examineJob] })) throw conflict("An examination is under way.");
    const id = await addExamination(writer, options);
    await enqueue(writer, { kind: examineJob, subject: id, options });
  });
  jobs.notify();
}

/** Compares the database, the files and the index, and repairs what differs if the examination says so. */
export async function examine(
  context: Pick<Context, "database" | "files" | "log">,
  job: Job,
  signal: AbortSignal,
): Promise<void> {
  const { database } = context;
  const id = job.subject;
  const repairs = job.options["repairs"] === true;
  const hashes = job.options["hashes"] === true;
  const progress = await database.write((writer) => beginExamination(writer, id));
  if (progress === null) return;
  const onBatch = async (documents: number, position: number | null): Promise<void> => {
    signal.throwIfAborted();
    progress.examined += documents;
    progress.position = position;
    await database.write(async (writer) => {
      await noteExamined(writer, id, progress);
      await job.hold(writer);
    });
  };
  const options = { hashes, after: progress.position, onBatch };
  for await (const { what, repair } of examineDocuments(context, options)) {
    signal.throwIfAborted();
    const finding = await outcomeOf(what, repairs ? repair : null, repair !== null);
    progress.found += 1;
    if (finding.outcome === "mended") progress.mended += 1;
    if (progress.found > maxFindings) continue;
    await database.write((writer) => addFinding(writer, id, finding));
  }
  await database.write(async (writer) => {
    await noteExamined(writer, id, progress);
    await endExamination(writer, id, null);
    await job.complete(writer);
  });
}

async function outcomeOf(what: string, repair: (() => Promise<void>) | null, isRepairable: boolean) {
  if (repair === null) {
    return {
      what,
      outcome: isRepairable ? ("repairable" as const) : ("not repairable" as const),
      problem: null,
    };
  }
  try {
    await repair();
    return { what, outcome: "mended" as const, problem: null };
  } catch (error) {
    return { what, outcome: "failed" as const, problem: reasonOf(error) };
  }
}

/** Records that an examination was given up, and why. */
export async function examiningFailed(
  { database }: Pick<Context, "database">,
  job: Job,
  reason: string,
): Promise<void> {
  await database.write(async (writer) => {
    await endExamination(writer, job.subject, reason);
    await job.complete(writer);
  });
}

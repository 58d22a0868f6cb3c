import type { Context } from "../../context.ts";
import type { Job } from "../../jobs/running-job.ts";
import { timestampIn, timestampNow } from "../../http/text/timestamp.ts";
import { productionLimits } from "../../contract/limits.ts";
import { makeWorkFolder } from "../../work-folders.ts";
import { findOwner } from "../searches/compare.ts";
import { fragmentKey, productionFolder } from "./fragment.ts";
import { missingFiles } from "./missing-files.ts";
import { produceDocument } from "./produce-document.ts";
import {
  type ProducedRow,
  type ProductionRow,
  findProduction,
  findWaiting,
  lockProduction,
  makeAgain,
  setProduced,
  setProduction,
} from "./store.ts";

/** The job that makes the files of a production. */
export const makeJob = "make production";

type Services = Pick<Context, "converter" | "database" | "files" | "pdfs">;

const daySeconds = 24 * 3600;

/**
 * Makes the documents of a production one after another. Each is stored before its row says so, so a worker that takes
 * over goes on with the next one. Numbers were given before.
 */
export async function makeProduction(context: Services, job: Job, signal: AbortSignal): Promise<void> {
  const { database, files } = context;
  const production = await findProduction(database.reader, job.subject);
  if (production === null) return;
  try {
    if (production.state !== "making") return;
    await makeMissingAgain(context, production.id);
    for (;;) {
      signal.throwIfAborted();
      const produced = await findWaiting(database.reader, production.id);
      if (produced === null) break;
      await makeOne(context, job, { production, produced }, signal);
    }
    await database.write(async (writer) => {
      const locked = await lockProduction(writer, production.id);
      if (locked?.state !== "making") return;
      const ended = { ended_at: timestampNow(), expires_at: timestampIn(productionLimits.days * daySeconds) };
      await setProduction(writer, production.id, { state: "done", ...ended });
      await job.complete(writer);
    });
  } finally {
    // A document may have been stored after it was cancelled.
    const now = await findProduction(database.reader, production.id);
    if (now !== null && now.state !== "making" && now.state !== "done")
      await files.deleteFolder(productionFolder(production.id));
  }
}

async function makeOne(
  context: Services,
  job: Job,
  { production, produced }: { production: ProductionRow; produced: ProducedRow },
  signal: AbortSignal,
): Promise<void> {
  const { database, files } = context;
  await using folder = await makeWorkFolder("production");
  const viewer = await findOwner(database, production.user_id);
  const made = await produceDocument(context, { production, produced, viewer }, folder, signal);
  const { state, reason, fields, fragment } = made;
  await fragment[Symbol.asyncDispose]();
  await job.check();
  if (fragment.files.length > 0)
    await files.put(fragmentKey(production.id, produced.first_number), fragment.path);
  await database.write(async (writer) => {
    const content = { fields: JSON.stringify(fields), files: JSON.stringify(fragment.files) };
    await setProduced(writer, produced.id, { state, reason, ...content });
    await job.hold(writer);
  });
}

/** A backup has the rows of a production, and not its files. */
async function makeMissingAgain(context: Services, id: number): Promise<void> {
  for await (const ids of missingFiles(context, id))
    await context.database.write((writer) => makeAgain(writer, ids));
}

/** Says why a production is given up. Its numbers stay. */
export async function makingFailed({ database, files }: Services, job: Job, reason: string): Promise<void> {
  await database.write(async (writer) => {
    const locked = await lockProduction(writer, job.subject);
    const now = timestampNow();
    if (locked?.state === "making")
      await setProduction(writer, job.subject, { state: "failed", reason, ended_at: now, expires_at: now });
    await job.complete(writer);
  });
  await files.deleteFolder(productionFolder(job.subject));
}

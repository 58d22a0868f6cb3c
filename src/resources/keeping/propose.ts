import type { Context } from "../../context.ts";
import { TooSlowError } from "../../database/read-worker.ts";
import { timestampNow } from "../../http/text/timestamp.ts";
import { enqueue } from "../../jobs/queue.ts";
import type { Job } from "../../jobs/running-job.ts";
import { findHeld, planOf } from "../documents/holds/held-documents.ts";
import { searchAmong } from "../documents/holds/hold-store.ts";
import { dueDate } from "./due-date.ts";
import {
  type RuleRow,
  addProposals,
  findNextCandidates,
  findPublished,
  findRulesInForce,
  lockRule,
} from "./retention-store.ts";

/** The job that proposes the documents whose periods have run out. */
export const proposeJob = "propose dispositions";

const documentsAtOnce = 500;
const batchSeconds = 60;

/** Proposes what has run out by the rules in force, but for what is under a legal hold. */
export async function proposeDispositions(
  context: Pick<Context, "database" | "log">,
  job: Job,
  signal: AbortSignal,
): Promise<void> {
  const { database, log } = context;
  for (const rule of await findRulesInForce(database.reader)) {
    try {
      await proposeBy(context, rule, signal);
    } catch (error) {
      if (!(error instanceof TooSlowError)) throw error;
      log.warn({ rule: rule.id }, "The search of a retention rule takes too long");
    }
  }
  await database.write((writer) => job.complete(writer));
}

async function proposeBy(
  { database }: Pick<Context, "database">,
  rule: RuleRow,
  signal: AbortSignal,
): Promise<void> {
  const { dialect, reader } = database;
  const plan = rule.query === null ? null : await planOf(rule.query);
  // Nobody can tell any more what it is about.
  if (rule.query !== null && plan === null) return;
  for (let after = 0; ;) {
    signal.throwIfAborted();
    const candidates = await findNextCandidates(reader, rule, after, documentsAtOnce);
    const ids = candidates.map(({ id }) => id);
    if (ids.length === 0) return;
    after = ids.at(-1) ?? after;
    const found = new Set(plan === null ? ids : await searchAmong(database, plan, ids, batchSeconds));
    const published = rule.starts === "published" ? await findPublished(reader, dialect, ids) : null;
    const now = timestampNow();
    const due = candidates.flatMap((candidate) => {
      const due_at = found.has(candidate.id) ? dueDate(rule, candidate, published?.get(candidate.id)) : null;
      return due_at !== null && due_at <= now ? [{ id: candidate.id, due_at }] : [];
    });
    if (due.length === 0) continue;
    await database.write(async (writer) => {
      if ((await lockRule(writer, rule.id)) === null) return;
      const held = new Set(
        await findHeld(
          writer,
          due.map(({ id }) => id),
        ),
      );
      await addProposals(
        writer,
        rule,
        due.filter(({ id }) => !held.has(id)),
      );
    });
  }
}

/** Queues {@link proposeJob}, if a rule is in force. */
export async function queueProposing({ database, jobs }: Pick<Context, "database" | "jobs">): Promise<void> {
  if ((await findRulesInForce(database.reader)).length === 0) return;
  await database.write((writer) => enqueue(writer, { kind: proposeJob, subject: 0 }));
  jobs.notify();
}

import { sql } from "kysely";
import type { Database } from "../../database/database.ts";
import { timestampNow } from "../../http/text/timestamp.ts";

/** How many receipts of one step and outcome there are, how long they took, and how many took at most so long. */
export interface StepCount {
  step: string;
  outcome: string;
  count: number;
  milliseconds: number;
  /** For each of the bounds. */
  within: number[];
}

/** Counts the receipts after one and up to another, by their ids. */
export async function countSteps(
  { reader }: Pick<Database, "reader">,
  { after, last }: { after: number; last: number },
  boundsMilliseconds: readonly number[],
): Promise<StepCount[]> {
  const within = boundsMilliseconds.map(
    (bound, index) =>
      sql`sum(case when milliseconds <= ${sql.lit(bound)} then 1 else 0 end) as ${sql.ref(`within_${index}`)}`,
  );
  const { rows } = await sql<Record<string, unknown>>`select step, outcome, count(*) as count,
      sum(milliseconds) as milliseconds, ${sql.join(within)}
    from document_receipts where id > ${after} and id <= ${last} group by step, outcome`.execute(reader);
  return rows.map((row) => ({
    step: String(row["step"]),
    outcome: String(row["outcome"]),
    count: Number(row["count"]),
    milliseconds: Number(row["milliseconds"]),
    within: boundsMilliseconds.map((_, index) => Number(row[`within_${index}`])),
  }));
}

/** By kind of job: when the job became due that no worker has taken for the longest time. */
export async function findOldestDueOfKinds({
  reader,
}: Pick<Database, "reader">): Promise<{ kind: string; due_at: string }[]> {
  return reader
    .selectFrom("jobs")
    .select(({ fn }) => ["kind", fn.min("due_at").as("due_at")])
    .where("cancelled_at", "is", null)
    .where("due_at", "<=", timestampNow())
    .groupBy("kind")
    .execute();
}

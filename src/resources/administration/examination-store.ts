import type { Database, Reader, Writer } from "../../database/database.ts";
import type { FindingsTable } from "../../database/tables.ts";
import { timestampNow } from "../../http/text/timestamp.ts";
import { setRows } from "../../database/rows.ts";

export interface Examination {
  id: number;
  repairs: boolean | number;
  hashes: boolean | number;
  requested_at: string;
  ended_at: string | null;
  documents: number;
  examined: number;
  found: number;
  mended: number;
  problem: string | null;
}

export interface Finding {
  id: number;
  what: string;
  outcome: FindingsTable["outcome"];
  problem: string | null;
}

/** Records that an examination was requested, in place of all earlier ones. Returns its id. */
export async function addExamination(
  writer: Writer,
  { repairs, hashes }: { repairs: boolean; hashes: boolean },
): Promise<number> {
  await writer.deleteFrom("examinations").execute();
  const { id } = await writer
    .insertInto("examinations")
    .values({
      repairs,
      hashes,
      requested_at: timestampNow(),
      ended_at: null,
      documents: 0,
      examined: 0,
      position: null,
      found: 0,
      mended: 0,
      problem: null,
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  return id;
}

/** The latest examination; null if there was none. */
export async function findExamination(reader: Pick<Reader, "selectFrom">): Promise<Examination | null> {
  const row = await reader
    .selectFrom("examinations")
    .selectAll()
    .orderBy("id", "desc")
    .limit(1)
    .executeTakeFirst();
  return row ?? null;
}

/** The findings of an examination, as far as they are stored. */
export async function listFindings({ reader }: Database, examination: number): Promise<Finding[]> {
  return reader
    .selectFrom("findings")
    .select(["id", "what", "outcome", "problem"])
    .where("examination_id", "=", examination)
    .orderBy("id")
    .execute();
}

/** How far an examination has come. */
export interface ExaminationProgress {
  examined: number;
  position: number | null;
  found: number;
  mended: number;
}

/**
 * Begins an examination, or goes on with it after an interrupted attempt: forgets what that one has found since it last
 * noted how far it was. Null if the examination has been removed meanwhile.
 */
export async function beginExamination(writer: Writer, id: number): Promise<ExaminationProgress | null> {
  const { documents } = await writer
    .selectFrom("documents")
    .select((select) => select.fn.countAll<number>().as("documents"))
    .executeTakeFirstOrThrow();
  const progress = await writer
    .updateTable("examinations")
    .set({ documents })
    .where("id", "=", id)
    .returning(["examined", "position", "found", "mended"])
    .executeTakeFirst();
  if (progress === undefined) return null;
  const noted = writer.selectFrom("findings").select("id").where("examination_id", "=", id).orderBy("id");
  await writer
    .deleteFrom("findings")
    .where("examination_id", "=", id)
    .where("id", "not in", noted.limit(progress.found))
    .execute();
  return progress;
}

export async function noteExamined(writer: Writer, id: number, progress: ExaminationProgress): Promise<void> {
  await setRows(writer, "examinations", { id }, progress);
}

export async function addFinding(
  writer: Writer,
  examination_id: number,
  finding: Omit<Finding, "id">,
): Promise<void> {
  await writer
    .insertInto("findings")
    .values({ examination_id, ...finding })
    .execute();
}

export async function endExamination(writer: Writer, id: number, problem: string | null): Promise<void> {
  await setRows(writer, "examinations", { id }, { ended_at: timestampNow(), problem });
}

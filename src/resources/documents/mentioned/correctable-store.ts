import { sql } from "kysely";
import type { Database } from "../../../database/database.ts";
import type { Viewer } from "../../../http/request/viewer.ts";
import type { SearchPlan } from "../../../search/plan.ts";
import { editableBy } from "../access.ts";
import { type Correction, withValue } from "../pages/correction-store.ts";
import type { NoteCondition } from "../search/page-store.ts";
import { matchingDocuments } from "../search/statement-store.ts";

export interface CorrectableRequest extends Pick<Correction, "kind" | "value"> {
  /** The documents that mention the value, or those in which it was corrected. */
  state: "mentioned" | "corrected";
  limit: number;
}

/**
 * The documents of a search that the viewer may change and that have a value, in order of their ids. Throws
 * {@link TooSlowError}.
 */
export async function findCorrectable(
  database: Database,
  viewer: Viewer,
  notes: NoteCondition,
  plan: SearchPlan,
  { kind, value, state, limit }: CorrectableRequest,
  timeLimitSeconds: number,
): Promise<number[]> {
  const { dialect } = database;
  const matching = await matchingDocuments(database, viewer, notes, plan);
  const rows = await database.queryWithTimeout(
    sql<{ id: number }>`with found as materialized (${matching})
      select documents.id from documents
      where ${withValue({ kind, value }, state)} and documents.id in (select id from found)
        and ${editableBy(dialect, viewer)}
      order by documents.id limit ${sql.lit(limit)}`,
    timeLimitSeconds,
  );
  return rows.map(({ id }) => id);
}

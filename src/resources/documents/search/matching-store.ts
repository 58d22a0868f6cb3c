import { type RawBuilder, sql } from "kysely";
import type { Database } from "../../../database/database.ts";
import type { Dialect } from "../../../database/dialect.ts";
import type { Viewer } from "../../../http/request/viewer.ts";
import type { SearchPlan } from "../../../search/plan.ts";
import { partsWith } from "../../../search/text-index.ts";
import { conditionOf, isListed, isShownTo } from "./condition-store.ts";
import { type NoteCondition, isSearched } from "./page-store.ts";
import { matchingDocuments } from "./statement-store.ts";

/**
 * The ids of the documents that a search finds for a viewer: of all of them, or of some. The tree of the query and the
 * rights are those of the search itself; for some documents, only their parts of the index are read.
 *
 * @throws {TooSlowError}
 */
export async function findMatching(
  database: Database,
  viewer: Viewer,
  notes: NoteCondition,
  plan: SearchPlan,
  among: readonly number[] | null,
  timeLimitSeconds: number,
): Promise<number[]> {
  const query =
    among === null
      ? await matchingDocuments(database, viewer, notes, plan)
      : matchingAmong(database.dialect, plan, among, {
          viewer,
          notes: notes(database.dialect, viewer),
          isShown: sql`(${isListed(database.dialect, viewer)} or ${isShownTo(database.dialect, viewer)})`,
        });
  const rows = await database.queryWithTimeout(sql<{ id: number }>`${query}`, timeLimitSeconds);
  return rows.map(({ id }) => id);
}

/** A query for the ids of the documents among these that match a search, without access checks, also on notes. */
export function matchingOfAll(
  dialect: Dialect,
  plan: SearchPlan,
  among: readonly number[],
): RawBuilder<{ id: number }> {
  const everything = sql<boolean>`1 = 1`;
  return matchingAmong(dialect, plan, among, { viewer: null, notes: everything, isShown: everything });
}

/** What decides about a search besides its query. */
interface SearchRights {
  viewer: Viewer | null;
  /** The condition on the notes that are searched. */
  notes: RawBuilder<boolean>;
  isShown: RawBuilder<unknown>;
}

function matchingAmong(
  dialect: Dialect,
  { query, words }: SearchPlan,
  among: readonly number[],
  { viewer, notes, isShown }: SearchRights,
): RawBuilder<{ id: number }> {
  const weights = words.map((_, index) => {
    const ofWord = sql`case word when ${sql.lit(index)} then weight else 0 end`;
    return sql`cast(sum(${ofWord}) as bigint) as ${sql.ref(`weight${index}`)}`;
  });
  const rows = words.map(
    (condition, index) => sql`select document_id, ${sql.lit(index)} as word, 1 as weight
      from (${partsWith(dialect, condition, among)}) as parts where ${isSearched(condition.field, notes)}`,
  );
  const hits =
    words.length === 0
      ? sql``
      : sql`with hits as materialized (select cast(document_id as bigint) as document_id, ${sql.join(weights)}
          from (${sql.join(rows, sql` union all `)}) as rows group by document_id)`;
  const joined = words.length === 0 ? sql`` : sql`left join hits on hits.document_id = documents.id`;
  return sql`${hits} select documents.id from documents ${joined}
    where ${dialect.isAmong(sql.ref("documents.id"), sql`${dialect.list(among)}`)}
      and ${isShown}
      and ${conditionOf(dialect, viewer, query)}`;
}

import { type RawBuilder, sql } from "kysely";
import type { TimelineDates, TimelineUnit } from "../../../contract/search.ts";
import type { Database } from "../../../database/database.ts";
import type { Viewer } from "../../../http/request/viewer.ts";
import type { SearchPlan } from "../../../search/plan.ts";
import type { NoteCondition } from "../search/page-store.ts";
import { matchingDocuments } from "../search/statement-store.ts";

/** How many characters of a day name its year, its month, or itself. */
const lengths: Readonly<Record<TimelineUnit, number>> = { year: 4, month: 7, day: 10 };

/** A year, a month or a day, and the number of documents. */
export interface DatedCount {
  date: string;
  documents: number;
}

export interface TimelineRequest {
  of: TimelineDates;
  by: TimelineUnit;
  /** A year or a month; an empty text for all. */
  within: string;
  /** The last date of the page before. Null for the first page. */
  after: string | null;
  limit: number;
}

export interface FoundTimeline {
  /** The number of dates. */
  count: number;
  /** How many documents have any of them. */
  documents: number;
  /** How many of the documents wait for the job that finds mentions. */
  unread: number;
  dates: DatedCount[];
}

/** The dates of the documents that a search finds for a viewer. Throws {@link TooSlowError}. */
export async function findTimeline(
  database: Database,
  viewer: Viewer,
  notes: NoteCondition,
  plan: SearchPlan,
  request: TimelineRequest,
  timeLimitSeconds: number,
): Promise<FoundTimeline> {
  const { dialect } = database;
  const matching = await matchingDocuments(database, viewer, notes, plan);
  const column = { name: "date", isNumber: false, value: sql.ref("dated.date") };
  const counted = sql`(select ${sql.join(dialect.countedValues([column]))} from dated) as counted`;
  const [row] = await database.queryWithTimeout(
    sql<{ counts: string; dated: number; unread: number }>`
      with found as materialized (${matching}), dated as materialized (${datesOf(database, request)})
      select ${dialect.valueCounts([column], counted, maxDates)} as counts,
        (select count(distinct document_id) from dated) as dated,
        (select count(*) from unread_mentions where document_id in (select id from found)) as unread`,
    timeLimitSeconds,
  );
  const [counts = []] = JSON.parse(row?.counts ?? "[]") as [date: string, documents: number][][];
  const { after, limit } = request;
  const dates = counts
    .filter(([date]) => after === null || date > after)
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .slice(0, limit);
  return {
    count: counts.length,
    documents: row?.dated ?? 0,
    unread: row?.unread ?? 0,
    dates: dates.map(([date, documents]) => ({ date, documents })),
  };
}

/** There are fewer days in all years of four digits. */
const maxDates = 10_000 * 366;

/** Each date of the found documents, once for each document. */
function datesOf(
  { dialect }: Pick<Database, "dialect">,
  { of, by, within }: TimelineRequest,
): RawBuilder<unknown> {
  const [table, column] =
    of === "mentions" ? (["mentions", "document_id"] as const) : (["documents", "id"] as const);
  const day = sql.ref(of === "mentions" ? "mentions.value" : "documents.created_at");
  const isOfKind = of === "mentions" ? sql`and mentions.kind = 'date'` : sql``;
  // A tilde comes after all digits and hyphens.
  const isWithin = within === "" ? sql`` : sql`and ${day} >= ${within} and ${day} < ${`${within}~`}`;
  return dialect.joinedTo(
    { subquery: { name: "found", column: "id" }, table: { name: table, column } },
    (from, condition) => sql`
      select distinct ${sql.ref(`${table}.${column}`)} as document_id,
        substr(${day}, 1, ${sql.lit(lengths[by])}) as date
      from ${from} where ${condition} ${isOfKind} ${isWithin}`,
  );
}

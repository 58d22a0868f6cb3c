import { type RawBuilder, type Selectable, sql } from "kysely";
import type { MentionKind } from "../../../contract/search.ts";
import { Conditions } from "../../../database/conditions.ts";
import type { Database } from "../../../database/database.ts";
import { type Page, type Segment, readPage } from "../../../database/keyset.ts";
import type { MentionsTable } from "../../../database/tables.ts";
import type { Cursor } from "../../../http/request/cursor.ts";
import type { Viewer } from "../../../http/request/viewer.ts";
import type { SearchPlan } from "../../../search/plan.ts";
import { mentionsOf } from "../search/facet-store.ts";
import type { NoteCondition } from "../search/page-store.ts";
import { matchingDocuments } from "../search/statement-store.ts";

/** A mention with its position in the document as one number. */
export type MentionRow = Selectable<MentionsTable> & { id: number };

/** No text of a page is longer. */
const maxTextLength = 2 ** 30;

const positionInDocument = sql`(mentions.page * ${sql.lit(maxTextLength)} + mentions.start)`;

/** One page of the mentions of a document, in the order of its text. */
export async function listMentions(
  database: Database,
  documentId: number,
  { kind, value }: { kind: MentionKind | undefined; value: string | undefined },
  { key, reverse, offset }: Cursor,
  limit: number,
): Promise<Page<MentionRow>> {
  const conditions = new Conditions(database.dialect, "mentions")
    .equals("document_id", documentId)
    .equals("kind", kind)
    .equals("value", value);
  const { where, values } = conditions;
  const segment: Segment = {
    shape: `mentioned ${kind === undefined ? "" : "of kind"} ${value === undefined ? "" : "of value"}`,
    descending: false,
    sql: () => ({
      select: sql`mentions.*, ${positionInDocument} as id`,
      ranges: [{ from: sql.table("mentions"), where }],
      value: null,
      id: positionInDocument,
    }),
  };
  const position = key === null ? null : { segment: 0, key };
  return readPage(database, { segments: [segment], position, reverse, offset, limit, values });
}

export const valueOrderings = ["-documents", "value"] as const;
export type ValueOrdering = (typeof valueOrderings)[number];

/** A value that documents mention, and the number of documents. */
export interface MentionedCount {
  value: string;
  documents: number;
}

export interface ValuesRequest {
  kind: MentionKind;
  ordering: ValueOrdering;
  /** The last value of the page before. Null for the first page. */
  after: MentionedCount | null;
  limit: number;
}

export interface FoundValues {
  /** The number of values. */
  count: number;
  /** How many of the documents wait for the job that finds mentions. */
  unread: number;
  values: MentionedCount[];
}

/** The values of a kind in the documents that a search finds for a viewer. Throws {@link TooSlowError}. */
export async function findValues(
  database: Database,
  viewer: Viewer,
  notes: NoteCondition,
  plan: SearchPlan,
  { kind, ordering, after, limit }: ValuesRequest,
  timeLimitSeconds: number,
): Promise<FoundValues> {
  const { dialect } = database;
  const matching = await matchingDocuments(database, viewer, notes, plan);
  const order = ordering === "value" ? sql`value` : sql`documents desc, value`;
  const rows = await database.queryWithTimeout(
    sql<{ value: string | null; documents: number; total: number; unread: number }>`
      with found as materialized (${matching}),
        counted as materialized (
          select value, count(*) as documents from (${mentionsOf(dialect, kind, "found")}) as held group by value),
        page as (select value, documents from counted ${beyond(ordering, after)}
          order by ${order} limit ${sql.lit(limit)}),
        sums as (select (select count(*) from counted) as total,
          (select count(*) from unread_mentions where document_id in (select id from found)) as unread)
      select page.value, page.documents, sums.total, sums.unread
      from sums left join page on 1 = 1 order by ${order}`,
    timeLimitSeconds,
  );
  const values = rows.flatMap(({ value, documents }) => (value === null ? [] : [{ value, documents }]));
  return { count: rows[0]?.total ?? 0, unread: rows[0]?.unread ?? 0, values };
}

function beyond(ordering: ValueOrdering, after: MentionedCount | null): RawBuilder<unknown> {
  if (after === null) return sql``;
  const isLater = sql`value > ${after.value}`;
  return ordering === "value"
    ? sql`where ${isLater}`
    : sql`where documents < ${after.documents} or (documents = ${after.documents} and ${isLater})`;
}

import { type RawBuilder, sql } from "kysely";
import type { Database } from "../../../database/database.ts";
import type { Dialect } from "../../../database/dialect.ts";
import { invalidCursor } from "../../../errors.ts";
import type { Viewer } from "../../../http/request/viewer.ts";
import { descriptionPart, firstNotePart, sourcePart, titlePart } from "../../../search/parts.ts";
import type { SearchPlan, WordsPlan } from "../../../search/plan.ts";
import { partsWith } from "../../../search/text-index.ts";
import { conditionOf, isAudience, isListed, isShownTo, requiredWords, weight } from "./condition-store.ts";
import type { SearchOrdering } from "./orderings.ts";
import { isInField } from "./page-store.ts";

/*
 * One statement answers a search. The rows of the index that hold a query's words are counted for each document; what
 * the query asks for is then a condition on these counts and on the document's columns, and whom the document is shown
 * to another. So NOT is not, on both engines, and nothing that is hidden is counted or weighed, also no note that the
 * viewer may not see: how rare a word is is found out among the documents that are found.
 */

/** Which notes a viewer may see, as a condition on `notes` and their `documents`. */
export type NoteCondition = (dialect: Dialect, viewer: Viewer) => RawBuilder<boolean>;

export interface DocumentSearch {
  viewer: Viewer;
  notes: NoteCondition;
  plan: SearchPlan;
  ordering: SearchOrdering;
  /** The document that the one before the first comes to, in this order; null: none. */
  after: FoundDocument | null;
  /** How many to pass over. */
  offset: number;
  limit: number;
}

/** A document's place in the order of what was found. */
export interface FoundDocument {
  id: number;
  /** What it is ordered by; null: it has none, and comes after all that have. */
  value: string | number | null;
  created_at: string;
}

export interface FoundDocuments {
  total: number;
  documents: FoundDocument[];
}

/** 404 for a place that is none in the order that is asked for. */
export async function searchDocuments(
  database: Database,
  asked: DocumentSearch,
  timeLimitSeconds: number,
): Promise<FoundDocuments> {
  const search = { ...asked, ordering: effectiveOrdering(asked) };
  if (search.after !== null && !isPlaceIn(search.ordering, search.after)) throw invalidCursor();
  const { limit, offset, plan } = search;
  const found = foundDocuments(database.dialect, search);
  const counting = sql<{ total: number }>`select count(*) as total from found`;
  // Counted apart, what asks for no words is not gathered before it is put in order: an index has the order.
  const isOneQuery = plan.words.length > 0;
  const rows = await database.aside(
    sql<FoundDocument & { total?: number }>`${found}
      select id, value, created_at ${isOneQuery ? sql`, (${counting}) as total` : sql``} from ranked
      ${placeAfter(search)} order by ${orderOf(search.ordering)}
      limit ${sql.lit(limit)} offset ${sql.lit(offset)}`,
    timeLimitSeconds,
  );
  const documents = rows.map(({ id, value, created_at }) => ({ id, value, created_at }));
  const total = rows[0]?.total;
  if (total !== undefined) return { total, documents };
  const [counted] = await database.aside(sql<{ total: number }>`${found} ${counting}`, timeLimitSeconds);
  return { total: counted?.total ?? 0, documents };
}

/** Without words all are alike, and the newest come first. */
function effectiveOrdering({ ordering, plan }: DocumentSearch): SearchOrdering {
  const isAlike = ordering.by === "score" && !plan.words.some(({ isLookedFor }) => isLookedFor);
  return isAlike ? { ...ordering, by: "created_at" } : ordering;
}

/** A client may have kept a place from another order; PostgreSQL compares no text with a number. */
function isPlaceIn({ by }: SearchOrdering, { value }: FoundDocument): boolean {
  if (by === "score" || by === "id" || by === "page_count") return typeof value === "number";
  return typeof value === "string" || (value === null && typeof by === "object");
}

/** Whether a document, which is shown to the viewer, is one that a search asks for. */
export async function isFound(
  database: Database,
  viewer: Viewer,
  notes: NoteCondition,
  { query, words }: SearchPlan,
  documentId: number,
  timeLimitSeconds: number,
): Promise<boolean> {
  const { dialect } = database;
  const hits = hitsOf(dialect, words, notes(dialect, viewer), [documentId]);
  const withHits =
    words.length === 0 ? sql`` : sql`left join (${hits}) as hits on hits.document_id = documents.id`;
  const found = await database.aside(
    sql<{ id: number }>`select documents.id from documents ${withHits}
      where documents.id = ${documentId} and ${conditionOf(dialect, viewer, query)}`,
    timeLimitSeconds,
  );
  return found.length > 0;
}

/** `found`: the documents, and how much each holds of each word. `ranked`: what they are ordered by. */
function foundDocuments(
  dialect: Dialect,
  { viewer, notes, plan, ordering }: DocumentSearch,
): RawBuilder<unknown> {
  const { query, words } = plan;
  const matches = conditionOf(dialect, viewer, query);
  const weights = words.map((_, index) => sql`${weight(index)} as ${sql.ref(`weight${index}`)}`);
  const columns = sql.join([sql`documents.id`, sql`documents.created_at`, ...weights]);
  const required = requiredWords(query);
  // Where all documents are gone through, each is looked up in the hits.
  const hits = sql`hits as ${required ? sql`` : dialect.materializedForLookups} (${hitsOf(dialect, words, notes(dialect, viewer), null)})`;
  const shown = sql`(${isListed(viewer)} or ${isShownTo(dialect, viewer)})`;
  const value = valueOf(ordering, words);
  const of = (from: RawBuilder<unknown>, where: RawBuilder<unknown>): RawBuilder<unknown> =>
    sql`select ${columns} from ${from} where ${where} and ${matches}`;
  const withHits = words.length === 0 ? sql`` : sql`left join hits on hits.document_id = documents.id`;
  const own = sql`(select distinct document_id from document_audiences where ${isAudience(dialect, viewer)})`;
  const found =
    required && words.length > 0
      ? of(sql`hits ${dialect.joinInOrder} documents on documents.id = hits.document_id`, shown)
      : sql.join(
          [
            of(sql`documents ${withHits}`, isListed(viewer)),
            ...(viewer.kind === "anonymous"
              ? []
              : [
                  of(
                    sql`${own} as own ${dialect.joinInOrder} documents on documents.id = own.document_id ${withHits}`,
                    sql`not (${isListed(viewer)})`,
                  ),
                ]),
          ],
          sql` union all `,
        );
  // SQLite would find them again each time that it counts them.
  return sql`with ${words.length === 0 ? sql`` : sql`${hits},`}
    found as ${words.length === 0 ? sql`` : sql`materialized`} (${found}),
    ranked as (select found.id, found.created_at, ${value.expression} as value from found ${value.join})`;
}

/** How much a word that stands in a field counts; in the pages it counts more the more pages hold it, up to a limit. */
const fieldWeights = { title: 10, source: 10, description: 5, pages: 2.2, saturation: 1.2 };

/**
 * One sum for each word says all: the pages are counted in its lower bits, what the fields count in those above. With a
 * sum for each field, this would take twice as long, and it is most of what a search takes.
 */
const pagesBits = 20;
const onePage = 1;
const ofField = (counts: number): number => counts * 2 ** pagesBits;

function hitsOf(
  dialect: Dialect,
  words: readonly WordsPlan[],
  notes: RawBuilder<boolean>,
  documentIds: readonly number[] | null,
): RawBuilder<unknown> {
  const counted = sql`case part when ${sql.lit(titlePart)} then ${sql.lit(ofField(fieldWeights.title))}
    when ${sql.lit(sourcePart)} then ${sql.lit(ofField(fieldWeights.source))}
    when ${sql.lit(descriptionPart)} then ${sql.lit(ofField(fieldWeights.description))}
    else ${sql.lit(onePage)} end`;
  const rows = words.map(
    ({ field, wanted }, index) => sql`select document_id, ${sql.lit(index)} as word, ${counted} as counted
      from (${partsWith(dialect, wanted, documentIds)}) as parts where ${field === null ? isOutsideNotesOr(notes) : isInField(field)}`,
  );
  const sums = words.map((_, index) => {
    const ofWord =
      words.length === 1 ? sql`counted` : sql`case word when ${sql.lit(index)} then counted else 0 end`;
    return sql`sum(${ofWord}) as ${sql.ref(`sum${index}`)}`;
  });
  const weights = words.map((_, index) => {
    const sum = sql.ref(`sum${index}`);
    const pages = sql`cast(${sum} & ${sql.lit(ofField(1) - 1)} as double precision)`;
    return sql`cast((${sum} >> ${sql.lit(pagesBits)})
      + ${sql.lit(fieldWeights.pages)} * ${pages} / (${pages} + ${sql.lit(fieldWeights.saturation)}) as double precision)
      as ${sql.ref(`weight${index}`)}`;
  });
  // As a column of whole numbers, which SQLite does not see in what was divided, it can be looked up by an index.
  return sql`select cast(document_id as bigint) as document_id, ${sql.join(weights)} from (
    select document_id, ${sql.join(sums)} from (${sql.join(rows, sql` union all `)}) as rows group by document_id
  ) as sums`;
}

function isOutsideNotesOr(notes: RawBuilder<boolean>): RawBuilder<unknown> {
  return sql`(part < ${sql.lit(firstNotePart)} or exists (
    select 1 from notes join documents on documents.id = notes.document_id
    where notes.document_id = parts.document_id and notes.part = parts.part and ${notes}))`;
}

interface Value {
  expression: RawBuilder<unknown>;
  join: RawBuilder<unknown>;
}

/** Of a score as a whole number: it is compared when a later page is asked for. */
function valueOf({ by, isDescending }: SearchOrdering, words: readonly WordsPlan[]): Value {
  const documents = sql`join documents on documents.id = found.id`;
  if (by === "id") return { expression: sql`found.id`, join: sql`` };
  if (by === "created_at") return { expression: sql`found.created_at`, join: sql`` };
  if (by === "score") return { expression: scoreOf(words), join: totalsOf(words) };
  if (typeof by === "string") return { expression: sql`${sql.ref(`documents.${by}`)}`, join: documents };
  const end = sql.ref(`document_data.${isDescending ? "highest" : "lowest"}`);
  const join = sql`left join document_data
    on document_data.document_id = found.id and document_data.key = ${by.data}`;
  return { expression: sql`${end}`, join };
}

/** A word weighs the more the fewer of the found documents hold it. */
function scoreOf(words: readonly WordsPlan[]): RawBuilder<unknown> {
  const parts = words.flatMap(({ boost, isLookedFor }, index) =>
    isLookedFor
      ? [sql`${boost} * ${sql.ref(`found.weight${index}`)} * ${sql.ref(`totals.rarity${index}`)}`]
      : [],
  );
  if (parts.length === 0) return sql`0`;
  return sql`cast(floor(1000 * (${sql.join(parts, sql` + `)})) as bigint)`;
}

function totalsOf(words: readonly WordsPlan[]): RawBuilder<unknown> {
  const rarities = words.flatMap(({ isLookedFor }, index) => {
    if (!isLookedFor) return [];
    const holding = sql`sum(case when ${sql.ref(`weight${index}`)} > 0 then 1 else 0 end)`;
    return [
      sql`coalesce(ln(1 + cast(count(*) as double precision) / nullif(${holding}, 0)), 0.0)
        as ${sql.ref(`rarity${index}`)}`,
    ];
  });
  return rarities.length === 0 ? sql`` : sql`cross join (select ${sql.join(rarities)} from found) as totals`;
}

function orderOf({ by, isDescending }: SearchOrdering): RawBuilder<unknown> {
  const direction = isDescending ? sql`desc` : sql`asc`;
  if (by === "id") return sql`id ${direction}`;
  const newest = by === "score" ? sql`created_at desc,` : sql``;
  const missing = typeof by === "object" ? sql`value is null,` : sql``;
  return sql`${missing} value ${direction}, ${newest} id desc`;
}

/** What comes after a place, in that order. */
function placeAfter({ after, ordering: { by, isDescending } }: DocumentSearch): RawBuilder<unknown> {
  if (after === null) return sql``;
  const { id, value, created_at } = after;
  const beyond = isDescending ? sql`<` : sql`>`;
  if (by === "id") return sql`where id ${beyond} ${id}`;
  const tied =
    by === "score"
      ? sql`(created_at < ${created_at} or (created_at = ${created_at} and id < ${id}))`
      : sql`id < ${id}`;
  if (value === null) return sql`where value is null and ${tied}`;
  return sql`where value is null or value ${beyond} ${value} or (value = ${value} and ${tied})`;
}

import { type RawBuilder, sql } from "kysely";
import type { Database } from "../../database/database.ts";
import type { Dialect } from "../../database/dialect.ts";
import { invalidCursor } from "../../errors.ts";
import type { Viewer } from "../../http/viewer.ts";
import { type Wanted, partsOfDocumentWith, partsWith } from "../../search/matches.ts";
import { descriptionPart, partOfPage, sourcePart, titlePart } from "../../search/parts.ts";
import type { PlannedQuery, SearchPlan, WordsPlan } from "../../search/plan.ts";
import type { Bound, ExactField, RangeField } from "../../search/query-tree.ts";
import { audiencesOf, visibleToAll } from "./access.ts";
import type { SearchOrdering } from "./search-orderings.ts";

/*
 * One statement answers a search. The rows of the index that hold a query's words are counted for each document; what
 * the query asks for is then a condition on these counts and on the document's columns, and whom the document is shown
 * to another. So NOT is not, on both engines, and nothing that is hidden is counted or weighed: how rare a word is is
 * found out among the documents that are found.
 */

export interface DocumentSearch {
  viewer: Viewer;
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
  { query, words }: SearchPlan,
  documentId: number,
  timeLimitSeconds: number,
): Promise<boolean> {
  const { dialect } = database;
  const hits = hitsOf(words, (wanted) => partsOfDocumentWith(dialect, wanted, documentId));
  const withHits =
    words.length === 0 ? sql`` : sql`left join (${hits}) as hits on hits.document_id = documents.id`;
  const found = await database.aside(
    sql<{ id: number }>`select documents.id from documents ${withHits}
      where documents.id = ${documentId} and ${conditionOf(dialect, viewer, query)}`,
    timeLimitSeconds,
  );
  return found.length > 0;
}

/** The pages of a document that hold what was looked for, the first ones; they count from 0. */
export async function findPagesWith(
  database: Database,
  documentId: number,
  words: readonly WordsPlan[],
  limit: number,
  timeLimitSeconds: number,
): Promise<{ page: number; text: string }[]> {
  const { dialect } = database;
  const looked = words.filter(({ isLookedFor }) => isLookedFor);
  if (looked.length === 0) return [];
  const each = looked.map(
    ({ field, wanted }) =>
      sql`select part from (${partsOfDocumentWith(dialect, wanted, documentId)}) as parts
        where ${isInField(field)} and part >= ${sql.lit(partOfPage(0))}`,
  );
  return database.aside(
    sql<{ page: number; text: string }>`select page, text from document_pages
      where document_id = ${documentId}
        and page in (select part - ${sql.lit(partOfPage(0))} from (${sql.join(each, sql` union `)}) as matching)
      order by page limit ${sql.lit(limit)}`,
    timeLimitSeconds,
  );
}

/** `found`: the documents, and how much each holds of each word. `ranked`: what they are ordered by. */
function foundDocuments(dialect: Dialect, { viewer, plan, ordering }: DocumentSearch): RawBuilder<unknown> {
  const { query, words } = plan;
  const isIt = conditionOf(dialect, viewer, query);
  const weights = words.map((_, index) => sql`${weight(index)} as ${sql.ref(`weight${index}`)}`);
  const columns = sql.join([sql`documents.id`, sql`documents.created_at`, ...weights]);
  const hits = sql`hits as (${hitsOf(words, (wanted) => partsWith(dialect, wanted))})`;
  const required = requiredWords(query);
  const shown = sql`(${isListed(viewer)} or ${isShownTo(dialect, viewer)})`;
  const value = valueOf(ordering, words);
  const of = (from: RawBuilder<unknown>, where: RawBuilder<unknown>): RawBuilder<unknown> =>
    sql`select ${columns} from ${from} where ${where} and ${isIt}`;
  const withHits = words.length === 0 ? sql`` : sql`left join hits on hits.document_id = documents.id`;
  const own = sql`(select distinct document_id from document_audiences where ${isAudience(dialect, viewer)})`;
  const found =
    required && words.length > 0
      ? of(sql`hits ${joinedInOrder(dialect)} documents on documents.id = hits.document_id`, shown)
      : sql.join(
          [
            of(sql`documents ${withHits}`, isListed(viewer)),
            ...(viewer.kind === "anonymous"
              ? []
              : [
                  of(
                    sql`${own} as own ${joinedInOrder(dialect)} documents on documents.id = own.document_id ${withHits}`,
                    sql`not (${isListed(viewer)})`,
                  ),
                ]),
          ],
          sql` union all `,
        );
  return sql`with ${words.length === 0 ? sql`` : sql`${hits},`}
    found as (${found}),
    ranked as (select found.id, found.created_at, ${value.expression} as value from found ${value.join})`;
}

/** SQLite looks each up in the order in which they stand; PostgreSQL's planner decides by itself. */
function joinedInOrder(dialect: Dialect): RawBuilder<unknown> {
  return dialect.engine === "sqlite" ? sql`cross join` : sql`join`;
}

/** How much a word that stands in a field counts; in the pages it counts more the more pages hold it, up to a limit. */
const fieldWeights = { title: 10, source: 10, description: 5, pages: 2.2, saturation: 1.2 };

function weight(index: number): RawBuilder<number> {
  return sql<number>`coalesce(${sql.ref(`hits.weight${index}`)}, 0.0)`;
}

function hitsOf(
  words: readonly WordsPlan[],
  partsOf: (wanted: Wanted) => RawBuilder<unknown>,
): RawBuilder<unknown> {
  const rows = words.map(
    ({ field, wanted }, index) => sql`select document_id, part, ${sql.lit(index)} as word
      from (${partsOf(wanted)}) as parts where ${isInField(field)}`,
  );
  const weights = words.map((_, index) => {
    const isIt = sql`word = ${sql.lit(index)}`;
    const inPart = (part: number, value: number): RawBuilder<unknown> =>
      sql`max(case when ${isIt} and part = ${sql.lit(part)} then ${sql.lit(value)}.0 else 0.0 end)`;
    const pages = sql`sum(case when ${isIt} and part >= ${sql.lit(partOfPage(0))} then 1.0 else 0.0 end)`;
    return sql`cast(${inPart(titlePart, fieldWeights.title)} + ${inPart(sourcePart, fieldWeights.source)}
      + ${inPart(descriptionPart, fieldWeights.description)}
      + ${sql.lit(fieldWeights.pages)} * ${pages} / (${pages} + ${sql.lit(fieldWeights.saturation)}) as double precision)
      as ${sql.ref(`weight${index}`)}`;
  });
  return sql`select document_id, ${sql.join(weights)} from (${sql.join(rows, sql` union all `)}) as rows
    group by document_id`;
}

function isInField(field: WordsPlan["field"]): RawBuilder<unknown> {
  if (field === null) return sql`1 = 1`;
  if (field === "text") return sql`part >= ${sql.lit(partOfPage(0))}`;
  if (typeof field === "object") return sql`part = ${partOfPage(field.page - 1)}`;
  const part = { title: titlePart, source: sourcePart, description: descriptionPart }[field];
  return sql`part = ${sql.lit(part)}`;
}

/** Whether nothing matches that holds none of the words. */
function requiredWords(query: PlannedQuery): boolean {
  if (query.kind === "words" || query.kind === "nothing") return true;
  if (query.kind === "and") return query.of.some(requiredWords);
  if (query.kind === "or") return query.of.every(requiredWords);
  return false;
}

/** What everyone may find. That a document is not to be found by search engines keeps it from those who have not signed in. */
function isListed(viewer: Viewer): RawBuilder<unknown> {
  const isUnlisted = sql`(documents.noindex = true or documents.admin_noindex = true)`;
  return viewer.kind === "anonymous"
    ? sql`${visibleToAll("documents")} and not ${isUnlisted}`
    : visibleToAll("documents");
}

function isAudience(dialect: Dialect, viewer: Viewer): RawBuilder<unknown> {
  const audiences = sql`${dialect.list(audiencesOf(viewer))}`;
  return dialect.isAmongTexts(sql.ref("document_audiences.audience"), audiences);
}

function isShownTo(dialect: Dialect, viewer: Viewer): RawBuilder<unknown> {
  if (viewer.kind === "anonymous") return sql`1 = 0`;
  return sql`exists (select 1 from document_audiences
    where document_audiences.document_id = documents.id and ${isAudience(dialect, viewer)})`;
}

/** Is never null, so that `not` is what it says. */
function conditionOf(dialect: Dialect, viewer: Viewer, query: PlannedQuery): RawBuilder<unknown> {
  switch (query.kind) {
    case "everything":
      return sql`1 = 1`;
    case "nothing":
      return sql`1 = 0`;
    case "words":
      return sql`${weight(query.index)} > 0`;
    case "not":
      return sql`not (${conditionOf(dialect, viewer, query.of)})`;
    case "and":
    case "or": {
      if (query.of.length === 0) return query.kind === "and" ? sql`1 = 1` : sql`1 = 0`;
      const parts = query.kind === "or" ? withIdsTogether(dialect, query.of) : query.of;
      const all = parts.map((one) => ("kind" in one ? conditionOf(dialect, viewer, one) : one.condition));
      return sql`(${sql.join(all, query.kind === "and" ? sql` and ` : sql` or `)})`;
    }
    case "is":
      return exactly(dialect, query.field, (value) => sql`${value} = ${query.value}`);
    case "begins": {
      const { length } = Array.from(query.value);
      return exactly(
        dialect,
        query.field,
        (value) => sql`substr(${value}, 1, ${sql.lit(length)}) = ${query.value}`,
      );
    }
    default: {
      const within = (value: RawBuilder<unknown>): RawBuilder<unknown> => {
        const { from, to } = query;
        const bounds = [
          ...(from === null ? [] : [sql`${value} ${from.isIncluded ? sql`>=` : sql`>`} ${from.value}`]),
          ...(to === null ? [] : [sql`${value} ${to.isIncluded ? sql`<=` : sql`<`} ${to.value}`]),
        ];
        return bounds.length === 0 ? sql`1 = 1` : sql.join(bounds, sql` and `);
      };
      return query.field === "project" ? inProject(dialect, viewer, within) : within(columnOf(query.field));
    }
  }
}

/** Many ids of one kind are one list: as so many conditions they would take seconds to plan. */
function withIdsTogether(
  dialect: Dialect,
  queries: readonly PlannedQuery[],
): (PlannedQuery | { condition: RawBuilder<unknown> })[] {
  const rest: PlannedQuery[] = [];
  const ids = new Map<"id" | "user" | "organization", number[]>();
  for (const query of queries) {
    const isSingle = query.kind === "range" && query.from !== null && query.from.value === query.to?.value;
    const field = isSingle && query.from?.isIncluded === true && query.to?.isIncluded ? query.field : null;
    if (field === "id" || field === "user" || field === "organization") {
      ids.set(field, [...(ids.get(field) ?? []), Number((query as { from: Bound }).from.value)]);
    } else rest.push(query);
  }
  const lists = [...ids].map(([field, values]) => ({
    condition: dialect.isAmong(columnOf(field), sql`${dialect.list(values)}`),
  }));
  return [...rest, ...lists];
}

function columnOf(field: Exclude<RangeField, "project">): RawBuilder<unknown> {
  const column = field === "user" || field === "organization" ? `${field}_id` : field;
  return sql`${sql.ref(`documents.${column}`)}`;
}

/** In one of those projects that the viewer may know of. */
function inProject(
  dialect: Dialect,
  viewer: Viewer,
  within: (value: RawBuilder<unknown>) => RawBuilder<unknown>,
): RawBuilder<unknown> {
  const own = sql`${dialect.list(viewer.kind === "anonymous" ? [] : [...viewer.projects.keys()])}`;
  return sql`documents.id in (select project_memberships.document_id from project_memberships
    join projects on projects.id = project_memberships.project_id
    where ${within(sql`project_memberships.project_id`)}
      and (projects.private = false or ${dialect.isAmong(sql.ref("projects.id"), own)}))`;
}

function exactly(
  dialect: Dialect,
  field: ExactField,
  isIt: (value: RawBuilder<unknown>) => RawBuilder<unknown>,
): RawBuilder<unknown> {
  if (field === "noindex") {
    const text = sql`case when documents.noindex = true or documents.admin_noindex = true then 'true' else 'false' end`;
    return isIt(sql`(${text})`);
  }
  if (typeof field === "string") return isIt(sql`${sql.ref(`documents.${field}`)}`);
  return sql`(documents.id in (select document_id from document_data where key = ${field.data})
    and exists (select 1 from ${dialect.textsOf(sql.ref("documents.data"), field.data)} as item where ${isIt(
      sql`item.value`,
    )}))`;
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
  const parts = words.flatMap(({ boost, isLookedFor }, index) => {
    if (!isLookedFor) return [];
    const rarity = sql`ln(1 + totals.found / ${sql.ref(`totals.holding${index}`)})`;
    const held = sql.ref(`found.weight${index}`);
    return [sql`case when ${held} > 0 then ${boost} * ${held} * ${rarity} else 0.0 end`];
  });
  if (parts.length === 0) return sql`0`;
  return sql`cast(floor(1000 * (${sql.join(parts, sql` + `)})) as bigint)`;
}

function totalsOf(words: readonly WordsPlan[]): RawBuilder<unknown> {
  if (!words.some(({ isLookedFor }) => isLookedFor)) return sql``;
  const holding = words.map(
    (
      _,
      index,
    ) => sql`cast(sum(case when ${sql.ref(`weight${index}`)} > 0 then 1 else 0 end) as double precision)
      as ${sql.ref(`holding${index}`)}`,
  );
  return sql`cross join (select cast(count(*) as double precision) as found, ${sql.join(holding)} from found) as totals`;
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

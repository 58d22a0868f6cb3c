import { type RawBuilder, sql } from "kysely";
import type { CountedColumn, Dialect } from "../../../database/dialect.ts";
import type { MentionKind } from "../../../contract/search.ts";
import type { Viewer } from "../../../http/request/viewer.ts";
import { isKnownProject, textLanguage } from "./condition-store.ts";
import { type Facet, maxFacetValues } from "./facets.ts";

/*
 * Facets in SQL. The documents that are counted are in `faceted`, which has a column for each facet with one value per
 * document. Only documents that a search finds are in it, so hidden ones are not in any count.
 */

/** A value of a facet, and the number of found documents that have it. */
export interface FacetCount {
  value: string | number;
  count: number;
}

export interface FacetCounts {
  facet: Facet;
  /** The most frequent first, and then in ascending order. */
  counts: FacetCount[];
  /** Whether there are more values. */
  isCut: boolean;
  /** How many of the found documents were counted, the newest. Null if all were. */
  counted: number | null;
}

/** The columns of documents that {@link facetColumns} counts. */
export function facetValues(dialect: Dialect, facets: readonly Facet[]): RawBuilder<unknown>[] {
  const single = singleColumns(facets);
  return single.length === 0 ? [] : dialect.countedValues(single);
}

/** `faceted`, as a common table expression: the documents whose ids a query has, with their values. */
export function facetedDocuments(
  dialect: Dialect,
  facets: readonly Facet[],
  ids: RawBuilder<unknown>,
): RawBuilder<unknown> {
  const columns = [sql`documents.id`, ...facetValues(dialect, facets)];
  const values = dialect.joinedTo(
    { subquery: { name: "newest", column: "id" }, table: { name: "documents", column: "id" } },
    (from, condition) => sql`select ${sql.join(columns)} from ${from} where ${condition}`,
  );
  return sql`newest as materialized (${ids}), faceted as materialized (${values})`;
}

function singleColumns(facets: readonly Facet[]): CountedColumn[] {
  return facets.flatMap(({ by }, index) => {
    if (!isSingle(by)) return [];
    const isNumber = by === "user" || by === "organization";
    return [{ name: columnOf(index), isNumber, value: expressionOf(by) }];
  });
}

/** Columns with the counts of all facets, and the number of documents, `faceted`, for {@link readFacetCounts}. */
export function facetColumns(
  dialect: Dialect,
  viewer: Viewer,
  facets: readonly Facet[],
): RawBuilder<unknown>[] {
  // One value more shows that there are more.
  const limit = maxFacetValues + 1;
  const counting = (columns: readonly CountedColumn[], source: RawBuilder<unknown>) =>
    dialect.valueCounts(columns, source, limit);
  const single = singleColumns(facets);
  return [
    ...(facets.length === 0 ? [] : [sql`(select count(*) from faceted) as faceted`]),
    ...(single.length === 0 ? [] : [sql`${counting(single, sql`faceted`)} as facets`]),
    ...facets.flatMap(({ by }, index) => {
      if (isSingle(by)) return [];
      const column = { name: "value", isNumber: by === "project", value: sql.ref("held.value") };
      const source = severalOf(dialect, viewer, by);
      const values = sql.join(dialect.countedValues([column]));
      const counted = sql`(select ${values} from (${source}) as held) as held`;
      return [sql`${counting([column], counted)} as ${sql.ref(`facets${index}`)}`];
    }),
  ];
}

/** A query for the facets of documents whose ids another one has: a row of `total` and {@link facetColumns}. */
export function facetsAmong(
  dialect: Dialect,
  viewer: Viewer,
  facets: readonly Facet[],
  ids: RawBuilder<unknown>,
): RawBuilder<{ total: number }> {
  const counts = sql.join([
    sql`(select count(*) from faceted) as total`,
    ...facetColumns(dialect, viewer, facets),
  ]);
  return sql`with ${facetedDocuments(dialect, facets, ids)} select ${counts}`;
}

/** Reads the columns of {@link facetColumns}. `total` is the number of found documents. */
export function readFacetCounts(facets: readonly Facet[], row: Record<string, unknown>): FacetCounts[] {
  const counted = row["faceted"] === row["total"] ? null : Number(row["faceted"]);
  const listsIn = (column: string): [value: string | number, count: number][][] => {
    const text = row[column];
    return typeof text === "string" ? (JSON.parse(text) as [string | number, number][][]) : [];
  };
  const single = listsIn("facets");
  return facets.map((facet, index) => {
    const pairs = (isSingle(facet.by) ? single.shift() : listsIn(`facets${index}`)[0]) ?? [];
    const counts = pairs.slice(0, maxFacetValues).map(([value, count]) => ({ value, count }));
    return { facet, counts, isCut: pairs.length > maxFacetValues, counted };
  });
}

type SeveralFacet = Extract<Facet["by"], "project" | "data" | "mention" | object>;
type SingleFacet = Exclude<Facet["by"], SeveralFacet>;

function isSingle(by: Facet["by"]): by is SingleFacet {
  return typeof by === "string" && by !== "project" && by !== "data" && by !== "mention";
}

/** Each value of the counted documents, once for each document. */
function severalOf(dialect: Dialect, viewer: Viewer, by: SeveralFacet): RawBuilder<unknown> {
  if (by === "project") return projectsOf(dialect, viewer);
  if (by === "data") return dataKeysOf(dialect);
  if (by === "mention") return mentionsOf(dialect, null, "faceted");
  return "mention" in by ? mentionsOf(dialect, by.mention, "faceted") : dataOf(dialect, by.data);
}

/** The values of a kind that documents mention, or the kinds, each once for each of them. `name` has their ids. */
export function mentionsOf(dialect: Dialect, kind: MentionKind | null, name: string): RawBuilder<unknown> {
  const value = sql.ref(kind === null ? "mentions.kind" : "mentions.value");
  return dialect.joinedTo(
    { subquery: { name, column: "id" }, table: { name: "mentions", column: "document_id" } },
    (from, condition) => sql`select distinct mentions.document_id, ${value} as value from ${from}
      where ${condition} ${kind === null ? sql`` : sql`and mentions.kind = ${kind}`}`,
  );
}

function columnOf(index: number): string {
  return `facet${index}`;
}

function expressionOf(by: SingleFacet): RawBuilder<unknown> {
  if (by === "year") return sql`substr(documents.created_at, 1, 4)`;
  if (by === "text_language") return textLanguage;
  return sql.ref(`documents.${by === "user" || by === "organization" ? `${by}_id` : by}`);
}

/** The projects of the counted documents that the viewer may know about. */
function projectsOf(dialect: Dialect, viewer: Viewer): RawBuilder<unknown> {
  return sql`select project_memberships.project_id as value
    from faceted ${dialect.joinInOrder} project_memberships on project_memberships.document_id = faceted.id
    ${dialect.joinInOrder} projects on projects.id = project_memberships.project_id
    where ${isKnownProject(dialect, viewer)}`;
}

/** The keys under which the counted documents have data, once for each document. */
function dataKeysOf(dialect: Dialect): RawBuilder<unknown> {
  return dialect.joinedTo(
    {
      subquery: { name: "faceted", column: "id" },
      table: { name: "document_data", column: "document_id" },
    },
    (from, condition) => sql`select document_data.key as value from ${from} where ${condition}`,
  );
}

/** Each distinct value of the counted documents. Most documents have one value, which is both lowest and highest. */
function dataOf(dialect: Dialect, key: string): RawBuilder<unknown> {
  const keyed = dialect.joinedTo(
    {
      subquery: { name: "faceted", column: "id" },
      table: { name: "document_data", column: "document_id" },
    },
    (from, condition) => sql`select faceted.id, document_data.lowest, document_data.highest from ${from}
      where ${condition} and document_data.key = ${key}`,
  );
  return sql`with keyed as materialized (${keyed})
    select lowest as value from keyed where lowest = highest
    union all
    select several.value from (
      select distinct keyed.id, item.value from keyed
        ${dialect.documentOf(sql.ref("keyed.id"))}
        cross join ${dialect.textsOf(sql.ref("documents.data"), key)} as item
        where keyed.lowest <> keyed.highest
    ) as several`;
}

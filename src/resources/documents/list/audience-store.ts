import { type RawBuilder, sql } from "kysely";
import { audienceColumns } from "../../../database/audiences/columns.ts";
import type { Database } from "../../../database/database.ts";
import type { Dialect } from "../../../database/dialect.ts";
import type { Range } from "../../../database/keyset.ts";
import { parameter } from "../../../database/prepared-queries.ts";
import type { SignedInViewer, Viewer } from "../../../http/request/viewer.ts";
import { audiencesOf, visibleToAll } from "../access.ts";
import { type Condition, audienceConditions, inProject } from "./condition-store.ts";
import type { DocumentFilters } from "./filters.ts";

/** The sort key of one segment of an ordering: a column, or a key of `data`. */
export type SortKey = { column: string } | { key: "lowest" | "highest" | "none" };

/** A part of a list: index ranges for each of its segments. */
export interface Part {
  shape: string;
  ranges: (at: SortKey) => Range[];
  values: Record<string, unknown>;
}

export const ofKey = sql<boolean>`document_data.key = ${parameter("dataKey")}`;
export const withoutKey = sql<boolean>`not exists (
  select 1 from document_data where ${ofKey} and document_data.document_id = documents.id)`;

/** How many non-public documents a viewer may see. Sorting a few is quicker than finding them in index order. */
export type AudienceExtent = "few" | "many";

const few = 5000;

/** Stops counting at the limit. */
export async function findAudienceExtent(
  { dialect, prepared }: Database,
  viewer: Viewer,
): Promise<AudienceExtent> {
  const audiences = audiencesOf(viewer);
  if (audiences.length === 0) return "few";
  const { shape, values, idMatches } = namedAudiences(dialect, audiences);
  const [found] = await prepared.rows<{ seen: number }>(
    `extent of ${shape}`,
    () => sql`select count(*) as seen from (
        select 1 from document_audiences where ${idMatches()} limit ${sql.lit(few)}) as found`,
    values,
  );
  return (found?.seen ?? 0) < few ? "few" : "many";
}

/** With more audiences than this, a page reads and sorts everything that the audiences may see. */
export const maxAudiences = 60;

/** The non-public documents that this viewer may see. Null if none of them can match. */
export function audiencePart(
  dialect: Dialect,
  viewer: SignedInViewer,
  filters: DocumentFilters,
  extent: AudienceExtent,
): Part | null {
  const audiences = audiencesWithin(viewer, filters);
  if (audiences.length === 0) return null;
  const { shape, values, idMatches, each } = namedAudiences(dialect, audiences);
  const conditions: Condition[] = audienceConditions(dialect, filters);
  const others = (at: SortKey): RawBuilder<unknown>[] => [
    ...conditions.map(({ where }) => where()),
    ...("key" in at ? [at.key === "none" ? withoutKey : ofKey] : []),
  ];
  const isShown = (id: string): RawBuilder<unknown> => sql`exists (
    select 1 from document_audiences where document_audiences.document_id = ${sql.ref(id)} and ${idMatches()})`;

  /** A filter names fewer documents than the audiences may see, so each of them is looked up. */
  const lookedUp = (at: SortKey, names: RawBuilder<unknown>[]): Range => ({
    from: sql`documents ${dataOf(at)}`,
    where: [
      ...names,
      sql`not (${visibleToAll(dialect, "documents")})`,
      isShown("documents.id"),
      ...others(at),
    ],
    ...keyFrom("documents", "id", at),
  });
  /** Viewers who may see many documents soon find some in the index that is sorted by the key. */
  const filteredFromIndex = (key: "lowest" | "highest"): Range => ({
    from: sql`document_data ${dialect.indexedBy(`document_data_by_${key}`)} ${dialect.documentOf(dataId)}`,
    where: [sql`document_data.is_public = false`, isShown("document_data.document_id"), ...others({ key })],
  });
  const project = filters.project === undefined ? null : inProject(dialect, filters.project);
  const names = filters.ids !== undefined || project !== null || Array.isArray(filters.parent);
  return {
    shape: [
      `${names ? "named" : extent} to ${shape}`,
      project?.shape ?? "",
      ...conditions.map((condition) => condition.shape),
    ].join("&"),
    values: Object.assign(
      values,
      project?.values,
      ...conditions.map((condition) => condition.values),
    ) as Part["values"],
    ranges(at) {
      if (names) return [lookedUp(at, project === null ? [] : [project.where()])];
      if (extent === "many" && "key" in at && at.key !== "none") return [filteredFromIndex(at.key)];
      return walkedRanges(dialect, filters, { idMatches, each }, at, others(at));
    },
  };
}

/** Walks the documents of the audiences in the order of the key: a range for each, or one for all. */
function walkedRanges(
  dialect: Dialect,
  filters: DocumentFilters,
  { idMatches, each }: Pick<ReturnType<typeof namedAudiences>, "idMatches" | "each">,
  at: SortKey,
  others: readonly RawBuilder<unknown>[],
): Range[] {
  const key = keyFrom("document_audiences", "document_id", at);
  const documents = sql`${dialect.documentOf(audienceId)} ${dataOf(at)}`;
  if (each.length === 0) {
    const once = sql`(select distinct document_id, ${copied} from document_audiences where ${idMatches()})
        as document_audiences`;
    // The subquery has the access condition already, so there may be no other condition.
    return [{ from: sql`${once} ${documents}`, where: [sql`1 = 1`, ...others], ...key }];
  }
  const narrowed = narrowing(filters, at);
  const index =
    narrowed.index === null ? sql`` : dialect.indexedBy(`document_audiences_by_${narrowed.index}`);
  const from = sql`document_audiences ${index} ${documents}`;
  const conditionsByAudience = each.map((audience) => sql`document_audiences.audience = ${audience}`);
  return conditionsByAudience.map((audienceMatches) =>
    Object.assign({ from, where: [audienceMatches, ...narrowed.where(dialect), ...others] }, key),
  );
}

const audienceId = sql.ref("document_audiences.document_id");
const dataId = sql.ref("document_data.document_id");
const copied = sql.join(audienceColumns.map((column) => sql.ref(column)));

/** The audiences as one list and, if they are few enough for a range each, one by one. */
export function namedAudiences(dialect: Dialect, audiences: readonly string[]) {
  const single = audiences.length > maxAudiences ? [] : audiences;
  const list = parameter("audiences");
  return {
    /** Equal shapes have equal SQL text. */
    shape: single.length > 0 ? `${single.length} audiences` : "many audiences",
    each: single.map((_, index) => parameter(`audience${index}`)),
    idMatches: () => dialect.isAmongTexts(sql.ref("document_audiences.audience"), list),
    values: Object.assign(
      { audiences: dialect.list(audiences) },
      ...single.map((audience, index) => ({ [`audience${index}`]: audience })),
    ) as Record<string, unknown>,
  };
}

/** The viewer's audiences whose documents can match the filters. */
export function audiencesWithin(
  viewer: SignedInViewer,
  { user, organization, access }: Pick<DocumentFilters, "user" | "organization" | "access">,
): string[] {
  const own = `user:${viewer.id}`;
  // All documents that a user owns are in one audience.
  if (user?.length === 1 && user[0] === viewer.id) return [own];
  return audiencesOf(viewer).filter((audience) => {
    if (audience === own) return user === undefined || user.includes(viewer.id);
    const [kind, id] = audience.split(":");
    if (kind !== "organization") return true;
    const organizationMatches = organization === undefined || organization.includes(Number(id));
    return organizationMatches && (access === undefined || access.includes("organization"));
  });
}

interface Narrowing {
  /** Null for the index by id. */
  index: string | null;
  where: (dialect: Dialect) => RawBuilder<unknown>[];
}

/** The index with the fewest rows to skip. It has the order of the list, unless the documents of owners are sorted. */
function narrowing({ user, pageCount, status }: DocumentFilters, at: SortKey): Narrowing {
  const owner = sql.ref("document_audiences.user_id");
  if (user?.length === 1) return { index: "user_id", where: () => [sql`${owner} = ${parameter("user")}`] };
  if (user !== undefined) {
    return { index: "user_id", where: (dialect) => [dialect.isAmong(owner, parameter("user"))] };
  }
  if (!("column" in at)) return { index: null, where: () => [] };
  if (at.column !== "id") return { index: at.column, where: () => [] };
  if (pageCount !== undefined) {
    const matches = sql`document_audiences.page_count = ${parameter("pageCount")}`;
    return { index: "page_count", where: () => [matches] };
  }
  if (new Set(status).size === 1) {
    return { index: "status", where: () => [sql`document_audiences.status = ${parameter("status0")}`] };
  }
  return { index: null, where: () => [] };
}

function dataOf(at: SortKey): RawBuilder<unknown> {
  const isSortedByIt = "key" in at && at.key !== "none";
  return isSortedByIt ? sql`join document_data on document_data.document_id = documents.id` : sql``;
}

/** The columns of a table that the segment is sorted by. */
function keyFrom(table: string, idColumn: string, at: SortKey): Pick<Range, "id" | "value"> {
  const id = sql.ref(`${table}.${idColumn}`);
  if ("key" in at || at.column === "id") return { id };
  return { id, value: sql.ref(`${table}.${at.column}`) };
}

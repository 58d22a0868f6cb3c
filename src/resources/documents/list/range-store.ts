import { type RawBuilder, sql } from "kysely";
import type { Dialect } from "../../../database/dialect.ts";
import type { Range, Segment, SegmentSql } from "../../../database/keyset.ts";
import { parameter } from "../../../database/prepared-queries.ts";
import type { Viewer } from "../../../http/request/viewer.ts";
import { visibleToAll } from "../access.ts";
import { withinPublic } from "./filters.ts";
import {
  type AudienceExtent,
  type Part,
  type SortKey,
  audiencePart,
  ofKey,
  withoutKey,
} from "./audience-store.ts";
import { conditionsOf } from "./condition-store.ts";
import type { DocumentFilters } from "./filters.ts";
import type { Ordering } from "./orderings.ts";

/**
 * A list as index ranges, each in the order of the list and each read only as far as the page goes. Public documents
 * are one range (or one for each value of a filter) of indexes that contain nothing else. Other documents are one range
 * of `document_audiences` for each of the viewer's audiences. A page merges the ranges.
 */
export interface ListSegments {
  segments: (Omit<Segment, "sql"> & { sql: () => Omit<SegmentSql, "select"> })[];
  values: Readonly<Record<string, unknown>>;
}

/** Null when nothing can match. */
export function segmentsOf(
  dialect: Dialect,
  viewer: Viewer,
  filters: DocumentFilters,
  ordering: Ordering,
  extent: AudienceExtent,
): ListSegments | null {
  if (filters.ids?.length === 0) return null;
  const forAll = publicPart(dialect, filters, ordering);
  const own = viewer.kind === "anonymous" ? null : audiencePart(dialect, viewer, filters, extent);
  if (forAll === null && own === null) return null;
  const shape = [forAll?.shape ?? "none", own?.shape ?? "none"].join("&");
  const segment = (name: string, parts: () => Omit<SegmentSql, "select" | "ranges">, at: SortKey) => ({
    shape: `${name}&${shape}`,
    descending: ordering.descending,
    sql: () => ({ ...parts(), ranges: [...(forAll?.ranges(at) ?? []), ...(own?.ranges(at) ?? [])] }),
  });
  const byId = { value: null, id: dialect.listedId };
  const { by, descending } = ordering;
  const values = { ...forAll?.values, ...own?.values, dataKey: "dataKey" in by ? by.dataKey : null };
  if ("column" in by) {
    const { column } = by;
    const value = column === "id" ? null : sql.ref(`documents.${column}`);
    return { segments: [segment(column, () => ({ ...byId, value }), { column })], values };
  }
  const end = descending ? "highest" : "lowest";
  const value = sql.ref(`document_data.${end}`);
  const id = sql.ref("document_data.document_id");
  const withKey = segment(`${end} of key`, () => ({ value, id }), { key: end });
  return { segments: [withKey, segment("without key", () => byId, { key: "none" })], values };
}

/** The documents that everyone may see. */
function publicPart(dialect: Dialect, requested: DocumentFilters, ordering: Ordering): Part | null {
  const filters = withinPublic(requested);
  if (filters === null) return null;
  const split = splitOf(ordering, filters);
  const remaining = split === null ? filters : { ...filters, [split.name]: undefined };
  const isFiltered = Object.values(remaining).some((value) => value !== undefined);
  const conditions = isFiltered ? conditionsOf(dialect, remaining) : [];
  const others = (): RawBuilder<unknown>[] => [
    visibleToAll(dialect, "documents"),
    ...conditions.map(({ where }) => where()),
  ];
  const documentsBy = (index: string): RawBuilder<unknown> =>
    sql`documents ${dialect.indexedBy(`documents_by_${index}`)}`;
  return {
    shape: ["public", shapeOf(split), ...conditions.map(({ shape }) => shape)].join("&"),
    values: Object.assign(
      {},
      splitValues(split),
      ...conditions.map(({ values }) => values),
    ) as Part["values"],
    ranges(at) {
      if (split !== null) return splitRanges(dialect, split, others());
      if ("column" in at) {
        const index = at.column === "id" ? narrowestIndex(filters) : at.column;
        return [{ from: documentsBy(index), where: others() }];
      }
      if (at.key === "none") return [{ from: documentsBy("id"), where: [withoutKey, ...others()] }];
      const id = sql.ref("document_data.document_id");
      const from = sql`document_data ${dialect.indexedBy(`document_data_by_${at.key}`)} ${dialect.documentOf(id)}`;
      return [{ from, where: [visibleToAll(dialect, "document_data"), ofKey, ...others()] }];
    },
  };
}

/** A filter with an index range, in order of ids, for each of its values. A page merges the ranges. */
interface Split {
  name: "project" | "user" | "organization";
  ids: readonly number[];
}

const maxRanges = 20;

function splitOf({ by }: Ordering, filters: DocumentFilters): Split | null {
  if (!("column" in by) || by.column !== "id") return null;
  for (const name of ["project", "user", "organization"] as const) {
    if (filters[name] === undefined) continue;
    const ids = [...new Set(filters[name])];
    if (ids.length > 0 && ids.length <= maxRanges) return { name, ids };
  }
  return null;
}

function shapeOf(split: Split | null): string {
  return split === null ? "" : `${split.name} ${split.ids.length}`;
}

function splitValues(split: Split | null): Record<string, unknown> {
  return Object.fromEntries(split?.ids.map((id, index) => [`split${index}`, id]) ?? []);
}

/** One range for each value of a filter, in order of ids. */
function splitRanges(dialect: Dialect, { name, ids }: Split, others: RawBuilder<unknown>[]): Range[] {
  const ofProject = name === "project";
  const table = ofProject ? "project_memberships" : "documents";
  const from = ofProject
    ? membersOf(dialect)
    : sql`documents ${dialect.indexedBy(`documents_by_${name}_id`)}`;
  const where = ofProject ? [visibleToAll(dialect, "project_memberships"), ...others] : others;
  return ids.map((_, index) => ({
    from,
    where: [sql`${sql.ref(`${table}.${name}_id`)} = ${parameter(`split${index}`)}`, ...where],
    ...(ofProject && { id: memberId }),
  }));
}

const memberId = sql.ref("project_memberships.document_id");

function membersOf(dialect: Dialect): RawBuilder<unknown> {
  return sql`project_memberships ${dialect.indexedBy("project_memberships_by_project")}
    ${dialect.documentOf(memberId)}`;
}

/** The index in order of ids with the fewest rows to skip. */
function narrowestIndex({ pageCount, status }: DocumentFilters): string {
  if (pageCount !== undefined) return "page_count";
  return status?.length === 1 ? "status" : "id";
}

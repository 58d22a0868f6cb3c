import { type RawBuilder, sql } from "kysely";
import type { Dialect } from "../../../database/dialect.ts";
import { parameter } from "../../../database/prepared-queries.ts";
import { isDirectlyIn, isTopLevel } from "../children-store.ts";
import type { DocumentFilters } from "./filters.ts";

/** A condition on a row of `documents`. Equal shapes have equal SQL text. */
export interface Condition {
  shape: string;
  where: () => RawBuilder<unknown>;
  values: Record<string, unknown>;
}

/** The filters as conditions on public rows. Their access is settled, and at most one status is asked for. */
export function conditionsOf(dialect: Dialect, filters: DocumentFilters): Condition[] {
  const conditions = rowConditions(dialect, filters);
  if (filters.project !== undefined) conditions.push(inProject(dialect, filters.project));
  const [status] = filters.status ?? [];
  if (status !== undefined) conditions.push(comparison("status", "documents.status", "=", status));
  return conditions;
}

/** The filters except `project` as conditions on rows that are not public. */
export function audienceConditions(dialect: Dialect, filters: DocumentFilters): Condition[] {
  return [
    ...rowConditions(dialect, filters),
    ...amongTexts("access", filters.access),
    ...amongTexts("status", filters.status),
  ];
}

export function inProject(dialect: Dialect, projects: readonly number[]): Condition {
  return {
    shape: "project among",
    where() {
      const among = dialect.isAmong(sql.ref("project_memberships.project_id"), parameter("project"));
      return sql`documents.id in (select document_id from project_memberships where ${among})`;
    },
    values: { project: dialect.list(projects) },
  };
}

function rowConditions(dialect: Dialect, filters: DocumentFilters): Condition[] {
  const conditions: Condition[] = [];
  const compare = (name: string, column: string, operator: string, value: unknown): void => {
    if (value !== undefined) conditions.push(comparison(name, column, operator, value));
  };
  const among = (name: string, column: string, ids: readonly number[] | undefined): void => {
    if (ids === undefined) return;
    if (ids.length === 1) return compare(name, column, "=", ids[0]);
    const where = (): RawBuilder<unknown> => dialect.isAmong(sql.ref(column), parameter(name));
    conditions.push({ shape: `${name} among`, where, values: { [name]: dialect.list(ids) } });
  };
  among("user", "documents.user_id", filters.user);
  among("organization", "documents.organization_id", filters.organization);
  among("ids", "documents.id", filters.ids);
  const { parent } = filters;
  if (parent === "none") conditions.push({ shape: "top level", where: () => isTopLevel, values: {} });
  else if (parent !== undefined) {
    const where = (): RawBuilder<unknown> => isDirectlyIn(dialect, parameter("parent"));
    conditions.push({ shape: "parent among", where, values: { parent: dialect.list(parent) } });
  }
  compare("createdBefore", "documents.created_at", "<", filters.createdBefore);
  compare("createdAfter", "documents.created_at", ">", filters.createdAfter);
  compare("pageCount", "documents.page_count", "=", filters.pageCount);
  compare("pageCountBelow", "documents.page_count", "<", filters.pageCountBelow);
  compare("pageCountAbove", "documents.page_count", ">", filters.pageCountAbove);
  return conditions;
}

function comparison(name: string, column: string, operator: string, value: unknown): Condition {
  const where = (): RawBuilder<unknown> => sql`${sql.ref(column)} ${sql.raw(operator)} ${parameter(name)}`;
  return { shape: `${name}${operator}`, where, values: { [name]: value } };
}

function amongTexts(column: "access" | "status", texts: readonly string[] | undefined): Condition[] {
  if (texts === undefined) return [];
  const values = [...new Set(texts)];
  const parameters = values.map((_, index) => parameter(`${column}${index}`));
  return [
    {
      shape: `${column} ${parameters.length}`,
      where: () => sql`${sql.ref(`documents.${column}`)} in (${sql.join(parameters)})`,
      values: Object.fromEntries(values.map((value, index) => [`${column}${index}`, value])),
    },
  ];
}

import { type Expression, type RawBuilder, sql } from "kysely";
import type { Dialect } from "../../database/dialect.ts";

/** A container as a list names it: those of some documents, or none. */
export type ContainerFilter = readonly number[] | "none";

/** The condition on `documents` for those directly in one of these containers, whose list is a parameter. */
export function isDirectlyIn(dialect: Dialect, containers: Expression<unknown>): RawBuilder<unknown> {
  return sql`documents.id in (select child_id from document_children
    where ${dialect.isAmong(sql.ref("document_children.parent_id"), containers)})`;
}

/** The condition on `documents` for those that are part of no other. */
export const isTopLevel = sql<boolean>`not exists (
  select 1 from document_children where document_children.child_id = documents.id)`;

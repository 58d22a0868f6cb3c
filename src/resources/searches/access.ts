import { type RawBuilder, sql } from "kysely";
import { parameter } from "../../database/prepared-queries.ts";
import type { SignedInViewer } from "../../http/request/viewer.ts";

/** Saved searches are their owner's alone, to see and to change; an administrator has no part in those of others. */
export function isOwn(viewer: SignedInViewer, { user_id }: { user_id: number }): boolean {
  return user_id === viewer.id;
}

/** The rule for a list: a condition on `saved_searches`, whose parameter is `viewer`. */
export function isOwnRow(): RawBuilder<boolean> {
  return sql<boolean>`saved_searches.user_id = ${parameter("viewer")}`;
}

import { type RawBuilder, sql } from "kysely";
import { parameter } from "../../database/prepared-queries.ts";
import type { SignedInViewer } from "../../http/request/viewer.ts";

/** Only who has made a production may see it. Administrators have no access to those of other users. */
export function isOwn(viewer: SignedInViewer, { user_id }: { user_id: number }): boolean {
  return user_id === viewer.id;
}

/** The rule for a list: a condition on `productions`. The query parameter is `viewer`. */
export function isOwnRow(): RawBuilder<boolean> {
  return sql<boolean>`productions.user_id = ${parameter("viewer")}`;
}

import { sql } from "kysely";
import { Conditions } from "../../database/conditions.ts";
import type { Database } from "../../database/database.ts";
import type { Page } from "../../database/keyset.ts";
import type { Cursor } from "../../http/request/cursor.ts";

/** Events of one kind from one network, within a quarter of an hour. */
export interface ListedSignIn {
  id: number;
  kind: string;
  username: string | null;
  network: string;
  is_known: boolean | number;
  times: number;
  began_at: string;
  at: string;
}

/** One page of the recent sign-ins and refusals, the newest first; or only those of one kind. */
export async function listSignIns(
  database: Database,
  kind: string | undefined,
  cursor: Cursor,
  limit: number,
): Promise<Page<ListedSignIn>> {
  const columns = sql`sign_in_events.id, kind, network, is_known, times, began_at, at,
    (select username from users where users.id = sign_in_events.user_id) as username`;
  return new Conditions(database.dialect, "sign_in_events")
    .equals("kind", kind)
    .page(database, columns, cursor, limit, { descending: true });
}

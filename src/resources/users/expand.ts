import type { User } from "../../contract/person.ts";
import type { Database } from "../../database/database.ts";
import type { Expansion } from "../../http/request/expansion.ts";
import type { Viewer } from "../../http/request/viewer.ts";
import { findOrganizations } from "../organizations/list-store.ts";
import { presentOrganization } from "../organizations/present.ts";
import { type UserRow, findUsers } from "./list-store.ts";
import { presentUser } from "./present.ts";

/** Users as the API shows them to a viewer, with expansions. */
export async function presentUsers(
  database: Database,
  viewer: Viewer,
  rows: readonly UserRow[],
  expansion: Expansion,
  { inDetail = false, isMe = false }: { inDetail?: boolean; isMe?: boolean } = {},
): Promise<User[]> {
  if (!expansion.has("organization")) return rows.map((row) => presentUser(row, viewer, { isMe }));
  const ids = rows.flatMap(({ organization_id }) => (organization_id === null ? [] : [organization_id]));
  const organizations = await findOrganizations(database, [...new Set(ids)]);
  return rows.map((row) => {
    const found = organizations.get(row.organization_id ?? 0);
    const organization = found === undefined ? null : presentOrganization(found, viewer, { inDetail });
    return presentUser(row, viewer, { organization, isMe });
  });
}

/** The users with these ids, as they appear expanded in the objects that they own. */
export async function findPresentedUsers(
  database: Database,
  viewer: Viewer,
  ids: readonly number[],
  expansion: Expansion,
  options: { inDetail?: boolean } = {},
): Promise<Map<number, User>> {
  const rows = [...(await findUsers(database, [...new Set(ids)])).values()];
  const presented = await presentUsers(database, viewer, rows, expansion, options);
  return new Map(rows.map(({ id }, index) => [id, presented[index] as User]));
}

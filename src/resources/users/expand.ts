import type { User } from "../../contract/person.ts";
import type { Database } from "../../database/database.ts";
import type { ExpandedObjects, Expansion } from "../../http/request/expansion.ts";
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

/** The users whose ids a record contains, as they appear expanded. With `inDetail`, their organizations are too. */
export function expandedUsers(
  database: Database,
  viewer: Viewer,
  options: { inDetail?: boolean } = {},
): ExpandedObjects {
  return async (ids, within) => {
    const rows = [...(await findUsers(database, ids)).values()];
    const users = await presentUsers(database, viewer, rows, within, options);
    return new Map(rows.map(({ id }, index) => [id, users[index] as User]));
  };
}

/** The organizations whose ids a record contains, as they appear expanded. */
export function expandedOrganizations(
  database: Database,
  viewer: Viewer,
  options: { inDetail: boolean },
): ExpandedObjects {
  return async (ids) => {
    const found = await findOrganizations(database, ids);
    return new Map([...found].map(([id, row]) => [id, presentOrganization(row, viewer, options)]));
  };
}

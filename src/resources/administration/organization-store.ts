import { sql } from "kysely";
import { Conditions } from "../../database/conditions.ts";
import type { Database, Writer } from "../../database/database.ts";
import type { Page } from "../../database/keyset.ts";
import { parameter } from "../../database/prepared-queries.ts";
import { timestampNow } from "../../http/text/timestamp.ts";
import type { Cursor } from "../../http/request/cursor.ts";
import { setRows } from "../../database/rows.ts";

export interface AdministeredOrganization {
  id: number;
  name: string;
  avatar_url: string;
  members: number;
}

const columns = sql`organizations.id, name, avatar_url,
  (select count(*) from organization_members where organization_id = organizations.id) as members`;

/** One page of the organizations that belong to no single user; or only the one with this id. */
export async function listAdministeredOrganizations(
  database: Database,
  { id }: { id?: number },
  cursor: Cursor,
  limit: number,
): Promise<Page<AdministeredOrganization>> {
  return new Conditions(database.dialect, "organizations")
    .always("shared", sql`individual = false`)
    .equals("id", id)
    .page(database, columns, cursor, limit, { name: "administered" });
}

export interface Member {
  id: number;
  username: string;
  name: string;
  is_admin: boolean | number;
}

/** One page of the members of an organization, or only the one with this id, in order of their ids. */
export async function listMembers(
  database: Database,
  organization: number,
  { id }: { id?: number },
  cursor: Cursor,
  limit: number,
): Promise<Page<Member>> {
  const role = sql`(select is_admin from organization_members
    where organization_id = ${parameter("organization")} and user_id = users.id) as is_admin`;
  return new Conditions(database.dialect, "users")
    .that(
      "members",
      "organization",
      organization,
      (placeholder) =>
        sql`exists (select 1 from organization_members
        where organization_id = ${placeholder} and user_id = users.id)`,
    )
    .equals("id", id)
    .page(database, sql`users.id, username, name, ${role}`, cursor, limit);
}

/** Changes an organization's name or the address of its picture. */
export async function updateOrganization(
  writer: Writer,
  id: number,
  change: { name?: string; avatar_url?: string },
): Promise<void> {
  await setRows(writer, "organizations", { id }, { ...change, updated_at: timestampNow() });
}

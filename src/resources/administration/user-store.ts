import { type Expression, sql } from "kysely";
import { Conditions, likeText } from "../../database/conditions.ts";
import type { Database } from "../../database/database.ts";
import type { Page } from "../../database/keyset.ts";
import type { Cursor } from "../../http/request/cursor.ts";
import { unsetPassword } from "../users/account-store.ts";

/** A user with an account, as administrators see them. */
export interface AdministeredUser {
  id: number;
  username: string;
  name: string;
  /** Empty if unknown. */
  email: string;
  is_active: boolean | number;
  is_administrator: boolean | number;
  /** Whether the user has chosen a password. */
  has_password: boolean | number;
  created_at: string;
  /** The last sign-in with the password; null if there was none. */
  signed_in_at: string | null;
}

const columns = sql`users.id, username, name, email, is_active, is_administrator, created_at,
  (password_hash <> ${sql.lit(unsetPassword)}) as has_password,
  (select max(seen_at) from known_networks where known_networks.user_id = users.id) as signed_in_at`;

/** One page of the users who have an account. `text` selects those whose username, name or email contains it. */
export async function listAdministeredUsers(
  database: Database,
  { text, id }: { text?: string | undefined; id?: number },
  cursor: Cursor,
  limit: number,
): Promise<Page<AdministeredUser>> {
  const conditions = new Conditions(database.dialect, "users");
  const has = (column: string, placeholder: Expression<unknown>) =>
    conditions.holdsInAnyCase(column, placeholder);
  const pattern = text === undefined ? undefined : `%${likeText(text)}%`;
  return conditions
    .always("account", sql`password_hash is not null`)
    .equals("id", id)
    .that(
      "text",
      "text",
      pattern,
      (is) => sql`(${has("username", is)} or ${has("name", is)} or ${has("email", is)})`,
    )
    .page(database, columns, cursor, limit, { name: "administered" });
}

/** An organization that a user belongs to. */
export interface Membership {
  user_id: number;
  id: number;
  name: string;
  is_admin: boolean | number;
}

/** The organizations of these users, without individual ones. */
export async function findMembershipsOf(
  { reader }: Pick<Database, "reader">,
  users: readonly number[],
): Promise<Membership[]> {
  if (users.length === 0) return [];
  return reader
    .selectFrom("organization_members")
    .innerJoin("organizations", "organizations.id", "organization_members.organization_id")
    .select(["user_id", "organizations.id", "organizations.name", "is_admin"])
    .where("user_id", "in", users)
    .where("individual", "=", false)
    .orderBy("organizations.name")
    .orderBy("organizations.id")
    .execute();
}

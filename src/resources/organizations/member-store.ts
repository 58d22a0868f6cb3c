import { type SqlBool, sql } from "kysely";
import type { Reader, Writer } from "../../database/database.ts";
import type { Dialect } from "../../database/dialect.ts";
import { timestampNow } from "../../http/text/timestamp.ts";
import { dialectOf } from "../../database/dialects.ts";
import { hasRow, setRows } from "../../database/rows.ts";
import { addNewOrganization } from "./administration-history-store.ts";
import { type ChangedBy, addMembershipHistory } from "./membership-history-store.ts";

/** The id of the organization with this name. Individual organizations are not considered. */
export async function findOrganizationNamed(writer: Writer, name: string): Promise<number | null> {
  const found = await writer
    .selectFrom("organizations")
    .select("id")
    .where("name", "=", name)
    .where("individual", "=", false)
    .orderBy("id")
    .limit(1)
    .executeTakeFirst();
  return found?.id ?? null;
}

/** Finds an organization by its name or, if none has that name, by its id. Ignores individual organizations. */
export async function findOrganizationCalled(
  writer: Writer,
  nameOrId: string,
): Promise<{ id: number; name: string } | null> {
  const id = /^\d{1,15}$/.test(nameOrId) ? Number(nameOrId) : 0;
  const found = await writer
    .selectFrom("organizations")
    .select(["id", "name"])
    .where((where) => where.or([where("name", "=", nameOrId), where("id", "=", id)]))
    .where("individual", "=", false)
    .orderBy((by) => by("name", "=", nameOrId), "desc")
    .orderBy("id")
    .limit(1)
    .executeTakeFirst();
  return found ?? null;
}

/** Adds an organization. Returns null if one has this name already. */
export async function addOrganization(
  writer: Writer,
  dialect: Dialect,
  name: string,
  by: ChangedBy,
): Promise<number | null> {
  await dialect.lockForWriting("organizations")?.execute(writer);
  if ((await findOrganizationNamed(writer, name)) !== null) return null;
  const id = await insertOrganization(writer, { name, individual: false });
  await addNewOrganization(writer, id, name, by);
  return id;
}

/**
 * The user's individual organization: the one with the user's uuid. If there is none, and records named the user
 * (`isKnown`), an individual organization that came with records under the username, and that has no members, becomes
 * it. Otherwise it is added. So it is the same whether the user first owned imported documents or first had an account.
 */
export async function ensureIndividualOrganization(
  writer: Writer,
  user: { uuid: string; username: string; isKnown: boolean },
): Promise<number> {
  const { uuid, username } = user;
  const known = user.isKnown ? await findIndividual(writer, user) : undefined;
  if (known === undefined) return insertOrganization(writer, { name: username, individual: true, uuid });
  await writer.updateTable("organizations").set({ uuid }).where("id", "=", known.id).execute();
  return known.id;
}

async function findIndividual(
  writer: Writer,
  { uuid, username }: { uuid: string; username: string },
): Promise<{ id: number } | undefined> {
  const isUnclaimed = sql<SqlBool>`not exists (
    select 1 from organization_members where organization_id = organizations.id
  )`;
  return writer
    .selectFrom("organizations")
    .select("id")
    .where((where) =>
      where.or([where("uuid", "=", uuid), where.and([where("name", "=", username), isUnclaimed])]),
    )
    .where("individual", "=", true)
    .orderBy((by) => by("uuid", "=", uuid), "desc")
    .orderBy("id")
    .limit(1)
    .executeTakeFirst();
}

async function insertOrganization(
  writer: Writer,
  organization: { name: string; individual: boolean; uuid?: string },
): Promise<number> {
  const now = timestampNow();
  const { id } = await writer
    .insertInto("organizations")
    .values({ ...organization, slug: slugOf(organization.name), created_at: now, updated_at: now })
    .returning("id")
    .executeTakeFirstOrThrow();
  return id;
}

export function slugOf(name: string): string {
  const plain = name.normalize("NFKD").replaceAll(/\p{M}/gu, "").toLowerCase();
  return plain.replaceAll(/[^a-z0-9_-]+/g, "-").replaceAll(/^-+|-+$/g, "") || "organization";
}

interface Membership {
  organization: number;
  user: number;
}

/** Makes a user a member or an admin of an organization. An existing member's role changes. */
export async function setMember(
  writer: Writer,
  { organization, user, isAdmin }: Membership & { isAdmin: boolean },
  by: ChangedBy,
): Promise<void> {
  const { rows } = await sql`insert into organization_members (organization_id, user_id, is_admin)
    values (${organization}, ${user}, ${isAdmin}) on conflict (user_id, organization_id) do nothing
    returning user_id`.execute(writer);
  const isNew = rows.length > 0;
  const before = isNew ? null : await lockRole(writer, { organization, user });
  const after = roleOf(isAdmin);
  if (before === after) return;
  if (!isNew)
    await setRows(
      writer,
      "organization_members",
      { organization_id: organization, user_id: user },
      { is_admin: isAdmin },
    );
  await addMembershipHistory(writer, { of: { organization }, user, before, after }, by);
}

const roleOf = (isAdmin: boolean | number): string => (isAdmin ? "admin" : "member");

/** The role of a member, whose row is locked until the transaction ends; null if the user is not a member. */
async function lockRole(writer: Writer, { organization, user }: Membership): Promise<string | null> {
  const { rows } = await sql<{ is_admin: boolean | number }>`select is_admin from organization_members
    where organization_id = ${organization} and user_id = ${user} ${dialectOf(writer).forUpdate}`.execute(
    writer,
  );
  return rows[0] === undefined ? null : roleOf(rows[0].is_admin);
}

export async function isMember(writer: Writer, { organization, user }: Membership): Promise<boolean> {
  return hasRow(writer, "organization_members", { organization_id: organization, user_id: user });
}

/** Returns false if the user was not a member. */
export async function removeMember(
  writer: Writer,
  { organization, user }: Membership,
  by: ChangedBy,
): Promise<boolean> {
  const removed = await writer
    .deleteFrom("organization_members")
    .where("organization_id", "=", organization)
    .where("user_id", "=", user)
    .returning("is_admin")
    .executeTakeFirst();
  if (removed === undefined) return false;
  const before = roleOf(removed.is_admin);
  await addMembershipHistory(writer, { of: { organization }, user, before, after: null }, by);
  return true;
}

export interface CountedOrganization {
  id: number;
  name: string;
  members: number;
}

/** All organizations except individual ones, ordered by name. */
export async function listOrganizationsWithMembers(reader: Reader): Promise<CountedOrganization[]> {
  return reader
    .selectFrom("organizations")
    .select((select) => [
      "id",
      "name",
      select
        .selectFrom("organization_members")
        .whereRef("organization_members.organization_id", "=", "organizations.id")
        .select((members) => members.fn.countAll<number>().as("count"))
        .$asScalar()
        .$notNull()
        .as("members"),
    ])
    .where("individual", "=", false)
    .orderBy("name")
    .orderBy("id")
    .execute();
}

/** Sets the address of an organization's picture. An empty address means no picture. */
export async function setPicture(writer: Writer, organization: number, address: string): Promise<void> {
  await setRows(
    writer,
    "organizations",
    { id: organization },
    { avatar_url: address, updated_at: timestampNow() },
  );
}

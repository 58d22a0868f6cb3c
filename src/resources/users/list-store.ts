import { sql } from "kysely";
import { asciiLower } from "../../database/ascii-lower.ts";
import { Conditions } from "../../database/conditions.ts";
import type { Database, Reader } from "../../database/database.ts";
import type { Dialect } from "../../database/dialect.ts";
import type { Page } from "../../database/keyset.ts";
import { parameter } from "../../database/prepared-queries.ts";
import type { Cursor } from "../../http/request/cursor.ts";
import { type SignedInViewer, type Viewer, anonymous } from "../../http/request/viewer.ts";
import { isKnownTo, isOrganizationKnownTo } from "./access.ts";

export interface UserRow {
  id: number;
  uuid: string;
  username: string;
  name: string;
  email: string;
  avatar_url: string;
  is_active: boolean | number;
  is_administrator: boolean | number;
  organization_id: number | null;
  /** Comma-separated ids of the organizations that the user is a member of. */
  organizations: string | null;
  /** Comma-separated ids of the organizations that the user is an admin of. */
  admin_organizations: string | null;
}

export interface UserFilters {
  ids?: number[] | undefined;
  organization?: number[] | undefined;
  project?: number[] | undefined;
  username?: string | undefined;
  uuid?: string | undefined;
  name?: string | undefined;
  nameStart?: string | undefined;
}

function columns(dialect: Dialect) {
  const organization = sql.ref("organization_members.organization_id");
  return sql`users.id, users.uuid, users.username, users.name, users.email, users.avatar_url, users.is_active,
    users.is_administrator, users.organization_id,
    (select ${dialect.joinedIds(organization)} from organization_members where user_id = users.id) as organizations,
    (select ${dialect.joinedIds(organization)} from organization_members
      where user_id = users.id and is_admin = true) as admin_organizations`;
}

/** One page of the users whom a viewer may know about. */
export async function listUsers(
  database: Database,
  viewer: SignedInViewer,
  filters: UserFilters,
  cursor: Cursor,
  limit: number,
): Promise<Page<UserRow>> {
  const { dialect } = database;
  const list = (ids: readonly number[] | undefined): unknown =>
    ids === undefined ? undefined : dialect.list(ids);
  return new Conditions(dialect, "users")
    .always(`known to ${viewer.isAdministrator}`, isKnownTo(dialect, viewer))
    .among("id", filters.ids)
    .equalsInAnyCase("username", filters.username)
    .equals("uuid", filters.uuid)
    .equals("name", filters.name)
    .startsWithInAnyCase("name", filters.nameStart)
    .that("organization", "organizations", list(filters.organization), (idList) => {
      const idMatches = dialect.isAmong(sql.ref("organization_id"), idList);
      return sql`exists (select 1 from organization_members where user_id = users.id and ${idMatches})`;
    })
    .that("project", "projects", list(filters.project), (idList) => {
      const idMatches = dialect.isAmong(sql.ref("project_id"), idList);
      return sql`exists (select 1 from project_collaborators where user_id = users.id and ${idMatches})`;
    })
    .with({ viewer: viewer.id })
    .page(database, columns(dialect), cursor, limit);
}

/** The user, or null if the viewer may not know about them. */
export async function findUser(
  { dialect, prepared }: Database,
  viewer: SignedInViewer,
  id: number,
): Promise<UserRow | null> {
  const shape = `user known to ${viewer.isAdministrator}`;
  const [row] = await prepared.rows<UserRow>(
    shape,
    () => sql`select ${columns(dialect)} from users
      where users.id = ${parameter("id")} and ${isKnownTo(dialect, viewer)}`,
    { id, viewer: viewer.id },
  );
  return row ?? null;
}

/** The users that exist among these, by id. No access check: viewers may know about the owners of what they see. */
export async function findUsers(
  { dialect, prepared }: Database,
  ids: readonly number[],
): Promise<Map<number, UserRow>> {
  if (ids.length === 0) return new Map();
  const rows = await prepared.rows<UserRow>(
    "users",
    () =>
      sql`select ${columns(dialect)} from users where ${dialect.isAmong(sql.ref("users.id"), parameter("ids"))}`,
    { ids: dialect.list(ids) },
  );
  return new Map(rows.map((row) => [row.id, row]));
}

/** The first of these users that a viewer may not know about. */
export async function findUnknownUser(
  { dialect, prepared }: Database,
  viewer: Viewer,
  ids: readonly number[],
): Promise<number | undefined> {
  if (ids.length === 0) return undefined;
  const build = () => {
    const idMatches = dialect.isAmong(sql.ref("users.id"), parameter("ids"));
    return sql`select users.id from users where ${idMatches} and ${isKnownTo(dialect, viewer)}`;
  };
  const isAdministrator = viewer.kind === "user" && viewer.isAdministrator;
  const values = { ids: dialect.list(ids), viewer: viewer.kind === "user" ? viewer.id : null };
  const shape = `users known to ${viewer.kind} ${isAdministrator}`;
  const known = await prepared.rows<{ id: number }>(shape, build, values);
  return ids.find((id) => !known.some((row) => row.id === id));
}

/** The first of these organizations that a viewer may not know about. */
export async function findUnknownOrganization(
  { dialect, prepared }: Database,
  viewer: Viewer,
  ids: readonly number[],
): Promise<number | undefined> {
  const uncertain = viewer.kind === "user" ? ids.filter((id) => !viewer.organizations.has(id)) : ids;
  if (uncertain.length === 0) return undefined;
  const build = () => {
    const idMatches = dialect.isAmong(sql.ref("organizations.id"), parameter("ids"));
    return sql`select organizations.id from organizations
      where ${idMatches} and ${isOrganizationKnownTo(dialect, viewer)}`;
  };
  const isAdministrator = viewer.kind === "user" && viewer.isAdministrator;
  const values = { ids: dialect.list(uncertain), viewer: viewer.kind === "user" ? viewer.id : null };
  const shape = `organizations known to ${viewer.kind} ${isAdministrator}`;
  const known = await prepared.rows<{ id: number }>(shape, build, values);
  return uncertain.find((id) => !known.some((row) => row.id === id));
}

/** The first of these projects that a viewer may not know about. */
export async function findUnknownProject(
  { reader }: Database,
  viewer: SignedInViewer,
  ids: readonly number[],
): Promise<number | undefined> {
  const uncertain = ids.filter((id) => !viewer.projects.has(id));
  if (uncertain.length === 0) return undefined;
  const known = await reader
    .selectFrom("projects")
    .select("id")
    .where("id", "in", uncertain.slice(0, 1000))
    .where("private", "=", false)
    .execute();
  return uncertain.find((id) => !known.some((row) => row.id === id));
}

/** The id of the user with this name, in any case, if everyone may know about them. */
export async function findPublisher({ dialect, reader }: Database, username: string): Promise<number | null> {
  const row = await reader
    .selectFrom("users")
    .select("id")
    .where(sql<boolean>`lower(username) = ${asciiLower(username)}`)
    .where(isKnownTo(dialect, anonymous))
    .orderBy("id")
    .limit(1)
    .executeTakeFirst();
  return row?.id ?? null;
}

/** The id of the organization with this slug, if everyone may know about it. */
export async function findPublishingOrganization(
  { dialect, reader }: Database,
  slug: string,
): Promise<number | null> {
  const row = await reader
    .selectFrom("organizations")
    .select("id")
    .where("slug", "=", slug)
    .where(isOrganizationKnownTo(dialect, anonymous))
    .orderBy("id")
    .limit(1)
    .executeTakeFirst();
  return row?.id ?? null;
}

/** The ids of the users with these names, in any case. */
export async function findIdsByName(
  reader: Pick<Reader, "selectFrom">,
  names: readonly string[],
): Promise<number[]> {
  if (names.length === 0) return [];
  const rows = await reader
    .selectFrom("users")
    .select("id")
    .where(sql<string>`lower(username)`, "in", names.map(asciiLower))
    .orderBy("id")
    .execute();
  return rows.map(({ id }) => id);
}

import { Conditions } from "../../database/conditions.ts";
import { type Insertable, type SqlBool, sql } from "kysely";
import { asciiLower } from "../../database/ascii-lower.ts";
import type { Database, Writer } from "../../database/database.ts";
import type { Page } from "../../database/keyset.ts";
import type { ProjectCollaboratorsTable } from "../../database/tables.ts";
import type { Cursor } from "../../http/request/cursor.ts";
import type { ProjectAccess } from "../../http/request/viewer.ts";
import { removeRows, setRows } from "../../database/rows.ts";
import { type ChangedBy, addMembershipHistory } from "../organizations/membership-history-store.ts";

export interface CollaboratorRow {
  /** The user's id. A project's collaborators are ordered by it. */
  id: number;
  access: ProjectAccess;
}

/** One page of a project's collaborators. */
export async function listCollaborators(
  database: Database,
  project: number,
  cursor: Cursor,
  limit: number,
): Promise<Page<CollaboratorRow>> {
  return new Conditions(database.dialect, "project_collaborators")
    .equals("project_id", project)
    .page(database, sql`user_id as id, access`, cursor, limit, { id: "user_id" });
}

export async function findCollaborator(
  reader: Pick<Writer, "selectFrom">,
  project: number,
  user: number,
): Promise<CollaboratorRow | null> {
  const found = await reader
    .selectFrom("project_collaborators")
    .select(["user_id as id", "access"])
    .where("project_id", "=", project)
    .where("user_id", "=", user)
    .executeTakeFirst();
  return found ?? null;
}

/** Whether the project has an admin besides this user. */
export async function hasOtherAdmin(writer: Writer, project: number, user: number): Promise<boolean> {
  const others = await writer
    .selectFrom("project_collaborators")
    .select("user_id")
    .where("project_id", "=", project)
    .where("access", "=", "admin")
    .where("user_id", "<>", user)
    .limit(1)
    .execute();
  return others.length > 0;
}

/** Finds a user by email address, ignoring case. */
export async function findUserByEmail(writer: Writer, email: string): Promise<{ id: number } | undefined> {
  return writer
    .selectFrom("users")
    .select("id")
    .where("email", "<>", "")
    .where(sql<SqlBool>`lower(email) = ${asciiLower(email)}`)
    .executeTakeFirst();
}

export async function insertCollaborator(
  writer: Writer,
  collaborator: Insertable<ProjectCollaboratorsTable>,
  by: ChangedBy,
): Promise<void> {
  await writer.insertInto("project_collaborators").values(collaborator).execute();
  const { project_id: project, user_id: user, access: after } = collaborator;
  await addMembershipHistory(writer, { of: { project }, user, before: null, after }, by);
}

/** Changes what a collaborator of a project, which the transaction has locked, may do. */
export async function setAccess(
  writer: Writer,
  project: number,
  { id: user, access: before }: CollaboratorRow,
  access: ProjectAccess,
  by: ChangedBy,
): Promise<void> {
  await setRows(writer, "project_collaborators", { project_id: project, user_id: user }, { access });
  await addMembershipHistory(writer, { of: { project }, user, before, after: access }, by);
}

export async function deleteCollaborator(
  writer: Writer,
  project: number,
  { id: user, access: before }: CollaboratorRow,
  by: ChangedBy,
): Promise<void> {
  await removeRows(writer, "project_collaborators", { project_id: project, user_id: user });
  await addMembershipHistory(writer, { of: { project }, user, before, after: null }, by);
}

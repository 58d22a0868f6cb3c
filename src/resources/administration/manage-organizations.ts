import { addRenaming } from "../organizations/administration-history-store.ts";
import type { Context } from "../../context.ts";
import type { Database } from "../../database/database.ts";
import { invalidFields, notFound } from "../../errors.ts";
import { readFields } from "../../http/fields/fields.ts";
import { unknownKey } from "../../http/fields/field-kinds.ts";
import type { Members } from "../../http/request/body.ts";
import { decodeCursor } from "../../http/request/cursor.ts";
import type { SignedInViewer } from "../../http/request/viewer.ts";
import {
  addOrganization,
  findOrganizationNamed,
  removeMember,
  setMember,
} from "../organizations/member-store.ts";
import { byPerson } from "../organizations/membership-history-store.ts";
import { leaveActiveOrganization } from "../users/change-account-store.ts";
import { listAdministeredUsers } from "./user-store.ts";
import {
  changedMemberFields,
  changedOrganizationFields,
  newMemberFields,
  newOrganizationFields,
} from "./fields.ts";
import {
  type AdministeredOrganization,
  type Member,
  listAdministeredOrganizations,
  listMembers,
  updateOrganization,
} from "./organization-store.ts";

const start = decodeCursor(undefined, null);

const nameTaken = invalidFields({ name: ["Another organization has this name."] });

/** @throws {ApiError} 404 if there is no such organization, or if it belongs to a single user. */
export async function getOrganization(database: Database, id: number): Promise<AdministeredOrganization> {
  const [organization] = (await listAdministeredOrganizations(database, { id }, start, 1)).rows;
  if (organization === undefined) throw notFound();
  return organization;
}

/** Returns the id of the new organization. @throws {ApiError} 400 with messages by field. */
export async function createOrganization(
  { database }: Pick<Context, "database">,
  viewer: SignedInViewer,
  members: Members,
): Promise<number> {
  const { name = "" } = readFields(newOrganizationFields, members, "whole");
  return database.write(async (writer) => {
    const added = await addOrganization(writer, database.dialect, name, byPerson(viewer.id));
    if (added === null) throw nameTaken;
    return added;
  });
}

/** @throws {ApiError} 400 with messages by field, or 404. */
export async function changeOrganization(
  { database }: Pick<Context, "database">,
  viewer: SignedInViewer,
  id: number,
  members: Members,
): Promise<void> {
  const change = readFields(changedOrganizationFields, members, "part");
  await getOrganization(database, id);
  await database.write(async (writer) => {
    await database.dialect.lockForWriting("organizations")?.execute(writer);
    const namesake = change.name === undefined ? null : await findOrganizationNamed(writer, change.name);
    if (namesake !== null && namesake !== id) throw nameTaken;
    if (change.name !== undefined) await addRenaming(writer, id, change.name, byPerson(viewer.id));
    await updateOrganization(writer, id, change);
  });
}

/** @throws {ApiError} 404 if the user is no member. */
export async function getMember(database: Database, organization: number, user: number): Promise<Member> {
  const [member] = (await listMembers(database, organization, { id: user }, start, 1)).rows;
  if (member === undefined) throw notFound();
  return member;
}

/** Adds a member, or changes a member's role. Returns the user's id. @throws {ApiError} 400 or 404. */
export async function addMember(
  { database }: Pick<Context, "database">,
  viewer: SignedInViewer,
  organization: number,
  members: Members,
): Promise<number> {
  const { user = 0, is_admin: isAdmin = false } = readFields(newMemberFields, members, "whole");
  await getOrganization(database, organization);
  const [known] = (await listAdministeredUsers(database, { id: user }, start, 1)).rows;
  if (known === undefined) throw invalidFields({ user: unknownKey(user).messages });
  await database.write((writer) => setMember(writer, { organization, user, isAdmin }, byPerson(viewer.id)));
  return user;
}

/** @throws {ApiError} 400 or 404. */
export async function changeMember(
  { database }: Pick<Context, "database">,
  viewer: SignedInViewer,
  { organization, user }: { organization: number; user: number },
  members: Members,
): Promise<void> {
  const { is_admin: isAdmin = false } = readFields(changedMemberFields, members, "whole");
  await getOrganization(database, organization);
  await getMember(database, organization, user);
  await database.write((writer) => setMember(writer, { organization, user, isAdmin }, byPerson(viewer.id)));
}

/** @throws {ApiError} 404 if the user is no member. */
export async function endMembership(
  { database }: Pick<Context, "database">,
  viewer: SignedInViewer,
  { organization, user }: { organization: number; user: number },
): Promise<void> {
  await getOrganization(database, organization);
  await database.write(async (writer) => {
    if (!(await removeMember(writer, { organization, user }, byPerson(viewer.id)))) throw notFound();
    await leaveActiveOrganization(writer, user, organization);
  });
}

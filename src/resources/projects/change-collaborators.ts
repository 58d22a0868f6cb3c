import type { Context } from "../../context.ts";
import type { Database, Writer } from "../../database/database.ts";
import { invalidFields, invalidRequest, notFound, permissionDenied } from "../../errors.ts";
import type { SentItem } from "../../http/collection.ts";
import type { Members } from "../../http/request/body.ts";
import { readFields } from "../../http/fields/fields.ts";
import { unknownKey } from "../../http/fields/field-kinds.ts";
import { timestampNow } from "../../http/text/timestamp.ts";
import type { SignedInViewer } from "../../http/request/viewer.ts";
import { notifyPerson } from "../mails/notify-people.ts";
import { mayNoticeShare } from "../mails/share-notice-store.ts";
import { byPerson } from "../organizations/membership-history-store.ts";
import { findUnknownUser } from "../users/list-store.ts";
import { mayAdminister, mayView } from "./access.ts";
import { lockProject } from "./change-store.ts";
import {
  type CollaboratorRow,
  deleteCollaborator,
  findCollaborator,
  findUserByEmail,
  hasOtherAdmin,
  insertCollaborator,
  setAccess,
} from "./collaborator-store.ts";
import { collaboratorByEmail, collaboratorById, collaboratorFields } from "./schema.ts";

type Adding = Pick<Context, "config" | "database" | "jobs">;

/**
 * Adds the user with an email address or id as a collaborator, and tells them by mail if a mail server is set up.
 * Access is checked before the body is read. DocumentCloud reads the body first and so tells everyone who sees the
 * project which addresses belong to users.
 */
export async function addCollaborator(
  { config, database, jobs }: Adding,
  viewer: SignedInViewer,
  project: number,
  members: Members,
): Promise<CollaboratorRow> {
  const known = await findKnownUsers(database, viewer, members);
  const isMailed = await mayNoticeShare({ config, database }, viewer.id);
  const added = await database.write(async (writer) => {
    const found = await lockProject(writer, database.dialect, viewer, project);
    if (found === null || !mayView(found)) throw notFound();
    if (!mayAdminister(viewer, found)) {
      throw permissionDenied("You do not have permission to add collaborators to this project");
    }
    const { id, access, field, name } = await newCollaborator(writer, members, known);
    if ((await findCollaborator(writer, project, id)) !== null) {
      throw invalidFields({ [field]: [`You may not add user ${name} as a collaborator more than once`] });
    }
    const given = { added_by: viewer.id, added_at: timestampNow() };
    const row = { project_id: project, user_id: id, access, ...given };
    await insertCollaborator(writer, row, byPerson(viewer.id));
    const notice = { userId: id, kind: "shared", subject: project, actorId: viewer.id } as const;
    await notifyPerson({ config, database }, writer, { ...notice, isMailed });
    return { id, access };
  });
  jobs.notify();
  return added;
}

interface NewCollaborator extends CollaboratorRow {
  /** The field by which the request named the user, and its value. */
  field: "email" | "user";
  name: string;
}

async function newCollaborator(
  writer: Writer,
  members: Members,
  known: ReadonlySet<number>,
): Promise<NewCollaborator> {
  if (isNamedById(members)) {
    const { user = 0, access = "view" } = readFields(collaboratorById, members, "whole");
    if (!known.has(user)) throw invalidFields({ user: unknownKey(user).messages });
    return { id: user, access, field: "user", name: String(user) };
  }
  const { email = "", access = "view" } = readFields(collaboratorByEmail, members, "whole");
  const user = await findUserByEmail(writer, email);
  if (user === undefined) throw invalidFields({ email: [unknownEmail(email)] });
  return { id: user.id, access, field: "email", name: email };
}

/** An email address takes precedence, because clients of DocumentCloud may send a user that it ignores. */
function isNamedById(members: Members): boolean {
  return !members.has("email") && (members.get("user") ?? null) !== null;
}

/** The user that the request names by id, if the viewer knows of them. Malformed ids are reported later. */
async function findKnownUsers(
  database: Database,
  viewer: SignedInViewer,
  members: Members,
): Promise<ReadonlySet<number>> {
  const named = members.get("user");
  // An object may have a `toString` that is no function.
  const id = typeof named === "string" ? Number(named) : named;
  if (!isNamedById(members) || typeof id !== "number" || !Number.isSafeInteger(id)) return new Set();
  const unknown = await findUnknownUser(database, viewer, [id]);
  return new Set(unknown === undefined ? [id] : []);
}

function unknownEmail(email: string): string {
  return (
    `No user with the email ${email} was found. Please check the email, or ask the administrator of ` +
    "this service for an account."
  );
}

/** A collaborator and the project. */
export interface LocatedCollaborator {
  row: CollaboratorRow;
  project: number;
}

/** Changes a collaborator's access. The last admin cannot be demoted. */
export async function changeCollaborator(
  writer: Writer,
  { row, project }: LocatedCollaborator,
  { members }: SentItem,
  viewer: SignedInViewer,
): Promise<LocatedCollaborator> {
  const { access = row.access } = readFields(collaboratorFields, members, "part");
  if (access !== "admin" && (await isOnlyAdmin(writer, row, project))) {
    throw invalidFields({ access: ["You may not demote the only admin in a project"] });
  }
  await setAccess(writer, project, row, access, byPerson(viewer.id));
  return { row: { id: row.id, access }, project };
}

/** Removes a collaborator. The last admin cannot be removed. */
export async function removeCollaborator(
  writer: Writer,
  { row, project }: LocatedCollaborator,
  viewer: SignedInViewer,
): Promise<void> {
  if (await isOnlyAdmin(writer, row, project)) {
    throw invalidRequest("May not remove the only admin from a project");
  }
  await deleteCollaborator(writer, project, row, byPerson(viewer.id));
}

/** Locks the project, so that of two admins who remove each other at the same time only the first succeeds. */
export async function lockCollaborator(
  writer: Writer,
  { dialect }: Database,
  viewer: SignedInViewer,
  { project, user }: { project: number; user: number },
): Promise<LocatedCollaborator> {
  const found = await lockProject(writer, dialect, viewer, project);
  // Viewers who are not admins do not see the list of collaborators, so its members do not exist for them.
  if (found === null || !mayAdminister(viewer, found)) throw notFound();
  const row = await findCollaborator(writer, project, user);
  if (row === null) throw notFound();
  return { row, project };
}

async function isOnlyAdmin(
  writer: Writer,
  { id, access }: CollaboratorRow,
  project: number,
): Promise<boolean> {
  return access === "admin" && !(await hasOtherAdmin(writer, project, id));
}

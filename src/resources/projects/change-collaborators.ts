import type { Context } from "../../context.ts";
import type { Writer } from "../../database/database.ts";
import { invalidFields, invalidRequest, notFound, permissionDenied } from "../../errors.ts";
import type { Members } from "../../http/request/body.ts";
import { readFields } from "../../http/fields/fields.ts";
import type { SignedInViewer } from "../../http/request/viewer.ts";
import { mayAdminister, mayView } from "./access.ts";
import { type Condition, checkCondition } from "./change-projects.ts";
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
import { collaboratorFields, newCollaboratorFields } from "./schema.ts";

type Dependencies = Pick<Context, "database">;

/**
 * Lets a user collaborate, who is named by their address. That API reads the body first, and so tells anyone who sees
 * the project which addresses belong to users.
 */
export async function addCollaborator(
  { database }: Dependencies,
  viewer: SignedInViewer,
  project: number,
  members: Members,
): Promise<CollaboratorRow> {
  return database.write(async (writer) => {
    const row = await lockProject(writer, database.dialect, viewer, project);
    if (row === null || !mayView(row)) throw notFound();
    if (!mayAdminister(viewer, row)) {
      throw permissionDenied("You do not have permission to add collaborators to this project");
    }
    const { email = "", access = "view" } = readFields(newCollaboratorFields, members, "whole");
    const user = await findUserByEmail(writer, email);
    if (user === undefined) throw invalidFields({ email: [unknownEmail(email)] });
    if ((await findCollaborator(writer, project, user.id)) !== null) {
      const message = `You may not add user ${email} as a collaborator more than once`;
      throw invalidFields({ email: [message] });
    }
    await insertCollaborator(writer, { project_id: project, user_id: user.id, access });
    return { id: user.id, access };
  });
}

function unknownEmail(email: string): string {
  return `No user with the email ${email} was found. Please check the email, or ask the administrator of this service for an account.`;
}

/** Changes what a collaborator may do; there is always an admin left. */
export async function changeCollaborator(
  { database }: Dependencies,
  viewer: SignedInViewer,
  place: { project: number; user: number },
  { members, condition }: { members: Members; condition: Condition<CollaboratorRow> },
): Promise<CollaboratorRow> {
  return database.write(async (writer) => {
    const before = await lockCollaborator(writer, { database }, viewer, place, condition);
    const { access = before.access } = readFields(collaboratorFields, members, "part");
    if (access !== "admin" && (await isOnlyAdmin(writer, before, place.project))) {
      throw invalidFields({ access: ["You may not demote the only admin in a project"] });
    }
    await setAccess(writer, { project_id: place.project, user_id: place.user, access });
    return { id: place.user, access };
  });
}

/** Ends someone's collaboration; there is always an admin left. */
export async function removeCollaborator(
  { database }: Dependencies,
  viewer: SignedInViewer,
  place: { project: number; user: number },
  condition: Condition<CollaboratorRow>,
): Promise<void> {
  await database.write(async (writer) => {
    const before = await lockCollaborator(writer, { database }, viewer, place, condition);
    if (await isOnlyAdmin(writer, before, place.project)) {
      throw invalidRequest("May not remove the only admin from a project");
    }
    await deleteCollaborator(writer, place.project, place.user);
  });
}

/** The lock is the project's: of two admins who remove each other one comes second, and is none any more. */
async function lockCollaborator(
  writer: Writer,
  { database }: Dependencies,
  viewer: SignedInViewer,
  { project, user }: { project: number; user: number },
  condition: Condition<CollaboratorRow>,
): Promise<CollaboratorRow> {
  const row = await lockProject(writer, database.dialect, viewer, project);
  // To who is no admin, there is no list of collaborators, and so nobody on it.
  if (row === null || !mayAdminister(viewer, row)) throw notFound();
  const found = await findCollaborator(writer, project, user);
  if (found === null) throw notFound();
  checkCondition(found, condition);
  return found;
}

async function isOnlyAdmin(
  writer: Writer,
  { id, access }: CollaboratorRow,
  project: number,
): Promise<boolean> {
  return access === "admin" && !(await hasOtherAdmin(writer, project, id));
}

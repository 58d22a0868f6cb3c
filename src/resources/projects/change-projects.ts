import type { Context } from "../../context.ts";
import type { Writer } from "../../database/database.ts";
import { conflict, notFound, permissionDenied } from "../../errors.ts";
import type { Members } from "../../http/request/body.ts";
import { type Condition, checkCondition } from "../../http/request/entity-tag.ts";
import { readFields } from "../../http/fields/fields.ts";
import { slugOf } from "../../http/text/slug.ts";
import { timestampNow } from "../../http/text/timestamp.ts";
import type { SignedInViewer } from "../../http/request/viewer.ts";
import { mayAdminister, mayView } from "./access.ts";
import {
  deleteProject,
  findForWriting,
  insertProject,
  isHeld,
  lockDocumentsOf,
  lockProject,
  setPinned,
  updateProject,
} from "./change-store.ts";
import { byPerson } from "../organizations/membership-history-store.ts";
import { insertCollaborator } from "./collaborator-store.ts";
import type { ProjectRow } from "./list-store.ts";
import { newProjectFields, projectFields } from "./schema.ts";

/** Creates a project with the viewer as admin. */
export async function createProject(
  { database }: Pick<Context, "database">,
  viewer: SignedInViewer,
  members: Members,
): Promise<ProjectRow> {
  const read = readFields(newProjectFields, members, "whole");
  const { title = "", description = "", private: isPrivate = false } = read;
  return database.write(async (writer) => {
    const slug = slugOf(title, "");
    const user_id = viewer.id;
    const row = { title, slug, description, private: isPrivate, user_id };
    const project_id = await insertProject(writer, row);
    const admin = { project_id, user_id, access: "admin", added_at: timestampNow() } as const;
    await insertCollaborator(writer, admin, byPerson(user_id));
    await setPinned(writer, { project_id, user_id }, true);
    return (await findForWriting(writer, viewer, project_id)) as ProjectRow;
  });
}

/**
 * Changes the fields that were sent. Everyone who sees the project may pin it, by a PATCH (`isPart`) of `pinned` alone.
 */
export async function changeProject(
  { database }: Pick<Context, "database">,
  viewer: SignedInViewer,
  id: number,
  { members, isPart, condition }: { members: Members; isPart: boolean; condition: Condition<ProjectRow> },
): Promise<ProjectRow> {
  return database.write(async (writer) => {
    const before = await lockProject(writer, database.dialect, viewer, id);
    if (before === null || !mayView(before)) throw notFound();
    const pinsOnly = isPart && members.size > 0 && [...members.keys()].every((name) => name === "pinned");
    if (!pinsOnly && !mayAdminister(viewer, before)) {
      // DocumentCloud uses this message for PATCH only.
      throw permissionDenied(isPart ? "You do not have permission to edit this document" : undefined);
    }
    checkCondition(before, condition);
    const { pinned, ...values } = readFields(projectFields, members, "part");
    if (pinned !== undefined) await setPinned(writer, { project_id: id, user_id: viewer.id }, pinned);
    const changesPrivacy = values.private !== undefined && values.private !== Boolean(before.private);
    if (changesPrivacy) await lockDocumentsOf(writer, database.dialect, id);
    if (!pinsOnly) await updateProject(writer, id, values);
    return (await findForWriting(writer, viewer, id)) as ProjectRow;
  });
}

/** Deletes a project. Its documents stay. */
export async function removeProject(
  { database }: Pick<Context, "database">,
  viewer: SignedInViewer,
  id: number,
  condition: Condition<ProjectRow>,
): Promise<void> {
  await database.write(async (writer: Writer) => {
    const before = await lockProject(writer, database.dialect, viewer, id);
    if (before === null || !mayView(before)) throw notFound();
    if (!mayAdminister(viewer, before)) throw permissionDenied();
    checkCondition(before, condition);
    if (await isHeld(writer, id))
      throw conflict(`Project ${id} is under a legal hold, and cannot be deleted until it is released.`);
    await lockDocumentsOf(writer, database.dialect, id);
    await deleteProject(writer, viewer, id);
  });
}

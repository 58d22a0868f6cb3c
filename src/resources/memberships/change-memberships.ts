import { bulkLimit } from "../../contract/limits.ts";
import type { Context } from "../../context.ts";
import type { Database, Writer } from "../../database/database.ts";
import {
  type ApiError,
  credentialsRequired,
  invalidFields,
  invalidRequest,
  notFound,
  permissionDenied,
} from "../../errors.ts";
import type { Members } from "../../http/request/body.ts";
import { type Extent, FieldError, readFields, readList, tooManyMessage } from "../../http/fields/fields.ts";
import { boolean, key, unknownKey } from "../../http/fields/field-kinds.ts";
import { timestampNow } from "../../http/text/timestamp.ts";
import { type SignedInViewer, type Viewer, writing } from "../../http/request/viewer.ts";
import { mayEditDocumentsOf, mayShare, mayView } from "../documents/access.ts";
import { updateDocument } from "../documents/record/change-store.ts";
import { findContainment, findRoots } from "../documents/families/family-store.ts";
import { projectsFollow } from "../documents/families/refusals.ts";
import { type HistoryEntry, addHistory } from "../documents/history-store.ts";
import { type DocumentRow, accessFacts, lockDocumentRows } from "../documents/store.ts";
import { type Condition, checkCondition } from "../../http/request/entity-tag.ts";
import { notifyOpened } from "../mails/notify-people.ts";
import { lockProject } from "../projects/change-store.ts";
import { findProject } from "../projects/list-store.ts";
import { deleteMembership, findMemberships, putMembership } from "./store.ts";

export const membershipFields = {
  document: key({
    label: "Document",
    required: true,
    help: "The id of a document that you may see",
    example: 3,
  }),
  edit_access: boolean({
    label: "Edit access",
    nullable: true,
    help: "Whether the document is shared with the project's collaborators. By default, it is if you may share it",
  }),
};

export interface Membership {
  document: number;
  edit_access: boolean;
}

/** How a request treats documents that are in the project already. */
type Action = "add" | "add or change" | "replace all";

/** The viewer, if they may edit the project's documents. Throws 404 if they may not see the project, else 403. */
export async function projectWriter(
  { database }: Pick<Context, "database">,
  viewer: Viewer,
  project: number,
): Promise<SignedInViewer> {
  if ((await findProject(database, viewer, project)) === null) throw notFound();
  if (viewer.kind === "anonymous") throw credentialsRequired();
  const writer = writing(viewer);
  if (viewer.isAdministrator || mayEditDocumentsOf(viewer, project)) return writer;
  throw permissionDenied("You do not have permission to edit documents in this project");
}

/** Adds one document or a list of documents to a project, all or none. Returns them in the order of the request. */
export async function putMemberships(
  { config, database }: Pick<Context, "config" | "database">,
  viewer: SignedInViewer,
  project: number,
  sent: { list: unknown } | { one: Members },
  action: Action,
): Promise<Membership[]> {
  return database.write(async (writer) => {
    if ((await lockProject(writer, database.dialect, viewer, project)) === null) throw notFound();
    const before = await findMemberships(writer, project);
    const all = "list" in sent ? sent.list : null;
    const ids = "list" in sent ? readList(all, (members) => readDocument(members)) : [readDocument(sent.one)];
    const current = action === "replace all" ? [...before.keys()] : [];
    const rows = await rowsOf(writer, database, viewer, [...ids, ...current]);
    const seen = new Set<number>();
    const read = (members: Members): Membership => {
      const membership = readMembership(viewer, members, rows);
      const isThere = action === "add" && before.has(membership.document);
      if (isThere || seen.has(membership.document)) throw repeated(membership.document);
      seen.add(membership.document);
      return membership;
    };
    const memberships = "list" in sent ? readList(all, read) : [read(sent.one)];
    for (const { document, edit_access } of memberships.toSorted((a, b) => a.document - b.document)) {
      await put(writer, viewer, project, document, before.get(document), edit_access);
    }
    // Documents that the viewer does not see stay in the project.
    const roots = await findRoots(writer, current);
    const removed = current.filter((id) => rows.has(id) && !seen.has(id) && !roots.has(id));
    for (const id of removed) await takeOut(writer, viewer, project, id);
    // The others learn of a document that is not ready when its processing ends.
    const isOpened = (id: number): boolean => !before.has(id) && rows.get(id)?.status === "success";
    await notifyOpened({ config, database }, writer, [...seen].filter(isOpened), viewer.id);
    return memberships;
  });
}

/** Changes whether a document of the project is shared with its collaborators. */
export async function changeMembership(
  { database }: Pick<Context, "database">,
  viewer: SignedInViewer,
  project: number,
  document: number,
  { members, extent, condition }: { members: Members; extent: Extent; condition: Condition<Membership> },
): Promise<Membership> {
  return database.write(async (writer) => {
    await lockProject(writer, database.dialect, viewer, project);
    const before = (await findMemberships(writer, project)).get(document);
    const rows = await rowsOf(writer, database, viewer, [document]);
    if (before === undefined || !rows.has(document)) throw notFound();
    checkCondition({ document, edit_access: before }, condition);
    const sentDocument = members.get("document") ?? document;
    if (sentDocument !== document && sentDocument !== String(document))
      throw invalidFields({ document: ["You may not update `document`"] });
    const isUnchanged = extent === "part" && !members.has("edit_access");
    const read = readMembership(viewer, new Map([...members, ["document", document]]), rows);
    const membership = isUnchanged ? { document, edit_access: before } : read;
    await put(writer, viewer, project, document, before, membership.edit_access);
    return membership;
  });
}

/** Removes documents from a project, all or none. Throws `refusal` for a document that the viewer may not see. */
export async function removeMemberships(
  { database }: Pick<Context, "database">,
  viewer: SignedInViewer,
  project: number,
  documents: readonly number[],
  refusal: (unseen: number) => ApiError,
): Promise<void> {
  const ids = [...new Set(documents)].toSorted((a, b) => a - b);
  if (ids.length > bulkLimit) throw invalidRequest(tooManyMessage);
  await database.write(async (writer) => {
    await lockProject(writer, database.dialect, viewer, project);
    const before = await findMemberships(writer, project);
    const rows = await rowsOf(writer, database, viewer, ids);
    const missing = ids.find((id) => !rows.has(id));
    if (missing !== undefined) throw refusal(missing);
    const roots = await findRoots(writer, ids);
    const isTakenAlong = (id: number): boolean => ids.includes(roots.get(id) ?? 0);
    for (const id of ids) if (before.has(id) && !isTakenAlong(id)) await takeOut(writer, viewer, project, id);
  });
}

/** Removes one document from a project. Throws 404 if it is not in the project. */
export async function removeMembership(
  { database }: Pick<Context, "database">,
  viewer: SignedInViewer,
  project: number,
  document: number,
  condition: Condition<Membership>,
): Promise<void> {
  await database.write(async (writer) => {
    await lockProject(writer, database.dialect, viewer, project);
    const edit_access = (await findMemberships(writer, project)).get(document);
    const rows = await rowsOf(writer, database, viewer, [document]);
    if (edit_access === undefined || !rows.has(document)) throw notFound();
    checkCondition({ document, edit_access }, condition);
    await takeOut(writer, viewer, project, document);
  });
}

/** Locks the documents and returns those that the viewer may see. */
async function rowsOf(
  writer: Writer,
  { dialect }: Database,
  viewer: SignedInViewer,
  ids: readonly number[],
): Promise<Map<number, DocumentRow>> {
  const rows = await lockDocumentRows(writer, dialect, viewer, [...new Set(ids)]);
  return new Map(rows.filter((row) => mayView(viewer, accessFacts(row))).map((row) => [row.id, row]));
}

function readDocument(members: Members): number {
  return readFields({ document: membershipFields.document }, members, "whole").document as number;
}

function readMembership(
  viewer: SignedInViewer,
  members: Members,
  rows: ReadonlyMap<number, DocumentRow>,
): Membership {
  const { document = 0, edit_access = null } = readFields(membershipFields, members, "whole");
  const row = rows.get(document);
  if (row === undefined) throw invalidFields({ document: [unknownKey(document).message] });
  const isSharer = mayShare(viewer, accessFacts(row));
  if (edit_access === true && !isSharer) {
    throw permissionDenied(
      "You may only set `edit_access` to true if you have permission to share `document`",
    );
  }
  return { document, edit_access: edit_access ?? isSharer };
}

function repeated(document: number): ApiError {
  const error = new FieldError(`You may not add document ${document} to this project more than once`);
  return invalidFields({ document: error.messages });
}

async function put(
  writer: Writer,
  viewer: SignedInViewer,
  project: number,
  document: number,
  before: boolean | undefined,
  after: boolean,
): Promise<void> {
  if (before === after) return;
  await refuseChild(writer, document);
  await putMembership(writer, project, document, after);
  await record(writer, viewer, document, "shared", {
    ...(before === undefined && { project: [null, project] }),
    ...(before !== undefined && { project: [project, project] }),
    edit_access: [before ?? null, after],
  });
}

/** A document that is part of another is in the projects of its root. */
async function refuseChild(writer: Writer, document: number): Promise<void> {
  const containment = await findContainment(writer, document);
  if (containment !== null) throw projectsFollow(document, containment.rootId);
}

async function takeOut(
  writer: Writer,
  viewer: SignedInViewer,
  project: number,
  document: number,
): Promise<void> {
  await refuseChild(writer, document);
  await deleteMembership(writer, project, document);
  await record(writer, viewer, document, "unshared", { project: [project, null] });
}

async function record(
  writer: Writer,
  viewer: SignedInViewer,
  documentId: number,
  action: HistoryEntry["action"],
  changes: HistoryEntry["changes"],
): Promise<void> {
  await updateDocument(writer, documentId, { updated_at: timestampNow() });
  await addHistory(writer, [{ documentId, userId: viewer.id, action, changes }]);
}

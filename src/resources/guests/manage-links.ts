import { randomUUID } from "node:crypto";
import { guestLinkLimits } from "../../contract/limits.ts";
import type { Context } from "../../context.ts";
import type { Writer } from "../../database/database.ts";
import { invalidFields, invalidWhole, notFound, permissionDenied, throttled } from "../../errors.ts";
import { unknownKey } from "../../http/fields/field-kinds.ts";
import { type Values, readFields } from "../../http/fields/fields.ts";
import type { Members } from "../../http/request/body.ts";
import type { SignedInViewer } from "../../http/request/viewer.ts";
import { timestampIn, timestampNow } from "../../http/text/timestamp.ts";
import { digestOf, newSecret } from "../../secrets/digest.ts";
import { TooBusyError } from "../../semaphore.ts";
import { addHistory } from "../documents/history-store.ts";
import { findDocument } from "../documents/store.ts";
import { mayAdminister } from "../projects/access.ts";
import { findProject } from "../projects/list-store.ts";
import { findSearchOf } from "../searches/store.ts";
import { mayRevoke, mayShareDocument } from "./access.ts";
import { guestLinkFields } from "./fields.ts";
import {
  type GuestLinkRow,
  type ListedLinkRow,
  countWorking,
  endGuestLink,
  findGuestLink,
  guestLinkRows,
} from "./store.ts";

const day = 24 * 3600;
const secretBytes = 32;

/** Makes a link. Returns its secret, which is not shown again. */
export async function createGuestLink(
  context: Pick<Context, "database" | "passwords">,
  viewer: SignedInViewer,
  members: Members,
): Promise<{ row: ListedLinkRow; secret: string }> {
  const { database, passwords } = context;
  const values = readFields(guestLinkFields, members, "whole");
  const subject = await subjectIn(context, viewer, values);
  const { password = "", name = "", days = 30, max_uses = null, download = false, search } = values;
  if (password !== "" && password.length < guestLinkLimits.minPassword) {
    const message = `Ensure this field has at least ${guestLinkLimits.minPassword} characters.`;
    throw invalidFields({ password: [message] });
  }
  const hash = password === "" ? null : await passwords.hash(password).catch(busy);
  const secret = newSecret(secretBytes);
  const uuid = randomUUID();
  const row = await database.write(async (writer) => {
    if ((await countWorking(writer, viewer.id)) >= guestLinkLimits.perPerson)
      throw invalidWhole(`You may have at most ${guestLinkLimits.perPerson} guest links.`);
    await noteLink(writer, viewer, subject.document_id, { guest_link: [null, uuid], name: [null, name] });
    return guestLinkRows.add(writer, {
      uuid,
      user_id: viewer.id,
      ...subject,
      name,
      digest: digestOf(secret),
      password_hash: hash,
      may_download: download,
      max_uses,
      uses: 0,
      expires_at: timestampIn(days * day),
      created_at: timestampNow(),
    });
  });
  const search_uuid = row.search_id === null ? null : (search ?? null);
  return { row: { ...row, search_uuid, maker: viewer.username }, secret };
}

function busy(error: unknown): never {
  throw error instanceof TooBusyError ? throttled(1) : error;
}

type Subject = Pick<GuestLinkRow, "document_id" | "project_id" | "search_id">;

const noSubject: Subject = { document_id: null, project_id: null, search_id: null };

/** What a new link is to open. @throws {ApiError} 400 unless it is one thing, 403 if the viewer may not share it. */
async function subjectIn(
  { database }: Pick<Context, "database">,
  viewer: SignedInViewer,
  { document, project, search }: Values<typeof guestLinkFields>,
): Promise<Subject> {
  const named = [document, project, search].filter((value) => value !== undefined && value !== null);
  if (named.length !== 1) throw invalidWhole("Name one of `document`, `project` and `search`.");
  if (typeof document === "number") {
    const row = await findDocument(database, viewer, document);
    if (row === null) throw invalidFields({ document: unknownKey(document).messages });
    if (!(await mayShareDocument(database, viewer, document)))
      throw permissionDenied("You may not share this document.");
    return { ...noSubject, document_id: document };
  }
  if (typeof project === "number") {
    const row = await findProject(database, viewer, project);
    if (row === null) throw invalidFields({ project: unknownKey(project).messages });
    if (!mayAdminister(viewer, row)) throw permissionDenied("You may not share this project.");
    return { ...noSubject, project_id: project };
  }
  const uuid = String(search).toLowerCase();
  const found = await findSearchOf(database.reader, { uuid, user_id: viewer.id });
  if (found === null) throw invalidFields({ search: unknownKey(uuid).messages });
  return { ...noSubject, search_id: found.id };
}

/** A link that the viewer may revoke. @throws {ApiError} 404 for any other. */
export async function getLink(
  { database }: Pick<Context, "database">,
  viewer: SignedInViewer,
  uuid: string,
): Promise<ListedLinkRow> {
  const row = await findGuestLink(database.reader, uuid);
  if (row === null || !(await mayRevoke(database, viewer, row))) throw notFound();
  return row;
}

/** Ends a link at once, also for the browsers that have opened it. @throws {ApiError} 404 if the viewer may not. */
export async function revokeLink(
  context: Pick<Context, "database">,
  viewer: SignedInViewer,
  uuid: string,
): Promise<void> {
  const { id, document_id: documentId, name } = await getLink(context, viewer, uuid);
  await context.database.write(async (writer) => {
    if (await endGuestLink(writer, id, viewer.id))
      await noteLink(writer, viewer, documentId, { guest_link: [uuid, null], name: [name, null] });
  });
}

/** Says in the history of the document that a link opens that the link was made or revoked. */
async function noteLink(
  writer: Writer,
  { id }: SignedInViewer,
  documentId: number | null,
  changes: Readonly<Record<"guest_link" | "name", [string | null, string | null]>>,
): Promise<void> {
  if (documentId === null) return;
  await addHistory(writer, [{ documentId, userId: id, action: "changed", changes }]);
}

import { open } from "node:fs/promises";
import path from "node:path";
import type { Context } from "../../../context.ts";
import type { Reader, Writer } from "../../../database/database.ts";
import { actionRefused, invalidFields, notFound, permissionDenied } from "../../../errors.ts";
import { replacementFileKey } from "../../../files/keys.ts";
import { membersIn, readFields } from "../../../http/fields/fields.ts";
import type { Body, Members } from "../../../http/request/body.ts";
import type { SignedInViewer } from "../../../http/request/viewer.ts";
import { mayEdit } from "../access.ts";
import { setStatus } from "../file-facts-store.ts";
import { extensionOfAddress } from "../files/remote-extension.ts";
import { refuseHeld } from "../holds/held-documents.ts";
import { isFileInWork } from "../processing/file-work-store.ts";
import {
  type RemoteReplacement,
  type Replacement,
  addRewrite,
  endRemoval,
  removeReplacement,
  replaceJob,
} from "../processing/rewrite-store.ts";
import { type ProcessOptions, sealed } from "../processing/start-processing.ts";
import { refuseReplacing } from "../families/refusals.ts";
import { lockEditable } from "../record/change-documents.ts";
import { replacementFields } from "../record/fields.ts";
import { type DocumentRow, accessFacts, findDocument } from "../store.ts";
import { type FileTarget, storeFile } from "./receive-file.ts";
import { readLocalFile } from "./read-local-file.ts";

/** If a process dies while it stores a replacement, the file is removed after this time, which a store never needs. */
const removedAfterSeconds = 120;

/** A file that is to replace a document's own. */
export interface Replacing {
  extension: string;
  processOptions: ProcessOptions;
}

/** Reads what a request says about the file that it sends. The file's name supplies a missing extension. */
export function readReplacing(members: Members, fileName: string): Replacing {
  const whole = new Map(members);
  if ((members.get("original_extension") ?? "") === "")
    whole.set("original_extension", path.extname(fileName).slice(1).toLowerCase());
  const { address, extension, processOptions } = readReplacement(whole);
  if (address !== null) throw invalidFields({ file_url: ["Send either a file or its address, not both."] });
  return { extension: extension ?? "", processOptions };
}

/** What a request says about the file, and the address to fetch it from; null for what it leaves out. */
function readReplacement(
  members: Members,
): Omit<Replacing, "extension"> & { address: string | null; extension: string | null } {
  const {
    file_url: address = null,
    original_extension: extension = null,
    file: _,
    ...processOptions
  } = readFields(replacementFields, members, "part");
  return { address, extension, processOptions };
}

/** Throws 404, 403 or 400 if the viewer cannot replace the document's file now. */
export async function checkReplaceable(
  { database }: Pick<Context, "database">,
  viewer: SignedInViewer,
  id: number,
): Promise<void> {
  const row = await findDocument(database, viewer, id);
  if (row === null) throw notFound();
  if (!mayEdit(viewer, accessFacts(row))) throw permissionDenied(notEditable);
  await checkIdle(database.reader, row);
}

/**
 * Replaces a document's file by that of a form, which is removed from the uploads, or by the one at the address that
 * the body names.
 *
 * @throws {ApiError} as {@link receiveReplacement}, and 400 if the body has neither.
 */
export async function replaceByBody(
  context: Pick<Context, "config" | "database" | "files" | "uploads" | "secrets" | "jobs" | "log">,
  viewer: SignedInViewer,
  id: number,
  body: Body,
): Promise<void> {
  await checkReplaceable(context, viewer, id);
  const members = membersIn(replacementFields, body);
  const file = "form" in body ? body.file : undefined;
  if (file === undefined) return queueFetching(context, viewer, id, members);
  await receiveReplacement(context, viewer, id, file.path, readReplacing(members, file.name));
  await context.uploads.drop(file.path);
}

/** Queues the job that fetches the file which replaces the document's own. Until then, the document keeps its file. */
async function queueFetching(
  context: Pick<Context, "database" | "secrets" | "jobs">,
  viewer: SignedInViewer,
  id: number,
  members: Members,
): Promise<void> {
  const isNamed = (members.get("original_extension") ?? "") !== "";
  const read = isNamed ? members : new Map([...members].filter(([name]) => name !== "original_extension"));
  const { address, extension, processOptions } = readReplacement(read);
  if (address === null) throw noFile();
  await context.database.write(async (writer) => {
    const row = await lockEditable(writer, context, viewer, id, null, notEditable);
    await checkIdle(writer, row);
    const plan = { address, extension: extension ?? extensionOfAddress(address) };
    await queue(context, writer, viewer, row, plan, processOptions);
  });
  context.jobs.notify();
}

/** Queues a replacement by a file that has arrived or by one that is to be fetched. The document's row is locked. */
async function queue(
  context: Pick<Context, "secrets">,
  writer: Writer,
  viewer: SignedInViewer,
  { id, status, original_extension: replaced }: DocumentRow,
  plan: Replacement | RemoteReplacement,
  processOptions: ProcessOptions,
): Promise<void> {
  const isReady = status === "success";
  await addRewrite(writer, id, {
    kind: "replace",
    userId: viewer.id,
    plan,
    statusBefore: isReady ? "success" : "error",
    options: { ...sealed(context, id, processOptions), replaced },
  });
  await setStatus(writer, id, { to: isReady ? "readable" : "pending" });
}

/** The error for a request without a file. */
export const noFile = (): Error => invalidFields({ file: ["No file was submitted."] });

/**
 * Stores the local file beside the document's own, and queues the job that replaces that by it.
 *
 * @throws {ApiError} 404, 403, or 400 if another operation on the file is under way, 413, 507.
 */
export async function receiveReplacement(
  context: Pick<Context, "config" | "database" | "files" | "secrets" | "jobs" | "log">,
  viewer: SignedInViewer,
  id: number,
  localFile: string,
  { extension, processOptions }: Replacing,
): Promise<void> {
  const { jobs } = context;
  const lock = (writer: Writer): Promise<DocumentRow> =>
    lockEditable(writer, context, viewer, id, null, notEditable);
  const target: FileTarget = {
    key: replacementFileKey(id, extension),
    extension,
    async checkBefore(writer) {
      await checkIdle(writer, await lock(writer));
      await removeReplacement(writer, id, removedAfterSeconds);
    },
    async checkAfter(writer) {
      await endRemoval(writer, replaceJob, id);
      await checkIdle(writer, await lock(writer));
    },
    async abandon(writer) {
      await removeReplacement(writer, id);
    },
  };
  await using handle = await open(localFile);
  const { size: announcedBytes } = await handle.stat();
  const bytes = readLocalFile(handle, announcedBytes);
  try {
    await storeFile(context, id, target, {
      bytes,
      announcedBytes,
      async note(writer, file) {
        await queue(context, writer, viewer, await lock(writer), file, processOptions);
      },
    });
  } finally {
    bytes.destroy();
    jobs.notify();
  }
}

const notEditable = "You may not edit this document";

async function checkIdle(reader: Reader, row: DocumentRow): Promise<void> {
  const { id, slug, asset_url: elsewhere } = row;
  if (elsewhere !== null || !/^[\w-]+$/.test(slug))
    throw actionRefused(`Document ${id} has its file on another server`);
  if (await isFileInWork(reader, row)) throw actionRefused(`Already processing: ${id}`);
  await refuseReplacing(reader, id);
  await refuseHeld(reader, [id]);
}

import { open } from "node:fs/promises";
import path from "node:path";
import type { Context } from "../../../context.ts";
import type { Writer } from "../../../database/database.ts";
import { actionRefused, invalidFields, notFound, permissionDenied } from "../../../errors.ts";
import { replacementFolder } from "../../../files/keys.ts";
import { membersIn, readFields } from "../../../http/fields/fields.ts";
import type { Body, Members } from "../../../http/request/body.ts";
import type { SignedInViewer } from "../../../http/request/viewer.ts";
import { mayEdit } from "../access.ts";
import { setStatus } from "../file-facts-store.ts";
import { isFileInWork } from "../processing/file-work-store.ts";
import { addRewrite, endRemoval, removeReplacement } from "../processing/rewrite-store.ts";
import { type ProcessOptions, sealed } from "../processing/start-processing.ts";
import { lockEditable } from "../record/change-documents.ts";
import { replacementFields } from "../record/fields.ts";
import { type DocumentRow, accessFacts, findDocument } from "../store.ts";
import { type FileTarget, storeFile } from "./receive-file.ts";

type Storage = Pick<Context, "config" | "database" | "files" | "jobs" | "log" | "secrets">;

/** If a process dies while it stores a replacement, the file is removed after this time, which a store never needs. */
const removedAfterSeconds = 120;

/** A file that is to replace a document's own. */
export interface Replacing {
  extension: string;
  processOptions: ProcessOptions;
}

/** Reads what a request says about the file. Its name supplies a missing extension. */
export function readReplacing(members: Members, fileName: string): Replacing {
  const whole = new Map(members);
  if ((members.get("original_extension") ?? "") === "")
    whole.set("original_extension", path.extname(fileName).slice(1).toLowerCase());
  const {
    original_extension: extension = "",
    file: _,
    ...processOptions
  } = readFields(replacementFields, whole, "part");
  return { extension, processOptions };
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
 * Takes a file that replaces a document's own from a form, and removes it from the uploads.
 *
 * @throws {ApiError} as {@link receiveReplacement}, and 400 if the form has no file.
 */
export async function receiveReplacementForm(
  context: Storage & Pick<Context, "uploads">,
  viewer: SignedInViewer,
  id: number,
  body: Body,
): Promise<void> {
  await checkReplaceable(context, viewer, id);
  const file = "form" in body ? body.file : undefined;
  if (file === undefined) throw noFile();
  const replacing = readReplacing(membersIn(replacementFields, body), file.name);
  await receiveReplacement(context, viewer, id, file.path, replacing);
  await context.uploads.drop(file.path);
}

/** The error for a form without a file. */
export const noFile = (): Error => invalidFields({ file: ["No file was submitted."] });

/**
 * Stores the local file beside the document's own, and queues the job that replaces that by it.
 *
 * @throws {ApiError} 404, 403, or 400 if another operation on the file is under way, 413, 507.
 */
export async function receiveReplacement(
  context: Storage,
  viewer: SignedInViewer,
  id: number,
  localFile: string,
  { extension, processOptions }: Replacing,
): Promise<void> {
  const { jobs } = context;
  const lock = (writer: Writer): Promise<DocumentRow> =>
    lockEditable(writer, context, viewer, id, null, notEditable);
  const target: FileTarget = {
    key: `${replacementFolder(id)}/file.${extension}`,
    extension,
    async checkBefore(writer) {
      await checkIdle(writer, await lock(writer));
      await removeReplacement(writer, id, removedAfterSeconds);
    },
    async checkAfter(writer) {
      await endRemoval(writer, id);
      await checkIdle(writer, await lock(writer));
    },
    async abandon(writer) {
      await removeReplacement(writer, id);
    },
  };
  await using handle = await open(localFile);
  const { size: announcedBytes } = await handle.stat();
  const bytes = handle.createReadStream({ highWaterMark: 1024 * 1024, autoClose: false });
  try {
    await storeFile(context, id, target, {
      bytes,
      announcedBytes,
      async note(writer, file) {
        const { status, original_extension: replaced } = await lock(writer);
        const isReady = status === "success";
        await addRewrite(writer, id, {
          kind: "replace",
          userId: viewer.id,
          plan: { ...file, statusBefore: isReady ? "success" : "error" },
          options: { ...sealed(context, id, processOptions), replaced },
        });
        await setStatus(writer, id, { to: isReady ? "readable" : "pending" });
      },
    });
  } finally {
    bytes.destroy();
    jobs.notify();
  }
}

const notEditable = "You may not edit this document";

async function checkIdle(reader: Parameters<typeof isFileInWork>[0], row: DocumentRow): Promise<void> {
  const { id, slug, asset_url: elsewhere } = row;
  if (elsewhere !== null || !/^[\w-]+$/.test(slug))
    throw actionRefused(`Document ${id} has its file on another server`);
  if (await isFileInWork(reader, row)) throw actionRefused(`Already processing: ${id}`);
}

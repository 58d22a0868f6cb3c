import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { mkdir, rm } from "node:fs/promises";
import path from "node:path";
import { forEachConcurrently } from "../../../concurrently.ts";
import type { Context } from "../../../context.ts";
import { fileKinds } from "../../../file-kinds.ts";
import { documentFileKey } from "../../../files/keys.ts";
import { slugOf } from "../../../http/text/slug.ts";
import type { Job } from "../../../jobs/running-job.ts";
import {
  type LeftOut,
  type MailHead,
  type UnpackedFile,
  emptyFile,
} from "../../../processing/unpack/unpacking.ts";
import { UnreadableFileError } from "../../../processing/unreadable-file.ts";
import { makeWorkFolder } from "../../../work-folders.ts";
import type { FileFacts } from "../file-facts-store.ts";
import type { ArrivedFile } from "../files/received-file-store.ts";
import { openImportOf } from "../import-run-store.ts";
import { type ReceiptOfOne, attemptOf } from "../receipt-store.ts";
import { extensionOf } from "./extension-of.ts";
import { LeftOutAccount } from "./left-out.ts";
import {
  type Family,
  type NewChild,
  addChildren,
  countChildren,
  fillChildren,
  findFamily,
} from "./new-children-store.ts";

/*
 * The files in a container become documents that are part of it. They are taken out in a sandboxed process, some
 * hundreds at a time. For a few of them at a time, one transaction creates the documents, the files are stored, and
 * another transaction queues them for processing. A worker that takes over after a kill finds the documents that wait
 * for their files, and continues there. So nothing is lost, and nothing is there twice.
 */

type Services = Pick<Context, "config" | "database" | "files" | "converter">;

/** How deep containers may be in each other, and what may be in the outermost one altogether. */
export const familyLimits = { depth: 16, files: 100_000, bytes: 50 * 1024 ** 3 };
/** How many documents one transaction creates. */
const childrenAtOnce = 25;
const filesAtOnce = 4;
const maxListed = 100;

export interface TakenChildren {
  /** Null if there is nothing to tell. */
  receipt: ReceiptOfOne | null;
  mail: MailHead | null;
}

/**
 * Takes the files out of a document's file, if that is a container. `hasFiles` is false if it is known to have none.
 *
 * @throws {UnreadableFileError} for a password
 */
export async function takeChildren(
  services: Services,
  job: Job,
  document: Pick<FileFacts, "slug" | "extension" | "owner"> & { password: string; hasFiles: boolean },
  signal: AbortSignal,
): Promise<TakenChildren> {
  const { slug, extension, owner, password, hasFiles } = document;
  if (!hasFiles || fileKinds.get(extension)?.unpacker === undefined) return { receipt: null, mail: null };
  const { config, database, files, converter } = services;
  const started = performance.now();
  const parentId = job.subject;
  let leftOut: LeftOut[] = [];
  let count = 0;
  let mail: MailHead | null = null;
  let failure: { kind: string; reason: string } | null = null;
  // People watch how what is in an archive is taken in. Of a mail or a PDF they know the few files.
  const isCollection = fileKinds.get(extension)?.converter === "contents";
  await using file = await files.borrow(documentFileKey(parentId, slug, extension));
  if (file === null) throw new UnreadableFileError("unreachable", "The file is missing");
  await using folder = await makeWorkFolder("document");
  let family = await findFamily(database.reader, parentId);
  const { rootId } = family;
  if (rootId === parentId && isCollection) await database.write((writer) => openImportOf(writer, rootId));
  const account = await LeftOutAccount.open(database, { rootId, parentId }, family.after < 0);
  try {
    for (let go = 0, after: number | null = family.after; after !== null && failure === null; go++) {
      signal.throwIfAborted();
      const to = folder.file(String(go));
      await mkdir(to);
      const isTooDeep = family.depth >= familyLimits.depth;
      const unpacked = await converter.unpack(
        { from: file.path, extension, owner, signal },
        {
          folder: to,
          after,
          password,
          maxFiles: isTooDeep ? 0 : Math.max(0, familyLimits.files - family.files),
          maxBytes: Math.max(0, familyLimits.bytes - family.bytes),
          maxFileBytes: config.uploadLimitMb * 1024 * 1024,
        },
      );
      await nameUnnamed(database.reader, parentId, unpacked.files);
      await account.note(unpacked);
      leftOut.push(...unpacked.leftOut);
      count += await keepFiles(services, job, { family, extension, folder: to, owner }, unpacked.files);
      await rm(to, { recursive: true });
      mail ??= unpacked.mail;
      failure = unpacked.failure;
      if (failure !== null && isTooDeep)
        failure.reason = `too large when unpacked: it is nested more than ${familyLimits.depth} deep`;
      after = unpacked.after;
      // The larger a family is, the longer this takes, and each mail in it asks.
      if (after !== null) family = await findFamily(database.reader, parentId);
    }
  } catch (error) {
    if (!(error instanceof UnreadableFileError)) throw error;
    failure = { kind: error.kind, reason: error.message };
  }
  await account.end(failure);
  if (failure?.kind === "encrypted") throw new UnreadableFileError("encrypted", failure.reason);
  if (job.attempt > 1) {
    // What earlier attempts have taken out and left out has no receipt yet.
    count = await countChildren(database.reader, parentId);
    leftOut = (await account.all()) ?? leftOut;
  }
  if (count === 0 && leftOut.length === 0 && failure === null) return { receipt: null, mail };
  const milliseconds = performance.now() - started;
  return { receipt: receiptOf({ count, leftOut, failure, milliseconds, job }), mail };
}

/** A file without a name is called as its container, whose title is the name of the packed file without its ending. */
async function nameUnnamed(
  reader: Context["database"]["reader"],
  parentId: number,
  files: readonly UnpackedFile[],
): Promise<void> {
  for (const file of files.filter(({ isUnnamed }) => isUnnamed)) {
    const query = reader.selectFrom("documents").select("title").where("id", "=", parentId);
    const { title } = await query.executeTakeFirstOrThrow();
    file.path = title;
    file.title = path.parse(title).name;
  }
}

/** Empty files come last: nothing of them is missing. */
const byLoss = (one: LeftOut, other: LeftOut): number =>
  Number(one.reason === emptyFile) - Number(other.reason === emptyFile);

function receiptOf({
  count,
  leftOut,
  failure,
  milliseconds,
  job,
}: {
  count: number;
  leftOut: readonly LeftOut[];
  failure: { reason: string } | null;
  milliseconds: number;
  job: Job;
}): ReceiptOfOne {
  return {
    step: "unpacked",
    outcome: failure === null ? "done" : "failed",
    milliseconds,
    details: {
      documents: count,
      ...(leftOut.length > 0 && {
        left_out: leftOut.toSorted(byLoss).slice(0, maxListed),
        left_out_count: leftOut.length,
      }),
      ...(failure !== null && { message: failure.reason }),
      ...attemptOf(job),
    },
  };
}

/** Makes documents of files that were taken out. Returns how many. */
async function keepFiles(
  services: Services,
  job: Job,
  { family, extension, folder, owner }: { family: Family; extension: string; folder: string; owner: number },
  files: readonly UnpackedFile[],
): Promise<number> {
  const { database } = services;
  const { rootId, depth } = family;
  const container = { parentId: job.subject, rootId, depth, extension };
  const options = { force_ocr: job.options["force_ocr"] === true };
  for (let start = 0; start < files.length; start += childrenAtOnce) {
    const some: (NewChild & { local: string })[] = [];
    for (const { file, contentType, ...part } of files.slice(start, start + childrenAtOnce)) {
      const local = path.join(folder, file);
      some.push({ ...part, local, extension: await extensionOf(local, part.path, contentType) });
    }
    const ids = await database.write(async (writer) => {
      const added = await addChildren(writer, database.dialect, container, some);
      await job.hold(writer);
      return added;
    });
    if (ids === null) throw new Error("The container was deleted while it was unpacked");
    const stored: { id: number; owner: number; arrived: ArrivedFile }[] = [];
    await forEachConcurrently(some, filesAtOnce, async (part) => {
      const id = ids.get(part.position) as number;
      stored.push({ id, owner, arrived: await store(services, id, part) });
    });
    await database.write(async (writer) => {
      await fillChildren(writer, stored, options);
      await job.hold(writer);
    });
  }
  return files.length;
}

async function store(
  { files }: Pick<Context, "files">,
  id: number,
  { title, extension, bytes, local }: NewChild & { local: string },
): Promise<ArrivedFile> {
  const started = performance.now();
  const [sha1, sha256] = [createHash("sha1"), createHash("sha256")];
  for await (const chunk of createReadStream(local) as AsyncIterable<Uint8Array>) {
    sha1.update(chunk);
    sha256.update(chunk);
  }
  const key = documentFileKey(id, slugOf(title), extension);
  const coming = performance.now() - started;
  await files.put(key, local);
  const milliseconds = { coming, storing: performance.now() - started - coming };
  return { key, extension, bytes, sha1: sha1.digest("hex"), sha256: sha256.digest("hex"), milliseconds };
}

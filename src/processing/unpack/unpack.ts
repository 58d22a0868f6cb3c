import { closeSync, openSync, rmSync, writeSync } from "node:fs";
import path from "node:path";
import { type UnpackerName, fileKinds } from "../../file-kinds.ts";
import { reasonOf } from "../../errors.ts";
import { UnreadableFileError } from "../unreadable-file.ts";
import { maxRatio, smallEnough } from "./limits.ts";
import { shownPath } from "./shown-path.ts";
import {
  type ContainerToOpen,
  type Entry,
  type LeftOut,
  type OpenedContainer,
  type UnpackedFile,
  type Unpacked,
  type Unpacking,
  emptyFile,
} from "./unpacking.ts";

type Open = (container: ContainerToOpen) => Promise<OpenedContainer>;

/** By the names in `file-kinds.ts`. Each loads only the modules that it needs. */
const openers: Readonly<Record<UnpackerName, Open>> = {
  mail: async ({ from, extension }) => (await import("./mail-entries.ts")).openMail(from, extension),
  tar: async ({ from }) => (await import("./tar-archive.ts")).openTar(from),
  gzip: async ({ from }) => (await import("./tar-archive.ts")).openGzip(from),
  pdf: async (container) => (await import("./pdf-attachments.ts")).openPdfAttachments(container),
  office: async ({ from }) => (await import("./office-objects.ts")).openOfficeFile(from),
  zip: async (container) => (await import("./zip-archive.ts")).openZip(container),
  "seven-zip": async (container) => (await import("./seven-zip.ts")).openSevenZip(container),
  tnef: async ({ from }) => (await import("./tnef.ts")).openTnef(from),
  mbox: async ({ from, after }) => (await import("./mbox.ts")).openMbox(from, after),
  outlook: async ({ from, after }) => (await import("./outlook-store.ts")).openOutlookStore(from, after),
};

/** One go ends after this many files or bytes. */
const filesInGo = 500;
const bytesInGo = 128 * 1024 * 1024;

/** Names that archives of some systems contain beside the files of people. */
const isOfSystem = (name: string): boolean =>
  /^__MACOSX\/|(?:^|\/)(?:\._[^/]+|\.DS_Store|Thumbs\.db)$/.test(name);

export async function openContainer(container: ContainerToOpen): Promise<OpenedContainer> {
  const name = fileKinds.get(container.extension)?.unpacker;
  if (name === undefined) throw new Error(`no unpacker for ${container.extension}`);
  return openers[name](container);
}

/** Writes the next files of a container into a folder. After a failure, the result has those before it. */
export async function unpack(from: string, extension: string, go: Unpacking): Promise<Unpacked> {
  const files: UnpackedFile[] = [];
  const leftOut: LeftOut[] = [];
  const container = await openContainer({ from, extension, ...go });
  const result: Unpacked = { files, leftOut, after: null, failure: null, mail: container.mail ?? null };
  let total = 0;
  let position = -1;
  try {
    for await (const entry of container.entries) {
      position += 1;
      if (position <= go.after) continue;
      if (files.length >= filesInGo || total >= bytesInGo) return { ...result, after: position - 1 };
      const name = shownPath(entry.path);
      if (isOfSystem(name)) continue;
      if (files.length >= go.maxFiles)
        throw tooLarge(`it holds more than the ${go.maxFiles} files that may still be taken out`);
      const file = String(position);
      if (typeof entry.fault === "string") {
        leftOut.push({ path: name, reason: entry.fault });
        continue;
      }
      const bytes = await written(entry, path.join(go.folder, file), {
        ...go,
        maxBytes: go.maxBytes - total,
      });
      if (typeof bytes === "string") {
        leftOut.push({ path: name, reason: bytes });
        continue;
      }
      total += bytes;
      const title = (entry.title ?? titleOf(name)).slice(0, 900);
      const { isUnnamed = false, contentType = "" } = entry;
      files.push({ position, path: name, ...(isUnnamed && { isUnnamed }), title, contentType, bytes, file });
    }
  } catch (error) {
    return { ...result, failure: failureOf(error) };
  } finally {
    container.close?.();
  }
  return result;
}

/** Writes a file, and returns its size, or the reason why it is left out. */
async function written(
  entry: Entry,
  to: string,
  { maxBytes, maxFileBytes }: Pick<Unpacking, "maxBytes" | "maxFileBytes">,
): Promise<number | string> {
  let bytes = 0;
  const file = openSync(to, "w");
  const leave = (reason: string): string => {
    rmSync(to);
    return reason;
  };
  try {
    for await (const chunk of entry.bytes()) {
      bytes += chunk.length;
      const { packedBytes } = entry;
      if (packedBytes !== undefined && bytes > smallEnough && bytes > packedBytes * maxRatio) {
        throw tooLarge(
          `${shownPath(entry.path)} in it is more than ${maxRatio} times as large as its packed form`,
        );
      }
      if (bytes > maxBytes) throw tooLarge("what is in it is larger than what may still be taken out");
      if (bytes > maxFileBytes) return leave(`larger than ${Math.round(maxFileBytes / 1024 / 1024)} MB`);
      writeSync(file, chunk);
    }
  } catch (error) {
    if (error instanceof UnreadableFileError && error.kind !== "broken") throw error;
    if (/ENOSPC|EDQUOT/.test(reasonOf(error))) throw error;
    return leave(`broken: ${reasonOf(error).split("\n")[0] ?? ""}`);
  } finally {
    closeSync(file);
  }
  return bytes === 0 ? leave(emptyFile) : bytes;
}

function failureOf(error: unknown): NonNullable<Unpacked["failure"]> {
  if (error instanceof UnreadableFileError) return { kind: error.kind, reason: error.message };
  const [reason = ""] = reasonOf(error).split("\n");
  if (/ENOSPC|EDQUOT/.test(reason)) throw error;
  return { kind: "broken", reason: `broken: ${reason}` };
}

const tooLarge = (reason: string): UnreadableFileError =>
  new UnreadableFileError("too-large", `too large when unpacked: ${reason}`);

function titleOf(name: string): string {
  const { name: title } = path.posix.parse(name);
  return title === "" ? name : title;
}

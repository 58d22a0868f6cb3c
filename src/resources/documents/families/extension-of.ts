import path from "node:path";
import { fileKinds } from "../../../file-kinds.ts";
import { checkKind, kindOf } from "../../../processing/file-kind.ts";
import { UnreadableFileError } from "../../../processing/unreadable-file.ts";

/** The extensions of kinds that their bytes tell. Those of text are told by the type that the container states. */
const byBytes: Readonly<Record<string, string>> = {
  jpeg: "jpg",
  tiff: "tif",
  ole: "doc",
  gzip: "gz",
  bzip2: "bz2",
  tnef: "dat",
  program: "exe",
};

const byType: Readonly<Record<string, string>> = {
  "message/rfc822": "eml",
  "text/html": "html",
  "text/csv": "csv",
  "text/calendar": "ics",
  "application/xml": "xml",
  "text/xml": "xml",
};

/**
 * The extension of a file in a container. That of its name counts if its bytes match. Otherwise its bytes decide, and
 * for a text the type that the container states: nobody could correct the name of a file in a mail.
 */
export async function extensionOf(file: string, name: string, contentType: string): Promise<string> {
  const claimed = path.posix.extname(name).slice(1).toLowerCase();
  if (fileKinds.has(claimed) && (await isOfKind(file, claimed))) return claimed;
  const { kind } = await kindOf(file);
  if (kind === "text") {
    const stated = byType[contentType.toLowerCase()];
    if (stated !== undefined && (await isOfKind(file, stated))) return stated;
    // Mailboxes of some programs have names without an extension.
    return (await isOfKind(file, "mbox")) ? "mbox" : "txt";
  }
  const found = byBytes[kind] ?? kind;
  if (found === "outlook") return "pst";
  if (fileKinds.has(found)) return found;
  return /^[a-z0-9]{1,16}$/.test(claimed) ? claimed : "bin";
}

async function isOfKind(file: string, extension: string): Promise<boolean> {
  try {
    await checkKind(file, extension);
    return true;
  } catch (error) {
    if (error instanceof UnreadableFileError) return false;
    throw error;
  }
}

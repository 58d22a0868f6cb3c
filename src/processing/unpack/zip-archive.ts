import { type Entry as ZipEntry, getFileNameLowLevel, openPromise, type ZipFile } from "yauzl";
import { reasonOf } from "../../errors.ts";
import { UnreadableFileError } from "../unreadable-file.ts";
import type { ContainerToOpen, Entry, OpenedContainer } from "./unpacking.ts";

/** The files in a ZIP archive, in the order of its directory. 7-Zip reads one with a password. */
export async function openZip(container: ContainerToOpen): Promise<OpenedContainer> {
  if (container.password !== "") return (await import("./seven-zip.ts")).openSevenZip(container);
  const zip = await openPromise(container.from, {
    lazyEntries: true,
    autoClose: false,
    decodeStrings: false,
  });
  return { entries: filesIn(zip), close: () => zip.close() };
}

async function* filesIn(zip: ZipFile): AsyncGenerator<Entry> {
  for await (const entry of entriesOf(zip)) {
    const path = nameOf(entry);
    if (path.endsWith("/")) continue;
    yield {
      path,
      packedBytes: entry.compressedSize,
      async *bytes() {
        if (entry.isEncrypted()) throw new UnreadableFileError("encrypted", neededPassword);
        if (!entry.canDecodeFileData())
          throw new UnreadableFileError("broken", "it is packed by a method that Quire does not know");
        yield* (await zip.openReadStreamPromise(entry)) as AsyncIterable<Uint8Array>;
      },
    };
  }
}

/** The reader of ZIP archives refuses one kind of encryption, which 7-Zip reads with a password. */
async function* entriesOf(zip: ZipFile): AsyncGenerator<ZipEntry> {
  try {
    yield* zip.eachEntry();
  } catch (error) {
    if (!reasonOf(error).startsWith("strong encryption")) throw error;
    throw new UnreadableFileError("encrypted", neededPassword);
  }
}

const neededPassword = "encrypted: it opens with a password only";

const isUtf8 = 0x800;

/** Many programs write names in UTF-8 and do not say so. */
function nameOf({ generalPurposeBitFlag, fileNameRaw, extraFields }: ZipEntry): string {
  try {
    if ((generalPurposeBitFlag & isUtf8) === 0)
      return new TextDecoder("utf-8", { fatal: true }).decode(fileNameRaw);
  } catch {
    // The name is in the code page of DOS.
  }
  return getFileNameLowLevel(generalPurposeBitFlag, fileNameRaw, extraFields, false);
}

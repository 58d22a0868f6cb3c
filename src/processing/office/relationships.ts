import { posix } from "node:path";
import type { ZipEntries } from "../unpack/zip-entries.ts";
import { localName, readXml } from "./xml-reading.ts";

/** A part of an office file to which another part refers. */
interface Relationship {
  id: string;
  /** The last word of its address: `comments`, `worksheet`. */
  type: string;
  path: string;
}

/** The parts of the file to which one of its parts refers. */
export async function relationshipsOf(zip: ZipEntries, part: string): Promise<Relationship[]> {
  const folder = posix.dirname(part);
  const list = `${folder}/_rels/${posix.basename(part)}.rels`;
  const found: Relationship[] = [];
  if (!zip.has(list)) return found;
  await readXml(zip.read(list), {
    open(tag, { Id: id = "", Type = "", Target = "" }) {
      if (localName(tag) !== "Relationship") return;
      const path = Target.startsWith("/") ? Target.slice(1) : posix.join(folder, Target);
      if (zip.has(path)) found.push({ id, type: Type.slice(Type.lastIndexOf("/") + 1), path });
    },
  });
  return found;
}

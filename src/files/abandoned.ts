import { readdir, rm, stat } from "node:fs/promises";
import path from "node:path";
import { unlessAbsent } from "./unless-absent.ts";

/** Removes abandoned entries of a folder. */
export async function removeAbandoned(
  folder: string,
  isAbandoned: (entry: string, name: string) => boolean | Promise<boolean>,
): Promise<void> {
  for (const name of await readdir(folder)) {
    const entry = path.join(folder, name);
    if (await isAbandoned(entry, name)) await rm(entry, { recursive: true, force: true });
  }
}

/** Whether nothing has been written to this path for this long. */
export async function isUntouchedFor(entry: string, seconds: number): Promise<boolean> {
  const found = await unlessAbsent(stat(entry));
  return found !== null && Date.now() - found.mtimeMs > seconds * 1000;
}

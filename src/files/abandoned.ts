import { readdir, rm, stat } from "node:fs/promises";
import path from "node:path";
import { unlessAbsent } from "./unless-absent.ts";

/** Removes what is in a folder and nobody's any more. */
export async function removeAbandoned(
  folder: string,
  isAbandoned: (place: string, name: string) => boolean | Promise<boolean>,
): Promise<void> {
  for (const name of await readdir(folder)) {
    const place = path.join(folder, name);
    if (await isAbandoned(place, name)) await rm(place, { recursive: true, force: true });
  }
}

/** Whether nobody has written to what is there for so long. */
export async function isUntouchedFor(place: string, seconds: number): Promise<boolean> {
  const found = await unlessAbsent(stat(place));
  return found !== null && Date.now() - found.mtimeMs > seconds * 1000;
}

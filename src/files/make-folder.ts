import { mkdir } from "node:fs/promises";

/**
 * Creates a folder unless it exists. The folder that it is in must exist: if the data folder has vanished, because its
 * disk is gone, nothing may be written in its place.
 */
export async function makeFolder(folder: string): Promise<void> {
  try {
    await mkdir(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
}

import { pathToFileURL } from "node:url";

/**
 * The address at which SQLite opens an existing file. Given a path, it would create an empty database where the file
 * has vanished.
 */
export function existingFile(file: string): URL {
  return new URL(`${pathToFileURL(file).href}?mode=rw`);
}

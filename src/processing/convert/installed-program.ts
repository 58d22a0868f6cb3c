import { constants } from "node:fs";
import { access } from "node:fs/promises";

/**
 * The path of an installed program, or null.
 *
 * @param setting a path, `auto` to search the usual paths, or `off`
 */
export async function findProgram(setting: string, usualPaths: readonly string[]): Promise<string | null> {
  if (setting === "off") return null;
  for (const path of setting === "auto" ? usualPaths : [setting]) {
    const isThere = await access(path, constants.X_OK).then(
      () => true,
      () => false,
    );
    if (isThere) return path;
  }
  return null;
}

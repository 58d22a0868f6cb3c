import { constants } from "node:fs";
import { access } from "node:fs/promises";

/**
 * Where a program is, if it is there.
 *
 * @param given a path; `auto` looks in the usual places; `off` does without
 */
export async function findProgram(given: string, usualPlaces: readonly string[]): Promise<string | null> {
  if (given === "off") return null;
  for (const place of given === "auto" ? usualPlaces : [given]) {
    const isThere = await access(place, constants.X_OK).then(
      () => true,
      () => false,
    );
    if (isThere) return place;
  }
  return null;
}

import type { Database, Reader } from "../database/database.ts";

const maxMoments = 10;

/**
 * Calls `work` with the contents of the database at one moment after another, until it gives a result. Null means that
 * a file of the moment was replaced or deleted meanwhile.
 */
export async function atLastingMoment<T>(
  database: Pick<Database, "atOneMoment">,
  work: (reader: Reader) => Promise<T | null>,
): Promise<T> {
  for (let attempt = 1; attempt <= maxMoments; attempt++) {
    const outcome = await database.atOneMoment(work);
    if (outcome !== null) return outcome;
  }
  throw new Error("Files were replaced or deleted all the time. Try again when the service is less busy");
}

import { readdir, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";

const ours = /^quire-(?:conversion|document|rewrite)-/;
/** No file is worked on for as long as this. */
const abandonedAfterHours = 25;

/** Removes what processes that were killed have left in the system's folder for temporary files. */
export async function removeAbandonedWork(folder = tmpdir()): Promise<void> {
  for (const name of await readdir(folder).catch(() => [])) {
    if (!ours.test(name)) continue;
    const place = path.join(folder, name);
    const changedAt = await stat(place).then(
      ({ mtimeMs }) => mtimeMs,
      () => Infinity,
    );
    if (Date.now() - changedAt < abandonedAfterHours * 3600 * 1000) continue;
    // It may be another user's, or just have been removed.
    await rm(place, { recursive: true, force: true }).catch(() => undefined);
  }
}

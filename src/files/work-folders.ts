import { readdir, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";

const workFolderName = /^quire-(?:conversion|document|rewrite)-/;
/** Longer than any work on a file takes. */
const abandonedAfterHours = 25;

/** Removes the temporary folders of killed processes. */
export async function removeAbandonedWork(folder = tmpdir()): Promise<void> {
  for (const name of await readdir(folder).catch(() => [])) {
    if (!workFolderName.test(name)) continue;
    const workFolder = path.join(folder, name);
    const changedAt = await stat(workFolder).then(
      ({ mtimeMs }) => mtimeMs,
      () => Infinity,
    );
    if (Date.now() - changedAt < abandonedAfterHours * 3600 * 1000) continue;
    // It may belong to another user or have just been removed.
    await rm(workFolder, { recursive: true, force: true }).catch(() => undefined);
  }
}

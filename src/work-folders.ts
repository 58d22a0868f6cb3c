import { mkdtemp, readdir, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";

/** What temporary folders are for. Their names say it: `quire-conversion-Ab12Cd`. */
export const workPurposes = ["conversion", "document", "rewrite", "mirror", "spool", "language"] as const;

const workFolderName = new RegExp(`^quire-(?:${workPurposes.join("|")})-`);
/** Longer than any work on a file takes. */
const abandonedAfterHours = 25;

/** Makes a temporary folder. Its caller removes it; if the process is killed, a later start of Quire does. */
export async function makeWorkFolder(
  purpose: (typeof workPurposes)[number],
  parent = tmpdir(),
): Promise<string> {
  return mkdtemp(path.join(parent, `quire-${purpose}-`));
}

/** Removes the temporary folders of killed processes. */
export async function removeAbandonedWork(parent = tmpdir()): Promise<void> {
  for (const name of await readdir(parent).catch(() => [])) {
    if (!workFolderName.test(name)) continue;
    const workFolder = path.join(parent, name);
    const changedAt = await stat(workFolder).then(
      ({ mtimeMs }) => mtimeMs,
      () => Infinity,
    );
    if (Date.now() - changedAt < abandonedAfterHours * 3600 * 1000) continue;
    // It may belong to another user or have just been removed.
    await rm(workFolder, { recursive: true, force: true }).catch(() => undefined);
  }
}

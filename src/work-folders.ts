import { mkdtemp, readdir, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";

/** What temporary folders are for. Their names say it: `quire-conversion-Ab12Cd`. */
export const workPurposes = [
  "conversion",
  "document",
  "rewrite",
  "mirror",
  "spool",
  "language",
  "addon",
  "production",
] as const;

const workFolderName = new RegExp(`^quire-(?:${workPurposes.join("|")})-`);
/** Longer than any work on a file takes. */
const abandonedAfterHours = 25;

/** A temporary folder, which is removed with its contents when it is disposed. */
export interface WorkFolder extends AsyncDisposable {
  readonly path: string;
  /** The path of a file in it. */
  file(name: string): string;
}

/** Makes a temporary folder. If the process is killed, a later start of Quire removes it. */
export async function makeWorkFolder(
  purpose: (typeof workPurposes)[number],
  parent = tmpdir(),
): Promise<WorkFolder> {
  const folder = await mkdtemp(path.join(parent, `quire-${purpose}-`));
  return {
    path: folder,
    file: (name) => path.join(folder, name),
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true, maxRetries: 3 }),
  };
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

import { mkdtemp, readdir, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { isRunning } from "./running-processes.ts";

/** What temporary folders are for. Their names say it, and which process made them: `quire-conversion-4711-Ab12Cd`. */
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

const workFolderName = new RegExp(`^quire-(?:${workPurposes.join("|")})-(?:(?<pid>\\d+)-)?`);
/**
 * Longer than any work on a file takes. The age decides where several containers share the parent folder and cannot see
 * each other's processes.
 */
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
  const folder = await mkdtemp(path.join(parent, `quire-${purpose}-${process.pid}-`));
  return {
    path: folder,
    file: (name) => path.join(folder, name),
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true, maxRetries: 3 }),
  };
}

/**
 * Removes the temporary folders of killed processes. Those of a process that runs stay, however old they look: the
 * system's clock may have been set meanwhile.
 */
export async function removeAbandonedWork(parent = tmpdir()): Promise<void> {
  for (const name of await readdir(parent).catch(() => [])) {
    const found = workFolderName.exec(name);
    if (found === null || isOfAnother(Number(found.groups?.["pid"]))) continue;
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

/** Whether another process with this id runs. In a container, an ended server often had the id of this one. */
function isOfAnother(pid: number): boolean {
  return pid !== process.pid && isRunning(pid);
}

import { randomUUID } from "node:crypto";
import { glob, rm, stat } from "node:fs/promises";
import { isRunning, machineId } from "../../running-processes.ts";

/*
 * A snapshot of a SQLite database begins with a copy beside it, as large as the database. The copy loses its name as
 * soon as it is complete and open. A process that is killed before that leaves it behind.
 */

/** A process of another machine, or in another container, cannot be seen, but it writes to its copy all the time. */
const abandonedAfterSeconds = 3600;

/** The path for a copy of a database by this process. */
export function newCopyOf(file: string): string {
  return `${file}.moment-${machineId()}-${process.pid}-${randomUUID()}`;
}

/** Removes the copies of a database that killed processes have left. */
export async function removeLeftCopies(file: string): Promise<void> {
  for await (const copy of glob(`${file}.moment-*`)) if (await isLeft(copy)) await rm(copy, { force: true });
}

async function isLeft(copy: string): Promise<boolean> {
  const [, machine, pid] = /\.moment-([\da-f]{16})-(\d+)-/.exec(copy) ?? [];
  if (machine === machineId() && !isRunning(Number(pid))) return true;
  const { mtimeMs } = await stat(copy).catch(() => ({ mtimeMs: Infinity }));
  return Date.now() - mtimeMs > abandonedAfterSeconds * 1000;
}

import { statfs } from "node:fs/promises";
import { tmpdir } from "node:os";

/**
 * Where tests keep databases and files: in memory if the machine has room there. Quire waits for the disk at every
 * commit and every file, which proves nothing here: a process that is killed loses nothing that it has written, synced
 * or not. PostgreSQL copies seven hundred files for a database, which on a disk takes ten times as long.
 */
export const storageRoot: Promise<string> = statfs("/dev/shm").then(
  ({ bavail, bsize }) => (bavail * bsize > 4 * 1024 ** 3 ? "/dev/shm" : tmpdir()),
  () => tmpdir(),
);

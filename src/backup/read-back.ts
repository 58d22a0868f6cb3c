import { randomUUID } from "node:crypto";
import { forEachConcurrently } from "../concurrently.ts";
import { WrongContentError } from "./hashes.ts";
import type { RepositoryObjects } from "./objects.ts";
import { objectFolders } from "./repository-format.ts";
import type { Repository } from "./repository.ts";

/*
 * Disks and stores lose and change content without a word. So each backup reads a share of the older objects back. A
 * share is some of the 256 folders into which the first two digits of the names of objects divide them, those first
 * that were read back the longest time ago.
 */

/** When each folder was last read back. */
interface Checks {
  read_at: Record<string, string>;
}

/** Objects whose content was found to be wrong. */
interface DamageReport {
  objects: string[];
}

export interface ReadBack {
  /** The number of objects. */
  read: number;
  damaged: readonly string[];
  /** All objects that are older than this moment have been read back since; null if some never were. */
  allSince: string | null;
}

const checksKey = "checks.json";
const damageFolder = "damage";
const objectsAtOnce = 8;
const shares = Array.from({ length: 256 }, (_, index) => index.toString(16).padStart(2, "0"));

/** Reads back this part of all objects, in percent, and notes those whose content is wrong. */
export async function readBack(
  repository: Repository,
  objects: RepositoryObjects,
  { percent, signal, progress }: { percent: number; signal: AbortSignal; progress: (done: number) => void },
): Promise<ReadBack> {
  const readAt = (await jsonIfReadable<Checks>(repository, checksKey))?.read_at ?? {};
  const oldestFirst = shares.toSorted((one, other) =>
    (readAt[one] ?? "") < (readAt[other] ?? "") ? -1 : (readAt[one] ?? "") > (readAt[other] ?? "") ? 1 : 0,
  );
  const found: ReadBack = { read: 0, damaged: [], allSince: null };
  const damaged: string[] = [];
  for (const share of oldestFirst.slice(0, Math.ceil((shares.length * percent) / 100))) {
    const at = new Date().toISOString();
    for (const folder of objectFolders) {
      await forEachConcurrently(objects.below(`${folder}/${share}`), objectsAtOnce, async ({ key }) => {
        signal.throwIfAborted();
        if ((await repository.sizeIfRight(key)) === null) damaged.push(key);
        progress((found.read += 1));
      });
    }
    readAt[share] = at;
  }
  if (damaged.length > 0) await noteDamage(repository, damaged);
  await repository.putJson(checksKey, { read_at: readAt } satisfies Checks);
  const times = shares.map((share) => readAt[share] ?? null);
  const isAll = times.every((time) => time !== null);
  return { ...found, damaged, allSince: isAll ? (times.toSorted()[0] ?? null) : null };
}

/** Notes that the content of these objects is wrong, so that the next backup stores them again. */
export async function noteDamage(repository: Repository, keys: readonly string[]): Promise<void> {
  await repository.putJson(`${damageFolder}/${randomUUID()}.json`, {
    objects: [...keys],
  } satisfies DamageReport);
}

/** The objects that are noted as damaged, and the notes. */
export async function findDamage(
  repository: Repository,
): Promise<{ objects: ReadonlySet<string>; notes: readonly string[] }> {
  const objects = new Set<string>();
  const notes: string[] = [];
  const end = repository.codec.suffix;
  for await (const file of repository.store.names(damageFolder)) {
    if (!file.endsWith(`.json${end}`)) continue;
    const note = `${damageFolder}/${file.slice(0, file.length - end.length)}`;
    notes.push(note);
    const report = await jsonIfReadable<DamageReport>(repository, note);
    for (const key of report?.objects ?? []) objects.add(key);
  }
  return { objects, notes };
}

/** Replaces notes of damage by one with the objects that are still damaged. */
export async function replaceNotes(
  repository: Repository,
  notes: readonly string[],
  damaged: readonly string[],
): Promise<void> {
  if (damaged.length > 0) await noteDamage(repository, damaged);
  for (const note of notes) await repository.deleteJson(note);
}

/** Null if there is no such file, or if it cannot be read. */
async function jsonIfReadable<T>(repository: Repository, key: string): Promise<T | null> {
  try {
    return await repository.json<T>(key);
  } catch (error) {
    if (error instanceof WrongContentError) return null;
    throw error;
  }
}

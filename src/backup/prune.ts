import type { RepositoryLock } from "./locks.ts";
import type { RepositoryObjects } from "./objects.ts";
import { objectFolders } from "./repository-format.ts";
import type { Repository } from "./repository.ts";
import { type RetentionPolicy, keptBackups } from "./retention.ts";
import { type IncompleteBackup, Survey } from "./survey.ts";

/**
 * Younger objects are never removed, even if no backup needs them: they may belong to a run that does not know of
 * locks, or that has lost its lock without noticing it.
 */
export const youngHours = 24;

export interface Pruning {
  /** The backups that remain and lack objects. */
  incomplete: readonly IncompleteBackup[];
  /** The names of the backups that were removed. */
  removed: readonly string[];
  /** Why nothing, or less than the policy says, was removed; null if all of it was. */
  postponed: string | null;
}

/**
 * Compares all backups with the objects that were listed, and removes the backups that the policy does not keep, and
 * then all content that no remaining backup needs.
 */
export async function prune(
  repository: Repository,
  objects: RepositoryObjects,
  { lock, policy, signal }: { lock: RepositoryLock; policy: RetentionPolicy | null; signal: AbortSignal },
): Promise<Pruning> {
  const names = await repository.names();
  const kept = policy === null ? new Set(names) : keptBackups(names, policy);
  const incomplete: IncompleteBackup[] = [];
  using survey = new Survey(repository, objects);
  for (const name of names.filter((candidate) => kept.has(candidate))) {
    signal.throwIfAborted();
    const fault = await survey.add(name);
    if (fault !== null) incomplete.push(fault);
  }
  const removed = names.filter((name) => !kept.has(name));
  if (policy === null) return { incomplete, removed, postponed: null };
  const reader = await lock.findReader();
  if (reader !== null) return { incomplete, removed: [], postponed: reader };
  await lock.confirm();
  // A manifest is deleted before any content of its backup.
  for (const name of removed) await repository.removeBackup(name);
  const postponed = await reasonToKeepObjects(repository, { lock, survey, kept });
  if (postponed === null) await removeUnneeded(repository, objects, { lock, survey, signal });
  return { incomplete, removed, postponed };
}

async function reasonToKeepObjects(
  repository: Repository,
  { lock, survey, kept }: { lock: RepositoryLock; survey: Survey; kept: ReadonlySet<string> },
): Promise<string | null> {
  if (!survey.knowsAll) return "a list of files of a backup cannot be read, so that its files are not known";
  const reader = await lock.findReader();
  if (reader !== null) return reader;
  const others = (await repository.names()).filter((name) => !kept.has(name));
  return others.length === 0 ? null : `backup ${others.join(", ")} was added meanwhile`;
}

async function removeUnneeded(
  repository: Repository,
  objects: RepositoryObjects,
  { lock, survey, signal }: { lock: RepositoryLock; survey: Survey; signal: AbortSignal },
): Promise<void> {
  const olderThan = (await lock.storedAt()).getTime() - youngHours * 3600 * 1000;
  for (const folder of objectFolders) {
    for (const { key, modifiedAt } of objects.below(folder)) {
      signal.throwIfAborted();
      lock.signal.throwIfAborted();
      const isObject = /\/[\da-f]{64}(?:\.|$)/.test(key);
      if (isObject && modifiedAt.getTime() < olderThan && !survey.needs(key))
        await repository.store.delete(key);
    }
  }
}

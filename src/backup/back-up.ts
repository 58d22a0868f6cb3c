import { type Service, copyService } from "./copy-service.ts";
import { WrongContentError } from "./hashes.ts";
import { KnownFiles } from "./known-files.ts";
import { type LockTimes, RepositoryLock } from "./locks.ts";
import { RepositoryObjects } from "./objects.ts";
import { type Pruning, prune } from "./prune.ts";
import { type ReadBack, findDamage, readBack, replaceNotes } from "./read-back.ts";
import type { Repository } from "./repository.ts";
import type { Manifest, RowsChunk } from "./repository-format.ts";
import type { RetentionPolicy } from "./retention.ts";
import { Survey } from "./survey.ts";

export interface BackupOptions {
  /** The version of Quire that makes the backup. */
  quire: string;
  /** Whether the rows of the database are left out. */
  isFilesOnly?: boolean;
  /** The variables of the settings that the service has. */
  settings?: readonly string[];
  /** Null keeps all backups. */
  policy?: RetentionPolicy | null;
  /** How much of the older objects is read back, in percent. */
  readBackPercent?: number;
  lockTimes?: LockTimes;
  signal: AbortSignal;
  progress: BackupProgress;
}

export interface BackupProgress {
  readBack(done: number): void;
  files(done: number, total: number): void;
  rows(done: number, total: number): void;
}

export interface BackupOutcome {
  name: string;
  manifest: Manifest;
  /** The number of files that this backup added to the repository; `newBytes` includes the rows. */
  newFiles: number;
  newBytes: number;
  /** Sentences about files that are missing or damaged in the service itself. */
  faults: readonly string[];
  readBack: ReadBack;
  /** The number of damaged objects that were stored again. */
  repaired: number;
  pruning: Pruning;
}

/** Objects of a backup have vanished from the repository before the backup was finished. */
export class ObjectsVanishedError extends Error {
  override readonly name = "ObjectsVanishedError";

  constructor(missing: number) {
    super(
      `${missing} of the backup's objects are not in the repository, although they were stored or listed there. ` +
        "The backup is not finished: run it again, and look for another program that removes files there",
    );
  }
}

/**
 * Adds a backup of the service to a repository, and removes the backups that the policy does not keep. The service may
 * run meanwhile.
 *
 * @throws {LockedError} if another run writes to the repository.
 * @throws {LostLockError}
 * @throws {ObjectsVanishedError}
 */
export async function backUp(
  service: Service,
  repository: Repository,
  { policy = null, readBackPercent = 0, lockTimes, ...options }: BackupOptions,
): Promise<BackupOutcome> {
  const { progress } = options;
  await using lock = await RepositoryLock.acquire(repository.store, {
    kind: "write",
    command: "quire backup",
    ...(lockTimes !== undefined && { times: lockTimes }),
  });
  const signal = AbortSignal.any([options.signal, lock.signal]);
  await repository.begin();
  using objects = await RepositoryObjects.list(repository, signal);
  const readBackOptions = { percent: readBackPercent, signal, progress: progress.readBack.bind(progress) };
  const checked = await readBack(repository, objects, readBackOptions);
  const damage = await findDamage(repository);
  for (const key of damage.objects) objects.forget(key);
  const { known, save } = await resume(repository, objects);
  const added = await copyService(
    service,
    { objects, known },
    { ...options, signal, onCopied: save },
    async (manifest, faults) => {
      const complete = { ...manifest, settings: [...(options.settings ?? [])] };
      using present = await presentObjects(repository, signal, damage.objects, objects);
      await expectAll(repository, present, complete);
      await lock.confirm();
      return { name: await repository.finish(complete), manifest: complete, faults };
    },
  );
  using present = await presentObjects(repository, signal, damage.objects, objects);
  const pruning = await prune(repository, present, { lock, policy, signal });
  const damaged = [...damage.objects].filter((key) => !objects.hasKey(key));
  await replaceNotes(repository, damage.notes, damaged);
  return {
    ...added,
    newFiles: objects.newFiles,
    newBytes: objects.newBytes,
    readBack: checked,
    repaired: damage.objects.size - damaged.length,
    pruning,
  };
}

/** The files that the last backup and an unfinished one have copied, and a function that notes further ones. */
async function resume(
  repository: Repository,
  objects: RepositoryObjects,
): Promise<{ known: KnownFiles; save: (chunks: readonly RowsChunk[]) => Promise<void> }> {
  const known = new KnownFiles(repository);
  const last = await lastManifest(repository);
  if (last !== null) {
    for (const { chunks } of [...Object.values(last.tables), last.files]) objects.expect(chunks);
    await known.add(last.files.chunks);
  }
  const unfinished = await unlessWrong(repository.findUnfinished());
  const saved = [...(unfinished?.files ?? [])];
  objects.expect(saved);
  await known.add(saved);
  const began_at = new Date().toISOString();
  await repository.saveUnfinished({ began_at, files: saved });
  const save = async (chunks: readonly RowsChunk[]): Promise<void> => {
    saved.push(...chunks);
    await repository.saveUnfinished({ began_at, files: saved });
  };
  return { known, save };
}

/** The newest manifest that can be read; null if no manifest can. */
async function lastManifest(repository: Repository): Promise<Manifest | null> {
  for (const name of (await repository.names()).toReversed()) {
    const manifest = await unlessWrong(repository.manifest(name));
    if (manifest !== null) return manifest;
  }
  return null;
}

/** The objects as they are now, without those whose content is known to be wrong. */
async function presentObjects(
  repository: Repository,
  signal: AbortSignal,
  damaged: ReadonlySet<string>,
  stored: RepositoryObjects,
): Promise<RepositoryObjects> {
  const present = await RepositoryObjects.list(repository, signal);
  for (const key of damaged) if (!stored.hasKey(key)) present.forget(key);
  return present;
}

/** @throws {ObjectsVanishedError} */
async function expectAll(
  repository: Repository,
  present: RepositoryObjects,
  manifest: Manifest,
): Promise<void> {
  using survey = new Survey(repository, present);
  const incomplete = await survey.addManifest("", manifest);
  if (incomplete !== null) throw new ObjectsVanishedError(Math.max(1, incomplete.missing));
}

async function unlessWrong<T>(outcome: Promise<T>): Promise<T | null> {
  try {
    return await outcome;
  } catch (error) {
    if (error instanceof WrongContentError) return null;
    throw error;
  }
}

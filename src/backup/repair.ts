import { type CopyServiceOptions, type Service, copyService } from "./copy-service.ts";
import { KnownFiles } from "./known-files.ts";
import { RepositoryObjects } from "./objects.ts";
import { findDamage, replaceNotes } from "./read-back.ts";
import type { Repository } from "./repository.ts";
import type { Manifest } from "./repository-format.ts";

/**
 * Stores damaged and missing objects of a backup again, as far as the service still has their content, and nothing
 * else. Returns the keys of those that it no longer has. The caller must hold a lock for writing.
 */
export async function repair(
  service: Service,
  repository: Repository,
  manifest: Manifest,
  damaged: ReadonlySet<string>,
  options: CopyServiceOptions,
): Promise<string[]> {
  if (damaged.size === 0) return [];
  const earlier = await findDamage(repository);
  using objects = await RepositoryObjects.list(repository, options.signal);
  for (const { chunks } of [...Object.values(manifest.tables), manifest.files]) objects.expect(chunks);
  for (const key of [...damaged, ...earlier.objects]) objects.forget(key);
  objects.wantOnly(damaged);
  const known = new KnownFiles(repository);
  await known.add(manifest.files.chunks);
  await copyService(service, { objects, known }, options, () => Promise.resolve());
  const left = [...new Set([...damaged, ...earlier.objects])].filter((key) => !objects.hasKey(key));
  await replaceNotes(repository, earlier.notes, left);
  return left.filter((key) => damaged.has(key));
}

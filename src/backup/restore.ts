import { refuseUnknownMigrations } from "../database/migrate.ts";
import type { CopiedRow } from "../database/transfer/snapshot.ts";
import { forEachConcurrently } from "../concurrently.ts";
import { type CopyTarget, type FillProgress, ServiceCopy, hasFile } from "./service-copy.ts";
import type { FileStore } from "../files/file-store.ts";
import { WrongContentError, checked } from "./hashes.ts";
import type { CopiedFile } from "./named-files.ts";
import type { Repository } from "./repository.ts";
import type { Manifest } from "./repository-format.ts";
import { filesIn } from "./survey.ts";
import { faultOf } from "./verify.ts";

export interface RestoreOptions {
  signal: AbortSignal;
  progress: FillProgress & { files(done: number, total: number): void };
  /** Called with a sentence for everything that the backup should have and that cannot be restored. */
  onFault: (fault: string) => void;
}

/** The backup has no database. */
export class FilesOnlyError extends Error {
  override readonly name = "FilesOnlyError";

  constructor(name: string) {
    super(
      `Backup ${name} has files alone. Restore the database by its own tools, then the files with --files-only`,
    );
  }
}

const filesAtOnce = 8;

/** The name and the manifest of the named backup, or of the newest one. */
export async function findBackup(
  repository: Repository,
  name: string | null,
): Promise<{ name: string; manifest: Manifest }> {
  const names = await repository.names();
  const chosen = name ?? names.at(-1);
  if (chosen === undefined) {
    const hasBegun = (await repository.findUnfinished()) !== null;
    throw new Error(hasBegun ? "The only backup there has not finished" : "There is no backup there");
  }
  if (!names.includes(chosen)) {
    throw new Error(`There is no backup ${chosen} there. The newest ones are ${names.slice(-5).join(", ")}`);
  }
  return { name: chosen, manifest: await repository.manifest(chosen) };
}

/**
 * Restores a backup to an empty database and store. Files and rows that are missing or damaged in the backup are left
 * out, and so are rows that belong to those.
 *
 * @throws {NotEmptyError}
 * @throws {NewerDatabaseError}
 * @throws {OlderDatabaseError}
 * @throws {FilesOnlyError}
 */
export async function restore(
  from: Repository,
  { name, manifest }: { name: string; manifest: Manifest },
  to: CopyTarget,
  { signal, progress, onFault }: RestoreOptions,
): Promise<void> {
  if (manifest.isFilesOnly === true) throw new FilesOnlyError(name);
  refuseUnknownMigrations(manifest.migrations);
  await using copied = await ServiceCopy.open(to, `quire restore --backup ${name}`);
  await eachFile(from, manifest, { signal, progress, onFault }, (file) =>
    copied.putFile(file, () => from.file(file.sha256, file.size)),
  );
  const { secret } = manifest;
  if (secret !== null) {
    const fault = await faultOf(async () => copied.putSecret(await from.file(secret, maxSecretBytes)));
    if (fault !== null) onFault(`the secret: ${fault}. Everybody has to sign in again`);
  }
  await completeFrom(from, manifest, copied, { signal, progress, onFault });
}

/**
 * Restores the files of a backup to a store, beside a database that was restored by its engine's own means. Files that
 * the store has already are kept if their content is the same.
 */
export function restoreFiles(
  from: Repository,
  manifest: Manifest,
  store: FileStore,
  options: FilesOptions,
): Promise<void> {
  return eachFile(from, manifest, options, async (file) => {
    if (await hasFile(store, file)) return;
    const bytes = await from.file(file.sha256, file.size);
    await store.put(file.key, checked(bytes, { sha256: file.sha256, name: file.key }));
  });
}

type FilesOptions = Pick<RestoreOptions, "signal" | "onFault"> & {
  progress: Pick<RestoreOptions["progress"], "files">;
};

async function eachFile(
  from: Repository,
  { files: { rows, chunks } }: Manifest,
  { signal, progress, onFault }: FilesOptions,
  put: (file: CopiedFile) => Promise<void>,
): Promise<void> {
  let done = 0;
  const restoreFile = async (file: CopiedFile): Promise<void> => {
    signal.throwIfAborted();
    const fault = await faultOf(() => put(file));
    if (fault !== null) onFault(`${file.key}: ${fault}`);
    progress.files((done += 1), rows);
  };
  for (const chunk of chunks) {
    const fault = await faultOf(() => forEachConcurrently(filesIn(from, [chunk]), filesAtOnce, restoreFile));
    if (fault !== null) onFault(`the list of files: ${fault}, so that ${chunk.rows} files are not known`);
  }
}

const maxSecretBytes = 64 * 1024;

async function completeFrom(
  from: Repository,
  { migrations, lastIds, tables }: Manifest,
  copied: ServiceCopy,
  { signal, progress, onFault }: RestoreOptions,
): Promise<void> {
  const incomplete = new Set<string>();
  const rows = async function* rows({ name: table }: { name: string }): AsyncGenerator<CopiedRow[]> {
    for (const chunk of tables[table]?.chunks ?? []) {
      signal.throwIfAborted();
      try {
        yield await from.rows(chunk);
      } catch (error) {
        if (!(error instanceof WrongContentError)) throw error;
        incomplete.add(table);
        onFault(`table ${table}: ${error.message}, so that ${chunk.rows} rows are lost`);
      }
    }
  };
  const total = Object.values(tables).reduce((sum, table) => sum + table.rows, 0);
  await copied.complete(
    {
      facts: { migrations, lastIds },
      rows,
      lacksRows: (table) => incomplete.has(table),
      onOrphans: (table, count) =>
        onFault(`table ${table}: ${count} rows are left out, because they belong to rows that are lost`),
    },
    total,
    { signal, progress },
  );
}

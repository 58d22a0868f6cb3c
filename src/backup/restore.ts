import { refuseUnknownMigrations } from "../database/migrate.ts";
import type { CopiedRow } from "../database/transfer/snapshot.ts";
import { copiedTables } from "../database/transfer/tables.ts";
import { filesIn } from "./back-up.ts";
import type { BackedUpTable, BackupPlace, Manifest } from "./backup-place.ts";
import { forEachConcurrently } from "./concurrently.ts";
import { type EmptyPlace, type FillProgress, FilledPlace } from "./fill-place.ts";
import { WrongContentError, hashesOf } from "./hashes.ts";

export interface RestoreOptions {
  signal: AbortSignal;
  progress: FillProgress & { files(done: number, total: number): void };
}

const filesAtOnce = 8;

/** The name and the manifest of the named backup, or of the newest one. */
export async function findBackup(
  place: BackupPlace,
  name: string | null,
): Promise<{ name: string; manifest: Manifest }> {
  const names = await place.names();
  const chosen = name ?? names.at(-1);
  if (chosen === undefined) {
    const hasBegun = (await place.findUnfinished()) !== null;
    throw new Error(hasBegun ? "The only backup there has not finished" : "There is no backup there");
  }
  if (!names.includes(chosen)) {
    throw new Error(`There is no backup ${chosen} there. The newest ones are ${names.slice(-5).join(", ")}`);
  }
  return { name: chosen, manifest: await place.manifest(chosen) };
}

/**
 * Restores a backup to an empty place.
 *
 * @throws {NotEmptyError}
 * @throws {NewerDatabaseError}
 * @throws {WrongContentError} if the backup is damaged.
 */
export async function restore(
  from: BackupPlace,
  { name, manifest }: { name: string; manifest: Manifest },
  to: EmptyPlace,
  { signal, progress }: RestoreOptions,
): Promise<void> {
  refuseUnknownMigrations(manifest.migrations);
  await using place = await FilledPlace.open(to, `quire restore --backup ${name}`);
  let done = 0;
  await forEachConcurrently(filesIn(from, manifest.files.chunks), filesAtOnce, async (file) => {
    signal.throwIfAborted();
    await place.putFile(file, () => from.file(file.sha256));
    progress.files((done += 1), manifest.files.rows);
  });
  if (manifest.secret !== null) await place.putSecret(await from.file(manifest.secret));
  const { migrations, lastIds, tables } = manifest;
  const total = Object.values(tables).reduce((sum, { rows }) => sum + rows, 0);
  await place.complete(
    {
      facts: { migrations, lastIds },
      async *rows({ name: table }) {
        for await (const rows of rowsIn(from, tables[table])) {
          signal.throwIfAborted();
          yield rows;
        }
      },
    },
    total,
    progress,
  );
}

async function* rowsIn(
  place: BackupPlace,
  { chunks }: Pick<BackedUpTable, "chunks"> = { chunks: [] },
): AsyncGenerator<CopiedRow[]> {
  for (const chunk of chunks) yield place.rows(chunk);
}

/** Reads a whole backup and compares it with its hashes and counts. Yields a sentence for each difference. */
export async function* verify(
  place: BackupPlace,
  manifest: Manifest,
  { signal, progress }: { signal: AbortSignal; progress: RestoreOptions["progress"] },
): AsyncGenerator<string> {
  const total = Object.values(manifest.tables).reduce((sum, { rows }) => sum + rows, 0);
  let rowsRead = 0;
  for (const [name, table] of Object.entries(manifest.tables)) {
    if (!copiedTables.some((copied) => copied.name === name)) yield `this Quire has no table ${name}`;
    let inTable = 0;
    for (const chunk of table.chunks) {
      signal.throwIfAborted();
      const fault = await faultOf(async () => {
        const { length } = await place.rows(chunk);
        inTable += length;
        rowsRead += length;
      });
      progress.rows(rowsRead, total);
      if (fault !== null) yield `table ${name}: ${fault}`;
    }
    if (inTable !== table.rows) yield `table ${name}: ${inTable} of ${table.rows} rows can be read`;
  }
  const faults: string[] = [];
  let [files, bytes] = [0, 0];
  const listFault = await faultOf(() =>
    forEachConcurrently(filesIn(place, manifest.files.chunks), filesAtOnce, async (file) => {
      signal.throwIfAborted();
      const fault = await faultOf(async () => {
        const { size } = await hashesOf(await place.file(file.sha256));
        bytes += size;
      });
      if (fault !== null) faults.push(`${file.key}: ${fault}`);
      progress.files((files += 1), manifest.files.rows);
    }),
  );
  if (listFault !== null) yield `the list of files: ${listFault}`;
  yield* faults;
  if (faults.length === 0 && (files !== manifest.files.rows || bytes !== manifest.files.bytes)) {
    yield `${files} files of ${bytes} bytes can be read, not ${manifest.files.rows} of ${manifest.files.bytes}`;
  }
  const { secret } = manifest;
  if (secret === null) return;
  const fault = await faultOf(async () => void (await hashesOf(await place.file(secret))));
  if (fault !== null) yield `the secret: ${fault}`;
}

/** The message of a WrongContentError; null if none was thrown. */
async function faultOf(read: () => Promise<void>): Promise<string | null> {
  try {
    await read();
    return null;
  } catch (error) {
    if (error instanceof WrongContentError) return error.message;
    throw error;
  }
}

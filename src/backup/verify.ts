import { copiedTables } from "../database/transfer/tables.ts";
import { forEachConcurrently } from "../concurrently.ts";
import { WrongContentError, hashesOf } from "./hashes.ts";
import type { Repository } from "./repository.ts";
import type { Manifest, ObjectFolder } from "./repository-format.ts";
import { filesIn } from "./survey.ts";

export interface VerifyProgress {
  files(done: number, total: number): void;
  rows(done: number, total: number): void;
}

/** A difference between a backup and its manifest. */
export interface Difference {
  /** A sentence. */
  text: string;
  /** The key of the object that is missing or damaged; null if the difference is of another kind. */
  object: string | null;
}

const filesAtOnce = 8;

/** Reads a whole backup and compares it with its hashes and counts. */
export async function* verify(
  repository: Repository,
  manifest: Manifest,
  { signal, progress }: { signal: AbortSignal; progress: VerifyProgress },
): AsyncGenerator<Difference> {
  const keyOf = (folder: ObjectFolder, sha256: string): string => repository.objectKey(folder, sha256);
  const total = Object.values(manifest.tables).reduce((sum, { rows }) => sum + rows, 0);
  let rowsRead = 0;
  for (const [name, table] of Object.entries(manifest.tables)) {
    if (!copiedTables.some((copied) => copied.name === name))
      yield differs(`this Quire has no table ${name}`);
    let inTable = 0;
    for (const chunk of table.chunks) {
      signal.throwIfAborted();
      const fault = await faultOf(async () => {
        const { length } = await repository.rows(chunk);
        inTable += length;
        rowsRead += length;
      });
      progress.rows(rowsRead, total);
      if (fault !== null) yield differs(`table ${name}: ${fault}`, keyOf("rows", chunk.sha256));
    }
    if (inTable !== table.rows) yield differs(`table ${name}: ${inTable} of ${table.rows} rows can be read`);
  }
  const found: Difference[] = [];
  let [files, bytes] = [0, 0];
  for (const chunk of manifest.files.chunks) {
    const listFault = await faultOf(() =>
      forEachConcurrently(filesIn(repository, [chunk]), filesAtOnce, async (file) => {
        signal.throwIfAborted();
        const fault = await faultOf(async () => {
          const { size } = await hashesOf(await repository.file(file.sha256));
          bytes += size;
        });
        if (fault !== null) found.push(differs(`${file.key}: ${fault}`, keyOf("files", file.sha256)));
        progress.files((files += 1), manifest.files.rows);
      }),
    );
    if (listFault !== null) yield differs(`the list of files: ${listFault}`, keyOf("rows", chunk.sha256));
    yield* found.splice(0);
  }
  if (files !== manifest.files.rows || bytes !== manifest.files.bytes) {
    yield differs(
      `${files} files of ${bytes} bytes can be read, not ${manifest.files.rows} of ${manifest.files.bytes}`,
    );
  }
  const { secret } = manifest;
  if (secret === null) return;
  const fault = await faultOf(async () => void (await hashesOf(await repository.file(secret))));
  if (fault !== null) yield differs(`the secret: ${fault}`, keyOf("files", secret));
}

const differs = (text: string, object: string | null = null): Difference => ({ text, object });

/** The message of a WrongContentError; null if none was thrown. */
export async function faultOf(read: () => Promise<void>): Promise<string | null> {
  try {
    await read();
    return null;
  } catch (error) {
    if (error instanceof WrongContentError) return error.message;
    throw error;
  }
}

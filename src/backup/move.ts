import path from "node:path";
import type { Context } from "../context.ts";
import type { Reader } from "../database/database.ts";
import type { RowSource } from "../database/transfer/fill.ts";
import { countRows, findSchemaFacts, rowsOf } from "../database/transfer/snapshot.ts";
import { copiedTables } from "../database/transfer/tables.ts";
import { bytesOfFile } from "../files/file-bytes.ts";
import { type CopyTarget, type FillProgress, ServiceCopy } from "./service-copy.ts";
import { readHashed } from "./hashes.ts";
import { type CopiedFile, type FileTarget, atOneMoment } from "./named-files.ts";

export interface MoveOptions {
  signal: AbortSignal;
  progress: FillProgress & { files(done: number, total: number): void };
}

export interface MoveOutcome {
  rows: number;
  /** Null if the files stayed where they are. */
  files: { count: number; bytes: number } | null;
  /** Sentences about files that are missing or damaged in the service that is copied. */
  faults: readonly string[];
}

/**
 * Copies the service, as it is at one moment, to an empty database and store. The service itself does not change, and
 * may run meanwhile.
 *
 * @throws {NotEmptyError}
 */
export async function move(
  context: Pick<Context, "config" | "database" | "files">,
  to: CopyTarget,
  { signal, progress }: MoveOptions,
): Promise<MoveOutcome> {
  await using copied = await ServiceCopy.open(to, "quire move");
  const { data, secrets } = context.config;
  if (secrets === null) await copied.putSecret(bytesOfFile(path.join(data, "secret"), signal));
  const fill = (reader: Reader): Promise<number> => fillFrom(reader, copied, { signal, progress });
  if (to.files === null) {
    return { rows: await context.database.atOneMoment(fill), files: null, faults: [] };
  }
  const target = new MovedFiles(context, copied, signal);
  const options = { signal, progress: (done: number, total: number) => progress.files(done, total) };
  return await atOneMoment(context, target, options, async ({ reader, files, faults }) => {
    const { count, bytes } = files;
    // A file that was copied before this moment may belong to a document that is gone.
    if (copied.isResumed || target.copies !== count) await copied.removeOtherFiles(reader);
    return { rows: await fill(reader), files: { count, bytes }, faults };
  });
}

/** Returns the number of rows. */
async function fillFrom(
  reader: Reader,
  copied: ServiceCopy,
  { signal, progress }: MoveOptions,
): Promise<number> {
  let total = 0;
  for (const table of copiedTables) total += await countRows(reader, table);
  const source: RowSource = {
    facts: await findSchemaFacts(reader, copiedTables),
    async *rows(table) {
      for await (const batch of rowsOf(reader, table)) {
        signal.throwIfAborted();
        yield batch;
      }
    },
  };
  await copied.complete(source, total, { signal, progress });
  return total;
}

class MovedFiles implements FileTarget {
  readonly #context: Pick<Context, "files">;
  readonly #copied: ServiceCopy;
  readonly #signal: AbortSignal;
  /** Counts a file again if it is copied again. */
  copies = 0;

  constructor(context: Pick<Context, "files">, copied: ServiceCopy, signal: AbortSignal) {
    this.#context = context;
    this.#copied = copied;
    this.#signal = signal;
  }

  async copy(key: string): Promise<CopiedFile | null> {
    await using borrowed = await this.#context.files.borrow(key);
    if (borrowed === null) return null;
    const { bytes, ...hashes } = await readHashed(borrowed.path, this.#signal);
    const file = { key, version: borrowed.version, ...hashes };
    this.copies += 1;
    await this.#copied.putFile(file, bytes);
    return file;
  }
}

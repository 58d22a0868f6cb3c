import { stat } from "node:fs/promises";
import path from "node:path";
import { Readable } from "node:stream";
import type { Context } from "../context.ts";
import { timestampNow } from "../http/text/timestamp.ts";
import type { FileImport } from "./import-files.ts";
import type { ImportReport } from "./report.ts";
import { type Source, findSources } from "./sources.ts";

type File = Extract<Source, { kind: "file" }>;

/**
 * Takes in the files of a folder that have stopped growing: those that are as they were at the last look. What became
 * of a file is kept in the database, so that it is taken in once, also when Quire is restarted or the document is
 * deleted. A file that has changed since is taken in again. After a crash between both, the document is known by the
 * bytes of its file.
 */
export class FolderWatch {
  readonly #context: Pick<Context, "database">;
  readonly #files: FileImport;
  readonly #report: ImportReport;
  readonly #folder: string;
  readonly #language: string | null;
  /** The files that were there at the last look and are not taken in, with their state. */
  #waiting = new Map<string, string>();
  /** The files that were there at the last look and are known to be done, with their state. */
  #done = new Map<string, string>();

  constructor(
    context: Pick<Context, "database">,
    folder: string,
    { files, report, language }: { files: FileImport; report: ImportReport; language: string | null },
  ) {
    this.#context = context;
    this.#files = files;
    this.#report = report;
    this.#folder = path.resolve(folder);
    this.#language = language;
  }

  /** Looks once. Returns how many files it has taken in or given up. */
  async look(signal: AbortSignal): Promise<number> {
    const { sources } = await findSources([this.#folder], Readable.from([]));
    const waiting = new Map<string, string>();
    const done = new Map<string, string>();
    let taken = 0;
    for (const source of sources) {
      signal.throwIfAborted();
      if (source.kind !== "file") continue;
      const state = await stateOf(source.path);
      if (state === null) continue;
      if (await this.#isDone(source.path, state)) done.set(source.path, state.text);
      else if (this.#waiting.get(source.path) === state.text) {
        await this.#take(source, state);
        done.set(source.path, state.text);
        taken += 1;
      } else waiting.set(source.path, state.text);
    }
    this.#waiting = waiting;
    this.#done = done;
    return taken;
  }

  async #take(file: File, { size, changedAt }: FileState): Promise<void> {
    const failedBefore = this.#report.failed;
    await this.#files.run(file, this.#language);
    const outcome = this.#report.failed > failedBefore ? "failed" : "taken";
    const row = { size, changed_at: changedAt, outcome, seen_at: timestampNow() };
    await this.#context.database.write((writer) =>
      writer
        .insertInto("watched_files")
        .values({ path: file.path, ...row })
        .onConflict((conflict) => conflict.column("path").doUpdateSet(row))
        .execute(),
    );
  }

  async #isDone(file: string, { size, changedAt, text }: FileState): Promise<boolean> {
    if (this.#done.get(file) === text) return true;
    const found = await this.#context.database.reader
      .selectFrom("watched_files")
      .select("outcome")
      .where("path", "=", file)
      .where("size", "=", size)
      .where("changed_at", "=", changedAt)
      .executeTakeFirst();
    return found !== undefined;
  }
}

interface FileState {
  size: number;
  changedAt: string;
  text: string;
}

/** Null if the file is gone, or empty so far. */
async function stateOf(file: string): Promise<FileState | null> {
  const found = await stat(file).catch(() => null);
  if (found === null || found.size === 0) return null;
  const changedAt = found.mtime.toISOString();
  return { size: found.size, changedAt, text: `${found.size} ${changedAt}` };
}

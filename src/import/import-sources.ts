import type { Context } from "../context.ts";
import { addMissingStatistics } from "../database/statistics.ts";
import type { ImportsTable } from "../database/tables.ts";
import { reasonOf } from "../errors.ts";
import { keepRecordsStored } from "../resources/documents/record-store.ts";
import { FileImport } from "./import-files.ts";
import { ImportRun } from "./import-run.ts";
import { RecordImport } from "./import-records.ts";
import { type Owner, type OwnerChoice, findOwner } from "./owner.ts";
import { type Patience, OtherServerError, realPatience } from "./polite-fetch.ts";
import { importRemoteList } from "./remote-list.ts";
import type { ImportReport } from "./report.ts";
import type { Source } from "./sources.ts";
import { readSource } from "./source-reader.ts";
import { WalkStates } from "./walk-state.ts";

export interface ImportOptions {
  owner: OwnerChoice;
  /** The files, folders and addresses on the command line. */
  named: readonly string[];
  /** The language of documents imported from files, new or known. Null if none was given. */
  access: string | null;
  language: string | null;
  /** The address of this server's own files. */
  ownAssets: string;
  userAgent: string;
  signal: AbortSignal;
  report: ImportReport;
  patience?: Patience;
}

/**
 * Imports one source after the other. An error in one is reported, and the import continues with the next. Returns the
 * id of the import.
 */
export async function importSources(
  context: Pick<Context, "config" | "database" | "files">,
  sources: readonly Source[],
  options: ImportOptions,
): Promise<number> {
  const { ownAssets, report, signal, userAgent, patience = realPatience } = options;
  keepRecordsStored(context.database);
  let found: Promise<Owner> | null = null;
  const owner = (): Promise<Owner> => (found ??= findOwner(context.database, options.owner));
  // An invalid owner is reported before anything is imported. Records may name their own owners.
  const isChosen = Object.values(options.owner).some((choice) => choice !== null);
  const isOwned = isChosen || sources.some(({ kind }) => kind === "file");
  await using run = await ImportRun.begin(context.database, {
    kind: kindOf(sources),
    sources: options.named,
    user: isOwned ? (await owner()).user : null,
    seen: kindOf(sources) === "files" ? sources.length + report.failed + report.skipped : null,
    report,
    signal,
  });
  const records = new RecordImport(context, { ...options, owner });
  const states = new WalkStates(context.config.data);
  const files = new FileImport(context, { ...options, owner });
  try {
    for (const source of sources) {
      signal.throwIfAborted();
      if (source.kind === "file") await files.run(source, options.language);
      else if (source.kind === "records") {
        await unlessUnreadable(source.name, options, () =>
          records.run(source.name, readSource(source.open(), { engine: context.database.engine, ownAssets })),
        );
      } else {
        const { url } = source;
        const onWait = (seconds: number, reason: string): void =>
          report.note(`${url}: ${reason}, asking again in ${Math.ceil(seconds)} s`);
        const walk = { records, report, states, signal, userAgent, patience, onWait };
        await unlessUnreadable(url, options, () => importRemoteList(url, walk));
      }
    }
    await records.finish();
    await addMissingStatistics(context.database);
    run.done();
    return run.id;
  } finally {
    await files.close();
  }
}

function kindOf(sources: readonly Source[]): ImportsTable["kind"] {
  if (sources.every(({ kind }) => kind === "file")) return "files";
  return sources.some(({ kind }) => kind === "list") ? "server" : "records";
}

/** A source that cannot be read to its end counts as a failure. An error of Quire itself ends the import. */
async function unlessUnreadable(
  name: string,
  { report, signal }: ImportOptions,
  run: () => Promise<void>,
): Promise<void> {
  try {
    await run();
  } catch (error) {
    signal.throwIfAborted();
    const isOfReading =
      error instanceof Error &&
      (("path" in error && error.path === name) || ("syscall" in error && error.syscall === "read"));
    if (!(error instanceof OtherServerError) && !isOfReading) throw error;
    report.fail(name, reasonOf(error));
  }
}

import type { Database, SlowQuery } from "../database/database.ts";
import type { FileStore } from "../files/file-store.ts";
import type { JobKind } from "../jobs/running-job.ts";
import type { Metrics } from "./metrics.ts";

/** The same store; its operations on single files are measured. */
export function measuredFiles(files: FileStore, metrics: Metrics | null): FileStore {
  if (metrics === null) return files;
  const during = <T>(operation: string, work: () => Promise<T>): Promise<T> =>
    metrics.during("file", operation, work);
  return {
    put: (...given) => during("put", () => files.put(...given)),
    stat: (...given) => during("stat", () => files.stat(...given)),
    read: (...given) => during("read", () => files.read(...given)),
    borrow: (...given) => during("borrow", () => files.borrow(...given)),
    signedAddress: (...given) => files.signedAddress(...given),
    folders: (...given) => files.folders(...given),
    names: (...given) => files.names(...given),
    list: (...given) => files.list(...given),
    listInOrder: (...given) => files.listInOrder(...given),
    changedAt: (...given) => files.changedAt(...given),
    deleteFolder: (...given) => during("delete", () => files.deleteFolder(...given)),
    delete: (...given) => during("delete", () => files.delete(...given)),
    ping: () => files.ping(),
    close: () => files.close(),
  };
}

/** The same database; its transactions and slow queries are measured. Quick reads cost less than measuring them. */
export function measuredDatabase(database: Database, metrics: Metrics | null): Database {
  if (metrics === null) return database;
  const during = <T>(operation: string, work: () => Promise<T>): Promise<T> =>
    metrics.during("database", operation, work);
  return {
    ...database,
    write: (work) => during("transaction", () => database.write(work)),
    writeStaged: (staged, work) => during("transaction", () => database.writeStaged(staged, work)),
    queryWithTimeout: <Row>(query: SlowQuery<Row>, timeLimitSeconds: number) =>
      during("slow query", () => database.queryWithTimeout(query, timeLimitSeconds)),
  };
}

/** The same kinds of jobs; each attempt is measured. */
export function measuredKinds(
  metrics: Metrics | null,
  kinds: Readonly<Record<string, JobKind>>,
): Readonly<Record<string, JobKind>> {
  if (metrics === null) return kinds;
  const measured = Object.entries(kinds).map(([name, kind]): [string, JobKind] => [
    name,
    {
      ...kind,
      async run(job, signal) {
        const started = performance.now();
        let hasFailed = true;
        try {
          await kind.run(job, signal);
          hasFailed = false;
        } finally {
          const outcome = signal.aborted ? "stopped" : hasFailed ? "failed" : "done";
          metrics.job(name, outcome, performance.now() - started);
        }
      },
    },
  ]);
  return Object.fromEntries(measured);
}

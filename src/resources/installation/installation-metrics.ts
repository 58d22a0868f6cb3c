import { statfs } from "node:fs/promises";
import packageJson from "../../../package.json" with { type: "json" };
import type { Context } from "../../context.ts";
import { type Measurement, type Measurements, buckets } from "../../metrics/metrics.ts";
import { findLastBackup } from "../administration/backup-run-store.ts";
import { findLastReceipt } from "../administration/storage-store.ts";
import { type StepCount, countSteps, findOldestDueOfKinds } from "./installation-store.ts";
import { countFailed, countQueue } from "../administration/queue-store.ts";
import { answers } from "../administration/system.ts";

type Labels = Readonly<Record<string, string>>;
type Values = readonly (readonly [Labels, number])[];

const boundsMilliseconds = buckets.work.map((seconds) => seconds * 1000);

/**
 * What is measured of the installation as a whole, whichever of its servers and workers does the work: the queue, the
 * steps of processing, the disk. Receipts say how long each step took, so it counts those that have been added since
 * it was created.
 */
export class InstallationMetrics {
  readonly #context: Pick<Context, "config" | "database" | "files">;
  readonly #steps = new Map<string, StepCount>();
  /** The newest receipt that has been counted. Null until the first look. */
  #lastReceipt: number | null = null;
  #counting: Promise<void> = Promise.resolve();

  constructor(context: Pick<Context, "config" | "database" | "files">) {
    this.#context = context;
  }

  /** What cannot be read is left out, so that the rest is seen while the database is away. */
  async measurements(): Promise<Measurements> {
    const { database, files } = this.#context;
    const [isDatabaseThere, areFilesThere] = await Promise.all([answers(database), answers(files)]);
    const read = [this.#disk(), ...(isDatabaseThere ? [this.#queue(), this.#processing()] : [])];
    const parts = await Promise.all(read.map((part) => part.catch(() => [])));
    return [
      gauge("quire_info", "The version of Quire.", [
        [{ version: packageJson.version, engine: database.engine, node: process.version }, 1],
      ]),
      gauge("quire_database_up", "Whether the database answers.", [[{}, Number(isDatabaseThere)]]),
      gauge("quire_files_up", "Whether the store of the files answers.", [[{}, Number(areFilesThere)]]),
      ...parts.flat(),
    ];
  }

  async #disk(): Promise<Measurements> {
    const disk = await statfs(this.#context.config.data);
    return [
      gauge("quire_disk_size_bytes", "The disk of the data folder.", [[{}, disk.blocks * disk.bsize]]),
      gauge("quire_disk_free_bytes", "What is free of it for Quire.", [[{}, disk.bavail * disk.bsize]]),
    ];
  }

  async #queue(): Promise<Measurements> {
    const { database } = this.#context;
    const [kinds, oldest, failed, lastBackup] = await Promise.all([
      countQueue(database),
      findOldestDueOfKinds(database),
      countFailed(database),
      findLastBackup(database.reader),
    ]);
    const states = ["running", "waiting", "retrying"] as const;
    return [
      gauge(
        "quire_jobs",
        "Jobs in the queue.",
        kinds.flatMap((count) => states.map((state) => [{ kind: count.kind, state }, count[state]] as const)),
      ),
      gauge(
        "quire_oldest_due_job_seconds",
        "How long the job has waited that has been due for the longest time.",
        oldest.map(({ kind, due_at: at }) => [{ kind }, Math.max(0, (Date.now() - Date.parse(at)) / 1000)]),
      ),
      gauge("quire_failed_documents", "Documents that could not be processed.", [[{}, failed]]),
      ...(lastBackup === null
        ? []
        : [
            gauge("quire_last_backup_timestamp_seconds", "The moment that the latest good backup has.", [
              [{}, Date.parse(lastBackup) / 1000],
            ]),
          ]),
    ];
  }

  async #processing(): Promise<Measurements> {
    // One after the other, so that no receipt is counted twice.
    const counting = this.#counting.then(() => this.#countReceipts());
    this.#counting = counting.catch(() => undefined);
    await counting;
    return [stepHistogram([...this.#steps.values()])];
  }

  async #countReceipts(): Promise<void> {
    const { database } = this.#context;
    const last = await findLastReceipt(database);
    const after = this.#lastReceipt ?? last;
    this.#lastReceipt = last;
    if (last === after) return;
    for (const added of await countSteps(database, { after, last }, boundsMilliseconds)) {
      const key = `${added.step} ${added.outcome}`;
      const known = this.#steps.get(key);
      this.#steps.set(key, known === undefined ? added : sumOf(known, added));
    }
  }
}

function sumOf(one: StepCount, other: StepCount): StepCount {
  return {
    ...one,
    count: one.count + other.count,
    milliseconds: one.milliseconds + other.milliseconds,
    within: one.within.map((count, index) => count + (other.within[index] ?? 0)),
  };
}

function gauge(name: string, help: string, values: Values): Measurement {
  return {
    name,
    help,
    type: "gauge",
    aggregator: "first",
    values: values.map(([labels, value]) => ({ labels, value })),
  };
}

function stepHistogram(counts: readonly StepCount[]): Measurement {
  const name = "quire_processing_step_duration_seconds";
  return {
    name,
    help: "Steps of processing, in all servers and workers.",
    type: "histogram",
    aggregator: "sum",
    values: counts.flatMap(({ step, outcome, count, milliseconds, within }) => {
      const labels = { step, outcome };
      const upTo: (readonly [number | string, number])[] = [
        ...buckets.work.map((bound, index) => [bound, within[index] ?? 0] as const),
        ["+Inf", count],
      ];
      return [
        ...upTo.map(([le, value]) => ({ metricName: `${name}_bucket`, labels: { le, ...labels }, value })),
        { metricName: `${name}_sum`, labels, value: milliseconds / 1000 },
        { metricName: `${name}_count`, labels, value: count },
      ];
    }),
  };
}

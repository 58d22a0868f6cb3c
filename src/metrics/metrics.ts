import type * as Library from "prom-client";
import type { Histogram, Registry } from "prom-client";

/** What a process or a thread has measured, in a form that messages can carry. */
export type Measurements = readonly Measurement[];

export interface Measurement {
  name: string;
  help: string;
  type: "counter" | "gauge" | "histogram";
  /** How the values of several processes become one. */
  aggregator: "sum" | "first" | "min" | "max" | "average" | "omit";
  values: readonly {
    labels: Readonly<Record<string, string | number>>;
    value: number;
    metricName?: string;
  }[];
}

/** The upper bounds of the five buckets of each histogram, in seconds; a sixth has everything above them. */
export const buckets = {
  request: [0.005, 0.025, 0.1, 0.5, 2.5],
  operation: [0.001, 0.01, 0.1, 1, 10],
  work: [0.1, 1, 10, 60, 600],
} as const;

/** How a response to a request came about: sent again, made from a list's plan, or made by the application. */
export type ResponseOrigin = "cache" | "plan" | "application";

interface Observer {
  observe(seconds: number): void;
}

/** The observers of one address and method, by the status of the response. */
type ByStatus = (Observer | undefined)[];

/**
 * What one process or thread measures of its own work. `docs/metrics.md` names every metric. prom-client is loaded only
 * where metrics are wanted. The observer of each combination of labels is made once, since a cached response takes less
 * time than looking one up by its labels.
 */
export class Metrics {
  readonly #registry: Registry;
  readonly #measureProcess: () => void;
  /** Makes a counter of counts that others keep, by one label. */
  readonly #countAll: (
    name: string,
    help: string,
    label: string,
    counts: Readonly<Record<string, number>>,
  ) => void;
  readonly #requests: Histogram;
  readonly #requestsByRoute = new Map<string, Map<string, ByStatus>>();
  readonly #others: Readonly<Record<"file" | "database" | "job", (a: string, b: string) => Observer>>;
  readonly #origins: Record<ResponseOrigin, number> = { cache: 0, plan: 0, application: 0 };
  #page: (() => Promise<string>) | null = null;

  static async open(): Promise<Metrics> {
    return new Metrics(await import("prom-client"));
  }

  private constructor(library: typeof Library) {
    const registry = new library.Registry();
    const registers = [registry];
    this.#registry = registry;
    this.#measureProcess = () => library.collectDefaultMetrics({ register: registry });
    this.#requests = new library.Histogram({
      name: "quire_http_request_duration_seconds",
      help: "Requests, and how long their responses took.",
      labelNames: ["method", "route", "status"],
      buckets: [...buckets.request],
      registers,
    });
    const histogram = (
      name: string,
      help: string,
      labels: readonly [string, string],
      bounds: readonly number[],
    ) =>
      boundObservers(
        new library.Histogram({ name, help, labelNames: [...labels], buckets: [...bounds], registers }),
      );
    this.#others = {
      file: histogram(
        "quire_file_operation_duration_seconds",
        "Operations of the store of the files.",
        ["operation", "outcome"],
        buckets.operation,
      ),
      database: histogram(
        "quire_database_operation_duration_seconds",
        "Transactions and slow queries of the database.",
        ["operation", "outcome"],
        buckets.operation,
      ),
      job: histogram(
        "quire_job_duration_seconds",
        "Attempts at queued jobs.",
        ["kind", "outcome"],
        buckets.work,
      ),
    };
    this.#countAll = (name, help, label, counts) => {
      const counter = new library.Counter({
        name,
        help,
        labelNames: [label],
        registers,
        collect() {
          this.reset();
          for (const [value, count] of Object.entries(counts)) counter.inc({ [label]: value }, count);
        },
      });
    };
    this.#countAll("quire_responses_total", "Responses by how they came about.", "origin", this.#origins);
  }

  /** How often the reads of requests went to standbys, by the outcome: the counts as they are when they are read. */
  countStandbyReads(counts: Readonly<Record<string, number>>): void {
    this.#countAll(
      "quire_standby_reads_total",
      "Reads of requests that a standby may answer.",
      "outcome",
      counts,
    );
  }

  /** Measures the process as a whole, too: processor time, memory, event loop. Call it in its main thread, once. */
  measureProcess(): void {
    this.#measureProcess();
  }

  /** `route` is the path with its parameters' names, so the number of routes is limited. */
  request(method: string, route: string, status: number, milliseconds: number, origin: ResponseOrigin): void {
    this.#origins[origin] += 1;
    let byMethod = this.#requestsByRoute.get(route);
    if (byMethod === undefined) this.#requestsByRoute.set(route, (byMethod = new Map()));
    let byStatus = byMethod.get(method);
    if (byStatus === undefined) byMethod.set(method, (byStatus = []));
    const observer = (byStatus[status] ??= this.#requests.labels(method, route, String(status)));
    observer.observe(milliseconds / 1000);
  }

  job(kind: string, outcome: "done" | "failed" | "stopped", milliseconds: number): void {
    this.#others.job(kind, outcome).observe(milliseconds / 1000);
  }

  /** Measures an operation of the files or of the database, and returns what it returns. */
  async during<T>(part: "file" | "database", operation: string, work: () => Promise<T>): Promise<T> {
    const started = performance.now();
    let outcome = "failed";
    try {
      const result = await work();
      outcome = "done";
      return result;
    } finally {
      this.#others[part](operation, outcome).observe((performance.now() - started) / 1000);
    }
  }

  async measurements(): Promise<Measurements> {
    return (await this.#registry.getMetricsAsJSON()) as unknown as Measurements;
  }

  /** Sets where `/metrics` gets its text: from this process alone, or from all of the server. */
  setPage(page: () => Promise<string>): void {
    this.#page = page;
  }

  /** The metrics of the whole server, as Prometheus reads them. */
  page(): Promise<string> {
    return this.#page === null ? this.measurements().then((own) => pageOf([own])) : this.#page();
  }
}

export const pageContentType = "text/plain; version=0.0.4; charset=utf-8";

/** The text of several measurements as one. */
export async function pageOf(measurements: readonly Measurements[]): Promise<string> {
  return (await aggregate(measurements)).metrics();
}

/** The counts of several measurements as one. Gauges, which say how something is now, are left out. */
export async function countsOf(measurements: readonly Measurements[]): Promise<Measurements> {
  const counts = measurements.map((one) => one.filter(({ type }) => type !== "gauge"));
  return (await (await aggregate(counts)).getMetricsAsJSON()) as unknown as Measurements;
}

async function aggregate(measurements: readonly Measurements[]): Promise<Registry> {
  const { AggregatorRegistry } = await import("prom-client");
  return AggregatorRegistry.aggregate([...measurements]);
}

function boundObservers(histogram: Histogram): (first: string, second: string) => Observer {
  const bound = new Map<string, Observer>();
  return (first, second) => {
    const key = `${first} ${second}`;
    const known = bound.get(key);
    if (known !== undefined) return known;
    const observer = histogram.labels(first, second);
    bound.set(key, observer);
    return observer;
  };
}

import { reasonOf } from "../errors.ts";
import type { MetricsPart, MetricsParts } from "../metrics/metrics-parts.ts";
import type { Measurements } from "../metrics/metrics.ts";

/*
 * The metrics of several processes as one. A request for them reaches one process, which asks the supervisor for the
 * page. The supervisor asks all processes what they have measured.
 */

/** From a process that answers requests: what it has measured. */
export interface MeasurementsMessage {
  kind: "measured";
  measurements: Measurements;
}

/** From a process that answers requests: somebody reads the metrics. `id` numbers these requests. */
export interface MetricsPageRequest {
  kind: "metrics wanted";
  id: number;
}

export type MetricsPageResponse = { kind: "metrics page"; id: number } & (
  | { text: string }
  | { reason: string }
);

/** The page as seen by a process that answers requests. */
export class RemoteMetricsPage {
  readonly #send: (request: MetricsPageRequest) => void;
  readonly #pending = new Map<number, PromiseWithResolvers<string>>();
  #lastId = 0;

  constructor(send: (request: MetricsPageRequest) => void) {
    this.#send = send;
  }

  page(): Promise<string> {
    const id = ++this.#lastId;
    const pending = Promise.withResolvers<string>();
    this.#pending.set(id, pending);
    this.#send({ kind: "metrics wanted", id });
    return pending.promise;
  }

  receive(response: MetricsPageResponse): void {
    const pending = this.#pending.get(response.id);
    this.#pending.delete(response.id);
    if ("text" in response) pending?.resolve(response.text);
    else pending?.reject(new Error(response.reason));
  }
}

/** A process that answers requests, as seen by the supervisor, whose metrics are null if nobody may read them. */
export class MeasuredProcess {
  readonly #metrics: () => MetricsParts | null;
  readonly #send: (message: { kind: "measure" } | MetricsPageResponse) => void;
  #part: MetricsPart | null = null;

  constructor(
    metrics: () => MetricsParts | null,
    send: (message: { kind: "measure" } | MetricsPageResponse) => void,
  ) {
    this.#metrics = metrics;
    this.#send = send;
  }

  /** The process serves from now on. */
  begin(): void {
    this.#part = this.#metrics()?.add(() => this.#send({ kind: "measure" })) ?? null;
  }

  receive(message: MeasurementsMessage | MetricsPageRequest): void {
    if (message.kind === "measured") this.#part?.receive(message.measurements);
    else void this.#respond(message.id);
  }

  end(): void {
    if (this.#part !== null) this.#metrics()?.end(this.#part);
  }

  async #respond(id: number): Promise<void> {
    try {
      const text = (await this.#metrics()?.page()) ?? "";
      this.#send({ kind: "metrics page", id, text });
    } catch (error) {
      this.#send({ kind: "metrics page", id, reason: reasonOf(error) });
    }
  }
}

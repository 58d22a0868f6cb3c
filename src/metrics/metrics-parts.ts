import { type Measurements, type Metrics, countsOf, pageOf } from "./metrics.ts";

/** A part that does not answer within this time is shown as it was when it last did. */
const answerMilliseconds = 1000;

/** A process or a thread whose measurements come by message. */
export class MetricsPart {
  readonly #ask: () => void;
  #latest: Measurements = [];
  #waiting: PromiseWithResolvers<void> | null = null;

  constructor(ask: () => void) {
    this.#ask = ask;
  }

  /** What it answered last. */
  get latest(): Measurements {
    return this.#latest;
  }

  receive(measurements: Measurements): void {
    this.#latest = measurements;
    this.#waiting?.resolve();
    this.#waiting = null;
  }

  /** The measurements of now. */
  async read(): Promise<Measurements> {
    const asked = this.#waiting;
    const waiting = asked ?? Promise.withResolvers<void>();
    this.#waiting = waiting;
    if (asked === null) this.#ask();
    const late = setTimeout(() => waiting.resolve(), answerMilliseconds);
    await waiting.promise;
    clearTimeout(late);
    if (this.#waiting === waiting) this.#waiting = null;
    return this.#latest;
  }
}

/**
 * The measurements of all processes and threads of a server as one. What a part had counted when it ended stays
 * counted: a counter that falls would look like a restart of the whole server.
 */
export class MetricsParts {
  readonly #own: Pick<Metrics, "measurements">;
  readonly #others: () => Promise<Measurements>;
  readonly #parts = new Set<MetricsPart>();
  #ended: Promise<Measurements> = Promise.resolve([]);

  /** `others` returns what is no single process's: the queue, the disk. */
  constructor(own: Pick<Metrics, "measurements">, others: () => Promise<Measurements>) {
    this.#own = own;
    this.#others = others;
  }

  add(ask: () => void): MetricsPart {
    const part = new MetricsPart(ask);
    this.#parts.add(part);
    return part;
  }

  end(part: MetricsPart): void {
    if (!this.#parts.delete(part)) return;
    const { latest } = part;
    this.#ended = this.#ended.then((ended) => countsOf([ended, latest]));
  }

  async page(): Promise<string> {
    const parts = [...this.#parts].map((part) => part.read());
    const all = await Promise.all([this.#own.measurements(), this.#others(), ...parts]);
    return pageOf([...all, await this.#ended]);
  }
}

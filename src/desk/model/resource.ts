import { type Signal, signal } from "@preact/signals";
import { type DeskApi, reasonOf } from "./desk-api.ts";

/** The result of an action in words; empty before the first one. */
export interface Result {
  text: string;
  isProblem: boolean;
}

/** What one address of the API returned last, and the outcome of the last action. */
export class Resource<Answer> {
  /** Null until the first answer. */
  readonly answer = signal<Answer | null>(null);
  readonly isLoading = signal(true);
  readonly message: Signal<Result>;
  readonly api: DeskApi;
  protected path: string;
  #loads = 0;

  /** Several resources of one page may share a message. */
  constructor(api: DeskApi, path: string, message: Signal<Result> = signal({ text: "", isProblem: false })) {
    this.api = api;
    this.path = path;
    this.message = message;
  }

  /** Reads the address again, or another one: its path below the API, or a link of the API. */
  load(pathOrLink = this.path): Promise<void> {
    this.path = pathOrLink;
    this.isLoading.value = true;
    return this.latest(
      () => this.api.get<Answer>(pathOrLink),
      (answer) => {
        this.answer.value = answer;
      },
    );
  }

  /** Reads the address again. If that fails, the page keeps what it shows, and the next attempt may succeed. */
  async refresh(): Promise<void> {
    const load = this.#loads;
    const answer = await this.api.get<Answer>(this.path).catch(() => null);
    // Another page may have been requested meanwhile.
    if (load === this.#loads && answer !== null) this.answer.value = answer;
  }

  /**
   * Reads something, and takes it unless something else was requested meanwhile. `take` may read more, and asks
   * `isLatest` afterwards.
   */
  protected async latest<Value>(
    read: () => Promise<Value>,
    take: (value: Value, isLatest: () => boolean) => unknown,
  ): Promise<void> {
    const load = (this.#loads += 1);
    const isLatest = (): boolean => load === this.#loads;
    try {
      const value = await read();
      if (isLatest()) await take(value, isLatest);
    } catch (error) {
      if (isLatest()) this.refuse(error);
    }
    if (isLatest()) this.isLoading.value = false;
  }

  notify(text: string, isProblem = false): void {
    this.message.value = { text, isProblem };
  }

  refuse(error: unknown): void {
    this.notify(reasonOf(error), true);
  }
}

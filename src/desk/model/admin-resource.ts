import { type Signal, signal } from "@preact/signals";
import { type DeskApi, RefusedError, reasonOf } from "./desk-api.ts";
import type { Result } from "./result-line.tsx";
import { texts } from "./texts.ts";

/** A page of a list, as the API returns it. */
export interface ListAnswer<Item> {
  results: readonly Item[];
  next: string | null;
  previous: string | null;
}

/** What one address of the API returned last, and the outcome of the last action. */
export class AdminResource<Answer> {
  /** Null until the first answer. */
  readonly answer = signal<Answer | null>(null);
  readonly message: Signal<Result>;
  readonly api: DeskApi;
  #path: string;
  #loads = 0;

  /** Several resources of one page may share a message. */
  constructor(api: DeskApi, path: string, message: Signal<Result> = signal({ text: "", isProblem: false })) {
    this.api = api;
    this.#path = path;
    this.message = message;
  }

  /** Reads the address again, or another one: its path below the API, or a link of the API. */
  async load(pathOrLink: string = this.#path): Promise<void> {
    this.#path = pathOrLink;
    this.#loads += 1;
    const load = this.#loads;
    try {
      const answer = await this.api.get<Answer>(this.#path);
      if (load === this.#loads) this.answer.value = answer;
    } catch (error) {
      if (load === this.#loads) this.refuse(error);
    }
  }

  /** Reads the address again. If that fails, the page keeps what it shows, and the next attempt may succeed. */
  async refresh(): Promise<void> {
    const load = this.#loads;
    const answer = await this.api.get<Answer>(this.#path).catch(() => null);
    // Another page may have been requested meanwhile.
    if (load === this.#loads && answer !== null) this.answer.value = answer;
  }

  /**
   * Sends a change, reads the address again, and says so. Returns the response to the change, or null if it was
   * refused or has no body.
   */
  async act<Reply>(method: string, path: string, value: unknown, done: string): Promise<Reply | null> {
    try {
      const reply = (await this.api.send(method, path, value)) as Reply | null;
      this.tell("");
      await this.load();
      // The list has changed before the page says so: what it removes may have had the focus.
      if (!this.message.peek().isProblem) this.tell(done);
      return reply;
    } catch (error) {
      this.refuse(error);
      return null;
    }
  }

  tell(text: string): void {
    this.message.value = { text, isProblem: false };
  }

  refuse(error: unknown): void {
    // To everyone but administrators, the addresses for them do not exist.
    const isHidden = error instanceof RefusedError && error.status === 404;
    this.message.value = { text: isHidden ? texts.admin.notFound : reasonOf(error), isProblem: true };
  }
}

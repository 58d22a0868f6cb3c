import { batch, signal } from "@preact/signals";
import { type DeskApi, RefusedError } from "./desk-api.ts";
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
  readonly message = signal({ text: "", isProblem: false });
  readonly api: DeskApi;
  #path: string;
  #loads = 0;

  constructor(api: DeskApi, path: string) {
    this.api = api;
    this.#path = path;
  }

  /** Reads the address again, or another one: its path below the API, or a link of the API. */
  async load(pathOrLink: string = this.#path): Promise<void> {
    this.#path = pathOrLink.replace(/^.*?\/api\//, "");
    this.#loads += 1;
    const load = this.#loads;
    try {
      const answer = await this.api.get<Answer>(this.#path);
      if (load === this.#loads) this.answer.value = answer;
    } catch (error) {
      this.refuse(error);
    }
  }

  /**
   * Sends a change, reads the address again, and says so. Returns the response to the change, or null if it was
   * refused or has no body.
   */
  async act<Reply>(method: string, path: string, value: unknown, done: string): Promise<Reply | null> {
    try {
      const reply = (await this.api.send(method, path, value)) as Reply | null;
      this.tell(done);
      await this.load();
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
    const text = error instanceof RefusedError ? error.message : texts.noAnswer;
    batch(() => {
      this.message.value = { text, isProblem: true };
    });
  }
}

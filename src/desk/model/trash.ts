import { batch, signal } from "@preact/signals";
import { type DeskApi, type RefusedError, pathIn } from "./desk-api.ts";
import { texts } from "./texts.ts";

/** A deleted document, as the API lists it. */
export interface DeletedDocument {
  id: number;
  title: string;
  access: string;
  page_count: number;
  deleted_at: string;
  deleted_by: number;
  removed_at: string;
}

interface TrashList {
  results: DeletedDocument[];
  next: string | null;
  previous: string | null;
}

/** The deleted documents that the user may bring back. */
export class Trash {
  readonly documents = signal<readonly DeletedDocument[]>([]);
  readonly next = signal<string | null>(null);
  readonly previous = signal<string | null>(null);
  readonly isLoading = signal(true);
  readonly message = signal<{ text: string; isProblem: boolean }>({ text: "", isProblem: false });
  /** The names of the users who deleted documents, by id. */
  readonly names = signal<ReadonlyMap<number, string>>(new Map());
  readonly #api: DeskApi;
  #path = "documents/trash/";

  constructor(api: DeskApi) {
    this.#api = api;
  }

  get user(): number {
    return this.#api.options.user;
  }

  async show(path = this.#path): Promise<void> {
    this.#path = path;
    this.isLoading.value = true;
    try {
      const { results, next, previous } = await this.#api.get<TrashList>(path);
      batch(() => {
        this.documents.value = results;
        this.next.value = next === null ? null : pathIn(next);
        this.previous.value = previous === null ? null : pathIn(previous);
      });
      await this.#findNames();
    } catch (error) {
      this.#tell((error as RefusedError).message, true);
    }
    this.isLoading.value = false;
  }

  restore({ id, title }: DeletedDocument): Promise<void> {
    return this.#change(texts.restored(title), () =>
      this.#api.send("POST", "documents/trash/restore/", { ids: [id] }),
    );
  }

  removeForGood({ id, title }: DeletedDocument): Promise<void> {
    return this.#change(texts.deletedForGood(title), () =>
      this.#api.send("DELETE", `documents/trash/?id__in=${id}`),
    );
  }

  async #change(done: string, act: () => Promise<unknown>): Promise<void> {
    try {
      await act();
      this.#tell(done);
    } catch (error) {
      this.#tell((error as RefusedError).message, true);
    }
    await this.show();
  }

  #tell(text: string, isProblem = false): void {
    this.message.value = { text, isProblem };
  }

  /** Users that the viewer may not know have no name here. */
  async #findNames(): Promise<void> {
    const others = new Set(this.documents.peek().map(({ deleted_by }) => deleted_by));
    others.delete(this.user);
    if (others.size === 0) return;
    const { results } = await this.#api.get<{ results: { id: number; name: string; username: string }[] }>(
      `users/?per_page=100&id__in=${[...others].join(",")}`,
    );
    this.names.value = new Map(results.map(({ id, name, username }) => [id, name === "" ? username : name]));
  }
}

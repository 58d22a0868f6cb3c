import { batch, computed, signal } from "@preact/signals";
import type { DeletedDocument } from "../../contract/document.ts";
import type { User } from "../../contract/person.ts";
import type { Page } from "../../contract/shape.ts";
import { type DeskApi, reasonOf } from "./desk-api.ts";
import { SelectableList } from "./selectable-list.ts";
import { texts } from "./texts.ts";

/** The deleted documents that the user may bring back. */
export class Trash extends SelectableList<DeletedDocument> {
  /** The number of documents on all pages. */
  readonly count = signal(0);
  /** The paths of the pages beside this one. */
  readonly #next = signal<string | null>(null);
  readonly #previous = signal<string | null>(null);
  readonly hasNext = computed(() => this.#next.value !== null);
  readonly hasPrevious = computed(() => this.#previous.value !== null);
  readonly isLoading = signal(true);
  /** The names of the users who deleted documents, by id. */
  readonly names = signal<ReadonlyMap<number, string>>(new Map());
  readonly #api: DeskApi;
  #path = "documents/trash/";
  #loads = 0;

  constructor(api: DeskApi) {
    super();
    this.#api = api;
  }

  get user(): number {
    return this.#api.options.user;
  }

  async show(path = this.#path): Promise<void> {
    this.#path = path;
    this.#loads += 1;
    const load = this.#loads;
    this.isLoading.value = true;
    try {
      const { count, results, next, previous } = await this.#api.get<
        Page<DeletedDocument> & { count: number }
      >(path);
      // Another page was requested meanwhile.
      if (load !== this.#loads) return;
      // The last documents of the last page are gone.
      if (results.length === 0 && previous !== null) return await this.show(previous);
      batch(() => {
        this.documents.value = results;
        this.count.value = count;
        this.#next.value = next;
        this.#previous.value = previous;
      });
      await this.#findNames();
    } catch (error) {
      if (load === this.#loads) this.tell(reasonOf(error), true);
    }
    if (load === this.#loads) this.isLoading.value = false;
  }

  async turnPage(by: 1 | -1): Promise<void> {
    const path = (by === 1 ? this.#next : this.#previous).peek();
    if (path !== null) await this.show(path);
  }

  refresh(): Promise<void> {
    return this.show();
  }

  restoreSelected(): Promise<void> {
    return this.actOn([...this.selected.peek().keys()], texts.broughtBack, (ids) =>
      this.#api.send("POST", "documents/trash/restore/", { ids }),
    );
  }

  removeSelected(): Promise<void> {
    return this.actOn([...this.selected.peek().keys()], texts.allDeletedForGood, (ids) =>
      this.#api.send("DELETE", `documents/trash/?id__in=${ids.join(",")}`),
    );
  }

  restore({ id, title }: DeletedDocument): Promise<void> {
    return this.#change(id, texts.restored(title), () =>
      this.#api.send("POST", "documents/trash/restore/", { ids: [id] }),
    );
  }

  removeForGood({ id, title }: DeletedDocument): Promise<void> {
    return this.#change(id, texts.deletedForGood(title), () =>
      this.#api.send("DELETE", `documents/trash/?id__in=${id}`),
    );
  }

  async #change(id: number, done: string, act: () => Promise<unknown>): Promise<void> {
    try {
      await act();
      const selected = new Map(this.selected.peek());
      if (selected.delete(id)) this.selected.value = selected;
      this.tell(done);
    } catch (error) {
      this.tell(reasonOf(error), true);
    }
    await this.show();
  }

  /** Users that the viewer may not know have no name here. */
  async #findNames(): Promise<void> {
    const others = new Set(this.documents.peek().map(({ deleted_by }) => deleted_by));
    others.delete(this.user);
    if (others.size === 0) return;
    const { results } = await this.#api.get<Page<User>>(
      `users/?per_page=100&id__in=${[...others].join(",")}`,
    );
    this.names.value = new Map(results.map(({ id, name, username }) => [id, name === "" ? username : name]));
  }
}

import { signal } from "@preact/signals";
import type { DeletedDocument } from "../../contract/document.ts";
import type { User } from "../../contract/person.ts";
import type { Page } from "../../contract/shape.ts";
import type { DeskApi, RefusedError } from "./desk-api.ts";
import { SelectableList } from "./selectable-list.ts";
import { texts } from "./texts.ts";

/** The deleted documents that the user may bring back. */
export class Trash extends SelectableList<DeletedDocument> {
  /** The names of the users who deleted documents, by id. */
  readonly names = signal<ReadonlyMap<number, string>>(new Map());

  constructor(api: DeskApi) {
    super(api, "documents/trash/");
  }

  get user(): number {
    return this.api.options.user;
  }

  override async load(pathOrLink?: string): Promise<void> {
    await super.load(pathOrLink);
    await this.#findNames().catch((error: unknown) => this.refuse(error));
  }

  restoreSelected(): Promise<RefusedError | null> {
    return this.actOn([...this.selected.peek().keys()], texts.broughtBack, (ids) =>
      this.api.send("POST", "documents/trash/restore/", { ids }),
    );
  }

  removeSelected(): Promise<RefusedError | null> {
    return this.actOn([...this.selected.peek().keys()], texts.allDeletedForGood, (ids) =>
      this.api.send("DELETE", `documents/trash/?id__in=${ids.join(",")}`),
    );
  }

  restore({ id, title }: DeletedDocument): Promise<void> {
    return this.#change(id, texts.restored(title), () =>
      this.api.send("POST", "documents/trash/restore/", { ids: [id] }),
    );
  }

  removeForGood({ id, title }: DeletedDocument): Promise<void> {
    return this.#change(id, texts.deletedForGood(title), () =>
      this.api.send("DELETE", `documents/trash/?id__in=${id}`),
    );
  }

  async #change(id: number, done: string, act: () => Promise<unknown>): Promise<void> {
    try {
      await act();
      const selected = new Map(this.selected.peek());
      if (selected.delete(id)) this.selected.value = selected;
      this.notify(done);
    } catch (error) {
      this.refuse(error);
    }
    await this.load();
  }

  /** Users that the viewer may not know have no name here. */
  async #findNames(): Promise<void> {
    const others = new Set(this.documents.peek().map(({ deleted_by }) => deleted_by));
    others.delete(this.user);
    if (others.size === 0) return;
    const { results } = await this.api.get<Page<User>>(`users/?per_page=100&id__in=${[...others].join(",")}`);
    this.names.value = new Map(results.map(({ id, name, username }) => [id, name === "" ? username : name]));
  }
}

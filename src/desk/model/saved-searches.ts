import { signal } from "@preact/signals";
import type { SavedSearch } from "../../contract/search.ts";
import type { Page } from "../../contract/shape.ts";
import { pageLimits } from "../../contract/limits.ts";
import { type DeskApi, reasonOf } from "./desk-api.ts";
import { type ListQuery, textOf } from "./list-query.ts";
import { texts } from "./texts.ts";

/** The saved searches of the signed-in person. The API stores each as a text of the query language. */
export class SavedSearches {
  readonly #api: DeskApi;
  readonly all = signal<readonly SavedSearch[]>([]);
  /** The result of the last action. */
  readonly message = signal<{ text: string; isProblem: boolean }>({ text: "", isProblem: false });

  constructor(api: DeskApi) {
    this.#api = api;
  }

  /** Loads the list. Without it, documents can still be found. */
  load(): Promise<boolean> {
    return this.#act("", async () => {
      const { results } = await this.#api.get<Page<SavedSearch>>(`${folder}?per_page=${pageLimits.max}`);
      this.all.value = inOrder(results);
    });
  }

  /** Returns whether the search was saved. */
  save(name: string, query: ListQuery): Promise<boolean> {
    return this.#act(texts.saved(name), async () => {
      const saved = await this.#api.send("POST", folder, { name, query: textOf(query) || everything });
      this.all.value = inOrder([...this.all.peek(), saved as SavedSearch]);
    });
  }

  /** Returns whether the search was renamed. */
  rename({ uuid }: SavedSearch, name: string): Promise<boolean> {
    return this.#act(texts.saved(name), async () => {
      const fresh = (await this.#api.send("PATCH", `${folder}${uuid}/`, { name })) as SavedSearch;
      this.all.value = inOrder(this.all.peek().map((search) => (search.uuid === uuid ? fresh : search)));
    });
  }

  remove({ uuid, name }: SavedSearch): Promise<boolean> {
    return this.#act(texts.removed(name), async () => {
      await this.#api.send("DELETE", `${folder}${uuid}/`);
      this.all.value = this.all.peek().filter((search) => search.uuid !== uuid);
    });
  }

  async #act(done: string, act: () => Promise<void>): Promise<boolean> {
    try {
      await act();
      this.message.value = { text: done, isProblem: false };
      return true;
    } catch (error) {
      this.message.value = { text: reasonOf(error), isProblem: true };
      return false;
    }
  }
}

const folder = "documents/search/saved/";
/** A query that finds every document. The API stores no empty one. */
const everything = "*:*";

function inOrder(searches: readonly SavedSearch[]): SavedSearch[] {
  return searches.toSorted((one, other) => one.name.localeCompare(other.name));
}

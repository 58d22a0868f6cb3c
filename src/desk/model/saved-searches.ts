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

  /** The page of what a search has found. */
  pageOf({ uuid }: SavedSearch): string {
    return this.#api.pageAddress(`account/searches/${uuid}/`);
  }

  /** @throws {RefusedError} */
  async save(name: string, query: ListQuery): Promise<void> {
    const value = { name, query: textOf(query) || everything };
    this.#show((await this.#api.send("POST", folder, value)) as SavedSearch);
  }

  /** @throws {RefusedError} */
  async rename({ uuid }: SavedSearch, name: string): Promise<void> {
    this.#show((await this.#api.send("PATCH", `${folder}${uuid}/`, { name })) as SavedSearch);
  }

  /** Shows a search that was saved, and says so. */
  #show(saved: SavedSearch): void {
    const others = this.all.peek().filter(({ uuid }) => uuid !== saved.uuid);
    this.all.value = inOrder([...others, saved]);
    this.message.value = { text: texts.saved(saved.name), isProblem: false };
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
  return searches.toSorted((left, right) => left.name.localeCompare(right.name));
}

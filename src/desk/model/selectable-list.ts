import { type ReadonlySignal, computed, signal } from "@preact/signals";
import { bulkLimit } from "../../contract/limits.ts";
import { RefusedError } from "./desk-api.ts";
import { Resource } from "./resource.ts";
import { texts } from "./texts.ts";

/** The number of requests at the same time, where each changes one document. */
const maxRequests = 4;

/** One page of a list, or several pages in a row. */
export interface ListPage<Item> {
  results: readonly Item[];
  next: string | null;
  previous: string | null;
  /** The number of items on all pages, where the API counts them. */
  count?: number;
}

/** The pages of a list of documents, the selected documents on all of them, and the result of the last action. */
export class SelectableList<Item extends { id: number }> extends Resource<ListPage<Item>> {
  readonly documents = computed<readonly Item[]>(() => this.answer.value?.results ?? []);
  /** The number of documents on all pages; null while it is unknown. */
  readonly count = computed(() => this.answer.value?.count ?? null);
  /** Whether there is a page before this one, and one after it. */
  readonly hasPrevious: ReadonlySignal<boolean> = computed(() => this.#linkTo(-1) !== null);
  readonly hasNext: ReadonlySignal<boolean> = computed(() => this.#linkTo(1) !== null);
  /** The selected documents by id, also those of other pages. */
  readonly selected = signal<ReadonlyMap<number, Item>>(new Map());
  /** Whether an action on the selected documents is under way. */
  readonly isChanging = signal(false);

  readonly isPageSelected = computed(
    () =>
      this.documents.value.length > 0 && this.documents.value.every(({ id }) => this.selected.value.has(id)),
  );

  #linkTo(by: 1 | -1): string | null {
    return this.answer.value?.[by === 1 ? "next" : "previous"] ?? null;
  }

  /** Shows a page: that of a path below the API or of a link, or the present one again. */
  override load(pathOrLink = this.path): Promise<void> {
    this.path = pathOrLink;
    return this.#read(pathOrLink, []);
  }

  /** Shows the next page below the documents that are shown. */
  async loadMore(): Promise<void> {
    const next = this.#linkTo(1);
    if (next !== null) await this.#read(next, this.documents.peek());
  }

  /** Shows the next page, or the previous one with -1. Without such a page, the list stays as it is. */
  async turnPage(by: 1 | -1): Promise<void> {
    const link = this.#linkTo(by);
    if (link !== null) await this.load(link);
  }

  override refresh(): Promise<void> {
    return this.load();
  }

  #read(pathOrLink: string, before: readonly Item[]): Promise<void> {
    this.isLoading.value = true;
    return this.latest(
      () => this.api.get<ListPage<Received<Item>>>(pathOrLink),
      (page) => {
        const results = [...before, ...page.results.map(withNumber<Item>)];
        // The last documents of the last page are gone.
        if (results.length === 0 && page.previous !== null) return this.load(page.previous);
        this.answer.value = { ...page, results };
        return undefined;
      },
    );
  }

  /** The ids of all items: those that are shown, and those on the pages after them. @throws {RefusedError} */
  async allIds(): Promise<number[]> {
    const ids = this.documents.peek().map(({ id }) => id);
    const next = this.#linkTo(1);
    if (next === null) return ids;
    for await (const { results } of this.api.pages<ListPage<Received<Item>>>(next))
      ids.push(...results.map(({ id }) => Number(id)));
    return ids;
  }

  toggle(document: Item): void {
    const selected = new Map(this.selected.peek());
    if (!selected.delete(document.id)) selected.set(document.id, document);
    this.selected.value = selected;
  }

  togglePage(): void {
    const selected = new Map(this.selected.peek());
    const isSelected = this.isPageSelected.peek();
    for (const document of this.documents.peek())
      if (isSelected) selected.delete(document.id);
      else selected.set(document.id, document);
    this.selected.value = selected;
  }

  deselect(): void {
    this.selected.value = new Map();
  }

  /**
   * Runs `act` for these documents, `together` of them per call, says how far it is, then loads the page again. Returns
   * what was refused, or null. While one action is under way, another does nothing.
   */
  protected async actOn(
    ids: readonly number[],
    done: (count: number) => string,
    act: (ids: readonly number[]) => Promise<unknown>,
    together = bulkLimit,
  ): Promise<RefusedError | null> {
    if (this.isChanging.peek()) return null;
    const changed = new Set<number>();
    const refusals: RefusedError[] = [];
    let start = 0;
    const work = async (): Promise<void> => {
      while (start < ids.length && refusals.length === 0) {
        const some = ids.slice(start, start + together);
        start += together;
        try {
          await act(some);
          for (const id of some) changed.add(id);
          this.notify(texts.changing(changed.size, ids.length));
        } catch (error) {
          if (!(error instanceof RefusedError)) throw error;
          refusals.push(error);
        }
      }
    };
    this.isChanging.value = true;
    this.notify(texts.changing(0, ids.length));
    await Promise.all(Array.from({ length: together === 1 ? maxRequests : 1 }, work));
    // After a problem, the documents that are left can be tried again.
    const [refusal = null] = refusals;
    this.selected.value =
      refusal === null ? new Map() : new Map([...this.selected.peek()].filter(([id]) => !changed.has(id)));
    this.isChanging.value = false;
    await this.refresh();
    if (refusal === null) this.notify(done(changed.size));
    else this.notify(texts.partly(changed.size, ids.length, refusal.message), true);
    return refusal;
  }
}

/** An item as the API returns it: the ids of found documents are texts. */
type Received<Item> = Omit<Item, "id"> & { id: number | string };

const withNumber = <Item extends { id: number }>(item: Received<Item>): Item =>
  Object.assign(item, { id: Number(item.id) }) as unknown as Item;

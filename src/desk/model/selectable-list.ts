import { computed, signal } from "@preact/signals";
import type { RefusedError } from "./desk-api.ts";
import { texts } from "./texts.ts";

/** The maximum number of documents that the API changes in one request. */
export const maxTogether = 25;

/** A page of documents, the selected ones among them and on other pages, and the result of the last action. */
export abstract class SelectableList<Item extends { id: number }> {
  readonly documents = signal<readonly Item[]>([]);
  /** The selected documents by id, also those of other pages. */
  readonly selected = signal<ReadonlyMap<number, Item>>(new Map());
  /** The result of the last action. */
  readonly message = signal<{ text: string; isProblem: boolean }>({ text: "", isProblem: false });

  readonly isPageSelected = computed(
    () =>
      this.documents.value.length > 0 && this.documents.value.every(({ id }) => this.selected.value.has(id)),
  );

  /** Loads the page again. */
  abstract refresh(): Promise<void>;

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

  protected tell(text: string, isProblem = false): void {
    this.message.value = { text, isProblem };
  }

  /** Runs `act` for these selected documents, `together` of them per call, then loads the page again. */
  protected async actOn(
    ids: readonly number[],
    done: (count: number) => string,
    act: (ids: readonly number[]) => Promise<unknown>,
    together = maxTogether,
  ): Promise<void> {
    let count = 0;
    let problem: string | null = null;
    try {
      for (let start = 0; start < ids.length; start += together) {
        const some = ids.slice(start, start + together);
        await act(some);
        count += some.length;
      }
    } catch (error) {
      problem = (error as RefusedError).message;
    }
    // After a problem, the documents that are left can be tried again.
    const selected = this.selected.peek();
    this.selected.value =
      problem === null
        ? new Map()
        : new Map([...selected].filter(([id]) => !ids.slice(0, count).includes(id)));
    await this.refresh();
    if (problem === null) this.tell(done(count));
    else this.tell(texts.partly(count, ids.length, problem), true);
  }
}

import { type ReadonlySignal, computed, signal } from "@preact/signals";
import { bulkLimit } from "../../contract/limits.ts";
import { reasonOf } from "./desk-api.ts";
import type { Result } from "./result-line.tsx";
import { texts } from "./texts.ts";

/** The number of requests at the same time, where each changes one document. */
const maxRequests = 4;

/** A page of documents, the selected ones among them and on other pages, and the result of the last action. */
export abstract class SelectableList<Item extends { id: number }> {
  readonly documents = signal<readonly Item[]>([]);
  /** The selected documents by id, also those of other pages. */
  readonly selected = signal<ReadonlyMap<number, Item>>(new Map());
  /** The result of the last action. */
  readonly message = signal<Result>({ text: "", isProblem: false });
  /** Whether an action on the selected documents is under way. */
  readonly isChanging = signal(false);

  readonly isPageSelected = computed(
    () =>
      this.documents.value.length > 0 && this.documents.value.every(({ id }) => this.selected.value.has(id)),
  );

  /** Whether there is a page before this one, and one after it. */
  abstract readonly hasPrevious: ReadonlySignal<boolean>;
  abstract readonly hasNext: ReadonlySignal<boolean>;

  /** Shows the next page, or the previous one with -1. Without such a page, the list stays as it is. */
  abstract turnPage(by: 1 | -1): Promise<void>;

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

  /**
   * Runs `act` for these selected documents, `together` of them per call, says how far it is, then loads the page
   * again. While one action is under way, another does nothing.
   */
  protected async actOn(
    ids: readonly number[],
    done: (count: number) => string,
    act: (ids: readonly number[]) => Promise<unknown>,
    together = bulkLimit,
  ): Promise<void> {
    if (this.isChanging.peek()) return;
    const changed = new Set<number>();
    let problem: string | null = null;
    let start = 0;
    const work = async (): Promise<void> => {
      while (start < ids.length && problem === null) {
        const some = ids.slice(start, start + together);
        start += together;
        try {
          await act(some);
          for (const id of some) changed.add(id);
          this.tell(texts.changing(changed.size, ids.length));
        } catch (error) {
          problem = reasonOf(error);
        }
      }
    };
    this.isChanging.value = true;
    this.tell(texts.changing(0, ids.length));
    await Promise.all(Array.from({ length: together === 1 ? maxRequests : 1 }, work));
    // After a problem, the documents that are left can be tried again.
    this.selected.value =
      problem === null ? new Map() : new Map([...this.selected.peek()].filter(([id]) => !changed.has(id)));
    this.isChanging.value = false;
    await this.refresh();
    if (problem === null) this.tell(done(changed.size));
    else this.tell(texts.partly(changed.size, ids.length, problem), true);
  }
}

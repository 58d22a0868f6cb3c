import { batch, computed, signal } from "@preact/signals";
import type { RequestedModification } from "../../contract/work.ts";
import type { DocumentRecord } from "./api.ts";
import { FileWork } from "./file-work.ts";
import { pagesInWords } from "./mention-search.ts";
import { type Client, reasonOf } from "./send.ts";
import { editingTexts as texts } from "../texts/editing-texts.ts";
import { texts as viewerTexts } from "../texts/texts.ts";

/** The members of a document that its page images need. */
export type PageSource = Pick<
  DocumentRecord,
  "id" | "title" | "slug" | "page_count" | "page_spec" | "file_hash" | "updated_at"
>;

/** A page of the new document. */
export interface ArrangedPage {
  /** Unique in the arrangement, also after a change. */
  key: number;
  source: PageSource;
  /** The page in its source, counting from 0. */
  page: number;
  /** Quarter turns clockwise, 0 to 3. */
  turns: number;
}

const angles = [null, "cc", "hw", "ccw"] as const;

/** The maximum number of pages of a document. */
export const maxPages = 20_000;

/** The pages of a document in a new order, turned, without some, and with pages of other documents. */
export class Arrangement {
  readonly own: PageSource;
  readonly pages = signal<readonly ArrangedPage[]>([]);
  /** The keys of the selected pages. */
  readonly selected = signal<ReadonlySet<number>>(new Set());
  readonly state = signal<"arranging" | "sending" | "working">("arranging");
  /** Why the request was refused or the work failed, for people. */
  readonly problem = signal("");
  /** What the change of the document did, for people. Empty until it has ended. */
  readonly result = signal("");
  readonly #past = signal<readonly (readonly ArrangedPage[])[]>([]);
  readonly canUndo = computed(() => this.#past.value.length > 0);
  readonly isChanged = computed(() => changesInWords(this.own, this.pages.value).length > 0);
  readonly #client: Client;
  readonly #work: FileWork;
  #lastKey = 0;

  constructor(client: Client, own: PageSource) {
    this.#client = client;
    this.#work = new FileWork(client, own.id, "modified");
    this.own = own;
    this.pages.value = this.#pagesOf(
      own,
      Array.from({ length: own.page_count }, (_, page) => page),
    );
  }

  #pagesOf(source: PageSource, pages: readonly number[]): ArrangedPage[] {
    return pages.map((page) => ({ key: (this.#lastKey += 1), source, page, turns: 0 }));
  }

  #set(pages: readonly ArrangedPage[]): void {
    batch(() => {
      this.#past.value = [...this.#past.value, this.pages.value];
      this.pages.value = pages;
      const keys = new Set(pages.map(({ key }) => key));
      this.selected.value = new Set([...this.selected.value].filter((key) => keys.has(key)));
    });
  }

  undo(): void {
    const last = this.#past.value.at(-1);
    if (last === undefined) return;
    batch(() => {
      this.#past.value = this.#past.value.slice(0, -1);
      this.pages.value = last;
    });
  }

  toggle(key: number): void {
    const selected = new Set(this.selected.value);
    if (!selected.delete(key)) selected.add(key);
    this.selected.value = selected;
  }

  selectAll(isSelected: boolean): void {
    this.selected.value = new Set(isSelected ? this.pages.value.map(({ key }) => key) : []);
  }

  turn(keys: ReadonlySet<number>, quarterTurns: 1 | -1): void {
    this.#set(
      this.pages.value.map((item) =>
        keys.has(item.key) ? { ...item, turns: (item.turns + quarterTurns + 4) % 4 } : item,
      ),
    );
  }

  /** Removes pages. Returns false if none would be left: a document has at least one page. */
  remove(keys: ReadonlySet<number>): boolean {
    const left = this.pages.value.filter(({ key }) => !keys.has(key));
    if (left.length === 0) return false;
    this.#set(left);
    return true;
  }

  /** Moves pages, in their order, so that they begin at an index of the new order. */
  moveTo(keys: ReadonlySet<number>, index: number): void {
    const moved = this.pages.value.filter(({ key }) => keys.has(key));
    const others = this.pages.value.filter(({ key }) => !keys.has(key));
    const start = Math.max(0, Math.min(others.length, index));
    const pages = [...others.slice(0, start), ...moved, ...others.slice(start)];
    if (pages.some(({ key }, at) => this.pages.value[at]?.key !== key)) this.#set(pages);
  }

  /** Moves pages before the page with a key, or to the end with null. */
  moveBefore(keys: ReadonlySet<number>, key: number | null): void {
    if (key !== null && keys.has(key)) return;
    const others = this.pages.value.filter((item) => !keys.has(item.key));
    const index = key === null ? others.length : others.findIndex((item) => item.key === key);
    this.moveTo(keys, index);
  }

  /** Moves pages by one place. */
  step(keys: ReadonlySet<number>, direction: 1 | -1): void {
    const first = this.pages.value.findIndex(({ key }) => keys.has(key));
    if (first >= 0) this.moveTo(keys, first + direction);
  }

  /** Inserts pages of a document, before an index. Returns whether there is room for them. */
  insert(source: PageSource, pages: readonly number[], index: number): boolean {
    if (this.pages.value.length + pages.length > maxPages) return false;
    const added = this.#pagesOf(source, pages);
    this.#set([...this.pages.value.slice(0, index), ...added, ...this.pages.value.slice(index)]);
    this.selected.value = new Set(added.map(({ key }) => key));
    return true;
  }

  /** Queues the change, and calls `onAccepted` if it was accepted. If not, nothing has changed. */
  async apply(onAccepted: () => void): Promise<void> {
    batch(() => {
      this.problem.value = "";
      this.state.value = "sending";
    });
    try {
      await this.#work.begin();
      const items = itemsOf(this.own, this.pages.value);
      await this.#client.send("POST", `documents/${this.own.id}/modifications/`, items);
      onAccepted();
      this.state.value = "working";
    } catch (error) {
      this.problem.value = reasonOf(error);
      this.state.value = "arranging";
    }
  }

  /** Reads the result, once the work has ended. Returns whether the document has the new pages. */
  async conclude(): Promise<boolean> {
    if (this.state.value !== "working") return false;
    this.state.value = "sending";
    try {
      const receipt = await this.#work.end();
      const isDone = receipt?.outcome === "done";
      batch(() => {
        this.state.value = "arranging";
        if (isDone)
          this.result.value = texts.arrange.done(changesInWords(this.own, this.pages.value).join(", "));
        else this.problem.value = receipt === null ? texts.arrange.stopped : String(receipt["message"]);
      });
      return isDone;
    } catch (error) {
      this.problem.value = reasonOf(error);
      this.state.value = "arranging";
      return false;
    }
  }
}

/** The arrangement as the API takes it: consecutive pages of one document, turned alike, are one item. */
export function itemsOf(own: PageSource, pages: readonly ArrangedPage[]): RequestedModification[] {
  const groups: { source: PageSource; turns: number; runs: [first: number, last: number][] }[] = [];
  for (const { source, page, turns } of pages) {
    const group = groups.at(-1);
    if (group === undefined || group.source.id !== source.id || group.turns !== turns) {
      groups.push({ source, turns, runs: [[page, page]] });
      continue;
    }
    const run = group.runs.at(-1);
    if (run !== undefined && run[1] + 1 === page) run[1] = page;
    else group.runs.push([page, page]);
  }
  return groups.map(({ source, turns, runs }) => {
    const angle = angles[turns] ?? null;
    const item: RequestedModification = {
      page: runs.map(([first, last]) => (first === last ? String(first) : `${first}-${last}`)).join(","),
    };
    if (source.id !== own.id) item.id = source.id;
    if (angle !== null) item.modifications = [{ type: "rotate", angle }];
    return item;
  });
}

/** What an arrangement changes: "page 2 moved", "pages 3 and 4 removed". Empty if it changes nothing. */
export function changesInWords(own: PageSource, pages: readonly ArrangedPage[]): string[] {
  const kept = pages.filter(({ source }) => source.id === own.id);
  const keptNumbers = new Set(kept.map(({ page }) => page));
  const removed = Array.from({ length: own.page_count }, (_, page) => page).filter(
    (page) => !keptNumbers.has(page),
  );
  const turned = kept.filter(({ turns }) => turns !== 0).map(({ page }) => page);
  const copies = kept.length - keptNumbers.size;
  const numbers = kept.map(({ page }) => page);
  const isInOrder = numbers.every((page, index) => index === 0 || (numbers[index - 1] ?? 0) <= page);
  const inserted = Map.groupBy(
    pages.filter(({ source }) => source.id !== own.id),
    ({ source }) => source.title,
  );
  return [
    ...(isInOrder ? [] : [texts.arrange.order]),
    ...(turned.length > 0 ? [texts.arrange.turned(counted(turned))] : []),
    ...(removed.length > 0 ? [texts.arrange.removedPages(counted(removed))] : []),
    ...(copies > 0 ? [texts.arrange.copied(copies)] : []),
    ...[...inserted].map(([title, all]) =>
      texts.arrange.inserted(all.length, title === "" ? viewerTexts.untitled : title),
    ),
  ];
}

/** Names pages that are counted from 0. */
function counted(pages: readonly number[]): string {
  return pagesInWords(pages.map((page) => page + 1));
}

/**
 * Reads page numbers as people write them, "1-3, 7": numbers from 1, in the result from 0. All pages if the text is
 * empty. Null if a number is not a page of the document.
 */
export function readPageNumbers(text: string, pageCount: number): number[] | null {
  if (text.trim() === "") return Array.from({ length: pageCount }, (_, page) => page);
  const pages: number[] = [];
  for (const part of text.split(/[,;]/)) {
    const [, from, to] = /^\s*(\d{1,6})(?:\s*[-–]\s*(\d{1,6}))?\s*$/.exec(part) ?? [];
    if (from === undefined) return null;
    const [first, last] = [Number(from), Number(to ?? from)];
    if (first < 1 || last < first || last > pageCount) return null;
    for (let page = first; page <= last; page++) pages.push(page - 1);
  }
  return pages;
}

import { batch, computed, signal } from "@preact/signals";
import type { Mention, Mentions, PatternKind, Redaction } from "../../contract/work.ts";
import { type Client, reasonOf } from "./send.ts";
import { editingTexts as texts } from "../texts/editing-texts.ts";

/** A mention on a page of a document. Pages count from 1. */
export interface FoundMention extends Mention {
  /** Unique in its search. */
  key: string;
  page: number;
}

/** The maximum length of the words in one search, in characters. */
export const maxWordsLength = 300;

/** What is looked for: words, or numbers and addresses of a kind. */
export type Sought = string | { kind: PatternKind };

export const nameOf = (sought: Sought): string =>
  typeof sought === "string" ? texts.redact.quoted(sought) : texts.patterns.kinds[sought.kind];

let searches = 0;

/** The mentions of words in one document, each ticked or not. */
export class MentionSearch {
  /** Unique among all searches. */
  readonly id = (searches += 1);
  readonly document: number;
  /** The words; for a kind of numbers and addresses, its name for people. */
  readonly words: string;
  /** Null if words are looked for. */
  readonly kind: PatternKind | null;
  readonly state = signal<"running" | "done" | "failed">("running");
  /** Why the search failed, for people. */
  readonly reason = signal("");
  readonly mentions = signal<readonly FoundMention[]>([]);
  /** The number of mentions on a page whose position is unknown. */
  readonly unplaced = signal<readonly { page: number; count: number }[]>([]);
  readonly pagesWithoutText = signal<readonly number[]>([]);
  /** The code of the reason why these are redacted; empty for the reason of the whole redaction. */
  readonly purpose = signal("");
  /** The keys of the mentions that are not to be redacted. */
  readonly unticked = signal<ReadonlySet<string>>(new Set());
  readonly byPage = computed(() => Map.groupBy(this.mentions.value, ({ page }) => page));
  readonly ticked = computed(() => this.mentions.value.filter(({ key }) => !this.unticked.value.has(key)));
  readonly #client: Client;
  #isStopped = false;

  constructor(client: Client, document: number, sought: Sought) {
    this.#client = client;
    this.document = document;
    this.kind = typeof sought === "string" ? null : sought.kind;
    this.words = typeof sought === "string" ? sought.trim() : texts.patterns.kinds[sought.kind];
  }

  get sought(): Sought {
    return this.kind === null ? this.words : { kind: this.kind };
  }

  /** Its name in a heading: the words in quotation marks, or the kind. */
  get name(): string {
    return nameOf(this.sought);
  }

  isAbout(sought: Sought): boolean {
    return typeof sought === "string" ? this.sought === sought.trim() : this.kind === sought.kind;
  }

  /** Reads the whole document. A search that failed may be run again. */
  async run(): Promise<void> {
    batch(() => {
      this.state.value = "running";
      this.mentions.value = [];
      this.unplaced.value = [];
      this.pagesWithoutText.value = [];
    });
    try {
      const query = this.kind === null ? `q=${encodeURIComponent(this.words)}` : `kind=${this.kind}`;
      const path = `documents/${this.document}/mentions/?${query}`;
      for await (const part of this.#client.pages<Mentions>(path)) {
        if (this.#isStopped) break;
        this.#take(part);
      }
      this.state.value = "done";
    } catch (error) {
      this.reason.value = reasonOf(error);
      this.state.value = "failed";
    }
  }

  #take({ results, pages_without_text: without }: Mentions): void {
    const found = results.flatMap(({ page_number, mentions }) =>
      mentions.map((mention, index) => ({
        ...mention,
        key: `${page_number} ${index}`,
        page: page_number + 1,
      })),
    );
    const unplaced = results.flatMap(({ page_number, unplaced: count }) =>
      count === 0 ? [] : [{ page: page_number + 1, count }],
    );
    batch(() => {
      this.mentions.value = [...this.mentions.value, ...found];
      this.unplaced.value = [...this.unplaced.value, ...unplaced];
      this.pagesWithoutText.value = [...this.pagesWithoutText.value, ...without.map((page) => page + 1)];
    });
  }

  stop(): void {
    this.#isStopped = true;
  }

  isTicked(key: string): boolean {
    return !this.unticked.value.has(key);
  }

  toggle(key: string): void {
    const unticked = new Set(this.unticked.value);
    if (!unticked.delete(key)) unticked.add(key);
    this.unticked.value = unticked;
  }

  tickAll(isTicked: boolean): void {
    this.unticked.value = new Set(isTicked ? [] : this.mentions.value.map(({ key }) => key));
  }

  /** The boxes of the ticked mentions, as the API takes them. */
  boxes(): Redaction[] {
    return this.ticked.value.flatMap(({ page, boxes }) =>
      boxes.map((box) => ({ ...box, page_number: page - 1 })),
    );
  }
}

/** The names of at most 20 of the pages, and the number of the others. */
function namesOf(pages: readonly number[]): [names: string[], more: number] {
  return [pages.slice(0, 20).map(String), Math.max(0, pages.length - 20)];
}

/** "page 3", "pages 1, 2 and 5"; names at most 20 of them. */
export function pagesInWords(pages: readonly number[]): string {
  return texts.pages(...namesOf(pages));
}

/** The parts of a document that a search does not cover, in words; empty if it covers everything. */
export function gapsInWords({ words, unplaced, pagesWithoutText }: MentionSearch): string[] {
  const count = unplaced.value.reduce((sum, page) => sum + page.count, 0);
  const gaps: string[] = [];
  if (count > 0)
    gaps.push(texts.mentions.unplaced(words, ...namesOf(unplaced.value.map(({ page }) => page)), count));
  if (pagesWithoutText.value.length > 0)
    gaps.push(texts.mentions.withoutText(...namesOf(pagesWithoutText.value)));
  return gaps;
}

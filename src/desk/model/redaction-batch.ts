import { batch, computed, signal } from "@preact/signals";
import type { Document } from "../../contract/document.ts";
import type { FoundDocument } from "../../contract/search.ts";
import type { Page } from "../../contract/shape.ts";
import { maxBoxes } from "../../contract/limits.ts";
import { MentionSearch } from "../../viewer/model/mention-search.ts";
import { type Outcome, outcomeOf } from "../../viewer/model/redaction-outcome.ts";
import { RewritingApi } from "../../viewer/model/rewriting-api.ts";
import { type DeskApi, type DeskDocument, pathIn } from "./desk-api.ts";
import { ProgressFollower, isSettled } from "./progress-follower.ts";
import { texts } from "./texts.ts";

/** The documents that the page is about: their ids, or a search. */
export interface BatchSource {
  ids: readonly number[];
  q: string;
}

/** The maximum number of documents on the page. */
export const maxDocuments = 200;
/** The number of documents that are searched at the same time. */
const maxTogether = 3;

/** A document of the batch, its mentions, and what became of it. */
export class BatchDocument {
  readonly record: DeskDocument;
  readonly searches = signal<readonly MentionSearch[]>([]);
  readonly state = signal<"marking" | "sending" | "queued" | "refused" | "done">("marking");
  /** Why the request was refused. */
  readonly reason = signal("");
  readonly outcome = signal<Outcome | null>(null);
  readonly tickedCount = computed(() =>
    this.searches.value.reduce((sum, { ticked }) => sum + ticked.value.length, 0),
  );
  readonly foundCount = computed(() =>
    this.searches.value.reduce((sum, { mentions }) => sum + mentions.value.length, 0),
  );
  /** The id of the latest receipt before the redaction. */
  before = 0;

  constructor(record: DeskDocument) {
    this.record = record;
  }
}

/** Redacts words in many documents. */
export class RedactionBatch {
  readonly documents = signal<readonly BatchDocument[]>([]);
  readonly state = signal<"loading" | "ready" | "searching" | "applying">("loading");
  /** Why something could not be done, for people. */
  readonly problem = signal("");
  /** Remarks on the list, such as documents that were left out. */
  readonly remarks = signal<readonly string[]>([]);
  readonly words = signal<readonly string[]>([]);
  readonly tickedCount = computed(() =>
    this.documents.value.reduce(
      (sum, { state, tickedCount }) => sum + (isOpen(state.value) ? tickedCount.value : 0),
      0,
    ),
  );
  readonly chosenCount = computed(
    () =>
      this.documents.value.filter(({ state, tickedCount }) => isOpen(state.value) && tickedCount.value > 0)
        .length,
  );
  readonly #api: DeskApi;
  readonly #rewriting: RewritingApi;
  readonly #follower: ProgressFollower;

  constructor(api: DeskApi) {
    this.#api = api;
    this.#rewriting = new RewritingApi((method, path, value) => api.send(method, path, value));
    this.#follower = new ProgressFollower(api, ({ id, status }) => {
      if (isSettled(status)) void this.#conclude(id);
    });
  }

  /** Reads the documents. */
  async load({ ids, q }: BatchSource): Promise<void> {
    if (q === "" && ids.length === 0) {
      this.state.value = "ready";
      return;
    }
    try {
      const found: DeskDocument[] = [];
      let path: string | null =
        q === ""
          ? `documents/?id__in=${ids.slice(0, maxDocuments).join(",")}&per_page=100`
          : `documents/search/?q=${encodeURIComponent(q)}&per_page=100`;
      let isCut = q === "" && ids.length > maxDocuments;
      while (path !== null) {
        const page: Page<Document | FoundDocument> = await this.#api.get(path);
        found.push(...page.results.map((one) => Object.assign(one, { id: Number(one.id) })));
        isCut ||= found.length >= maxDocuments && page.next !== null;
        path = page.next === null || isCut ? null : pathIn(page.next);
      }
      const own = found.slice(0, maxDocuments).filter(({ edit_access }) => edit_access);
      const withPages = own.filter(({ page_count }) => page_count > 0);
      const left = Math.min(found.length, maxDocuments) - own.length;
      batch(() => {
        this.documents.value = withPages.map((record) => new BatchDocument(record));
        this.remarks.value = [
          ...(isCut ? [texts.redact.cut(maxDocuments)] : []),
          ...(left > 0 ? [texts.redact.notYours(left)] : []),
          ...(own.length > withPages.length
            ? [texts.redact.withoutPages(own.length - withPages.length)]
            : []),
        ];
        this.state.value = "ready";
      });
    } catch (error) {
      batch(() => {
        this.problem.value = (error as Error).message;
        this.state.value = "ready";
      });
    }
  }

  /** Lists the mentions of words in all documents, a few documents at a time. */
  async find(words: string): Promise<void> {
    const text = words.trim();
    if (this.state.peek() !== "ready" || text === "") return;
    this.problem.value = "";
    this.state.value = "searching";
    this.words.value = [...this.words.peek().filter((one) => one !== text), text];
    const waiting = this.documents.peek().filter(({ state }) => isOpen(state.peek()));
    const work = async (): Promise<void> => {
      for (let document = waiting.shift(); document !== undefined; document = waiting.shift()) {
        const search = new MentionSearch(this.#rewriting, document.record.id, text);
        document.searches.value = [...document.searches.peek().filter((one) => one.words !== text), search];
        await search.run();
      }
    };
    await Promise.all(Array.from({ length: maxTogether }, work));
    this.state.value = "ready";
  }

  drop(words: string): void {
    this.words.value = this.words.peek().filter((one) => one !== words);
    for (const { searches } of this.documents.peek())
      searches.value = searches.peek().filter((search) => search.words !== words);
  }

  /** Sends the ticked mentions of each document. A document that is refused keeps its marks, and the others go on. */
  async apply(): Promise<void> {
    this.state.value = "applying";
    for (const document of this.documents.peek()) {
      if (!isOpen(document.state.peek()) || document.tickedCount.peek() === 0) continue;
      const boxes = document.searches.peek().flatMap((search) => search.boxes());
      const { id } = document.record;
      document.state.value = "sending";
      try {
        if (boxes.length > maxBoxes) throw new Error(texts.redact.tooMany(boxes.length, maxBoxes));
        document.before = (await this.#rewriting.latestReceipt(id, "redacted"))?.id ?? 0;
        await this.#rewriting.redact(id, boxes);
        document.state.value = "queued";
        this.#follower.follow(id);
      } catch (error) {
        batch(() => {
          document.reason.value = (error as Error).message;
          document.state.value = "refused";
        });
      }
    }
    this.state.value = "ready";
  }

  async #conclude(id: number): Promise<void> {
    const document = this.documents.peek().find(({ record }) => record.id === id);
    if (document === undefined || document.state.peek() !== "queued") return;
    try {
      const latest = await this.#rewriting.latestReceipt(id, "redacted");
      batch(() => {
        document.outcome.value = outcomeOf(latest !== null && latest.id > document.before ? latest : null);
        document.state.value = "done";
      });
    } catch (error) {
      batch(() => {
        document.reason.value = (error as Error).message;
        document.state.value = "refused";
      });
    }
  }
}

/** Whether a document can be marked and sent, for the first time or again. */
export const isOpen = (state: string): boolean => state === "marking" || state === "refused";

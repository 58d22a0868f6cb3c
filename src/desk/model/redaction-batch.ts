import { maxDocumentsToRedact } from "../../contract/limits.ts";
import { batch, computed, signal } from "@preact/signals";
import type { Document } from "../../contract/document.ts";
import type { FoundDocument } from "../../contract/search.ts";
import type { Page } from "../../contract/shape.ts";
import type { Sought } from "../../viewer/model/mention-search.ts";
import type { RedactionReason } from "../../contract/withheld.ts";
import { type CopyChoices, type DrawnChoices, Redaction, readReasons } from "../../viewer/model/redaction.ts";
import { type DeskApi, type DeskDocument, reasonOf } from "./desk-api.ts";
import { ProgressFollower, isSettled } from "./progress-follower.ts";
import { batchRedactionTexts } from "./batch-redaction-texts.ts";

/** The documents that the page is about: their ids, or a search. */
export interface BatchSource {
  ids: readonly number[];
  q: string;
}

/** The number of documents that are searched at the same time. */
const maxTogether = 3;

/** The redaction of one document of the batch. */
export class BatchDocument extends Redaction {
  readonly record: DeskDocument;
  readonly foundCount = computed(() =>
    this.searches.value.reduce((sum, { mentions }) => sum + mentions.value.length, 0),
  );
  /** Whether it can be marked and sent, for the first time or again. */
  readonly isOpen = computed(() => this.state.value === "marking" && this.outcome.value === null);

  constructor(api: DeskApi, record: DeskDocument) {
    super(api, record.id, () => record.file_hash);
    this.record = record;
  }

  /** The id of the document whose file is being made: the copy, if there is one. */
  get workedOn(): number {
    return this.copy.peek()?.id ?? this.record.id;
  }
}

const isSame = (one: Sought, other: Sought): boolean =>
  typeof one === "string" || typeof other === "string" ? one === other : one.kind === other.kind;

/** Redacts words in many documents. */
export class RedactionBatch {
  readonly documents = signal<readonly BatchDocument[]>([]);
  readonly state = signal<"loading" | "ready" | "searching" | "applying">("loading");
  /** Why something could not be done, for people. */
  readonly problem = signal("");
  /** Remarks on the list, such as documents that were left out. */
  readonly remarks = signal<readonly string[]>([]);
  /** What the places were looked for by, in the order in which it was asked for. */
  readonly sought = signal<readonly Sought[]>([]);
  readonly reasons = signal<readonly RedactionReason[]>([]);
  /** The code of the reason why everything ticked is redacted; empty for none. */
  readonly purpose = signal("");
  /** The documents that {@link RedactionBatch.apply} sends. */
  readonly #chosen = computed(() =>
    this.documents.value.filter(({ isOpen, markCount }) => isOpen.value && markCount.value > 0),
  );
  readonly tickedCount = computed(() =>
    this.#chosen.value.reduce((sum, { markCount }) => sum + markCount.value, 0),
  );
  readonly chosenCount = computed(() => this.#chosen.value.length);
  /** How many of the chosen documents were made from files of other types, by extension. */
  readonly originals = computed<ReadonlyMap<string, number>>(() => {
    const counts = new Map<string, number>();
    for (const { record } of this.#chosen.value) {
      const extension = record.original_extension;
      if (extension !== "pdf") counts.set(extension, (counts.get(extension) ?? 0) + 1);
    }
    return counts;
  });
  /** Whether others see one of the chosen documents. */
  readonly isShared = computed(() => this.#chosen.value.some(({ record }) => record.access !== "private"));
  /** How many documents a redaction in place removes with the chosen ones, and leaves as they are. */
  readonly family = computed(() => {
    const all = this.#chosen.value.map(({ family }) => family.value ?? { removes: 0, keeps: 0 });
    const sum = (of: "removes" | "keeps"): number => all.reduce((total, one) => total + one[of], 0);
    return { removes: sum("removes"), keeps: sum("keeps") };
  });
  readonly #api: DeskApi;
  readonly #follower: ProgressFollower;

  constructor(api: DeskApi) {
    this.#api = api;
    this.#follower = new ProgressFollower(api, ({ id, status }) => {
      if (isSettled(status))
        void this.documents
          .peek()
          .find((document) => document.workedOn === id)
          ?.conclude();
    });
  }

  /** Reads the reasons that may be given. */
  async loadReasons(): Promise<void> {
    this.reasons.value = await readReasons(this.#api);
  }

  /** Reads what a redaction in place does to the documents that are part of the chosen ones. */
  async loadFamilies(): Promise<void> {
    await this.#forEach(this.#chosen.peek(), (document) => document.loadFamily());
  }

  /** A few documents at a time. */
  async #forEach(
    documents: readonly BatchDocument[],
    work: (document: BatchDocument) => Promise<void>,
  ): Promise<void> {
    const waiting = [...documents];
    const workOff = async (): Promise<void> => {
      for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) await work(next);
    };
    await Promise.all(Array.from({ length: maxTogether }, workOff));
  }

  /** Reads the documents. */
  async load({ ids, q }: BatchSource): Promise<void> {
    if (q === "" && ids.length === 0) {
      this.state.value = "ready";
      return;
    }
    try {
      const found: DeskDocument[] = [];
      const path =
        q === ""
          ? `documents/?id__in=${ids.slice(0, maxDocumentsToRedact).join(",")}&per_page=100`
          : `documents/search/?q=${encodeURIComponent(q)}&per_page=100`;
      let isCut = q === "" && ids.length > maxDocumentsToRedact;
      for await (const { results, next } of this.#api.pages<Page<Document | FoundDocument>>(path)) {
        found.push(...results.map((item) => Object.assign(item, { id: Number(item.id) })));
        isCut ||= found.length >= maxDocumentsToRedact && next !== null;
        if (isCut) break;
      }
      const own = found.slice(0, maxDocumentsToRedact).filter(({ edit_access }) => edit_access);
      const withPages = own.filter(({ page_count }) => page_count > 0);
      const left = Math.min(found.length, maxDocumentsToRedact) - own.length;
      batch(() => {
        this.documents.value = withPages.map((record) => new BatchDocument(this.#api, record));
        this.remarks.value = [
          ...(isCut ? [batchRedactionTexts.cut(maxDocumentsToRedact)] : []),
          ...(left > 0 ? [batchRedactionTexts.notYours(left)] : []),
          ...(own.length > withPages.length
            ? [batchRedactionTexts.withoutPages(own.length - withPages.length)]
            : []),
        ];
        this.state.value = "ready";
      });
    } catch (error) {
      batch(() => {
        this.problem.value = reasonOf(error);
        this.state.value = "ready";
      });
    }
  }

  /** Lists the mentions of words, or of kinds, in all documents, a few documents at a time. */
  async find(...wanted: readonly Sought[]): Promise<void> {
    const sought = wanted
      .map((one) => (typeof one === "string" ? one.trim() : one))
      .filter((one) => one !== "");
    if (this.state.peek() !== "ready" || sought.length === 0) return;
    this.problem.value = "";
    this.state.value = "searching";
    const others = this.sought.peek().filter((known) => !sought.some((one) => isSame(one, known)));
    this.sought.value = [...others, ...sought];
    const open = this.documents.peek().filter(({ isOpen }) => isOpen.peek());
    await this.#forEach(open, async (document) => {
      for (const one of sought) await document.find(one);
    });
    this.state.value = "ready";
  }

  drop(sought: Sought): void {
    this.sought.value = this.sought.peek().filter((known) => !isSame(known, sought));
    for (const document of this.documents.peek())
      for (const search of document.searches.peek()) if (search.isAbout(sought)) document.drop(search);
  }

  /**
   * Sends the ticked mentions of each document, for a copy of it or, without choices, for the document itself. A
   * document that is refused keeps its marks, and the others go on.
   */
  async apply(drawn: DrawnChoices, copies: Omit<CopyChoices, keyof DrawnChoices> | null): Promise<void> {
    this.state.value = "applying";
    for (const document of this.#chosen.peek()) {
      document.purpose.value = this.purpose.peek();
      const follow = (): void => this.#follower.follow(document.workedOn);
      await (copies === null
        ? document.apply(drawn, follow)
        : document.makeCopy({ ...copies, ...drawn }, follow));
    }
    this.state.value = "ready";
  }
}

import { batch, computed, signal } from "@preact/signals";
import { describingNames } from "../../contract/describing-fields.ts";
import type { Redaction as RedactedBox, RequestedCopy } from "../../contract/work.ts";
import { maxBoxes } from "../../contract/limits.ts";
import type { DocumentRecord } from "./api.ts";
import { FileWork } from "./file-work.ts";
import { boxInWords } from "./box-drawing.ts";
import type { Box } from "./boxes.ts";
import { MentionSearch, type Sought } from "./mention-search.ts";
import { type Outcome, outcomeOf } from "./redaction-outcome.ts";
import { type Client, reasonOf } from "./send.ts";
import { editingTexts as texts } from "../texts/editing-texts.ts";

/** A box that a person has drawn. Pages count from 1. */
export interface DrawnMark {
  page: number;
  box: Box;
}

/** What becomes of a redacted copy and of its original. */
export interface CopyChoices {
  /** Who sees the copy. */
  access: NonNullable<RequestedCopy["access"]>;
  /** Whether others no longer see the original once the copy is made. */
  hidesOriginal: boolean;
}

/** The redaction of one document, from the first mark to the result. */
export class Redaction {
  readonly document: number;
  readonly searches = signal<readonly MentionSearch[]>([]);
  readonly drawn = signal<readonly DrawnMark[]>([]);
  /** Whether the pages show what they will look like. */
  readonly isPreview = signal(false);
  readonly state = signal<"marking" | "sending" | "working">("marking");
  /** Why the request was refused, for people. */
  readonly problem = signal("");
  readonly outcome = signal<Outcome | null>(null);
  /** The copy that is being made or was made, with the address of its page; null for none. */
  readonly copy = signal<{ id: number; address: string } | null>(null);
  /** Searches for the words of the last redaction in its result: run by {@link Redaction.searchAgain}. */
  readonly again = signal<readonly MentionSearch[]>([]);
  readonly #client: Client;
  /** The work that was accepted last; null for none. */
  #work: FileWork | null = null;

  readonly boxes = computed<readonly RedactedBox[]>(() => [
    ...this.searches.value.flatMap((search) => search.boxes()),
    ...this.drawn.value.map(({ page, box }) => ({ ...box, page_number: page - 1 })),
  ]);
  /** The number of marks: a mention may need several boxes. */
  readonly markCount = computed(
    () =>
      this.searches.value.reduce((sum, { ticked }) => sum + ticked.value.length, 0) + this.drawn.value.length,
  );
  readonly pageCount = computed(() => new Set(this.boxes.value.map(({ page_number }) => page_number)).size);
  readonly isTooMuch = computed(() => this.boxes.value.length > maxBoxes);

  constructor(client: Client, document: number) {
    this.#client = client;
    this.document = document;
  }

  /** Lists the mentions of words, or of a kind. What is listed already is searched for again. */
  async find(sought: Sought): Promise<MentionSearch> {
    const search = new MentionSearch(this.#client, this.document, sought);
    const others = this.searches.value.filter((other) => !other.isAbout(sought));
    this.searches.value = [...others, search];
    await search.run();
    return search;
  }

  drop(search: MentionSearch): void {
    search.stop();
    this.searches.value = this.searches.value.filter((other) => other !== search);
  }

  /** Queues the redaction, and calls `onAccepted` if it was accepted. If not, nothing has changed. */
  async apply(onAccepted: () => void): Promise<void> {
    await this.#send(async () => {
      const work = new FileWork(this.#client, this.document, "redacted");
      await work.begin();
      await this.#client.send("POST", `documents/${this.document}/redactions/`, this.boxes.value);
      this.#work = work;
      onAccepted();
      this.state.value = "working";
    });
  }

  /**
   * Queues a redacted copy. The document and the marks stay. Its own page shows what becomes of the copy; if
   * `onAccepted` is given, it gets the id of the copy, and {@link Redaction.conclude} reads that as well.
   */
  async makeCopy({ access, hidesOriginal }: CopyChoices, onAccepted?: (copy: number) => void): Promise<void> {
    await this.#send(async () => {
      const wanted: RequestedCopy = {
        redactions: [...this.boxes.value],
        access,
        ...(hidesOriginal && { original_access: "private" }),
      };
      const path = `documents/${this.document}/redacted_copies/`;
      const { id } = (await this.#client.send("POST", path, wanted)) as { id: number };
      this.copy.value = { id, address: this.#client.pageAddress(`documents/${id}/`) };
      this.state.value = onAccepted === undefined ? "marking" : "working";
      if (onAccepted === undefined) return;
      this.#work = new FileWork(this.#client, id, "redacted");
      onAccepted(id);
    });
  }

  async #send(request: () => Promise<void>): Promise<void> {
    if (this.isTooMuch.value) {
      this.problem.value = texts.redact.tooMany(this.boxes.value.length, maxBoxes);
      return;
    }
    batch(() => {
      this.problem.value = "";
      this.copy.value = null;
      this.outcome.value = null;
      this.again.value = [];
      this.state.value = "sending";
    });
    try {
      await request();
    } catch (error) {
      this.problem.value = reasonOf(error);
      this.state.value = "marking";
    }
  }

  /** Cancels the work. {@link Redaction.conclude} then reads that it was stopped. */
  async cancel(): Promise<void> {
    this.problem.value = "";
    try {
      await this.#client.send("DELETE", `documents/${this.document}/process/`);
    } catch (error) {
      this.problem.value = reasonOf(error);
    }
  }

  /** Reads the result, once the work has ended. After a success the marks are gone; after a failure they stay. */
  async conclude(): Promise<void> {
    if (this.state.value !== "working" || this.#work === null) return;
    this.state.value = "sending";
    try {
      const outcome = outcomeOf(await this.#work.end(), this.copy.value !== null);
      batch(() => {
        this.outcome.value = outcome;
        this.state.value = "marking";
        if (!outcome.isDone) return;
        this.again.value = this.searches.value.map(
          ({ sought }) => new MentionSearch(this.#client, this.document, sought),
        );
        this.searches.value = [];
        this.drawn.value = [];
        this.isPreview.value = false;
      });
    } catch (error) {
      this.problem.value = reasonOf(error);
      this.state.value = "marking";
    }
  }

  /** Searches for the words of the last redaction in its result. */
  async searchAgain(): Promise<void> {
    await Promise.all(this.again.peek().map((search) => search.run()));
  }
}

/** "Page 3, 12 % from the left, …" */
export function markInWords({ page, box }: DrawnMark): string {
  return texts.box.rectangleOnPage(page, boxInWords(box));
}

/** What a redaction has not changed although it has the words, in sentences. */
export function leftoversOf(record: DocumentRecord, words: string): string[] {
  const parts = partsWith(record, words);
  return [
    ...(parts.length > 0 ? [texts.redact.stillIn(words, parts)] : []),
    ...(hasWords(record.slug, words) ? [texts.redact.inAddress(words)] : []),
  ];
}

/** The parts of a record, other than its pages, that have the words. */
function partsWith(record: DocumentRecord, words: string): string[] {
  const has = (value: unknown): boolean => hasWords(value, words);
  return [
    ...(has(record.title) ? [texts.redact.parts.title] : []),
    ...describingNames
      .filter((name) => has(record[name]))
      .map((name) => texts.redact.aText(texts.describing[name])),
    ...(has(record.data) ? [texts.redact.parts.data] : []),
    ...record.notes
      .filter(({ title, content_html }) => has(title) || has(content_html))
      .map(({ page_number }) => texts.redact.aNote(page_number + 1)),
    ...record.sections
      .filter(({ title }) => has(title))
      .map(({ page_number }) => texts.redact.aSection(page_number + 1)),
  ];
}

function hasWords(value: unknown, words: string): boolean {
  return ` ${plain(JSON.stringify(value ?? ""))}`.includes(` ${plain(words.replaceAll("*", ""))}`);
}

/** A text without case, accents and punctuation. */
function plain(text: string): string {
  return text
    .normalize("NFKD")
    .replaceAll(/\p{M}/gu, "")
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, " ")
    .trim();
}

import { batch, computed, effect, signal } from "@preact/signals";
import type { RedactionReason } from "../../contract/withheld.ts";
import type { Redaction as RedactedBox, RequestedCopy, RequestedRedaction } from "../../contract/work.ts";
import { maxBoxes } from "../../contract/limits.ts";
import type { DocumentFamily } from "../../contract/family.ts";
import type { Page } from "../../contract/shape.ts";
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
  /** The code of the reason why; without it, that of the whole redaction. */
  purpose?: string;
}

/** What is drawn besides the boxes. */
export interface DrawnChoices {
  /** Whether boxes show the codes of their reasons. */
  showsReasons: boolean;
  /** Whether a last page lists what was withheld. */
  addsIndex: boolean;
}

/** What becomes of a redacted copy and of its original. */
export interface CopyChoices extends DrawnChoices {
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
  /** The reasons that there are; none until they have been read. */
  readonly reasons = signal<readonly RedactionReason[]>([]);
  /** The code of the reason of all marks that have none of their own; empty for none. */
  readonly purpose = signal("");
  /** How many documents a redaction in place removes, and leaves as they are; null until that is known. */
  readonly family = signal<DocumentFamily["redaction"] | null>(null);
  /** Some of the documents in this one that still have words which were hidden. */
  readonly parts = signal<readonly { title: string; address: string }[]>([]);
  readonly #client: Client;
  /** The hash of the PDF that the first mark was made on. */
  #fileHash = "";
  /** The work that was accepted last; null for none. */
  #work: FileWork | null = null;

  readonly boxes = computed<readonly RedactedBox[]>(() => [
    ...this.searches.value.flatMap((search) =>
      search.boxes().map((box) => this.#withReason(box, search.purpose.value)),
    ),
    ...this.drawn.value.map(({ page, box, purpose = "" }) =>
      this.#withReason({ ...box, page_number: page - 1 }, purpose),
    ),
  ]);
  readonly hasReasons = computed(() => this.boxes.value.some(({ reason }) => reason !== undefined));
  /** The number of marks: a mention may need several boxes. */
  readonly markCount = computed(
    () =>
      this.searches.value.reduce((sum, { ticked }) => sum + ticked.value.length, 0) + this.drawn.value.length,
  );
  readonly pageCount = computed(() => new Set(this.boxes.value.map(({ page_number }) => page_number)).size);
  readonly isTooMuch = computed(() => this.boxes.value.length > maxBoxes);

  /** @param fileHash the hash of the document's PDF, as its reader sees it */
  constructor(client: Client, document: number, fileHash: () => string) {
    this.#client = client;
    this.document = document;
    effect(() => {
      if (this.markCount.value === 0) this.#fileHash = fileHash();
    });
  }

  /** Reads what a redaction in place does to the documents that are part of this one. */
  async loadFamily(): Promise<void> {
    try {
      const path = `documents/${this.document}/family/`;
      this.family.value = ((await this.#client.send("GET", path)) as DocumentFamily).redaction;
    } catch (error) {
      this.problem.value = reasonOf(error);
    }
  }

  async #loadParts(): Promise<void> {
    const ids = this.outcome.peek()?.parts.ids ?? [];
    if (ids.length === 0) return;
    const path = `documents/?id__in=${ids.join(",")}&per_page=100`;
    const { results } = (await this.#client.send("GET", path)) as Page<{
      title: string;
      canonical_url: string;
    }>;
    this.parts.value = results.map(({ title, canonical_url: address }) => ({ title, address }));
  }

  /** The page that redacts the same words in the parts that have them. */
  get partsAddress(): string {
    const ids = this.outcome.value?.parts.ids ?? [];
    const query = new URLSearchParams({ ids: ids.join(",") });
    for (const { sought } of this.again.value) if (typeof sought === "string") query.append("words", sought);
    return `${this.#client.pageAddress("redact/")}?${query.toString()}`;
  }

  #withReason(box: RedactedBox, own: string): RedactedBox {
    const reason = own === "" ? this.purpose.value : own;
    return reason === "" ? box : { ...box, reason };
  }

  /** Reads the reasons that there are. Without them, one can redact without a reason. */
  async loadReasons(): Promise<void> {
    if (this.reasons.peek().length > 0) return;
    this.reasons.value = await readReasons(this.#client);
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
  async apply(drawn: DrawnChoices, onAccepted: () => void): Promise<void> {
    await this.#send(async () => {
      const work = new FileWork(this.#client, this.document, "redacted");
      await work.begin();
      const wanted: RequestedRedaction = {
        redactions: [...this.boxes.value],
        ...this.#drawnOn(),
        ...drawnBesides(drawn),
      };
      await this.#client.send("POST", `documents/${this.document}/redactions/`, wanted);
      this.#work = work;
      onAccepted();
      this.state.value = "working";
    });
  }

  /**
   * Queues a redacted copy. The document and the marks stay. Its own page shows what becomes of the copy; if
   * `onAccepted` is given, it gets the id of the copy, and {@link Redaction.conclude} reads that as well.
   */
  async makeCopy(
    { access, hidesOriginal, ...drawn }: CopyChoices,
    onAccepted?: (copy: number) => void,
  ): Promise<void> {
    await this.#send(async () => {
      const wanted: RequestedCopy = {
        redactions: [...this.boxes.value],
        ...this.#drawnOn(),
        ...drawnBesides(drawn),
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

  #drawnOn(): Pick<RequestedRedaction, "file_hash"> {
    return this.#fileHash === "" ? {} : { file_hash: this.#fileHash };
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
      this.parts.value = [];
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
      await this.#loadParts();
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

/** The reasons that a redaction may have; none if they cannot be read. */
export async function readReasons(client: Client): Promise<readonly RedactionReason[]> {
  try {
    return (await client.send("GET", "redaction_reasons/")) as RedactionReason[];
  } catch {
    return [];
  }
}

function drawnBesides({
  showsReasons,
  addsIndex,
}: DrawnChoices): Omit<RequestedRedaction, "redactions" | "file_hash"> {
  return { ...(showsReasons && { show_reasons: true }), ...(addsIndex && { add_index: true }) };
}

/** "Page 3, 12 % from the left, …" */
export function markInWords({ page, box }: DrawnMark): string {
  return texts.box.rectangleOnPage(page, boxInWords(box));
}

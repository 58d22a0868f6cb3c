import { batch, computed, signal } from "@preact/signals";
import { bulkLimit, maxDocumentsToRedact, searchLimits } from "../../contract/limits.ts";
import type { DescribingName } from "../../contract/describing-fields.ts";
import type { DeskDocument, RefusedError } from "./desk-api.ts";
import { FoundDocuments } from "./found-documents.ts";
import { parametersOf } from "./list-query.ts";
import { ProgressFollower, isSettled } from "./progress-follower.ts";
import { texts } from "./texts.ts";

/** One more than the page that redacts words takes, so that it can say so. */
const maxRedacted = maxDocumentsToRedact + 1;
/** The maximum number of documents on one page of a search, and so of a selection of all that match. */
export const maxSelected = searchLimits.perPage;

/** What can be done with the selected documents. */
export type BulkAction = keyof typeof texts.actions | DescribingName;

/** The documents that match, the selection among them, and the actions on it. */
export class DocumentList extends FoundDocuments {
  /** Follows the documents whose files are read again. */
  readonly #follower = new ProgressFollower(this.api, ({ status }) => {
    if (isSettled(status)) void this.refresh();
  });
  /** The ids of the documents that the last action deleted and that can be brought back. */
  readonly restorable = signal<readonly number[]>([]);

  /** What the form does with the selected documents. */
  readonly action = signal<BulkAction>("access");

  // Selecting

  /** Selects this document alone, for an action on it. */
  choose(document: DeskDocument, action: BulkAction): void {
    batch(() => {
      this.selected.value = new Map([[document.id, document]]);
      this.action.value = action;
    });
  }

  /** The selected documents that the person may change. */
  readonly changeable = computed(() =>
    [...this.selected.value.values()].filter(({ edit_access }) => edit_access),
  );

  /** Those among them that are not public, whose publication can be planned. */
  readonly unpublished = computed(() => this.changeable.value.filter(({ access }) => access !== "public"));

  /** Selects the documents of all pages, up to {@link maxSelected}. */
  async selectAll(): Promise<void> {
    const query = this.query.peek();
    const parameters = parametersOf(query);
    parameters.set("sort", query.sort);
    parameters.set("per_page", String(maxSelected));
    try {
      const { results } = await this.api.search(parameters);
      if (this.query.peek() !== query) return;
      this.selected.value = new Map(results.map((document) => [document.id, document]));
    } catch (error) {
      this.refuse(error);
    }
  }

  // Changing

  /** The address of the page that redacts words in the selected documents. */
  redactAddress(): string {
    const ids = this.changeable.peek().map(({ id }) => id);
    return this.api.pageAddress(`redact/?ids=${ids.slice(0, maxRedacted).join(",")}`);
  }

  /** Sets these fields in all selected documents. */
  change(fields: Record<string, unknown>): Promise<RefusedError | null> {
    return this.#forSelected(texts.changed, (ids) => this.#patch(ids, fields));
  }

  /** Makes the selected documents public at this moment, in ISO 8601; null cancels what was planned. */
  planPublication(moment: string | null): Promise<RefusedError | null> {
    const ids = this.unpublished.peek().map(({ id }) => id);
    return this.actOn(ids, texts.changed, (some) => this.#patch(some, { publish_at: moment }));
  }

  #patch(ids: readonly number[], fields: Record<string, unknown>): Promise<unknown> {
    return this.api.send(
      "PATCH",
      "documents/",
      ids.map((id) => ({ id, ...fields })),
    );
  }

  addToProject(project: number): Promise<RefusedError | null> {
    return this.#forSelected(texts.changed, (ids) =>
      this.api.send(
        "PATCH",
        `projects/${project}/documents/`,
        ids.map((document) => ({ document })),
      ),
    );
  }

  /** Adds a value under a key to the custom data of the selected documents. */
  addData(key: string, value: string): Promise<RefusedError | null> {
    const name = encodeURIComponent(key);
    return this.#forSelected(
      texts.changed,
      ([id]) => this.api.send("PATCH", `documents/${id}/data/${name}/`, { values: [value] }),
      1,
    );
  }

  /** Loads the page again once the file of a document has been read, or has failed again. */
  followReading(id: number): void {
    this.#follower.follow(id);
  }

  process(): Promise<RefusedError | null> {
    return this.#forSelected(texts.changed, (ids) => this.api.send("POST", "documents/process/", { ids }));
  }

  async remove(): Promise<RefusedError | null> {
    const { trashDays } = this.api.options;
    const deleted = new Set<number>();
    // Documents without a file are not kept in the trash.
    const kept = [...this.selected.peek().values()].filter(
      ({ status }) => trashDays > 0 && status !== "nofile",
    );
    const refusal = await this.#forSelected(texts.deleted, async (ids) => {
      await this.api.send("DELETE", `documents/?id__in=${ids.join(",")}`);
      for (const id of ids) deleted.add(id);
    });
    this.restorable.value = kept.map(({ id }) => id).filter((id) => deleted.has(id));
    return refusal;
  }

  /** Brings back the documents that were just deleted. */
  async undoRemoval(): Promise<void> {
    const ids = this.restorable.peek();
    try {
      for (let start = 0; start < ids.length; start += bulkLimit)
        await this.api.send("POST", "documents/trash/restore/", {
          ids: ids.slice(start, start + bulkLimit),
        });
      this.notify(texts.broughtBack(ids.length));
    } catch (error) {
      this.refuse(error);
    }
    await this.refresh();
  }

  /** Loads the page again after a document was saved, and says so. */
  async noteSaved(title: string): Promise<void> {
    await this.refresh();
    this.notify(texts.saved(title));
  }

  override notify(text: string, isProblem = false): void {
    batch(() => {
      super.notify(text, isProblem);
      this.restorable.value = [];
    });
  }

  /** Runs `act` for the selected documents that may be changed, `together` of them per call. */
  #forSelected(
    done: (count: number) => string,
    act: (ids: readonly number[]) => Promise<unknown>,
    together = bulkLimit,
  ): Promise<RefusedError | null> {
    const ids = this.changeable.peek().map(({ id }) => id);
    return this.actOn(ids, done, act, together);
  }
}

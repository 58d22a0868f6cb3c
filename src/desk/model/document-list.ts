import { batch, computed, signal } from "@preact/signals";
import { type DeskApi, type DeskDocument, type RefusedError, pathIn } from "./desk-api.ts";
import { type ProgressEvent, ProgressFollower, isSettled } from "./progress-follower.ts";
import { texts } from "./texts.ts";

export interface ListQuery {
  q: string;
  whose: "mine" | "all";
  /** An empty text means no filter. */
  access: string;
  status: string;
  project: string;
  ordering: string;
}

/** A page of the list of documents, or of a search. */
interface ListPage {
  results: (Omit<DeskDocument, "id"> & { id: number | string })[];
  next: string | null;
  previous: string | null;
}

/** The maximum number of documents that the API changes in one request. */
const maxTogether = 25;

/** The documents on the page, the selection, and the actions on it. */
export class DocumentList {
  readonly #api: DeskApi;
  readonly #follower: ProgressFollower;
  /** The pages of the list before this one, as paths below the root of the API. */
  readonly #before = signal<readonly string[]>([]);
  #path = "";
  #loads = 0;

  readonly query = signal<ListQuery>({
    q: "",
    whose: "mine",
    access: "",
    status: "",
    project: "",
    ordering: "-created_at",
  });
  readonly documents = signal<readonly DeskDocument[]>([]);
  readonly next = signal<string | null>(null);
  readonly hasPrevious = computed(() => this.#before.value.length > 0);
  readonly isLoading = signal(true);
  readonly selected = signal<ReadonlySet<number>>(new Set());
  /** The result of the last action. */
  readonly message = signal<{ text: string; isProblem: boolean }>({ text: "", isProblem: false });
  /** The ids of the documents that the last action deleted and that can be brought back. */
  readonly restorable = signal<readonly number[]>([]);

  constructor(api: DeskApi) {
    this.#api = api;
    this.#follower = new ProgressFollower(api, (event) => void this.#onProgress(event));
  }

  /** Changes the query, and shows the first page of its results. */
  async show(change: Partial<ListQuery> = {}): Promise<void> {
    this.query.value = { ...this.query.peek(), ...change };
    this.#before.value = [];
    await this.#load(this.#firstPath());
  }

  async showNext(): Promise<void> {
    const next = this.next.peek();
    if (next === null) return;
    this.#before.value = [...this.#before.peek(), this.#path];
    await this.#load(next);
  }

  async showPrevious(): Promise<void> {
    const path = this.#before.peek().at(-1);
    if (path === undefined) return;
    this.#before.value = this.#before.peek().slice(0, -1);
    await this.#load(path);
  }

  #firstPath(): string {
    const { q, whose, access, status, project, ordering } = this.query.peek();
    const isSearch = q.trim() !== "";
    const parameters = new URLSearchParams({ per_page: "25" });
    const add = (name: string, value: string): void => {
      if (value !== "") parameters.set(name, value);
    };
    add("q", q.trim());
    add("user", whose === "mine" ? String(this.#api.options.user) : "");
    add("access", access);
    add("status", status);
    add("project", project);
    // A search has the best matches first.
    if (!isSearch) add("ordering", ordering);
    return `documents/${isSearch ? "search/" : ""}?${parameters}`;
  }

  async #load(path: string): Promise<void> {
    this.#loads += 1;
    const load = this.#loads;
    this.#path = path;
    this.isLoading.value = true;
    try {
      const { results, next } = await this.#api.get<ListPage>(path);
      // Another page was requested meanwhile.
      if (load !== this.#loads) return;
      batch(() => {
        this.documents.value = results.map((one) => Object.assign(one, { id: Number(one.id) }));
        this.next.value = next === null ? null : pathIn(next);
        this.selected.value = new Set();
        this.isLoading.value = false;
      });
      for (const { id, status } of this.documents.peek()) if (!isSettled(status)) this.#follower.follow(id);
    } catch (error) {
      if (load !== this.#loads) return;
      this.isLoading.value = false;
      this.#tell((error as RefusedError).message, true);
    }
  }

  #tell(text: string, isProblem = false): void {
    batch(() => {
      this.message.value = { text, isProblem };
      this.restorable.value = [];
    });
  }

  async #onProgress({ id, status }: ProgressEvent): Promise<void> {
    const shown = this.documents.peek().find((document) => document.id === id);
    if (shown === undefined || shown.status === status) return;
    const fresh = await this.#api.get<DeskDocument>(`documents/${id}/`).catch(() => null);
    if (fresh !== null) this.#replace(fresh);
  }

  #replace(fresh: DeskDocument): void {
    this.documents.value = this.documents
      .peek()
      .map((document) => (document.id === fresh.id ? fresh : document));
  }

  // Selecting

  readonly selectable = computed(() => this.documents.value.filter(({ edit_access }) => edit_access));

  toggle(id: number): void {
    const selected = new Set(this.selected.peek());
    if (!selected.delete(id)) selected.add(id);
    this.selected.value = selected;
  }

  toggleAll(): void {
    const all = this.selectable.peek().map(({ id }) => id);
    this.selected.value = this.selected.peek().size === all.length ? new Set() : new Set(all);
  }

  // Changing

  /** Sets these fields in all selected documents. */
  change(fields: Record<string, unknown>): Promise<void> {
    return this.#forSelected(texts.changed, (ids) =>
      this.#api.send(
        "PATCH",
        "documents/",
        ids.map((id) => ({ id, ...fields })),
      ),
    );
  }

  addToProject(project: number): Promise<void> {
    return this.#forSelected(texts.changed, (ids) =>
      this.#api.send(
        "PATCH",
        `projects/${project}/documents/`,
        ids.map((document) => ({ document })),
      ),
    );
  }

  /** Adds a value under a key to the custom data of the selected documents. */
  addData(key: string, value: string): Promise<void> {
    const name = encodeURIComponent(key);
    return this.#forSelected(
      texts.changed,
      ([id]) => this.#api.send("PATCH", `documents/${id}/data/${name}/`, { values: [value] }),
      1,
    );
  }

  process(): Promise<void> {
    return this.#forSelected(texts.changed, (ids) => this.#api.send("POST", "documents/process/", { ids }));
  }

  async remove(): Promise<void> {
    const { trashDays } = this.#api.options;
    const deleted = new Set<number>();
    // Documents without a file are not kept in the trash.
    const kept = this.documents.peek().filter(({ status }) => trashDays > 0 && status !== "nofile");
    await this.#forSelected(texts.deleted, async (ids) => {
      await this.#api.send("DELETE", `documents/?id__in=${ids.join(",")}`);
      for (const id of ids) deleted.add(id);
    });
    this.restorable.value = kept.map(({ id }) => id).filter((id) => deleted.has(id));
  }

  /** Brings back the documents that were just deleted. */
  async undoRemoval(): Promise<void> {
    const ids = this.restorable.peek();
    try {
      for (let start = 0; start < ids.length; start += maxTogether)
        await this.#api.send("POST", "documents/trash/restore/", {
          ids: ids.slice(start, start + maxTogether),
        });
      this.#tell(texts.broughtBack(ids.length));
    } catch (error) {
      this.#tell((error as RefusedError).message, true);
    }
    await this.#load(this.#path);
  }

  /** Saves one document. @throws {RefusedError} */
  async save(id: number, fields: Record<string, unknown>): Promise<void> {
    const fresh = (await this.#api.send("PATCH", `documents/${id}/`, fields)) as DeskDocument;
    this.#replace(fresh);
    this.#tell(texts.saved(fresh.title));
  }

  /** Runs `act` for the selected documents, `together` of them per call, then loads the page again. */
  async #forSelected(
    done: (count: number) => string,
    act: (ids: readonly number[]) => Promise<unknown>,
    together = maxTogether,
  ): Promise<void> {
    const ids = [...this.selected.peek()];
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
    await this.#load(this.#path);
    if (problem === null) this.#tell(done(count));
    else this.#tell(texts.partly(count, ids.length, problem), true);
  }
}

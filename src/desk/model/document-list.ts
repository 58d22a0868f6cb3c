import { type Signal, batch, computed, signal } from "@preact/signals";
import type { ProgressOfDocument } from "../../contract/work.ts";
import type { Facet } from "../../contract/search.ts";
import type { Named } from "../../contract/project.ts";
import type { Page } from "../../contract/shape.ts";
import { bulkLimit, pageLimits, searchLimits } from "../../contract/limits.ts";
import { type DeskApi, type DeskDocument, reasonOf } from "./desk-api.ts";
import {
  type ListQuery,
  addressOf,
  byScore,
  facetFields,
  facetOf,
  newestFirst,
  parametersOf,
  readAddress,
  unknownFields,
} from "./list-query.ts";
import { ProgressFollower, isSettled } from "./progress-follower.ts";
import { maxDocuments } from "./redaction-batch.ts";
import { SelectableList } from "./selectable-list.ts";
import { texts } from "./texts.ts";

/** One more than the page that redacts words takes, so that it can say so. */
const maxRedacted = maxDocuments + 1;
const perPage = pageLimits.usual;
/** The maximum number of documents on one page of a search, and so of a selection of all that match. */
export const maxSelected = searchLimits.perPage;
const { page: maxPage, facets: maxFacets } = searchLimits;

/** What the API said about a query besides the documents. */
export interface Reading {
  /** In words, for the person. */
  notes: readonly string[];
  /** The query with other spellings, if it finds nothing as it is; or null. */
  suggestion: string | null;
}

const textOfName = ({ title = "", name = "", username = "" }: Named): string => title || name || username;

/** The parts of the browser's window that keep the address of the list. */
type ListWindow = Pick<Window, "location" | "history" | "addEventListener">;

/** The documents on the page, the selection, and the actions on it. */
export class DocumentList extends SelectableList<DeskDocument> {
  readonly #api: DeskApi;
  readonly #page: ListWindow;
  readonly #follower: ProgressFollower;
  /** The keys of data that the documents found last have, the most frequent first. */
  #dataKeys: readonly string[] = [];
  #loads = 0;
  #refreshing: Promise<void> | null = null;
  /** Whether the query has changed since documents were last loaded. */
  #isOther = false;
  #isOutdated = false;

  readonly query: Signal<ListQuery> = signal(readAddress(""));
  /** The number of documents that match. */
  readonly count = signal(0);
  readonly facets = signal<Readonly<Record<string, Facet>>>({});
  readonly reading = signal<Reading>({ notes: [], suggestion: null });
  /** The number of the first document on the page, from 1. */
  readonly firstShown = computed(() => (this.query.value.page - 1) * perPage + 1);
  readonly hasNext = signal(false);
  readonly hasPrevious = computed(() => this.query.value.page > 1);
  /** Whether the list is that of all documents of the person. */
  readonly isOwn = computed(
    () => addressOf({ ...this.query.value, sort: newestFirst, page: 1 }) === addressOf(this.#own),
  );
  readonly isLoading = signal(true);
  /** The names of users, organizations and projects that are filtered by and that no document found has. */
  readonly #names = signal<ReadonlyMap<string, string>>(new Map());
  /** The ids of the documents that the last action deleted and that can be brought back. */
  readonly restorable = signal<readonly number[]>([]);

  constructor(api: DeskApi, page: ListWindow = window) {
    super();
    this.#api = api;
    this.#page = page;
    this.#follower = new ProgressFollower(api, (event) => this.#onProgress(event));
  }

  // Finding

  /**
   * Shows what the page's address says, now and whenever the person goes back or forward. An address without a query
   * means the person's own documents.
   */
  async followAddress(): Promise<void> {
    const { location, history } = this.#page;
    this.#page.addEventListener("popstate", () => void this.#open(readAddress(location.search)));
    const isBare = location.search === "";
    const query = isBare ? this.#own : readAddress(location.search);
    if (isBare) history.replaceState(null, "", addressOf(query));
    await this.#open(query);
  }

  get #own(): ListQuery {
    return { ...readAddress(""), filters: { user: [String(this.#api.options.user)] } };
  }

  /** Shows the results of another query, from the first page on. */
  async show(change: Partial<ListQuery>): Promise<void> {
    const query = { ...this.query.peek(), page: 1, ...change };
    const { location, history } = this.#page;
    if (addressOf(query) !== location.search) history.pushState(null, "", addressOf(query));
    await this.#open(query);
  }

  /** Searches for these words. The first ones put the best matches first, and without any the newest come first. */
  search(q: string): Promise<void> {
    const { q: before, sort } = this.query.peek();
    const hadWords = before.trim() !== "";
    const hasWords = q.trim() !== "";
    if (!hadWords && hasWords) return this.show({ q, sort: byScore });
    return this.show({ q, sort: !hasWords && sort === byScore ? newestFirst : sort });
  }

  /** Adds a value of a field to the filters, or removes it. */
  toggleFilter(field: string, value: string): Promise<void> {
    const { filters } = this.query.peek();
    const before = filters[field] ?? [];
    const values = before.includes(value) ? before.filter((other) => other !== value) : [...before, value];
    const { [field]: _, ...others } = filters;
    return this.show({ filters: values.length === 0 ? others : { ...filters, [field]: values } });
  }

  turnPage(by: 1 | -1): Promise<void> {
    if (by === 1 ? !this.hasNext.peek() : !this.hasPrevious.peek()) return Promise.resolve();
    return this.show({ page: this.query.peek().page + by });
  }

  async #open(query: ListQuery): Promise<void> {
    const before = this.query.peek();
    batch(() => {
      this.query.value = query;
      // A person may turn pages to select more.
      if (addressOf({ ...before, page: 1 }) !== addressOf({ ...query, page: 1 })) {
        this.selected.value = new Map();
        this.#isOther = true;
      }
      this.isLoading.value = true;
      this.message.value = { text: "", isProblem: false };
    });
    await this.#load();
  }

  async #load(): Promise<void> {
    this.#loads += 1;
    const load = this.#loads;
    const query = this.query.peek();
    try {
      const [found, own] = await Promise.all([this.#find(query), this.#countChosen(query)]);
      // Another page was requested meanwhile.
      if (load !== this.#loads) return;
      let keys: readonly string[] = [];
      const { results, count, next, escaped, explain, wildcards_ignored, suggestion } = found;
      batch(() => {
        // Documents of the query before were shown, and could be selected, until now.
        if (this.#isOther) this.selected.value = new Map();
        this.#isOther = false;
        this.documents.value = results;
        this.count.value = count;
        this.hasNext.value = next !== null && query.page < maxPage;
        const { data, ...facets } = found.facets ?? {};
        keys = data?.values.map(({ value }) => String(value)) ?? [];
        this.facets.value = { ...facets, ...own };
        this.reading.value = {
          notes: [
            ...unknownFields(query.q).map(texts.notAField),
            ...(escaped ? [texts.escaped(explain ?? "")] : []),
            ...(wildcards_ignored === true ? [texts.wildcardsIgnored] : []),
          ],
          suggestion: suggestion ?? null,
        };
        this.#renew(results);
        this.isLoading.value = false;
      });
      for (const { id, status } of results) if (!isSettled(status)) this.#follower.follow(id);
      await Promise.all([this.#countData(query, keys, load), this.#findNames(query)]);
    } catch (error) {
      if (load !== this.#loads) return;
      this.isLoading.value = false;
      this.tell(reasonOf(error), true);
    }
  }

  /** The name of a user, organization or project by which the list is filtered; undefined while it is unknown. */
  nameOf(field: "user" | "organization" | "project", id: string): string | undefined {
    const { user, userName } = this.#api.options;
    if (field === "user" && id === String(user)) return userName;
    const known = this.facets.value[field]?.values.find(({ value }) => String(value) === id);
    return known?.label ?? this.#names.value.get(`${field} ${id}`);
  }

  /** Finds the names of chosen users, organizations and projects that the counts do not have. */
  async #findNames({ filters }: ListQuery): Promise<void> {
    await Promise.all(
      (["user", "organization", "project"] as const).map(async (field) => {
        const ids = (filters[field] ?? []).filter(
          (id) => /^\d+$/.test(id) && this.nameOf(field, id) === undefined,
        );
        if (ids.length === 0) return;
        const { results } = await this.#api.get<Page<Named>>(
          `${field}s/?per_page=100&id__in=${ids.join(",")}`,
        );
        const found = results.map((one) => [`${field} ${one.id}`, textOfName(one)] as const);
        this.#names.value = new Map([...this.#names.peek(), ...found]);
      }),
    );
  }

  #find(query: ListQuery): ReturnType<DeskApi["search"]> {
    const parameters = parametersOf(query);
    parameters.set("sort", query.sort);
    parameters.set("per_page", String(perPage));
    parameters.set("version", "1.0");
    parameters.set("page", String(query.page));
    parameters.set("explain", "true");
    parameters.set("suggest", "true");
    const facets = [...facetFields.map(([facet]) => facet), "data", ...this.#dataFacets(query)];
    parameters.set("facets", facets.join(","));
    return this.#api.search(parameters);
  }

  #dataFacets({ filters }: ListQuery): string[] {
    const chosen = Object.keys(filters).filter((field) => field.startsWith("data_"));
    const all = new Set([...chosen, ...this.#dataKeys.map((key) => `data_${key}`)]);
    return [...all].slice(0, maxFacets - facetFields.length - 1);
  }

  /** Counts the values of each filtered field as if the field were not filtered: they are what else can be chosen. */
  async #countChosen(query: ListQuery): Promise<Record<string, Facet>> {
    const counted = Object.keys(query.filters).filter(
      (field) => field.startsWith("data_") || facetFields.some(([, other]) => other === field),
    );
    const facets = counted.map((field) => {
      const { [field]: _, ...filters } = query.filters;
      return this.#count({ ...query, filters }, [facetOf(field)]);
    });
    return Object.assign({}, ...(await Promise.all(facets))) as Record<string, Facet>;
  }

  /** Counts the values under keys of data that were not counted before. */
  async #countData(query: ListQuery, keys: readonly string[], load: number): Promise<void> {
    const before = new Set(this.#dataFacets(query));
    this.#dataKeys = keys;
    const added = this.#dataFacets(query).filter((facet) => !before.has(facet));
    if (added.length === 0) return;
    const facets = await this.#count(query, added);
    if (load === this.#loads) this.facets.value = { ...this.facets.peek(), ...facets };
  }

  async #count(query: ListQuery, facets: readonly string[]): Promise<Readonly<Record<string, Facet>>> {
    const parameters = parametersOf(query);
    parameters.set("per_page", "1");
    parameters.set("facets", facets.join(","));
    return (await this.#api.search(parameters)).facets ?? {};
  }

  // Following what changes

  #onProgress({ id, status }: ProgressOfDocument): void {
    const shown = this.documents.peek().find((document) => document.id === id);
    // The facets on the page may have been counted just before its documents were read.
    if (shown !== undefined && (shown.status !== status || isSettled(status))) void this.refresh();
  }

  /**
   * Loads the page again without a sign of it. Changes that arrive meanwhile are loaded together afterwards. Ends after
   * a load that began after the call.
   */
  refresh(): Promise<void> {
    this.#isOutdated = true;
    this.#refreshing ??= this.#loadUntilCurrent();
    return this.#refreshing;
  }

  async #loadUntilCurrent(): Promise<void> {
    while (this.#isOutdated) {
      this.#isOutdated = false;
      await this.#load();
    }
    this.#refreshing = null;
  }

  /** Replaces selected documents by what they are now. */
  #renew(fresh: readonly DeskDocument[]): void {
    const selected = this.selected.peek();
    if (!fresh.some(({ id }) => selected.has(id))) return;
    const renewed = new Map(fresh.map((document) => [document.id, document]));
    this.selected.value = new Map(
      Array.from(selected, ([id, document]) => [id, renewed.get(id) ?? document]),
    );
  }

  // Selecting

  /** The selected documents that the person may change. */
  readonly changeable = computed(() => [...this.selected.value.values()].filter((one) => one.edit_access));

  /** Those among them that are not public, whose publication can be planned. */
  readonly unpublished = computed(() => this.changeable.value.filter(({ access }) => access !== "public"));

  /** Selects the documents of all pages, up to {@link maxSelected}. */
  async selectAll(): Promise<void> {
    const query = this.query.peek();
    const parameters = parametersOf(query);
    parameters.set("sort", query.sort);
    parameters.set("per_page", String(maxSelected));
    try {
      const { results } = await this.#api.search(parameters);
      if (this.query.peek() !== query) return;
      this.selected.value = new Map(results.map((document) => [document.id, document]));
    } catch (error) {
      this.tell(reasonOf(error), true);
    }
  }

  // Changing

  /** The address of the page that redacts words in the selected documents. */
  redactAddress(): string {
    const ids = this.changeable.peek().map(({ id }) => id);
    return this.#api.pageAddress(`redact/?ids=${ids.slice(0, maxRedacted).join(",")}`);
  }

  /** Sets these fields in all selected documents. */
  change(fields: Record<string, unknown>): Promise<void> {
    return this.#forSelected(texts.changed, (ids) => this.#patch(ids, fields));
  }

  /** Makes the selected documents public at this moment, in ISO 8601; null cancels what was planned. */
  planPublication(moment: string | null): Promise<void> {
    const ids = this.unpublished.peek().map(({ id }) => id);
    return this.actOn(ids, texts.changed, (some) => this.#patch(some, { publish_at: moment }));
  }

  #patch(ids: readonly number[], fields: Record<string, unknown>): Promise<unknown> {
    return this.#api.send(
      "PATCH",
      "documents/",
      ids.map((id) => ({ id, ...fields })),
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
    const kept = [...this.selected.peek().values()].filter(
      ({ status }) => trashDays > 0 && status !== "nofile",
    );
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
      for (let start = 0; start < ids.length; start += bulkLimit)
        await this.#api.send("POST", "documents/trash/restore/", {
          ids: ids.slice(start, start + bulkLimit),
        });
      this.tell(texts.broughtBack(ids.length));
    } catch (error) {
      this.tell(reasonOf(error), true);
    }
    await this.refresh();
  }

  /** Saves one document. @throws {RefusedError} */
  async save(id: number, fields: Record<string, unknown>): Promise<void> {
    const { title } = (await this.#api.send("PATCH", `documents/${id}/`, fields)) as DeskDocument;
    await this.refresh();
    this.tell(texts.saved(title));
  }

  protected override tell(text: string, isProblem = false): void {
    batch(() => {
      super.tell(text, isProblem);
      this.restorable.value = [];
    });
  }

  /** Runs `act` for the selected documents that may be changed, `together` of them per call. */
  #forSelected(
    done: (count: number) => string,
    act: (ids: readonly number[]) => Promise<unknown>,
    together = bulkLimit,
  ): Promise<void> {
    const ids = this.changeable.peek().map(({ id }) => id);
    return this.actOn(ids, done, act, together);
  }
}

import { type Signal, batch, computed, signal } from "@preact/signals";
import type { ProgressOfDocument } from "../../contract/work.ts";
import { pageLimits, searchLimits } from "../../contract/limits.ts";
import type { SearchResults } from "../../contract/search.ts";
import { type DeskApi, type DeskDocument, type FoundPage, withNumbers } from "./desk-api.ts";
import {
  type ListQuery,
  addressOf,
  byScore,
  newestFirst,
  parametersOf,
  readAddress,
  unknownFields,
} from "./list-query.ts";
import { type Counts, FacetCounts } from "./facet-counts.ts";
import { ProgressFollower, isSettled } from "./progress-follower.ts";
import { SelectableList } from "./selectable-list.ts";
import { texts } from "./texts.ts";

const perPage = pageLimits.usual;
const { page: maxPage } = searchLimits;

/** How the API understood a query. */
export interface QueryRemarks {
  /** In words, for the person. */
  notes: readonly string[];
  /** The query with other spellings, if it finds nothing as it is; or null. */
  suggestion: string | null;
}

/** The parts of the browser's window that keep the address of the list. */
type ListWindow = Pick<Window, "location" | "history" | "addEventListener">;

/** The documents that match a query, page by page, as the page's address says. */
export class FoundDocuments extends SelectableList<DeskDocument> {
  readonly #page: ListWindow;
  readonly #follower: ProgressFollower;
  #refreshing: Promise<void> | null = null;
  /** Whether the query has changed since documents were last loaded. */
  #isOther = false;
  #isOutdated = false;

  readonly query: Signal<ListQuery> = signal(readAddress(""));
  /** The number of documents that match. */
  override readonly count = computed(() => this.answer.value?.count ?? 0);
  readonly facets: FacetCounts;
  readonly remarks = signal<QueryRemarks>({ notes: [], suggestion: null });
  /** The number of the first document on the page, from 1. */
  readonly firstShown = computed(() => (this.query.value.page - 1) * perPage + 1);
  override readonly hasNext = computed(
    () => (this.answer.value?.next ?? null) !== null && this.query.value.page < maxPage,
  );
  override readonly hasPrevious = computed(() => this.query.value.page > 1);
  /** Whether the list is that of all documents that there are, or of all documents of the person. */
  readonly isWhole = computed(() => {
    const address = addressOf({ ...this.query.value, sort: newestFirst, page: 1 });
    return address === addressOf(readAddress("")) || address === addressOf(this.own);
  });
  /** Completes the facets of the answer that the page has brought along; null without one. */
  readonly #complete: ReturnType<FacetCounts["take"]> | null;

  /** `brought` is the answer to the page's address, if the page has it already. */
  constructor(api: DeskApi, page: ListWindow = window, brought: SearchResults | null = null) {
    super(api, "documents/search/");
    this.facets = new FacetCounts(api);
    this.#page = page;
    this.#follower = new ProgressFollower(api, (event) => this.#onProgress(event));
    this.#complete = brought === null ? null : this.#adopt(withNumbers(brought));
  }

  // Finding

  /** Shows what the page's address says, now and whenever the person goes back or forward. */
  followAddress(): Promise<void> {
    const { location } = this.#page;
    this.#page.addEventListener("popstate", () => void this.#open(readAddress(location.search)));
    const complete = this.#complete;
    if (complete === null) return this.#open(readAddress(location.search));
    return this.latest(
      () => this.facets.countChosen(this.query.peek()),
      async (chosen, isLatest) => {
        this.facets.add(chosen);
        await complete(isLatest);
      },
    );
  }

  /** The query for all documents of the person. */
  get own(): ListQuery {
    return { ...readAddress(""), filters: { user: [String(this.api.options.user)] } };
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

  override turnPage(by: 1 | -1): Promise<void> {
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
      this.notify("");
    });
    await this.#load();
  }

  #load(): Promise<void> {
    const query = this.query.peek();
    return this.latest(
      () => Promise.all([this.#find(query), this.facets.countChosen(query)]),
      async ([found, chosen], isLatest) => {
        await this.#take(query, found, chosen)(isLatest);
      },
    );
  }

  #adopt(found: FoundPage): ReturnType<FacetCounts["take"]> {
    const query = readAddress(this.#page.location.search);
    this.query.value = query;
    return this.#take(query, found, {});
  }

  /** Shows what was found. The returned function completes the facets. */
  #take(query: ListQuery, found: FoundPage, chosen: Counts): ReturnType<FacetCounts["take"]> {
    const complete = batch(() => {
      // Documents of the query before were shown, and could be selected, until now.
      if (this.#isOther) this.selected.value = new Map();
      this.#isOther = false;
      this.answer.value = found;
      this.remarks.value = remarksOn(query, found);
      this.#renew(found.results);
      this.isLoading.value = false;
      return this.facets.take(found.facets ?? {}, chosen, query);
    });
    for (const { id, status } of found.results) if (!isSettled(status)) this.#follower.follow(id);
    return complete;
  }

  #find(query: ListQuery): ReturnType<DeskApi["search"]> {
    const parameters = parametersOf(query);
    parameters.set("sort", query.sort);
    parameters.set("per_page", String(perPage));
    parameters.set("version", "1.0");
    parameters.set("page", String(query.page));
    parameters.set("explain", "true");
    parameters.set("suggest", "true");
    if (query.q.trim() !== "") parameters.set("hl", "true");
    parameters.set("facets", this.facets.parameterFor(query));
    return this.api.search(parameters);
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
  override refresh(): Promise<void> {
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
}

function remarksOn(
  { q }: ListQuery,
  { escaped, explain, wildcards_ignored, suggestion }: Awaited<ReturnType<DeskApi["search"]>>,
): QueryRemarks {
  return {
    notes: [
      ...unknownFields(q).map(texts.notAField),
      ...(escaped ? [texts.escaped(explain ?? "")] : []),
      ...(wildcards_ignored === true ? [texts.wildcardsIgnored] : []),
    ],
    suggestion: suggestion ?? null,
  };
}

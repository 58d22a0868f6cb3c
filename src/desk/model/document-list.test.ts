import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { FakeNetwork, FakeWindow, type PageRequest, type PageResponse } from "../../testing/fake-network.ts";
import type { DeskOptions } from "../../contract/page-options.ts";
import { DeskApi, type DeskDocument } from "./desk-api.ts";
import { DocumentList } from "./document-list.ts";

const options = { api: "/quire/api/", csrfToken: "", user: 1, userName: "Ada", trashDays: 30 } as DeskOptions;

const documentOf = (id: number, more: Partial<DeskDocument> = {}): DeskDocument =>
  ({
    id,
    title: `Document ${id}`,
    status: "success",
    access: "private",
    edit_access: true,
    ...more,
  }) as never;

const documentsOf = (count: number, first = 1): DeskDocument[] =>
  Array.from({ length: count }, (_, index) => documentOf(first + index));

/** A page of a search, as the API returns it. */
const found = (documents: readonly DeskDocument[], more: object = {}): PageResponse => ({
  body: {
    results: documents.map((document) => ({ ...document, id: String(document.id) })),
    count: documents.length,
    next: null,
    escaped: false,
    ...more,
  },
});

const parametersOf = ({ path }: PageRequest): URLSearchParams =>
  new URL(path, "http://quire.test").searchParams;
/** Whether a request is for the page of documents, not for counts or names beside it. */
const isForPage = (request: PageRequest): boolean =>
  request.path.includes("documents/search/?") && parametersOf(request).get("per_page") === "25";

let page: FakeWindow;
let network: FakeNetwork;
let list: DocumentList;

function start(address: string, respond: FakeNetwork["respond"]): void {
  page = new FakeWindow(address);
  network = new FakeNetwork(respond);
  list = new DocumentList(new DeskApi(options, network), page as never);
}

const shownIds = (): number[] => list.documents.peek().map(({ id }) => id);

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

describe("the page of documents that was requested last", () => {
  /** Pages of documents that arrive when a test says so. */
  let waiting: { page: string | null; respond: (response: PageResponse) => void }[];
  const requestsPages = (request: PageRequest): Promise<PageResponse> | PageResponse => {
    if (!isForPage(request)) return found([]);
    const { promise, resolve } = Promise.withResolvers<PageResponse>();
    waiting.push({ page: parametersOf(request).get("page"), respond: resolve });
    return promise;
  };

  beforeEach(() => {
    waiting = [];
    start("/documents/?q=tide", requestsPages);
  });

  it("stays, when an earlier one arrives after it", async () => {
    const earlier = list.show({ page: 2 });
    const later = list.show({ page: 3 });
    expect(waiting.map((one) => one.page)).toEqual(["2", "3"]);
    waiting[1]?.respond(found([documentOf(30)], { count: 51 }));
    await later;
    waiting[0]?.respond(found([documentOf(20)], { count: 99, next: "https://quire.test/api/?page=3" }));
    await earlier;
    expect([shownIds(), list.count.peek(), list.hasNext.peek()]).toEqual([[30], 51, false]);
    expect([list.isLoading.peek(), page.location.search]).toEqual([false, "?sort=created_at&page=3"]);
  });

  it("is awaited, when an earlier one arrives before it or fails", async () => {
    const earlier = list.show({ page: 2 });
    const failing = list.show({ page: 3 });
    const later = list.show({ page: 4 });
    waiting[0]?.respond(found([documentOf(20)]));
    waiting[1]?.respond({ status: 503 });
    await Promise.all([earlier, failing]);
    expect([shownIds(), list.isLoading.peek(), list.message.peek().text]).toEqual([[], true, ""]);
    waiting[2]?.respond({ status: 503 });
    await later;
    expect([list.isLoading.peek(), list.message.peek().isProblem]).toEqual([false, true]);
  });

  it("has its counts, when those of an earlier one arrive after it", async () => {
    const counts: ((response: PageResponse) => void)[] = [];
    const facets = { data: { values: [{ value: "kind", count: 2 }], more: false } };
    start("/documents/", (request) => {
      if (isForPage(request)) return found([], { facets });
      return new Promise((respond) => {
        counts.push(respond);
      });
    });
    const earlier = list.show({ q: "a" });
    await vi.waitUntil(() => counts.length === 1, 60_000);
    await list.show({ q: "b" });
    counts[0]?.(found([], { facets: { data_kind: { values: [], more: true } } }));
    await earlier;
    expect(list.facets.counts.peek()["data_kind"]).toBeUndefined();
  });
});

describe("the address", () => {
  it("means all documents where it has no query, and is answered by what the page has brought along", async () => {
    page = new FakeWindow("/documents/");
    network = new FakeNetwork(() => found([documentOf(2)]));
    const brought = found([documentOf(1)]).body as never;
    list = new DocumentList(new DeskApi(options, network), page as never, brought);
    expect([shownIds(), list.isLoading.peek(), list.isWhole.peek()]).toEqual([[1], false, true]);
    await list.followAddress();
    expect([page.location.search, network.requests.filter(isForPage)]).toEqual(["", []]);
    await list.refresh();
    expect(shownIds()).toEqual([2]);
    await list.show(list.own);
    expect([page.location.search, list.isWhole.peek()]).toEqual(["?user=1&sort=created_at", true]);
  });

  it("leads back to what was shown before, on the same page of it", async () => {
    start("/documents/?q=tide&sort=score&page=2", () =>
      found(documentsOf(25), { next: "https://quire.test/" }),
    );
    await list.followAddress();
    await list.turnPage(1);
    await list.search("");
    expect([list.query.peek().q, list.query.peek().sort, page.location.search]).toEqual([
      "",
      "created_at",
      "?sort=created_at",
    ]);
    page.history.back();
    expect([list.query.peek().q, list.query.peek().page]).toEqual(["tide", 3]);
    page.history.back();
    expect(list.query.peek().page).toBe(2);
    await vi.waitUntil(() => !list.isLoading.peek(), 60_000);
  });

  it("keeps the selection on other pages of a query, and drops it with another query", async () => {
    start("/documents/?q=tide", () => found(documentsOf(2), { next: "https://quire.test/" }));
    await list.followAddress();
    list.togglePage();
    await list.turnPage(1);
    expect(list.selected.peek().size).toBe(2);
    await list.toggleFilter("access", "public");
    expect(list.selected.peek().size).toBe(0);
  });

  it("drops what was selected of the query before while the other one was loading", async () => {
    const { promise, resolve } = Promise.withResolvers<PageResponse>();
    start("/documents/?q=tide", (request) =>
      parametersOf(request).get("q") === "ebb" ? promise : found([]),
    );
    await list.followAddress();
    const showing = list.show({ q: "ebb" });
    list.toggle(documentOf(1));
    resolve(found([documentOf(2)]));
    await showing;
    expect(list.selected.peek().size).toBe(0);
  });
});

describe("a page that changes while it is read", () => {
  it("is loaded again once for all changes that arrive during a load", async () => {
    const waiting: (() => void)[] = [];
    start("/documents/?q=tide", (request) => {
      if (!isForPage(request)) return found([]);
      return new Promise((respond) => {
        waiting.push(() => respond(found([documentOf(waiting.length)])));
      });
    });
    const refreshes = [list.refresh(), list.refresh(), list.refresh()];
    waiting[0]?.();
    await vi.waitUntil(() => waiting.length === 2, 60_000);
    waiting[1]?.();
    await Promise.all(refreshes);
    expect([waiting.length, shownIds()]).toEqual([2, [2]]);
  });

  it("shows the end of the work on a document, and selects it as it is then", async () => {
    let status: DeskDocument["status"] = "pending";
    start("/documents/?q=tide", () => found([documentOf(1, { status }), documentOf(2)]));
    await list.followAddress();
    list.togglePage();
    vi.runAllTimers();
    expect(network.streams.map(({ address }) => address)).toEqual([
      "/quire/api/documents/process/events/?id__in=1",
    ]);
    const loads = network.requests.length;
    network.streams[0]?.send("progress", { id: 1, status: "pending" });
    expect(network.requests).toHaveLength(loads);
    status = "success";
    network.streams[0]?.send("progress", { id: 1, status });
    await vi.waitUntil(() => list.documents.peek()[0]?.status === "success", 60_000);
    expect([...list.selected.peek().values()].map((one) => one.status)).toEqual(["success", "success"]);
  });
});

/** The list with these documents selected. */
async function select(documents: readonly DeskDocument[], respond: FakeNetwork["respond"]): Promise<void> {
  start("/documents/?q=tide", (request) => (request.method === "GET" ? found([]) : respond(request)));
  await list.followAddress();
  list.selected.value = new Map(documents.map((document) => [document.id, document]));
  network.requests.length = 0;
}

const changes = (): PageRequest[] => network.requests.filter(({ method }) => method !== "GET");

describe("a change of selected documents", () => {
  it("is sent for 25 documents at a time, and only for those that the person may change", async () => {
    await select([...documentsOf(60), documentOf(61, { edit_access: false })], () => ({ status: 204 }));
    await list.change({ access: "public" });
    expect(changes().map(({ body }) => (body as object[]).length)).toEqual([25, 25, 10]);
    expect(changes().flatMap(({ body }) => body)).toEqual(
      documentsOf(60).map(({ id }) => ({ id, access: "public" })),
    );
    expect(list.selected.peek().size).toBe(0);
  });

  it("that is refused leaves the rest selected", async () => {
    await select(documentsOf(60), ({ body }) =>
      (body as DeskDocument[]).some(({ id }) => id === 26) ? { status: 400, body: ["No."] } : {},
    );
    await list.change({ access: "public" });
    expect(changes()).toHaveLength(2);
    expect([...list.selected.peek().keys()]).toEqual(documentsOf(35, 26).map(({ id }) => id));
    expect(list.message.peek().text).toBe("Stopped after 25 of 60: No.");
  });

  it("plans the publication of those that are not public", async () => {
    await select([documentOf(1, { access: "public" }), documentOf(2)], () => ({}));
    await list.planPublication("2030-01-01T00:00:00Z");
    expect(changes().map(({ body }) => body)).toEqual([[{ id: 2, publish_at: "2030-01-01T00:00:00Z" }]]);
  });

  it("can be undone if it deleted them, for those that were deleted and are in the trash", async () => {
    const gone = [documentOf(99, { status: "nofile" }), ...documentsOf(60)];
    await select(gone, ({ method, path }) =>
      method === "DELETE" && path.includes("=50,") ? { status: 500 } : { status: 204 },
    );
    await list.remove();
    expect(list.restorable.peek()).toEqual(documentsOf(49).map(({ id }) => id));
    network.requests.length = 0;
    await list.undoRemoval();
    expect(changes().map(({ body }) => (body as { ids: number[] }).ids.length)).toEqual([25, 24]);
    expect([list.restorable.peek(), list.message.peek().isProblem]).toEqual([[], false]);
  });

  it("selects all that match only if the query is still the same when they arrive", async () => {
    const { promise, resolve } = Promise.withResolvers<PageResponse>();
    start("/documents/?q=tide", (request) =>
      parametersOf(request).get("per_page") === "1000" ? promise : found([]),
    );
    await list.followAddress();
    const selecting = list.selectAll();
    await list.show({ q: "ebb" });
    resolve(found(documentsOf(30)));
    await selecting;
    expect(list.selected.peek().size).toBe(0);
    await list.selectAll();
    expect(list.selected.peek().size).toBe(30);
  });

  it("goes to the page that redacts words below the path prefix, with one document more than it takes", () => {
    start("/documents/", () => found([]));
    list.selected.value = new Map(documentsOf(300).map((document) => [document.id, document]));
    const [address, ids = ""] = list.redactAddress().split("?ids=");
    expect([address, ids.split(",").length]).toEqual(["/quire/redact/", 201]);
  });
});

import { beforeEach, describe, expect, it } from "vitest";
import { FakeNetwork, type PageResponse } from "../../testing/fake-network.ts";
import type { DeskOptions } from "../../contract/page-options.ts";
import { DeskApi } from "./desk-api.ts";
import type { DeletedDocument } from "../../contract/document.ts";
import { Trash } from "./trash.ts";

const root = "https://example.org/quire/api/";

const deleted = (count: number, first = 1): DeletedDocument[] =>
  Array.from(
    { length: count },
    (_, index) =>
      ({ id: first + index, title: `Document ${first + index}`, deleted_by: 1 }) as DeletedDocument,
  );

const linkTo = (page: number | null): string | null =>
  page === null ? null : `${root}documents/trash/?page=${page}`;
const pageOf = (results: DeletedDocument[], next: number | null, previous: number | null): PageResponse => ({
  body: { count: 60, results, next: linkTo(next), previous: linkTo(previous) },
});

let network: FakeNetwork;
let trash: Trash;
let respond: FakeNetwork["respond"];

beforeEach(() => {
  network = new FakeNetwork((request) => respond(request));
  trash = new Trash(new DeskApi({ api: "/quire/api/", user: 1 } as DeskOptions, network));
});

const shownIds = (): number[] => trash.documents.peek().map(({ id }) => id);

describe("the pages of the trash", () => {
  it("follow the links of the API, below a path prefix", async () => {
    respond = ({ path }) =>
      path.endsWith("page=2") ? pageOf(deleted(1, 26), null, 1) : pageOf(deleted(25), 2, null);
    await trash.load();
    await trash.turnPage(-1);
    expect([trash.hasNext.value, trash.hasPrevious.value]).toEqual([true, false]);
    await trash.turnPage(1);
    expect([trash.hasNext.value, trash.hasPrevious.value]).toEqual([false, true]);
    expect(network.sent).toEqual([
      "GET /quire/api/documents/trash/",
      "GET /quire/api/documents/trash/?page=2",
    ]);
  });

  it("stay with the page that was requested last, when an earlier one arrives after it", async () => {
    const waiting: ((response: PageResponse) => void)[] = [];
    respond = () =>
      new Promise((answer) => {
        waiting.push(answer);
      });
    const earlier = trash.load("documents/trash/?page=2");
    const failing = trash.load("documents/trash/?page=3");
    const later = trash.load("documents/trash/?page=4");
    waiting[2]?.(pageOf(deleted(1, 76), null, 3));
    await later;
    waiting[0]?.(pageOf(deleted(25, 26), 3, 1));
    waiting[1]?.({ status: 503 });
    await Promise.all([earlier, failing]);
    expect([shownIds(), trash.hasNext.value, trash.isLoading.value]).toEqual([[76], false, false]);
    expect(trash.message.value.text).toBe("");
  });

  it("go back to the one before, when the last documents of the last page are gone", async () => {
    respond = ({ path }) => (path.endsWith("page=2") ? pageOf([], null, 1) : pageOf(deleted(25), null, null));
    await trash.load("documents/trash/?page=2");
    expect([shownIds().length, trash.isLoading.value]).toEqual([25, false]);
    await trash.refresh();
    expect(network.sent.at(-1)).toBe("GET /quire/api/documents/trash/?page=1");
  });

  it("say why they could not be loaded", async () => {
    respond = () => ({ status: 400, body: ["Wrong page."] });
    await trash.load();
    expect([trash.message.value, trash.isLoading.value]).toEqual([
      { text: "Wrong page.", isProblem: true },
      false,
    ]);
  });
});

describe("deleted documents", () => {
  it("are brought back 25 at a time; those that are left stay selected if that is refused", async () => {
    respond = ({ method, body }) => {
      if (method === "GET") return pageOf([], null, null);
      return (body as { ids: number[] }).ids.includes(26) ? { status: 409, body: ["Busy."] } : {};
    };
    trash.selected.value = new Map(deleted(60).map((one) => [one.id, one]));
    await trash.restoreSelected();
    const bodies = network.requests.filter(({ method }) => method === "POST").map(({ body }) => body);
    expect(bodies.map((body) => (body as { ids: number[] }).ids.length)).toEqual([25, 25]);
    expect([...trash.selected.peek().keys()]).toEqual(deleted(35, 26).map(({ id }) => id));
    expect(trash.message.value.text).toBe("Stopped after 25 of 60: Busy.");
  });

  it("have the names of those who deleted them, if the person may know them", async () => {
    const [own, first, second] = deleted(3);
    const users = [
      { id: 5, name: "Ben Okri", username: "ben" },
      { id: 6, name: "", username: "cleo" },
    ];
    const all = [own, { ...first, deleted_by: 5 }, { ...second, deleted_by: 6 }] as DeletedDocument[];
    respond = ({ path }) =>
      path.includes("/users/") ? { body: { results: users } } : pageOf(all, null, null);
    await trash.load();
    expect(network.sent.at(-1)).toBe("GET /quire/api/users/?per_page=100&id__in=5,6");
    expect([...trash.names.value]).toEqual([
      [5, "Ben Okri"],
      [6, "cleo"],
    ]);
  });
});

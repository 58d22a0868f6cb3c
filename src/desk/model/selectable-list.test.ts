import { describe, expect, it } from "vitest";
import { FakeNetwork } from "../../testing/fake-network.ts";
import type { DeskOptions } from "../../contract/page-options.ts";
import { DeskApi, RefusedError } from "./desk-api.ts";
import { bulkLimit } from "../../contract/limits.ts";
import { type ListPage, SelectableList } from "./selectable-list.ts";

interface Item {
  id: number;
}

const items = (count: number, first = 1): Item[] =>
  Array.from({ length: count }, (_, index) => ({ id: first + index }));

class TestList extends SelectableList<Item> {
  refreshes = 0;

  override refresh(): Promise<void> {
    this.refreshes += 1;
    return Promise.resolve();
  }

  /** Acts on all selected items. */
  act(act: (ids: readonly number[]) => Promise<unknown>, together?: number): Promise<RefusedError | null> {
    return this.actOn([...this.selected.peek().keys()], (count) => `${count} done.`, act, together);
  }
}

const newList = (respond: FakeNetwork["respond"] = () => ({})): TestList =>
  new TestList(new DeskApi({ api: "/quire/api/" } as DeskOptions, new FakeNetwork(respond)), "documents/");

const pageOf = (results: readonly Item[]): ListPage<Item> => ({ results, next: null, previous: null });

function listOf(count: number): TestList {
  const list = newList();
  list.answer.value = pageOf(items(count));
  list.togglePage();
  return list;
}

describe("an action on selected documents", () => {
  it("takes as many in one request as the API takes, 25, one request after the other", async () => {
    const list = listOf(60);
    const requests: number[][] = [];
    const said: string[] = [];
    let underWay = 0;
    await list.act(async (ids) => {
      underWay += 1;
      expect(underWay).toBe(1);
      requests.push([...ids]);
      said.push(list.message.peek().text);
      await Promise.resolve();
      underWay -= 1;
    });
    expect(requests.map(({ length }) => length)).toEqual([25, 25, 10]);
    expect(requests.flat()).toEqual(items(60).map(({ id }) => id));
    expect(said).toEqual([0, 25, 50].map((done) => `Done with ${done} of 60 documents so far.`));
    expect(list.message.peek()).toEqual({ text: "60 done.", isProblem: false });
    expect([list.selected.peek().size, list.isChanging.peek(), list.refreshes]).toEqual([0, false, 1]);
  });

  it("leaves selected what a refused request and those after it would have changed", async () => {
    const list = listOf(60);
    const requests: number[][] = [];
    await list.act((ids) => {
      requests.push([...ids]);
      return requests.length === 2 ? Promise.reject(new RefusedError(400, "No.")) : Promise.resolve();
    });
    expect(requests).toHaveLength(2);
    expect([...list.selected.peek().keys()]).toEqual(items(35, 26).map(({ id }) => id));
    expect(list.message.peek()).toMatchObject({ isProblem: true });
    expect(list.message.peek().text).toMatch(/25 of 60.*No\./);
    expect([list.isChanging.peek(), list.refreshes]).toEqual([false, 1]);
    await list.act((ids) => Promise.resolve(requests.push([...ids])));
    expect(requests.slice(1).flat()).toEqual([
      ...items(25, 26).map(({ id }) => id),
      ...items(35, 26).map(({ id }) => id),
    ]);
    expect(list.selected.peek().size).toBe(0);
  });

  it("keeps selected what was selected meanwhile, if it fails", async () => {
    const list = listOf(bulkLimit + 1);
    await list.act((ids) => {
      if (ids.length === 1) return Promise.reject(new RefusedError(500, "No."));
      list.toggle({ id: 1000 });
      return Promise.resolve();
    });
    expect([...list.selected.peek().keys()]).toEqual([26, 1000]);
  });

  it("has at most four requests at a time where each changes one document, and none after a refusal", async () => {
    const list = listOf(30);
    const begun: number[] = [];
    const ends: (() => void)[] = [];
    const acting = list.act(([id = 0]) => {
      begun.push(id);
      return new Promise<void>((resolve, reject) => {
        ends.push(() => (id === 5 ? reject(new RefusedError(400, "No.")) : resolve()));
      });
    }, 1);
    expect(begun).toEqual([1, 2, 3, 4]);
    for (let index = 0; index < ends.length; index++) {
      ends[index]?.();
      await new Promise((turned) => setTimeout(turned, 0));
      expect(begun.length - index - 1).toBeLessThanOrEqual(4);
    }
    await acting;
    expect(begun).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
    expect([...list.selected.peek().keys()]).toEqual([5, ...items(22, 9).map(({ id }) => id)]);
  });

  it("does nothing while another one is under way", async () => {
    const list = listOf(2);
    const { promise, resolve } = Promise.withResolvers<void>();
    const first = list.act(() => promise);
    let count = 0;
    await list.act(() => Promise.resolve((count += 1)));
    expect([count, list.isChanging.peek()]).toEqual([0, true]);
    resolve();
    await first;
    await list.act(() => Promise.resolve((count += 1)));
    // The first action has left nothing selected.
    expect([count, list.message.peek().text]).toEqual([0, "0 done."]);
  });
});

const link = (page: number): string => `https://example.org/quire/api/documents/?page=${page}`;
const shown = (list: TestList): number[] => list.documents.value.map(({ id }) => id);

const twoPages: FakeNetwork["respond"] = ({ path }) => ({
  body: path.includes("page=2")
    ? { results: [{ id: "3" }], next: null, previous: link(1), count: 3 }
    : { results: [{ id: "1" }, { id: "2" }], next: link(2), previous: null, count: 3 },
});

describe("the pages of a list", () => {
  it("are read from the path and the links of the API, with numbers as ids", async () => {
    const list = newList(twoPages);
    expect([list.count.value, list.isLoading.value, list.hasNext.value]).toEqual([null, true, false]);
    await list.load();
    expect([shown(list), list.count.value, list.isLoading.value]).toEqual([[1, 2], 3, false]);
    await list.turnPage(1);
    expect([shown(list), list.hasNext.value, list.hasPrevious.value]).toEqual([[3], false, true]);
    await list.turnPage(-1);
    await list.loadMore();
    expect(shown(list)).toEqual([1, 2, 3]);
  });

  it("are those of all items, also of the pages after the one that is shown", async () => {
    const list = newList(twoPages);
    await list.load();
    expect(await list.allIds()).toEqual([1, 2, 3]);
    expect(shown(list)).toEqual([1, 2]);
    await list.loadMore();
    expect(await list.allIds()).toEqual([1, 2, 3]);
  });
});

describe("the selection", () => {
  it("has documents of several pages, and is whole for a page only if all of it is selected", () => {
    const list = listOf(3);
    list.answer.value = pageOf(items(3, 4));
    expect(list.isPageSelected.value).toBe(false);
    list.toggle({ id: 4 });
    expect(list.isPageSelected.value).toBe(false);
    list.togglePage();
    expect(list.isPageSelected.value).toBe(true);
    expect([...list.selected.peek().keys()].toSorted((a, b) => a - b)).toEqual([1, 2, 3, 4, 5, 6]);
    list.togglePage();
    expect([...list.selected.peek().keys()]).toEqual([1, 2, 3]);
    list.deselect();
    expect(list.selected.peek().size).toBe(0);
  });

  it("is not whole for a page without documents", () => {
    expect(newList().isPageSelected.value).toBe(false);
  });
});

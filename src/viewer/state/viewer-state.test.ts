import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Note } from "../../contract/note.ts";
import { FakeNetwork, type PageResponse } from "../../testing/fake-network.ts";
import { Api, type DocumentRecord } from "../model/api.ts";
import { ViewerState } from "../state/viewer-state.ts";

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
});

let network: FakeNetwork;

/** A document with many pages in a window that shows one, on a server that responds like this. */
function open(pageCount: number, respond: FakeNetwork["respond"] = () => ({})): ViewerState {
  network = new FakeNetwork(respond);
  const api = new Api({ root: "/api/", files: "/files/", id: 7, imageType: null, network });
  const page_spec = `612x792:0-${pageCount - 1}`;
  const record = { page_count: pageCount, page_spec, notes: [], sections: [] };
  return new ViewerState(api, record as unknown as DocumentRecord);
}

it("keeps the latest scrolling, whose event has not arrived yet, when it corrects the scroll bar", () => {
  const viewer = open(30_000);
  const scroller = { scrollTop: 0, scrollLeft: 0, firstElementChild: null };
  viewer.scrolling.attach(scroller as unknown as HTMLElement, { width: 1000, height: 800 });
  viewer.scrolling.goTo(15_001);
  scroller.scrollTop += 100;
  viewer.scrolling.scrolled(scroller.scrollTop);
  scroller.scrollTop = viewer.scrolling.elementHeight - 800;
  vi.runAllTimers();
  expect(viewer.scrolling.page.value).toBe(30_000);
});

/** The pages that match, from 1, with two hits on each, as the API has them. */
const matching = (pages: readonly number[], count = pages.length): PageResponse => ({
  body: {
    count,
    results: pages.map((page) => ({
      page_number: page - 1,
      fragments: ["a <em>quay</em> and a <em>quay</em>"],
    })),
  },
});

describe("a search in a document", () => {
  it("goes to the first hit from the current page on, and around the ends from there", async () => {
    const viewer = open(10, () => matching([2, 5, 9]));
    viewer.scrolling.goTo(4);
    await viewer.search.find("quay");
    expect([viewer.search.currentHit.value, viewer.search.hitNumber.value]).toEqual([
      { page: 5, index: 0 },
      3,
    ]);
    const visited: unknown[] = [];
    for (let step = 0; step < 5; step++) {
      await viewer.search.step(1);
      visited.push([viewer.search.currentHit.value?.page, viewer.search.hitNumber.value]);
    }
    expect(visited).toEqual([
      [5, 4],
      [9, 5],
      [9, 6],
      [2, 1],
      [2, 2],
    ]);
    await viewer.search.step(-1);
    await viewer.search.step(-1);
    expect([viewer.search.currentHit.value, viewer.search.hitNumber.value]).toEqual([
      { page: 9, index: 1 },
      6,
    ]);
    expect(network.sent).toHaveLength(1);
  });

  it("starts at the first hit of all if no page after the current one has a hit", async () => {
    const viewer = open(10, () => matching([2]));
    viewer.scrolling.goTo(4);
    await viewer.search.find("quay");
    expect(viewer.search.currentHit.value?.page).toBe(2);
  });

  it("shows nothing of an earlier search whose answer arrives later", async () => {
    const waiting: ((response: PageResponse) => void)[] = [];
    const viewer = open(
      10,
      () =>
        new Promise((answer) => {
          waiting.push(answer);
        }),
    );
    const searches = ["quay", "tide", "ebb"].map((query) => viewer.search.find(query));
    waiting[2]?.(matching([3]));
    await searches[2];
    waiting[0]?.(matching([8]));
    waiting[1]?.({ status: 503 });
    await Promise.all(searches);
    expect(viewer.search.current.value).toMatchObject({ query: "ebb", state: "done" });
    expect(viewer.search.currentHit.value?.page).toBe(3);
    const last = viewer.search.find("quay");
    await viewer.search.find(" ");
    waiting[3]?.(matching([8]));
    await last;
    expect([viewer.search.current.value, viewer.search.currentHit.value]).toEqual([null, null]);
  });

  it("says why it failed, and finds nothing where nothing matches", async () => {
    const said: string[] = [];
    for (const response of [{ status: 400 }, { status: 503 }, matching([])]) {
      const viewer = open(10, () => response);
      await viewer.search.find("quay");
      await viewer.search.step(1);
      said.push(viewer.search.current.value?.state ?? "", viewer.announcement.value);
      expect(viewer.search.currentHit.value).toBeNull();
    }
    expect(said.filter((_, index) => index % 2 === 0)).toEqual(["failed", "failed", "done"]);
    expect(new Set(said).size).toBe(5);
  });

  it("stays at its hit, and says so, if the next ones cannot be read", async () => {
    const all = Array.from({ length: 150 }, (_, index) => index + 1);
    let isAway = false;
    const viewer = open(150, ({ path }) => {
      if (isAway) return { status: 503 };
      const chunk = Number(new URL(path, "http://quire.test").searchParams.get("page")) - 1;
      return matching(all.slice(chunk * 100, chunk * 100 + 100), 150);
    });
    await viewer.search.find("quay", 1);
    viewer.search.goToHit({ page: 100, index: 1 });
    expect([viewer.search.currentHit.value, viewer.search.hitPageNumber.value]).toEqual([
      { page: 100, index: 1 },
      100,
    ]);
    isAway = true;
    await viewer.search.step(1);
    expect(viewer.search.currentHit.value?.page).toBe(100);
    isAway = false;
    await viewer.search.step(1);
    expect([viewer.search.currentHit.value, viewer.search.hitPageNumber.value]).toEqual([
      { page: 101, index: 0 },
      101,
    ]);
    expect(network.sent).toHaveLength(3);
  });
});

describe("the zoom", () => {
  it("goes in steps to its limits, and keeps the page", () => {
    const viewer = open(100);
    viewer.scrolling.goTo(50);
    viewer.scrolling.setZoom(1);
    for (let step = 0; step < 20; step++) viewer.scrolling.zoomBy(1);
    expect([viewer.scrolling.zoom.value, viewer.scrolling.position().page]).toEqual([5, 50]);
    for (let step = 0; step < 20; step++) viewer.scrolling.zoomBy(-1);
    expect([viewer.scrolling.zoom.value, viewer.scrolling.position().page]).toEqual([0.25, 50]);
    viewer.scrolling.setZoom(100);
    expect(viewer.scrolling.zoom.value).toBe(6);
  });
});

const note = (id: number, title: string): Note => ({ id, title, page_number: 3, y1: null }) as Note;

describe("notes", () => {
  it("are added, replaced and dropped one by one", () => {
    const viewer = open(10);
    viewer.putNote(note(1, "Tides"));
    viewer.putNote(note(2, "Quays"));
    viewer.putNote(note(1, "Ebb"));
    expect(viewer.notesByPage.value.get(4)?.map(({ title }) => title)).toEqual(["Quays", "Ebb"]);
    viewer.goTo({ page: 1, note: 2 });
    expect([viewer.openNote.value, viewer.scrolling.page.value]).toEqual([2, 4]);
    viewer.goTo({ page: 9, note: 77 });
    expect([viewer.openNote.value, viewer.scrolling.page.value]).toEqual([2, 9]);
    viewer.dropNote(note(2, ""));
    expect([viewer.openNote.value, [...viewer.noteById.value.keys()]]).toEqual([null, [1]]);
  });
});

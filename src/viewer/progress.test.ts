import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { readViewerOptions } from "../contract/page-options.ts";
import { FakeNetwork, type PageResponse } from "../testing/fake-network.ts";
import { Api, type DocumentRecord } from "./model/api.ts";
import { ViewerState } from "./state/viewer-state.ts";
import { followProgress } from "./progress.ts";

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal("location", { pathname: "/documents/7-tides/" });
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

it("a refused stream of progress is opened again later, while the page may still say that work goes on", async () => {
  const pages: PageResponse[] = [{ status: 503 }, { status: 500 }, { status: 404 }];
  const network = new FakeNetwork(() => pages.shift() ?? {});
  const api = new Api({ root: "/api/", files: "/files/", id: 7, imageType: null, network });
  const record = { page_count: 1, page_spec: "612x792:0", notes: [], sections: [] };
  const options = readViewerOptions({
    document: "7",
    api: "/api/",
    files: "/files/",
    language: "",
    events: "",
  });
  followProgress(options, [], new ViewerState(api, record as unknown as DocumentRecord));
  for (const attempt of [1, 2, 3]) {
    expect(network.streams).toHaveLength(attempt);
    network.streams.at(-1)?.interrupt();
    network.streams.at(-1)?.refuse();
    await vi.runAllTimersAsync();
  }
  // The document is gone.
  expect(network.streams).toHaveLength(3);
  expect(network.sent).toEqual(Array.from({ length: 3 }, () => "GET /documents/7-tides/"));
});

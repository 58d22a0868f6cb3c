import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { ProgressOfDocument } from "../../contract/work.ts";
import { type FakeEventStream, FakeNetwork } from "../../testing/fake-network.ts";
import type { DeskOptions } from "../../contract/page-options.ts";
import { DeskApi } from "./desk-api.ts";
import { ProgressFollower } from "./progress-follower.ts";

let network: FakeNetwork;
let events: ProgressOfDocument[];
let follower: ProgressFollower;

beforeEach(() => {
  vi.useFakeTimers();
  network = new FakeNetwork(() => ({}));
  events = [];
  const api = new DeskApi({ api: "/quire/api/" } as DeskOptions, network);
  follower = new ProgressFollower(api, (event) => events.push(event));
});
afterEach(() => {
  vi.useRealTimers();
});

const settle = (stream: FakeEventStream | undefined, id: number): void =>
  stream?.send("progress", { id, status: "success", step: null, pages_done: null, pages: null });

/** The ids that a stream is about. */
const idsOf = (stream: FakeEventStream | undefined): number[] =>
  (new URL(stream?.address ?? "", "http://quire.test").searchParams.get("id__in") ?? "")
    .split(",")
    .map(Number);

const openStreams = (): FakeEventStream[] =>
  network.streams.filter(({ readyState, CLOSED }) => readyState !== CLOSED);

describe("documents that are being processed", () => {
  it("share one stream if they are followed at about the same time", () => {
    for (const id of [5, 6, 7]) follower.follow(id);
    vi.runAllTimers();
    expect(network.streams.map(({ address }) => address)).toEqual([
      "/quire/api/documents/process/events/?id__in=5,6,7",
    ]);
  });

  it("share it also with those of an earlier stream, which is closed", () => {
    follower.follow(5);
    vi.runAllTimers();
    follower.follow(6);
    vi.runAllTimers();
    expect(openStreams().map(idsOf)).toEqual([[5, 6]]);
    expect(network.streams).toHaveLength(2);
  });

  it("are at most a hundred in a stream; the others follow once those are settled", () => {
    const ids = Array.from({ length: 130 }, (_, index) => index + 1);
    for (const id of ids) follower.follow(id);
    vi.runAllTimers();
    expect(openStreams().map(idsOf)).toEqual([ids.slice(0, 100)]);
    for (const id of ids.slice(0, 99)) settle(network.streams[0], id);
    expect(network.streams).toHaveLength(1);
    settle(network.streams[0], 100);
    expect(openStreams().map(idsOf)).toEqual([ids.slice(100)]);
    for (const id of ids.slice(100)) settle(network.streams[1], id);
    expect(openStreams()).toEqual([]);
    expect(events.map(({ id }) => id)).toEqual(ids);
  });

  it("are followed until they are settled, whatever comes before", () => {
    follower.follow(5);
    vi.runAllTimers();
    const [stream] = network.streams;
    for (const status of ["nofile", "pending", "readable"])
      stream?.send("progress", { id: 5, status, step: null, pages_done: 1, pages: 2 });
    expect(openStreams()).toHaveLength(1);
    stream?.send("progress", { id: 5, status: "error", step: null, pages_done: null, pages: null });
    expect(openStreams()).toEqual([]);
    expect(events.map(({ status }) => status)).toEqual(["nofile", "pending", "readable", "error"]);
  });
});

describe("a stream", () => {
  it("that the server refuses is opened again later, as often as it takes", () => {
    follower.follow(5);
    vi.runAllTimers();
    for (const attempt of [1, 2, 3]) {
      expect(network.streams).toHaveLength(attempt);
      network.streams.at(-1)?.refuse();
      expect(network.streams).toHaveLength(attempt);
      vi.runAllTimers();
    }
    expect(openStreams().map(idsOf)).toEqual([[5]]);
    settle(network.streams.at(-1), 5);
    expect(events.map(({ id }) => id)).toEqual([5]);
  });

  it("that the server refuses is opened without the documents that are settled", () => {
    follower.follow(5);
    follower.follow(6);
    vi.runAllTimers();
    settle(network.streams[0], 5);
    network.streams[0]?.refuse();
    vi.runAllTimers();
    expect(openStreams().map(idsOf)).toEqual([[6]]);
  });

  it("that ends is left to the browser, which reconnects by itself", () => {
    follower.follow(5);
    vi.runAllTimers();
    network.streams[0]?.interrupt();
    vi.runAllTimers();
    expect(network.streams).toHaveLength(1);
    expect(openStreams()).toHaveLength(1);
  });
});

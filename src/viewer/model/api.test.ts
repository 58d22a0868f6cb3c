import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { FakeNetwork, type PageResponse } from "../../testing/fake-network.ts";
import { extensionsWith, fileKinds } from "../../file-kinds.ts";
import { Api, type DocumentRecord, isMail, isTable } from "./api.ts";
import { RefusedError } from "./send.ts";

const record = {
  id: 7,
  slug: "a report",
  file_hash: "abcdef0123456789",
  updated_at: "2025-01-31T12:00:00.000000Z",
} as DocumentRecord;

let network: FakeNetwork;
let api: Api;

beforeEach(() => {
  vi.useFakeTimers();
  network = new FakeNetwork(() => ({ body: [] }));
  api = new Api({ root: "/quire/api/", files: "/quire/files/", id: 7, imageType: "webp", network });
});
afterEach(() => {
  vi.useRealTimers();
});

/** Responds to one request after the other with these, and with the last of them from then on. */
function respondWith(...responses: PageResponse[]): void {
  network.respond = () => (responses.length > 1 ? responses.shift() : responses[0]) ?? {};
}

/** The error that something ends with, once all timers have run. */
async function errorOf(promise: Promise<unknown>): Promise<unknown> {
  const ending = promise.then(
    () => null,
    (error: unknown) => error,
  );
  await vi.runAllTimersAsync();
  return ending;
}

describe("an original that is read", () => {
  const busy = { status: 503, headers: { "retry-after": "2" } };

  it("is asked for again after the delay that a busy server names", async () => {
    respondWith(busy, busy, { body: { sheets: [""], rows: [["a"]], next: null } });
    const reading = api.table(0, 0);
    await vi.advanceTimersByTimeAsync(1999);
    expect(network.sent).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(2001);
    expect((await reading).rows).toEqual([["a"]]);
    expect(network.sent).toHaveLength(3);
  });

  it("is asked for four times at most", async () => {
    respondWith(busy);
    expect(await errorOf(api.mail())).toMatchObject({ status: 503 });
    expect(network.sent).toHaveLength(4);
  });

  it("is asked for once if the server names no delay, and the error has its reason", async () => {
    respondWith({ status: 400, body: { error: "It has no rows." } });
    expect(await errorOf(api.table(0, 200))).toMatchObject({
      status: 400,
      fields: new Map([["error", "It has no rows."]]),
    });
    respondWith({ status: 502, body: "<html>" });
    expect(await errorOf(api.table(0, 200))).toMatchObject({ status: 502, fields: new Map() });
    expect(network.sent).toHaveLength(2);
  });
});

describe("the outline", () => {
  it("is read once, and again after a failure", async () => {
    respondWith({ status: 503 }, { body: { results: [{ title: "Tides", page_number: 0, level: 0 }] } });
    expect(await errorOf(api.outline())).toBeInstanceOf(RefusedError);
    await Promise.all([api.outline(), api.outline()]);
    expect((await api.outline()).map(({ title }) => title)).toEqual(["Tides"]);
    expect(network.sent).toHaveLength(2);
  });

  it("is empty for a document without one", async () => {
    respondWith({ status: 404 });
    expect(await api.outline()).toEqual([]);
  });
});

describe("the words of pages", () => {
  const { signal } = new AbortController();

  it("are those of the latest file, and kept for the forty pages that were read last", async () => {
    for (let page = 0; page < 40; page++) await api.words(record, page, signal);
    await api.words(record, 0, signal);
    expect(network.sent).toHaveLength(40);
    await api.words(record, 40, signal);
    await api.words(record, 0, signal);
    expect(network.sent).toHaveLength(41);
    await api.words(record, 1, signal);
    expect(network.sent).toHaveLength(42);
    await api.words({ ...record, file_hash: "0".repeat(40) }, 0, signal);
    expect(network.sent).toHaveLength(43);
    expect(network.sent[0]).toMatch(
      /^GET \/quire\/files\/documents\/7\/pages\/a%20report-p1\.position\.json\?v=abcdef01-/,
    );
  });

  it("are empty where they are unknown, and asked for again after a failure", async () => {
    respondWith({ status: 500 });
    expect(await errorOf(api.words(record, 0, signal))).toMatchObject({ status: 500 });
    respondWith({ status: 404 });
    expect(await api.words(record, 0, signal)).toEqual([]);
  });
});

describe("the image of a page", () => {
  it("is the smallest that is about as wide as needed, or else the largest", () => {
    const nameFor = (width: number): string | undefined =>
      /-p1-(\w+)\.webp\?/.exec(api.imageAddress(record, 0, width) ?? "")?.[1];
    expect([100, 200, 201, 777, 778, 1111, 1112, 5000].map(nameFor)).toEqual([
      "small",
      "small",
      "normal",
      "normal",
      "large",
      "large",
      "xlarge",
      "xlarge",
    ]);
    api.imageType = null;
    expect(api.imageAddress(record, 0, 100)).toBeNull();
  });
});

/** The extensions of the documents that the viewer shows in this way. */
const shownBy = (shows: (document: DocumentRecord) => boolean): string[] =>
  [...fileKinds.keys()].filter((original_extension) => shows({ ...record, original_extension }));

describe("the originals that are shown without their pages", () => {
  it("are those of which the API has the parts", () => {
    expect(shownBy(isTable)).toEqual(extensionsWith("table"));
    expect(shownBy(isMail)).toEqual(extensionsWith("mail"));
  });
});

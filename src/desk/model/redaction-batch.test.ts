import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { FakeNetwork, type PageRequest, type PageResponse } from "../../testing/fake-network.ts";
import { maxBoxes } from "../../contract/limits.ts";
import type { DeskOptions } from "../../contract/page-options.ts";
import { DeskApi } from "./desk-api.ts";
import { maxDocumentsToRedact } from "../../contract/limits.ts";
import { RedactionBatch } from "./redaction-batch.ts";

const root = "https://example.org/quire/api/";
const box = { x1: 0.1, x2: 0.2, y1: 0.1, y2: 0.2 };

/** The pages of the documents, the mentions and the receipts that the server has, by document. */
let documents: {
  id: number;
  edit_access: boolean;
  page_count: number;
  access?: string;
  original_extension?: string;
}[];
const plain = { showsReasons: false, addsIndex: false };
let boxCounts: Map<number, number>;
let receipts: Map<number, { id: number; step: string; outcome: string }[]>;
let onRedaction: (id: number) => PageResponse;
let network: FakeNetwork;
let batch: RedactionBatch;

function respond({ method, path }: PageRequest): PageResponse {
  const id = Number(/documents\/(\d+)\//.exec(path)?.[1]);
  if (method === "POST") return onRedaction(id);
  if (path.includes("/receipts/")) return { body: { results: receipts.get(id) ?? [], next: null } };
  if (path.includes("/mentions/")) {
    const boxes = Array.from({ length: boxCounts.get(id) ?? 1 }, () => box);
    const mentions = [{ text: "quay", before: "", after: "", boxes }];
    return {
      body: { next: null, pages_without_text: [], results: [{ page_number: 0, mentions, unplaced: 0 }] },
    };
  }
  const first = Number(/page=(\d)$/.exec(path)?.[1] ?? 1) * 100 - 100;
  const next = first + 100 < documents.length ? `${root}documents/?page=${first / 100 + 2}` : null;
  return { body: { results: documents.slice(first, first + 100), next } };
}

beforeEach(() => {
  vi.useFakeTimers();
  documents = [1, 2, 3].map((id) => ({ id, edit_access: true, page_count: 1 }));
  boxCounts = new Map();
  receipts = new Map();
  onRedaction = () => ({ status: 202 });
  network = new FakeNetwork(respond);
  batch = new RedactionBatch(new DeskApi({ api: "/quire/api/" } as DeskOptions, network));
});
afterEach(() => {
  vi.useRealTimers();
});

const load = (): Promise<void> => batch.load({ ids: documents.map(({ id }) => id), q: "" });
/** What became of each document. */
const states = (): string[] =>
  batch.documents.value.map(({ isOpen, outcome, problem }) => {
    if (outcome.value !== null) return "done";
    return isOpen.value ? (problem.value === "" ? "open" : "refused") : "queued";
  });

/** The work on a document has ended. */
async function end(id: number): Promise<void> {
  vi.advanceTimersByTime(1000);
  network.streams.at(-1)?.send("progress", { id, status: "success" });
  const document = batch.documents.value.find(({ workedOn }) => workedOn === id);
  await vi.waitUntil(() => document?.state.value === "marking", 60_000);
}

describe("the documents of a batch", () => {
  it("are all of a search up to the limit, from the links of the API below a path prefix", async () => {
    documents = Array.from({ length: 230 }, (_, index) => ({
      id: index + 1,
      edit_access: true,
      page_count: 1,
    }));
    await batch.load({ ids: [], q: "tide" });
    expect(network.sent).toEqual([
      "GET /quire/api/documents/search/?q=tide&per_page=100",
      "GET /quire/api/documents/?page=2",
    ]);
    expect([batch.documents.value.length, batch.remarks.value.length]).toEqual([maxDocumentsToRedact, 1]);
  });

  it("are not cut when there are exactly as many as fit", async () => {
    documents = Array.from({ length: 200 }, (_, index) => ({
      id: index + 1,
      edit_access: true,
      page_count: 1,
    }));
    await load();
    expect([batch.documents.value.length, batch.remarks.value]).toEqual([maxDocumentsToRedact, []]);
  });

  it("are those that the person may change and that have pages; the page says how many are left out", async () => {
    documents = [
      { id: 1, edit_access: false, page_count: 1 },
      { id: 2, edit_access: true, page_count: 0 },
      { id: 3, edit_access: true, page_count: 1 },
    ];
    await load();
    expect(batch.documents.value.map(({ record }) => record.id)).toEqual([3]);
    expect(batch.remarks.value).toHaveLength(2);
  });

  it("are left out if they cannot be read, and the page says why", async () => {
    network.respond = () => ({ status: 400, body: ["Wrong query."] });
    await batch.load({ ids: [], q: "(" });
    expect([batch.state.value, batch.problem.value]).toEqual(["ready", "Wrong query."]);
  });
});

describe("redacted copies of many documents", () => {
  it("have the outcome of their own receipts, and leave the documents as they are", async () => {
    receipts.set(1, [{ id: 5, step: "redacted", outcome: "failed" }]);
    onRedaction = (id) =>
      id === 2 ? { status: 409, body: ["Busy."] } : { status: 201, body: { id: id + 10 } };
    await load();
    await batch.find("quay");
    await batch.apply(plain, { access: "organization", hidesOriginal: true });
    expect(
      network.requests.filter(({ method }) => method === "POST").map(({ path, body }) => [path, body]),
    ).toEqual(
      [1, 2, 3].map((id) => [
        `/quire/api/documents/${id}/redacted_copies/`,
        expect.objectContaining({ access: "organization", original_access: "private" }),
      ]),
    );
    expect(states()).toEqual(["queued", "refused", "queued"]);
    receipts.set(11, [{ id: 20, step: "redacted", outcome: "done" }]);
    receipts.set(13, [{ id: 21, step: "redacted", outcome: "failed" }]);
    for (const id of [11, 13]) await end(id);
    expect(states()).toEqual(["done", "refused", "done"]);
    const [done, refused, failed] = batch.documents.value;
    expect([done?.outcome.value?.isDone, failed?.outcome.value?.isDone]).toEqual([true, false]);
    expect(failed?.outcome.value?.headline).toContain("The original is as it was.");
    expect([done?.copy.value?.address, refused?.copy.value]).toEqual(["/quire/documents/11/", null]);
  });

  it("can be chosen instead of the documents, whose originals are counted by type", async () => {
    documents = ["pdf", "xlsx", "eml", "xlsx"].map((original_extension, index) => ({
      id: index + 1,
      edit_access: true,
      page_count: 1,
      access: index === 3 ? "public" : "private",
      original_extension,
    }));
    await load();
    expect([batch.originals.value.size, batch.isShared.value]).toEqual([0, false]);
    await batch.find("quay");
    expect([[...batch.originals.value], batch.isShared.value]).toEqual([
      [
        ["xlsx", 2],
        ["eml", 1],
      ],
      true,
    ]);
    batch.documents.value[3]?.searches.value[0]?.tickAll(false);
    expect([batch.originals.value.get("xlsx"), batch.isShared.value]).toEqual([1, false]);
  });
});

describe("a redaction of many documents", () => {
  it("goes on with the others when one is refused, and that one can be sent again", async () => {
    await load();
    await batch.find("quay");
    onRedaction = (id) => (id === 2 ? { status: 409, body: ["Busy."] } : { status: 202 });
    await batch.apply(plain, null);
    expect(states()).toEqual(["queued", "refused", "queued"]);
    expect([batch.documents.value[1]?.problem.value, batch.chosenCount.value]).toEqual(["Busy.", 1]);
    onRedaction = () => ({ status: 202 });
    network.requests.length = 0;
    await batch.apply(plain, null);
    expect(network.sent.filter((sent) => sent.startsWith("POST"))).toEqual([
      "POST /quire/api/documents/2/redactions/",
    ]);
    expect(states()).toEqual(["queued", "queued", "queued"]);
  });

  it("refuses a document with more boxes than one request takes, without sending it", async () => {
    boxCounts.set(1, maxBoxes + 1).set(2, maxBoxes);
    await load();
    await batch.find("quay");
    await batch.apply(plain, null);
    expect(states()).toEqual(["refused", "queued", "queued"]);
    expect(network.sent).not.toContain("POST /quire/api/documents/1/redactions/");
  });

  it("has the outcome of its own receipt, not of an earlier one", async () => {
    const earlier = { id: 5, step: "redacted", outcome: "done" };
    for (const { id } of documents) receipts.set(id, [earlier]);
    await load();
    await batch.find("quay");
    await batch.apply(plain, null);
    receipts.set(1, [earlier, { id: 9, step: "redacted", outcome: "done" }]);
    receipts.set(3, [earlier, { id: 8, step: "redacted", outcome: "failed" }]);
    for (const id of [1, 2, 3]) await end(id);
    expect(states()).toEqual(["done", "done", "done"]);
    expect(batch.documents.value.map(({ outcome }) => outcome.value?.isDone)).toEqual([true, false, false]);
  });

  it("says why an outcome could not be read", async () => {
    await load();
    await batch.find("quay");
    await batch.apply(plain, null);
    network.respond = () => ({ status: 500 });
    await end(1);
    expect(states()).toEqual(["refused", "queued", "queued"]);
  });

  it("searches at most three documents at the same time, and the words again if they are sought again", async () => {
    documents = Array.from({ length: 8 }, (_, index) => ({
      id: index + 1,
      edit_access: true,
      page_count: 1,
    }));
    await load();
    let underWay = 0;
    const counts: number[] = [];
    network.respond = async (request) => {
      underWay += 1;
      counts.push(underWay);
      await Promise.resolve();
      underWay -= 1;
      return respond(request);
    };
    await batch.find("quay");
    expect(Math.max(...counts)).toBe(3);
    await batch.find("quay ");
    expect([batch.sought.value, batch.tickedCount.value]).toEqual([["quay"], 8]);
    batch.drop("quay");
    expect([batch.sought.value, batch.tickedCount.value]).toEqual([[], 0]);
  });
});

import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { DeskOptions } from "../../contract/page-options.ts";
import type { Receipt, RedactionUnderWay } from "../../contract/work.ts";
import { FakeNetwork, type PageRequest, type PageResponse } from "../../testing/fake-network.ts";
import { DeskApi } from "./desk-api.ts";
import { RedactionsUnderWay } from "./redactions-under-way.ts";

const redaction = (id: number): RedactionUnderWay => ({
  id,
  title: `Minutes ${id}`,
  original: null,
  user: 1,
  status: "waiting",
  pages_done: null,
  pages: null,
  can_cancel: true,
});

let listed: RedactionUnderWay[];
let receipts: Map<number, Pick<Receipt, "id" | "step" | "outcome">[]>;
let onCancel: (id: number) => PageResponse;
let network: FakeNetwork;
let underWay: RedactionsUnderWay;

function respond({ method, path }: PageRequest): PageResponse {
  const id = Number(/documents\/(\d+)\//.exec(path)?.[1]);
  if (method === "DELETE") return onCancel(id);
  if (path.includes("/receipts/")) return { body: { results: receipts.get(id) ?? [], next: null } };
  return { body: listed };
}

beforeEach(() => {
  vi.useFakeTimers();
  listed = [redaction(1), redaction(2), redaction(3)];
  receipts = new Map();
  onCancel = () => ({ body: '"OK"' });
  network = new FakeNetwork(respond);
  underWay = new RedactionsUnderWay(new DeskApi({ api: "/quire/api/" } as DeskOptions, network));
});
afterEach(() => {
  vi.useRealTimers();
});

async function load(): Promise<void> {
  await underWay.load();
  vi.advanceTimersByTime(1000);
}

const tell = (id: number, status: string, more: object = {}): void =>
  network.streams
    .at(-1)
    ?.send("progress", { id, status, step: null, pages_done: null, pages: null, ...more });
const itemOf = (id: number) => underWay.items.value.find((item) => item.id === id);
const ends = (): unknown[] => underWay.items.value.map(({ end }) => end);

describe("the redactions under way", () => {
  it("show how far each is", async () => {
    await load();
    expect(network.streams.map(({ address }) => address)).toEqual([
      "/quire/api/documents/process/events/?id__in=1,2,3",
    ]);
    tell(2, "pending", { step: "recognising", pages_done: 12, pages: 300 });
    expect(itemOf(2)).toMatchObject({ status: "running", pages_done: 12, pages: 300, end: null });
    expect(itemOf(1)).toMatchObject({ status: "waiting", end: null });
  });

  it("stay in the list with their end, which the latest receipt tells, also if the document is ready as before", async () => {
    const earlier = { id: 4, step: "redacted", outcome: "done" } as const;
    receipts.set(1, [earlier, { id: 9, step: "redacted", outcome: "failed" }]);
    receipts.set(2, [{ id: 8, step: "redacted", outcome: "done" }]);
    receipts.set(3, [earlier, { id: 7, step: "cancelled", outcome: "failed" }]);
    await load();
    for (const id of [1, 2, 3]) tell(id, "success");
    await vi.waitUntil(() => !ends().includes(null), 60_000);
    expect(ends()).toEqual(["failed", "done", "cancelled"]);
    listed = [redaction(3), redaction(4)];
    await load();
    expect(underWay.items.value.map(({ id, end }) => [id, end])).toEqual([
      [3, null],
      [4, null],
      [1, "failed"],
      [2, "done"],
    ]);
  });

  it("are cancelled one after the other; one that is refused does not stop the others", async () => {
    await load();
    onCancel = (id) => (id === 1 ? { status: 400, body: ["Too late"] } : { body: '"OK"' });
    await underWay.cancel(underWay.items.value);
    expect(network.sent.filter((sent) => sent.startsWith("DELETE"))).toEqual(
      [1, 2, 3].map((id) => `DELETE /quire/api/documents/${id}/process/`),
    );
    expect(underWay.problem.value).toContain("“Minutes 1” was not cancelled: Too late");
  });

  it("say why they could not be read", async () => {
    network.respond = () => ({ status: 403, body: { detail: "You are signed out." } });
    await underWay.load();
    expect([underWay.items.value, underWay.problem.value]).toEqual([[], "You are signed out."]);
  });
});

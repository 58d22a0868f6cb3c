import { signal } from "@preact/signals";
import { describe, expect, it } from "vitest";
import { describingNames } from "../../contract/describing-fields.ts";
import type { Receipt } from "../../contract/work.ts";
import { FakeNetwork, type PageResponse } from "../../testing/fake-network.ts";
import type { DocumentRecord } from "./api.ts";
import { leftoversOf } from "./redaction-outcome.ts";
import { Redaction } from "./redaction.ts";
import { maxBoxes } from "../../contract/limits.ts";
import { Client } from "./send.ts";

const root = "https://example.org/quire/api/";
const plain = { showsReasons: false, addsIndex: false };
const box = { x1: 0.1, x2: 0.2, y1: 0.1, y2: 0.2 };

const receipt = (id: number, outcome: Receipt["outcome"], more: object = {}): Receipt => ({
  id,
  at: "2025-01-31T12:00:00Z",
  step: "redacted",
  outcome,
  milliseconds: 5,
  next: null,
  ...more,
});

/** A server with one document: its receipts, and how it responds to a redaction. */
class TestServer {
  receipts: Receipt[] = [];
  readonly fileHash = signal("first");
  onRedaction: () => PageResponse = () => ({ status: 202 });
  mentions: () => PageResponse = () => ({ body: { next: null, pages_without_text: [], results: [] } });
  readonly network = new FakeNetwork(({ method, path }) => {
    if (method === "POST") return this.onRedaction();
    if (path.includes("/mentions/")) return this.mentions();
    // The API has the receipts on several pages, the oldest first.
    const page = Number(/page=(\d)$/.exec(path)?.[1] ?? 1);
    const next = page * 2 < this.receipts.length ? `${root}documents/7/receipts/?page=${page + 1}` : null;
    return { body: { results: this.receipts.slice(page * 2 - 2, page * 2), next } };
  });
  readonly redaction = new Redaction(
    new Client("/quire/api/", "", this.network),
    7,
    () => this.fileHash.value,
  );

  /** Redacts one box, and does `work` before the result is read. */
  async redact(work: () => void): Promise<void> {
    this.redaction.drawn.value = [{ page: 1, box }];
    await this.redaction.apply(plain, () => undefined);
    work();
    await this.redaction.conclude();
  }
}

it("names the file that was marked, whatever the document has by now", async () => {
  const server = new TestServer();
  const { redaction, network, fileHash } = server;
  server.onRedaction = () => ({ body: { id: 8 } });
  fileHash.value = "second";
  redaction.drawn.value = [{ page: 1, box }];
  fileHash.value = "third";
  await redaction.apply(plain, () => undefined);
  await redaction.makeCopy({ ...plain, access: "private", hidesOriginal: false });
  const sent = network.requests.filter(({ method }) => method === "POST");
  expect(sent.map(({ body }) => body)).toMatchObject([{ file_hash: "second" }, { file_hash: "second" }]);
});

describe("the result of a redaction", () => {
  it("is that of its own receipt, among those of several pages", async () => {
    const server = new TestServer();
    server.receipts = [receipt(1, "done"), receipt(2, "done"), { ...receipt(3, "done"), step: "modified" }];
    await server.redact(() => server.receipts.push(receipt(9, "done", { boxes: 1 })));
    expect(server.redaction.outcome.value?.isDone).toBe(true);
    expect([server.redaction.drawn.value, server.redaction.state.value]).toEqual([[], "marking"]);
    expect(server.network.sent.filter((sent) => !sent.includes("page=100"))).toEqual([
      "GET /quire/api/documents/7/receipts/?page=2",
      "POST /quire/api/documents/7/redactions/",
      "GET /quire/api/documents/7/receipts/?page=2",
    ]);
  });

  it("is not that of an earlier redaction: work that was stopped leaves no receipt, and the marks stay", async () => {
    const server = new TestServer();
    server.receipts = [receipt(5, "done"), receipt(6, "done")];
    await server.redact(() => undefined);
    expect(server.redaction.outcome.value?.isDone).toBe(false);
    expect(server.redaction.drawn.value).toHaveLength(1);
    await server.redact(() => server.receipts.push({ ...receipt(7, "done"), step: "modified" }));
    expect(server.redaction.outcome.value?.isDone).toBe(false);
  });

  it("is a failure if its own receipt says so; the marks stay", async () => {
    const server = new TestServer();
    server.receipts = [receipt(5, "done")];
    await server.redact(() => server.receipts.push(receipt(6, "failed", { message: "No room." })));
    expect(server.redaction.outcome.value?.isDone).toBe(false);
    expect(server.redaction.drawn.value).toHaveLength(1);
  });

  it("is unknown while the receipts cannot be read; the marks stay", async () => {
    const server = new TestServer();
    await server.redact(() => {
      server.network.respond = () => ({ status: 503 });
    });
    expect([server.redaction.outcome.value, server.redaction.state.value]).toEqual([null, "marking"]);
    expect(server.redaction.problem.value).not.toBe("");
    expect(server.redaction.drawn.value).toHaveLength(1);
  });

  it("is read once, however often the work is said to have ended", async () => {
    const server = new TestServer();
    await server.redact(() => server.receipts.push(receipt(1, "done")));
    const before = server.network.sent.length;
    await server.redaction.conclude();
    expect(server.network.sent).toHaveLength(before);
  });
});

describe("a redaction", () => {
  it("has the reason of each mark, or else that of all, and says what is drawn besides", async () => {
    const server = new TestServer();
    const mentions = [{ text: "quay", before: "", after: "", boxes: [box] }];
    server.mentions = () => ({
      body: { next: null, pages_without_text: [], results: [{ page_number: 2, mentions, unplaced: 0 }] },
    });
    const { redaction } = server;
    const search = await redaction.find("quay");
    redaction.drawn.value = [
      { page: 1, box },
      { page: 1, box, purpose: "(b)(5)" },
    ];
    const reasons = () => redaction.boxes.value.map(({ reason }) => reason);
    expect([reasons(), redaction.hasReasons.value]).toEqual([[undefined, undefined, "(b)(5)"], true]);
    search.purpose.value = "(b)(6)";
    redaction.purpose.value = "GDPR 9";
    expect(reasons()).toEqual(["(b)(6)", "GDPR 9", "(b)(5)"]);
    await redaction.apply({ showsReasons: true, addsIndex: true }, () => undefined);
    const sent = server.network.requests.find(({ method }) => method === "POST");
    expect(sent?.body).toMatchObject({ show_reasons: true, add_index: true, redactions: { length: 3 } });
  });

  it("that is refused changes nothing, and says why", async () => {
    const server = new TestServer();
    server.onRedaction = () => ({ status: 409, body: ["The document is being processed."] });
    server.redaction.drawn.value = [{ page: 1, box }];
    let isAccepted = false;
    await server.redaction.apply(plain, () => {
      isAccepted = true;
    });
    expect([isAccepted, server.redaction.state.value]).toEqual([false, "marking"]);
    expect(server.redaction.problem.value).toBe("The document is being processed.");
    expect(server.redaction.drawn.value).toHaveLength(1);
  });

  it("counts a mention on two lines as one place with two boxes, and knows the limit on boxes", async () => {
    const server = new TestServer();
    const mention = { text: "quay", before: "", after: "", boxes: [box, box] };
    server.mentions = () => ({
      body: {
        next: null,
        pages_without_text: [4],
        results: [{ page_number: 2, mentions: [mention], unplaced: 1 }],
      },
    });
    const search = await server.redaction.find(" quay ");
    server.redaction.drawn.value = [{ page: 1, box }];
    const { boxes, markCount, pageCount, isTooMuch, drawn } = server.redaction;
    expect([boxes.value.length, markCount.value, pageCount.value]).toEqual([3, 2, 2]);
    expect(boxes.value.map(({ page_number }) => page_number)).toEqual([2, 2, 0]);
    search.tickAll(false);
    expect(boxes.value).toHaveLength(1);
    drawn.value = Array.from({ length: maxBoxes }, () => ({ page: 1, box }));
    expect(isTooMuch.value).toBe(false);
    drawn.value = [...drawn.value, { page: 1, box }];
    expect(isTooMuch.value).toBe(true);
  });

  it("searches its words again in the result", async () => {
    const server = new TestServer();
    await server.redaction.find("quay");
    await server.redact(() => server.receipts.push(receipt(1, "done")));
    expect(server.redaction.searches.value).toEqual([]);
    await server.redaction.searchAgain();
    expect(server.redaction.again.value.map(({ words, state }) => [words, state.value])).toEqual([
      ["quay", "done"],
    ]);
  });

  it("stops reading mentions of words that were dropped, and says why others could not be read", async () => {
    const server = new TestServer();
    const { promise, resolve } = Promise.withResolvers<PageResponse>();
    const respond = server.network.respond;
    server.network.respond = () => promise;
    const finding = server.redaction.find("quay");
    for (const search of server.redaction.searches.value) server.redaction.drop(search);
    const next = `${root}documents/7/mentions/?q=quay&cursor=b`;
    resolve({ body: { next, pages_without_text: [], results: [] } });
    await finding;
    expect(server.network.sent).toHaveLength(1);
    server.network.respond = respond;
    server.mentions = () => ({ status: 400, body: ["Too short."] });
    const failed = await server.redaction.find("q");
    expect([failed.state.value, failed.reason.value]).toEqual(["failed", "Too short."]);
  });
});

describe("the other parts of a record that have redacted words", () => {
  const record = {
    title: "Quay—No. 5",
    description: "",
    source: "",
    related_article: "https://news.example/old-quay",
    published_url: "",
    slug: "quay-no-5",
    data: { city: ["The QUÁY"] },
    notes: [{ title: "", content_html: "<p>quayside</p>", page_number: 0 }],
    sections: [{ title: "Tides", page_number: 1 }],
  } as unknown as DocumentRecord;

  it("are found without regard to case, accents and punctuation, from the beginnings of words", () => {
    expect(leftoversOf(record, "quay*")).toEqual([
      "“quay*” is still in the title, the related article, the data and a note on page 1. A redaction does not change these: edit them.",
      "“quay*” is still in the address of the document's page, which never changes.",
    ]);
    expect(leftoversOf(record, "uay")).toEqual([]);
    expect(leftoversOf(record, "tides").join(" ")).toContain("still in a section on page 2.");
  });

  it.each(describingNames)("include %s", (name) => {
    const texts = { title: "", [name]: "https://a.org/Halliday" };
    expect(leftoversOf({ ...record, ...texts }, "halliday")).toHaveLength(1);
  });
});

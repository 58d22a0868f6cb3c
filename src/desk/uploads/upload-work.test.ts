import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { PageResponse } from "../../testing/fake-network.ts";
import { UploadVisit, fileOf, stateOf, until, untilNot } from "../testing/upload-visit.ts";
import type { UploadItem } from "./upload-item.ts";

let visit: UploadVisit;

beforeEach(() => {
  // The timers alone: reading a file takes real time.
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  visit = new UploadVisit();
});
afterEach(() => {
  vi.useRealTimers();
});

/** Uploads a file, and follows the work on its document, which has the id 1 if it is a new one. */
async function sent(): Promise<UploadItem> {
  const item = await visit.send();
  await until(item, "sent");
  vi.advanceTimersByTime(1000);
  return item;
}

describe("the checks of a file before it is uploaded", () => {
  it("refuse what no document can be made of", async () => {
    const items = await visit.add(
      fileOf("program.exe"),
      fileOf("picture.pdf", ""),
      new File(["GIF89a"], "text.pdf"),
      new File([], "empty.txt"),
      fileOf("large.txt", "a".repeat(1001)),
      fileOf("whole.txt", "a".repeat(1000)),
    );
    expect(items.map(stateOf)).toEqual(["wrong", "ready", "wrong", "wrong", "wrong", "ready"]);
    expect(visit.uploads.startable.peek()).toHaveLength(2);
  });

  it("ask for duplicates of 25 files at a time, and start what was wanted meanwhile", async () => {
    const files = Array.from({ length: 60 }, (_, index) => fileOf(`${index}.txt`));
    visit.interfere = ({ method }) => (method === "POST" ? { status: 503 } : null);
    const adding = visit.add(...files);
    visit.uploads.start();
    await adding;
    const counts = visit.network.sent
      .filter((request) => request.includes("/duplicates/"))
      .map((request) => request.split("sha1=").length - 1);
    expect(counts).toEqual([25, 25, 10]);
    await until(visit.uploads.items.peek().at(-1), "interrupted");
  });

  it("find the same file in the list and on the server; it is sent only if the person wants it twice", async () => {
    const known = { title: "Old tides", status: "error", canonical_url: "https://example.org/documents/5/" };
    visit.interfere = ({ path }) => {
      const sha1 = /\/duplicates\/\?sha1=(\w+)$/.exec(path)?.[1];
      return sha1 === undefined ? null : { body: { results: [{ ...known, sha1 }] } };
    };
    const [first, twin] = await visit.add(fileOf("a.pdf", "same"), fileOf("b.pdf", "same"));
    const here = { title: "Old tides", href: known.canonical_url, hasFailed: true };
    expect(first?.sameFile.peek()).toEqual(here);
    expect(twin?.sameFile.peek()).toEqual(here);
    visit.interfere = () => null;
    const [third, fourth] = await visit.add(fileOf("c.pdf", "other"), fileOf("d.pdf", "other"));
    expect([third?.sameFile.peek(), fourth?.sameFile.peek()]).toEqual([
      null,
      { id: null, title: "c.pdf", href: null, hasFailed: false },
    ]);
    visit.uploads.start();
    expect([first, twin, third, fourth].map((item) => item?.state.peek())).toEqual([
      "ready",
      "ready",
      "sending",
      "ready",
    ]);
    if (fourth !== undefined) visit.uploads.startOne(fourth);
    await until(fourth, "sent");
  });

  it("let an upload go ahead if duplicates cannot be looked for", async () => {
    visit.interfere = ({ path }) => (path.includes("/duplicates/") ? { status: 503 } : null);
    const [item] = await visit.add(fileOf("a.pdf"));
    expect(item?.state.peek()).toBe("ready");
  });
});

describe("the work on an uploaded document", () => {
  it("is told until it is done", async () => {
    const item = await sent();
    visit.progress(1, "readable", { step: "pages" });
    visit.progress(1, "readable", { step: "pages", pages_done: 3, pages: 9 });
    expect(item.message.peek()).toMatch(/3.*9/);
    visit.documents.set(1, { status: "success", page_count: 9 });
    visit.progress(1, "success");
    await until(item, "done");
    expect([item.document.peek()?.page_count, item.message.peek()]).toEqual([9, "Ready, 9 pages"]);
  });

  it("can fail, for the latest reason; the same file is then processed again", async () => {
    const item = await sent();
    visit.interfere = ({ path }) =>
      path.includes("/errors/")
        ? {
            body: {
              results: [
                { id: 2, message: "broken: no pages" },
                { id: 1, message: "old" },
              ],
            },
          }
        : null;
    visit.progress(1, "error");
    await until(item, "failed");
    expect(item.message.peek()).toMatch(/^The file cannot be read: .*no pages/);
    await visit.uploads.retry(item);
    expect([stateOf(item), visit.network.sent.at(-1)]).toEqual([
      "sent",
      "POST /quire/api/documents/1/process/",
    ]);
    visit.interfere = () => ({ status: 409, body: ["Busy."] });
    item.fail("again");
    await visit.uploads.retry(item);
    expect(item.message.peek()).toBe("Failed: Busy.");
  });

  it("waits for a password, and says so if it was wrong", async () => {
    const item = await sent();
    let reason = "encrypted: it opens with a password only";
    visit.interfere = ({ path }) =>
      path.includes("/errors/") ? { body: { results: [{ id: 1, message: reason }] } } : null;
    visit.progress(1, "error");
    await until(item, "locked");
    expect(item.message.peek()).toBe("This PDF needs a password.");
    await visit.uploads.unlock(item, "ebb");
    expect(visit.network.requests.at(-1)?.body).toEqual({ password: "ebb" });
    vi.advanceTimersByTime(1000);
    reason += ", and the one given is wrong";
    visit.progress(1, "error");
    await until(item, "locked");
    expect(item.message.peek()).toBe("This password is wrong.");
  });

  it("ends on the server if it is cancelled, and what comes later changes nothing", async () => {
    const item = await sent();
    await visit.uploads.cancel(item);
    expect(visit.network.sent.at(-1)).toBe("DELETE /quire/api/documents/1/process/");
    visit.progress(1, "readable", { pages_done: 1, pages: 2 });
    expect([stateOf(item), item.message.peek()]).toEqual(["cancelled", "Cancelled"]);
  });
});

describe("a web address", () => {
  it("is fetched by the server with a title from its path, and again for a new document if that failed", async () => {
    visit.uploads.addAddresses(["https://a.example/minutes/May%202024.pdf?x=1"]);
    const [item] = visit.uploads.items.peek();
    visit.uploads.start();
    await until(item, "sent");
    expect(visit.network.requests[0]?.body).toMatchObject({
      title: "May 2024",
      file_url: "https://a.example/minutes/May%202024.pdf?x=1",
      access: "private",
    });
    item?.fail("404");
    visit.uploads.retryAll();
    await until(item, "sent");
    expect(visit.network.sent.slice(-2)).toEqual([
      "DELETE /quire/api/documents/99/",
      "POST /quire/api/documents/",
    ]);
  });

  it.each([
    ["https://a.example/", "a.example"],
    ["https://a.example/%ff.pdf", "%ff"],
    [`https://a.example/${"b".repeat(1200)}`, "b".repeat(1000)],
  ])("such as %.40s has a title", async (address, title) => {
    visit.uploads.addAddresses([address]);
    visit.uploads.start();
    await until(visit.uploads.items.peek()[0], "sent");
    expect(visit.network.requests[0]?.body).toMatchObject({ title });
  });
});

describe("the replacement of a document's file", () => {
  let receipts: object[];

  beforeEach(() => {
    visit = new UploadVisit(7);
    receipts = [{ id: 5, step: "replaced", outcome: "done" }];
    // The id of the document is that of the upload, otherwise.
    visit.interfere = (request): PageResponse | null => {
      if (request.path.includes("/receipts/")) return { body: { results: receipts, next: null } };
      const response = visit.server.respond(request);
      if (response?.headers?.["quire-document"] === undefined) return response;
      return { ...response, headers: { ...response.headers, "quire-document": "7" } };
    };
  });

  it("is not done because an earlier receipt says so", async () => {
    const item = await sent();
    const before = visit.network.sent.length;
    visit.progress(7, "success");
    await expect.poll(() => visit.network.sent.slice(before)).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(1);
    expect(stateOf(item)).toBe("sent");
  });

  it("is done when its own receipt says so", async () => {
    const item = await sent();
    expect(visit.server.uploads.get("1")?.metadata).toEqual({
      filename: "tides.pdf",
      document: "7",
      replace: "true",
    });
    receipts.push({ id: 6, step: "replaced", outcome: "done", notes_beyond: 1 });
    visit.progress(7, "success");
    await until(item, "done");
    expect(item.message.peek()).toMatch(/^The file was replaced: 2 pages\. One note/);
  });

  it("has failed when its own receipt says so, whatever the status of the document is", async () => {
    const item = await sent();
    receipts.push({ id: 6, step: "replaced", outcome: "failed", message: "broken: no pages" });
    visit.progress(7, "success");
    await untilNot(item, "sent");
    expect([stateOf(item), item.message.peek()]).toEqual([
      "failed",
      expect.stringMatching(/still has its old file/),
    ]);
  });

  it("sends the file again together with its password", async () => {
    const item = await sent();
    const message = "encrypted: it opens with a password only";
    receipts.push({ id: 6, step: "replaced", outcome: "failed", message });
    visit.progress(7, "success");
    await until(item, "locked");
    await visit.uploads.unlock(item, "ebb");
    const form = visit.network.requests.find(({ path }) => path.endsWith("/documents/7/file/"))
      ?.body as FormData;
    expect([form.get("password"), (form.get("file") as File).name]).toEqual(["ebb", "tides.pdf"]);
    expect(stateOf(item)).toBe("sent");
  });
});

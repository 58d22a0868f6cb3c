import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { ConnectionLostError, type PageResponse } from "../../testing/fake-network.ts";
import { UploadVisit, fileOf, stateOf, tusRoot, until, untilNot } from "../testing/upload-visit.ts";

let visit: UploadVisit;

beforeEach(() => {
  // The timers alone: reading a file takes real time.
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  visit = new UploadVisit();
});
afterEach(() => {
  vi.useRealTimers();
});

const tokens = (method: string): (string | null)[] =>
  visit.tusRequests(method).map(({ headers }) => headers.get("x-csrftoken"));

describe("an upload after the person signed in again in another tab", () => {
  it("has the CSRF token of the current session in every request", async () => {
    visit.network.cookies = "csrftoken=second";
    const item = await visit.send();
    await until(item, "sent");
    expect([tokens("POST"), tokens("PATCH")]).toEqual([["second"], ["second"]]);
  });

  it("goes on from where it was, if the session ended within it", async () => {
    visit.network.cookies = "csrftoken=first";
    visit.interfere = ({ method, headers }) =>
      method === "PATCH" && headers.get("x-csrftoken") !== "second"
        ? { status: 403, body: { detail: "CSRF Failed: CSRF token incorrect." } }
        : null;
    const item = await visit.send();
    await until(item, "failed");
    expect(item.message.peek()).toMatch(/You are signed out/);
    visit.network.cookies = "csrftoken=second";
    await visit.uploads.retry(item);
    await until(item, "sent");
    expect(visit.server.uploads.size).toBe(1);
    expect([tokens("HEAD"), tokens("PATCH")]).toEqual([["second"], ["first", "second"]]);
  });

  it("deletes with the current token what is cancelled or forgotten", async () => {
    visit.interfere = ({ method }) => (method === "PATCH" ? { status: 503 } : null);
    const item = await visit.send();
    await until(item, "interrupted");
    visit.network.cookies = "csrftoken=second";
    await visit.uploads.cancel(item);
    expect(tokens("DELETE")).toEqual(["second"]);
    const other = await visit.send("other.pdf");
    await until(other, "interrupted");
    visit.uploads = visit.open();
    await visit.uploads.findUnfinished();
    expect(visit.uploads.unfinished.peek().map(({ name }) => name)).toEqual(["other.pdf"]);
    await visit.uploads.forget();
    expect([tokens("DELETE"), visit.server.uploads.size, visit.storage.uploads.size]).toEqual([
      ["second", "second"],
      0,
      0,
    ]);
  });
});

describe("an upload that is interrupted", () => {
  it.each([0, 409, 423, 429, 500, 502, 503])("by status %i goes on by itself", async (status) => {
    let failures = 2;
    visit.interfere = ({ method }) => {
      if (method !== "PATCH" || failures === 0) return null;
      failures -= 1;
      if (status === 0) throw new ConnectionLostError();
      return { status };
    };
    const item = await visit.send();
    await until(item, "interrupted");
    expect(item.message.peek()).toMatch(status === 429 ? /too many/i : /will continue automatically/);
    vi.advanceTimersByTime(1000);
    await untilNot(item, "waiting");
    await untilNot(item, "sending");
    expect(stateOf(item)).toBe("interrupted");
    vi.advanceTimersByTime(2000);
    await until(item, "sent");
    expect([...visit.server.uploads.values()]).toMatchObject([{ offset: 18, size: 18 }]);
  });

  it("by a lock of its own earlier request, when it is resumed, goes on by itself", async () => {
    let isLocked = true;
    visit.interfere = ({ method }) => {
      if (method === "PATCH" && isLocked) throw new ConnectionLostError();
      return method === "HEAD" && isLocked ? { status: 423 } : null;
    };
    const item = await visit.send();
    await until(item, "interrupted");
    vi.advanceTimersByTime(1000);
    await untilNot(item, "interrupted");
    await until(item, "interrupted");
    isLocked = false;
    vi.advanceTimersByTime(2000);
    await until(item, "sent");
    expect(visit.server.uploads.size).toBe(1);
  });

  it("waits longer each time, up to half a minute, unless the browser is online again", async () => {
    visit.interfere = ({ method }) => (method === "PATCH" ? { status: 503 } : null);
    const item = await visit.send();
    for (const seconds of [1, 2, 4, 8, 16, 30, 30]) {
      await until(item, "interrupted");
      // Each look at a state moves the clock by a millisecond.
      vi.advanceTimersByTime(seconds * 1000 - 100);
      expect(stateOf(item)).toBe("interrupted");
      vi.advanceTimersByTime(100);
      expect(stateOf(item)).toBe("sending");
    }
    await until(item, "interrupted");
    visit.page.dispatchEvent(new Event("online"));
    expect(stateOf(item)).toBe("sending");
  });

  it.each([400, 401, 403, 404, 413, 507])(
    "for good, by status %i, says why and can be tried again",
    async (status) => {
      visit.interfere = ({ method }) =>
        method === "POST" ? { status, body: { detail: "Not this one." } } : null;
      const item = await visit.send();
      await until(item, "failed");
      expect([item.message.peek(), item.canRetry.peek()]).toEqual(["Failed: Not this one.", true]);
      visit.interfere = () => null;
      visit.uploads.retryAll();
      await until(item, "sent");
    },
  );
});

describe("uploads of one visit", () => {
  it("are at most three at a time, and the next one starts when one has ended, however it ends", async () => {
    const waiting: ((response: PageResponse) => void)[] = [];
    visit.interfere = ({ method, path }) =>
      method === "POST" && path === tusRoot
        ? new Promise((answer) => {
            waiting.push(answer);
          })
        : null;
    const items = await visit.add(...["a", "b", "c", "d", "e", "f"].map((name) => fileOf(`${name}.pdf`)));
    const sending = (): number => items.filter((item) => stateOf(item) === "sending").length;
    visit.uploads.start();
    await expect.poll(() => waiting.length).toBe(3);
    expect(sending()).toBe(3);
    waiting[0]?.({ status: 400 });
    await expect.poll(() => waiting.length).toBe(4);
    if (items[1] !== undefined) await visit.uploads.cancel(items[1]);
    await expect.poll(() => waiting.length).toBe(5);
    waiting[2]?.({ status: 503 });
    await expect.poll(() => waiting.length).toBe(6);
    expect([sending(), visit.uploads.isSending.peek()]).toEqual([3, true]);
    visit.uploads.cancelAll();
    await expect.poll(() => visit.uploads.isSending.peek()).toBe(false);
  });

  it("ask before the page is left only while files are being sent", async () => {
    const isAsked = (): boolean => !visit.page.dispatchEvent(new Event("beforeunload", { cancelable: true }));
    visit.interfere = ({ method }) => (method === "PATCH" ? { status: 503 } : null);
    const item = await visit.send();
    await until(item, "interrupted");
    expect(isAsked()).toBe(true);
    await visit.uploads.cancel(item);
    expect(isAsked()).toBe(false);
  });

  it("have each file once, by its path, size and time", async () => {
    await visit.add(fileOf("a.pdf"), fileOf("b.pdf"));
    await visit.add(fileOf("a.pdf"), new File(["%PDF-1.7 a.pdf"], "a.pdf", { lastModified: 2 }));
    expect(visit.uploads.items.peek().map(({ path }) => path)).toEqual(["a.pdf", "b.pdf", "a.pdf"]);
    expect(
      visit.uploads.addAddresses(["https://a.example/1.pdf", "tides", "https://a.example/1.pdf"]),
    ).toEqual(["tides"]);
    expect(visit.uploads.addAddresses(["https://a.example/1.pdf", "ftp://a.example/1.pdf"])).toEqual([
      "ftp://a.example/1.pdf",
    ]);
    expect(visit.uploads.items.peek()).toHaveLength(4);
  });
});

describe("an upload of an earlier visit", () => {
  beforeEach(async () => {
    let parts = 1;
    visit.interfere = ({ method }) => (method === "PATCH" && parts-- > 0 ? { status: 503 } : null);
    visit.uploads.changeAll({ source: "The first visit", access: "organization" });
    await until(await visit.send(), "interrupted");
    const [first] = visit.server.uploads.values();
    if (first !== undefined) first.offset = 9;
    visit.uploads = visit.open();
  });

  it("goes on with the settings that it began with, from where it was", async () => {
    visit.network.cookies = "csrftoken=second";
    const [item] = await visit.add(fileOf("tides.pdf"));
    expect([item?.resumedFrom.peek(), item?.settings.peek().source, item?.isOpen.peek()]).toEqual([
      50,
      "The first visit",
      false,
    ]);
    expect(tokens("HEAD")).toEqual(["second"]);
    visit.network.requests.length = 0;
    visit.uploads.start();
    await until(item, "sent");
    const parts = visit.network.requests.filter(({ method }) => method === "PATCH");
    expect(parts.map(({ headers }) => headers.get("upload-offset"))).toEqual(["9"]);
    expect([...visit.server.uploads.values()]).toMatchObject([
      { offset: 18, metadata: { access: "organization" } },
    ]);
    expect(visit.storage.uploads.size).toBe(0);
  });

  it("starts again from the beginning if the server no longer has it", async () => {
    visit.server.uploads.clear();
    const [item] = await visit.add(fileOf("tides.pdf"));
    expect([item?.resumedFrom.peek(), visit.storage.uploads.size]).toEqual([null, 0]);
    visit.uploads.start();
    await until(item, "sent");
    expect([...visit.server.uploads.values()]).toMatchObject([
      { offset: 18, metadata: { access: "private" } },
    ]);
  });

  it("is not that of another person, or of another document's new file", async () => {
    for (const stranger of [visit.open(7), visit.open(null, 11)]) {
      await stranger.findUnfinished();
      expect(stranger.unfinished.peek()).toEqual([]);
    }
    await visit.uploads.findUnfinished();
    expect(visit.uploads.unfinished.peek()).toHaveLength(1);
  });
});

describe("the upload of a folder", () => {
  it("is an import, which learns what has become of each file, and whose page is linked", async () => {
    visit.interfere = ({ path }) => (path.includes("/imports/") ? { status: 201, body: { id: 7 } } : null);
    const paths = ["Council/a.pdf", "Council/same.pdf", "Council/tool.exe"];
    const files = paths.map((path) => ({
      path,
      file: fileOf(path.split("/")[1] ?? "", path.includes("exe") ? "MZ" : "The same"),
    }));
    visit.uploads.add({ files, leftOut: 0 });
    visit.uploads.add({ files: [{ path: "alone.pdf", file: fileOf("alone.pdf") }], leftOut: 0 });
    const items = visit.uploads.items.peek();
    for (const item of items) await untilNot(item, "checking");
    visit.uploads.start();
    await until(items[0], "sent");
    await vi.advanceTimersByTimeAsync(2500);
    const reports = visit.network.requests.filter(({ path }) => path.includes("/imports/"));
    expect(reports[0]).toMatchObject({ method: "POST", body: { name: "Council", seen: 3 } });
    expect(visit.uploads.imports.peek()[0]?.address).toMatch(/imports\/7\/$/);
    const reported = reports.slice(1).flatMap(({ body }) => (body as { files: object[] }).files);
    expect(reported).toMatchObject([
      { path: "Council/a.pdf", outcome: "added" },
      { path: "Council/same.pdf", outcome: "known" },
      { path: "Council/tool.exe", outcome: "skipped" },
    ]);
    expect(reports.at(-1)?.body).toMatchObject({ ended: "done" });
  });

  it("sends a report again whose answer is lost, and stops when the server refuses it", async () => {
    let answer: "lost" | "refused" = "lost";
    visit.interfere = ({ path }) => {
      if (!path.includes("/imports/7/"))
        return path.includes("/imports/") ? { status: 201, body: { id: 7 } } : null;
      if (answer === "lost") return { status: 503, body: {} };
      return { status: 400, body: { detail: "The import has ended" } };
    };
    const files = ["a", "b"].map((name) => ({
      path: `Council/${name}.exe`,
      file: fileOf(`${name}.exe`, "MZ"),
    }));
    visit.uploads.add({ files, leftOut: 0 });
    for (const item of visit.uploads.items.peek()) await untilNot(item, "checking");
    const reports = () => visit.network.requests.filter(({ path }) => path.includes("/imports/7/"));
    visit.uploads.start();
    await vi.advanceTimersByTimeAsync(7000);
    expect(reports().length).toBeGreaterThan(1);
    expect(new Set(reports().map(({ body }) => JSON.stringify(body))).size).toBe(1);
    answer = "refused";
    await vi.advanceTimersByTimeAsync(7000);
    const all = reports().length;
    await vi.advanceTimersByTimeAsync(60_000);
    expect(reports()).toHaveLength(all);
  });
});

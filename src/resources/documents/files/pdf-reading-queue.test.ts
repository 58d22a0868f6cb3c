import { setImmediate } from "node:timers/promises";
import { describe, expect, it, vi } from "vitest";
import { PageError } from "../../../processing/pdf/pdf-pages.ts";
import { addDocuments } from "../../../testing/factories.ts";
import { buildPdf, writePdf } from "../../../testing/pdf.ts";
import { startTestApp } from "../../../testing/test-app.ts";
import { PdfReadingQueue } from "./pdf-reading-queue.ts";
import { DrawingSpeeds } from "./drawing-speeds.ts";
import { KnownFailures, failureSeconds } from "./known-failures.ts";

const { signal } = new AbortController();

interface Asked {
  owner?: number;
  document?: number;
  page?: number;
  width?: number | null;
  until?: AbortSignal;
}

/** Readings that run until the test ends them. */
function lineOf(now: () => number = () => 0) {
  const speeds = new DrawingSpeeds(now);
  const begun: string[] = [];
  const ends: ((error?: Error) => void)[] = [];
  const readings = new PdfReadingQueue(
    {
      async read(_borrow, read) {
        const result = read(undefined as never);
        await new Promise<void>((resolve, reject) =>
          ends.push((error) => (error === undefined ? resolve() : reject(error))),
        );
        return result;
      },
    },
    new KnownFailures(now),
    undefined,
    speeds,
  );
  let documents = 1000;
  const ask = (client: string, asked: Asked = {}): Promise<unknown> => {
    const { document: id = ++documents, owner: user_id = id, page = 0, width = 700, until = signal } = asked;
    return readings.of(client, until).read({
      document: { id, user_id, file_hash: "abc" },
      page,
      image: width === null ? null : { width, format: "gif" },
      borrow: async () => null,
      read: async () => begun.push(client),
    });
  };
  const endAll = async (error?: Error): Promise<void> => {
    await setImmediate();
    for (let end = ends.shift(); end !== undefined; end = ends.shift()) {
      end(error);
      await setImmediate();
    }
  };
  /** Ends those that have begun, and none of those that begin then. */
  const endBegun = async (error?: Error): Promise<void> => {
    for (const end of ends.splice(0)) end(error);
    await setImmediate();
  };
  return { ask, begun, endAll, endBegun };
}

describe("the queue for reading open PDFs", () => {
  it("has room for other clients, however many requests one sends", async () => {
    const { ask, begun, endAll } = lineOf();
    const greedy = Array.from({ length: 84 }, () =>
      ask("greedy").then(
        () => 200,
        (error) => error.status,
      ),
    );
    const other = ask("other");
    await setImmediate();
    expect(begun).toEqual(["greedy", "greedy", "other"]);
    await endAll();
    await other;
    expect((await Promise.all(greedy)).filter((status) => status === 503)).toHaveLength(84 - 16);
    expect(begun.filter((one) => one === "greedy")).toHaveLength(16);
  });

  it("keeps a permit free for other documents, and for other owners", async () => {
    const { ask, begun, endAll } = lineOf();
    const all = [
      ...[1, 2, 3, 4].map((page) => ask(`a${page}`, { owner: 1, document: 1, page })),
      ...[2, 3].map((document) => ask(`b${document}`, { owner: 1, document })),
      ask("c", { owner: 2, document: 4 }),
    ];
    await setImmediate();
    expect(begun).toEqual(["a1", "b2", "c"]);
    await endAll();
    await Promise.all(all);
    expect(begun).toHaveLength(7);
  });

  it("reads the same page once for concurrent requests", async () => {
    const { ask, begun, endAll } = lineOf();
    const leaving = new AbortController();
    const gone = ask("first", { document: 1, until: leaving.signal }).catch((error) => error.status);
    const same = Array.from({ length: 4 }, (_, index) => ask(`other ${index}`, { document: 1 }));
    await setImmediate();
    leaving.abort();
    expect(await gone).toBe(503);
    await endAll();
    expect(await Promise.all(same)).toEqual([1, 1, 1, 1]);
    expect(begun).toEqual(["first"]);
  });

  it("drops the readings of clients that have disconnected", async () => {
    const { ask, begun, endAll } = lineOf();
    const leaving = new AbortController();
    const staying = ["one", "two", "three"].map((client) => ask(client));
    const gone = Array.from({ length: 10 }, () =>
      ask("four", { until: leaving.signal }).catch((error) => error.status),
    );
    const last = ask("five");
    leaving.abort();
    expect(new Set(await Promise.all(gone))).toEqual(new Set([503]));
    await endAll();
    await Promise.all([...staying, last]);
    expect(begun).toEqual(["one", "two", "three", "five"]);
  });

  it("does not try a failed page again within an hour, at the same size or larger", async () => {
    let now = 0;
    const { ask, begun, endAll } = lineOf(() => now);
    const slow = new PageError(0, "too-slow", "took longer than 60 s");
    const leaving = new AbortController();
    const first = ask("a", { document: 1, until: leaving.signal }).catch((error) => error.status);
    await setImmediate();
    leaving.abort();
    expect(await first).toBe(503);
    await endAll(slow);
    for (const width of [700, 1000]) await expect(ask("b", { document: 1, width })).rejects.toBe(slow);
    const others = [
      ask("c", { document: 1, width: 60 }),
      ask("d", { document: 1, page: 1 }),
      ask("e", { document: 1, width: null }),
    ];
    await endAll();
    await Promise.all(others);
    now += failureSeconds * 1000 + 1;
    const again = ask("f", { document: 1 });
    await endAll();
    await again;
    expect(begun).toEqual(["a", "c", "d", "e", "f"]);
  });
});

/** The results of readings, or their errors. */
const reasons = (asked: readonly Promise<unknown>[]): Promise<unknown[]> =>
  Promise.all(asked.map((one) => one.catch((error: unknown) => error)));

describe("documents that take long to draw", () => {
  const slow = new PageError(0, "too-slow", "took longer than 5 s");

  it("leave a permit for documents that were drawn quickly", async () => {
    let now = 0;
    const { ask, begun, endAll } = lineOf(() => now);
    const first = ask("reader", { document: 1 });
    await endAll();
    await first;
    const late = ask("other reader", { document: 2 });
    await setImmediate();
    now = 1001;
    await endAll();
    await late;
    begun.length = 0;
    const all = [
      ...["a", "b", "c", "d"].map((client) => ask(client)),
      ask("other reader", { document: 2, page: 1 }),
      ask("reader", { document: 1, page: 1 }),
    ];
    await setImmediate();
    expect(begun).toEqual(["a", "b", "c", "reader"]);
    await endAll();
    await Promise.all(all);
  });

  it("are drawn one at a time after a page has failed, those that wait already too", async () => {
    let now = 0;
    const { ask, begun, endAll, endBegun } = lineOf(() => now);
    const pages = (page: number): Promise<unknown>[] =>
      [1, 2, 3].map((document) => ask(`bomb ${document}`, { document, page }));
    const bombs = [...pages(0), ...pages(1), ...pages(2)];
    await setImmediate();
    expect(begun).toEqual(["bomb 1", "bomb 2", "bomb 3"]);
    const readers = ["x", "y"].map((client) => ask(client));
    const outcomes = reasons([...bombs, ...readers]);
    await endBegun(slow);
    expect(begun.slice(3).filter((client) => client.startsWith("bomb"))).toHaveLength(1);
    expect(begun.slice(3)).toEqual(expect.arrayContaining(["x", "y"]));
    await endAll(slow);
    expect(await outcomes).toEqual(Array.from({ length: 11 }, () => slow));

    now = 3_600_001;
    const again = reasons(pages(3));
    await setImmediate();
    expect(begun.slice(-3).toSorted()).toEqual(["bomb 1", "bomb 2", "bomb 3"]);
    await endAll();
    await again;
  });
});

describe("a result that is stored", () => {
  const pdfs = {
    read: async <T>(_borrow: unknown, read: (pdf: never) => Promise<T>) => read(undefined as never),
  };
  const document = { id: 1, user_id: 1, file_hash: "abc" };

  it("is given to readers before that, who share it until it is stored", async () => {
    const queue = new PdfReadingQueue(pdfs);
    const storing = Promise.withResolvers<void>();
    let drawn = 0;
    const ask = (store: () => Promise<void>): Promise<number | null> =>
      queue.of("a", signal).read({
        document,
        page: 0,
        image: { width: 700, format: "webp" },
        borrow: async () => null,
        read: async () => ++drawn,
        store,
      });
    expect(await ask(() => storing.promise)).toBe(1);
    expect(await ask(async () => undefined)).toBe(1);
    storing.resolve();
    await queue.settled();
    expect(await ask(async () => undefined)).toBe(2);
  });

  it("holds up other readings once too many are not stored yet", async () => {
    const queue = new PdfReadingQueue(pdfs);
    const stores: (() => void)[] = [];
    const read: number[] = [];
    const all = Array.from({ length: 12 }, (_, page) =>
      queue.of(`reader ${page}`, signal).read({
        document,
        page,
        image: { width: 700, format: "webp" },
        borrow: async () => null,
        read: async () => read.push(page),
        store: () => new Promise<void>((stored) => stores.push(stored)),
      }),
    );
    await setImmediate();
    expect(read).toHaveLength(8);
    for (let left = all.length; left > 0; left--) {
      stores.shift()?.();
      await setImmediate();
    }
    await Promise.all(all);
    await queue.settled();
    expect(read).toHaveLength(12);
  });
});

/** A page whose pattern repeats so often that drawing it would never end. */
function endlessPdf(): Uint8Array {
  const tile = Buffer.from("0 0 1 1 re f");
  const content = Buffer.from("/Pattern cs /P scn 0 0 1000000 1000000 re f");
  return writePdf(
    [
      "<< /Type /Catalog /Pages 2 0 R >>",
      "<< /Type /Pages /Count 1 /Kids [3 0 R] >>",
      "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R /Resources << /Pattern << /P 5 0 R >> >> >>",
      { dictionary: `/Length ${content.length}`, stream: content },
      {
        dictionary: `/Type /Pattern /PatternType 1 /PaintType 1 /TilingType 1 /BBox [0 0 1000 1000] /XStep 0.0001 /YStep 0.0001 /Resources << >> /Length ${tile.length}`,
        stream: tile,
      },
    ],
    "/Root 1 0 R",
  );
}

async function* endlessChunks(): AsyncGenerator<Uint8Array> {
  yield endlessPdf();
}

describe("images of a page that takes forever to draw", () => {
  it("end at a limit of their own", async () => {
    // Processing may take longer than this test may.
    const limits = { QUIRE_PAGE_TIME_LIMIT_SECONDS: "1", QUIRE_PDF_TIME_LIMIT_SECONDS: "3600" };
    await using app = await startTestApp("sqlite", limits);
    const [id = 0] = await addDocuments(app.context, [{ page_count: 1, file_hash: "abc" }]);
    await app.context.files.put(`documents/${id}/a-document.pdf`, endlessChunks());
    const answer = await app.fetch(`/files/documents/${id}/pages/a-document-p1-normal.gif`);
    expect(answer.status).toBe(404);
  });

  it("are tried once, and do not block other images", async () => {
    await using app = await startTestApp("sqlite", { QUIRE_PDF_TIME_LIMIT_SECONDS: "3" });
    const [endless = 0, sound = 0] = await addDocuments(app.context, [
      { page_count: 1, file_hash: "abc" },
      { page_count: 1, file_hash: "def" },
    ]);
    const plain = buildPdf({ pages: [{ width: 612, height: 792, lines: ["A page"] }] });
    for (const [id, bytes] of [
      [endless, endlessPdf()],
      [sound, plain],
    ] as const) {
      await app.context.files.put(
        `documents/${id}/a-document.pdf`,
        (async function* chunks() {
          yield bytes;
        })(),
      );
    }
    const image = async (id: number, size: string): Promise<number> => {
      const answer = await app.fetch(`/files/documents/${id}/pages/a-document-p1-${size}.gif`);
      await answer.arrayBuffer();
      return answer.status;
    };
    const borrowed = vi.spyOn(app.context.files, "borrow");
    const order: string[] = [];
    const endlessly = Promise.all(
      Array.from({ length: 4 }, async () => {
        expect(await image(endless, "thumbnail")).toBe(404);
        order.push("endless");
      }),
    );
    expect(await image(sound, "normal")).toBe(200);
    order.push("sound");
    await endlessly;
    expect(order[0]).toBe("sound");
    for (const size of ["thumbnail", "xlarge"]) expect(await image(endless, size)).toBe(404);
    expect(borrowed.mock.calls.filter(([key]) => key.startsWith(`documents/${endless}/`))).toHaveLength(1);
  });
});

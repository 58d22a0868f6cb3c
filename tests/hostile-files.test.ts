/* oxlint-disable no-restricted-globals -- one file's time is compared with that of all */
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import pino from "pino";
import { describe, expect, it } from "vitest";
import { openContext } from "../src/context.ts";
import { hostileOthers } from "../src/testing/hostile-others.ts";
import { hostilePdfs } from "../src/testing/hostile-pdfs.ts";
import { watchMemory } from "../src/testing/memory.ts";
import { addOwner, endOf, everyJobDone, sendFile } from "../src/testing/sent-files.ts";
import { serveOn } from "../src/testing/served.ts";
import { testStorage } from "../src/testing/test-app.ts";

const limits = {
  QUIRE_PDF_TIME_LIMIT_SECONDS: "3",
  QUIRE_PDF_MEMORY_LIMIT_MB: "256",
  QUIRE_CONVERSION_TIME_LIMIT_SECONDS: "4",
  QUIRE_CONVERSION_MEMORY_LIMIT_MB: "256",
  QUIRE_OCR_TIME_LIMIT_SECONDS: "4",
  QUIRE_OCR_MEMORY_LIMIT_MB: "256",
  QUIRE_PROCESSING_WORKERS: "2",
  QUIRE_LIBREOFFICE: "off",
};

/** `TELL=1 npx vitest run tests/hostile-files.test.ts` prints the outcome of each file, and the figures. */
const isTold = process.env["TELL"] !== undefined;

/** Resident memory in megabytes: of the server, twice the limit for one PDF plus Node itself; and of its children. */
const maxMemory = { process: 1200, children: 1500 };

describe("a real server that is sent hostile files", () => {
  it("makes each a document or gives the reason, answers others meanwhile, and stays within its limits", async () => {
    await using storage = await testStorage("sqlite");
    const context = await openContext(storage.config, pino({ level: "silent" }));
    const asked: string[] = [];
    const inside = createServer((request, answer) => {
      asked.push(request.url ?? "");
      answer.end();
    }).listen(0, "127.0.0.1");
    await once(inside, "listening");
    const address = `http://127.0.0.1:${(inside.address() as AddressInfo).port}`;
    const files = [
      ...hostilePdfs().map(([what, bytes, end]) => ({ what, extension: "pdf", bytes, end })),
      ...hostileOthers(address).map(([what, extension, bytes, end]) => ({
        what,
        extension,
        bytes: bytes(),
        end,
      })),
    ];
    const longest: number[] = [];
    const over = new AbortController();
    try {
      const owner = await addOwner(context);
      await using server = await serveOn(storage.config, limits);
      const memory = watchMemory(server.pid);
      const listing = (async () => {
        while (!over.signal.aborted) {
          const started = performance.now();
          expect((await server.fetch("/api/documents/")).status).toBe(200);
          longest.push(performance.now() - started);
          // Often enough to notice delays for other requests, and rarely enough to leave the processors to the files.
          await wait(50);
        }
      })();
      const ids = new Map<number, (typeof files)[number]>();
      const started = performance.now();
      for (const file of files) ids.set(await sendFile(server, owner, file), file);
      await everyJobDone(context);
      const seconds = (performance.now() - started) / 1000;
      over.abort();
      await listing;
      const wrong: string[] = [];
      const told: string[] = [];
      for (const [id, { what, end }] of ids) {
        const { status, reason } = await endOf(server, owner, id);
        const isRight = status === "success" ? end !== "reason" : status === "error" && end !== "document";
        const line = `A file that ${what}: ${status} ${reason ?? ""}`;
        told.push(line);
        if (!isRight || (status === "error" && !/\w/.test(reason ?? ""))) wrong.push(line);
      }
      const reads = await context.database.reader
        .selectFrom("document_receipts")
        .select(["document_id", "step", "milliseconds"])
        .orderBy("milliseconds", "desc")
        .execute();
      const peaks = memory.peaks();
      await memory.stop();
      const list = longest.toSorted((one, other) => other - one);
      if (isTold)
        console.log(told.join("\n"), { seconds, peaks, longest: list[0], slowest: reads.slice(0, 8) });
      expect(wrong).toEqual([]);
      // However busy the machine is, one file must not hold up the others, nor the requests.
      expect((reads[0]?.milliseconds ?? 0) / 1000).toBeLessThan(seconds / 2);
      expect((list[0] ?? 0) / 1000).toBeLessThan(seconds / 4);
      expect(peaks.process).toBeLessThan(maxMemory.process);
      expect(peaks.children).toBeLessThan(maxMemory.children);
      expect(asked).toEqual([]);
      expect(server.written()).not.toContain("The thread that processes documents failed");
    } finally {
      over.abort();
      inside.close();
      await context.close();
    }
  });
});

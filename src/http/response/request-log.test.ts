import * as fc from "fast-check";
import pino from "pino";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { logRequest } from "./request-log.ts";

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["Date"] });
});

afterEach(() => {
  vi.useRealTimers();
});

/** What a request line may contain. */
const latin1 = fc.integer({ min: 0, max: 255 }).map((code) => String.fromCodePoint(code));

it("writes the same line as the library", () => {
  const lines: string[] = [];
  const log = pino({ level: "info", base: null }, { write: (line: string) => void lines.push(line) });
  const request = fc.record({
    reqId: fc.stringMatching(/^[0-9a-f]{8}-[0-9a-z]{1,8}$/),
    method: fc.constantFrom("GET", "POST", "PROPFIND"),
    url: fc.string({ unit: latin1, maxLength: 30 }).map((path) => `/${path}`),
    status: fc.integer({ min: 200, max: 599 }),
    milliseconds: fc.double({ min: 0, max: 1e7, noNaN: true }),
    traceId: fc.option(fc.stringMatching(/^[0-9a-f]{32}$/)),
    visitor: fc.option(
      fc.record({ address: fc.oneof(fc.ipV4(), fc.ipV6(), fc.string()), user: fc.option(fc.nat()) }),
    ),
  });
  fc.assert(
    fc.property(request, ({ url, milliseconds, traceId, visitor, ...others }) => {
      const [path] = url.split("?");
      const rounded = Math.round(milliseconds * 10) / 10;
      const { reqId, method, status } = others;
      const given =
        visitor === null ? {} : { address: visitor.address, ...(visitor.user !== null && visitor) };
      const trace = traceId !== null && { traceId };
      log.info({ reqId, method, status, path, milliseconds: rounded, ...trace, ...given }, "request");
      logRequest(log, { ...others, url, milliseconds, traceId, ...visitor });
      expect(lines.pop()).toBe(lines.pop());
    }),
  );
});

it("shortens a long path", () => {
  const lines: string[] = [];
  const log = pino({ level: "info", base: null }, { write: (line: string) => void lines.push(line) });
  logRequest(log, { reqId: "a-1", method: "GET", url: "/".repeat(3000), status: 200, milliseconds: 1 });
  expect((JSON.parse(lines[0] ?? "") as { path: string }).path).toHaveLength(2000);
});

it("writes nothing below the log's level", () => {
  const lines: string[] = [];
  const log = pino({ level: "warn", base: null }, { write: (line: string) => void lines.push(line) });
  logRequest(log, { reqId: "a-1", method: "GET", url: "/", status: 200, milliseconds: 1 });
  expect(lines).toEqual([]);
});

import { once } from "node:events";
import http from "node:http";
import type { AddressInfo } from "node:net";
import fastify from "fastify";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { GracefulClose } from "./graceful-close.ts";

/** What becomes of a request that is still being answered so many seconds after the server was told to stop. */
async function outcomeAfter(seconds: number, limitSeconds: number): Promise<string> {
  const app = fastify();
  const begun = Promise.withResolvers<void>();
  const finished = Promise.withResolvers<string>();
  app.get("/", async () => {
    begun.resolve();
    return finished.promise;
  });
  const closing = new GracefulClose(app, limitSeconds);
  await app.listen({ port: 0, host: "127.0.0.1" });
  const { port } = app.server.address() as AddressInfo;
  const request = http.get({ port, host: "127.0.0.1", agent: false });
  const outcome = once(request, "response").then(
    ([answer]) => `answered ${(answer as http.IncomingMessage).statusCode}`,
    () => "cut off",
  );
  await begun.promise;
  const closed = closing.close();
  vi.advanceTimersByTime(seconds * 1000);
  finished.resolve("at last");
  await closed;
  return outcome;
}

describe("a server that is told to stop", () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] }));
  afterEach(() => void vi.useRealTimers());

  it.each([
    [8.9, 9, "answered 200"],
    [9.1, 9, "cut off"],
    [599, 600, "answered 200"],
  ])("after %d s with a limit of %d s has a request %s", async (seconds, limit, outcome) => {
    expect(await outcomeAfter(seconds, limit)).toBe(outcome);
  });
});

it("a server that drains takes connections, and says that it is not ready, until it is told to stop for real", async () => {
  const app = fastify();
  app.get("/", () => "here");
  app.get("/readyz", () => ({ status: "ok" }));
  const closing = new GracefulClose(app, 9);
  const url = await app.listen({ port: 0, host: "127.0.0.1" });
  const ask = async (target: string): Promise<unknown> => {
    const answer = await fetch(url + target, { headers: { connection: "close" } });
    return [answer.status, await answer.text()];
  };
  expect(await ask("/readyz")).toEqual([200, '{"status":"ok"}']);
  const closed = closing.close(1);
  expect(await ask("/readyz")).toEqual([503, '{"status":"not ready","server":"is stopping"}']);
  expect(await ask("/")).toEqual([200, "here"]);
  await closed;
  await expect(ask("/")).rejects.toThrow("fetch failed");
});

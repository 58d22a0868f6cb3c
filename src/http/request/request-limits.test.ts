import type { IncomingMessage, ServerResponse } from "node:http";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ApiError } from "../../errors.ts";
import { type CountedRequests, RequestLimits } from "./request-limits.ts";
import { type SignedInViewer, type Viewer, anonymous } from "./viewer.ts";

const config = {
  requestsPerNetwork: 10,
  requestsPerPerson: 20,
  requestsPerToken: 30,
  trustProxy: ["10.0.0.1"],
};

/** A request through the trusted proxy, and the headers of its response. */
function requestOf(address: string, headers: Record<string, string> = {}) {
  const sent: Record<string, string> = {};
  const request = {
    socket: { remoteAddress: "10.0.0.1" },
    headers: { "x-forwarded-for": address, ...headers },
  } as unknown as IncomingMessage;
  const response = {
    setHeader: (name: string, value: string) => void (sent[name] = value),
  } as unknown as ServerResponse;
  return { request, response, sent };
}

const person = (id: number, hasPersonalToken = false): SignedInViewer =>
  ({ kind: "user", id, hasPersonalToken }) as SignedInViewer;

/** How many of so many requests at one moment are answered. */
function answered(limits: RequestLimits, address: string, requests: number): number {
  const all = Array.from({ length: requests }, () => requestOf(address));
  return all.filter(({ request, response }) => !limits.isOver(request, response)).length;
}

describe("the limit on requests", () => {
  it("holds for a network, and says after how many seconds it may go on", () => {
    let now = 20_000;
    const limits = new RequestLimits(config, 1, () => now);
    expect(answered(limits, "8.8.8.8", 15)).toBe(10);
    const { request, response, sent } = requestOf("8.8.8.8");
    expect(limits.isOver(request, response)).toBe(true);
    expect(() => limits.refuse(request)).toThrow("Expected available in 40 seconds.");
    expect(sent).toEqual({ "ratelimit-policy": '"network";q=10;w=60', ratelimit: '"network";r=0;t=40' });
    expect(answered(limits, "8.8.4.4", 1)).toBe(1);
    now = 60_000;
    expect(answered(limits, "8.8.8.8", 15)).toBe(10);
  });

  it("is announced from half of it on", () => {
    const limits = new RequestLimits(config, 1, () => 0);
    const announced = Array.from({ length: 10 }, () => {
      const { request, response, sent } = requestOf("8.8.8.8");
      limits.isOver(request, response);
      return sent["ratelimit"];
    });
    expect(announced.slice(0, 5)).toEqual([undefined, undefined, undefined, undefined, undefined]);
    expect(announced.slice(5)).toEqual([4, 3, 2, 1, 0].map((left) => `"network";r=${left};t=60`));
  });

  it("counts an IPv6 network as one client", () => {
    const limits = new RequestLimits(config, 1, () => 0);
    expect(answered(limits, "2a00:1450:4001:80b::1", 6)).toBe(6);
    expect(answered(limits, "2a00:1450:4001:80b::2", 6)).toBe(4);
    expect(answered(limits, "2a00:1450:4001:80c::2", 6)).toBe(6);
  });

  it.each([
    "127.0.0.1",
    "::1",
    "10.1.2.3",
    "192.168.7.1",
    "172.20.0.1",
    "fd00::7",
    "::ffff:127.0.0.1",
    "unknown",
  ])("does not count addresses of private networks, such as %s", (address) => {
    const limits = new RequestLimits(config, 1, () => 0);
    expect(answered(limits, address, 100)).toBe(100);
    for (const viewer of [person(1), person(1, true)]) {
      for (let count = 0; count < 100; count++) {
        const { request, response, sent } = requestOf(address, { authorization: "Bearer one" });
        limits.count(request, response, viewer);
        expect(sent).toEqual({});
      }
    }
  });

  it("does not believe a header from a sender that is not trusted", () => {
    const limits = new RequestLimits({ ...config, trustProxy: false }, 1, () => 0);
    const requests = Array.from({ length: 20 }, (_, index) => {
      const { request, response } = requestOf(`8.8.8.${index}`);
      (request as unknown as { socket: object }).socket = { remoteAddress: "9.9.9.9" };
      return limits.isOver(request, response);
    });
    expect(requests.filter((isOver) => isOver)).toHaveLength(10);
  });

  it("holds for a person whatever the network, for each token, and for a network that sends credentials of nobody", () => {
    const limits = new RequestLimits(config, 1, () => 0);
    const isRefused = (viewer: Viewer, address: string, headers: Record<string, string>): boolean => {
      const { request, response } = requestOf(address, headers);
      if (limits.isOver(request, response))
        throw new Error("A request with credentials was refused too early");
      try {
        limits.count(request, response, viewer);
        return false;
      } catch (error) {
        return error instanceof ApiError && error.status === 429;
      }
    };
    const refusedAfter = (viewer: Viewer, headers: Record<string, string>): number =>
      Array.from({ length: 100 }, (_, count) => isRefused(viewer, `8.8.${count}.8`, headers)).indexOf(true);
    expect(refusedAfter(person(1), { cookie: "sessionid=1" })).toBe(20);
    expect(refusedAfter(person(2), { cookie: "sessionid=2" })).toBe(20);
    expect(refusedAfter(person(1, true), { authorization: "Bearer one" })).toBe(30);
    expect(refusedAfter(person(1, true), { authorization: "Bearer two" })).toBe(30);
    const refused = Array.from({ length: 15 }, () =>
      isRefused(anonymous, "8.8.8.8", { cookie: "sessionid=x" }),
    ).filter((one) => one);
    expect(refused).toHaveLength(5);
  });

  it("is no limit if it is 0", () => {
    const limits = new RequestLimits({ ...config, requestsPerNetwork: 0 }, 1, () => 0);
    expect(answered(limits, "8.8.8.8", 1000)).toBe(1000);
  });

  it("holds for several processes together, up to the quarter that each keeps to itself", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 4 }),
        fc.array(fc.nat(3), { minLength: 1, maxLength: 300 }),
        (count, turns) => {
          const quota = 40;
          const settings = { ...config, requestsPerNetwork: quota };
          const processes = Array.from({ length: count }, () => new RequestLimits(settings, count, () => 0));
          const messages: { from: number; counted: CountedRequests }[] = [];
          let passed = 0;
          for (const turn of turns) {
            const from = turn % count;
            passed += answered(processes[from] as RequestLimits, "8.8.8.8", 1);
            const counted = processes[from]?.untold() ?? null;
            if (counted !== null) messages.push({ from, counted });
            for (const message of messages.splice(0)) {
              for (const [index, process] of processes.entries())
                if (index !== message.from) process.receive(message.counted);
            }
          }
          expect(passed).toBeGreaterThanOrEqual(Math.min(quota, turns.length));
          expect(passed).toBeLessThanOrEqual(quota * 1.25);
        },
      ),
    );
  });

  it("forgets what others counted in a window that is over", () => {
    let now = 0;
    const limits = new RequestLimits(config, 2, () => now);
    const clients = [["network 8.8.8.8", 10]] as const;
    limits.receive({ window: 0, clients });
    expect(answered(limits, "8.8.8.8", 1)).toBe(0);
    now = 60_000;
    limits.receive({ window: 0, clients });
    expect(answered(limits, "8.8.8.8", 11)).toBe(10);
  });
});

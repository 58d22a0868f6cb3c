import { describe, expect, it } from "vitest";
import { mayReadMetrics } from "./access.ts";

const token = "0123456789abcdef";
const nobody = { metricsToken: null, metricsAddresses: null };
const reader = { authorization: undefined, address: "192.0.2.7", isForwarded: false };

describe("who may read metrics", () => {
  it("is nobody without a setting", () => {
    expect(mayReadMetrics(nobody, { ...reader, authorization: "Bearer null" })).toBe(false);
    expect(mayReadMetrics(nobody, { ...reader, authorization: "Bearer " })).toBe(false);
  });

  it.each([
    [`Bearer ${token}`, true],
    [`Bearer ${token}0`, false],
    [`bearer ${token}`, false],
    [token, false],
    ["Bearer ", false],
    [undefined, false],
  ])("is decided by the token: %s", (authorization, expected) => {
    expect(mayReadMetrics({ ...nobody, metricsToken: token }, { ...reader, authorization })).toBe(expected);
  });

  it.each([
    ["192.0.2.7", "192.0.2.7", true],
    ["192.0.2.7", "192.0.2.8", false],
    ["10.0.0.0/8", "10.200.3.4", true],
    ["10.0.0.0/8", "11.0.0.1", false],
    ["10.0.0.0/8", "::ffff:10.0.0.1", true],
    ["2001:db8::/32", "2001:db8:1::5", true],
    ["2001:db8::/32", "10.0.0.1", false],
    ["10.0.0.0/8", "no address", false],
  ])("is decided by addresses: %s and %s", (range, address, expected) => {
    expect(mayReadMetrics({ ...nobody, metricsAddresses: [range] }, { ...reader, address })).toBe(expected);
  });

  it("is not decided by the address of a proxy that is not trusted", () => {
    const settings = { metricsToken: token, metricsAddresses: ["192.0.2.7"] };
    expect(mayReadMetrics(settings, { ...reader, isForwarded: true })).toBe(false);
    const authorization = `Bearer ${token}`;
    expect(mayReadMetrics(settings, { ...reader, isForwarded: true, authorization })).toBe(true);
  });
});

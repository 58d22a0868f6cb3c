import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isPublicAddress } from "./public-address.ts";

describe("a public address", () => {
  it.each([
    "1.1.1.1",
    "8.8.8.8",
    "93.184.215.14",
    "172.15.255.255",
    "172.32.0.0",
    "100.63.255.255",
    "100.128.0.0",
    "223.255.255.255",
    "2606:4700:4700::1111",
    "2a00:1450:4001:82a::200e",
    "2001:200::1",
  ])("is %s", (address) => {
    expect(isPublicAddress(address)).toBe(true);
  });

  it.each([
    ["unspecified", "0.0.0.0", "0.1.2.3", "::"],
    ["loopback", "127.0.0.1", "127.255.255.254", "::1"],
    ["private", "10.0.0.1", "172.16.0.1", "172.31.255.255", "192.168.1.1"],
    ["link-local", "169.254.1.1", "fe80::1", "febf::1", "fe80::1%eth0"],
    ["of a machine's own description", "169.254.169.254", "fd00:ec2::254", "168.63.129.16", "192.0.0.192"],
    ["behind a carrier", "100.64.0.1", "100.127.255.255", "100.100.100.200"],
    ["multicast", "224.0.0.1", "239.255.255.250", "ff02::1", "ff0e::1"],
    ["broadcast", "255.255.255.255"],
    ["for documents", "192.0.2.1", "198.51.100.1", "203.0.113.1", "2001:db8::1", "3fff::1"],
    ["for measuring", "198.18.0.1", "198.19.255.255", "2001:2::1"],
    ["reserved", "192.0.0.1", "192.88.99.1", "240.0.0.1", "254.1.1.1", "4000::1", "5f00::1", "100::1"],
    ["of a site of its own", "fc00::1", "fdff::1", "fec0::1"],
    ["mapped", "::ffff:127.0.0.1", "::ffff:8.8.8.8", "::ffff:a00:1", "::ffff:0:127.0.0.1"],
    ["compatible", "::127.0.0.1", "::8.8.8.8"],
    ["translated", "64:ff9b::7f00:1", "64:ff9b::808:808", "64:ff9b:1::1", "2002:7f00:1::1", "2001::1"],
    [
      "not written as one",
      "127.1",
      "0x7f000001",
      "2130706433",
      "8.8.8",
      "08.8.8.8",
      "",
      "localhost",
      "[::1]",
    ],
  ])("does not include one that is %s", (_what, ...addresses) => {
    expect(addresses.filter(isPublicAddress)).toEqual([]);
  });

  it("is never within 10.0.0.0/8, 127.0.0.0/8 or fc00::/7, and never mapped", () => {
    const byte = fc.integer({ min: 0, max: 255 });
    const group = fc.integer({ min: 0, max: 0xffff }).map((value) => value.toString(16));
    fc.assert(
      fc.property(
        byte,
        byte,
        byte,
        byte,
        fc.array(group, { minLength: 7, maxLength: 7 }),
        (a, b, c, d, rest) => {
          expect(isPublicAddress(`10.${b}.${c}.${d}`)).toBe(false);
          expect(isPublicAddress(`127.${b}.${c}.${d}`)).toBe(false);
          expect(isPublicAddress(`::ffff:${a}.${b}.${c}.${d}`)).toBe(false);
          expect(isPublicAddress(`fd${a.toString(16).padStart(2, "0")}:${rest.join(":")}`)).toBe(false);
        },
      ),
    );
  });
});

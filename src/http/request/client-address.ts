import type { IncomingMessage } from "node:http";
import proxyAddress from "@fastify/proxy-addr";
import ipaddr from "ipaddr.js";

/** Returns the address of the client of a request, as Fastify's `request.ip` does. */
export type ClientAddress = (request: IncomingMessage) => string;

/** `trustProxy` is the setting of this name. */
export function clientAddressWith(trustProxy: boolean | readonly string[]): ClientAddress {
  if (trustProxy === false) return ({ socket }) => socket.remoteAddress ?? "";
  const trust = trustProxy === true ? () => true : proxyAddress.compile([...trustProxy]);
  return (request) =>
    request.headers["x-forwarded-for"] === undefined
      ? (request.socket.remoteAddress ?? "")
      : proxyAddress(request, trust);
}

/** The network of an address. For IPv6 it is the /64, because a client with one address has all 2⁶⁴ of them. */
export function networkOf(address: string): string {
  const [plain = ""] = address.split("%");
  if (!plain.includes(":") || plain.includes(".")) return plain;
  const [head = "", tail] = plain.toLowerCase().split("::");
  const groups = head.split(":").filter((group) => group !== "");
  const trailing = (tail ?? "").split(":").filter((group) => group !== "");
  const zeros = tail === undefined ? 0 : Math.max(0, 8 - groups.length - trailing.length);
  const all = [...groups, ...Array.from({ length: zeros }, () => "0"), ...trailing];
  return all
    .slice(0, 4)
    .map((group) => group.replace(/^0+(?=.)/, ""))
    .join(":");
}

const insideRanges: ReadonlySet<string> = new Set([
  "loopback",
  "private",
  "linkLocal",
  "uniqueLocal",
  "carrierGradeNat",
]);

/** Whether an address is of this machine or of a private network, so that no stranger has it. */
export function isInside(address: string): boolean {
  const [plain = ""] = address.split("%");
  return !ipaddr.isValid(plain) || insideRanges.has(ipaddr.process(plain).range());
}

import { isIP } from "node:net";
import ipaddr from "ipaddr.js";

/** Where Azure's machines are told of themselves: an address that is public only by its looks. */
const alsoInside: ReadonlySet<string> = new Set(["168.63.129.16"]);

/**
 * Whether an IP address is one that the whole internet knows. In IPv6 that is 2000::/3 without what is set apart in it;
 * what stands for an IPv4 address (mapped, NAT64, 6to4, Teredo) is none, whatever it stands for.
 */
export function isPublicAddress(address: string): boolean {
  if (isIP(address) === 0 || address.includes("%") || alsoInside.has(address)) return false;
  const parsed = ipaddr.parse(address);
  if (parsed.range() !== "unicast") return false;
  return parsed.kind() === "ipv4" || parsed.match(ipaddr.parseCIDR("2000::/3"));
}

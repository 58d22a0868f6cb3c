import { isIP } from "node:net";
import ipaddr from "ipaddr.js";

/** The address of Azure's platform services for its virtual machines, which only looks public. */
const alsoInside: ReadonlySet<string> = new Set(["168.63.129.16"]);

/**
 * Whether an IP address is public. In IPv6, 2000::/3 is public except for its reserved ranges. IPv6 addresses that
 * embed an IPv4 address (mapped, NAT64, 6to4, Teredo) never count as public.
 */
export function isPublicAddress(address: string): boolean {
  if (isIP(address) === 0 || address.includes("%") || alsoInside.has(address)) return false;
  const parsed = ipaddr.parse(address);
  if (parsed.range() !== "unicast") return false;
  return parsed.kind() === "ipv4" || parsed.match(ipaddr.parseCIDR("2000::/3"));
}

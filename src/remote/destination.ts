import type { LookupAddress } from "node:dns";
import { lookup } from "node:dns/promises";
import { isIP } from "node:net";
import type { HostAndPort } from "../value-kinds.ts";
import { isPublicAddress } from "./public-address.ts";
import { failedForGood, refused } from "./remote-error.ts";

/** Looks up all IP addresses of a name. */
export type Resolve = (name: string) => Promise<readonly LookupAddress[]>;

export const systemResolve: Resolve = (name) => lookup(name, { all: true, order: "verbatim" });

/** The addresses to connect to. No others are used, even if the name resolves to others later. */
export interface Destination {
  /** Without the brackets of an IPv6 address. */
  host: string;
  port: number;
  addresses: readonly LookupAddress[];
}

/**
 * Parses a URL from a user or a redirect. `URL` normalizes odd spellings of hosts (numbers in other bases, full-width
 * digits, percent-encoding) as browsers do, so the host that is checked is the host that is connected to.
 *
 * @throws {RemoteError}
 */
export function readAddress(text: string, base?: URL): URL {
  const url = URL.parse(text, base?.href);
  if (url === null) throw failedForGood("The address of the file cannot be read");
  if (url.protocol !== "http:" && url.protocol !== "https:") {
    throw failedForGood("Files are fetched from http:// and https:// addresses only");
  }
  if (url.username !== "" || url.password !== "") {
    throw failedForGood("The address of the file may not have a user name or a password in it");
  }
  url.hash = "";
  return url;
}

/** @throws {RemoteError} */
export function readRedirect(from: URL, location: string): URL {
  const to = readAddress(location, from);
  if (from.protocol === "https:" && to.protocol === "http:") {
    throw failedForGood(
      "The address is https:// and redirects to http://, where nobody vouches for the file",
    );
  }
  return to;
}

/**
 * Resolves the destination of a URL, if files may be fetched from it.
 *
 * A name may have several addresses. If one is not public, all are refused, because no honest name mixes them.
 *
 * @throws {RemoteError} if the destination is not allowed; also whatever `resolve` throws.
 */
export async function destinationOf(
  url: URL,
  allowedHosts: readonly HostAndPort[],
  resolve: Resolve,
): Promise<Destination> {
  const host = url.hostname.replace(/^\[(.*)\]$/, "$1");
  const port = portOf(url);
  const allowed = allowedHosts.filter((entry) => bare(entry.host) === bare(url.hostname));
  const isNamed = allowed.some((entry) => entry.port === port);
  if (!isNamed && port !== 80 && port !== 443 && port < 1024) {
    throw failedForGood(`Files are not fetched from port ${port}`);
  }
  const family = isIP(host);
  const addresses = family === 0 ? await resolve(host) : [{ address: host, family }];
  if (addresses.length === 0) throw refused(`${host} has no address`);
  const isTrusted = isNamed || allowed.some((entry) => entry.port === null);
  const inside = isTrusted ? undefined : addresses.find(({ address }) => !isPublicAddress(address));
  if (inside !== undefined) {
    const isAddress = host === inside.address;
    throw refused(isAddress ? `${host} is not public` : `${host} is ${inside.address}, which is not public`);
  }
  return { host, port, addresses };
}

function portOf({ port, protocol }: URL): number {
  if (port !== "") return Number(port);
  return protocol === "https:" ? 443 : 80;
}

/** Removes the dot at the end of a name, which does not change its meaning. */
function bare(host: string): string {
  return host.replace(/\.$/, "");
}

import type { LookupAddress } from "node:dns";
import { lookup } from "node:dns/promises";
import { isIP } from "node:net";
import type { HostAndPort } from "../value-kinds.ts";
import { isPublicAddress } from "./public-address.ts";
import { failedForGood, refused } from "./remote-error.ts";

/** All addresses of a name. */
export type Resolve = (name: string) => Promise<readonly LookupAddress[]>;

export const systemResolve: Resolve = (name) => lookup(name, { all: true, order: "verbatim" });

/** What is to be connected to: these addresses and no others, whatever their name leads to later. */
export interface Destination {
  /** As it is connected to: without the brackets of an IPv6 address. */
  host: string;
  port: number;
  addresses: readonly LookupAddress[];
}

/**
 * An address as a person or a redirect gives it. `URL` reads the odd spellings of hosts (numbers in other bases, wide
 * digits, percent signs) as browsers do, so that what is checked is what is connected to.
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
 * Where an address leads, if files may be fetched from there.
 *
 * A name may have several addresses: one that is not public refuses them all, since nobody who means well mixes them.
 *
 * @throws {RemoteError} where they may not; whatever `resolve` throws.
 */
export async function destinationOf(
  url: URL,
  allowedHosts: readonly HostAndPort[],
  resolve: Resolve,
): Promise<Destination> {
  const host = url.hostname.replace(/^\[(.*)\]$/, "$1");
  const port = portOf(url);
  const allowed = allowedHosts.filter((one) => bare(one.host) === bare(url.hostname));
  const isNamed = allowed.some((one) => one.port === port);
  if (!isNamed && port !== 80 && port !== 443 && port < 1024) {
    throw failedForGood(`Files are not fetched from port ${port}`);
  }
  const family = isIP(host);
  const addresses = family === 0 ? await resolve(host) : [{ address: host, family }];
  if (addresses.length === 0) throw refused(`${host} has no address`);
  const isTrusted = isNamed || allowed.some((one) => one.port === null);
  const inside = isTrusted ? undefined : addresses.find(({ address }) => !isPublicAddress(address));
  if (inside !== undefined) throw refused(`${host} is ${inside.address}, which is not public`);
  return { host, port, addresses };
}

function portOf({ port, protocol }: URL): number {
  if (port !== "") return Number(port);
  return protocol === "https:" ? 443 : 80;
}

/** A dot at the end of a name changes nothing but its spelling. */
function bare(host: string): string {
  return host.replace(/\.$/, "");
}

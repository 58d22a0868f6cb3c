import { destinationOf, readAddress, systemResolve } from "./destination.ts";
import { Exchange, type Posted, type RemoteSettings } from "./exchange.ts";
import { notPublic } from "./remote-error.ts";

/**
 * Sends a body to an untrusted URL, under the rules of fetch-remote.ts. Returns the status of the answer, whose body is
 * not read. A redirect is not followed: it is an answer like any other.
 *
 * @throws {RemoteError}
 */
export async function postRemote(
  address: string,
  posted: Posted,
  settings: RemoteSettings,
  signal: AbortSignal,
): Promise<number> {
  const { allowedHosts, resolve = systemResolve } = settings;
  const exchange = new Exchange(settings, signal);
  try {
    const url = readAddress(address);
    const destination = await exchange.outcome(destinationOf(url, allowedHosts, resolve), notPublic);
    const response = await exchange.request(url, destination, posted);
    response.destroy();
    return response.statusCode ?? 0;
  } finally {
    exchange.end();
  }
}

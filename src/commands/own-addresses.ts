import type { Config } from "../config.ts";
import { type Addresses, addressesFrom } from "../http/text/addresses.ts";

/** Where this server is for its operator, who asks no server: as set, or else where it listens. */
export function ownAddresses(config: Config): Addresses {
  const { host, port } = config;
  const isEverywhere = host === "0.0.0.0" || host === "::";
  const name = isEverywhere ? "127.0.0.1" : host.includes(":") ? `[${host}]` : host;
  return addressesFrom(config, config.url ?? `http://${name}:${port}`);
}

import type { Config } from "../config.ts";
import { type Addresses, addressesFrom, passwordAddress } from "../http/text/addresses.ts";

/** The URLs of this server outside of any request: as set, or else those it listens on. */
export function ownAddresses(config: Config): Addresses {
  const { host, port } = config;
  const isEverywhere = host === "0.0.0.0" || host === "::";
  const name = isEverywhere ? "127.0.0.1" : host.includes(":") ? `[${host}]` : host;
  return addressesFrom(config, config.url ?? `http://${name}:${port}`);
}

/** The lines that show a password link to an administrator. */
export function passwordLinkLines(config: Config, username: string, token: string): string {
  const address = passwordAddress(ownAddresses(config).api, token);
  return `With this link, ${username} can set a password, once, within a week:\n${address}\n`;
}

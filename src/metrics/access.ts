import { timingSafeEqual } from "node:crypto";
import ipaddr from "ipaddr.js";
import type { Config } from "../config.ts";

export interface MetricsReader {
  authorization: string | undefined;
  /** The client's address. */
  address: string;
  /** Whether the request came through a proxy that is not trusted, so that the address is the proxy's. */
  isForwarded: boolean;
}

type MetricsSettings = Pick<Config, "metricsToken" | "metricsAddresses">;

/** Whether anyone may read metrics: if not, nothing is measured. */
export const hasMetrics = ({ metricsToken, metricsAddresses }: MetricsSettings): boolean =>
  metricsToken !== null || metricsAddresses !== null;

/** Whether a request may read the metrics: by the token, or by its address. */
export function mayReadMetrics(
  { metricsToken, metricsAddresses }: MetricsSettings,
  { authorization = "", address, isForwarded }: MetricsReader,
): boolean {
  if (metricsToken !== null && isSame(authorization, `Bearer ${metricsToken}`)) return true;
  return metricsAddresses !== null && !isForwarded && isAmong(address, metricsAddresses);
}

function isSame(text: string, expected: string): boolean {
  const [given, wanted] = [Buffer.from(text), Buffer.from(expected)];
  return given.length === wanted.length && timingSafeEqual(given, wanted);
}

function isAmong(address: string, ranges: readonly string[]): boolean {
  if (!ipaddr.isValid(address)) return false;
  const client = ipaddr.process(address);
  return ranges.some((range) => {
    const [first = "", prefix] = range.split("/");
    const base = ipaddr.process(first);
    if (base.kind() !== client.kind()) return false;
    const bits = prefix === undefined ? (base.kind() === "ipv4" ? 32 : 128) : Number(prefix);
    return client.match(base, bits);
  });
}

import type { FastifyRequest } from "fastify";
import type { Logger } from "pino";

/**
 * Warns once about a proxy that is not trusted: all its visitors share one address, and with it one set of rate
 * limits. A client may also forge the header, so the warning names the address that sent it.
 */
export class UntrustedProxies {
  readonly #log: Logger;
  #hasWarned = false;

  constructor(log: Logger) {
    this.#log = log;
  }

  /** Takes a request that came with the header. */
  notice({ ips, ip }: FastifyRequest): void {
    if (this.#hasWarned) return;
    // Fastify reads the header only if it trusts the sender; `ips` then has more than one address.
    if (ips !== undefined && ips.length > 1) return;
    this.#hasWarned = true;
    this.#log.warn(
      { address: ip },
      "A request came with X-Forwarded-For from an address that QUIRE_TRUST_PROXY does not name: if it is your " +
        "proxy, all its visitors count as one; name it there",
    );
  }
}

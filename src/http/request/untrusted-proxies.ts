import type { FastifyRequest } from "fastify";
import type { Logger } from "pino";

/**
 * Warns once of a proxy whose word does not count: through it all visitors come from one address, and share what one
 * address may try and ask for. A stranger may send the header too, so the warning says where it came from.
 */
export class UntrustedProxies {
  readonly #log: Logger;
  #isTold = false;

  constructor(log: Logger) {
    this.#log = log;
  }

  notice({ headers, ips, ip }: FastifyRequest): void {
    if (this.#isTold || headers["x-forwarded-for"] === undefined) return;
    // Fastify goes on to what the header says only where it trusts the sender.
    if (ips !== undefined && ips.length > 1) return;
    this.#isTold = true;
    this.#log.warn(
      { address: ip },
      "A request came with X-Forwarded-For from an address that QUIRE_TRUST_PROXY does not name: if it is your " +
        "proxy, all its visitors count as one; name it there",
    );
  }
}

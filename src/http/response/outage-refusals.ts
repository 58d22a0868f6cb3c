import type { FastifyInstance } from "fastify";
import type { Logger } from "pino";

declare module "fastify" {
  interface FastifyRequest {
    /** Why the database or the files could not be reached; null for a request that was not refused for that. */
    outage: string | null;
  }
}

const intervalMilliseconds = 1000;
/** A store may have a reason of its own for each file. */
const maxReasons = 10;
const otherReasons = "Other reasons";

/**
 * Logs how many requests were refused because the database or the files could not be reached, once a second for each
 * reason. During an outage, a line for each request would say the same as often as clients ask.
 */
export class OutageRefusals {
  readonly #log: Pick<Logger, "warn">;
  readonly #counts = new Map<string, number>();
  #timer: NodeJS.Timeout | null = null;

  constructor(log: Pick<Logger, "warn">) {
    this.#log = log;
  }

  /** Marks requests with `request.outage`, and writes the last line when the application closes. */
  observe(app: FastifyInstance): void {
    app.decorateRequest("outage", null);
    app.addHook("onClose", async () => this.#write());
  }

  count(given: string): void {
    const isKnown = this.#counts.has(given) || this.#counts.size < maxReasons;
    const reason = isKnown ? given : otherReasons;
    this.#counts.set(reason, (this.#counts.get(reason) ?? 0) + 1);
    this.#timer ??= setTimeout(() => this.#write(), intervalMilliseconds).unref();
  }

  #write(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    for (const [reason, requests] of this.#counts)
      this.#log.warn({ status: 503, requests, reason }, "Requests were refused");
    this.#counts.clear();
  }
}

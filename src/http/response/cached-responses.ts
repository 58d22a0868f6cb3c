import type { IncomingMessage } from "node:http";
import { codingFor } from "../request/negotiation.ts";

/** The state of the database that a reader would see now: equal versions mean equal contents. */
export type Version = string | number;

export interface Answer {
  /** Names and values alternate. */
  headers: readonly string[];
  body: Buffer;
  etag: string;
}

interface CachedResponse {
  version: Version;
  answer: Answer;
}

const maxKeys = 4096;
const maxBytes = 8 * 1024 * 1024;
const maxBodyBytes = 512 * 1024;
const maxKeyLength = 4096;

/**
 * Caches whole responses, each with the version of the database from which it was made. A response is valid while the
 * database still has that version, which every request reads from the database itself: so a write by any process
 * shows in the very next response. An address is cached from its second request on, since most cursors are requested
 * once.
 */
export class CachedResponses {
  /** In order of last use. Null: the key was seen once, but no response is cached. */
  readonly #answers = new Map<string, CachedResponse | null>();
  #bytes = 0;

  /**
   * The cache key of a request; null for requests that are never cached. Responses to requests with credentials are
   * never cached. Pages of some origins receive other headers (see `shareWithOrigin`), so each origin has its own
   * entries. Whether a proxy's headers count depends on its address, so both are part of the key where a proxy sends
   * such headers.
   */
  keyOf({ method, url = "", headers, socket }: IncomingMessage): string | null {
    if (method !== "GET" || url.length > 2048) return null;
    if (headers.authorization !== undefined || headers.cookie !== undefined) return null;
    const {
      host = "",
      accept = "",
      origin = "",
      "accept-encoding": codings,
      "x-forwarded-host": forwardedHost,
      "x-forwarded-proto": scheme,
    } = headers;
    const key = `${url}\n${host}\n${accept}\n${origin}\n${codingFor(codings) ?? ""}`;
    const isProxied = forwardedHost !== undefined || scheme !== undefined;
    const whole = isProxied
      ? `${key}\n${String(forwardedHost)}\n${String(scheme)}\n${socket.remoteAddress}`
      : key;
    return whole.length > maxKeyLength ? null : whole;
  }

  /** Whether a response under this key is worth reading the database's version. Counts as a use of the key. */
  isSeen(key: string): boolean {
    const cached = this.#answers.get(key);
    if (cached === undefined) {
      this.#set(key, null);
      return false;
    }
    this.#answers.delete(key);
    this.#answers.set(key, cached);
    return true;
  }

  find(key: string, version: Version): Answer | null {
    const cached = this.#answers.get(key);
    return cached?.version === version ? cached.answer : null;
  }

  /**
   * `version` is the database's version from before the response was made, so that the response is never older than
   * it.
   */
  add(key: string, version: Version, answer: Answer): void {
    if (answer.body.length <= maxBodyBytes) this.#set(key, { version, answer });
  }

  #set(key: string, cached: CachedResponse | null): void {
    this.#forget(key);
    this.#answers.set(key, cached);
    this.#bytes += cached?.answer.body.length ?? 0;
    for (const oldest of this.#answers.keys()) {
      if (this.#answers.size <= maxKeys && this.#bytes <= maxBytes) break;
      this.#forget(oldest);
    }
  }

  #forget(key: string): void {
    this.#bytes -= this.#answers.get(key)?.answer.body.length ?? 0;
    this.#answers.delete(key);
  }
}

import type { IncomingMessage } from "node:http";
import { codingFor } from "../request/negotiation.ts";

/** The state of the database that a reader would see now: equal versions mean equal contents. */
export type Version = string | number;

export interface Answer {
  /** Names and values alternate. */
  headers: readonly string[];
  /** Those for a client that has the body. */
  headersWithoutBody: readonly string[];
  body: Buffer;
  etag: string;
}

interface CachedResponse {
  version: Version;
  answer: Answer;
}

/** Of each of the two generations. */
const maxKeys = 2048;
const maxBytes = 4 * 1024 * 1024;
const maxBodyBytes = 512 * 1024;
const maxKeyLength = 4096;

/** Null: the key was seen once, but no response is cached. */
type Generation = Map<string, CachedResponse | null>;

/**
 * Caches whole responses, each with the version of the database from which it was made. A response is valid while the
 * database still has that version: so a write by any process shows in the very next response. An address is cached from
 * its second request on, since most cursors are requested once.
 *
 * There are two generations. When the young one is full, it becomes the old one, and what the old one held is forgotten
 * unless it was used in the meantime. So a hit changes nothing at all, where an exact order of last use would cost a
 * deletion and an insertion in the map, whose gaps later evictions have to pass.
 */
export class CachedResponses {
  #young: Generation = new Map();
  #old: Generation = new Map();
  /** Of the bodies in the young generation. */
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
    if (this.#young.has(key)) return true;
    const cached = this.#old.get(key);
    this.#set(key, cached ?? null);
    return cached !== undefined;
  }

  find(key: string, version: Version): Answer | null {
    const cached = this.#young.get(key) ?? this.#old.get(key);
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
    this.#bytes += sizeOf(cached) - sizeOf(this.#young.get(key));
    this.#young.set(key, cached);
    if (this.#young.size <= maxKeys && this.#bytes <= maxBytes) return;
    this.#old = this.#young;
    this.#young = new Map();
    this.#bytes = 0;
  }
}

function sizeOf(cached: CachedResponse | null | undefined): number {
  return cached?.answer.body.length ?? 0;
}

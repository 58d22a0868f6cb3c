import type { IncomingMessage } from "node:http";
import { codingFor, languageFor } from "../../../http/request/negotiation.ts";
import type { Head } from "./head.ts";

/** The state of the database that a reader would see now: equal versions mean equal contents. */
export type Version = string | number;

export interface Answer {
  head: Head;
  /** The path of the route that made it. */
  route: string | undefined;
  body: Buffer;
  etag: string;
}

interface CachedResponse {
  version: Version;
  answer: Answer;
}

/** The maximum number of keys in each of the two generations. */
const maxKeys = 2048;
const maxBytes = 4 * 1024 * 1024;
const maxBodyBytes = 512 * 1024;
const maxKeyLength = 4096;

/** Null: the key was seen once, but no response is cached. */
type Generation = Map<string, CachedResponse | null>;

/**
 * Caches whole responses, each with the version of the database from which it was made. A response is valid while the
 * database still has that version, so a write by any process shows in the very next response. An address is cached from
 * its second request on, because most cursors are requested only once.
 *
 * There are two generations. When the young one is full, it becomes the old one, and the entries of the previous old
 * one are dropped unless they were used in the meantime. So a hit changes nothing at all. An exact least-recently-used
 * order would cost a deletion and an insertion in the map, which leaves gaps that later evictions have to skip.
 */
export class CachedResponses {
  #young: Generation = new Map();
  #old: Generation = new Map();
  /** The total size of the bodies in the young generation. */
  #bytes = 0;

  /**
   * The cache key of a request; null for requests that are never cached. Responses to requests with credentials are
   * never cached. Pages of some origins receive other headers (see `shareWithOrigin`), so each origin has its own
   * entries, and so has each language of pages. If a proxy sends forwarding headers, the key includes them and the
   * proxy's address, which decides whether they count.
   */
  keyOf({ method, url = "", headers, socket }: IncomingMessage): string | null {
    if (method !== "GET" || url.length > 2048) return null;
    if (headers.authorization !== undefined || headers.cookie !== undefined) return null;
    const {
      host = "",
      accept = "",
      origin = "",
      "accept-encoding": codings,
      "accept-language": accepted,
      "x-forwarded-host": forwardedHost,
      "x-forwarded-proto": scheme,
    } = headers;
    const key = `${url}\n${host}\n${accept}\n${origin}\n${codingFor(codings) ?? ""}\n${languageFor(accepted)}`;
    const isProxied = forwardedHost !== undefined || scheme !== undefined;
    const whole = isProxied
      ? `${key}\n${String(forwardedHost)}\n${String(scheme)}\n${socket.remoteAddress}`
      : key;
    return whole.length > maxKeyLength ? null : whole;
  }

  /**
   * Whether a response under this key is worth reading the database's version for. The call counts as a use of the key.
   */
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
   * `version` is the database's version from before the response was made, so the response is never older than that
   * version.
   */
  add(key: string, version: Version, answer: Answer): void {
    if (answer.body.length <= maxBodyBytes) this.#set(key, { version, answer: withOwnBody(answer) });
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

/** Copies a body that is a small part of a larger buffer, which would be kept with it. */
function withOwnBody(answer: Answer): Answer {
  const { body } = answer;
  if (body.buffer.byteLength <= 2 * body.length) return answer;
  const copy = Buffer.allocUnsafeSlow(body.length);
  body.copy(copy);
  return { ...answer, body: copy };
}

function sizeOf(cached: CachedResponse | null | undefined): number {
  return cached?.answer.body.length ?? 0;
}

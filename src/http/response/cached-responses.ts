import type { IncomingMessage } from "node:http";

/** What of the database a reader would see now: equal versions are equal contents. */
export type Version = string | number;

export interface Answer {
  /** Names and values by turns. */
  headers: readonly string[];
  body: Buffer;
  etag: string;
}

interface CachedResponse {
  version: Version;
  answer: Answer;
}

const keysKept = 4096;
const bytesKept = 8 * 1024 * 1024;
const largestBody = 512 * 1024;
const maxKeyLength = 4096;

/**
 * Whole answers to what is asked again and again, each with the version of the database that it was made from. It
 * serves while the database has that same version, which is asked of the database itself on every request: so a
 * write by anyone, in whatever process, is in the very next answer. An address is remembered from the second time
 * on that it is asked for; most cursors are asked for once.
 */
export class CachedResponses {
  /** In order of their last use. Null: seen, but not remembered. */
  readonly #answers = new Map<string, CachedResponse | null>();
  #bytes = 0;

  /**
   * Who sends credentials is answered for himself. Pages of some origins are told more (see `shareWithOrigin`), so
   * each origin has answers of its own. What a proxy says may count or not, depending on its address, so
   * that is part of the key where a proxy says something.
   */
  keyOf({ method, url = "", headers, socket }: IncomingMessage): string | null {
    if (method !== "GET" || url.length > 2048) return null;
    if (headers.authorization !== undefined || headers.cookie !== undefined) return null;
    const {
      host = "",
      accept = "",
      origin = "",
      "x-forwarded-host": forwardedHost,
      "x-forwarded-proto": scheme,
    } = headers;
    const key = `${url}\n${host}\n${accept}\n${origin}`;
    const isProxied = forwardedHost !== undefined || scheme !== undefined;
    const whole = isProxied
      ? `${key}\n${String(forwardedHost)}\n${String(scheme)}\n${socket.remoteAddress}`
      : key;
    return whole.length > maxKeyLength ? null : whole;
  }

  /** Whether an answer under this key is worth a look at the database's version. Counts as a use of it. */
  isSeen(key: string): boolean {
    const remembered = this.#answers.get(key);
    if (remembered === undefined) {
      this.#set(key, null);
      return false;
    }
    this.#answers.delete(key);
    this.#answers.set(key, remembered);
    return true;
  }

  find(key: string, version: Version): Answer | null {
    const remembered = this.#answers.get(key);
    return remembered?.version === version ? remembered.answer : null;
  }

  /** `version` is what the database had before the answer was made, so that the answer is not older than it. */
  add(key: string, version: Version, answer: Answer): void {
    if (answer.body.length <= largestBody) this.#set(key, { version, answer });
  }

  #set(key: string, remembered: CachedResponse | null): void {
    this.#forget(key);
    this.#answers.set(key, remembered);
    this.#bytes += remembered?.answer.body.length ?? 0;
    for (const oldest of this.#answers.keys()) {
      if (this.#answers.size <= keysKept && this.#bytes <= bytesKept) break;
      this.#forget(oldest);
    }
  }

  #forget(key: string): void {
    this.#bytes -= this.#answers.get(key)?.answer.body.length ?? 0;
    this.#answers.delete(key);
  }
}

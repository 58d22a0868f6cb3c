import http from "node:http";
import https from "node:https";
import type { LookupFunction } from "node:net";
import type { HostAndPort } from "../value-kinds.ts";
import {
  type Destination,
  type Resolve,
  destinationOf,
  readAddress,
  readRedirect,
  systemResolve,
} from "./destination.ts";
import { RemoteError, brokenOff, failedForGood, notPublic, unanswered } from "./remote-error.ts";

/*
 * URLs are untrusted, and this server is inside a network that outsiders cannot reach. So a name is resolved once, all
 * its addresses are checked, and the connection is made to a checked address. A second look-up, as `fetch` or any other
 * client would make, could return other addresses. Each redirect is checked like the first URL. Requests carry no
 * cookies and no credentials, and use no proxy of the environment and no earlier connection.
 */

export interface RemoteLimits {
  bytes: number;
  /** The limit from the first look-up to the last byte. */
  timeSeconds: number;
  /** The limit without a byte from the remote server. */
  idleSeconds: number;
}

export interface RemoteSettings {
  limits: RemoteLimits;
  /** Hosts that may be reached although their addresses are not public. */
  allowedHosts: readonly HostAndPort[];
  resolve?: Resolve;
}

/** A file that is being fetched. Dispose of it, whether or not it was read. */
export interface RemoteFile extends AsyncDisposable {
  /** The URL after all redirects. */
  url: URL;
  contentType: string | null;
  /** The file name that the remote server gives. */
  name: string | null;
  /** In bytes, as the remote server states it. */
  length: number | null;
  /** Rejects with a {@link RemoteError} unless the file is whole and within the limits. */
  bytes: AsyncIterable<Uint8Array>;
}

const maxRedirects = 5;
const redirectStatuses: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
const maxHeadLength = 16 * 1024;

/**
 * Requests the file at an untrusted URL.
 *
 * @throws {RemoteError} with a reason that users can read.
 */
export async function fetchRemote(
  address: string,
  { limits, allowedHosts, resolve = systemResolve }: RemoteSettings,
  signal: AbortSignal,
): Promise<RemoteFile> {
  const exchange = new Exchange(limits, signal);
  try {
    let url = readAddress(address);
    for (let redirects = 0; ; redirects++) {
      const destination = await exchange.outcome(destinationOf(url, allowedHosts, resolve), notPublic);
      const response = await exchange.request(url, destination);
      const next = redirectOf(url, response);
      if (next === null) return remoteFile(url, response, limits, exchange);
      response.destroy();
      if (redirects === maxRedirects) throw failedForGood("The address redirects too often");
      url = next;
    }
  } catch (error) {
    exchange.end();
    throw error;
  }
}

/** All requests for one file, with their time limits. */
class Exchange {
  readonly #limits: RemoteLimits;
  readonly #controller = new AbortController();
  readonly #timer: NodeJS.Timeout;
  readonly #signal: AbortSignal;
  readonly #onAbort = (): void => this.#controller.abort(this.#signal.reason);

  constructor(limits: RemoteLimits, signal: AbortSignal) {
    this.#limits = limits;
    this.#signal = signal;
    const late = `It took longer than ${limits.timeSeconds} s to fetch the file`;
    this.#timer = setTimeout(() => this.#cut(late), limits.timeSeconds * 1000);
    if (signal.aborted) this.#onAbort();
    else signal.addEventListener("abort", this.#onAbort, { once: true });
  }

  end(): void {
    clearTimeout(this.#timer);
    this.#signal.removeEventListener("abort", this.#onAbort);
    this.#controller.abort();
  }

  /** Awaits the outcome within the limits. Errors become messages for users; `message` is the default. */
  async outcome<T>(promise: Promise<T>, message: string): Promise<T> {
    const { signal } = this.#controller;
    const cut = Promise.withResolvers<never>();
    const onAbort = (): void => cut.reject(signal.reason);
    if (signal.aborted) onAbort();
    else signal.addEventListener("abort", onAbort, { once: true });
    try {
      return await Promise.race([promise, cut.promise]);
    } catch (error) {
      throw this.asTold(error, message);
    } finally {
      signal.removeEventListener("abort", onAbort);
    }
  }

  asTold(error: unknown, message: string): unknown {
    if (this.#controller.signal.aborted) return this.#controller.signal.reason;
    if (error instanceof RemoteError) return error;
    return new RemoteError(message, { isFinal: isLasting(error), cause: error });
  }

  /** Sends one request and awaits the head of its response. */
  request(url: URL, { host, port, addresses }: Destination): Promise<http.IncomingMessage> {
    const { request: ask, Agent } = url.protocol === "https:" ? https : http;
    const lookup: LookupFunction = (_name, { all }, done) => {
      const [first] = addresses;
      if (all === true) done(null, [...addresses]);
      else done(null, first?.address ?? "", first?.family);
    };
    const answered = Promise.withResolvers<http.IncomingMessage>();
    const request = ask({
      protocol: url.protocol,
      host,
      port,
      path: url.pathname + url.search,
      lookup,
      agent: new Agent({ keepAlive: false }),
      headers: { "user-agent": "Quire", accept: "*/*", "accept-encoding": "identity", connection: "close" },
      maxHeaderSize: maxHeadLength,
      timeout: this.#limits.idleSeconds * 1000,
      signal: this.#controller.signal,
    });
    request
      .on("response", answered.resolve)
      .on("error", answered.reject)
      .on("timeout", () => this.#cut(`Nothing came for ${this.#limits.idleSeconds} s`))
      // For example after an unrequested change of protocols.
      .on("close", () => answered.reject(new Error("It was closed without an answer")))
      .end();
    return this.outcome(answered.promise, unanswered);
  }

  #cut(message: string): void {
    this.#controller.abort(new RemoteError(message, { isFinal: false }));
  }
}

/** Whether an error will occur again: an unknown name, an invalid certificate, or no HTTP. */
function isLasting(error: unknown): boolean {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  return /^(ENOTFOUND$|HPE_|ERR_TLS_|ERR_SSL_|CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_)/.test(code);
}

/** The target of a redirect; null if the response is the file. */
function redirectOf(url: URL, { statusCode = 0, headers }: http.IncomingMessage): URL | null {
  const { location } = headers;
  if (!redirectStatuses.has(statusCode) || location === undefined) return null;
  return readRedirect(url, location);
}

function remoteFile(
  url: URL,
  response: http.IncomingMessage,
  limits: RemoteLimits,
  exchange: Exchange,
): RemoteFile {
  const { statusCode = 0, headers } = response;
  if (statusCode !== 200) {
    const message = `The address of the file answered with HTTP status ${statusCode}`;
    throw new RemoteError(message, { isFinal: statusCode < 500 });
  }
  const encoding = headers["content-encoding"]?.trim().toLowerCase() ?? "identity";
  if (encoding !== "identity") throw failedForGood("The file came compressed, which was not asked for");
  const length = headers["content-length"] === undefined ? null : Number(headers["content-length"]);
  if (length !== null && length > limits.bytes) throw tooLarge(limits);
  return {
    url,
    contentType: headers["content-type"] ?? null,
    name: nameIn(headers["content-disposition"] ?? ""),
    length,
    bytes: checkedBytes(response, limits, exchange),
    async [Symbol.asyncDispose]() {
      response.destroy();
      exchange.end();
    },
  };
}

async function* checkedBytes(
  response: http.IncomingMessage,
  limits: RemoteLimits,
  exchange: Exchange,
): AsyncGenerator<Uint8Array> {
  let received = 0;
  try {
    for await (const chunk of response as AsyncIterable<Buffer>) {
      received += chunk.length;
      if (received > limits.bytes) throw tooLarge(limits);
      yield chunk;
    }
    // A response that was aborted on this side may end without an error.
    if (!response.complete) throw new Error("It broke off");
  } catch (error) {
    throw exchange.asTold(error, brokenOff);
  }
  if (received === 0) throw failedForGood("The file at the address is empty");
}

function tooLarge({ bytes }: RemoteLimits): RemoteError {
  return failedForGood(`The file at the address is larger than ${Math.floor(bytes / 1024 / 1024)} MB`);
}

/** The file name of a simple header such as `attachment; filename="report.pdf"`. */
function nameIn(disposition: string): string | null {
  const [, quoted, plain] = /;\s*filename=(?:"([^"\\]*)"|([^\s;"]+))/i.exec(disposition) ?? [];
  return quoted ?? plain ?? null;
}

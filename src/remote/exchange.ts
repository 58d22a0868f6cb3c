import http from "node:http";
import https from "node:https";
import type { LookupFunction } from "node:net";
import { nextTraceparent } from "../trace.ts";
import type { HostAndPort } from "../value-kinds.ts";
import type { Destination, Resolve } from "./destination.ts";
import { RemoteError, unanswered } from "./remote-error.ts";

/** What is sent to an address. */
export interface Posted {
  headers: Readonly<Record<string, string>>;
  body: string;
}

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
  /** False returns a redirect as the answer. */
  followsRedirects?: boolean;
  /** Keeps connections open for later requests. Without it, each request has its own. */
  connections?: RemoteConnections;
  /** Further headers of the request to a URL. */
  headersFor?: (url: URL) => Readonly<Record<string, string>>;
}

/** Connections to addresses that were checked, one for each host and port. */
export class RemoteConnections implements Disposable {
  readonly #agents = {
    "http:": new http.Agent({ keepAlive: true, maxSockets: 1 }),
    "https:": new https.Agent({ keepAlive: true, maxSockets: 1 }),
  };

  agentFor(url: URL): http.Agent {
    return this.#agents[url.protocol === "https:" ? "https:" : "http:"];
  }

  [Symbol.dispose](): void {
    for (const agent of Object.values(this.#agents)) agent.destroy();
  }
}

const maxHeadLength = 16 * 1024;

/** All requests for one file, with their time limits. */
export class Exchange {
  readonly #settings: RemoteSettings;
  readonly #controller = new AbortController();
  readonly #timer: NodeJS.Timeout;
  readonly #signal: AbortSignal;
  readonly #onAbort = (): void => this.#controller.abort(this.#signal.reason);

  constructor(settings: RemoteSettings, signal: AbortSignal) {
    const { limits } = settings;
    this.#settings = settings;
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

  /** Sends one request and awaits the head of its response. With `posted`, it is a POST. */
  request(url: URL, { host, port, addresses }: Destination, posted?: Posted): Promise<http.IncomingMessage> {
    const { limits, connections, headersFor } = this.#settings;
    const { request: ask, Agent } = url.protocol === "https:" ? https : http;
    const lookup: LookupFunction = (_name, { all }, done) => {
      const [first] = addresses;
      if (all === true) done(null, [...addresses]);
      else done(null, first?.address ?? "", first?.family);
    };
    const answered = Promise.withResolvers<http.IncomingMessage>();
    const traceparent = nextTraceparent();
    const request = ask({
      method: posted === undefined ? "GET" : "POST",
      protocol: url.protocol,
      host,
      port,
      path: url.pathname + url.search,
      lookup,
      agent: connections?.agentFor(url) ?? new Agent({ keepAlive: false }),
      headers: {
        "user-agent": "Quire",
        accept: "*/*",
        "accept-encoding": "identity",
        ...(connections === undefined && { connection: "close" }),
        ...(traceparent !== null && { traceparent }),
        ...headersFor?.(url),
        ...(posted !== undefined && { "content-length": String(Buffer.byteLength(posted.body)) }),
        ...posted?.headers,
      },
      maxHeaderSize: maxHeadLength,
      timeout: limits.idleSeconds * 1000,
      signal: this.#controller.signal,
    });
    request
      .on("response", answered.resolve)
      .on("error", answered.reject)
      .on("timeout", () => this.#cut(`Nothing came for ${limits.idleSeconds} s`))
      // For example after an unrequested change of protocols.
      .on("close", () => answered.reject(new Error("It was closed without an answer")))
      .end(posted?.body);
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

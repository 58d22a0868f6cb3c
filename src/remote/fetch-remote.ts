import type http from "node:http";
import { destinationOf, readAddress, readRedirect, systemResolve } from "./destination.ts";
import { Exchange, type RemoteLimits, type RemoteSettings } from "./exchange.ts";
import { RemoteError, brokenOff, failedForGood, notPublic } from "./remote-error.ts";

/*
 * URLs are untrusted, and this server is inside a network that outsiders cannot reach. So a name is resolved once, all
 * its addresses are checked, and the connection is made to a checked address. A second look-up, as `fetch` or any other
 * client would make, could return other addresses. Each redirect is checked like the first URL. Requests carry no
 * cookies, and no credentials unless the caller adds them. They use no proxy of the environment, and an earlier
 * connection only if it was opened by these rules.
 */

/** An answer with any status, after all redirects. Dispose of it, whether or not it was read. */
export interface RemoteAnswer extends AsyncDisposable {
  url: URL;
  status: number;
  statusText: string;
  headers: http.IncomingHttpHeaders;
  /** Rejects with a {@link RemoteError} unless the body is whole and within the limits. */
  bytes: AsyncIterable<Uint8Array>;
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

/**
 * Requests the file at an untrusted URL.
 *
 * @throws {RemoteError} with a reason that users can read.
 */
export async function fetchRemote(
  address: string,
  settings: RemoteSettings,
  signal: AbortSignal,
): Promise<RemoteFile> {
  const answer = await askRemote(address, settings, signal);
  try {
    return remoteFile(answer);
  } catch (error) {
    await answer[Symbol.asyncDispose]();
    throw error;
  }
}

/**
 * Sends a request to an untrusted URL, and follows redirects unless the settings say otherwise.
 *
 * @throws {RemoteError} with a reason that users can read.
 */
export async function askRemote(
  address: string,
  settings: RemoteSettings,
  signal: AbortSignal,
): Promise<RemoteAnswer> {
  const { allowedHosts, limits, resolve = systemResolve, followsRedirects = true } = settings;
  const exchange = new Exchange(settings, signal);
  try {
    let url = readAddress(address);
    for (let redirects = 0; ; redirects++) {
      const destination = await exchange.outcome(destinationOf(url, allowedHosts, resolve), notPublic);
      const response = await exchange.request(url, destination);
      const next = followsRedirects ? redirectOf(url, response) : null;
      if (next === null) return remoteAnswer(url, response, limits, exchange);
      response.destroy();
      if (redirects === maxRedirects) throw failedForGood("The address redirects too often");
      url = next;
    }
  } catch (error) {
    exchange.end();
    throw error;
  }
}

/** The target of a redirect; null if the response is the file. */
function redirectOf(url: URL, { statusCode = 0, headers }: http.IncomingMessage): URL | null {
  const { location } = headers;
  if (!redirectStatuses.has(statusCode) || location === undefined) return null;
  return readRedirect(url, location);
}

function remoteAnswer(
  url: URL,
  response: http.IncomingMessage,
  limits: RemoteLimits,
  exchange: Exchange,
): RemoteAnswer {
  const { statusCode: status = 0, statusMessage: statusText = "", headers } = response;
  const length = lengthIn(headers);
  if (length !== null && length > limits.bytes) throw tooLarge(limits);
  return {
    url,
    status,
    statusText,
    headers,
    bytes: checkedBytes(response, limits, exchange),
    async [Symbol.asyncDispose]() {
      // A response that was read to its end leaves its connection to the next request.
      if (!response.readableEnded) response.destroy();
      exchange.end();
    },
  };
}

function remoteFile(answer: RemoteAnswer): RemoteFile {
  const { url, status, headers, bytes } = answer;
  if (status !== 200) {
    const message = `The address of the file answered with HTTP status ${status}`;
    throw new RemoteError(message, { isFinal: status < 500 });
  }
  const encoding = headers["content-encoding"]?.trim().toLowerCase() ?? "identity";
  if (encoding !== "identity") throw failedForGood("The file came compressed, which was not asked for");
  return {
    url,
    contentType: headers["content-type"] ?? null,
    name: nameIn(headers["content-disposition"] ?? ""),
    length: lengthIn(headers),
    bytes: notEmpty(bytes),
    [Symbol.asyncDispose]: () => answer[Symbol.asyncDispose](),
  };
}

function lengthIn(headers: http.IncomingHttpHeaders): number | null {
  return headers["content-length"] === undefined ? null : Number(headers["content-length"]);
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
}

async function* notEmpty(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let isEmpty = true;
  for await (const chunk of chunks) {
    isEmpty &&= chunk.length === 0;
    yield chunk;
  }
  if (isEmpty) throw failedForGood("The file at the address is empty");
}

function tooLarge({ bytes }: RemoteLimits): RemoteError {
  return failedForGood(`The file at the address is larger than ${Math.floor(bytes / 1024 / 1024)} MB`);
}

/** The file name of a simple header such as `attachment; filename="report.pdf"`. */
function nameIn(disposition: string): string | null {
  const [, quoted, plain] = /;\s*filename=(?:"([^"\\]*)"|([^\s;"]+))/i.exec(disposition) ?? [];
  return quoted ?? plain ?? null;
}

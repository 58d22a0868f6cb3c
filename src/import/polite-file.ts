import type { Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createBrotliDecompress, createGunzip, createInflate } from "node:zlib";
import { reasonOf } from "../errors.ts";
import type { RemoteConnections, RemoteSettings } from "../remote/exchange.ts";
import { askRemote } from "../remote/fetch-remote.ts";
import { RemoteError, notPublic } from "../remote/remote-error.ts";
import type { HostAndPort } from "../value-kinds.ts";
import { type Answer, type PoliteFetchOptions, type Refusal, OtherServerError, ask } from "./polite-fetch.ts";

export interface PoliteFileOptions extends PoliteFetchOptions {
  /** The address of the server that the operator has named. It may be inside the network. */
  home: string;
  /** Other hosts that may be inside the network. */
  allowedHosts: readonly HostAndPort[];
  connections: RemoteConnections;
  limitBytes: number;
}

/** The limit for one file, however steadily it comes. */
const maxSeconds = 6 * 60 * 60;

/**
 * Fetches a file of another server, which has chosen its address, like `fetchJson`. `write` starts over when it is
 * called again. The server that the operator has named gets the credentials; others, to which it may redirect, do not,
 * and they must be public or allowed. Null if there is no such file.
 *
 * @throws {OtherServerError} when it gives up.
 */
export async function fetchFile<T>(
  url: string,
  options: PoliteFileOptions,
  write: (bytes: AsyncIterable<Uint8Array>) => Promise<T>,
): Promise<T | null> {
  try {
    return await ask(options, {
      send: (signal) => send(url, options, signal),
      read: async (body) => ({ value: await write(body) }),
      refusalOf: refusalOf,
    });
  } catch (error) {
    if (error instanceof OtherServerError && error.status === 404) return null;
    throw error;
  }
}

async function send(url: string, options: PoliteFileOptions, signal: AbortSignal): Promise<Answer> {
  const { userAgent, credentials, connections, limitBytes, timeoutSeconds = 60 } = options;
  const home = new URL(options.home);
  const authorization = (await credentials?.authorization()) ?? null;
  const settings: RemoteSettings = {
    limits: { bytes: limitBytes, timeSeconds: maxSeconds, idleSeconds: timeoutSeconds },
    allowedHosts: [...options.allowedHosts, { host: home.hostname, port: portOf(home) }],
    connections,
    headersFor: ({ origin }) => ({
      "user-agent": userAgent,
      ...(origin === home.origin && authorization !== null && { authorization }),
    }),
  };
  const { status, statusText, headers, bytes, ...answer } = await askRemote(url, settings, signal);
  return {
    status,
    statusText,
    retryAfter: headers["retry-after"] ?? null,
    body: decoded(bytes, headers["content-encoding"], limitBytes),
    end: async () => answer[Symbol.asyncDispose](),
  };
}

function portOf({ port, protocol }: URL): number {
  if (port !== "") return Number(port);
  return protocol === "https:" ? 443 : 80;
}

const decoders: ReadonlyMap<string, () => Transform> = new Map<string, () => Transform>([
  ["gzip", createGunzip],
  ["deflate", createInflate],
  ["br", createBrotliDecompress],
]);

/** Some buckets store files compressed and send them so, whatever the request accepts. */
async function* decoded(
  bytes: AsyncIterable<Uint8Array>,
  header: string | undefined,
  limitBytes: number,
): AsyncGenerator<Uint8Array> {
  const encoding = header?.trim().toLowerCase() ?? "identity";
  if (encoding === "identity" || encoding === "") {
    yield* bytes;
    return;
  }
  const create = decoders.get(encoding);
  if (create === undefined) throw new OtherServerError(`has a file in the encoding ${encoding}`);
  const decoder = create();
  // The decoder fails with the error of its source, so its reader sees it.
  pipeline(bytes, decoder).catch(() => undefined);
  let length = 0;
  try {
    for await (const chunk of decoder) {
      length += (chunk as Buffer).length;
      if (length > limitBytes)
        throw new OtherServerError(`has a file of more than ${limitBytes / 1024 / 1024} MB`);
      yield chunk as Buffer;
    }
  } catch (error) {
    const isDamaged = error instanceof Error && "code" in error && /^(Z_|ERR__)/.test(String(error.code));
    throw isDamaged ? new OtherServerError(`has a file that cannot be unpacked: ${error.message}`) : error;
  }
}

/** The operator may know what those who upload must not learn: why an address is refused. */
function refusalOf(error: unknown): Refusal | null {
  if (!(error instanceof RemoteError)) return null;
  const cause = reasonOf(error.cause ?? error);
  const reason =
    error.message === notPublic
      ? `has a file at an address that cannot be asked: ${cause}. QUIRE_FETCH_ALLOWED_HOSTS can allow a host`
      : cause;
  return { refused: new OtherServerError(reason), mayHelp: !error.isFinal, waitSeconds: null };
}

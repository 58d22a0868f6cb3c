import { isUtf8 } from "node:buffer";
import { setTimeout as wait } from "node:timers/promises";
import { reasonOf } from "../errors.ts";

/** Another server refused a request or could not be reached. The message is written for people. */
export class RemoteError extends Error {
  override readonly name = "RemoteError";
  /** The status of the response, if that was the reason. */
  readonly status: number | null;

  constructor(reason: string, status: number | null = null) {
    super(reason);
    this.status = status;
  }
}

/** The clock and the timer. Tests replace them. */
export interface Patience {
  nowMilliseconds(): number;
  sleep(milliseconds: number, signal: AbortSignal): Promise<void>;
}

export const realPatience: Patience = {
  nowMilliseconds: () => Date.now(),
  sleep: (milliseconds, signal) => wait(milliseconds, undefined, { signal }),
};

export interface PoliteFetchOptions {
  userAgent: string;
  signal: AbortSignal;
  patience: Patience;
  /** Called before every wait with its length and reason. */
  onWait(seconds: number, reason: string): void;
  limitBytes?: number;
  timeoutSeconds?: number;
}

const attempts = 7;
const firstWaitSeconds = 1;
const maxWaitSeconds = 15 * 60;
const redirects = 5;

/**
 * Fetches a JSON document. Retries after a network error or a 5xx status, and after a 429 or 503 when the server allows
 * it. The wait begins at one second and doubles.
 *
 * @throws {RemoteError} when it gives up.
 */
export async function fetchJson(url: string, options: PoliteFetchOptions): Promise<unknown> {
  const { patience, signal } = options;
  for (let attempt = 1; ; attempt++) {
    const answer = await ask(url, options);
    if ("value" in answer) return answer.value;
    const { refused, mayHelp, waitSeconds } = answer;
    if (!mayHelp) throw refused;
    const { message, status } = refused;
    if (attempt === attempts) throw new RemoteError(`${message} (${attempts} times)`, status);
    const seconds = waitSeconds ?? firstWaitSeconds * 2 ** (attempt - 1);
    if (seconds > maxWaitSeconds) {
      throw new RemoteError(`${message}, and wants to be asked again in ${Math.ceil(seconds)} s`, status);
    }
    options.onWait(seconds, message);
    await patience.sleep(seconds * 1000, signal);
  }
}

type Answer = { value: unknown } | Refusal;

interface Refusal {
  refused: RemoteError;
  /** Whether a retry can help. */
  mayHelp: boolean;
  /** The wait that the server asked for; null if it named none. */
  waitSeconds: number | null;
}

async function ask(url: string, options: PoliteFetchOptions): Promise<Answer> {
  const { signal, timeoutSeconds = 60 } = options;
  const deadline = new AbortController();
  const timer = setTimeout(
    () => deadline.abort(new Error(`no answer within ${timeoutSeconds} s`)),
    timeoutSeconds * 1000,
  );
  try {
    const both = AbortSignal.any([signal, deadline.signal]);
    const response = await follow(url, both, options);
    if (!response.ok) return await refusal(response, options.patience);
    return parsed(await readBody(response, options.limitBytes ?? 64 * 1024 * 1024));
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof RemoteError) return { refused: error, mayHelp: false, waitSeconds: null };
    return { refused: new RemoteError(networkReason(error)), mayHelp: true, waitSeconds: null };
  } finally {
    clearTimeout(timer);
  }
}

/** Follows redirects to the same server only. */
async function follow(
  url: string,
  signal: AbortSignal,
  { userAgent }: PoliteFetchOptions,
): Promise<Response> {
  const headers = { accept: "application/json", "user-agent": userAgent };
  let address = url;
  for (let steps = 0; ; steps++) {
    const response = await fetch(address, { headers, signal, redirect: "manual" });
    const location = response.headers.get("location");
    if (response.status < 300 || response.status > 399 || location === null) return response;
    await response.body?.cancel();
    const target = URL.parse(location, address);
    if (target?.origin !== new URL(url).origin) throw new RemoteError(`points to ${location}: import that`);
    if (steps === redirects) throw new RemoteError("points from one address to the next without end");
    address = target.href;
  }
}

async function refusal(response: Response, patience: Patience): Promise<Refusal> {
  await response.body?.cancel();
  const { status } = response;
  const wished = status === 429 || status === 503 ? retryAfterSeconds(response, patience) : null;
  const refused = new RemoteError(`answers with status ${`${status} ${response.statusText}`.trim()}`, status);
  return { refused, mayHelp: status === 429 || status >= 500, waitSeconds: wished };
}

/** `Retry-After` is a number of seconds or a date. A date in the past does not shorten the wait. */
function retryAfterSeconds(response: Response, patience: Patience): number | null {
  const text = response.headers.get("retry-after")?.trim() ?? "";
  const isDate = /^[A-Z][a-z]+, .*\d/.test(text);
  const seconds = isDate ? (Date.parse(text) - patience.nowMilliseconds()) / 1000 : Number(text);
  if (Number.isNaN(seconds) || text === "") return null;
  return Math.max(firstWaitSeconds, seconds);
}

async function readBody(response: Response, limitBytes: number): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of response.body ?? []) {
    length += chunk.length;
    if (length > limitBytes) throw new RemoteError(`answers with more than ${limitBytes / 1024 / 1024} MB`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function parsed(body: Buffer): Answer {
  try {
    if (isUtf8(body)) return { value: JSON.parse(body.toString()) as unknown };
  } catch {
    // The same error as for bytes that are not UTF-8.
  }
  return { refused: new RemoteError("answers with what is not JSON"), mayHelp: false, waitSeconds: null };
}

/** The error of `fetch` says little; its cause names the reason. */
function networkReason(error: unknown): string {
  const cause = error instanceof Error && error.cause !== undefined ? error.cause : error;
  if (cause instanceof AggregateError && cause.errors.length > 0) return reasonOf(cause.errors[0]);
  return reasonOf(cause);
}

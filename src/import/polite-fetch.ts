import { isUtf8 } from "node:buffer";
import { setTimeout as wait } from "node:timers/promises";
import { reasonOf } from "../errors.ts";

/** Another server refused a request or could not be reached. The message is written for people. */
export class OtherServerError extends Error {
  override readonly name = "OtherServerError";
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

/** How this server introduces itself to the other one. */
export interface Credentials {
  /** The value of the `Authorization` header; null for nothing. */
  authorization(): Promise<string | null>;
  /** Called when the server refuses the value (401 or 403). Resolves to whether there is another one to try. */
  renew(): Promise<boolean>;
}

export interface PoliteFetchOptions {
  userAgent: string;
  signal: AbortSignal;
  patience: Patience;
  /** Called before every wait with its length and reason. */
  onWait(seconds: number, reason: string): void;
  credentials?: Credentials;
  limitBytes?: number;
  timeoutSeconds?: number;
}

const attempts = 7;
const firstWaitSeconds = 1;
const maxWaitSeconds = 15 * 60;
const redirects = 5;

/**
 * Fetches a JSON document. Retries after a network error or a 5xx status, and after a 429 or 503 when the server allows
 * it. The wait begins at one second and doubles. A request that `fetch` does not send is not retried.
 *
 * @throws {OtherServerError} when it gives up.
 */
export async function fetchJson(url: string, options: PoliteFetchOptions): Promise<unknown> {
  return ask(options, {
    send: (signal) => follow(url, signal, options),
    read: async (body) => parsed(await readBody(body, options.limitBytes ?? 64 * 1024 * 1024)),
  });
}

/** An answer of the other server. */
export interface Answer {
  status: number;
  statusText: string;
  /** The value of the `Retry-After` header. */
  retryAfter: string | null;
  body: AsyncIterable<Uint8Array> | Iterable<Uint8Array>;
  /** Ends the exchange, whether or not the body was read. */
  end(): Promise<void>;
}

/** A question to the other server, which may be asked several times. */
export interface Question<T> {
  send(signal: AbortSignal): Promise<Answer>;
  /** Reads the body of an answer with a status from 200 to 299. */
  read(body: AsyncIterable<Uint8Array>): Promise<{ value: T } | Refusal>;
  /** Refusals of this kind of question, apart from those of the network. Null for other errors. */
  refusalOf?(error: unknown): Refusal | null;
}

/** Asks until there is an answer. @throws {OtherServerError} when it gives up. */
export async function ask<T>(options: PoliteFetchOptions, question: Question<T>): Promise<T> {
  const { credentials, patience, signal } = options;
  let hasRenewed = false;
  for (let attempt = 1; ; attempt++) {
    const answer = await askOnce(options, question);
    if ("value" in answer) return answer.value;
    const { refused, mayHelp, waitSeconds } = answer;
    const { message, status } = refused;
    if (!hasRenewed && (status === 401 || status === 403) && (await credentials?.renew()) === true) {
      hasRenewed = true;
      continue;
    }
    if (!mayHelp) throw refused;
    if (attempt === attempts) throw new OtherServerError(`${message} (${attempts} times)`, status);
    const seconds = waitSeconds ?? firstWaitSeconds * 2 ** (attempt - 1);
    if (seconds > maxWaitSeconds) {
      throw new OtherServerError(
        `${message}, and wants to be asked again in ${Math.ceil(seconds)} s`,
        status,
      );
    }
    options.onWait(seconds, message);
    await patience.sleep(seconds * 1000, signal);
  }
}

export interface Refusal {
  refused: OtherServerError;
  /** Whether a retry can help. */
  mayHelp: boolean;
  /** The wait that the server asked for; null if it named none. */
  waitSeconds: number | null;
}

async function askOnce<T>(
  options: PoliteFetchOptions,
  question: Question<T>,
): Promise<{ value: T } | Refusal> {
  const { signal, timeoutSeconds = 60 } = options;
  const deadline = new AbortController();
  const timer = setTimeout(
    () => deadline.abort(new Error(`no answer within ${timeoutSeconds} s`)),
    timeoutSeconds * 1000,
  );
  try {
    const both = AbortSignal.any([signal, deadline.signal]);
    const answer = await question.send(both);
    try {
      if (answer.status < 200 || answer.status > 299) return refusal(answer, options.patience);
      return await question.read(withoutPauses(answer.body, timer));
    } finally {
      await answer.end();
    }
  } catch (error) {
    signal.throwIfAborted();
    const refused = question.refusalOf?.(error) ?? null;
    if (refused !== null) return refused;
    if (error instanceof OtherServerError) return { refused: error, mayHelp: false, waitSeconds: null };
    const unsendable = deadline.signal.aborted ? null : unsendableReason(error);
    if (unsendable !== null)
      return { refused: new OtherServerError(unsendable), mayHelp: false, waitSeconds: null };
    if (!deadline.signal.aborted && !isOfNetwork(error)) throw error;
    return { refused: new OtherServerError(networkReason(error)), mayHelp: true, waitSeconds: null };
  } finally {
    clearTimeout(timer);
  }
}

/** The chunks, each of which restarts the time in which the next one must come. */
async function* withoutPauses(
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  timer: NodeJS.Timeout,
): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunks) {
    timer.refresh();
    yield chunk;
  }
}

/** Follows redirects on the same server. */
async function follow(
  url: string,
  signal: AbortSignal,
  { userAgent, credentials }: PoliteFetchOptions,
): Promise<Answer> {
  const authorization = (await credentials?.authorization()) ?? null;
  const { origin } = new URL(url);
  const headers = {
    accept: "application/json",
    "user-agent": userAgent,
    ...(authorization !== null && { authorization }),
  };
  let address = url;
  for (let steps = 0; ; steps++) {
    const response = await fetch(address, { headers, signal, redirect: "manual" });
    const location = response.headers.get("location");
    if (response.status < 300 || response.status > 399 || location === null) return answerOf(response);
    await response.body?.cancel();
    const target = URL.parse(location, address);
    if (target?.origin !== origin) throw new OtherServerError(`points to ${location}: import that`);
    if (steps === redirects) throw new OtherServerError("points from one address to the next without end");
    address = target.href;
  }
}

function answerOf({ status, statusText, headers, body }: Response): Answer {
  const retryAfter = headers.get("retry-after");
  // A body that was read to its end cannot be cancelled.
  const end = async (): Promise<void> => body?.cancel().catch(() => undefined);
  return { status, statusText, retryAfter, body: body ?? [], end };
}

function refusal({ status, statusText, retryAfter }: Answer, patience: Patience): Refusal {
  const wished = status === 429 || status === 503 ? retryAfterSeconds(retryAfter, patience) : null;
  const refused = new OtherServerError(`answers with status ${`${status} ${statusText}`.trim()}`, status);
  return { refused, mayHelp: status === 429 || status >= 500, waitSeconds: wished };
}

/** `Retry-After` is a number of seconds or a date. A date in the past does not shorten the wait. */
function retryAfterSeconds(header: string | null, patience: Patience): number | null {
  const text = header?.trim() ?? "";
  const isDate = /^[A-Z][a-z]+, .*\d/.test(text);
  const seconds = isDate ? (Date.parse(text) - patience.nowMilliseconds()) / 1000 : Number(text);
  if (Number.isNaN(seconds) || text === "") return null;
  return Math.max(firstWaitSeconds, seconds);
}

async function readBody(body: AsyncIterable<Uint8Array>, limitBytes: number): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of body) {
    length += chunk.length;
    if (length > limitBytes)
      throw new OtherServerError(`answers with more than ${limitBytes / 1024 / 1024} MB`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function parsed(body: Buffer): { value: unknown } | Refusal {
  try {
    if (isUtf8(body)) return { value: JSON.parse(body.toString()) as unknown };
  } catch {
    // The same error as for bytes that are not UTF-8.
  }
  return {
    refused: new OtherServerError("answers with what is not JSON"),
    mayHelp: false,
    waitSeconds: null,
  };
}

/** `fetch` throws a TypeError, and its body one as well; other errors are those of the disk or the store. */
function isOfNetwork(error: unknown): boolean {
  return (
    error instanceof TypeError || (error instanceof Error && "code" in error && isNetworkCode(error.code))
  );
}

function isNetworkCode(code: unknown): boolean {
  return (
    typeof code === "string" && (code.startsWith("UND_") || /^E(CONN|PIPE|HOST|NET|TIMEDOUT|AI_)/.test(code))
  );
}

/**
 * Why `fetch` never sends a request: its port is reserved for another protocol, for example, or a header is invalid.
 * Null for any other error. The cause of those has a code or a class of its own.
 */
function unsendableReason(error: unknown): string | null {
  if (!(error instanceof TypeError)) return null;
  const { cause = error } = error;
  if (!(cause instanceof Error) || "code" in cause) return null;
  if (cause !== error && cause.name !== "Error") return null;
  if (cause.message === "bad port") return "leads to a port that is closed to web requests";
  return `cannot be asked: ${reasonOf(cause)}`;
}

/** The error of `fetch` says little; its cause names the reason. */
function networkReason(error: unknown): string {
  const cause = error instanceof Error && error.cause !== undefined ? error.cause : error;
  if (cause instanceof AggregateError && cause.errors.length > 0) return reasonOf(cause.errors[0]);
  return reasonOf(cause);
}

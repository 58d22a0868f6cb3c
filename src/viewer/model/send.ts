import { texts } from "../texts/texts.ts";

/** A stream of server-sent events: the members of `EventSource` that pages use. */
export interface EventStream {
  readonly readyState: number;
  readonly CLOSED: number;
  addEventListener(type: string, listener: (event: MessageEvent) => void): void;
  close(): void;
}

/** How a page reaches its server: the browser's functions, or others in a test. */
export interface Network {
  fetch: typeof fetch;
  openEvents: (address: string) => EventStream;
  /** The cookies that scripts can read, as `document.cookie` has them. */
  readCookies: () => string;
}

export const browserNetwork: Network = {
  fetch: (...request) => fetch(...request),
  openEvents: (address) => new EventSource(address),
  readCookies: () => document.cookie,
};

/** The API refused a request, or did not respond. The message is meant for users. */
export class RefusedError extends Error {
  override readonly name = "RefusedError";
  /** The HTTP status; 0 if there was no response. */
  readonly status: number;
  /** The messages for each member of the request that the API refused, as one text each. */
  readonly fields: ReadonlyMap<string, string>;

  constructor(status: number, message: string, fields: ReadonlyMap<string, string> = new Map()) {
    super(message);
    this.status = status;
    this.fields = fields;
  }
}

/** A response of the API. */
export interface Answer {
  /** The parsed body; null if there is none. */
  body: unknown;
  etag: string | null;
}

/**
 * Sends JSON, or a form, on behalf of the signed-in user, and returns the parsed response, or null if it has no body.
 * `csrfToken` is the one with which the page was rendered.
 *
 * @throws {RefusedError}
 */
export async function sendJson(
  method: string,
  address: string,
  csrfToken: string,
  value?: unknown,
  network = browserNetwork,
): Promise<unknown> {
  return (await exchange(method, address, csrfToken, { value, network })).body;
}

/**
 * Like {@link sendJson}. With `ifMatch`, the API refuses the request (412) unless the entity tag is the current one.
 *
 * @throws {RefusedError}
 */
export async function exchange(
  method: string,
  address: string,
  csrfToken: string,
  {
    value,
    ifMatch = null,
    network = browserNetwork,
  }: { value?: unknown; ifMatch?: string | null; network?: Network } = {},
): Promise<Answer> {
  let answer: Response;
  let text: string;
  try {
    answer = await network.fetch(address, {
      method,
      headers: {
        accept: "application/json",
        ...(value === undefined || value instanceof FormData ? {} : { "content-type": "application/json" }),
        ...(ifMatch === null ? {} : { "if-match": ifMatch }),
        ...(method === "GET" ? {} : { "x-csrftoken": currentToken(csrfToken, network) }),
      },
      ...(value === undefined ? {} : { body: value instanceof FormData ? value : JSON.stringify(value) }),
    });
    text = await answer.text();
  } catch {
    throw new RefusedError(0, texts.noAnswer);
  }
  if (!answer.ok)
    throw new RefusedError(answer.status, messageIn(answer.status, text), fieldMessagesIn(text));
  return { body: text === "" ? null : JSON.parse(text), etag: answer.headers.get("etag") };
}

/** The CSRF token of the current session. The page has an earlier one if its reader signed in again in another tab. */
export function currentToken(ofPage: string, { readCookies }: Network): string {
  return /(?:^|;\s*)csrftoken=([^;]+)/.exec(readCookies())?.[1] ?? ofPage;
}

/** The messages in an error response, as one text for users. The body may have messages by field, or lists of them. */
export function messageIn(status: number, body: string): string {
  let value: unknown;
  try {
    value = JSON.parse(body);
  } catch {
    return texts.status(status);
  }
  const messages = [...new Set(messagesIn(value))];
  if (status === 403 && messages.some((message) => /credentials|CSRF/.test(message))) return texts.signedOut;
  return messages.length === 0 ? texts.status(status) : messages.join(" ");
}

function fieldMessagesIn(body: string): Map<string, string> {
  try {
    const value: unknown = JSON.parse(body);
    if (typeof value !== "object" || value === null || Array.isArray(value)) return new Map();
    return new Map(Object.entries(value).map(([name, inner]) => [name, messagesIn(inner, false).join(" ")]));
  } catch {
    return new Map();
  }
}

/** `isMember` says whether the names are those of the API's members. Those inside may be people's own, as in data. */
function messagesIn(value: unknown, isMember = true): string[] {
  if (typeof value === "string") return [value];
  if (Array.isArray(value)) return value.flatMap((inner) => messagesIn(inner, isMember));
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => {
    if (/^(detail|error|non_field_errors|\d+)$/.test(name)) return messagesIn(inner, isMember);
    const label = isMember ? labelOf(name) : name;
    return messagesIn(inner, false).map((message) => `${label}: ${message}`);
  });
}

/** The name of a member as a label: `file_url` is "File url". */
const labelOf = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1).replaceAll("_", " ");

import type { Page } from "../../contract/shape.ts";
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
  /** The seconds in the `Retry-After` header; null without one. */
  readonly retryAfter: number | null;

  constructor(
    status: number,
    message: string,
    fields: ReadonlyMap<string, string> = new Map(),
    retryAfter: number | null = null,
  ) {
    super(message);
    this.status = status;
    this.fields = fields;
    this.retryAfter = retryAfter;
  }
}

/** Why a request failed, for people. Another error is a fault of the page itself, and is thrown again. */
export function reasonOf(error: unknown): string {
  if (error instanceof RefusedError) return error.message;
  throw error;
}

/** What a request has besides its method and its address. */
export interface RequestOptions {
  /** Sent as JSON, or as the form that it is. */
  value?: unknown;
  /** The API refuses the request (412) unless this is the current entity tag. */
  ifMatch?: string | null;
  signal?: AbortSignal | undefined;
}

/** A response of the API. */
export interface Answer {
  /** The parsed body; null if there is none. */
  body: unknown;
  etag: string | null;
}

/** Requests to one server on behalf of the signed-in user, or of anyone. */
export class Client {
  /** The address of the API, `/api/`. */
  readonly root: string;
  readonly network: Network;
  readonly #ofPage: string | null;

  /** `csrfToken` is the one with which the page was rendered; null for readers who may not write. */
  constructor(root: string, csrfToken: string | null, network: Network = browserNetwork) {
    this.root = root;
    this.#ofPage = csrfToken;
    this.network = network;
  }

  /** The CSRF token of the current session. The page has an earlier one after its reader signed in in another tab. */
  get csrfToken(): string {
    return /(?:^|;\s*)csrftoken=([^;]+)/.exec(this.network.readCookies())?.[1] ?? this.#ofPage ?? "";
  }

  /** Whether the reader has signed in and may write. */
  get mayWrite(): boolean {
    return this.#ofPage !== null;
  }

  /** The address of a page of this site, from its path below the root. */
  pageAddress(path: string): string {
    return this.root.replace(/api\/$/, path);
  }

  /**
   * The address for a path below the root of the API, or for a link in one of its responses: the page may be on another
   * host than the API says.
   */
  addressOf(pathOrLink: string): string {
    if (!/^https?:\/\//.test(pathOrLink)) return `${this.root}${pathOrLink}`;
    const { pathname, search } = new URL(pathOrLink);
    return `${this.root}${pathname.replace(/^.*?\/api\//, "")}${search}`;
  }

  /** Returns the parsed response. @throws {RefusedError} */
  async get<Body>(pathOrLink: string, signal?: AbortSignal): Promise<Body> {
    return (await this.exchange("GET", pathOrLink, { signal })).body as Body;
  }

  /** Sends JSON, or a form, and returns the parsed response, or null if it has no body. @throws {RefusedError} */
  async send(method: string, pathOrLink: string, value?: unknown): Promise<unknown> {
    return (await this.exchange(method, pathOrLink, { value })).body;
  }

  /** Like {@link Client.send}, with the entity tag. @throws {RefusedError} */
  async exchange(method: string, pathOrLink: string, options: RequestOptions = {}): Promise<Answer> {
    const address = this.addressOf(pathOrLink);
    const { status, headers, text } = await this.request(method, address, options);
    return { body: text === "" ? null : parsed(status, text), etag: headers.get("etag") };
  }

  /** The pages of a list, or the parts of another answer, from the first on. @throws {RefusedError} */
  async *pages<Part extends { next: string | null }>(path: string): AsyncGenerator<Part, void> {
    for (let next: string | null = path; next !== null;) {
      const page: Part = await this.get(next);
      yield page;
      next = page.next;
    }
  }

  /** The newest of those items of a list, on all its pages, that `isWanted` chooses; null if it chooses none. */
  async latest<Item extends { id: number }>(
    path: string,
    isWanted: (item: Item) => boolean = () => true,
  ): Promise<Item | null> {
    let latest: Item | null = null;
    for await (const { results } of this.pages<Page<Item>>(path))
      for (const item of results) if (isWanted(item) && item.id > (latest?.id ?? 0)) latest = item;
    return latest;
  }

  /** Sends a request to an address, and returns the response as text. @throws {RefusedError} */
  protected async request(
    method: string,
    address: string,
    { value, ifMatch = null, signal }: RequestOptions,
  ): Promise<{ status: number; headers: Headers; text: string }> {
    let answer: Response;
    let text: string;
    try {
      answer = await this.network.fetch(address, {
        method,
        headers: {
          ...(value === undefined || value instanceof FormData ? {} : { "content-type": "application/json" }),
          ...(ifMatch === null ? {} : { "if-match": ifMatch }),
          ...(method === "GET" ? {} : { "x-csrftoken": this.csrfToken }),
        },
        ...(value === undefined ? {} : { body: value instanceof FormData ? value : JSON.stringify(value) }),
        ...(signal === undefined ? {} : { signal }),
      });
      text = await answer.text();
    } catch {
      throw new RefusedError(0, texts.noAnswer);
    }
    const { ok, status, headers } = answer;
    if (ok) return { status, headers, text };
    const wait = Number(headers.get("retry-after") ?? "");
    throw new RefusedError(status, messageIn(status, text), fieldMessagesIn(text), wait > 0 ? wait : null);
  }
}

/** A server in between may respond with a page of its own. */
function parsed(status: number, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new RefusedError(status, texts.noAnswer);
  }
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

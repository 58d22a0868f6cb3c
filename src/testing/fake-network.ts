/** A request that a page has sent. */
export interface PageRequest {
  method: string;
  /** With the query. */
  path: string;
  headers: Headers;
  /** Parsed if it was JSON; a form, bytes or undefined otherwise. */
  body: unknown;
}

/** How the server responds: status 200 and no body, unless it says otherwise. */
export interface PageResponse {
  status?: number;
  /** A text, or a value that is sent as JSON. */
  body?: unknown;
  headers?: Record<string, string>;
}

type Respond = (request: PageRequest) => PageResponse | Promise<PageResponse>;

/** Thrown by a `Respond`: the connection breaks, and the page receives no response. */
export class ConnectionLostError extends Error {
  override readonly name = "ConnectionLostError";
}

/**
 * The server as the models of the pages see it, without a browser. It has the members of `Network` in
 * src/viewer/model/send.ts. A test responds to each request with a function, when it likes and in any order.
 */
export class FakeNetwork {
  readonly requests: PageRequest[] = [];
  readonly streams: FakeEventStream[] = [];
  cookies = "";
  respond: Respond;

  constructor(respond: Respond) {
    this.respond = respond;
  }

  readonly fetch = async (address: string | URL | Request, init: RequestInit = {}): Promise<Response> => {
    const url = new URL(address instanceof Request ? address.url : address, "http://quire.test");
    const { method = "GET", body, headers, signal } = init;
    const request = {
      method,
      path: `${url.pathname}${url.search}`,
      headers: new Headers(headers),
      body: typeof body === "string" ? (JSON.parse(body) as unknown) : (body ?? undefined),
    };
    this.requests.push(request);
    const { status = 200, body: answer = "", headers: more = {} } = await this.respond(request);
    signal?.throwIfAborted();
    const text = typeof answer === "string" ? answer : JSON.stringify(answer);
    return new Response(status === 204 || status === 304 ? null : text, { status, headers: more });
  };

  readonly openEvents = (address: string): FakeEventStream => {
    const stream = new FakeEventStream(address);
    this.streams.push(stream);
    return stream;
  };

  readonly readCookies = (): string => this.cookies;

  /** The method and the path of each request so far, in order. */
  get sent(): string[] {
    return this.requests.map(({ method, path }) => `${method} ${path}`);
  }
}

/** An `EventSource` whose events a test sends. */
export class FakeEventStream {
  readonly CLOSED = 2;
  readyState = 0;
  readonly address: string;
  readonly #listeners: [type: string, listener: (event: MessageEvent) => void][] = [];

  constructor(address: string) {
    this.address = address;
  }

  addEventListener(type: string, listener: (event: MessageEvent) => void): void {
    this.#listeners.push([type, listener]);
  }

  close(): void {
    this.readyState = this.CLOSED;
  }

  /** Sends an event, unless the page has closed the stream. */
  send(type: string, value: unknown): void {
    if (this.readyState === this.CLOSED) return;
    this.#dispatch(type, JSON.stringify(value));
  }

  /** The server ends the stream, and the browser reconnects by itself. */
  interrupt(): void {
    this.readyState = 0;
    this.#dispatch("error", "");
  }

  /** The server refuses the stream: the browser closes it for good. */
  refuse(): void {
    this.readyState = this.CLOSED;
    this.#dispatch("error", "");
  }

  #dispatch(type: string, data: string): void {
    for (const [name, listener] of this.#listeners)
      if (name === type) listener(new MessageEvent(type, { data }));
  }
}

/** The parts of a browser's window in which a page keeps its address, at an address such as `/documents/?q=tide`. */
export class FakeWindow extends EventTarget {
  readonly #addresses: URL[];
  #current = 0;

  constructor(address: string) {
    super();
    this.#addresses = [new URL(address, "http://quire.test")];
  }

  get #address(): URL {
    return this.#addresses[this.#current] as URL;
  }

  readonly location = Object.defineProperties({} as { search: string; href: string }, {
    search: { get: () => this.#address.search },
    href: { get: () => this.#address.href },
  });

  readonly history = {
    pushState: (_state: unknown, _title: string, address: string): void => {
      const next = new URL(address, this.#address);
      this.#addresses.splice(this.#current + 1, Infinity, next);
      this.#current += 1;
    },
    replaceState: (_state: unknown, _title: string, address: string): void => {
      this.#addresses[this.#current] = new URL(address, this.#address);
    },
    /** The person goes back. */
    back: (): void => {
      this.#current -= 1;
      this.dispatchEvent(new Event("popstate"));
    },
  };
}

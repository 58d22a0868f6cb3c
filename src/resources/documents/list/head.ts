/** The values of a head that differ from response to response. */
export interface HeadValues {
  etag: string;
  /** Of the body, in bytes. */
  length: number;
  /** The request's id. */
  id: string;
}

/** They differ from response to response, or are for one client alone. */
const named = new Set(["etag", "content-length", "x-request-id", "ratelimit", "ratelimit-policy"]);

/** The head of responses that can be sent again, and of responses that differ from them in three values alone. */
export class Head {
  readonly #others: readonly string[];
  readonly #withoutContent: readonly string[];

  constructor(headers: Readonly<Record<string, unknown>>) {
    const others = Object.entries(headers).filter(([name]) => !named.has(name));
    this.#others = flat(others);
    this.#withoutContent = flat(others.filter(([name]) => !name.startsWith("content-")));
  }

  /** For `writeHead`: names and values alternate. */
  whole({ etag, length, id }: HeadValues): string[] {
    return [...this.#others, "etag", etag, "content-length", String(length), "x-request-id", id];
  }

  /** The same for a client that has the body already. */
  withoutContent({ etag, id }: Omit<HeadValues, "length">): string[] {
    return [...this.#withoutContent, "etag", etag, "x-request-id", id];
  }
}

const flat = (headers: readonly (readonly [string, unknown])[]): string[] =>
  headers.flatMap(([name, value]) => [name, String(value)]);

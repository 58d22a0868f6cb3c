import { pairsIn } from "./urlencoded.ts";

/**
 * The query of a request as the clients of that API read and write it: names may repeat, the last value of a
 * name counts where one is wanted, and links carry every parameter along: sorted by name, those of a search as sent.
 */
export class Query {
  readonly #values: ReadonlyMap<string, readonly string[]>;

  private constructor(values: ReadonlyMap<string, readonly string[]>) {
    this.#values = values;
  }

  /** From the part of a URL after `?`. Anything decodes: bytes that are not UTF-8 become U+FFFD. */
  static parse(text: string): Query {
    const values = new Map<string, string[]>();
    for (const [name, value] of pairsIn(text)) {
      const known = values.get(name);
      if (known === undefined) values.set(name, [value]);
      else known.push(value);
    }
    return new Query(values);
  }

  last(name: string): string | undefined {
    return this.#values.get(name)?.at(-1);
  }

  /** Every value of a name, also in the form `name[]=`, with those separated by commas taken apart. */
  list(name: string): string[] {
    const given = [...(this.#values.get(name) ?? []), ...(this.#values.get(`${name}[]`) ?? [])];
    return given
      .flatMap((value) => value.split(","))
      .map((value) => value.trim())
      .filter((value) => value !== "");
  }

  entries(): Iterable<[string, readonly string[]]> {
    return this.#values.entries();
  }

  /** The same query with one parameter set to one value, or left out when the value is null. */
  with(name: string, value: string | null): Query {
    const values = new Map(this.#values);
    if (value === null) values.delete(name);
    else values.set(name, [value]);
    return new Query(values);
  }

  /** Sorted by name; a name's values stay in their order. Empty, or beginning with `?`. */
  toString(): string {
    return written([...this.#values].toSorted(([one], [other]) => (one < other ? -1 : 1)));
  }

  /** Names in the order in which they first came; else as {@link toString}. */
  asSent(): string {
    return written([...this.#values]);
  }
}

function written(parameters: readonly (readonly [string, readonly string[]])[]): string {
  const pairs = parameters.flatMap(([name, values]) =>
    values.map((value) => `${encode(name)}=${encode(value)}`),
  );
  return pairs.length === 0 ? "" : `?${pairs.join("&")}`;
}

/** As Python's `quote_plus`, which writes that API's links: only letters, digits and `_.-~` stay. */
function encode(text: string): string {
  if (/^[\w.~-]*$/.test(text)) return text;
  return encodeURIComponent(text)
    .replaceAll("%20", "+")
    .replaceAll(/[!'()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`);
}

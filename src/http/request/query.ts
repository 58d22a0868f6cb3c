import { pairsIn } from "./urlencoded.ts";

/**
 * The query string of a request, read and written as DocumentCloud does it: names may repeat, the last value of a
 * name counts if one value is needed, and links carry every parameter, sorted by name (those of a search in the order
 * in which they were sent).
 */
export class Query {
  readonly #values: ReadonlyMap<string, readonly string[]>;

  private constructor(values: ReadonlyMap<string, readonly string[]>) {
    this.#values = values;
  }

  /** Parses the part of a URL after `?`. Every text decodes: bytes that are not UTF-8 become U+FFFD. */
  static parse(text: string): Query {
    if (text === "") return new Query(noValues);
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

  /** Every value of a name, also as `name[]=`, split at commas. */
  list(name: string): readonly string[] {
    const [plain, bracketed] = [this.#values.get(name), this.#values.get(`${name}[]`)];
    if (plain === undefined && bracketed === undefined) return none;
    return [...(plain ?? []), ...(bracketed ?? [])]
      .flatMap((value) => value.split(","))
      .map((value) => value.trim())
      .filter((value) => value !== "");
  }

  /** Whether any of these names, or `name[]`, has a value. */
  hasAny(names: ReadonlySet<string>): boolean {
    for (const name of this.#values.keys()) {
      if (names.has(name.endsWith("[]") ? name.slice(0, -2) : name)) return true;
    }
    return false;
  }

  entries(): Iterable<[string, readonly string[]]> {
    return this.#values.entries();
  }

  /** What {@link toString} writes before and after the value of a parameter that is set to one value. */
  around(name: string): { before: string; after: string } {
    const others = [...this.#values].filter(([other]) => other !== name).toSorted(byName);
    const before = pairsOf(others.filter(([other]) => other < name));
    const after = pairsOf(others.filter(([other]) => other > name));
    return {
      before: `?${before}${before === "" ? "" : "&"}${encode(name)}=`,
      after: `${after === "" ? "" : "&"}${after}`,
    };
  }

  /** A copy with one parameter set to one value, or removed if the value is null. */
  with(name: string, value: string | null): Query {
    const values = new Map(this.#values);
    if (value === null) values.delete(name);
    else values.set(name, [value]);
    return new Query(values);
  }

  /** Sorted by name; a name's values keep their order. Empty, or starting with `?`. */
  toString(): string {
    return written([...this.#values].toSorted(byName));
  }

  /** Names in the order in which they first arrived; otherwise like {@link toString}. */
  asSent(): string {
    return written([...this.#values]);
  }
}

const none: readonly string[] = [];
const noValues: ReadonlyMap<string, readonly string[]> = new Map();

type Parameter = readonly [name: string, values: readonly string[]];

const byName = ([left]: Parameter, [right]: Parameter): number => (left < right ? -1 : 1);

function written(parameters: readonly Parameter[]): string {
  return parameters.length === 0 ? "" : `?${pairsOf(parameters)}`;
}

function pairsOf(parameters: readonly Parameter[]): string {
  return parameters
    .flatMap(([name, values]) => values.map((value) => `${encode(name)}=${encode(value)}`))
    .join("&");
}

/**
 * Encodes like Python's `quote_plus`, with which DocumentCloud writes its links: only letters, digits and `_.-~`
 * stay.
 */
function encode(text: string): string {
  if (/^[\w.~-]*$/.test(text)) return text;
  const encoded = encodeURIComponent(text);
  if (!/%20|[!'()*]/.test(encoded)) return encoded;
  return encoded
    .replaceAll("%20", "+")
    .replaceAll(/[!'()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`);
}

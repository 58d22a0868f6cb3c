import { isIP } from "node:net";

/** A kind of value that people write as text: in a setting, or after an option on the command line. */
export interface Kind<Value> {
  /** What would have been right: the end of a sentence that begins with "expected". */
  expected: string;
  /** The value; undefined when the text is not of this kind. */
  parse(text: string): Value | undefined;
}

export const anyText: Kind<string> = {
  expected: "a text that is not empty",
  parse: (text) => (text === "" ? undefined : text),
};

export const path: Kind<string> = {
  expected: "a path",
  parse: (text) => (text === "" || text.includes("\0") ? undefined : text),
};

export const onOrOff: Kind<boolean> = {
  expected: "on or off",
  parse: (text) => (text === "on" ? true : text === "off" ? false : undefined),
};

export function integer(least: number, most: number = Number.MAX_SAFE_INTEGER): Kind<number> {
  const range = most === Number.MAX_SAFE_INTEGER ? `, ${least} or more` : ` from ${least} to ${most}`;
  return {
    expected: `a whole number${range}`,
    parse(text) {
      const value = Number(text);
      return /^\d+$/.test(text) && value >= least && value <= most ? value : undefined;
    },
  };
}

export function oneOf<const Choice extends string>(...choices: readonly Choice[]): Kind<Choice> {
  return {
    expected: `one of ${choices.join(", ")}`,
    parse: (text) => choices.find((choice) => choice === text),
  };
}

export function matching(pattern: RegExp, expected: string): Kind<string> {
  return { expected, parse: (text) => (pattern.test(text) ? text : undefined) };
}

/** What a server listens on. */
export const host: Kind<string> = {
  expected: "an IP address or a host name, without a port",
  parse(text) {
    if (isIP(text) !== 0) return text;
    return /^[a-z\d]([a-z\d.-]*[a-z\d])?$/i.test(text) && /[a-z]/i.test(text) ? text : undefined;
  },
};

/** A host as the address of a web page names it; every port, where none is given. */
export interface HostAndPort {
  host: string;
  port: number | null;
}

/** Hosts to connect to, each in the one spelling that `URL` gives it: IPv6 addresses in brackets. */
export const hosts: Kind<HostAndPort[]> = {
  expected:
    "host names or IP addresses such as archive.example.org or 10.0.0.5:8080 with commas between them",
  parse(text) {
    const read = text.split(",").map((one) => hostAndPort(one.trim()));
    return read.every((one) => one !== undefined) ? read : undefined;
  },
};

function hostAndPort(text: string): HostAndPort | undefined {
  const [, named, digits] = /^(\[[\da-f:.]+\]|[^\s:/?#@[\]\\]+)(?::(\d{1,5}))?$/i.exec(text) ?? [];
  if (named === undefined || !URL.canParse(`http://${named}`)) return undefined;
  const port = digits === undefined ? null : integer(1, 65_535).parse(digits);
  return port === undefined ? undefined : { host: new URL(`http://${named}`).hostname, port };
}

/** Where addresses begin: it comes out without a slash at its end. */
export const httpBase: Kind<string> = {
  expected: "an http:// or https:// address without a query, a fragment or a password",
  parse(text) {
    if (!/^https?:\/\/[^?#@\s]+$/i.test(text) || !URL.canParse(text)) return undefined;
    return new URL(text).href.replace(/\/+$/, "");
  },
};

/** As {@link httpBase}, but it comes out with one slash at its end. */
export const httpFolder: Kind<string> = {
  expected: httpBase.expected,
  parse(text) {
    const base = httpBase.parse(text);
    return base === undefined ? undefined : `${base}/`;
  },
};

/** Where pages come from, as a browser names it: no path, and not even a slash at the end. */
export const origins: Kind<string[]> = {
  expected: "origins such as https://www.example.org with commas between them, without a path",
  parse(text) {
    const read = text.split(",").map((origin) => httpBase.parse(origin.trim()));
    return read.every((origin) => origin !== undefined && new URL(origin).origin === origin)
      ? (read as string[])
      : undefined;
  },
};

/** A domain that a cookie is for: its hosts are all those that end with it. */
export const cookieDomain: Kind<string> = {
  expected: "a domain such as example.org: two names or more with dots between them, and no IP address",
  parse(text) {
    const domain = text.toLowerCase();
    const isWritten = /^(?:[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?\.)+[a-z](?:[a-z\d-]{0,61}[a-z\d])?$/.test(
      domain,
    );
    return isWritten && domain.length <= 253 ? domain : undefined;
  },
};

export const secrets: Kind<string[]> = {
  expected: "32 characters or more without spaces, or several such with commas between them",
  parse(text) {
    const read = text.split(",").map((secret) => secret.trim());
    return read.every((secret) => /^[\x21-\x7e]{32,}$/.test(secret)) ? read : undefined;
  },
};

export const postgresUrl: Kind<string> = {
  expected:
    "postgres://user:password@host:port/database, with characters such as # / @ in a password percent-encoded",
  parse: (text) => (/^postgres(ql)?:\/\/[^#\s]*$/.test(text) && URL.canParse(text) ? text : undefined),
};

/** Whose word on a request's origin counts: everyone's, nobody's, or that of some addresses and ranges. */
export const trustedProxies: Kind<boolean | string[]> = {
  expected: "on, off, or IP addresses and ranges such as 10.0.0.0/8 with commas between them",
  parse(text) {
    const all = onOrOff.parse(text);
    if (all !== undefined) return all;
    const addresses = text.split(",").map((address) => address.trim());
    return addresses.every(isAddressOrRange) ? addresses : undefined;
  },
};

function isAddressOrRange(text: string): boolean {
  const [address = "", prefix, ...rest] = text.split("/");
  const version = isIP(address);
  if (version === 0 || address.includes("%") || rest.length > 0) return false;
  return prefix === undefined || integer(1, version === 4 ? 32 : 128).parse(prefix) !== undefined;
}

/**
 * Says that a text is not of its kind. A user name and password before a host are left out: someone may have put
 * the address of the database into another setting.
 */
export function misread(name: string, text: string, kind: Kind<unknown>): string {
  return `${name}=${JSON.stringify(text.replace(/\/\/.*@/s, "//…@"))}: expected ${kind.expected}`;
}

/** "; did you mean …?" when one of the names is about a slip or two away, else nothing. */
export function didYouMean(name: string, known: readonly string[]): string {
  const [nearest] = known
    .map((candidate) => ({ candidate, slips: slipsBetween(name, candidate) }))
    .toSorted((a, b) => a.slips - b.slips);
  if (nearest === undefined || nearest.slips > Math.max(1, Math.floor(name.length / 4))) return "";
  return `; did you mean ${nearest.candidate}?`;
}

/** Letters to add, drop, replace or swap with their neighbour to get from one text to the other. */
function slipsBetween(from: string, to: string): number {
  let before: number[] = [];
  let above = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (let row = 1; row <= from.length; row++) {
    const current = [row];
    for (let column = 1; column <= to.length; column++) {
      const same = from[row - 1] === to[column - 1];
      const choices = [
        at(above, column) + 1,
        at(current, column - 1) + 1,
        at(above, column - 1) + (same ? 0 : 1),
      ];
      const swapped = from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1];
      if (row > 1 && column > 1 && swapped) choices.push(at(before, column - 2) + 1);
      current.push(Math.min(...choices));
    }
    [before, above] = [above, current];
  }
  return at(above, to.length);
}

const at = (row: readonly number[], column: number): number => row[column] ?? Infinity;

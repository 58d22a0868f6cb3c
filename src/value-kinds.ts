import { isIP } from "node:net";

/** A type of value that is written as text, in a setting or after an option on the command line. */
export interface Kind<Value> {
  /** A description of valid texts: the end of a sentence that begins with "expected". */
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

export function integer(min: number, max: number = Number.MAX_SAFE_INTEGER): Kind<number> {
  const range = max === Number.MAX_SAFE_INTEGER ? `, ${min} or more` : ` from ${min} to ${max}`;
  return {
    expected: `a whole number${range}`,
    parse(text) {
      const value = Number(text);
      return /^\d+$/.test(text) && value >= min && value <= max ? value : undefined;
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

/** The host that a server listens on. */
export const host: Kind<string> = {
  expected: "an IP address or a host name, without a port",
  parse(text) {
    if (isIP(text) !== 0) return text;
    return /^[a-z\d]([a-z\d.-]*[a-z\d])?$/i.test(text) && /[a-z]/i.test(text) ? text : undefined;
  },
};

/** Where people can be reached: an address of mail or of the web, as a URL. */
export const contact: Kind<string> = {
  expected: "an email address, or a URL that starts with https:// or mailto:",
  parse(text) {
    if (/^[^\s@:/]+@[^\s@:/]+\.[^\s@:/]+$/.test(text)) return `mailto:${text}`;
    return /^(?:https:\/\/|mailto:)\S+$/.test(text) && URL.canParse(text) ? text : undefined;
  },
};

/** A host as a URL names it. A port of null stands for every port. */
export interface HostAndPort {
  host: string;
  port: number | null;
}

/** Hosts to connect to, each as `URL` spells it: IPv6 addresses are in brackets. */
export const hosts: Kind<HostAndPort[]> = {
  expected:
    "host names or IP addresses such as archive.example.org or 10.0.0.5:8080 with commas between them",
  parse(text) {
    const read = text.split(",").map((item) => hostAndPort(item.trim()));
    return read.every((item) => item !== undefined) ? read : undefined;
  },
};

function hostAndPort(text: string): HostAndPort | undefined {
  const [, named, digits] = /^(\[[\da-f:.]+\]|[^\s:/?#@[\]\\]+)(?::(\d{1,5}))?$/i.exec(text) ?? [];
  if (named === undefined || !URL.canParse(`http://${named}`)) return undefined;
  const port = digits === undefined ? null : integer(1, 65_535).parse(digits);
  return port === undefined ? undefined : { host: new URL(`http://${named}`).hostname, port };
}

/** A base URL. The parsed value has no slash at its end. */
export const httpBase: Kind<string> = {
  expected: "an http:// or https:// address without a query, a fragment or a password",
  parse(text) {
    if (!/^https?:\/\/[^?#@\s]+$/i.test(text) || !URL.canParse(text)) return undefined;
    return new URL(text).href.replace(/\/+$/, "");
  },
};

/** The address of a page on the web. */
export const webAddress: Kind<string> = {
  expected: "an http:// or https:// address",
  parse: (text) => (/^https?:\/\/[^\s]+$/i.test(text) && URL.canParse(text) ? new URL(text).href : undefined),
};

/** A base URL like {@link httpBase}, but the parsed value has one slash at its end. */
export const httpFolder: Kind<string> = {
  expected: httpBase.expected,
  parse(text) {
    const base = httpBase.parse(text);
    return base === undefined ? undefined : `${base}/`;
  },
};

/** Origins of pages as browsers name them: without a path, and without a slash at the end. */
export const origins: Kind<string[]> = {
  expected: "origins such as https://www.example.org with commas between them, without a path",
  parse(text) {
    const read = text.split(",").map((origin) => httpBase.parse(origin.trim()));
    return read.every((origin) => origin !== undefined && new URL(origin).origin === origin)
      ? (read as string[])
      : undefined;
  },
};

/** The domain of a cookie: it includes all hosts whose names end with it. */
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

/** The people who need a second factor: `everyone`, `administrators`, `organization:<id>`. */
export const secondFactor: Kind<"off" | "optional" | readonly string[]> = {
  expected: "off, optional, or everyone, administrators and organization:<id> with commas between them",
  parse(text) {
    if (text === "off" || text === "optional") return text;
    const items = text.split(",").map((item) => item.trim());
    const isKnown = /^(?:everyone|administrators|organization:[1-9]\d{0,14})$/;
    return items.every((item) => isKnown.test(item)) ? items : undefined;
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
    "postgres://user:password@host:port/database, with characters such as # / @ in a password percent-encoded; " +
    "several hosts are separated by commas",
  parse: (text) =>
    /^postgres(ql)?:\/\/[^#\s]*$/.test(text) && postgresAddresses(text).every((url) => URL.canParse(url))
      ? text
      : undefined,
};

/**
 * The addresses of a PostgreSQL with several hosts, one for each: `postgres://a,b:5433/quire` and, for sockets,
 * `postgres:///quire?host=/a,/b`, as libpq spells them.
 */
export function postgresAddresses(url: string): string[] {
  const [, start = "", servers = "", end = ""] = /^(\w+:\/\/(?:[^@/?]*@)?)([^/?]*)(.*)$/.exec(url) ?? [];
  if (servers.includes(",")) return servers.split(",").map((server) => `${start}${server}${end}`);
  const [, before = "", sockets = "", after = ""] = /^(.*[?&]host=)([^&]*)(.*)$/.exec(url) ?? [];
  const folders = sockets.split(/,|%2C/i);
  return folders.length > 1 ? folders.map((folder) => `${before}${folder}${after}`) : [url];
}

export const mailUrl: Kind<string> = {
  expected:
    "smtp://user:password@host:port or smtps://…, with characters such as # / @ in a password percent-encoded",
  parse(text) {
    if (!/^smtps?:\/\/[^\s#?]+$/i.test(text) || !URL.canParse(text)) return undefined;
    const { hostname, pathname } = new URL(text);
    return hostname !== "" && (pathname === "" || pathname === "/") ? text : undefined;
  },
};

export const imapUrl: Kind<string> = {
  expected:
    "imaps://user:password@host:port/mailbox or imap://…, with characters such as # / @ in names percent-encoded",
  parse(text) {
    if (!/^imaps?:\/\/[^\s#?]+$/i.test(text) || !URL.canParse(text)) return undefined;
    const { hostname, username, password } = new URL(text);
    return hostname !== "" && username !== "" && password !== "" ? text : undefined;
  },
};

/** The sender of mails: an address, or a name and an address. */
export const mailSender: Kind<string> = {
  expected: "an email address, or a name and an address as in Quire <quire@example.org>",
  parse: (text) =>
    /^(?:[^<>@\p{Cc}]+ <[^<>\s@]+@[^<>\s@]+>|[^<>\s@]+@[^<>\s@]+)$/u.test(text) ? text : undefined,
};

/** Addresses and ranges of clients. */
export const addresses: Kind<string[]> = {
  expected: "IP addresses and ranges such as 10.0.0.0/8 with commas between them",
  parse(text) {
    const read = text.split(",").map((address) => address.trim());
    return read.every(isAddressOrRange) ? read : undefined;
  },
};

/** The proxies that may name a request's client: all, none, or some addresses and ranges. */
export const trustedProxies: Kind<boolean | string[]> = {
  expected: `on, off, or ${addresses.expected}`,
  parse: (text) => onOrOff.parse(text) ?? addresses.parse(text),
};

function isAddressOrRange(text: string): boolean {
  const [address = "", prefix, ...rest] = text.split("/");
  const version = isIP(address);
  if (version === 0 || address.includes("%") || rest.length > 0) return false;
  return prefix === undefined || integer(1, version === 4 ? 32 : 128).parse(prefix) !== undefined;
}

/**
 * The message for a text that is not of its kind. It leaves out a user name and password before a host, because the
 * database's URL may have been put into another setting by mistake.
 */
export function misread(name: string, text: string, kind: Kind<unknown>): string {
  return `${name}=${JSON.stringify(text.replace(/\/\/.*@/s, "//…@"))}: expected ${kind.expected}`;
}

/** "; did you mean …?" if a known name differs by about one letter in four, otherwise an empty text. */
export function didYouMean(name: string, known: readonly string[]): string {
  const [nearest] = known
    .map((candidate) => ({ candidate, slips: slipsBetween(name, candidate) }))
    .toSorted((a, b) => a.slips - b.slips);
  if (nearest === undefined || nearest.slips > Math.max(1, Math.floor(name.length / 4))) return "";
  return `; did you mean ${nearest.candidate}?`;
}

/** The Damerau-Levenshtein distance: letters to add, drop, replace or swap with their neighbour. */
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

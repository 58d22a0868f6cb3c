/** Where answers may be sent: HTTPS, or HTTP to the person's own device. */
export function isRedirectAddress(text: string): boolean {
  if (!/^[!-~]{1,2000}$/.test(text) || text.includes("#")) return false;
  const url = URL.parse(text);
  if (url === null || url.username !== "" || url.password !== "") return false;
  return url.protocol === "https:" || isOfLoopback(url);
}

/**
 * Whether a client has named this address. It must be the same, character by character; only the port of a program on
 * the person's device is free, because such a program takes the one that it gets (RFC 8252, section 7.3).
 */
export function isNamed(named: readonly string[], asked: string): boolean {
  if (!isRedirectAddress(asked)) return false;
  return named.some((address) => address === asked || areSameButForPort(address, asked));
}

/** The host that a person is told of. Empty for a program on the person's own device. */
export function hostOf(address: string): string {
  const url = new URL(address);
  return isOfLoopback(url) ? "" : url.host;
}

const loopbackHosts: ReadonlySet<string> = new Set(["localhost", "127.0.0.1", "[::1]"]);

const isOfLoopback = ({ protocol, hostname }: URL): boolean =>
  protocol === "http:" && loopbackHosts.has(hostname);

function areSameButForPort(named: string, asked: string): boolean {
  const [one, other] = [new URL(named), new URL(asked)];
  if (!isOfLoopback(one) || !isOfLoopback(other)) return false;
  return withoutPort(named) === withoutPort(asked);
}

/** As written: nothing is normalized but the port. */
const withoutPort = (address: string): string =>
  address.replace(/^(http:\/\/(?:localhost|127\.0\.0\.1|\[::1\])):\d{1,5}(?=[/?]|$)/, "$1");

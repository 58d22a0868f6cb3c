import { maxQueryLength } from "../../contract/limits.ts";
import type { IncomingMessage } from "node:http";

/** The limit in bytes for the headers and the address, except for a long query. It is Node's default limit. */
const usualHead = 16 * 1024;
/** The length of the longest search query when each character has four bytes and each byte is written as `%F0`. */
const maxPlainQueryLength = maxQueryLength * 4 * 3;

/** In bytes: how much of a request's address and headers the server reads. */
export const maxHeaderSize = maxPlainQueryLength + usualHead;

/**
 * Whether a request's address and headers are longer than the parsers are made for. Some parsers become slow with long
 * input.
 */
export function isHeadTooLarge({ url = "", rawHeaders }: IncomingMessage, takesLongQuery: boolean): boolean {
  const query = takesLongQuery ? url.indexOf("?") : -1;
  let bytes = query === -1 ? url.length : query;
  for (const text of rawHeaders) bytes += text.length;
  return bytes > usualHead || url.length > maxHeaderSize;
}

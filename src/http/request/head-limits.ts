import type { IncomingMessage } from "node:http";
import { maxQueryLength } from "../../search/query-limits.ts";

/** In bytes: the address, but for a long query, and the headers. As much as Node allows by default. */
const usualHead = 16 * 1024;
/** A search of characters of four bytes each, every byte written as `%F0`. */
const maxPlainQueryLength = maxQueryLength * 4 * 3;

/** In bytes: what the server reads of a request's address and headers. */
export const maxHeaderSize = maxPlainQueryLength + usualHead;

/** Whether a request has more before its body than its parsers are made for: some of them get slow with it. */
export function isHeadTooLarge({ url = "", rawHeaders }: IncomingMessage, takesLongQuery: boolean): boolean {
  const query = takesLongQuery ? url.indexOf("?") : -1;
  let bytes = query === -1 ? url.length : query;
  for (const text of rawHeaders) bytes += text.length;
  return bytes > usualHead || url.length > maxHeaderSize;
}

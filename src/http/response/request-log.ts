import type { Logger } from "pino";

interface RequestLine {
  reqId: string;
  method: string;
  url: string;
  status: number;
  milliseconds: number;
}

const maxLoggedPathLength = 2000;

/** Logs one line for a request, with the path alone: a query may contain private words. */
export function logRequest(log: Logger, { reqId, method, url, status, milliseconds }: RequestLine): void {
  const query = url.indexOf("?");
  const path = (query === -1 ? url : url.slice(0, query)).slice(0, maxLoggedPathLength);
  log.info({ reqId, method, status, path, milliseconds: Math.round(milliseconds * 10) / 10 }, "request");
}

import { randomBytes } from "node:crypto";
import { type Logger, symbols } from "pino";

/** Numbers the requests of a process, with a prefix that distinguishes the processes. */
export class RequestIds {
  readonly #prefix = randomBytes(4).toString("hex");
  #count = 0;

  next(): string {
    return `${this.#prefix}-${(++this.#count).toString(36)}`;
  }
}

interface RequestLine {
  reqId: string;
  method: string;
  url: string;
  status: number;
  milliseconds: number;
}

const maxLoggedPathLength = 2000;

/**
 * Logs one line for a request, with the path alone: a query may contain private words. The line is what
 * `log.info({ reqId, … }, "request")` would write. Building it here takes a fifth of the time, which matters because a
 * cached response is cheap.
 */
export function logRequest(log: Logger, { reqId, method, url, status, milliseconds }: RequestLine): void {
  if (!log.isLevelEnabled("info")) return;
  const query = url.indexOf("?");
  const path = (query === -1 ? url : url.slice(0, query)).slice(0, maxLoggedPathLength);
  const tenths = Math.round(milliseconds * 10);
  const tenth = tenths % 10;
  // Numbers that are not whole take long to turn into text.
  const time = tenth === 0 ? String(tenths / 10) : `${(tenths - tenth) / 10}.${tenth}`;
  const line =
    `{"level":30,"time":${Date.now()},"reqId":"${reqId}","method":"${method}","status":${status},` +
    `"path":${JSON.stringify(path)},"milliseconds":${time},"msg":"request"}\n`;
  (log as unknown as { [symbols.streamSym]: { write(line: string): void } })[symbols.streamSym].write(line);
}

import { execFileSync } from "node:child_process";
import { once } from "node:events";
import http from "node:http";
import { setTimeout as wait } from "node:timers/promises";
import { text } from "node:stream/consumers";

export interface LineAnswer {
  status: number;
  headers: http.IncomingHttpHeaders;
  /** The JSON of the answer, or its text if it is not JSON. */
  body: any; // oxlint-disable-line typescript/no-explicit-any -- tests say what they expect of it
}

export interface LineRequest {
  method?: string;
  headers?: Record<string, string>;
  body?: unknown;
}

/** A connection that stays open, and so leads to one process of a server. */
export class ProcessLine implements Disposable {
  /** Identifies the process: the prefix of its request ids. */
  process = "";
  readonly #agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
  readonly #url: string;

  constructor(url: string) {
    this.#url = url;
  }

  async ask(target: string, { method = "GET", headers = {}, body }: LineRequest = {}): Promise<LineAnswer> {
    const type = body === undefined ? {} : { "content-type": "application/json" };
    const request = http.request(new URL(target, this.#url), {
      method,
      agent: this.#agent,
      headers: { ...type, ...headers },
    });
    request.end(body === undefined ? undefined : JSON.stringify(body));
    const [response] = (await once(request, "response")) as [http.IncomingMessage];
    const answer = await text(response);
    this.process = String(response.headers["x-request-id"]).split("-")[0] ?? "";
    const isJson = String(response.headers["content-type"]).includes("json");
    return {
      status: response.statusCode ?? 0,
      headers: response.headers,
      body: isJson ? JSON.parse(answer) : answer,
    };
  }

  [Symbol.dispose](): void {
    this.#agent.destroy();
  }
}

/** Opens a connection to each process of a server. The server may still be starting. */
export async function linesToProcesses(url: string, processes: number): Promise<ProcessLine[]> {
  const lines = new Map<string, ProcessLine>();
  while (lines.size < processes) {
    const line = new ProcessLine(url);
    try {
      await line.ask("/livez");
      if (lines.has(line.process)) line[Symbol.dispose]();
      else lines.set(line.process, line);
    } catch {
      // The process has just been killed.
      line[Symbol.dispose]();
    }
    await wait(10);
  }
  return [...lines.values()];
}

/** The ids of the processes that a process has started. */
export function childrenOf(pid: number): number[] {
  const rows = execFileSync("ps", ["-A", "-o", "pid=,ppid="], { encoding: "utf8" }).trim().split("\n");
  return rows
    .map((row) => row.trim().split(/\s+/).map(Number))
    .flatMap(([id, parent]) => (id !== undefined && parent === pid ? [id] : []));
}

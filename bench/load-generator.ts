import { once } from "node:events";
import { type Socket, connect } from "node:net";
import { ResponseReader } from "./response-reader.ts";

/** Requests to send over and over, in turn, on so many connections, each of which waits for its answer. */
export interface LoadJob {
  port: number;
  paths: readonly string[];
  headers: Readonly<Record<string, string>>;
  status: number;
  connections: number;
  seconds: number;
}

export interface LoadResult {
  requests: number;
  seconds: number;
  bodyBytes: number;
  /** How much of one processor the generator itself took: near 1, it is the generator that was measured. */
  generatorShare: number;
}

// It lives as long as there is someone to give it jobs.
process.channel?.ref();
process.on("message", (job: LoadJob | "usage") => {
  if (job !== "usage") void run(job).then((result) => process.send?.(result));
});

async function run({ port, paths, headers, status, connections, seconds }: LoadJob): Promise<LoadResult> {
  const tail = ` HTTP/1.1\r\n${Object.entries({ host: `127.0.0.1:${port}`, ...headers })
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join("")}\r\n`;
  const chunk = Buffer.allocUnsafe(256 * 1024);
  let requests = 0;
  let bodyBytes = 0;
  let turn = 0;
  let isOver = false;

  const open = async (): Promise<{ socket: Socket; ended: Promise<unknown> }> => {
    const reader = new ResponseReader((got, bytes) => {
      if (got !== status) throw new Error(`Answered ${got} instead of ${status}`);
      requests += 1;
      bodyBytes += bytes;
      if (isOver) socket.destroy();
      else ask(socket);
    });
    const callback = (length: number): boolean => {
      reader.take(chunk.subarray(0, length));
      return true;
    };
    const socket: Socket = connect({
      port,
      host: "127.0.0.1",
      noDelay: true,
      onread: { buffer: chunk, callback },
    });
    await once(socket, "connect");
    const ended = once(socket, "close");
    return { socket, ended };
  };
  const ask = (socket: Socket): void => {
    socket.write(`GET ${paths[turn++ % paths.length] ?? "/"}${tail}`, "latin1");
  };

  const opened = await Promise.all(Array.from({ length: connections }, open));
  const usedBefore = process.cpuUsage();
  const startedMilliseconds = performance.now();
  setTimeout(() => (isOver = true), seconds * 1000);
  for (const { socket } of opened) ask(socket);
  await Promise.all(opened.map(({ ended }) => ended));
  const elapsed = (performance.now() - startedMilliseconds) / 1000;
  const used = process.cpuUsage(usedBefore);
  if (!isOver) throw new Error("The server closed its connections");
  const generatorShare = (used.user + used.system) / 1e6 / elapsed;
  return { requests, seconds: elapsed, bodyBytes, generatorShare };
}

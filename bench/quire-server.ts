import { once } from "node:events";
import { type IncomingMessage, get } from "node:http";
import { type AddressInfo, createServer } from "node:net";
import { text } from "node:stream/consumers";
import { setTimeout as wait } from "node:timers/promises";
import type { Child } from "./child.ts";
import { quire } from "./quire.ts";

export interface QuireOptions {
  dataFolder: string;
  /** A PostgreSQL address; null means SQLite in the data folder. */
  databaseUrl: string | null;
  /** Where its log goes, as in production; nowhere if not given. */
  logFile?: string;
}

/** The real application in a process of its own, as `quire serve` starts it. */
export interface QuireServer {
  port: number;
  url: string;
  process: Child;
  /** From the start of the process to the first answer of the list. */
  startSeconds: number;
}

const maxStartSeconds = 60;

export async function startQuire({ dataFolder, databaseUrl, logFile }: QuireOptions): Promise<QuireServer> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const startedMilliseconds = performance.now();
  const secondsGone = (): number => (performance.now() - startedMilliseconds) / 1000;
  const process = quire("start", {
    args: ["serve"],
    environment: {
      QUIRE_DATA: dataFolder,
      QUIRE_PORT: String(port),
      ...(databaseUrl === null ? {} : { QUIRE_DATABASE_URL: databaseUrl }),
    },
    ...(logFile === undefined ? {} : { logFile }),
  });
  while (!(await answers(`${url}/api/documents/`))) {
    if (!process.isRunning) throw new Error("Quire did not start");
    if (secondsGone() > maxStartSeconds) {
      await process.stop();
      throw new Error(`Quire did not answer within ${maxStartSeconds} s`);
    }
    await wait(5);
  }
  return { port, url, process, startSeconds: secondsGone() };
}

async function answers(url: string): Promise<boolean> {
  try {
    const [response] = (await once(get(url, { agent: false }), "response")) as [IncomingMessage];
    await text(response);
    return response.statusCode === 200;
  } catch {
    return false;
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}

import { once } from "node:events";
import { readFileSync } from "node:fs";
import { type IncomingMessage, get } from "node:http";
import { type AddressInfo, createServer } from "node:net";
import { text } from "node:stream/consumers";
import { setTimeout as wait } from "node:timers/promises";
import { Child, type ChildOptions } from "./child.ts";

export interface QuireOptions {
  dataFolder: string;
  /** A PostgreSQL address; null means SQLite in the data folder. */
  databaseUrl: string | null;
  /** The number of processes that answer requests. Default: that of `quire serve`. */
  processes?: number;
  /** The file for its log. Default: no log. */
  logFile?: string;
  /** Other settings. */
  environment?: Readonly<Record<string, string>>;
}

/** The real application in a separate process, as `quire serve` starts it. */
export interface QuireServer {
  port: number;
  url: string;
  process: Child;
  /** From the start of the process to the first answer of the list. */
  startSeconds: number;
}

const maxStartSeconds = 60;

export async function startQuire({
  dataFolder,
  databaseUrl,
  processes,
  logFile,
  environment = {},
}: QuireOptions): Promise<QuireServer> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const startedMilliseconds = performance.now();
  const secondsGone = (): number => (performance.now() - startedMilliseconds) / 1000;
  const process = quire("start", {
    args: ["serve"],
    environment: {
      ...environment,
      QUIRE_DATA: dataFolder,
      QUIRE_PORT: String(port),
      ...(databaseUrl === null ? {} : { QUIRE_DATABASE_URL: databaseUrl }),
      ...(processes === undefined ? {} : { QUIRE_PROCESSES: String(processes) }),
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

interface Package {
  scripts: { start: string; quire: string };
}

/** The `quire` command in a separate process, with the options that `npm start` or `npm run quire` gives to Node. */
export function quire(script: keyof Package["scripts"], options: Omit<ChildOptions, "nodeOptions">): Child {
  const { scripts } = JSON.parse(
    readFileSync(new URL("../package.json", import.meta.url), "utf8"),
  ) as Package;
  const given = /\bnode ((?:--\S+ )*)src\/main\.ts/.exec(scripts[script])?.[1];
  if (given === undefined) throw new Error(`The script "${script}" of package.json does not run src/main.ts`);
  const nodeOptions = given.split(" ").filter((option) => option !== "");
  return new Child("../src/main.ts", { ...options, nodeOptions });
}

import { type Profiler, Session } from "node:inspector/promises";
import { type IncomingMessage, get } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import pino from "pino";
import { buildApp } from "../app.ts";
import { readConfig } from "../config.ts";
import { openContext } from "../context.ts";

/*
 * Which source files run for a page of the list: those of which V8 has called a function. The program serves storage
 * that the environment names, and writes the files for the first page, and for a page that follows when the list has a
 * plan.
 *
 *   QUIRE_DATA=… node files-of-pages.ts
 */

const source = new URL("..", import.meta.url).href;

/** These are busy after the start, whether a page is asked for or not. */
const isBesideRequests = (file: string): boolean =>
  /^testing\/|^files\/kept-images\.ts$|^web\/viewer-bundle\.ts$/.test(file);

// Scheduled work runs once before the server listens, and then not while pages are asked for.
const { setTimeout: timer } = globalThis;
globalThis.setTimeout = ((callback: () => void) => timer(callback, 2 ** 31 - 1).unref()) as typeof setTimeout;

const session = new Session();
session.connect();
await session.post("Profiler.enable");
await session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: false });

/** The module itself is a function without a name at the file's start. */
const isCalled = ({ functionName, ranges }: Profiler.FunctionCoverage): boolean =>
  ranges.some(({ startOffset, count }) => count > 0 && (functionName !== "" || startOffset > 0));

/** The files of which a function was called since the last time. */
async function called(): Promise<string[]> {
  const { result } = await session.post("Profiler.takePreciseCoverage");
  const files = result.filter(({ url, functions }) => url.startsWith(source) && functions.some(isCalled));
  return files.map(({ url }) => url.slice(source.length)).filter((file) => !isBesideRequests(file));
}

async function ask(address: string): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<IncomingMessage>();
  get(address, { headers: { accept: "application/json", "accept-encoding": "gzip" } }, resolve);
  return text(await promise);
}

const nextOf = async (address: string): Promise<string> =>
  (JSON.parse(await ask(address)) as { next: string }).next;

const read = readConfig({ QUIRE_PORT: "0", QUIRE_SAMPLES: "off", ...process.env });
if ("problems" in read) throw new Error(read.problems.join("\n"));
const log = pino({ level: "info" }, { write: () => undefined });
const context = await openContext(read.config, log, { servesRequests: true });
// This process hears no hints. Otherwise it would look at everything once PostgreSQL sends them, maybe during a page.
if (context.database.hints) context.database.hints.onHint = () => undefined;
const app = buildApp(context);
await app.listen({ host: "127.0.0.1", port: 0 });
const { port } = app.server.address() as AddressInfo;
await called();
let address = await nextOf(`http://127.0.0.1:${port}/api/documents/`);
const first = await called();
// The application answers the second page. The third one is the first that needs no application.
address = await nextOf(address);
await called();
await nextOf(address);
process.stdout.write(JSON.stringify({ first, next: await called() }));
process.exit(0);

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import pino from "pino";
import { readConfig } from "../src/config.ts";
import { openContext } from "../src/context.ts";
import { residentMb } from "../src/testing/memory.ts";
import { scanOf } from "../src/testing/scan.ts";
import { addOwner, everyJobDone, sendFile } from "../src/testing/sent-files.ts";
import { startQuire } from "./quire-server.ts";

/*
 * The resident memory of the server: at its start, after it has recognised the text of 45 scans, and when it is idle
 * after that.
 *
 *   npm run bench:memory [-- --documents 45]
 */

const at = process.argv.indexOf("--documents");
const documents = at === -1 ? 45 : Number(process.argv[at + 1]);
const lines = Array.from({ length: 40 }, (_, line) => `The harbour council counted ${line} ships in winter`);
const print = (line: string): void => void process.stdout.write(`${line}\n`);

const folder = await mkdtemp(path.join(tmpdir(), "quire-bench-"));
try {
  const read = readConfig({ QUIRE_DATA: path.join(folder, "data") });
  if ("problems" in read) throw new Error(read.problems.join("\n"));
  const context = await openContext(read.config, pino({ level: "silent" }));
  const owner = await addOwner(context);
  const server = await startQuire({ dataFolder: path.join(folder, "data"), databaseUrl: null });
  const ground = { fetch: (target: string, init?: RequestInit) => fetch(server.url + target, init) };
  const { pid } = server.process;
  const tell = (when: string): void => {
    const { process: own, children } = residentMb(pid);
    print(`${when}: the server ${own} MB, its children ${children} MB`);
  };
  try {
    tell("at the start");
    const bytes = await scanOf(lines, { width: 612, height: 792 });
    const started = performance.now();
    const ids: number[] = [];
    for (let sent = 0; sent < documents; sent++) {
      ids.push(await sendFile(ground, owner, { extension: "png", bytes }, "A scan"));
    }
    await everyJobDone(context);
    tell(`after ${documents} scans in ${((performance.now() - started) / 1000).toFixed(0)} s`);
    for (const id of ids) {
      const address = `/files/documents/${id}/pages/a-scan-p1-xlarge.gif`;
      const image = await ground.fetch(address, { headers: owner.headers });
      await image.arrayBuffer();
      if (image.status !== 200) throw new Error(`${address}: ${image.status}`);
    }
    tell("after an image of each");
    for (const seconds of [15, 15, 30, 60]) {
      await wait(seconds * 1000);
      tell(`${seconds} s later`);
    }
  } finally {
    await server.process.stop();
    await context.close();
  }
} finally {
  await rm(folder, { recursive: true });
}

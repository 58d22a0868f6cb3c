import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { askPostgres } from "../../src/testing/postgres.ts";
import { Load, type Seen } from "./load.ts";
import { Cluster } from "./nodes.ts";

/*
 * node tests/cluster/run.ts: two servers and a worker with folders of their own share PostgreSQL and an S3 server,
 * behind HAProxy (Debian's `haproxy`), which sends every request to another server than the last. While clients read,
 * write and send files in parts, each part of the installation goes away in turn. Prints what the clients saw, and
 * fails if anything acknowledged was lost, if an answer was out of date, or if a request failed while a server was
 * restarted.
 */

const quietSeconds = 4;
/** After this long, the balancer knows that a server is ready, and the other one may stop: it asks every second. */
const checkSeconds = 1.5;

interface Event {
  what: string;
  /** Whether no request may fail meanwhile. */
  isUnseen: boolean;
  happen: (cluster: Cluster) => Promise<void>;
}

const events: readonly Event[] = [
  { what: "nothing", isUnseen: true, happen: async () => undefined },
  {
    what: "a server is restarted",
    isUnseen: true,
    happen: async (cluster) => {
      await cluster.end("two", "SIGTERM");
      await cluster.startNode("two");
    },
  },
  {
    what: "a server is killed, and starts again after 2 s",
    isUnseen: false,
    happen: async (cluster) => {
      await cluster.end("one", "SIGKILL");
      await wait(2000);
      await cluster.startNode("one");
    },
  },
  {
    what: "the worker is killed, and starts again",
    isUnseen: true,
    happen: async (cluster) => {
      await cluster.end("worker", "SIGKILL");
      await cluster.startNode("worker");
    },
  },
  {
    what: "the bucket is away for 5 s",
    isUnseen: false,
    happen: async ({ bucket }) => {
      bucket.broken = true;
      bucket.breakOff();
      await wait(5000);
      bucket.broken = false;
    },
  },
  {
    what: "PostgreSQL restarts",
    isUnseen: false,
    happen: async ({ postgres: { primary } }) => {
      await primary.end("fast");
      await primary.startAgain();
    },
  },
  {
    what: "PostgreSQL crashes, and recovers",
    isUnseen: false,
    happen: async ({ postgres: { primary } }) => {
      await primary.end("crash");
      await primary.startAgain();
    },
  },
  {
    what: "its standby becomes the primary, and the old one comes back",
    isUnseen: false,
    happen: async ({ postgres }) => {
      await postgres.failOver();
      await postgres.primary.startAgain();
    },
  },
  {
    what: "a newer version adds to the tables, and one server after the other is replaced",
    isUnseen: true,
    happen: async (cluster) => {
      const { standbyUrl } = cluster.postgres;
      await askPostgres(standbyUrl, "alter table documents add column future text");
      const added = "insert into kysely_migration (name, timestamp) values ('9999-add-future', '2030')";
      await askPostgres(standbyUrl, added);
      for (const name of ["one", "two"] as const) {
        await cluster.end(name, "SIGTERM");
        await cluster.startNode(name);
        await cluster.untilReady(name);
        await wait(checkSeconds * 1000);
      }
    },
  },
];

const folder = await mkdtemp(path.join(tmpdir(), "quire-cluster-"));
try {
  process.exitCode = await run();
} finally {
  await rm(folder, { recursive: true, force: true });
}

async function run(): Promise<number> {
  await using cluster = await Cluster.start(folder);
  const load = new Load(cluster);
  const faults: string[] = [];
  console.log(
    "| what happens | requests | failed | stale answers | well again after, s |\n|---|---|---|---|---|",
  );
  for (const { what, isUnseen, happen } of events) {
    await happen(cluster);
    await wait(quietSeconds * 1000);
    const { requests, failed, stale, failingSeconds }: Seen = load.take();
    const seconds = failed === 0 ? "-" : failingSeconds.toFixed(1);
    console.log(`| ${what} | ${requests} | ${failed} | ${stale} | ${seconds} |`);
    if (stale > 0) faults.push(`${stale} answers were out of date while ${what}`);
    // On a busy machine, a server may take longer to start.
    await Promise.all([cluster.untilReady("one"), cluster.untilReady("two")]);
    await wait(checkSeconds * 1000);
    if (isUnseen && failed > 0) faults.push(`${failed} requests failed while ${what}`);
  }
  await load.end();
  const lost = await load.lost();
  const { documents, files } = load.written;
  console.log(
    `${documents} documents and ${files} files in parts were acknowledged, ${lost} of them are lost`,
  );
  if (lost > 0 || files === 0) faults.push(`${lost} of ${documents} documents and ${files} files are lost`);
  for (const fault of faults) console.error(fault);
  return faults.length === 0 ? 0 : 1;
}

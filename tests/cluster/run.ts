import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { askPostgres } from "../../src/testing/postgres.ts";
import { Load } from "./load.ts";
import { Cluster, pgBouncer, servers } from "./nodes.ts";
import { canVanish, vanish } from "./vanished.ts";

/*
 * node tests/cluster/run.ts: three servers and two workers with folders of their own share PostgreSQL, which has two
 * standbys, and an S3 server, behind HAProxy, which sends every request to another server than the last. While clients
 * read, write, walk, redact, follow the events, send files in parts and change who may see what, each part of the
 * installation goes away in turn. Prints what the clients saw, and fails if anything acknowledged was lost, if an
 * answer was out of date, or if a request failed while a server was restarted.
 *
 * `--short` takes a quarter of the time: clients pause, and events follow each other sooner. It does not fail because
 * requests failed: on a busy machine the balancer may take a server for one that is gone.
 */

const isShort = process.argv.includes("--short");
const pauseMilliseconds = isShort ? 150 : 20;
const quietSeconds = isShort ? 1 : 4;
const bucketSeconds = isShort ? 5 : 60;
const awaySeconds = isShort ? 0.5 : 2;
/** Only a fault lasts this long, and no busy machine. */
const maxMinutes = isShort ? 10 : 40;
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
    what: `a server is killed, and starts again after ${awaySeconds} s`,
    isUnseen: false,
    happen: async (cluster) => {
      await cluster.end("one", "SIGKILL");
      await wait(awaySeconds * 1000);
      await cluster.startNode("one");
    },
  },
  {
    what: "a worker is killed, and starts again",
    isUnseen: true,
    happen: async (cluster) => {
      await cluster.end("first worker", "SIGKILL");
      await cluster.startNode("first worker");
    },
  },
  {
    what: "the balancer is killed, and starts again",
    isUnseen: false,
    happen: async (cluster) => {
      await cluster.end("balancer", "SIGKILL");
      await cluster.startBalancer();
    },
  },
  {
    what: "PgBouncer is killed, and starts again",
    isUnseen: false,
    happen: async ({ pooler }) => {
      await pooler?.kill();
      await wait(awaySeconds * 1000);
      await pooler?.startAgain();
    },
  },
  {
    what: `the bucket is away for ${bucketSeconds} s`,
    isUnseen: false,
    happen: async ({ bucket }) => {
      bucket.broken = true;
      bucket.breakOff();
      await wait(bucketSeconds * 1000);
      bucket.broken = false;
    },
  },
  {
    what: "a standby crashes, and comes back",
    isUnseen: true,
    happen: async ({ postgres: { standbys } }) => {
      await standbys[0].end("crash");
      await wait(awaySeconds * 1000);
      await standbys[0].startAgain();
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
    what: "a standby becomes the primary, the other follows it, and the old primary comes back",
    isUnseen: false,
    happen: async (cluster) => {
      await cluster.failOver();
      await cluster.postgres.primary.startAgain();
    },
  },
  {
    what: "a newer version adds to the tables, and one server after the other is replaced",
    isUnseen: true,
    happen: async (cluster) => {
      await askPostgres(cluster.primaryUrl, "alter table documents add column future text");
      const added = "insert into kysely_migration (name, timestamp) values ('9999-add-future', '2030')";
      await askPostgres(cluster.primaryUrl, added);
      for (const name of servers) {
        await cluster.end(name, "SIGTERM");
        await cluster.startNode(name);
        await cluster.untilReady(name);
        await wait(checkSeconds * 1000);
      }
    },
  },
];

/** Scripts that start other files of packaging/ than the cluster does, with the programs that they need. */
const scripts = [
  { script: "patroni.sh", programs: ["patroni", "etcd"] },
  { script: "recovery.sh", programs: [] },
];

/** Runs the tests that start machines of their own: one that vanishes, and the other layouts. Returns the faults. */
async function alone(): Promise<string[]> {
  const faults: string[] = [];
  if (canVanish()) {
    try {
      const { streams, row } = await vanish(folder);
      console.log(
        `A machine that vanished kept its streams for ${streams.toFixed(0)} s, and a row for ${row.toFixed(0)} s.`,
      );
    } catch (error) {
      faults.push(String(error));
    }
  } else console.log("Not tested: a machine that vanishes. No network of its own can be made here");
  for (const { script, programs } of scripts) {
    const missing = programs.filter((program) => spawnSync(program, ["--version"]).status !== 0);
    if (!existsSync("/usr/lib/postgresql")) missing.push("PostgreSQL of the system");
    if (missing.length > 0) console.log(`Not tested: ${script}. There is no ${missing.join(", no ")}`);
    else if (spawnSync(path.join(import.meta.dirname, script), { stdio: "inherit" }).status !== 0)
      faults.push(`${script} has failed`);
  }
  return faults;
}

const folder = await mkdtemp(path.join(tmpdir(), "quire-cluster-"));
try {
  process.exitCode = await run();
} finally {
  await rm(folder, { recursive: true, force: true });
}

async function run(): Promise<number> {
  await using cluster = await Cluster.start(folder);
  const stuck = setTimeout(() => {
    console.error(`Not done after ${maxMinutes} minutes`);
    cluster.kill();
    process.exit(1);
  }, maxMinutes * 60_000);
  if (pgBouncer() === null)
    console.log("Not tested: a server that goes through PgBouncer. It is not installed");
  const load = await Load.start(cluster, pauseMilliseconds);
  const faults: string[] = [];
  console.log(
    "| what happens | requests | failed | stale answers | well again after, s |\n|---|---|---|---|---|",
  );
  for (const { what, isUnseen, happen } of events) {
    await happen(cluster);
    await wait(quietSeconds * 1000);
    const { requests, failures, stale, failingSeconds } = load.take();
    const failed = failures.values().reduce((sum, times) => sum + times, 0);
    const seconds = failed === 0 ? "-" : failingSeconds.toFixed(1);
    console.log(`| ${what} | ${requests} | ${failed} | ${stale} | ${seconds} |`);
    if (stale > 0) faults.push(`${stale} answers were out of date while ${what}`);
    // On a busy machine, a server may take longer to start.
    await Promise.all(servers.map((name) => cluster.untilReady(name)));
    await wait(checkSeconds * 1000);
    if (isUnseen && failed > 0 && !isShort) faults.push(`${failed} requests failed while ${what}`);
    for (const [failure, times] of failures) console.error(`${times} × ${failure}`);
  }
  for (const { did, faults: found } of await load.end()) {
    console.log(did);
    faults.push(...found);
  }
  if (!isShort) faults.push(...(await alone()));
  clearTimeout(stuck);
  for (const fault of faults) console.error(fault);
  return faults.length === 0 ? 0 : 1;
}

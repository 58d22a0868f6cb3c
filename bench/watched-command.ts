import { readFileSync } from "node:fs";
import { setTimeout as wait } from "node:timers/promises";
import { Client } from "pg";
import type { Child } from "./child.ts";
import { processorMilliseconds } from "./processor-time.ts";

/** What a command has taken, up to at most a tenth of a second before its end. */
export interface Taken {
  /** Processor time of the command and of what it started. */
  seconds: number;
  /** Of PostgreSQL's processes for this database. */
  databaseSeconds: number;
  /** The highest resident memory of the command itself. */
  peakMb: number;
}

const everyMilliseconds = 100;

/** Waits for the end of a command, and says what it took. */
export async function watch(command: Child, databaseUrl?: string): Promise<Taken> {
  const taken: Taken = { seconds: 0, databaseSeconds: 0, peakMb: 0 };
  const client = databaseUrl === undefined ? null : new Client({ connectionString: databaseUrl });
  await client?.connect();
  const backends = new Map<number, number>();
  try {
    while (command.isRunning) {
      await wait(everyMilliseconds);
      const milliseconds = processorMilliseconds([command.pid]);
      if (Number.isNaN(milliseconds)) continue;
      taken.seconds = Math.max(taken.seconds, milliseconds / 1000);
      taken.peakMb = Math.max(taken.peakMb, peakMb(command.pid));
      for (const pid of client === null ? [] : await pidsOf(client)) {
        const ofBackend = processorMilliseconds([pid]);
        if (!Number.isNaN(ofBackend)) backends.set(pid, ofBackend);
      }
    }
  } finally {
    await client?.end();
  }
  for (const milliseconds of backends.values()) taken.databaseSeconds += milliseconds / 1000;
  return taken;
}

async function pidsOf(client: Client): Promise<number[]> {
  const { rows } = await client.query<{ pid: number }>(
    `select pid from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`,
  );
  return rows.map(({ pid }) => pid);
}

function peakMb(pid: number): number {
  try {
    const [, kilobytes = "0"] =
      /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
    return Number(kilobytes) / 1024;
  } catch {
    return 0;
  }
}

export function report(what: string, { seconds, databaseSeconds, peakMb: peak }: Taken): string {
  const ofDatabase = databaseSeconds === 0 ? "" : `, PostgreSQL ${databaseSeconds.toFixed(1)} s`;
  return `${what}: processor ${seconds.toFixed(1)} s${ofDatabase}, memory ${peak.toFixed(0)} MB`;
}

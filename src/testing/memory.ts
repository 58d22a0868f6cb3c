import { readFileSync, readdirSync } from "node:fs";
import { setTimeout as wait } from "node:timers/promises";

/** Resident memory in megabytes. */
export interface MemoryPeaks {
  /** The maximum of the process itself, as the kernel counts it. */
  process: number;
  /** The highest sum seen of all processes that it started. */
  children: number;
}

/** Watches a process and all its descendants, if the kernel has the figures (as on Linux). */
export function watchMemory(pid: number): { peaks(): MemoryPeaks; stop(): Promise<void> } {
  const over = new AbortController();
  let children = 0;
  const watching = (async () => {
    while (!over.signal.aborted) {
      children = Math.max(children, residentBelow(pid));
      await wait(50);
    }
  })();
  return {
    peaks: () => ({ process: statusMb(pid, "VmHWM"), children }),
    async stop() {
      over.abort();
      await watching;
    },
  };
}

/** The resident memory of a process and all its descendants. */
export function residentMb(pid: number): MemoryPeaks {
  return { process: statusMb(pid, "VmRSS"), children: residentBelow(pid) };
}

/** Synchronous, because it often reads hundreds of the kernel's files, none of which is on a disk. */
function residentBelow(pid: number): number {
  const parents = new Map<number, number>();
  for (const name of namesIn("/proc")) {
    if (!/^\d+$/.test(name)) continue;
    const text = textOf(`/proc/${name}/stat`);
    // The name of a program, in parentheses, may have any character.
    const [, parent] = text.slice(text.lastIndexOf(")") + 2).split(" ");
    parents.set(Number(name), Number(parent));
  }
  const isBelow = (one: number): boolean => {
    const parent = parents.get(one);
    return parent !== undefined && (parent === pid || isBelow(parent));
  };
  const below = [...parents.keys()].filter(isBelow);
  return below.reduce((sum, one) => sum + statusMb(one, "VmRSS"), 0);
}

function statusMb(pid: number, field: "VmHWM" | "VmRSS"): number {
  const text = textOf(`/proc/${pid}/status`);
  const [, kilobytes] = new RegExp(`^${field}:\\s+(\\d+) kB`, "m").exec(text) ?? [];
  return Math.round(Number(kilobytes ?? 0) / 1024);
}

/** The content of the file. Empty if the process has ended or the file does not exist. */
function textOf(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

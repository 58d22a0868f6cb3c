import { readFile, readdir } from "node:fs/promises";
import { setTimeout as wait } from "node:timers/promises";

/** In megabytes, resident. */
export interface MemoryPeaks {
  /** Of the process itself, as the kernel counted it. */
  process: number;
  /** Of all processes that it started, at the worst moment seen. */
  children: number;
}

/** Watches a process and all that it starts, where the kernel tells (Linux does). */
export function watchMemory(pid: number): { peaks(): Promise<MemoryPeaks>; stop(): Promise<void> } {
  const over = new AbortController();
  let children = 0;
  const watching = (async () => {
    while (!over.signal.aborted) {
      children = Math.max(children, await residentBelow(pid));
      await wait(50);
    }
  })();
  return {
    peaks: async () => ({ process: await statusMb(pid, "VmHWM"), children }),
    async stop() {
      over.abort();
      await watching;
    },
  };
}

/** The resident memory of a process and all its descendants. */
export async function residentMb(pid: number): Promise<MemoryPeaks> {
  return { process: await statusMb(pid, "VmRSS"), children: await residentBelow(pid) };
}

async function residentBelow(pid: number): Promise<number> {
  const parents = new Map<number, number>();
  for (const name of await readdir("/proc").catch(() => [])) {
    if (!/^\d+$/.test(name)) continue;
    const text = await readFile(`/proc/${name}/stat`, "utf8").catch(() => "");
    // The name of a program, in parentheses, may have any character.
    const [, parent] = text.slice(text.lastIndexOf(")") + 2).split(" ");
    parents.set(Number(name), Number(parent));
  }
  const isBelow = (one: number): boolean => {
    const parent = parents.get(one);
    return parent !== undefined && (parent === pid || isBelow(parent));
  };
  const below = [...parents.keys()].filter(isBelow);
  const sizes = await Promise.all(below.map((one) => statusMb(one, "VmRSS")));
  return sizes.reduce((sum, size) => sum + size, 0);
}

async function statusMb(pid: number, field: "VmHWM" | "VmRSS"): Promise<number> {
  const text = await readFile(`/proc/${pid}/status`, "utf8").catch(() => "");
  const [, kilobytes] = new RegExp(`^${field}:\\s+(\\d+) kB`, "m").exec(text) ?? [];
  return Math.round(Number(kilobytes ?? 0) / 1024);
}

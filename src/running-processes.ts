import { hash } from "node:crypto";
import { readFileSync, readlinkSync } from "node:fs";
import { hostname } from "node:os";

/** Whether a process of this machine runs, of any user. */
export function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}

let machine: string | null = null;

/**
 * Equal in two processes only if both see the same processes under the same ids. It changes with each start of the
 * machine. Two containers of one machine differ, even if they have the same host name.
 */
export function machineId(): string {
  const parts = [
    hostname,
    () => readFileSync("/proc/sys/kernel/random/boot_id", "utf8"),
    () => readlinkSync("/proc/self/ns/pid"),
  ];
  machine ??= hash("sha256", parts.map(textOrNothing).join("\n")).slice(0, 16);
  return machine;
}

/** Only Linux has these files. */
function textOrNothing(read: () => string): string {
  try {
    return read().trim();
  } catch {
    return "";
  }
}

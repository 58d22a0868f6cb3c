import { readFileSync } from "node:fs";
import { cpus, loadavg } from "node:os";

export const machine = (): string =>
  `${cpus().length} × ${cpus()[0]?.model.trim()}, load average ${loadavg()[0]?.toFixed(2)}, Node ${process.version}`;

/** Measures the processor time of other programs. Reports nothing if the kernel does not. */
export class Disturbance {
  readonly #loadBefore = loadavg()[0] ?? 0;
  readonly #before = processorTimes();

  /** Sentences about reasons to doubt the figures. Empty if the machine was quiet. */
  warnings(): string[] {
    const after = processorTimes();
    const stolen = (after.stolen - this.#before.stolen) / Math.max(1, after.all - this.#before.all);
    const warnings = [];
    if (this.#loadBefore > cpus().length / 4)
      warnings.push(
        `The machine was busy before the bench began (load average ${this.#loadBefore.toFixed(1)}).`,
      );
    if (stolen > 0.02)
      warnings.push(`Other virtual machines took ${(stolen * 100).toFixed(0)} % of the processors.`);
    return warnings;
  }
}

/** In ticks. */
function processorTimes(): { all: number; stolen: number } {
  try {
    const [first = ""] = readFileSync("/proc/stat", "utf8").split("\n");
    const ticks = first.trim().split(/\s+/).slice(1, 9).map(Number);
    return { all: ticks.reduce((sum, part) => sum + part, 0), stolen: ticks[7] ?? 0 };
  } catch {
    return { all: 0, stolen: 0 };
  }
}

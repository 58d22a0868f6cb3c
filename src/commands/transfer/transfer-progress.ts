import { Progress, type TextStream } from "../progress.ts";

/**
 * The progress of a backup, a restore or a move: one line after the other for objects that are read back, files, rows
 * and indexed documents. A line ends when the next one begins.
 */
export class TransferProgress {
  readonly #stream: TextStream;
  #unit = "";
  #line: Progress | null = null;

  constructor(stream: TextStream) {
    this.#stream = stream;
  }

  files(done: number, total: number): void {
    this.#update("files", done, total);
  }

  rows(done: number, total: number): void {
    this.#update("rows", done, total);
  }

  readBack(done: number): void {
    this.#update("objects read back", done);
  }

  indexed(lastId: number): void {
    this.#update("documents indexed, by id", lastId);
  }

  /** Ends the current line, and writes one that stays. */
  finish(summary?: string): void {
    this.#line?.finish();
    this.#line = null;
    this.#unit = "";
    if (summary !== undefined) this.#stream.write(`${summary}\n`);
  }

  #update(unit: string, done: number, total?: number): void {
    if (this.#line === null || unit !== this.#unit) {
      this.finish();
      this.#unit = unit;
      this.#line = new Progress(this.#stream, { unit, total });
    }
    this.#line.update(done, "", { total });
  }
}

export const count = (value: number, unit: string, units = `${unit}s`): string =>
  `${value.toLocaleString("en")} ${value === 1 ? unit : units}`;

/** "1.5 MB". */
export function bytesText(bytes: number): string {
  const units = ["bytes", "kB", "MB", "GB", "TB"];
  let [value, index] = [bytes, 0];
  while (value >= 1000 && index < units.length - 1) {
    value /= 1000;
    index += 1;
  }
  return `${new Intl.NumberFormat("en", { maximumSignificantDigits: 3 }).format(value)} ${units[index]}`;
}

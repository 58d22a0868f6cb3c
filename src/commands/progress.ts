/**
 * Shows the progress of a long action. It is written here instead of taken from cli-progress, because cli-progress
 * brings five packages, writes control characters in a file's name to the terminal, and redraws by its own timer, which
 * tests would have to wait for.
 */
export class Progress {
  readonly #stream: TextStream;
  readonly #clock: Clock;
  readonly #unit: string;
  #total: number | undefined;
  #share: number | undefined;
  readonly #startedMilliseconds: number;
  #done = 0;
  #name = "";
  #writtenMilliseconds: number;
  #cancelRedraw: (() => void) | undefined;
  #finished = false;

  /** Draws a line again and again on a terminal. Elsewhere, as in logs, writes a plain line every five seconds. */
  constructor(stream: TextStream, { unit, total, clock = systemClock }: ProgressOptions) {
    this.#stream = stream;
    this.#clock = clock;
    this.#unit = unit;
    this.#total = total;
    this.#startedMilliseconds = clock.nowMilliseconds();
    this.#writtenMilliseconds = stream.isTTY === true ? -Infinity : this.#startedMilliseconds;
  }

  /** Reports how many items are done in total, and the name of the current one. Cheap enough to call for each item. */
  update(done: number, name = "", { total = this.#total, share = this.#share }: Extent = {}): void {
    if (this.#finished) return;
    this.#done = done;
    this.#name = name;
    this.#total = total;
    this.#share = share;
    const interval = this.#stream.isTTY === true ? redrawMilliseconds : plainMilliseconds;
    const waiting = this.#writtenMilliseconds + interval - this.#clock.nowMilliseconds();
    if (waiting <= 0) this.#write();
    // The next update may take long, and the line should name the current item until then.
    else if (this.#stream.isTTY === true) {
      this.#cancelRedraw ??= this.#clock.after(waiting, () => this.#write());
    }
  }

  /** Writes a line that stays, above the line that is redrawn. */
  note(line: string): void {
    if (this.#stream.isTTY !== true || this.#finished) {
      this.#stream.write(`${printable(line)}\n`);
      return;
    }
    this.#stream.write(`${clearLine}${printable(line)}\n`);
    this.#write();
  }

  /** Removes the line and writes the summary. Always call it in the end; later updates are ignored. */
  finish(summary?: string): void {
    this.#cancelRedraw?.();
    this.#cancelRedraw = undefined;
    if (this.#stream.isTTY === true && !this.#finished) this.#stream.write(clearLine);
    if (summary !== undefined) this.#stream.write(`${printable(summary)}\n`);
    this.#finished = true;
  }

  #write(): void {
    this.#cancelRedraw?.();
    this.#cancelRedraw = undefined;
    this.#writtenMilliseconds = this.#clock.nowMilliseconds();
    if (this.#stream.isTTY !== true) {
      this.#stream.write(`${this.#facts().join(", ")}\n`);
      return;
    }
    // The last column stays empty, because writing to it may move the cursor to the next line.
    const columns = (this.#stream.columns || 80) - 1;
    const line = [this.#bar(), ...this.#facts()].filter((part) => part !== "").join("  ");
    const room = columns - width(line) - 2;
    const name = this.#name === "" || room < 8 ? "" : `  ${lastColumns(printable(this.#name), room)}`;
    this.#stream.write(clearLine + firstColumns(line, columns) + name);
  }

  #bar(): string {
    const share = this.#shareDone();
    if (share === undefined) return "";
    const filled = Math.min(barColumns, Math.floor(share * barColumns));
    return `[${"#".repeat(filled)}${"-".repeat(barColumns - filled)}]`;
  }

  #facts(): string[] {
    const seconds = (this.#clock.nowMilliseconds() - this.#startedMilliseconds) / 1000;
    const rate = seconds > 0 ? this.#done / seconds : 0;
    const total = this.#total === undefined ? "" : ` of ${count(this.#total)}`;
    const facts = [`${count(this.#done)}${total} ${this.#unit}`];
    if (rate > 0) facts.push(`${count(rate)}/s`);
    const share = this.#shareDone() ?? 0;
    if (rate > 0 && share > 0 && share < 1) facts.push(`${duration((seconds * (1 - share)) / share)} left`);
    return facts;
  }

  #shareDone(): number | undefined {
    if (this.#share !== undefined) return this.#share;
    return this.#total === undefined || this.#total === 0 ? undefined : this.#done / this.#total;
  }
}

export interface ProgressOptions {
  /** The name of the counted items, in the plural. */
  unit: string;
  /** The number of items, if it is known. */
  total?: number | undefined;
  clock?: Clock;
}

/** How much there is to do, as far as it is known. */
export interface Extent {
  /** The number of items. */
  total?: number | undefined;
  /** The part of the work that is done, from 0 to 1, if it is not `done` of `total`. */
  share?: number | undefined;
}

/** A stream such as process.stderr. stdout is reserved for data. */
export interface TextStream {
  write(text: string): unknown;
  isTTY?: boolean | undefined;
  columns?: number | undefined;
}

export interface Clock {
  /** Only differences between two calls mean anything. */
  nowMilliseconds(): number;
  /** Calls back once, unless the returned function is called before. */
  after(milliseconds: number, callback: () => void): () => void;
}

const systemClock: Clock = {
  nowMilliseconds: () => performance.now(),
  after(milliseconds, callback) {
    const timer = setTimeout(callback, milliseconds).unref();
    return () => clearTimeout(timer);
  },
};

const redrawMilliseconds = 100;
const plainMilliseconds = 5000;
const barColumns = 12;
const clearLine = "\r\x1b[K";

/** The formats are not made beforehand: that takes 25 ms, for which the start of every command would wait. */
const count = (value: number): string =>
  value.toLocaleString("en", value < 10 ? { maximumSignificantDigits: 2 } : { maximumFractionDigits: 0 });

function duration(seconds: number): string {
  if (seconds < 60) return `${Math.ceil(seconds)}s`;
  const minutes = Math.ceil(seconds / 60);
  return minutes < 60 ? `${minutes}m` : `${Math.floor(minutes / 60)}h ${minutes % 60}m`;
}

/** Names come from outside: unescaped, a name could control the terminal or forge a line. */
const printable = (text: string): string =>
  text.replace(/[\p{Cc}\p{Zl}\p{Zp}\u{202a}-\u{202e}\u{2066}-\u{2069}]/gu, "\u{fffd}");

/** An upper bound of the columns that a text takes. An estimate that is too high only shortens the line. */
const width = (text: string): number =>
  Array.from(text).reduce((sum, character) => sum + columnsOf(character), 0);

/** All scripts whose characters take two columns come after U+1100. */
const columnsOf = (character: string): number => (character < "\u{1100}" ? 1 : 2);

function firstColumns(text: string, columns: number): string {
  return width(text) <= columns ? text : text.slice(0, Math.max(0, columns));
}

/** Cuts the beginning, because the end of a path says more. */
function lastColumns(text: string, columns: number): string {
  if (width(text) <= columns) return text;
  const kept: string[] = [];
  let used = 1;
  for (const character of Array.from(text).toReversed()) {
    used += columnsOf(character);
    if (used > columns) break;
    kept.unshift(character);
  }
  return `…${kept.join("")}`;
}

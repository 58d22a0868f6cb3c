/** Why a command is asked to stop: a signal from a person or from the system. */
export class StoppedError extends Error {
  /** By the shells' convention for a program that a signal ended. */
  readonly exitCode: number;

  constructor(name: StopSignal) {
    super(`stopped by ${name}`);
    this.name = "StoppedError";
    this.exitCode = exitCodes[name];
  }
}

/** Why a command is asked to stop: what it writes cannot be written. */
export class OutputBrokenError extends Error {
  /** Whoever read it has enough: `quire export | head`. */
  readonly readerGone: boolean;

  constructor(cause: NodeJS.ErrnoException) {
    super("cannot write to the standard output", { cause });
    this.name = "OutputBrokenError";
    this.readerGone = cause.code === "EPIPE";
  }
}

type StopSignal = "SIGINT" | "SIGTERM";

const exitCodes = { SIGINT: 130, SIGTERM: 143 } as const;

export interface SignalSource {
  on(name: StopSignal, listener: (name: StopSignal) => void): unknown;
  off(name: StopSignal, listener: (name: StopSignal) => void): unknown;
}

interface Process {
  signals: SignalSource;
  nowMilliseconds(): number;
  exit(code: number): void;
}

/**
 * The first signal asks to stop, a second one ends the process at once. Ctrl-C under `npm run` can arrive twice,
 * from the terminal and from npm, a few milliseconds apart: that is one.
 */
export function stopOnSignals(process: Process): { signal: AbortSignal; release: () => void } {
  const controller = new AbortController();
  let firstMilliseconds = 0;
  const listener = (name: StopSignal): void => {
    if (!controller.signal.aborted) {
      firstMilliseconds = process.nowMilliseconds();
      controller.abort(new StoppedError(name));
    } else if (process.nowMilliseconds() - firstMilliseconds > echoMilliseconds) {
      process.exit(exitCodes.SIGINT);
    }
  };
  for (const name of stopSignals) process.signals.on(name, listener);
  return {
    signal: controller.signal,
    release() {
      for (const name of stopSignals) process.signals.off(name, listener);
    },
  };
}

const stopSignals = ["SIGINT", "SIGTERM"] as const;
const echoMilliseconds = 500;

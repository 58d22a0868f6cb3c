/** The reason to stop a command: a signal from the user or from the system. */
export class StoppedError extends Error {
  /** The exit code that shells use for a program that a signal has ended. */
  readonly exitCode: number;

  constructor(name: StopSignal) {
    super(`stopped by ${name}`);
    this.name = "StoppedError";
    this.exitCode = exitCodes[name];
  }
}

/** The reason to stop a command: its output cannot be written. */
export class OutputBrokenError extends Error {
  /** The program that read the output has ended, as in `quire export | head`. */
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
 * The first signal asks the command to stop, and a second one ends the process at once. Ctrl-C under `npm run` can
 * arrive twice, from the terminal and from npm, a few milliseconds apart. That counts as one signal.
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

import type { Readable, Writable } from "node:stream";
import { readConfig } from "../config.ts";
import type { Config } from "../config.ts";
import { parseCommandLine } from "./command-line.ts";
import type { Command, ParsedOptions } from "./command-line.ts";
import { failureText } from "./failure.ts";
import { helpText } from "./help.ts";
import { OutputBrokenError, StoppedError, stopOnSignals } from "./stop.ts";
import type { SignalSource } from "./stop.ts";

/** The parts of its process that the program uses. */
export interface Surroundings {
  /** The command line, without the program's own name. */
  args: readonly string[];
  environment: Readonly<Record<string, string | undefined>>;
  stdin: Readable;
  stdout: Writable;
  stderr: Writable;
  signals: SignalSource;
  version: () => Promise<string>;
  nowMilliseconds(): number;
  /** Ends the process at once. */
  exit(code: number): void;
}

/** Runs the command line and resolves to the exit code: 2 if the command line or the settings are invalid. */
export async function run(commands: readonly Command[], around: Surroundings): Promise<number> {
  const { args, environment, stdout, stderr, version } = around;
  const broken = new AbortController();
  stdout.on("error", (error: Error) => broken.abort(new OutputBrokenError(error)));
  // If stderr cannot be written to, there is nowhere left to report errors.
  stderr.on("error", () => {});

  const invocation = parseCommandLine(commands, args);
  if (invocation.asks === "help") {
    (args.length > 0 ? stdout : stderr).write(helpText(commands, invocation.topic));
    return args.length > 0 ? 0 : 2;
  }
  if (invocation.asks === "version") {
    stdout.write(`${await version()}\n`);
    return 0;
  }
  const known = invocation.asks === "run" ? invocation : undefined;
  const read = readConfig(environment, known?.given.overrides);
  const problems = invocation.asks === "run" ? invocation.given.problems : invocation.problems;
  if (known !== undefined && problems.length === 0 && "config" in read) {
    return runCommand(known.command, known.given, read.config, around, broken.signal);
  }
  const all = "problems" in read ? [...problems, ...read.problems] : problems;
  const usage = known === undefined ? "quire --help" : `quire ${known.command.name} --help`;
  stderr.write(
    `${all.map((problem) => `quire: ${problem}\n`).join("")}See ${usage} and quire help settings.\n`,
  );
  return 2;
}

async function runCommand(
  command: Command,
  given: ParsedOptions,
  config: Config,
  around: Surroundings,
  broken: AbortSignal,
): Promise<number> {
  const { stdin, stdout, stderr } = around;
  const stop = stopOnSignals(around);
  const signal = AbortSignal.any([stop.signal, broken]);
  const streams = { stdin, stdout, stderr };
  try {
    const exitCode = await command.run({
      config,
      signal,
      options: given.options,
      arguments: given.arguments,
      environment: around.environment,
      ...streams,
    });
    broken.throwIfAborted();
    return exitCode;
  } catch (thrown) {
    const reason: unknown = signal.reason;
    // A failure after the reader of the output has ended is a consequence of that.
    if (reason instanceof OutputBrokenError && reason.readerGone) return 0;
    if (reason instanceof StoppedError && comesFrom(reason, thrown)) return reason.exitCode;
    const withStacks = config.logLevel === "debug" || config.logLevel === "trace";
    const failure = failureAfter(reason, thrown);
    stderr.write(failureText(failure, { withStacks, data: config.data }));
    return 1;
  } finally {
    stop.release();
  }
}

/** What is to be reported about an error that was thrown after a command was to stop for this reason. */
function failureAfter(reason: unknown, thrown: unknown): unknown {
  if (reason instanceof OutputBrokenError) return reason;
  if (!(reason instanceof StoppedError)) return thrown;
  return new Error(`${reason.message}, and something failed before it had stopped`, { cause: thrown });
}

/** Node's own operations wrap the reason in an AbortError. */
function comesFrom(reason: StoppedError, thrown: unknown): boolean {
  return thrown === reason || (thrown instanceof Error && thrown.name === "AbortError");
}

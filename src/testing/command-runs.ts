import { EventEmitter } from "node:events";
import { Readable, Writable } from "node:stream";
import type { Command } from "../commands/command-line.ts";
import { run } from "../commands/run.ts";

class Output extends Writable {
  text = "";

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.text += chunk.toString();
    done();
  }
}

export interface CommandRun {
  code: number;
  stdout: string;
  stderr: string;
}

/** Runs a command line of words without spaces, such as `export --archive folder`, as the program would. */
export async function runCommandLine(
  commands: readonly Command[],
  line: string,
  environment: Record<string, string>,
): Promise<CommandRun> {
  const [stdout, stderr] = [new Output(), new Output()];
  const code = await run(commands, {
    args: line.split(" "),
    environment,
    stdin: Readable.from([]),
    stdout,
    stderr,
    signals: new EventEmitter(),
    version: "1.2.3",
    nowMilliseconds: () => 0,
    exit: () => undefined,
  });
  return { code, stdout: stdout.text, stderr: stderr.text };
}

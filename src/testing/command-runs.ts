import { EventEmitter } from "node:events";
import { readFile } from "node:fs/promises";
import path from "node:path";
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
  input = "",
): Promise<CommandRun> {
  const [stdout, stderr] = [new Output(), new Output()];
  const code = await run(commands, {
    args: line.split(" "),
    environment,
    stdin: Readable.from(input === "" ? [] : [Buffer.from(input)]),
    stdout,
    stderr,
    signals: new EventEmitter(),
    version: () => Promise.resolve("1.2.3"),
    nowMilliseconds: () => 0,
    exit: () => undefined,
  });
  return { code, stdout: stdout.text, stderr: stderr.text };
}

/** An example of a command in the documentation. */
export interface ExampleCommand {
  /** As it is printed, on one line. */
  line: string;
  /** The settings in front of the command. */
  environment: Record<string, string>;
  /** The name of the command and its arguments. */
  command: string;
  /** The file on the standard input; null if there is none. */
  input: string | null;
}

/** The commands of the examples of a page of `docs/`, in their order. */
export async function exampleCommands(page: string): Promise<ExampleCommand[]> {
  const text = await readFile(path.join(import.meta.dirname, "../../docs", page), "utf8");
  const blocks = Array.from(text.matchAll(/^```sh\n(.*?)^```$/gms), ([, block = ""]) => block);
  return blocks
    .flatMap((block) => block.replaceAll(/\\\n\s*/g, "").split("\n"))
    .flatMap((line) => {
      const [before = "", after] = line.split("npm run quire -- ");
      if (after === undefined) return [];
      const [, command = "", input = null] =
        /^(.*?)(?: < (\S+))?$/.exec(after.replace(/\s+#.*$/, "").trim()) ?? [];
      const settings = before
        .trim()
        .split(/\s+/)
        .filter(Boolean)
        .map((setting): [string, string] => {
          const [name = "", value = ""] = setting.split(/=(.*)/s);
          return [name, value];
        });
      return [{ line, environment: Object.fromEntries(settings), command, input }];
    });
}

import { mkdir } from "node:fs/promises";
import { EventEmitter } from "node:events";
import { Readable, Writable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { setTimeout as wait } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { defineCommand } from "./command-line.ts";
import type { CommandContext } from "./command-line.ts";
import { run } from "./run.ts";

/** A stream that collects what is written to it, until it breaks. */
class Output extends Writable {
  text = "";
  breaks: NodeJS.ErrnoException | undefined;

  override _write(chunk: Buffer, _encoding: string, done: (error?: Error) => void): void {
    if (this.breaks !== undefined) return done(this.breaks);
    this.text += chunk.toString();
    done();
  }
}

function errorWithCode(code: string): NodeJS.ErrnoException {
  return Object.assign(new Error(`write ${code}`), { code });
}

function program(action: (context: CommandContext) => Promise<number> | number) {
  const command = defineCommand({
    name: "act",
    summary: "Acts.",
    options: { port: { setting: "port", placeholder: "NUMBER" } },
    run: async (context) => action(context),
  });
  const around = {
    environment: {} as Record<string, string>,
    stdin: Readable.from([]),
    stdout: new Output(),
    stderr: new Output(),
    signals: new EventEmitter(),
    version: () => Promise.resolve("1.2.3"),
    milliseconds: 1000,
    nowMilliseconds: () => around.milliseconds,
    exits: [] as number[],
    exit: (code: number) => void around.exits.push(code),
  };
  return { ...around, around, call: (...args: string[]) => run([command], { ...around, args }) };
}

const aborted = (signal: AbortSignal): Promise<void> => wait(2 ** 30, undefined, { signal });

const fail = () => {
  const refused = new AggregateError([new Error("connect ::1:5432"), new Error("connect 127.0.0.1:5432")]);
  throw new Error("cannot open the database", { cause: new Error("no connection", { cause: refused }) });
};

const exporting = async ({ stdout, signal }: CommandContext) => {
  await pipeline(Readable.from(["one\n", "two\n"]), stdout, { signal });
  return 0;
};

describe("the program", () => {
  it("runs a command with its settings and ends with its exit code", async () => {
    const { call, stdout, stderr } = program(({ config, stdout: output }) => {
      output.write(`port ${config.port}`);
      return 1;
    });
    expect(await call("act", "--port", "81")).toBe(1);
    expect(stdout.text).toBe("port 81");
    expect(stderr.text).toBe("");
  });

  it("reports the problems of the command line and of the settings together, and runs nothing", async () => {
    let ran = false;
    const { call, stderr, stdout, environment } = program(() => {
      ran = true;
      return 0;
    });
    environment["QUIRE_SAMPLES"] = "perhaps";
    expect(await call("act", "--prot", "80", "--port", "x")).toBe(2);
    expect(stderr.text).toBe(
      [
        "quire: --prot: no such option of quire act; did you mean --port?",
        'quire: "80": one argument too many',
        'quire: --port="x": expected a whole number from 0 to 65535',
        'quire: QUIRE_SAMPLES="perhaps": expected on or off',
        "See quire act --help and quire help settings.",
        "",
      ].join("\n"),
    );
    expect([ran, stdout.text]).toEqual([false, ""]);
  });

  it("reports problems of the settings beside an unknown command", async () => {
    const { call, stderr, environment } = program(() => 0);
    environment["QUIRE_PORT"] = "x";
    expect(await call("atc")).toBe(2);
    expect(stderr.text.split("\n")).toEqual([
      "quire: atc: no such command; did you mean act?",
      'quire: QUIRE_PORT="x": expected a whole number from 0 to 65535',
      "See quire --help and quire help settings.",
      "",
    ]);
  });

  it("gives help and the version whatever the settings are", async () => {
    const { call, stdout, environment } = program(() => 0);
    environment["QUIRE_PORT"] = "x";
    expect(await call("--version")).toBe(0);
    expect(stdout.text).toBe("1.2.3\n");
    expect(await call("act", "--help")).toBe(0);
    expect(stdout.text).toContain("Usage: quire act");
  });

  it("writes its help to stderr when no command is given", async () => {
    const { call, stdout, stderr } = program(() => 0);
    expect(await call()).toBe(2);
    expect(stdout.text).toBe("");
    expect(stderr.text).toContain("Usage: quire <command>");
  });
});

describe("an error that ends a command", () => {
  it("is printed with its chain of causes, without stacks", async () => {
    const { call, stderr } = program(fail);
    expect(await call("act")).toBe(1);
    expect(stderr.text).toBe(
      "quire: cannot open the database\n  because: no connection\n" +
        "  because: connect ::1:5432; connect 127.0.0.1:5432\n",
    );
  });

  it("is printed without the causes that a message repeats", async () => {
    const cause = new Error("no connection", { cause: new Error("refused") });
    const repeating = program(() => Promise.reject(new Error("cannot read a.pdf: no connection", { cause })));
    expect(await repeating.call("act")).toBe(1);
    expect(repeating.stderr.text).toBe("quire: cannot read a.pdf: no connection\n  because: refused\n");
  });

  it("is printed with stacks at the log level debug", async () => {
    const { call, stderr, environment } = program(fail);
    environment["QUIRE_LOG_LEVEL"] = "debug";
    expect(await call("act")).toBe(1);
    expect(stderr.text).toMatch(/^quire: Error: cannot open the database\n +at .*run\.test\.ts/);
    expect(stderr.text).toContain("  because: Error: no connection\n");
  });

  it("says in words what is wrong with a file or folder", async () => {
    const inTheWay = program(async () => {
      await mkdir("package.json", { recursive: true });
      return 0;
    });
    expect(await inTheWay.call("act")).toBe(1);
    expect(inTheWay.stderr.text).toBe("quire: package.json: a file with that name is in the way (EEXIST)\n");
    const within = program(async () => {
      await mkdir("package.json/backups", { recursive: true });
      return 0;
    });
    expect(await within.call("act")).toBe(1);
    expect(within.stderr.text).toBe(
      "quire: package.json/backups: a part of that path is a file, not a folder (ENOTDIR)\n",
    );
  });

  it("may have a cycle of causes, or not be an Error at all", async () => {
    const ring = new Error("round");
    ring.cause = ring;
    const first = program(() => Promise.reject(ring));
    expect(await first.call("act")).toBe(1);
    expect(first.stderr.text).toBe("quire: round\n");
    // oxlint-disable-next-line prefer-promise-reject-errors -- what a careless library may do
    const second = program(() => Promise.reject("just words"));
    expect(await second.call("act")).toBe(1);
    expect(second.stderr.text).toBe("quire: just words\n");
  });
});

describe("a signal", () => {
  it.each(["SIGINT", "SIGTERM"])("lets a command stop in an orderly way (%s)", async (name) => {
    const { call, signals, stderr } = program(async ({ signal }) => {
      await aborted(signal).catch(() => {});
      return 0;
    });
    const ended = call("act");
    signals.emit(name, name);
    expect(await ended).toBe(0);
    expect(stderr.text).toBe("");
    expect(signals.listenerCount(name)).toBe(0);
  });

  it.each([
    ["SIGINT", 130],
    ["SIGTERM", 143],
  ])("cuts a command short without a complaint (%s)", async (name, code) => {
    for (const action of [
      ({ signal }: CommandContext) => aborted(signal).then(() => 0),
      async ({ signal }: CommandContext) => {
        await aborted(signal).catch(() => signal.throwIfAborted());
        return 0;
      },
    ]) {
      const { call, signals, stderr } = program(action);
      const ended = call("act");
      signals.emit(name, name);
      expect(await ended).toBe(code);
      expect(stderr.text).toBe("");
    }
  });

  it("does not hide another failure", async () => {
    const { call, signals, stderr } = program(async ({ signal }) => {
      await aborted(signal).catch(() => {});
      throw new Error("the disk is full");
    });
    const ended = call("act");
    signals.emit("SIGINT", "SIGINT");
    expect(await ended).toBe(1);
    expect(stderr.text).toBe(
      "quire: stopped by SIGINT, and something failed before it had stopped\n  because: the disk is full\n",
    );
  });

  it("ends the program at once if it is the second one and not an echo of the first", async () => {
    const { call, signals, around } = program(async ({ signal }) => {
      await aborted(signal).catch(() => {});
      signals.emit("SIGINT", "SIGINT");
      around.milliseconds += 5;
      signals.emit("SIGINT", "SIGINT");
      expect(around.exits).toEqual([]);
      around.milliseconds += 1000;
      signals.emit("SIGTERM", "SIGTERM");
      return 0;
    });
    const ended = call("act");
    signals.emit("SIGINT", "SIGINT");
    await ended;
    expect(around.exits).toEqual([130]);
  });
});

describe("an output that nobody reads any more", () => {
  it("ends a command quietly", async () => {
    const { call, stdout, stderr } = program(exporting);
    stdout.breaks = errorWithCode("EPIPE");
    expect(await call("act")).toBe(0);
    expect(stderr.text).toBe("");
  });

  it("stops a command that does not check its writes", async () => {
    const { call, stdout, stderr } = program(async ({ stdout: output, signal }) => {
      output.write("a line");
      await aborted(signal);
      return 0;
    });
    stdout.breaks = errorWithCode("EPIPE");
    expect(await call("act")).toBe(0);
    expect(stderr.text).toBe("");
  });

  it("is not confused with a broken pipe elsewhere, nor with a full disk", async () => {
    const elsewhere = program(() => Promise.reject(errorWithCode("EPIPE")));
    expect(await elsewhere.call("act")).toBe(1);
    expect(elsewhere.stderr.text).toBe("quire: write EPIPE\n");
    const full = program(exporting);
    full.stdout.breaks = errorWithCode("ENOSPC");
    expect(await full.call("act")).toBe(1);
    expect(full.stderr.text).toBe("quire: cannot write to the standard output\n  because: write ENOSPC\n");
  });
});

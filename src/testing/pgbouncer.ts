import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, chown, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";

const example = path.join(import.meta.dirname, "../../packaging/pgbouncer/pgbouncer.ini");
const port = 6432;

/** The pooler ends with the test, however that ends: a shell waits for the end of its standard input. */
const keeperScript = `exec 3<&0; { read -r line <&3; kill -INT $$; } >/dev/null 2>&1 & exec "$1" "$2"`;

export interface Pooler {
  /** The address of a database, at the pooler instead of PostgreSQL. */
  urlOf(databaseUrl: string): string;
  /** Ends it at once, with all connections. */
  kill(): Promise<void>;
  /** Starts it again; resolves when it listens. */
  startAgain(): Promise<void>;
  stop(): Promise<void>;
}

export interface PoolerSettings {
  /** PgBouncer's program. */
  program: string;
  /** Replaces settings of the example. */
  settings?: Record<string, string>;
}

/** Starts PgBouncer before the PostgreSQL at `serverUrl`, with the example of packaging/. */
export async function startPgBouncer(
  serverUrl: string,
  { program, settings = {} }: PoolerSettings,
): Promise<Pooler> {
  const folder = await mkdtemp("/tmp/quire-pgbouncer-");
  await chmod(folder, 0o755);
  const isRoot = process.getuid?.() === 0;
  const [uid, gid] = isRoot ? [idOfNobody("-u"), idOfNobody("-g")] : [undefined, undefined];
  if (uid !== undefined && gid !== undefined) await chown(folder, uid, gid);
  const { searchParams, username } = new URL(serverUrl);
  const own: Record<string, string> = {
    listen_addr: "",
    unix_socket_dir: folder,
    auth_type: "any",
    auth_file: "",
    logfile: path.join(folder, "log"),
    ...settings,
  };
  if (!keepsStatements(program)) own["max_prepared_statements"] = "";
  const lines = (await readFile(example, "utf8"))
    .replace(/^quire = .*$/m, `* = host=${searchParams.get("host")} port=5432 user=${username}`)
    .split("\n")
    .filter((line) => !Object.keys(own).some((name) => line.startsWith(`${name} =`)));
  const file = path.join(folder, "pgbouncer.ini");
  await writeFile(
    file,
    [
      ...lines,
      ...Object.entries(own).flatMap(([name, value]) => (value === "" ? [] : [`${name} = ${value}`])),
    ].join("\n"),
  );
  const keep = async () => {
    const keeper = spawn("/bin/sh", ["-c", keeperScript, "keeper", program, file], {
      stdio: ["pipe", "ignore", "pipe"],
      ...(uid !== undefined && gid !== undefined && { uid, gid }),
      cwd: "/",
      // A group of its own: the shell that waits ends with PgBouncer.
      detached: true,
    });
    const ended = once(keeper, "exit");
    await untilListening(keeper.stderr, ended);
    return { keeper, ended };
  };
  let running = await keep();
  return {
    urlOf: (databaseUrl) => {
      const { pathname } = new URL(databaseUrl);
      return `postgres://${username}@localhost:${port}${pathname}?host=${encodeURIComponent(folder)}`;
    },
    kill: async () => {
      process.kill(-(running.keeper.pid ?? 0), "SIGKILL");
      await running.ended;
    },
    startAgain: async () => {
      running = await keep();
    },
    stop: async () => {
      running.keeper.stdin.end();
      await running.ended;
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** PgBouncer says on its standard error when it listens, and why it does not. */
async function untilListening(output: NodeJS.ReadableStream, ended: Promise<unknown>): Promise<void> {
  let said = "";
  const isListening = new Promise<void>((resolve) => {
    output.on("data", (chunk) => {
      said += String(chunk);
      if (said.includes("process up")) resolve();
    });
  });
  const hasEnded = ended.then(() => {
    throw new Error(`PgBouncer did not start:\n${said}`);
  });
  await Promise.race([isListening, hasEnded]);
  hasEnded.catch(() => undefined);
}

/** Whether it is PgBouncer 1.21 or later. */
function keepsStatements(program: string): boolean {
  const version = execFileSync(program, ["--version"], { encoding: "utf8" });
  const [, major = 0, minor = 0] = (/PgBouncer (\d+)\.(\d+)/.exec(version) ?? []).map(Number);
  return major > 1 || minor >= 21;
}

function idOfNobody(option: "-u" | "-g"): number {
  return Number(execFileSync("id", [option, "nobody"], { encoding: "utf8" }));
}

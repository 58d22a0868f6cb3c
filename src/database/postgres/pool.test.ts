import { once } from "node:events";
import { type AddressInfo, type Socket, connect, createServer } from "node:net";
import * as fc from "fast-check";
import pg from "pg";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type PostgresServer, createThrowawayDatabase, startPostgres } from "../../testing/postgres.ts";
import { DatabaseUnavailableError } from "../database-unavailable.ts";
import { PostgresPool } from "./pool.ts";
import { WriteConnections } from "./write-connections.ts";
import { TooSlowError } from "../read-worker.ts";
import { storageRoot } from "../../testing/storage-root.ts";

const limits = {
  connectSeconds: 60,
  statementSeconds: 60,
  maxConnections: 20,
  waitSeconds: 60,
  applicationName: "quire",
};
const silent = { info: () => undefined, error: () => undefined };

let postgres: PostgresServer;
let pool: PostgresPool;
beforeAll(async () => {
  postgres = await startPostgres(await storageRoot);
});
afterAll(() => postgres.stop());
beforeEach(async () => {
  const database = await createThrowawayDatabase(postgres.url);
  pool = new PostgresPool(pg, database.url, limits, silent);
  return async () => {
    await pool.end();
    await database.drop();
  };
});

const ask = async (number: number): Promise<unknown> => {
  const text = "select repeat($1, 20000) || $1 as found, $1::int as number";
  const [row] = await pool.query({ name: "repeat", text, values: [String(number)] });
  return row;
};
const outcomeOf = async (number: number): Promise<unknown> => {
  if (number >= 0) return ask(number);
  return pool.query({ text: "select 1 / $1::int", values: [0] }).catch((error: Error) => error.message);
};
const countConnections = async (): Promise<number> => {
  const text =
    "select count(*) from pg_stat_activity where datname = current_database() and state is not null";
  const [row] = await pool.query<{ count: number }>({ text });
  return row?.count ?? 0;
};

describe("single queries", () => {
  it("share a few connections, and each gets its own result or error", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.integer({ min: -5, max: 9 }), { maxLength: 40 }), async (numbers) => {
        expect(await Promise.all(numbers.map(outcomeOf))).toEqual(
          numbers.map((number) =>
            number < 0 ? "division by zero" : { found: String(number).repeat(20_001), number },
          ),
        );
      }),
      { numRuns: 30 },
    );
    // Up to forty at a time, eight on a connection: five. After a pause of the machine, queries look slow.
    expect(await countConnections()).toBeLessThan(15);
  });

  it("never wait for slow ones while connections are free", async () => {
    const other = await pool.connect();
    await fc.assert(
      fc.asyncProperty(fc.array(fc.boolean(), { maxLength: 40 }), async (kinds) => {
        await other.query("select pg_advisory_lock(1)");
        // Eighteen connections are for single queries, and a slow one may be sent twice.
        const slowOnes = new Set([...kinds.keys()].filter((index) => kinds[index]).slice(0, 8));
        const sent = kinds.map((_, index) => {
          const isSlow = slowOnes.has(index);
          const text = isSlow ? "select pg_advisory_xact_lock_shared(1)" : "select 1";
          return { isSlow, rows: pool.query({ text }) };
        });
        const quick = sent.filter(({ isSlow }) => !isSlow);
        expect(await Promise.all(quick.map(({ rows }) => rows))).toHaveLength(quick.length);
        await other.query("select pg_advisory_unlock(1)");
        await Promise.all(sent.map(({ rows }) => rows));
      }),
      { numRuns: 20 },
    );
    other.release();
  });

  it("leave a connection for those that everything waits for", async () => {
    const all = await Promise.all(Array.from({ length: limits.maxConnections }, () => pool.connect()));
    expect(await pool.queryApart({ text: "select 1 as one" })).toEqual([{ one: 1 }]);
    for (const connection of all) connection.release();
  });

  it("wait for a connection no longer than the limit, and neither do transactions", async () => {
    const small = new PostgresPool(
      pg,
      postgres.url,
      { ...limits, maxConnections: 5, waitSeconds: 1 },
      silent,
    );
    const all = await Promise.all(Array.from({ length: 5 }, () => small.connect()));
    const results = await Promise.allSettled([small.query({ text: "select 1" }), small.connect()]);
    for (const result of results)
      expect(result).toMatchObject({ reason: { name: "DatabaseUnavailableError", mayComeBack: true } });
    const [first] = all;
    await first?.query("select pg_advisory_lock(2)");
    for (const connection of all.slice(1, 4)) connection.release();
    // Three connections are for single queries. All of them are busy now, and no other may be opened.
    const slow = Array.from({ length: 3 }, () =>
      small.query({ text: "select pg_advisory_xact_lock_shared(2)" }),
    );
    await expect(small.query({ text: "select 1" })).rejects.toThrow("became free in time");
    await first?.query("select pg_advisory_unlock(2)");
    await Promise.all(slow);
    expect(await small.query({ text: "select 1 as one" })).toEqual([{ one: 1 }]);
    for (const connection of [first, all[4]]) connection?.release();
    await small.end();
  });

  it("leave connections for transactions, and all end, however many there are", async () => {
    const end = new AbortController();
    const askOnAndOn = async (number: number): Promise<number> => {
      let count = 0;
      for (; !end.signal.aborted; count++) await ask(number);
      return count;
    };
    const asking = Array.from({ length: 400 }, (_, number) => askOnAndOn(number));
    for (let time = 0; time < 20; time++) {
      const connection = await pool.connect();
      await connection.query("select 1");
      connection.release();
    }
    end.abort();
    for (const count of await Promise.all(asking)) expect(count).toBeGreaterThan(0);
  });

  it("end at the time limit for a statement, which the next ones on the connection do not notice", async () => {
    const limited = new PostgresPool(pg, postgres.url, { ...limits, statementSeconds: 1 }, silent);
    const results = await Promise.allSettled(
      ["select pg_sleep(60)", "select 1 as one", "select 2 as two"].map((text) => limited.query({ text })),
    );
    await limited.end();
    expect(results).toEqual([
      { status: "rejected", reason: expect.any(TooSlowError) },
      { status: "fulfilled", value: [{ one: 1 }] },
      { status: "fulfilled", value: [{ two: 2 }] },
    ]);
  });

  it("fail if their connection breaks, no others do, and the next ones get another", async () => {
    const end = "select pg_terminate_backend(pg_backend_pid())";
    // Four connections have one query each before the first one gets another.
    const [broken, ...results] = await Promise.allSettled([
      pool.query({ text: end }),
      ...[1, 2, 3, 4].map((number) => ask(number)),
    ]);
    expect(broken).toMatchObject({ reason: expect.any(DatabaseUnavailableError) });
    const behind = results.pop();
    expect(results.map(({ status }) => status)).toEqual(["fulfilled", "fulfilled", "fulfilled"]);
    // It has a result if the connection took so long to break that the query was sent again.
    const reason: unknown = behind?.status === "rejected" ? behind.reason : null;
    expect(reason === null || reason instanceof DatabaseUnavailableError).toBe(true);
    expect(await ask(5)).toMatchObject({ number: 5 });
  });
});

const folderOf = ({ url }: PostgresServer): string => new URL(url).searchParams.get("host") ?? "";

/** A pooler before a host of the database. It accepts clients while the host is away, and lets them wait. */
class TestPooler implements AsyncDisposable {
  readonly #server = createServer((client) => void this.#serve(client));
  readonly #socketOfHost: string;
  /** The clients that have a connection to the host, the newest one last. */
  readonly #served = new Set<Socket>();
  #back: PromiseWithResolvers<void> | null = null;
  waiting = 0;
  /** Whether it ends new clients at once. */
  refuses = false;

  constructor(server: PostgresServer) {
    this.#socketOfHost = `${folderOf(server)}/.s.PGSQL.5432`;
  }

  async start(): Promise<string> {
    await once(this.#server.listen(0, "127.0.0.1"), "listening");
    return `127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** New clients wait until the host is back. */
  loseHost(): void {
    this.#back = Promise.withResolvers();
  }

  findHostAgain(): void {
    this.#back?.resolve();
    this.refuses = false;
  }

  breakNewest(): void {
    [...this.#served].at(-1)?.destroy();
  }

  async #serve(client: Socket): Promise<void> {
    client.on("error", () => undefined);
    if (this.refuses) {
      client.destroy();
      return;
    }
    if (this.#back !== null) this.waiting += 1;
    await this.#back?.promise;
    const host = connect(this.#socketOfHost);
    host.on("error", () => undefined);
    this.#served.add(client);
    client.once("close", () => {
      this.#served.delete(client);
      host.destroy();
    });
    host.once("close", () => client.destroy());
    client.pipe(host).pipe(client);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.findHostAgain();
    for (const client of this.#served) client.destroy();
    await once(this.#server.close(), "close");
  }
}

describe("connections to a former primary", () => {
  const text = "select current_setting('unix_socket_directories') as host";
  let next: PostgresServer;
  beforeAll(async () => {
    next = await startPostgres(await storageRoot);
  });
  afterAll(() => next.stop());

  /** Until the first one refuses clients, it is the primary. */
  async function twoHosts() {
    const [first, second] = [new TestPooler(postgres), new TestPooler(next)];
    const url = `postgres://postgres@${await first.start()},${await second.start()}/postgres`;
    const hosts = new PostgresPool(pg, url, limits, silent);
    return {
      first,
      hosts,
      ofShared: async () => (await hosts.query<{ host: string }>({ text }))[0]?.host,
      ofApart: async () => (await hosts.queryApart<{ host: string }>({ text }))[0]?.host,
      async [Symbol.asyncDispose]() {
        await hosts.end();
        for (const pooler of [first, second]) await pooler[Symbol.asyncDispose]();
      },
    };
  }

  it("are not used if they were begun before it was away, and answer once it is back", async () => {
    await using two = await twoHosts();
    const { first, hosts, ofShared } = two;
    const held = await hosts.connect();
    first.loseHost();
    const late = hosts.connect();
    await expect.poll(() => first.waiting).toBe(1);
    first.refuses = true;
    first.breakNewest();
    held.release();
    await expect.poll(() => ofShared().catch(() => null)).toBe(folderOf(next));
    first.findHostAgain();
    const connection = await late;
    const { rows } = await connection.query(text);
    connection.release();
    expect(rows).toEqual([{ host: folderOf(next) }]);
  });

  it("end once another host is found to be the primary, even if they work", async () => {
    await using two = await twoHosts();
    const { first, hosts, ofShared, ofApart } = two;
    expect(await ofApart()).toBe(folderOf(postgres));
    const working = await hosts.connect();
    const broken = await hosts.connect();
    first.refuses = true;
    first.breakNewest();
    broken.release();
    await expect.poll(() => ofShared().catch(() => null)).toBe(folderOf(next));
    expect(await ofApart()).toBe(folderOf(next));
    await expect(working.query(text)).rejects.toThrow(DatabaseUnavailableError);
    working.release();
  });
});

describe("connections of transactions that write", () => {
  const late = {
    name: "DatabaseUnavailableError",
    mayComeBack: true,
    message: expect.stringContaining("became free in time"),
  };

  it("are a part of the pool's, for which the others wait in order", async () => {
    const writing = new WriteConnections(pool, 2, 60);
    const held = await Promise.all([writing.connect(), writing.connect()]);
    const order: number[] = [];
    const waiting = Array.from({ length: 25 }, async (_, number) => {
      const connection = await writing.connect();
      order.push(number);
      await connection.query("select 1");
      connection.release();
    });
    expect(await pool.query({ text: "select 1 as one" })).toEqual([{ one: 1 }]);
    expect(order).toEqual([]);
    for (const connection of held) connection.release();
    await Promise.all(waiting);
    expect(order).toEqual([...order.keys()]);
  });

  it("are waited for no longer than the limit, and a transaction that gave up holds none", async () => {
    const small = new PostgresPool(
      pg,
      postgres.url,
      { ...limits, maxConnections: 5, waitSeconds: 0.2 },
      silent,
    );
    const writing = new WriteConnections(small, 1, 0.2);
    const own = await writing.connect();
    await expect(writing.connect()).rejects.toMatchObject(late);
    own.release();
    const all = await Promise.all(Array.from({ length: 5 }, () => small.connect()));
    for (let time = 0; time < 2; time++) await expect(writing.connect()).rejects.toMatchObject(late);
    for (const connection of all) connection.release();
    const again = await writing.connect();
    expect(await again.query("select 1 as one")).toMatchObject({ rows: [{ one: 1 }] });
    again.release();
    await small.end();
  });
});

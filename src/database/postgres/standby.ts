import type pg from "pg";
import type { Logger } from "pino";
import { reasonIn } from "../database-unavailable.ts";
import type { PostgresLimits } from "./connection.ts";
import { refused } from "./failures.ts";
import { PostgresPool } from "./pool.ts";
import type { Position } from "./position.ts";
import { hostOf } from "./primary.ts";
import { shared } from "./shared-question.ts";

/** How long a standby may take to say how far it is. After that, reads no longer wait for it. */
const limitMilliseconds = 500;
/** After it was found behind, it is not asked again for this long. */
const behindMilliseconds = 20;
/** The log says that a standby is behind once it has been for this long. */
const longBehindMilliseconds = 5000;
/** The pause before it is asked whether it can be used again; twice as long after each time that it was of no use. */
const minPauseMilliseconds = 1000;
const maxPauseMilliseconds = 30_000;

/** The server's data and the database, however they are reached: the same at a primary and its standbys. */
export const identitySql = `(select system_identifier from pg_control_system())::text || ' ' ||
  (select oid from pg_database where datname = current_database())::text as identity`;

const quickFacts = `pg_is_in_recovery() as "isStandby", pg_last_wal_replay_lsn() - '0/0' as location`;

/**
 * Each part of the timeline proves that the standby has followed the primary to it. The last one is seen only by roles
 * with pg_read_all_stats. Without it, a standby is known to have followed a failover after its next checkpoint.
 */
const allFacts = `${quickFacts}, ${identitySql},
  coalesce(host(inet_server_addr()), '') || ' ' || pg_postmaster_start_time()::text as server,
  greatest((select timeline_id from pg_control_checkpoint()),
    (select min_recovery_end_timeline from pg_control_recovery()),
    (select received_tli from pg_stat_wal_receiver)) as timeline`;

interface QuickFacts {
  isStandby: boolean;
  location: number | null;
}

interface Facts extends QuickFacts {
  identity: string;
  /** Differs between servers that one address leads to, and after a restart. */
  server: string;
  timeline: number;
}

/** How far a server is at least. It never goes back while a connection lasts. */
interface Known extends Position {
  server: string;
}

export interface StandbySettings {
  driver: typeof pg;
  address: string;
  limits: PostgresLimits;
  log: Pick<Logger, "info" | "warn">;
  /** That of the primary: see {@link identitySql}. */
  identity: () => Promise<string>;
}

const notAStandby = "it is not a standby";

const silent = { info: () => undefined, error: () => undefined };

/**
 * A standby that may answer reads. While it does not answer, or is no standby, no request waits for it: it is asked in
 * the background.
 */
export class Standby {
  readonly host: string;
  readonly #settings: StandbySettings;
  #pool: PostgresPool;
  readonly #look: () => Promise<void>;
  #known: Known | null = null;
  #identity: string | null = null;
  /** The timeline of the latest position that was asked for. */
  #timeline = 0;
  #isAway = true;
  #returnedAt = -Infinity;
  #pauseMilliseconds = minPauseMilliseconds;
  /** Whether the log says that it is not used. */
  #isMissed = false;
  #restsUntil = 0;
  #behindSince: number | null = null;
  #isSaidBehind = false;
  #isClosed = false;

  constructor(settings: StandbySettings) {
    this.#settings = settings;
    this.host = hostOf(settings.address);
    this.#pool = this.#newPool();
    this.#look = shared(() => this.#ask());
    void this.#return();
  }

  get isAway(): boolean {
    return this.#isAway;
  }

  /**
   * Its connections, if it has replayed everything before a position; otherwise why it cannot be used. It is asked only
   * if that is not known.
   */
  async at(position: Position): Promise<PostgresPool | "behind" | "away"> {
    if (this.#isAway) return "away";
    if (this.#isThere(position)) return this.#pool;
    if (performance.now() < this.#restsUntil) return "behind";
    try {
      this.#timeline = position.timeline;
      await within(limitMilliseconds, this.#look());
    } catch (error) {
      this.#leave(error);
      return "away";
    }
    if (this.#isThere(position)) {
      this.#catchUp();
      return this.#pool;
    }
    this.#fallBehind();
    return "behind";
  }

  /** Must be called when a query on its connections failed because it does not answer. */
  lose(pool: PostgresPool, error: unknown): void {
    if (pool === this.#pool) this.#leave(error);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#pool.end();
  }

  #newPool(): PostgresPool {
    const { driver, address, limits } = this.#settings;
    const pool: PostgresPool = new PostgresPool(driver, address, limits, silent, {
      facts: allFacts,
      asking: () => {
        const before = this.#known;
        return (facts) =>
          pool === this.#pool ? this.#learn(facts as unknown as Facts, before) : refused("it was given up");
      },
    });
    return pool;
  }

  #isThere({ timeline, location }: Position): boolean {
    const known = this.#known;
    return known !== null && known.timeline === timeline && known.location >= location;
  }

  async #ask(): Promise<void> {
    if (this.#known?.timeline !== this.#timeline) return this.#askAll();
    const text = `select ${quickFacts}`;
    const [row] = await this.#pool.queryApart<QuickFacts>({ name: "quire_standby", text });
    const { isStandby, location } = row as QuickFacts;
    if (!isStandby || location === null) throw refused(notAStandby);
    const known = this.#known;
    if (known !== null && location > known.location) this.#known = { ...known, location };
  }

  async #askAll(): Promise<void> {
    const before = this.#known;
    const [row] = await this.#pool.queryApart<Facts>({ text: `select ${allFacts}` });
    const refusal = this.#learn(row as Facts, before);
    if (refusal !== null) throw refusal;
  }

  /** `before` is what was known before it was asked. Returns why it is not used; null if it is. */
  #learn(facts: Facts, before: Known | null): Error | null {
    const { isStandby, location, identity, server, timeline } = facts;
    if (!isStandby || location === null) return refused(notAStandby);
    if (identity !== this.#identity) return refused("it is not a standby of this database");
    const isSame =
      before === null ||
      (server === before.server && location >= before.location && timeline >= before.timeline);
    if (!isSame) {
      // The position that was read before is forgotten: the query that opens this connection relies on that.
      this.#startOver();
      return refused("it has started again, or its address leads to several servers");
    }
    const known = this.#known ?? { server, timeline, location };
    const highest = Math.max(location, known.location);
    this.#known = { server, timeline: Math.max(timeline, known.timeline), location: highest };
    return null;
  }

  #startOver(): void {
    if (this.#isClosed) return;
    void this.#pool.end();
    this.#pool = this.#newPool();
    this.#known = null;
  }

  #leave(error: unknown): void {
    if (this.#isAway || this.#isClosed) return;
    this.#isAway = true;
    const wasLong = performance.now() - this.#returnedAt > 2 * maxPauseMilliseconds;
    if (wasLong) this.#pauseMilliseconds = minPauseMilliseconds;
    this.#say(error);
    this.#returnLater();
  }

  #returnLater(): void {
    if (this.#isClosed) return;
    setTimeout(() => void this.#return(), this.#pauseMilliseconds).unref();
    this.#pauseMilliseconds = Math.min(2 * this.#pauseMilliseconds, maxPauseMilliseconds);
  }

  async #return(): Promise<void> {
    try {
      this.#identity ??= await this.#settings.identity();
      await this.#askAll();
      this.#isAway = false;
      this.#returnedAt = performance.now();
      if (this.#isMissed) this.#settings.log.info({ host: this.host }, "A standby answers reads again");
      this.#isMissed = false;
    } catch (error) {
      this.#say(error);
      this.#returnLater();
    }
  }

  #say(error: unknown): void {
    if (this.#isMissed || this.#isClosed) return;
    this.#isMissed = true;
    const cause = error instanceof Error && error.cause !== undefined ? error.cause : error;
    const reason = reasonIn(cause);
    const { log } = this.#settings;
    // The addresses may name the primary too, since a failover makes it a standby.
    if (reason === notAStandby) log.info({ host: this.host }, "This host is not a standby at present");
    else log.warn({ host: this.host, reason }, "A standby cannot answer reads, so the primary does");
  }

  #fallBehind(): void {
    const now = performance.now();
    this.#restsUntil = now + behindMilliseconds;
    this.#behindSince ??= now;
    if (this.#isSaidBehind || now - this.#behindSince < longBehindMilliseconds) return;
    this.#isSaidBehind = true;
    this.#settings.log.warn({ host: this.host }, "A standby is behind, so the primary answers reads");
  }

  #catchUp(): void {
    this.#behindSince = null;
    if (!this.#isSaidBehind) return;
    this.#isSaidBehind = false;
    this.#settings.log.info({ host: this.host }, "A standby has caught up");
  }
}

async function within<T>(milliseconds: number, answer: Promise<T>): Promise<T> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new Error("it does not answer in time")), milliseconds);
  try {
    return await Promise.race([answer, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}

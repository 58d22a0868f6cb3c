import type { Client } from "pg";
import { setTimeout } from "node:timers/promises";
import { reasonIn } from "../database-unavailable.ts";
import { isAway, withoutPrimary } from "./failures.ts";

/**
 * Which of several hosts is the primary. A failover makes another one the primary, so it is found again after each
 * failure.
 */
export class Primary {
  readonly #addresses: readonly string[];
  readonly #newClient: (address: string, milliseconds: number) => Client;
  readonly #answerMilliseconds: number;
  readonly #onMove: (host: string) => void;
  /** Where it was when it was found last. */
  #address: string;
  #isKnown = false;
  /**
   * The newest timeline so far; null before the first search. A primary of an older one has missed a failover, even if
   * no other answers.
   */
  #timeline: number | null = null;
  #search: Promise<void> | null = null;

  /**
   * A host that takes longer than `answerMilliseconds` to answer is away: one that freezes after it has accepted the
   * connection must not hide the new primary. But that host may be the new primary, on a busy machine, and the one that
   * answers a former one that has come back. So unless what answers has a newer timeline than any before, the others
   * get four times as long. `onMove` is called when another host than before is the primary.
   */
  constructor(
    addresses: readonly string[],
    {
      newClient,
      answerMilliseconds,
      onMove,
    }: {
      newClient: (address: string, milliseconds: number) => Client;
      answerMilliseconds: number;
      onMove: (host: string) => void;
    },
  ) {
    this.#addresses = addresses;
    this.#address = addresses[0] ?? "";
    this.#newClient = newClient;
    this.#answerMilliseconds = answerMilliseconds;
    this.#onMove = onMove;
  }

  get address(): string {
    return this.#address;
  }

  get isKnown(): boolean {
    return this.#isKnown;
  }

  /** Must be called when the host at `address` no longer answers, or is a standby. Another host's does not matter. */
  forget(address = this.#address): void {
    if (address === this.#address) this.#isKnown = false;
  }

  /**
   * Asks all hosts: one search for all simultaneous callers.
   *
   * @throws why no host is the primary.
   */
  find(): Promise<void> {
    this.#search ??= this.#findAmongAll().finally(() => {
      this.#search = null;
    });
    return this.#search;
  }

  /** An old primary that comes back after a failover takes itself for the primary. The newer timeline is right. */
  async #findAmongAll(): Promise<void> {
    const timelines = this.#addresses.map((): number | null => null);
    const asked = this.#addresses.map(async (address, index) => {
      timelines[index] = await this.#timelineAt(address);
    });
    const known = this.#timeline;
    const newestOf = (): number => Math.max(...timelines.map((timeline) => timeline ?? 0));
    const all = Promise.allSettled(asked);
    await Promise.race([all, setTimeout(this.#answerMilliseconds, undefined, { ref: false })]);
    const isNews = known !== null && newestOf() > known;
    const answers = isNews ? [] : await all;
    const newest = newestOf();
    const address = newest < (known ?? 1) ? undefined : this.#addresses[timelines.indexOf(newest)];
    if (address === undefined) throw this.#reasonOf(answers);
    this.#timeline = newest;
    const hasMoved = address !== this.#address;
    this.#address = address;
    this.#isKnown = true;
    if (hasMoved) this.#onMove(hostOf(address));
  }

  /** The timeline of a primary; null for a standby. */
  async #timelineAt(address: string): Promise<number | null> {
    const milliseconds = this.#answerMilliseconds * 4;
    const client = this.#newClient(address, milliseconds);
    try {
      await client.connect();
      // The driver's types leave out the limit of a query.
      const query = { text: timelineQuery, query_timeout: milliseconds };
      const { rows } = await client.query<{ timeline: string | null }>(query);
      const timeline = rows[0]?.timeline ?? null;
      return timeline === null ? null : Number.parseInt(timeline, 16);
    } finally {
      void client.end().catch(() => undefined);
    }
  }

  /** A refusal that waiting does not mend, such as that of a wrong password, says more than a standby. */
  #reasonOf(answers: readonly PromiseSettledResult<unknown>[]): unknown {
    const errors = answers.map((answer) => (answer.status === "rejected" ? answer.reason : null) as unknown);
    const lasting = errors.find((error) => error !== null && !isAway(error));
    const reasons = errors.map((error, index) => {
      const reason = error === null ? "a standby, or an old primary" : reasonIn(error);
      return `${hostOf(this.#addresses[index] ?? "")}: ${reason}`;
    });
    return lasting ?? withoutPrimary(reasons);
  }
}

/** The timeline from the name of a WAL file: the control file has the old one right after a promotion. */
export const timelineSql = "substr(pg_walfile_name(pg_current_wal_insert_lsn()), 1, 8)";

const timelineQuery = `select case when not pg_is_in_recovery() then ${timelineSql} end as timeline`;

/** A host's name and port, or the folder of its socket, for people. */
export function hostOf(address: string): string {
  const { host, searchParams } = new URL(address);
  return searchParams.get("host") ?? host;
}

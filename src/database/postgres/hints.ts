import { randomUUID } from "node:crypto";
import { setTimeout } from "node:timers/promises";
import type { Client, Notification } from "pg";
import type { HintTopic, Hints } from "../database.ts";
import { vanishingSettings } from "./connection.ts";
import { isAway } from "./failures.ts";
import type { PostgresPool } from "./pool.ts";

const channel = "quire_hints";
/** After this long without its own hint, a listener hears none: a pooler between here and PostgreSQL keeps them. */
const proofMilliseconds = 2000;
const unheardMilliseconds = 60_000;
/** After this long without an answer, a connection is taken for broken. */
const askMilliseconds = 15_000;

/** A connection on which hints arrive: it is a session of PostgreSQL's own, whatever poolers there are. */
export interface Session {
  /** Null if the server refuses, or does not answer. */
  ask<Row>(text: string, values: readonly unknown[]): Promise<Row[] | null>;
}

/**
 * LISTEN and NOTIFY. A process listens on a connection of its own, from `start` or its first listener on, and opens it
 * again when it breaks. Hints are sent by a statement of their own after the commit: in the transaction, NOTIFY would
 * let one commit at a time pass on the whole server.
 */
export class PostgresHints implements Hints {
  /** Null while no hints arrive. */
  session: Session | null = null;
  readonly #pool: Pick<PostgresPool, "query">;
  readonly #direct: Pick<PostgresPool, "newClient">;
  readonly #listeners = new Map<string, Set<() => void>>();
  readonly #sessionListeners = new Set<() => void>();
  readonly #retryMilliseconds: number;
  readonly #closing = new AbortController();
  /** The topics that are being sent, and whether they are to be sent once more. */
  readonly #sending = new Map<HintTopic, boolean>();
  #isListening = false;
  #client: Client | null = null;

  /** It listens on a connection of `direct`, which leads to PostgreSQL itself. */
  constructor(
    pool: Pick<PostgresPool, "query">,
    direct: Pick<PostgresPool, "newClient">,
    retryMilliseconds = 5000,
  ) {
    this.#pool = pool;
    this.#direct = direct;
    this.#retryMilliseconds = retryMilliseconds;
  }

  get areHeard(): boolean {
    return this.session !== null;
  }

  onHint(topic: HintTopic, listener: () => void): void {
    this.#listenersOf(topic).add(listener);
    this.start();
  }

  /** Calls back whenever there is a new session. */
  onSession(listener: () => void): void {
    this.#sessionListeners.add(listener);
  }

  start(): void {
    if (this.#isListening) return;
    this.#isListening = true;
    void this.#listen();
  }

  send(topic: HintTopic): void {
    if (this.#closing.signal.aborted) return;
    if (this.#sending.has(topic)) this.#sending.set(topic, true);
    else void this.#send(topic);
  }

  async close(): Promise<void> {
    this.#closing.abort();
    this.session = null;
    await this.#client?.end().catch(() => undefined);
  }

  async #send(topic: HintTopic): Promise<void> {
    this.#sending.set(topic, false);
    await this.#notify(topic).catch(() => undefined);
    const isAskedAgain = this.#sending.get(topic) === true;
    this.#sending.delete(topic);
    if (isAskedAgain) this.send(topic);
  }

  async #notify(payload: string): Promise<void> {
    await this.#pool.query({ text: "select pg_notify($1, $2)", values: [channel, payload] });
  }

  async #listen(): Promise<void> {
    const { signal } = this.#closing;
    while (!signal.aborted) {
      let pause = this.#retryMilliseconds;
      try {
        if (!(await this.#listenOnce())) pause = unheardMilliseconds;
      } catch {
        // The pool logs that the database is away, and that it is back.
      }
      this.session = null;
      await setTimeout(pause, undefined, { ref: false, signal }).catch(() => undefined);
    }
  }

  /** Listens until the connection breaks. Returns whether hints arrived on it. */
  async #listenOnce(): Promise<boolean> {
    const client = await this.#direct.newClient();
    this.#client = client;
    const ended = Promise.withResolvers<void>();
    const proof = randomUUID();
    const proven = Promise.withResolvers<boolean>();
    client.on("end", () => ended.resolve());
    client.on("error", () => ended.resolve());
    client.on("notification", ({ payload = "" }: Notification) => {
      if (payload === proof) proven.resolve(true);
      for (const listener of this.#listeners.get(payload) ?? []) listener();
    });
    try {
      await client.connect();
      await client.query(`select ${vanishingSettings}; listen ${channel}`);
      await this.#notify(proof);
      const late = setTimeout(proofMilliseconds, false, { ref: false });
      const isHeard = await Promise.race([proven.promise, late, ended.promise.then(() => false)]);
      if (!isHeard || this.#closing.signal.aborted) return isHeard;
      this.session = sessionOn(client, () => {
        this.session = null;
        ended.resolve();
      });
      for (const listener of this.#sessionListeners) listener();
      for (const listeners of this.#listeners.values()) for (const listener of listeners) listener();
      await ended.promise;
      return true;
    } finally {
      this.#client = null;
      void client.end().catch(() => undefined);
    }
  }

  #listenersOf(topic: string): Set<() => void> {
    const known = this.#listeners.get(topic);
    if (known !== undefined) return known;
    const added = new Set<() => void>();
    this.#listeners.set(topic, added);
    return added;
  }
}

function sessionOn(client: Client, leave: () => void): Session {
  return {
    async ask<Row>(text: string, values: readonly unknown[]) {
      try {
        const query = { text, values: [...values], query_timeout: askMilliseconds };
        return (await client.query(query)).rows as Row[];
      } catch (error) {
        if (isAway(error)) leave();
        return null;
      }
    },
  };
}

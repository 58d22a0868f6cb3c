import { randomUUID } from "node:crypto";
import { setTimeout } from "node:timers/promises";
import type { Client, Notification } from "pg";
import type { HintTopic, Hints } from "../database.ts";
import type { PostgresPool } from "./pool.ts";

const channel = "quire_hints";
const retryMilliseconds = 5000;
/** After this long without its own hint, a listener hears none: a pooler between here and PostgreSQL keeps them. */
const proofMilliseconds = 2000;
const unheardMilliseconds = 60_000;

/**
 * LISTEN and NOTIFY. A process listens on a connection of its own, from `start` or its first listener on, and opens it
 * again when it breaks. Hints are sent by a statement of their own after the commit: in the transaction, NOTIFY would
 * let one commit at a time pass on the whole server.
 */
export class PostgresHints implements Hints {
  areHeard = false;
  readonly #pool: Pick<PostgresPool, "query">;
  readonly #direct: Pick<PostgresPool, "newClient">;
  readonly #listeners = new Map<string, Set<() => void>>();
  readonly #closing = new AbortController();
  /** The topics that are being sent, and whether they are to be sent once more. */
  readonly #sending = new Map<HintTopic, boolean>();
  #isListening = false;
  #client: Client | null = null;

  /** It listens on a connection of `direct`, which leads to PostgreSQL itself. */
  constructor(pool: Pick<PostgresPool, "query">, direct: Pick<PostgresPool, "newClient">) {
    this.#pool = pool;
    this.#direct = direct;
  }

  onHint(topic: HintTopic, listener: () => void): void {
    this.#listenersOf(topic).add(listener);
    this.start();
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
    this.areHeard = false;
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
      let pause = retryMilliseconds;
      try {
        if (!(await this.#listenOnce())) pause = unheardMilliseconds;
      } catch {
        // The pool logs that the database is away, and that it is back.
      }
      this.areHeard = false;
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
      await client.query(`listen ${channel}`);
      await this.#notify(proof);
      const late = setTimeout(proofMilliseconds, false, { ref: false });
      const isHeard = await Promise.race([proven.promise, late, ended.promise.then(() => false)]);
      if (!isHeard || this.#closing.signal.aborted) return isHeard;
      this.areHeard = true;
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

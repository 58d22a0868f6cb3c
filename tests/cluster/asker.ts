import { setTimeout as wait } from "node:timers/promises";
import type { Person } from "../../src/testing/people.ts";
import type { Reply } from "../../src/testing/requests.ts";

/** What clients saw during one event. */
export interface Seen {
  requests: number;
  /** What answers of 500 and above said, and connections that broke: how often. */
  failures: Map<string, number>;
  /** Answers that lacked something acknowledged before, or showed what was hidden by then. */
  stale: number;
  /** From the first failure to the last one. */
  failingSeconds: number;
}

export interface Answer {
  status: number;
  text: string;
}

const nothing = (): Seen => ({ requests: 0, failures: new Map(), stale: 0, failingSeconds: 0 });

/** Only a fault lasts this long, and no busy machine. */
const maxMilliseconds = 600_000;

/**
 * Asks the balancer, and counts. Every request has a connection of its own, so that it goes to another server than the
 * one before.
 */
export class Asker {
  readonly #url: string;
  #seen = nothing();
  #firstFailure = 0;

  constructor(url: string) {
    this.#url = url;
  }

  /** Returns what the clients have seen since the last call. */
  take(): Seen {
    const seen = this.#seen;
    this.#seen = nothing();
    this.#firstFailure = 0;
    return seen;
  }

  sawStale(): void {
    this.#seen.stale++;
  }

  /** The status and the JSON of an answer; null if the request failed. */
  async ask(
    person: Person | null,
    method: string,
    target: string,
    body?: unknown,
  ): Promise<Pick<Reply, "status" | "body"> | null> {
    const text = body === undefined ? {} : { body: JSON.stringify(body) };
    const answer = await this.fetch(target, {
      method,
      headers: { ...person?.headers, "content-type": "application/json" },
      ...text,
    });
    return answer && { status: answer.status, body: await answer.json().catch(() => null) };
  }

  /** The body of an answer, whatever its status; null if the request failed. */
  async text(person: Person | null, target: string): Promise<string | null> {
    const answer = await this.fetch(target, { headers: { ...person?.headers } });
    return answer && answer.text();
  }

  /** Asks until there is an answer. */
  async insist(person: Person | null, target: string): Promise<Pick<Reply, "status" | "body">> {
    let answer: Pick<Reply, "status" | "body"> | null = null;
    await this.until(
      () => answer !== null,
      async () => {
        answer = await this.ask(person, "GET", target);
      },
    );
    return answer as unknown as Pick<Reply, "status" | "body">;
  }

  /** Repeats a step until what it is for is done. */
  async until(isDone: () => boolean, step: () => Promise<void>): Promise<void> {
    for (const end = Date.now() + maxMilliseconds; !isDone(); await wait(20)) {
      if (Date.now() > end) throw new Error(`Not done after ${maxMilliseconds / 1000} seconds`);
      await step();
    }
  }

  /** The answer of one of the servers; null if the request failed. */
  async fetch(target: string, init: RequestInit = {}): Promise<Response | null> {
    this.#seen.requests++;
    let failure: string;
    try {
      const headers = new Headers(init.headers);
      headers.set("connection", "close");
      const answer = await fetch(new URL(target, this.#url), { ...init, headers });
      // The body is part of the answer: a connection may break in it.
      const bytes = await bytesOf(answer);
      if (answer.status < 500)
        return new Response(bytes.byteLength === 0 ? null : bytes, { status: answer.status });
      failure = `${answer.status} ${Buffer.from(bytes).toString().replaceAll(/\s+/g, " ").slice(0, 80)}`;
    } catch (error) {
      failure = String((error as Error).cause ?? error);
    }
    this.#firstFailure ||= performance.now();
    this.#seen.failures.set(failure, (this.#seen.failures.get(failure) ?? 0) + 1);
    this.#seen.failingSeconds = (performance.now() - this.#firstFailure) / 1000;
    await wait(50);
    return null;
  }
}

/** A stream of events ends after its first part. */
async function bytesOf(answer: Response): Promise<Uint8Array<ArrayBuffer>> {
  if (answer.headers.get("content-type")?.startsWith("text/event-stream") !== true)
    return new Uint8Array(await answer.arrayBuffer());
  for await (const part of answer.body ?? []) return new Uint8Array(part);
  return new Uint8Array();
}

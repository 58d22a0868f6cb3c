import { createHash, randomBytes } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import { Upload } from "tus-js-client";
import { documentFileKey } from "../../src/files/keys.ts";
import type { Cluster } from "./nodes.ts";

/** What clients saw during one event. */
export interface Seen {
  requests: number;
  /** Answers of 500 and above, and connections that broke. */
  failed: number;
  /** Answers that lacked something acknowledged before. */
  stale: number;
  /** From the first failure to the last one. */
  failingSeconds: number;
}

/**
 * Clients that read, write and send files in parts until they are told to end. Every request has a connection of its
 * own, so that the balancer sends it to another server than the one before.
 */
export class Load {
  readonly #cluster: Cluster;
  #seen: Seen = nothing();
  #firstFailure = 0;
  #isOver = false;
  readonly #created = new Set<number>();
  /** The digests of the files that were sent, by document. */
  readonly #sent = new Map<number, string>();
  readonly #clients: Promise<void>[];

  constructor(cluster: Cluster) {
    this.#cluster = cluster;
    this.#clients = [this.#read(), this.#write(), this.#sendInParts()];
  }

  /** What the clients have seen since the last call. */
  take(): Seen {
    const seen = this.#seen;
    this.#seen = nothing();
    this.#firstFailure = 0;
    return seen;
  }

  async end(): Promise<void> {
    this.#isOver = true;
    await Promise.all(this.#clients);
  }

  get written(): { documents: number; files: number } {
    return { documents: this.#created.size, files: this.#sent.size };
  }

  /** Acknowledged documents and files that are missing or different. */
  async lost(): Promise<number> {
    let lost = 0;
    const { context } = this.#cluster;
    for (const id of this.#created) if ((await this.#ask("GET", `/api/documents/${id}/`)) === null) lost++;
    for (const [id, digest] of this.#sent) {
      const record = await this.#ask("GET", `/api/documents/${id}/`);
      const key = documentFileKey(id, String(record?.["slug"]), "txt");
      const bytes = await context.files.read(key);
      const hash = createHash("sha256");
      for await (const chunk of bytes ?? []) hash.update(chunk as Uint8Array);
      if (hash.digest("hex") !== digest) lost++;
    }
    return lost;
  }

  async #ask(method: string, target: string, body?: object): Promise<Record<string, unknown> | null> {
    this.#seen.requests++;
    try {
      const answer = await fetch(this.#cluster.url + target, {
        method,
        headers: { ...this.#cluster.owner.headers, connection: "close", "content-type": "application/json" },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
      if (answer.status >= 500) this.#fail();
      return answer.ok ? ((await answer.json()) as Record<string, unknown>) : null;
    } catch {
      this.#fail();
      return null;
    }
  }

  #fail(): void {
    this.#firstFailure ||= performance.now();
    this.#seen.failed++;
    this.#seen.failingSeconds = (performance.now() - this.#firstFailure) / 1000;
  }

  async #read(): Promise<void> {
    while (!this.#isOver) {
      await this.#ask("GET", "/api/documents/?per_page=5");
      await wait(20);
    }
  }

  /** Creates documents, and looks for each at the server that comes next. */
  async #write(): Promise<void> {
    while (!this.#isOver) {
      const made = await this.#ask("POST", "/api/documents/", { title: "A document" });
      if (made === null) continue;
      const id = Number(made["id"]);
      this.#created.add(id);
      const page = await this.#ask("GET", `/api/documents/?id__in=${id}`);
      if (page !== null && (page["results"] as unknown[]).length !== 1) this.#seen.stale++;
      await wait(20);
    }
  }

  async #sendInParts(): Promise<void> {
    while (!this.#isOver) {
      const bytes = Buffer.from(randomBytes(600_000).toString("hex"));
      const id = await this.#send(bytes);
      if (id !== null) this.#sent.set(id, createHash("sha256").update(bytes).digest("hex"));
    }
  }

  #send(bytes: Buffer): Promise<number | null> {
    return new Promise((resolve) => {
      new Upload(bytes, {
        endpoint: `${this.#cluster.url}/uploads/tus/`,
        chunkSize: 200_000,
        retryDelays: [100, 300, 1000, 2000, 3000, 5000, 5000, 5000],
        headers: this.#cluster.owner.headers,
        metadata: { filename: "sent.txt" },
        onError: () => resolve(null),
        onSuccess: ({ lastResponse }) => resolve(Number(lastResponse.getHeader("Quire-Document"))),
      }).start();
    });
  }
}

const nothing = (): Seen => ({ requests: 0, failed: 0, stale: 0, failingSeconds: 0 });

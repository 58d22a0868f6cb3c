import { createHash, randomBytes } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import { Upload } from "tus-js-client";
import { documentFileKey } from "../../src/files/keys.ts";
import { buildPdf } from "../../src/testing/pdf.ts";
import type { Person } from "../../src/testing/people.ts";
import type { Asker } from "./asker.ts";
import type { Client } from "./load.ts";
import type { Cluster } from "./nodes.ts";

/** What is left to do for a document ends within this time, however busy the machine is. */
const untilDoneMilliseconds = 300_000;

/** Creates documents, and looks for each at the server that comes next. */
export class Documents implements Client {
  readonly #asker: Asker;
  readonly #owner: Person;
  /** The ids of those that were acknowledged. */
  readonly created = new Set<number>();

  constructor(asker: Asker, owner: Person) {
    this.#asker = asker;
    this.#owner = owner;
  }

  async step(): Promise<void> {
    const made = await this.#asker.ask(this.#owner, "POST", "/api/documents/", { title: "A document" });
    if (made?.status !== 201) return;
    const id = Number(made.body.id);
    this.created.add(id);
    const page = await this.#asker.ask(this.#owner, "GET", `/api/documents/?id__in=${id}`);
    if (page !== null && page.body.results.length !== 1) this.#asker.sawStale();
  }

  async end(): Promise<{ did: string; faults: string[] }> {
    let lost = 0;
    for (const id of this.created) {
      const answer = await this.#asker.insist(this.#owner, `/api/documents/${id}/`);
      if (answer.status !== 200) lost++;
    }
    const did = `${this.created.size} documents were acknowledged, and ${lost} of them are lost.`;
    return { did, faults: lost > 0 ? [did] : [] };
  }
}

/** Walks through the list from its beginning to its end while it grows, and asks for a page again if that failed. */
export class Walk implements Client {
  readonly #asker: Asker;
  readonly #owner: Person;
  readonly #documents: Documents;
  #walks = 0;
  #missed = 0;
  #repeated = 0;

  constructor(asker: Asker, owner: Person, documents: Documents) {
    this.#asker = asker;
    this.#owner = owner;
    this.#documents = documents;
  }

  async step(): Promise<void> {
    const due = [...this.#documents.created];
    const seen = new Set<number>();
    for (let target: string | null = "/api/documents/?per_page=50&ordering=-created_at"; target !== null;) {
      const page = await this.#asker.ask(this.#owner, "GET", target);
      if (page === null) continue;
      for (const { id } of page.body.results) {
        if (seen.has(id)) this.#repeated++;
        seen.add(id);
      }
      target = page.body.next;
    }
    this.#walks++;
    this.#missed += due.filter((id) => !seen.has(id)).length;
  }

  async end(): Promise<{ did: string; faults: string[] }> {
    await this.step();
    const did = `${this.#walks} walks through the list missed ${this.#missed} documents and repeated ${this.#repeated}.`;
    return { did, faults: this.#missed + this.#repeated > 0 ? [did] : [] };
  }
}

const firstEvents = "/api/events/?per_page=200";

/** Follows the feed of events. */
export class Follower implements Client {
  readonly #asker: Asker;
  readonly #owner: Person;
  readonly #documents: Documents;
  #next = firstEvents;
  readonly #seen = new Set<number>();
  readonly #created = new Map<number, number>();
  #repeated = 0;

  constructor(asker: Asker, owner: Person, documents: Documents) {
    this.#asker = asker;
    this.#owner = owner;
    this.#documents = documents;
  }

  async step(): Promise<void> {
    await this.#follow();
  }

  /** Whether the end of the feed is reached. */
  async #follow(): Promise<boolean> {
    const page = await this.#asker.ask(this.#owner, "GET", this.#next);
    if (page?.status === 410) this.#beginAgain();
    if (page?.status !== 200) return false;
    for (const { id, type, document } of page.body.results) {
      if (this.#seen.has(id)) this.#repeated++;
      this.#seen.add(id);
      if (type === "document.created") this.#created.set(document, (this.#created.get(document) ?? 0) + 1);
    }
    this.#next = page.body.next;
    return !page.body.has_more;
  }

  /** A primary that fails soon after a crash may have shown an event that no standby has. */
  #beginAgain(): void {
    this.#next = firstEvents;
    this.#seen.clear();
    this.#created.clear();
  }

  async end(): Promise<{ did: string; faults: string[] }> {
    let isAtEnd = false;
    await this.#asker.until(
      () => isAtEnd,
      async () => {
        isAtEnd = await this.#follow();
      },
    );
    const missed = [...this.#documents.created].filter((id) => this.#created.get(id) !== 1).length;
    const did = `The feed had ${this.#seen.size} events; it missed ${missed} documents and repeated ${this.#repeated}.`;
    return { did, faults: missed + this.#repeated > 0 ? [did] : [] };
  }
}

/** Sends files in parts, each part to another server. */
export class UploadsInParts implements Client {
  readonly #asker: Asker;
  readonly #cluster: Cluster;
  /** The digests of the files that were acknowledged, by document. */
  readonly #sent = new Map<number, string>();

  constructor(asker: Asker, cluster: Cluster) {
    this.#asker = asker;
    this.#cluster = cluster;
  }

  async step(): Promise<void> {
    const bytes = Buffer.from(randomBytes(600_000).toString("hex"));
    const id = await this.#send(bytes);
    if (id !== null) this.#sent.set(id, createHash("sha256").update(bytes).digest("hex"));
  }

  async end(): Promise<{ did: string; faults: string[] }> {
    await this.#asker.until(
      () => this.#sent.size > 0,
      () => this.step(),
    );
    let lost = 0;
    for (const [id, digest] of this.#sent) {
      const record = await this.#asker.insist(this.#cluster.owner, `/api/documents/${id}/`);
      const key = documentFileKey(id, String(record.body.slug), "txt");
      const bytes = await this.#cluster.context.files.read(key);
      const hash = createHash("sha256");
      for await (const chunk of bytes ?? []) hash.update(chunk as Uint8Array);
      if (hash.digest("hex") !== digest) lost++;
    }
    const did = `${this.#sent.size} files in parts were acknowledged, and ${lost} of them are lost.`;
    return { did, faults: lost > 0 ? [did] : [] };
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

const secret = "Alexandrova";
const letter = buildPdf({
  pages: [{ width: 480, height: 250, lines: [`The witness is ${secret}`] }],
});
const wholePage = [{ page_number: 0, x1: 0, x2: 1, y1: 0, y2: 1 }];

/** Uploads letters, and redacts each once it has been read. */
export class Redactions implements Client {
  readonly #asker: Asker;
  readonly #owner: Person;
  /** The documents whose redaction was acknowledged. */
  readonly #redacted: number[] = [];

  constructor(asker: Asker, owner: Person) {
    this.#asker = asker;
    this.#owner = owner;
  }

  async step(): Promise<void> {
    const made = await this.#asker.ask(this.#owner, "POST", "/api/documents/", { title: "A letter" });
    if (made?.status !== 201) return;
    const record = `/api/documents/${made.body.id}/`;
    const put = await this.#asker.fetch(made.body.presigned_url, {
      method: "PUT",
      body: Buffer.from(letter),
    });
    if (put?.status !== 200) return;
    const asked = await this.#asker.ask(this.#owner, "POST", `${record}process/`, {});
    if (asked?.status !== 200 || (await this.#endOf(record)) !== "success") return;
    const answer = await this.#asker.ask(this.#owner, "POST", `${record}redactions/`, wholePage);
    if (answer?.status === 201) this.#redacted.push(made.body.id);
  }

  /** The status of a document once nothing is done to it any more. */
  async #endOf(record: string): Promise<string> {
    for (const until = Date.now() + untilDoneMilliseconds; Date.now() < until; await wait(300)) {
      const answer = await this.#asker.ask(this.#owner, "GET", record);
      const status = answer?.body.status ?? "pending";
      if (!["pending", "readable"].includes(status)) return status;
    }
    return "pending";
  }

  async end(): Promise<{ did: string; faults: string[] }> {
    await this.#asker.until(
      () => this.#redacted.length > 0,
      () => this.step(),
    );
    const faults: string[] = [];
    for (const id of this.#redacted) {
      const status = await this.#endOf(`/api/documents/${id}/`);
      const record = await this.#asker.insist(this.#owner, `/api/documents/${id}/`);
      const file = `/files/documents/${id}/${record.body.slug}.txt`;
      let text: string | null = null;
      await this.#asker.until(
        () => text !== null,
        async () => {
          text = await this.#asker.text(this.#owner, file);
        },
      );
      if (status !== "success" || record.status !== 200 || text === null || String(text).includes(secret))
        faults.push(`Document ${id} was to be redacted: it is ${status}, and its text is ${text}`);
    }
    const did = `${this.#redacted.length} redactions were acknowledged, and ${faults.length} of them are not done.`;
    return { did, faults };
  }
}
